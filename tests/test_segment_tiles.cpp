// SPDX-License-Identifier: MIT
// Tiles of segments (kernels/sub_group_tile/segment_tiles.cl), on devices with sub-groups.
#include "device_fixture.hpp"
#include "families.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

using test::guarded_array;
using test::queue;
using test::same_bits;
using test::segments_on_host;

namespace {

/// Tiles of 1024 elements in runs of 16, of 2048 in two runs of 32 per work-item, and those that are chosen. On CPUs,
/// whose compilers take long: the first or, if they are to be `long_runs`, the second.
std::vector<upsweep::options> segment_options(bool long_runs) {
    std::vector<upsweep::options> all(2, test::in_sub_groups());
    all[0].work_items = 64;
    all[0].items = 16;
    all[1].work_items = 32;
    all[1].items = 64;
    if (test::limits().is_cpu) return {all[long_runs ? 1 : 0]};
    all.push_back({});
    return all;
}

/// What a segment ends with, of an inclusive scan.
template <class T>
std::vector<T> ends_of(const std::vector<T>& scanned, const std::vector<bool>& heads) {
    std::vector<T> ends;
    for (std::size_t i = 0; i < heads.size(); ++i)
        if (i + 1 == heads.size() || heads[i + 1]) ends.push_back(scanned[i]);
    return ends;
}

/// Reductions where empty segments stand between others, everywhere or in some places.
/// @param begins  of segments with elements, and the end of the last
/// @param ends    their results
template <class T, class View, class Op>
void check_empty_segments(const View& view, const std::vector<std::uint32_t>& begins, const std::vector<T>& ends,
                          T init, const Op& op, const upsweep::options& opts) {
    for (const std::size_t distance : {1, 7, 1000}) {
        std::vector<std::uint32_t> offsets;
        std::vector<T> expected;
        for (std::size_t k = 0; k < begins.size(); ++k) {
            const std::size_t repeats = k % distance == distance / 2 ? k % 3 : 0;
            offsets.insert(offsets.end(), 1 + repeats, begins[k]);
            expected.insert(expected.end(), repeats, init);
            if (k < ends.size()) expected.push_back(ends[k]);
        }
        const guarded_array<std::uint32_t> given(offsets, 2);
        const guarded_array<T> results(expected.size());
        upsweep::reduce(queue(), upsweep::segments(view, given.view()), results.view(), init, op, {}, opts);
        CHECK(same_bits(results.values(), expected));
        CHECK(results.untouched_outside(expected.size()));
    }
}

/// Everything that is made of segments, from elements that lie in memory, or are computed as `view`.
template <class T, class View, class Op, class Combine>
void check_forms(const View& view, const std::vector<T>& x, const std::vector<bool>& heads, const Op& op,
                 Combine combine, const upsweep::options& opts) {
    const std::size_t n = x.size();
    const guarded_array<std::uint16_t> keys(test::keys_of<std::uint16_t>(heads), 3);
    const std::vector<std::uint32_t> begins = test::begins_of(heads);
    const guarded_array<std::uint32_t> offsets(begins, 1);
    const std::size_t segments = begins.size() - 1;
    const T init = static_cast<T>(7);
    const std::vector<T> scanned = segments_on_host<T>(x, heads, combine, nullptr, false);
    const std::vector<T> ends = ends_of(scanned, heads);
    const std::vector<T> ends_from_init = ends_of(segments_on_host<T>(x, heads, combine, &init, false), heads);

    const guarded_array<T> out(n);
    upsweep::inclusive_scan(queue(), upsweep::keyed(view, keys.view()), out.view(), op, {}, opts);
    CHECK(same_bits(out.values(), scanned));
    upsweep::exclusive_scan(queue(), upsweep::segments(view, offsets.view()), out.view(), init, op, {}, opts);
    CHECK(same_bits(out.values(), segments_on_host<T>(x, heads, combine, &init, true)));
    CHECK(out.untouched_outside(n));

    const guarded_array<T> results(segments);
    upsweep::reduce(queue(), upsweep::segments(view, offsets.view()), results.view(), init, op, {}, opts);
    CHECK(same_bits(results.values(), ends_from_init));
    check_empty_segments<T>(view, begins, ends_from_init, init, op, opts);
    const guarded_array<std::uint16_t> unique(segments);
    const guarded_array<std::uint32_t> count(1);
    upsweep::reduce_by_key(queue(), upsweep::keyed(view, keys.view()), unique.view(), results.view(), count.view(), op,
                           {}, opts);
    CHECK(same_bits(results.values(), ends));
    CHECK(results.untouched_outside(segments));
    CHECK(count.values()[0] == segments);
    std::vector<std::uint16_t> first;
    const std::vector<std::uint16_t> all_keys = keys.values();
    for (std::size_t k = 0; k < segments; ++k) first.push_back(all_keys[begins[k]]);
    CHECK(unique.values() == first);
    CHECK(unique.untouched_outside(segments));
}

template <class T, class Op, class Combine>
void check_type(const std::vector<T>& numbers, const Op& op, Combine combine, bool long_runs = false) {
    for (const upsweep::options& opts : segment_options(long_runs))
        for (const char* kind : {"one", "all", "tiles", "random", "giant"})
            for (const std::size_t n : {1023, 4096, 8999}) {
                CAPTURE(n, kind, opts.work_items, sizeof(T));
                const std::vector<T> x(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
                const std::vector<bool> heads = test::heads_of(test::lengths(n, kind, static_cast<std::uint32_t>(n)));
                const guarded_array<T> in(x, 5);
                check_forms<T>(in.view(), x, heads, op, combine, opts);
            }
}

/// Sums by keys of a type, and by flags, of which there is room for so many.
template <class Key>
void check_keys(const std::vector<std::int32_t>& x, const std::vector<bool>& heads, std::size_t room,
                const upsweep::options& opts) {
    const auto combine = [](std::int32_t a, std::int32_t b) { return a + b; };
    std::vector<std::int32_t> ends = ends_of(segments_on_host<std::int32_t>(x, heads, combine, nullptr, false), heads);
    const std::vector<Key> all = test::keys_of<Key>(heads);
    std::vector<Key> first;
    for (std::size_t i = 0; i < heads.size(); ++i)
        if (heads[i]) first.push_back(all[i]);
    const auto segments = static_cast<std::uint32_t>(ends.size());
    const std::size_t used = (std::min)(room, ends.size());
    ends.resize(used);
    first.resize(used);
    CAPTURE(sizeof(Key), room, opts.work_items);
    const guarded_array<std::int32_t> in(x, 5), results(room);
    const guarded_array<Key> keys(all, 3), unique(room);
    const guarded_array<std::uint32_t> count(1);
    upsweep::reduce_by_key(queue(), upsweep::keyed(in.view(), keys.view()), unique.view(), results.view(), count.view(),
                           upsweep::plus{}, {}, opts);
    CHECK(count.values()[0] == segments);
    check_begins(unique, first);
    check_begins(results, ends);

    const guarded_array<std::uint8_t> flags(std::vector<std::uint8_t>(heads.begin(), heads.end()), 1);
    const guarded_array<std::int32_t> of_flags(room);
    upsweep::reduce(queue(), upsweep::flagged(in.view(), flags.view()), of_flags.view(), std::int32_t{0},
                    upsweep::plus{}, {}, opts);
    check_begins(of_flags, ends);
}

template <class T>
std::vector<T> some_numbers() {
    return test::make_input<T>(9000, 11);
}

} // namespace

TEST_CASE("tiles of segments give what other tiles do, for integers of every size", "[sizes]") {
    if (!test::has_lanes()) return; // there are none
    check_type(some_numbers<std::int32_t>(), upsweep::plus{}, std::plus<>{});
    check_type(some_numbers<std::uint64_t>(), upsweep::plus{}, std::plus<>{}, true);
    check_type(some_numbers<std::int8_t>(), upsweep::maximum{}, [](auto a, auto b) { return std::max(a, b); });
}

TEST_CASE("tiles of segments keep the canonical order", "[sizes]") {
    if (!test::has_lanes()) return;
    check_type(test::numbers<float>(9000, 5), upsweep::plus{}, std::plus<>{}, true);
    if (test::limits().has_double) check_type(test::numbers<double>(9000, 6), upsweep::plus{}, std::plus<>{});
    const auto last_set = upsweep::make_operator<std::uint32_t>("return right % 4 != 0 ? right : left;");
    check_type(some_numbers<std::uint32_t>(), last_set,
               [](std::uint32_t left, std::uint32_t right) { return right % 4 != 0 ? right : left; });
}

TEST_CASE("tiles of segments of computed elements, in place of an input", "[segments]") {
    if (!test::has_lanes()) return;
    for (const upsweep::options& opts : segment_options(true)) {
        const std::size_t n = 8999;
        const std::vector<std::int32_t> x = some_numbers<std::int32_t>();
        std::vector<std::int32_t> twice;
        for (std::size_t i = 0; i < n; ++i) twice.push_back(x[i] / 4 + 3);
        const std::vector<bool> heads = test::heads_of(test::lengths(n, "random", 3));
        const guarded_array<std::int32_t> in({x.begin(), x.begin() + n}, 5);
        const auto computed = upsweep::transform<std::int32_t>("a / 4 + 3", in.view());
        check_forms<std::int32_t>(computed, twice, heads, upsweep::plus{}, std::plus<>{}, opts);
        const guarded_array<std::uint8_t> flags(std::vector<std::uint8_t>(heads.begin(), heads.end()), 1);
        upsweep::inclusive_scan(queue(), upsweep::flagged(computed, flags.view()), in.view(), upsweep::plus{}, {},
                                opts);
        CHECK(same_bits(in.values(), segments_on_host<std::int32_t>(twice, heads, std::plus<>{}, nullptr, false)));
    }
}

TEST_CASE("tiles of segments pass an operator's parameters on", "[operators]") {
    if (!test::has_lanes()) return;
    const auto op = upsweep::make_operator<std::uint32_t>("return (left + right) % modulus;").with("modulus", 1009U);
    std::vector<std::uint32_t> x = some_numbers<std::uint32_t>();
    x.resize(8999);
    for (std::uint32_t& number : x) number %= 1009;
    const std::vector<bool> heads = test::heads_of(test::lengths(x.size(), "random", 4));
    const guarded_array<std::uint32_t> in(x);
    for (const upsweep::options& opts : segment_options(true))
        check_forms<std::uint32_t>(
            in.view(), x, heads, op, [](std::uint32_t left, std::uint32_t right) { return (left + right) % 1009; },
            opts);
}

TEST_CASE("tiles of segments give keys of any size, as far as there is room", "[segments]") {
    if (!test::has_lanes()) return;
    std::vector<std::int32_t> x = some_numbers<std::int32_t>();
    x.resize(8999);
    std::vector<bool> heads;
    for (std::size_t i = 0; i < x.size(); ++i) heads.push_back(i == 0 || (x[i] % 3 == 0 && i / 500 % 4 != 2));
    for (const upsweep::options& opts : segment_options(true))
        for (const std::size_t room : {std::size_t{1100}, x.size()}) {
            check_keys<std::uint32_t>(x, heads, room, opts);
            check_keys<std::uint64_t>(x, heads, room, opts);
        }
}

TEST_CASE("segments in more tiles than one group of groups of groups has", "[sizes]") {
    if (!test::has_lanes()) return;
    constexpr std::size_t tile = 128;
    const std::size_t n = (33 << 10) * tile + 70 * tile + 5;
    const std::vector<std::int32_t> x = test::make_input<std::int32_t>(n, 12);
    upsweep::options opts = test::in_sub_groups();
    opts.work_items = 32;
    opts.items = 4;
    opts.run_packs = 1;
    for (const std::size_t length : {90, 2500}) { // so that nearly all tiles begin a segment, or few do
        CAPTURE(length);
        const std::vector<bool> heads = test::heads_of_rows(n, length);
        const guarded_array<std::int32_t> in(x);
        check_forms<std::int32_t>(in.view(), x, heads, upsweep::plus{}, std::plus<>{}, opts);
    }
}

TEST_CASE("devices with sub-groups take tiles of segments", "[unit]") {
    using namespace upsweep::detail;
    device_limits device;
    device.has_ptx = device.has_atomics64 = true;
    device.lanes = lanes_backend::ptx;
    device.max_work_group_size = 1024;
    device.local_memory_bytes = device.tile_memory_bytes = 48 << 10;
    device.max_allocation_bytes = std::uint64_t{1} << 36;
    for (const std::uint64_t n : {std::uint64_t{1} << 12, std::uint64_t{1} << 28})
        for (const bool is_exact : {true, false})
            for (const std::size_t size : {4, 8, 16}) {
                problem_size problem{operation::scan, n, size, is_exact, size, true};
                CAPTURE(n, is_exact, size);
                for (const segment_tiles kind :
                     {segment_tiles::inclusive, segment_tiles::exclusive, segment_tiles::sums,
                      segment_tiles::counted_sums, segment_tiles::keyed_sums}) {
                    problem.segments = kind;
                    CHECK(cuts_segments(resolve_options("test", {}, device, problem)));
                }
            }
}
