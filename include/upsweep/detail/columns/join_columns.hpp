// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// How CPUs take neighbouring columns together, as one of vectors that begin anywhere.

namespace upsweep::detail {

/// Columns that CPUs take together, at most. PoCL 3.1 on 2 cores, 2^22 float in 256 columns, ms, one by one and so:
/// scans 11.8 and 3.9, reductions 3.1 and 1.3.
constexpr std::uint32_t joined_columns = 16;

/// Whether a CPU takes neighbouring columns together: those of an array of the values' own type.
UPSWEEP_INLINE bool may_join_columns(const columns_request& columns, const program_text& text,
                                     const device_limits& device) {
    return device.is_cpu && !device.mixes_up_work_items && device.rusticl.empty() && may_regroup(text) &&
           is_scalar(text.value) && text.value.name != "half" && columns.width > 1;
}

/// The columns of a request from `first` on, `width` of them.
UPSWEEP_INLINE columns_request neighbouring_columns(columns_request columns, std::uint64_t first, std::uint64_t width) {
    columns.width = width;
    columns.offset += first;
    columns.results.offset += first;
    return columns;
}

/// What loads `count` numbers from `in` into a vector, and what stores them from `value`. A vector of more has zeros
/// behind them.
struct joined_moves {
    std::string load;
    std::string store;
};
UPSWEEP_INLINE joined_moves moves_of_joined_columns(const std::string& type, std::uint32_t count) {
    const auto room = static_cast<std::uint32_t>(ceil_power_of_two(count));
    const std::string digits = "0123456789abcdef";
    joined_moves moves;
    for (std::uint32_t first = 0, size = room; first < count; first += size) {
        while (size > count - first) size /= 2;
        const std::string at = "p + " + std::to_string(first);
        const std::string part = size == room ? "value" : "value.s" + digits.substr(first, size);
        const std::string number = std::to_string(size);
        moves.load += (size > 1 ? "vload" + number + "(0, " + at + ")" : "*(" + at + ")") + ", ";
        moves.store +=
            size > 1 ? "vstore" + number + "(" + part + ", 0, " + at + "); " : "*(" + at + ") = " + part + ";";
    }
    for (std::uint32_t i = count; i < room; ++i) moves.load += "0, ";
    moves.load = "(" + type + std::to_string(room) + ")(" + moves.load.substr(0, moves.load.size() - 2) + ")";
    return moves;
}

/// The hooks of vectors of `count` numbers that begin at any number.
UPSWEEP_INLINE hook_text hooks_of_joined_columns(const std::string& type, std::uint32_t count) {
    const joined_moves moves = moves_of_joined_columns(type, count);
    const std::string vector = type + std::to_string(ceil_power_of_two(count));
    return {"#define UPSWEEP_COLUMN_STEP " + std::to_string(count) + "\ntypedef __global const " + type +
                "* upsweep_input;\n#define UPSWEEP_INPUT_PARAMETERS __global const " + type +
                "* upsweep_in\n#define UPSWEEP_INPUT(offset) (upsweep_in + (offset))\n"
                "#define UPSWEEP_INPUT_AT(in, offset) ((in) + (offset))\n" +
                vector + " upsweep_load_joined(__global const " + type + "* p)\n{\nreturn " + moves.load +
                ";\n}\n#define UPSWEEP_LOAD(in, i) upsweep_load_joined((in) + (i))\n",
            "typedef __global " + type + "* upsweep_output;\n#define UPSWEEP_OUTPUT_PARAMETERS __global " + type +
                "* upsweep_out\n#define UPSWEEP_OUTPUT(offset) (upsweep_out + (offset))\n"
                "#define UPSWEEP_OUTPUT_AT(out, offset) ((out) + (offset))\nvoid upsweep_store_joined(__global " +
                type + "* p, " + vector + " value)\n{\n" + moves.store +
                "\n}\n#define UPSWEEP_STORE(out, i, value) upsweep_store_joined((out) + (i), value)\n"};
}

/// Makes columns of vectors of `count` neighbouring columns, of which there is a multiple.
/// @param count  2 to `joined_columns`
/// @param init   receives the initial value of each vector, for as long as the request lives
UPSWEEP_INLINE void join_columns(columns_request& columns, program_text& text, std::uint32_t count,
                                 std::vector<unsigned char>& init) {
    const auto room = static_cast<std::uint32_t>(ceil_power_of_two(count));
    repeat_init(columns, room * columns.value_size, init);
    columns.width /= count;
    text.hooks = hooks_of_joined_columns(text.value.name, count);
    text.element = text.value = {text.value.name + std::to_string(room), {}, columns.value_size};
}

} // namespace upsweep::detail
