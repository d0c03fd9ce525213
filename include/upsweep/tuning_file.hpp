// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/version.hpp>

#include <iosfwd>
#include <string>

/// @file
/// Tuning files: what was measured on a device at hand, in place of the library's own choices (tuning_table.hpp).
///
/// `upsweep_tune` (bench/) writes them. They are text, a line per entry after the first; files may be joined:
///
///     upsweep tuning 1
///     # a comment
///     device="NVIDIA H200" driver="580.159" operation=scan operator=exact size=4 n=2^24..2^30 algorithm=sub_group
///     work_items=64 items=128 run_packs=8 registers=112 microseconds=261.30 default_microseconds=272.84
///
/// (the last two are one line). A field is name=value; a value with spaces stands in quotation marks, within which
/// \ takes the meaning from the next character. An entry applies to calls on the device of that name with
///   - `operation`: scan or reduce,
///   - `operator`: exact (integers with the library's operators) or ordered (all others, where the order of combination
///     can be seen in the result),
///   - `size`: elements of so many bytes, which are values as well,
///   - an operator that is not costly (operator_cost), of scans,
///   - `n`: from that many elements up to, but not including, that many.
/// The choices are members of `options`, by name, as a program could have set them; at least one. `driver`,
/// `microseconds` and `default_microseconds` are notes.
///
/// An entry applies as a whole, where the caller left everything open or decided the same; what a caller decides is
/// never changed. Of several entries that apply the last counts. It never changes the bits of a result where
/// `automatic` promises the canonical order (reference.hpp): such an entry, and one that the device cannot run, is an
/// `upsweep::error` that names its line, of the first call that it applies to.
///
/// The environment variable `UPSWEEP_TUNING` names a file that is read at the first call of a process, without any
/// change to the program. An entry of it that applies is taken before any that a program loads. If the file cannot be
/// read, or has a bad line, every call throws `upsweep::error` that says so. `UPSWEEP_TUNING=off` or `0` turns all
/// entries off whatever a program loads, as `UPSWEEP_CACHE=off` does with the cache of binaries (cache.hpp). The two
/// have nothing else to do with one another: other choices make other program texts, which have cache files of their
/// own.
namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Adds the entries of a tuning file for all later calls and plans of this process; plans that exist stay as they are.
/// From any thread at any time. While entries are loaded, choosing takes a locked search through them, 0.1 us for 48;
/// while none is, a look at a flag.
/// @param in    the file's text
/// @param name  what errors call it
/// @throws upsweep::error naming the line and what is wrong with it; then nothing was added
UPSWEEP_DECLARED void load_tuning(std::istream& in, const std::string& name = "tuning");

/// The same with the file at `path`.
/// @throws upsweep::error also where it cannot be read
UPSWEEP_DECLARED void load_tuning(const std::string& path);

/// Forgets all entries. The next call asks the environment variable `UPSWEEP_TUNING` again.
UPSWEEP_DECLARED void unload_tuning();

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/tuning/tuning_file_inl.hpp>
#endif
