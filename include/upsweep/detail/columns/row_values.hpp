// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/packed_text.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Rows of a few numbers as values, so that columns are scanned or reduced as one array. A reduction takes several rows
// of numbers of 1 and 2 bytes as one value of whole words.

namespace upsweep::detail {

/// Bytes of a value that is made of rows, at most, and how many members it has: words, of sums of numbers of 1 and 2
/// bytes, or larger numbers, or small numbers by another operator. (Words of these have functions of their own, see
/// packed_operator, which a struct of several cannot call.) H200, us, 256 MiB in columns, as columns and so, where a
/// plain reduction takes 70: uint8 in 1, 2, 3, 4, 5, 6, 7, 10, 12, 16 columns 1256, 678, 523, 349, 379, 318, 275, 282,
/// 256, 166 and 72, 74, 90, 71, 112, 90, 115, 116, 85, 75; uint16 in 1, 2, 3, 4, 5, 6 711, 372, 325, 228, 316, 282 and
/// 71, 72, 87, 72, 116, 85; int32 in 1 to 7 423, 240, 332, 162, 204, 187, 182 and 69, 70, 79, 76, 89, 91, 98; float in
/// 3, 7 342, 180 and 80, 99; double in 1, 2, 3, 4, 6 497, 387, 481, 269, 364 and 71, 76, 98, 97, 127. 8 double: 283.
constexpr std::uint64_t most_row_bytes = 48;
constexpr std::uint64_t most_row_words = 8;
constexpr std::uint64_t most_row_numbers = 16;

/// Bytes of columns from which on rows are joined for it: then there is one launch more.
constexpr std::uint64_t least_joined_bytes = 1 << 18;

/// Rows of so many bytes that together are whole words.
constexpr std::uint64_t rows_of_words(std::uint64_t row_bytes) {
    return row_bytes % 4 == 0 ? 1 : row_bytes % 2 == 0 ? 2 : 4;
}

/// Numbers of a word.
constexpr std::uint64_t numbers_of_word(std::size_t size) {
    return size < 4 ? 4 / size : 1;
}

/// A row as a struct of its numbers.
inline constexpr const char* row_struct_name = "upsweep_row_struct";
UPSWEEP_INLINE type_text row_struct(const numbers_of_value& row) {
    std::string definition = "typedef struct {";
    for (std::uint32_t i = 0; i < row.count; ++i) definition += " " + row.number.name + " m" + std::to_string(i) + ";";
    return {row_struct_name, definition + " } " + row_struct_name + ";", row.count * row.number.size};
}

/// The operator on such structs, number by number.
UPSWEEP_INLINE operator_text row_operator(const operator_text& op, const numbers_of_value& row) {
    operator_text of_rows = op;
    of_rows.traits.combines_vectors = false;
    of_rows.traits.exact = op.traits.exact || !is_floating(row.number.name);
    if (!of_rows.helpers.empty()) of_rows.helpers += "\n#line 1 \"rows\"\n";
    of_rows.helpers += function_on_values(row.number.name, op, "upsweep_combine_number");
    of_rows.body = std::string(row_struct_name) + " both;\n";
    for (std::uint32_t i = 0; i < row.count; ++i) {
        const std::string member = ".m" + std::to_string(i);
        of_rows.body += "both" + member + " = upsweep_combine_number(left" + member + ", right" + member + ");\n";
    }
    of_rows.body += "return both;";
    return of_rows;
}

} // namespace upsweep::detail
