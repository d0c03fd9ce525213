// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Values that NVIDIA's compiler keeps in memory, vectors of small numbers above all, as integers of as many bytes.

namespace upsweep::detail {

/// Of a number or a vector of numbers: the number's type, and how many there are; 0 of any other type.
struct numbers_of_value {
    type_text number;
    std::uint32_t count = 0;
};
UPSWEEP_INLINE numbers_of_value numbers_of_type(const type_text& value) {
    const numbers_name name = split_numbers_name(value.name);
    if (!value.definition.empty() || name.scalar == "half" || name.count == 0 || name.count == 3) return {};
    const std::size_t size = size_of_scalar(name.scalar);
    if (value.size != name.count * size) return {}; // programs check that, and name the type
    return {{name.scalar, {}, size}, name.count};
}

/// The operator as a function on values of the type that the user has.
UPSWEEP_INLINE std::string function_on_values(const std::string& type, const operator_text& op,
                                              const std::string& name = "upsweep_combine_packed") {
    return type + " " + name + "(" + type + " left, " + type + " right)\n{\n#line 1 \"operator\"\n" + op.body +
           "\n}\n#line 1 \"packed\"\n";
}

/// The operator as a function on integers in the place of values, by the one on values.
UPSWEEP_INLINE std::string function_on_packed(const type_text& value, const operator_text& op,
                                              const type_text& integer) {
    return function_on_members(operator_opening(false, false, "upsweep_combine_whole", integer.name), integer.name,
                               value, "upsweep_combine_packed", divides_words(value, op));
}
inline constexpr const char* packed_body = "return upsweep_combine_whole(left, right);";

/// The operator on numbers that are packed into an unsigned integer, or several, the first one lowest. Sums of small
/// ones are made without carries from one number to the next: L. Lamport, Multiple Byte Processing with Full-Word
/// Instructions (1975).
/// @param vector   the numbers as a vector
/// @param integer  of as many bytes
UPSWEEP_INLINE operator_text packed_operator(const operator_text& op, const numbers_of_value& vector,
                                             const type_text& integer) {
    operator_text packed = op;
    packed.traits.combines_vectors = false;
    packed.traits.hides_members = true;
    packed.traits.exact = op.traits.exact || (op.traits.combines_vectors && !is_floating(vector.number.name));
    if (op.traits.combines_vectors && op.name == plus::name && vector.number.size < 4) {
        const std::size_t size = (std::min)(integer.size, sizeof(std::uint64_t));
        const std::string end = size == 8 ? "ul" : "u";
        std::string high, low; // the highest bit of each number, and the others
        for (std::size_t i = size; i > 0; --i) {
            high += i % vector.number.size == 0 ? "80" : "00";
            low += i % vector.number.size == 0 ? "7f" : "ff";
        }
        packed.body = std::string("const ") + bits_type(size) + " high = 0x" + high + end + ", low = 0x" + low + end +
                      ";\nreturn ((left & low) + (right & low)) ^ ((left ^ right) & high);";
        packed.name = "packed plus"; // sums do not have differences as integers do
        packed.traits.combines_vectors = true;
        return packed;
    }
    const type_text value{vector.number.name + std::to_string(vector.count), {}, integer.size};
    packed.traits.divides_words = divides_words(value, op);
    if (!packed.helpers.empty()) packed.helpers += "\n#line 1 \"packed\"\n";
    packed.helpers += function_on_values(value.name, op) + function_on_packed(value, op, integer);
    packed.body = packed_body;
    return packed;
}

/// What takes a value's place: integers of as many bytes.
struct packed_text {
    type_text type; ///< no name: the value stays what it is
    operator_text op;
    bool has_small_numbers = false; ///< a vector of numbers that are smaller than what devices compute with
    bool is_sum = false;            ///< of such vectors
};

/// The type in whose place values are integers, of the helpers that pack_values makes; empty of all others.
UPSWEEP_INLINE std::string type_in_packed(const operator_text& op) {
    const std::size_t end = op.helpers.rfind(members_value);
    if (end == std::string::npos) return {};
    const std::size_t begin = op.helpers.rfind(members_whole, end) + std::string_view(members_whole).size();
    return users_name(op.helpers.substr(begin, end - begin));
}

/// Values of so many bytes are packed, at most.
constexpr std::size_t most_packed_bytes = 32;

/// Packs values that are vectors of numbers, or structs, of 1, 2, 4, 8, 16 or 32 bytes.
UPSWEEP_INLINE packed_text pack_values(const type_text& value, const operator_text& op) {
    const bool fits = !is_scalar(value) && is_power_of_two(value.size) && value.size <= most_packed_bytes;
    if (!fits) return {};
    const char* const name = value.size == 32 ? "ulong4" : value.size == 16 ? "ulong2" : bits_type(value.size);
    const type_text integer{name, {}, value.size};
    const numbers_of_value numbers = numbers_of_type(value);
    if (numbers.count > 0) {
        const operator_text packed = packed_operator(op, numbers, integer);
        return {integer, packed, numbers.number.size < 4, packed.traits.combines_vectors};
    }
    if (value.definition.empty() || !op.operands.empty()) return {}; // operands may be of that type
    packed_text packed{integer, op};
    packed.op.traits.combines_vectors = false;
    packed.op.traits.hides_members = true;
    packed.op.traits.divides_words = divides_words(value, op);
    std::vector<std::string> known;
    packed.op.helpers = definitions_of({value}, known) + "#line 1 \"helpers\"\n" + op.helpers +
                        "\n#line 1 \"packed\"\n" + function_on_values(value.name, op) +
                        function_on_packed(value, op, integer);
    packed.op.body = packed_body;
    return packed;
}

} // namespace upsweep::detail
