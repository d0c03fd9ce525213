// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/columns/row_values.hpp>
#include <upsweep/detail/source/packed_text.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// Columns of vectors are columns of their numbers, and neighbouring columns of numbers are columns of vectors: where
// the operator combines vectors number by number, a device may take those that it does fastest.

namespace upsweep::detail {

/// Bytes of what NVIDIA devices scan fastest. H100, us, 2^28 int32 in 4, 8, 16, 24, 32, 50, 100, 300, 1000, 4096
/// columns, one by one 1048, 1065, 1055, 1070, 951, 1166, 1120, 1024, 904, 876; in pairs 954, 941, 941, 1014, 932,
/// 1055, 1000, 901, 799, 783; in fours, from 8 columns on, 1209, 1197, 1533, 1310, -, 2313, 1502, 1026, 990. Bytes are
/// added in integers of that size (packed_operator): as vectors they are kept in memory, and 2^28 uint8 in 64 columns
/// took 6574 in eights, 469 one by one.
constexpr std::size_t scanned_unit_bytes = 8;
/// Smaller numbers are scanned in units of so many bytes where the columns do not allow more.
constexpr std::size_t least_unit_bytes = 4;
/// Bytes of a row, of numbers of 4 bytes, that is a value of an array, as smaller rows are: 2^28 int32 in 4 and 8
/// columns take 867 and 1058 so, 954 and 941 in pairs.
constexpr std::size_t whole_row_bytes = 16;
/// Rows of 3, 5 and 7 numbers, which no unit divides, are structs of an array that is scanned as a whole, of so many
/// bytes at most. H100, 256 MiB, us, in 3 and 5 columns, one by one and so: uint8 800, 870 and 257, 300 (a span 206),
/// uint16 426, 467 and 243, 266 (196), int32 in 3 280 and 222 (196), float 279 and 217 (198).
constexpr std::size_t most_struct_row_bytes = 12;
/// Columns from which on reductions join numbers: of 1 and 2 bytes to `least_unit_bytes`, of 4 bytes in pairs. H100,
/// us, one by one and so: 2^28 uint8 in 16, 64, 304, 1920, 16384 columns 172, 144, 186, 159, 137 and 179, 136, 135,
/// 129, 105; 2^28 uint16 in 8, 64, 304, 1920 columns 294, 233, 301, 262 and 310, 227, 256, 222; 2^28 int32 in 100, 300,
/// 1000, 4096 columns 598, 560, 519, 407 and 634, 580, 458, 389.
constexpr std::uint64_t least_reduced_small = 64;
constexpr std::uint64_t least_reduced_pairs = 1000;

/// Whether rows of values of so many `numbers`, in the input and in the results, are made of units of `unit` numbers.
UPSWEEP_INLINE bool are_of_units(const columns_request& columns, std::uint64_t numbers, std::uint64_t unit) {
    const auto is_whole = [&](std::uint64_t values) { return values * numbers % unit == 0; };
    return is_whole(columns.offset) && is_whole(columns.results.offset) && is_whole(columns.width) &&
           is_whole(columns.pitch);
}

/// Columns as a device takes them.
class regrouped_columns {
public:
    /// @param as_arrays  columns may become one of rows, an array that is scanned or reduced as a whole
    UPSWEEP_INLINE regrouped_columns(const columns_request& given, const program_text& given_text,
                                     const device_limits& device, bool as_arrays = true)
        : columns(given)
        , text(given_text)
        , as_arrays_(as_arrays) {
        if (!may_regroup(text) || !(device.is_cpu || device.has_ptx)) return;
        if (device.is_cpu && columns.width == 1) return;
        numbers_ = numbers_of_type(text.value);
        if (numbers_.count == 0) return;
        if (device.has_ptx && joins_rows() && use_rows(device)) return;
        const std::uint32_t unit = numbers_of_unit(device);
        if (unit != 0) use_units(unit, device);
    }
    regrouped_columns(const regrouped_columns&) = delete;
    regrouped_columns& operator=(const regrouped_columns&) = delete;

    columns_request columns;
    program_text text;
    std::uint64_t rows = 1; ///< of which a value is made; what is left over is in none
    bool is_apart = false;  ///< a reduction into the first rows of another one (joined_rows.hpp)

private:
    std::uint64_t row_numbers() const { return columns.width * numbers_.count; }

    /// Whether all of the initial value's numbers are the same, or none is needed: columns without elements give it.
    UPSWEEP_INLINE bool is_init_even() const {
        const auto* bytes = static_cast<const unsigned char*>(columns.run.init.data);
        const std::size_t size = numbers_.number.size;
        const bool is_needed = columns.run.has_init || columns.height == 0;
        return !is_needed || std::memcmp(bytes, bytes + size, columns.value_size - size) == 0;
    }

    /// Whether the columns are made of units of so many numbers.
    UPSWEEP_INLINE bool fits(std::uint32_t unit) const {
        const std::uint64_t n = numbers_.count;
        const bool is_aligned = unit <= n || !columns.run.begins_anywhere;
        return is_aligned && are_of_units(columns, n, unit) && (unit % n == 0 || is_init_even());
    }

    /// Whether rows of so many bytes are the values of an array that is scanned as a whole.
    UPSWEEP_INLINE bool is_whole_row(std::size_t row_bytes) const {
        const bool is_best = row_bytes <= scanned_unit_bytes ||
                             (row_bytes == whole_row_bytes && numbers_.number.size == least_unit_bytes);
        return as_arrays_ && columns.pitch == columns.width && is_best && is_power_of_two(row_bytes);
    }

    /// Whether rows, several perhaps, may be values of an array that is reduced as a whole.
    UPSWEEP_INLINE bool joins_rows() const {
        return as_arrays_ && columns.result == columns_result::reduction && columns.width > 1 &&
               columns.pitch == columns.width && columns.height > 0;
    }

    /// Makes them that, if they fit.
    UPSWEEP_INLINE bool use_rows(const device_limits& device) {
        const std::size_t size = numbers_.number.size;
        const std::uint64_t row_bytes = row_numbers() * size;
        const std::uint64_t count = rows_of_words(row_bytes);
        const bool by_words = size < least_unit_bytes && text.op.name == plus::name;
        const std::uint64_t members = count * row_numbers() / (by_words ? numbers_of_word(size) : 1);
        const std::uint64_t most = size < least_unit_bytes && !by_words ? most_row_numbers : most_row_words;
        if (members > most || count * row_bytes > most_row_bytes) return false;
        const bool apart = count > 1 || columns.results.offset % columns.width != 0;
        if (apart && columns.height * row_bytes < least_joined_bytes) return false;
        const columns_request before = columns;
        columns.width *= count;
        columns.pitch *= count;
        columns.height /= count;
        if (apart) columns.results.offset = 0;
        if (count > 1) columns.run.has_init = false;
        const auto numbers = static_cast<std::uint32_t>(row_numbers());
        if (!fits(numbers)) {
            columns = before;
            return false;
        }
        is_apart = apart;
        rows = count;
        if (!by_words || row_bytes * count <= scanned_unit_bytes) {
            use_units(numbers, device);
            return true;
        }
        use_units(static_cast<std::uint32_t>(numbers_of_word(size)), device);
        numbers_ = numbers_of_type(text.value);
        use_units(static_cast<std::uint32_t>(columns.width), device);
        return true;
    }

    /// Whether rows are structs of an array that is scanned as a whole.
    UPSWEEP_INLINE bool is_struct_row() const {
        const std::uint64_t numbers = row_numbers();
        return as_arrays_ && columns.pitch == columns.width && (numbers == 3 || numbers == 5 || numbers == 7) &&
               numbers * numbers_.number.size <= most_struct_row_bytes && fits(static_cast<std::uint32_t>(numbers));
    }

    /// Numbers of a unit; 0: columns stay as they are.
    UPSWEEP_INLINE std::uint32_t numbers_of_unit(const device_limits& device) const {
        const std::size_t size = numbers_.number.size;
        const bool reduces = columns.result == columns_result::reduction;
        std::array<std::size_t, 4> bytes{size, size, size, size};
        if (device.has_ptx && !reduces) {
            if (is_struct_row()) return static_cast<std::uint32_t>(row_numbers());
            const std::size_t row_bytes = static_cast<std::size_t>(row_numbers()) * size;
            bytes = {is_whole_row(row_bytes) ? row_bytes : scanned_unit_bytes, scanned_unit_bytes, least_unit_bytes, 2};
        } else if (device.has_ptx) {
            if (size < least_unit_bytes && row_numbers() >= least_reduced_small) bytes[0] = least_unit_bytes;
            if (size == least_unit_bytes && row_numbers() >= least_reduced_pairs) bytes[0] = 2 * size;
        }
        for (const std::size_t each : bytes)
            if (each >= size && fits(static_cast<std::uint32_t>(each / size)))
                return static_cast<std::uint32_t>(each / size);
        return fits(1) ? 1 : 0;
    }

    UPSWEEP_INLINE void use_units(std::uint32_t unit, const device_limits& device) {
        const std::uint32_t count = numbers_.count;
        const std::size_t size = numbers_.number.size;
        repeat_init(columns, unit * size, init_);
        for (std::uint64_t* each : {&columns.width, &columns.pitch, &columns.offset, &columns.results.offset})
            *each = *each * count / unit;
        const bool is_large = device.has_ptx && size < least_unit_bytes && columns.value_size > scanned_unit_bytes;
        if (unit != 1 && (!is_power_of_two(unit) || is_large)) {
            const numbers_of_value row{numbers_.number, unit};
            text.value = text.element = row_struct(row);
            text.op = row_operator(text.op, row);
            return;
        }
        const std::string digits = unit == 1 ? std::string() : std::to_string(unit);
        text.value = {numbers_.number.name + digits, {}, columns.value_size};
        if (device.has_ptx && unit > 1 && size < least_unit_bytes) {
            const type_text integer{bits_type(columns.value_size), {}, columns.value_size};
            text.op = packed_operator(text.op, {numbers_.number, unit}, integer);
            text.value = integer;
        }
        text.element = text.value;
    }

    const bool as_arrays_;
    numbers_of_value numbers_;
    std::vector<unsigned char> init_;
};

} // namespace upsweep::detail
