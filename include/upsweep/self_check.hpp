// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/version.hpp>

#include <functional>
#include <iosfwd>
#include <string>

/// @file
/// The self-check: the first use of a kernel family for a class of types on a device first runs the very kernels that
/// were chosen on a small problem whose answer is known: the edges of tiles, several work-groups, tiles that stay
/// silent, chunks of more than 2^16 elements. Where the answer is wrong, simpler kernels are tried in the same way,
/// down to one work-item, and the first that is right is used from then on, also where the caller had asked for another
/// strategy or tile algorithm: results come first. Wrong answers of all of them make the call throw `upsweep::error`.
///
/// A class of types is a size in bytes and whether it is an integer, a floating-point number or anything else, with a
/// built-in operator or one of the user's own (cheap, costly or of long text), which the check replaces by one whose
/// results are known. Each size of tiles by sub-groups and each length of runs is a family of its own; other such
/// numbers are checked as they are at the first use.
///
/// Views (views.hpp) are checked as plain arrays of the same types are: the kernels are the same, and only the text
/// that loads or stores an element differs. That text is not run by a check.
///
/// Where the canonical order of combination is what was chosen (reference.hpp), the bits are compared with the host's,
/// and floating-point arithmetic itself is checked once per device and type: a device that flushes denormals, rounds
/// otherwise than to the nearest even or fuses multiplications with additions cannot keep the promise of the same bits,
/// and the call throws `upsweep::error`. A strategy chosen explicitly promises no such bits and is not refused.
///
/// Where only kernels in another order of combination are right, bits are not the canonical ones; the report says so.
///
/// A check may take 60 seconds, or as many as the environment variable `UPSWEEP_SELF_CHECK_SECONDS` says (compilers and
/// kernels under way are not interrupted, but not waited for either, where the driver allows it). Then the kernels are
/// used as they were chosen, for the rest of the process, and the report says that they were not checked. Kernels that
/// only save time (of rows, of columns, of segments, of lists of what is selected) are then not used.
///
/// A check that was passed is remembered beside the program's binary (cache.hpp), under a key of the device, its
/// driver, this library's version and the whole text of the kernels.
///
/// Cost, on PoCL, of the first call of a process, against the same with the check off, in processor time: integers a
/// tenth more; floats a fifth, because arithmetic is checked by a small program of its own; structs and operators of
/// your own a half, because the check replaces them, which makes another program; where the check is remembered, 0 to
/// 2 ms. On devices with sub-groups a program scans in one way, exclusively or inclusively, and each is checked at its
/// own first use. Sums of segments and runs of equal elements are checked by the call's own program, selections by a
/// condition of your own by another. A warm call reads one pointer.
namespace upsweep {

/// What a self-check found wrong, or could not check in time, and what the library does about it.
struct self_check_report {
    std::string device;  ///< the device's name
    std::string checked; ///< what was run: operation, type and kernels
    std::string wrong;   ///< which answer was not the right one, or why there is none
    std::string instead; ///< the kernels that are used in its place
};

/// What is called with each report. It may call the library, and the plan whose call made the check. What it throws
/// leaves that call.
using self_check_handler = std::function<void(const self_check_report&)>;

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Prints the report on one line.
UPSWEEP_DECLARED std::ostream& operator<<(std::ostream& out, const self_check_report& r);

/// Sets what is called, in this process, when a self-check finds wrong answers and other kernels are used instead; an
/// empty function for nothing. At first each report is printed to stderr as one line. May be called at any time from
/// any thread; a handler that is being replaced may still be running on another.
UPSWEEP_DECLARED void on_self_check(self_check_handler handler);

/// Turns the self-check off for this process, or on again. It is on at first. May be called at any time from any
/// thread; what was found before stays in force.
///
/// The environment variable `UPSWEEP_SELF_CHECK=off`, read once, turns it off whatever a program says.
UPSWEEP_DECLARED void use_self_check(bool use);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/self_check/self_check_inl.hpp>
#endif
