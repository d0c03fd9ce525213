#pragma once

#include <upsweep/detail/self_check/answers.hpp>
#include <upsweep/detail/self_check/bench.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

// Whether a device's floating-point arithmetic is that of IEEE 754 in the points that bits depend on: denormals are
// kept, results are rounded to the nearest even, products are rounded before anything is added to them.

namespace upsweep::detail {

/// Three operands and two results, as bits: the first plus the third, and the first times the second plus the third.
struct arithmetic_probe {
    const char* lack; ///< of a device that answers otherwise
    std::array<std::uint64_t, 3> operands;
    std::array<std::uint64_t, 2> results;
};

/// Literal bits of an IEEE 754 number of `size` bytes: the host's own arithmetic, which fast-math changes, is not
/// asked.
inline std::vector<arithmetic_probe> arithmetic_probes(std::size_t size) {
    const unsigned mantissa = size == 2 ? 10 : size == 4 ? 23 : 52;
    const int bias = size == 2 ? 15 : size == 4 ? 127 : 1023;
    const auto power = [&](int exponent) { return static_cast<std::uint64_t>(bias + exponent) << mantissa; };
    const std::uint64_t minus = std::uint64_t{1} << (8 * size - 1);
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
    return {
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
    };
}

/// The program that computes the probes' results.
inline std::string arithmetic_source(const std::string& type) {
    program_source source;
    if (type == "double") source.text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    if (type == "half") source.text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    append_define(source.text, "UPSWEEP_VALUE", type);
    append_file(source, kernels::self_check);
    return source.text;
}

/// What the device's arithmetic of one type lacks; empty if nothing.
inline std::string lack_of_arithmetic(const check_bench& bench, const type_text& type) {
    const std::vector<arithmetic_probe> probes = arithmetic_probes(type.size);
    const auto bytes_of = [&](const auto& numbers_of) {
        std::vector<unsigned char> bytes;
        for (const arithmetic_probe& probe : probes)
            for (const std::uint64_t bits : numbers_of(probe)) {
                bytes.resize(bytes.size() + type.size);
                write_number({number_kind::integer, type.size}, bits, &bytes[bytes.size() - type.size]);
            }
        return bytes;
    };
    const auto operands = bytes_of([](const arithmetic_probe& p) { return p.operands; });
    const auto expected = bytes_of([](const arithmetic_probe& p) { return p.results; });
    program_text text;
    text.value = type;
    const cl::Program program = bench.build(text, arithmetic_source(type.name), build_options(tuning()));
    const auto results =
        bench.run_kernel(program(), "upsweep_check_arithmetic", operands, expected.size(), probes.size());
    const auto wrong = std::mismatch(expected.begin(), expected.end(), results.begin()).first - expected.begin();
    const std::size_t probe = static_cast<std::size_t>(wrong) / (2 * type.size);
    return probe < probes.size() ? probes[probe].lack : "";
}

} // namespace upsweep::detail
