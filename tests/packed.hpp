// SPDX-License-Identifier: MIT
// Values that kernels may take as integers of as many bytes, for tests.
#pragma once

#include "canonical.hpp"
#include "segmented.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace test {

/// Values of random bytes.
template <class T>
std::vector<T> random_values(std::size_t n, std::uint32_t seed) {
    const std::vector<std::uint8_t> bytes = test::make_input<std::uint8_t>(n * sizeof(T), seed);
    std::vector<T> values(n);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// An operator on numbers as one on vectors of them, on the host.
template <class T, class Number, class Combine>
auto each_number(Combine combine) {
    return [combine](T left, T right) {
        Number a[sizeof(T) / sizeof(Number)], b[sizeof(T) / sizeof(Number)];
        std::memcpy(a, &left, sizeof(T));
        std::memcpy(b, &right, sizeof(T));
        for (std::size_t i = 0; i < sizeof(T) / sizeof(Number); ++i) a[i] = static_cast<Number>(combine(a[i], b[i]));
        std::memcpy(&left, a, sizeof(T));
        return left;
    };
}
inline const auto add_numbers = [](auto a, auto b) { return a + b; };
inline const auto larger_number = [](auto a, auto b) { return a < b ? b : a; };

/// Scans and reductions of arrays and segments as anyone calls them.
template <class T, class Op, class Combine>
void check_calls(const Op& op, Combine combine) {
    for (const std::size_t n : {1U, 1025U, 40007U}) {
        CAPTURE(upsweep::type<T>::name, n, Op::name);
        const std::vector<T> all = random_values<T>(n, 4);
        const T init = random_values<T>(1, 9)[0];
        std::vector<bool> whole(n), heads = heads_of(lengths(n, "random", 2));
        whole[0] = true;
        const auto on_host = [&](const std::vector<bool>& cut, bool exclusive) {
            return segments_on_host<T>(all, cut, combine, exclusive ? &init : nullptr, exclusive);
        };
        const guarded_array<T> in(all, 3), out(n, 5), total(1), sum(1);
        const guarded_array<std::uint64_t> keys(keys_of<std::uint64_t>(heads));
        upsweep::inclusive_scan(queue(), in.view(), out.view(), op);
        CHECK(same_bits(out.values(), on_host(whole, false)));
        upsweep::exclusive_scan(queue(), in.view(), upsweep::with_total(out.view(), total.view()), init, op);
        CHECK(same_bits(out.values(), on_host(whole, true)));
        CHECK(same_bits(total.values(), {combine(on_host(whole, true).back(), all.back())}));
        upsweep::reduce(queue(), in.view(), sum.view(), upsweep::no_init, op);
        CHECK(same_bits(sum.values(), {on_host(whole, false).back()}));
        upsweep::exclusive_scan(queue(), upsweep::keyed(in.view(), keys.view()), in.view(), init, op);
        CHECK(same_bits(in.values(), on_host(heads, true)));
        CHECK(out.untouched_outside(n));
        CHECK(in.untouched_outside(n));
    }
}

} // namespace test
