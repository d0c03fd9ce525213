// SPDX-License-Identifier: MIT
// What tests of reductions of segments by offsets, without a scan, have in common.
#pragma once

#include <upsweep/detail/self_check/offsets_bench.hpp>

#include "device_fixture.hpp"
#include "families.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace test {

/// Limits and buffers as self-checks have them.
struct check_fixture {
    upsweep::detail::queue_facts facts = upsweep::detail::inspect_queue("f", queue()());
    upsweep::detail::device_limits limits = upsweep::detail::limits_of("f", facts.device);
    upsweep::detail::check_time time;
    upsweep::detail::check_bench bench{"f", facts.context, facts.device, time};
};

/// Lengths of segments, about 150000 elements in all.
inline std::vector<std::uint32_t> large_lengths(const std::string& kind, std::uint32_t seed) {
    std::vector<std::uint32_t> all;
    if (kind == "long") all.assign(40, 3001); // several of each work-group
    if (kind == "two") all = {1, 100000, 70000, 31};
    if (kind == "many")
        for (int k = 0; k < 24; ++k) all.insert(all.end(), {2049, 0, 5, 4096});
    if (!all.empty()) return all;
    for (const std::size_t length : lengths(150000, kind, seed)) all.push_back(static_cast<std::uint32_t>(length));
    return all;
}

/// What the choice of a way to reduce segments depends on.
inline upsweep::detail::segments_facts facts_of(std::size_t value_size, std::uint64_t n, std::uint64_t segments,
                                                bool any_order = false) {
    upsweep::detail::segments_facts facts;
    facts.value_size = value_size;
    facts.n = n;
    facts.segments = segments;
    facts.any_order = any_order;
    return facts;
}

/// Maps and how they follow one another, which does not commute.
inline auto affine_operator() {
    return upsweep::make_operator<affine>(
        "affine both = {left.a * right.a, left.b * right.a + right.b, 7}; return both;");
}
inline std::vector<affine> make_affine(std::size_t n) {
    const std::vector<std::uint32_t> numbers = make_input<std::uint32_t>(2 * n, 3);
    std::vector<affine> maps;
    for (std::size_t i = 0; i < n; ++i) maps.push_back({numbers[2 * i] | 1, numbers[2 * i + 1], 7});
    return maps;
}

/// Reduces segments of `x` with an initial value or, where `init` is null, without.
/// @return results with the bits of those by a scan, nothing else written
template <class T, class Op>
bool has_bits_of_scan(const std::vector<T>& x, std::size_t lead, const std::vector<std::uint32_t>& begins, const Op& op,
                      const T* init, const upsweep::options& opts) {
    const std::size_t count = begins.size() - 1;
    const guarded_array<T> in(x, lead), scanned(count), reduced(count, 5);
    const guarded_array<std::uint32_t> offsets(begins, 3);
    const auto view = upsweep::segments(in.view(), offsets.view());
    const auto reduce = [&](const guarded_array<T>& out, const upsweep::options& way) {
        if (init)
            upsweep::reduce(queue(), view, out.view(), *init, op, {}, way);
        else
            upsweep::reduce(queue(), view, out.view(), upsweep::no_init, op, {}, way);
    };
    reduce(scanned, fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 4));
    reduce(reduced, opts);
    return same_bits(reduced.values(), scanned.values()) && reduced.untouched_outside(count);
}

/// Whether sums of computed elements, with an initial value on the device, are right in sub-groups.
/// @param begins  the end of the last segment is that of the elements
template <class Offset>
bool sums_computed_elements(const std::vector<Offset>& begins) {
    const std::vector<std::uint8_t> x = make_input<std::uint8_t>(static_cast<std::size_t>(begins.back()), 1);
    const guarded_array<std::uint8_t> in(x, 1);
    const guarded_array<Offset> offsets(begins, 3);
    const guarded_array<std::uint32_t> out(begins.size() - 1);
    const guarded_array<std::uint32_t> init(std::vector<std::uint32_t>{1000});
    std::vector<std::uint32_t> expected;
    for (std::size_t k = 0; k + 1 < begins.size(); ++k) {
        std::uint32_t sum = 1000;
        for (Offset i = begins[k]; i < begins[k + 1]; ++i) sum += x[i] * static_cast<std::uint32_t>(i);
        expected.push_back(sum);
    }
    const auto weighted = upsweep::transform<std::uint32_t>("a * (uint)i", in.view());
    upsweep::reduce(queue(), upsweep::segments(weighted, offsets.view()), out.view(), upsweep::from(init.view()),
                    upsweep::plus{}, {}, in_sub_groups());
    return out.values() == expected && out.untouched_outside(begins.size() - 1);
}

} // namespace test
