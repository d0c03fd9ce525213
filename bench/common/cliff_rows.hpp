// SPDX-License-Identifier: MIT
#pragma once

// The rows of bench_cliffs and of its peer, by what a side has to offer:
//   Side::library, Side::copy_library                                its name, and that of its device's copy
//   Side::scan<In, Out, Op>(n, first_in, first_out, exclusive)       prepared calls; views begin with elements
//   first_... Side::reduce<T, Op>(n, first) Side::copy(bytes)                                                of the
//   device

#include "windows.hpp"

namespace bench {

template <class Side, class In, class Out, class Op>
void add_cliff_scan(const std::string& operation, const std::string& variant, const std::string& type,
                    std::uint64_t size, bool exclusive, std::uint64_t first_in = 0, std::uint64_t first_out = 0) {
    add_window_row(
        row_name(operation, Side::library, variant, type, size), size * (sizeof(In) + sizeof(Out)), size,
        [=](std::uint64_t n) { return Side::template scan<In, Out, Op>(n, first_in, first_out, exclusive); });
}

template <class Side, class T, class Op>
void add_cliff_reduce(const std::string& operation, const std::string& variant, const std::string& type,
                      std::uint64_t size, std::uint64_t first = 0) {
    add_window_row(row_name(operation, Side::library, variant, type, size), size * sizeof(T), size,
                   [=](std::uint64_t n) { return Side::template reduce<T, Op>(n, first); });
}

/// Scans of views that begin so many elements behind a buffer's beginning: input, output.
template <class Side, class T>
void add_shifted_scans(const std::vector<std::pair<unsigned, unsigned>>& shifts) {
    for (const auto& shift : shifts)
        add_cliff_scan<Side, T, T, sum>("scan_shifted",
                                        "in" + std::to_string(shift.first) + "_out" + std::to_string(shift.second),
                                        type_name<T>(), limited_size(28), true, shift.first, shift.second);
}

template <class Side, class T>
void add_shifted_reductions(const std::vector<unsigned>& shifts) {
    for (const unsigned shift : shifts)
        add_cliff_reduce<Side, T, sum>("reduce_shifted", "in" + std::to_string(shift), type_name<T>(), limited_size(28),
                                       shift);
}

template <class Side, class T, class Op>
void add_scan_and_reduce(const std::string& what, const std::string& variant, const std::string& type,
                         unsigned exponent) {
    add_cliff_scan<Side, T, T, Op>("scan_" + what, variant, type, limited_size(exponent), false);
    add_cliff_reduce<Side, T, Op>("reduce_" + what, variant, type, limited_size(exponent));
}

template <class Side, class T>
void add_size(const std::string& variant, std::uint64_t n) {
    add_cliff_scan<Side, T, T, sum>("scan_size", variant, type_name<T>(), n, true);
    add_cliff_reduce<Side, T, sum>("reduce_size", variant, type_name<T>(), n);
}

/// Scans and reductions where the time per element has a hump, and of one element less: no whole tiles.
template <class Side>
void add_sizes() {
    for (unsigned exponent = 20; exponent <= 25; ++exponent) {
        add_size<Side, std::int32_t>("automatic", limited_size(exponent));
        add_size<Side, std::int32_t>("one_less", limited_size(exponent) - 1);
    }
    for (const unsigned exponent : {22, 25}) {
        add_size<Side, std::uint8_t>("automatic", limited_size(exponent));
        add_size<Side, std::uint8_t>("one_less", limited_size(exponent) - 1);
    }
}

/// Copies that move as many bytes as the scans.
template <class Side>
void add_copies() {
    for (const unsigned exponent : {22, 23, 24, 25, 26, 27, 28, 29, 30, 31}) {
        const char* const text = std::getenv("UPSWEEP_BENCH_MAX_LOG2");
        if (text && exponent > 22 && exponent > 2 + std::strtoul(text, nullptr, 10)) break;
        const std::uint64_t bytes = std::uint64_t{1} << exponent;
        add_window_row(row_name("copy", Side::copy_library, "device", "uint8", bytes), 2 * bytes, bytes,
                       [](std::uint64_t n) { return Side::copy(n); });
    }
}

template <class Side>
void add_cliffs() {
    add_shifted_scans<Side, std::int32_t>({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 0}, {3, 3}});
    add_shifted_reductions<Side, std::int32_t>({0, 1, 3});
    add_sizes<Side>();
    add_shifted_scans<Side, float>({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 2}});
    add_scan_and_reduce<Side, float, log_sum_exp>("operator", "log_sum_exp", "float", 27);
    add_shifted_scans<Side, std::uint8_t>({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 2}, {5, 0}, {3, 7}});
    add_shifted_reductions<Side, std::uint8_t>({0, 1, 5});
    add_shifted_scans<Side, std::uint16_t>({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 2}});
    add_shifted_scans<Side, std::int64_t>({{0, 0}, {1, 0}, {0, 1}, {1, 1}});
    add_scan_and_reduce<Side, double, log_sum_exp>("operator", "log_sum_exp", "double", 27);
    add_cliff_scan<Side, std::uint8_t, std::uint32_t, sum>("scan_converted", "automatic", "uint8_uint32",
                                                           limited_size(28), true);
    add_cliff_scan<Side, float, double, sum>("scan_converted", "automatic", "float_double", limited_size(28), true);
    add_scan_and_reduce<Side, words<3>, add_words>("struct", "sum", "bytes12", 26);
    add_scan_and_reduce<Side, words<4>, add_words>("struct", "sum", "bytes16", 26);
    add_scan_and_reduce<Side, words<6>, add_words>("struct", "sum", "bytes24", 25);
    add_scan_and_reduce<Side, words<8>, add_words>("struct", "sum", "bytes32", 25);
    for (const unsigned exponent : {22U, 24U})
        add_scan_and_reduce<Side, words<16>, add_words>("struct", "sum", "bytes64", exponent);
    add_scan_and_reduce<Side, modular_matrix, multiply_modular>("operator", "matrix2_modular", "bytes16", 24);
    add_scan_and_reduce<Side, matrix4, multiply4>("operator", "matrix4", "bytes64", 22);
    add_scan_and_reduce<Side, affine_float, compose_float>("operator", "affine", "bytes8", 27);
    add_copies<Side>();
}

} // namespace bench
