// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/self_check/answers.hpp>
#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

// Whether a device's floating-point arithmetic is that of IEEE 754 in the points that bits depend on: denormals are
// kept, results are rounded to the nearest even, products are rounded before anything is added to them.

namespace upsweep::detail {

/// A format of IEEE 754.
struct float_format {
    const char* name; ///< of the type in OpenCL C
    std::size_t size;
    unsigned mantissa; ///< bits
    int bias;          ///< of the exponent
};

constexpr float_format float_formats[] = {{"half", 2, 10, 15}, {"float", 4, 23, 127}, {"double", 8, 52, 1023}};

/// Three operands and two results, as bits: the first plus the third, and the first times the second plus the third.
struct arithmetic_probe {
    const char* lack; ///< of a device that answers otherwise
    std::array<std::uint64_t, 3> operands;
    std::array<std::uint64_t, 2> results;
};

/// Literal bits: the host's own arithmetic, which fast-math changes, is not asked.
UPSWEEP_INLINE std::array<arithmetic_probe, 8> arithmetic_probes(const float_format& format) {
    const unsigned mantissa = format.mantissa;
    const int bias = format.bias;
    const auto power = [&](int exponent) { return static_cast<std::uint64_t>(bias + exponent) << mantissa; };
    const std::uint64_t minus = std::uint64_t{1} << (8 * format.size - 1);
    const std::uint64_t one = power(0);
    const std::uint64_t normal = power(1 - bias);                     // the smallest; below it, numbers count in ones
    const std::uint64_t tie = power(-static_cast<int>(mantissa) - 1); // half of one's last place
    const int tiny = -bias / 2;
    const int smaller = -(bias + 1) / 2 - 1;
    // (1 + 2^-k)^2 = 1 + 2^(1 - k) + 2^(-2k), and the last is half of one's last place or less.
    const unsigned k = (mantissa + 2) / 2;
    const std::uint64_t root = one | std::uint64_t{1} << (mantissa - k);
    const std::uint64_t square = one | std::uint64_t{1} << (mantissa + 1 - k);
    const char* denormals = "it flushes denormal numbers to zero";
    const char* rounding = "it does not round to the nearest even";
    return {{
        {denormals, {1, one, 1}, {2, 2}},
        {denormals, {normal, one, minus | 1}, {normal - 1, normal - 1}},
        {denormals, {power(tiny), power(smaller), 0}, {power(tiny), normal >> 2}},
        {rounding, {one, one, tie}, {one, one}},
        {rounding, {one + 1, one, tie}, {one + 2, one + 2}},
        {rounding, {one, one, tie + 1}, {one + 1, one + 1}},
        {rounding, {minus | one, one, minus | (tie + 1)}, {minus | (one + 1), minus | (one + 1)}},
        {"it fuses multiplications with additions",
         {root, root, minus | square},
         {minus | power(-static_cast<int>(k)), 0}},
    }};
}

/// The program that computes the probes' results.
UPSWEEP_INLINE std::string arithmetic_source(const program_text& text) {
    program_source source;
    source.text = no_contraction;
    append_extensions(source.text, text);
    append_define(source.text, "UPSWEEP_VALUE", text.value.name);
    append_file(source, kernels::self_check);
    return source.text;
}

/// What the device's arithmetic of one type lacks; empty if nothing.
UPSWEEP_INLINE std::string lack_of_arithmetic(const check_bench& bench, const float_format& format,
                                              const program_text& text) {
    const auto probes = arithmetic_probes(format);
    const auto bytes_of = [&](const auto& numbers_of) {
        std::vector<unsigned char> bytes;
        for (const arithmetic_probe& probe : probes)
            for (const std::uint64_t bits : numbers_of(probe)) {
                bytes.resize(bytes.size() + format.size);
                write_number({number_kind::integer, format.size}, bits, &bytes[bytes.size() - format.size]);
            }
        return bytes;
    };
    const auto operands = bytes_of([](const arithmetic_probe& p) { return p.operands; });
    const auto expected = bytes_of([](const arithmetic_probe& p) { return p.results; });
    const cl::Program program = bench.build(text, arithmetic_source(text), build_options(tuning()));
    const auto results =
        bench.run_kernel(program(), "upsweep_check_arithmetic", operands, expected.size(), probes.size());
    const auto wrong = std::mismatch(expected.begin(), expected.end(), results.begin()).first - expected.begin();
    const std::size_t probe = static_cast<std::size_t>(wrong) / (2 * format.size);
    return probe < probes.size() ? probes[probe].lack : "";
}

} // namespace upsweep::detail
