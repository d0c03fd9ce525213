// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/self_check/ladder.hpp>
#include <upsweep/detail/tuning/loaded_tuning.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

// What Mesa's rusticl, seen with 22.3.6 and 25.0.7, does wrong. With structs (tests/reproducers/rusticl_struct.c):
//
// - A function that writes to a struct parameter changes the caller's struct: with 22.3.6 any, with 25.0.7 a struct of
//   a single member. So operators work on copies of their operands there. In functions of the user's own nothing helps.
// - 22.3.6 copies structs of three bytes wrongly; padded to four, their scans were wrong too.
// - Kernels with structs of numbers of less than four bytes are compiled for minutes or without end, by both.
//
// The self-check cannot see it: it runs operators of its own.
//
// On the CPU, by llvmpipe, the loops of a kernel end after 65535 iterations in all
// (tests/reproducers/llvmpipe_long_loop.c). Results are wrong then, or the process ends: kernels find values in their
// variables that a whole loop never leaves.

namespace upsweep::detail {

/// Tiles in place of chunks, with the same bits: for structs, which 22.3.6 compiles for minutes in chunks (25.0.7
/// compiles chunks sooner than tiles; versions between were not seen), and where loops over chunks would end too early.
UPSWEEP_INLINE tuning rusticl_tiles(const tuning& chosen, const device_limits& device, const problem_size& problem,
                                    bool is_struct) {
    const bool is_slow = is_struct && std::atoi(device.rusticl.c_str()) < 25;
    if (chosen.strategy != strategy::chunked || (!is_slow && !device.ends_loops)) return chosen;
    if (is_slow || keeps_canonical_order(chosen, problem.op))
        return canonical_tiles(device, problem.value_size).value_or(chosen);
    return simple_tiles(false, device, problem.value_size);
}

/// The tuning of a call: as for any device, but for chunks on rusticl.
UPSWEEP_INLINE tuning choose_for_type(const char* function, const options& opts, const device_limits& device,
                                      const problem_size& problem, bool is_struct) {
    const tuning chosen = choose_tuning(function, opts, device, problem);
    const bool may_differ = !device.rusticl.empty() && opts.strategy == strategy::automatic;
    return may_differ ? rusticl_tiles(chosen, device, problem, is_struct) : chosen;
}

/// Whether there is a program for the key, whose kernels were checked for that kind of call (self_check_slot).
UPSWEEP_INLINE bool was_checked(const program_key& key, std::size_t slot) {
    const auto program = built_before(key);
    return program && program->verdict(slot) != nullptr;
}

/// Whether a struct's definition names a type of less than 4 bytes.
UPSWEEP_INLINE bool has_narrow_members(std::string_view definition) {
    const std::string code = code_of(definition);
    const auto names = [&](const char* type) { return computes_in(code, type); };
    return names("char") || names("uchar") || names("short") || names("ushort") || names("half") || names("bool");
}

/// The driver in errors.
/// @param versions  with which its fault was seen
UPSWEEP_INLINE std::string rusticl_driver(const device_limits& device, const std::string& versions) {
    return "Mesa's rusticl (seen with " + versions + "; this is " + device.rusticl + ") ";
}

/// What a user may do about it.
inline constexpr const char* instead_of_rusticl =
    "use another driver, or set UPSWEEP_SELF_CHECK=off and check the results yourself";

/// Refuses columns whose elements are computed, or whose operator has parameters.
[[noreturn]] inline void refuse_rusticl_columns(const char* function, const device_limits& device) {
    throw error(function, "input",
                "columns of computed elements, or by an operator with parameters: " + rusticl_driver(device, "22.3.6") +
                    "gives wrong results or ends the process for long ones; " + instead_of_rusticl);
}

/// Refuses what rusticl gets wrong or does not end to compile. For structs, at their first use.
/// @param alignment  of the struct, in bytes
UPSWEEP_INLINE void check_rusticl_struct(const char* function, const device_limits& device,
                                         const program_text_view& text, std::size_t alignment) {
    const std::string driver = rusticl_driver(device, "22.3.6 and 25.0.7");
    const std::string risk = std::string(", ") + instead_of_rusticl;
    if (alignment < 4 || has_narrow_members(text.value.definition))
        throw error(function, "type " + users_name(text.value.name),
                    "a struct with members of less than 4 bytes: " + driver +
                        "gives wrong results for some and compiles others for minutes or without end; give it "
                        "members of 4 bytes or more" +
                        risk);
    const bool has_functions = mentions(text.op.helpers, users_name(text.value.name)) ||
                               mentions(text.op.helpers, "struct") || mentions(text.value.definition, "return");
    if (has_functions)
        throw error(function, "operator",
                    "helper functions on structs: with " + driver +
                        "a function that writes to its parameter changes the caller's struct, silently; write all of "
                        "it into the body" +
                        risk);
}

} // namespace upsweep::detail
