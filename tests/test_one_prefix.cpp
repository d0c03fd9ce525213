// SPDX-License-Identifier: MIT
// One prefix, three calls: with P(j) the prefix of the first j elements, exclusive[i] is P(i), inclusive[i] is P(i + 1)
// and reduce is P(n), to the last bit, wherever the canonical order is promised.

#include "canonical.hpp"

#include <functional>
#include <iterator>
#include <string>
#include <vector>

using test::in_chunks;
using test::in_sub_groups;
using test::in_tiles;
using test::numbers;
using test::same_bits;

namespace {

/// x -> scale * x + shift: associative up to rounding, not commutative.
struct map {
    float scale;
    float shift;
};

map then(const map& left, const map& right) {
    const float product = right.scale * left.shift; // rounded by itself: no fused multiply-add
    return {right.scale * left.scale, product + right.shift};
}

const char* const map_body = "map r; r.scale = right.scale * left.scale;"
                             "r.shift = right.scale * left.shift + right.shift; return r;";

/// Tiles so small that groups of groups of them are complete.
upsweep::options in_small_tiles() {
    upsweep::options o;
    o.strategy = upsweep::strategy::look_back;
    o.work_items = 1;
    o.items = 16;
    return o;
}

/// The same in sub-groups: 128 values of 4 bytes.
upsweep::options in_small_tiles_of_lanes() {
    upsweep::options o = in_sub_groups();
    o.work_items = 32;
    o.items = 4;
    o.run_packs = 1;
    return o;
}

struct way {
    std::string name;
    upsweep::options options;
};

std::vector<way> all_ways() {
    std::vector<way> ways{{"automatic", {}},
                          {"tiles of 8 x 4", in_tiles(8, 4)},
                          {"tiles of 64 x 8", in_tiles(64, 8, upsweep::tile_loading::staged)}};
    if (test::has_lanes()) ways.push_back({"sub-groups", in_sub_groups()});
    if (test::limits().is_cpu) {
        if (test::limits().has_atomics64) ways.push_back({"small tiles", in_small_tiles()});
        ways.push_back({"one chunk", in_chunks(1)});
        ways.push_back({"five chunks", in_chunks(5)});
    }
    return ways;
}

/// Every call on the same input, in guarded buffers.
template <class T, class Op>
struct results {
    results(const std::vector<T>& input, const T& init, const Op& op, const upsweep::options& o) {
        const std::size_t n = input.size();
        const test::guarded_array<T> in(input);
        const auto read = [&](std::size_t count, const auto& call) {
            const test::guarded_array<T> out(count);
            call(out.view());
            return out.values();
        };
        cl_command_queue queue = test::queue()();
        exclusive = read(n, [&](auto out) { upsweep::exclusive_scan(queue, in.view(), out, init, op, {}, o); });
        inclusive = read(n, [&](auto out) { upsweep::inclusive_scan(queue, in.view(), out, op, {}, o); });
        with_init = read(n, [&](auto out) { upsweep::inclusive_scan(queue, in.view(), out, op, init, {}, o); });
        // Reductions have no look_back, and keep the order where they are left open.
        upsweep::options r = o;
        if (r.strategy == upsweep::strategy::look_back) r = {};
        sum = read(1, [&](auto out) { upsweep::reduce(queue, in.view(), out, init, op, {}, r); });
        sum_without = read(1, [&](auto out) { upsweep::reduce(queue, in.view(), out, upsweep::no_init, op, {}, r); });
        const test::guarded_array<T> both(input);
        upsweep::inclusive_scan(queue, both.view(), both.view(), op, init, {}, o);
        in_place = both.values();
    }
    std::vector<T> exclusive, inclusive, with_init, sum, sum_without, in_place;
};

template <class T, class Op, class Combine>
void check_one_prefix(const std::vector<T>& input, T init, const Op& op, const Combine& combine) {
    const std::size_t n = input.size();
    std::vector<T> prefixes(n + 1);
    std::vector<T> without(n);
    namespace reference = upsweep::reference;
    reference::exclusive_scan(input.begin(), input.end(), prefixes.begin(), init, combine);
    prefixes[n] = reference::reduce(input.begin(), input.end(), init, combine);
    reference::inclusive_scan(input.begin(), input.end(), without.begin(), combine);
    for (const way& w : all_ways()) {
        INFO("n = " << n << ", " << w.name);
        const results<T, Op> r(input, init, op, w.options);
        CHECK(same_bits(r.exclusive, {prefixes.begin(), prefixes.end() - 1}));
        CHECK(same_bits(r.with_init, {prefixes.begin() + 1, prefixes.end()}));
        CHECK(same_bits(r.in_place, r.with_init));
        CHECK(same_bits(r.sum, {prefixes.back()}));
        CHECK(same_bits(r.inclusive, without));
        CHECK(same_bits(r.sum_without, {without.back()}));
    }
}

} // namespace

template <>
struct upsweep::type<map> {
    static constexpr const char* name = "map";
    static constexpr const char* definition = "typedef struct { float scale; float shift; } map;";
};

TEMPLATE_TEST_CASE("the reference's inclusive scan is its exclusive scan shifted by one", "[canonical][unit]", float,
                   double) {
    const std::vector<TestType> input = numbers<TestType>(5000, 3);
    std::vector<TestType> exclusive(input.size());
    std::vector<TestType> inclusive(input.size());
    namespace reference = upsweep::reference;
    reference::exclusive_scan(input.begin(), input.end(), exclusive.begin(), TestType{2}, std::plus<>{});
    reference::inclusive_scan(input.begin(), input.end(), inclusive.begin(), std::plus<>{}, TestType{2});
    CHECK(same_bits<TestType>({exclusive.begin() + 1, exclusive.end()}, {inclusive.begin(), inclusive.end() - 1}));
    CHECK(inclusive.back() == reference::reduce(input.begin(), input.end(), TestType{2}, std::plus<>{}));
}

TEST_CASE("the reference keeps few values on the stack", "[canonical][unit]") {
    struct large {
        char bytes[1 << 10];
    };
    using combine = large (*)(large, large);
    CHECK(sizeof(upsweep::reference::detail::running_prefix<large, combine>) < 4 * sizeof(large));
}

TEST_CASE("the reference appends in the input's type, also values without a default constructor", "[canonical][unit]") {
    struct made {
        explicit made(int given)
            : x(given) {}
        int x;
    };
    const std::vector<int> input{1, 2, 3};
    std::vector<int> sums;
    upsweep::reference::inclusive_scan(input.begin(), input.end(), std::back_inserter(sums), std::plus<>{});
    CHECK(sums == std::vector<int>{1, 3, 6});
    const std::vector<float> halves{0.5F, 0.5F, 0.5F};
    sums.clear();
    upsweep::reference::inclusive_scan(halves.begin(), halves.end(), std::back_inserter(sums), std::plus<>{});
    CHECK(sums == std::vector<int>{0, 1, 1});
    const std::vector<made> values(5, made(2));
    std::vector<made> scanned;
    upsweep::reference::inclusive_scan(values.begin(), values.end(), std::back_inserter(scanned),
                                       [](made left, made right) { return made(left.x + right.x); });
    CHECK(scanned.back().x == 10);
}

TEMPLATE_TEST_CASE("one prefix, three calls, at every edge", "[canonical]", float, double) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    for (std::size_t n : {1,     2,     3,     4,     5,      15,     16,     17,     31,     32,     33,    127,
                          128,   129,   255,   256,   257,    511,    512,    513,    1000,   1023,   1024,  1025,
                          2048,  4095,  4096,  4097,  8191,   8192,   8193,   12288,  16383,  16384,  16385, 32768,
                          49152, 65536, 65537, 98304, 100003, 131072, 131073, 196608, 262144, 262145, 300007})
        check_one_prefix(numbers<TestType>(n, n), TestType{3}, upsweep::plus{}, std::plus<>{});
}

TEST_CASE("one prefix, three calls, for an operator of one's own", "[canonical]") {
    const auto op = upsweep::make_operator<map>(map_body);
    for (std::size_t n : {1, 2, 127, 128, 129, 1000, 1024, 4095, 4096, 4097, 24576, 65536, 65537, 70001, 262144}) {
        const std::vector<float> some = numbers<float>(2 * n, n);
        std::vector<map> input(n);
        for (std::size_t i = 0; i < n; ++i) input[i] = {1.0F + some[2 * i] / 4096.0F / 65536.0F, some[2 * i + 1]};
        check_one_prefix(input, map{1.0F, 0.5F}, op, then);
    }
}

TEST_CASE("the prefix of the next tile, across groups of tiles", "[canonical]") {
    if (!test::has_lanes()) return test::skip("no sub-groups");
    const bool fast = !test::limits().is_cpu;
    for (std::size_t tiles : {31, 32, 33, 64, 1023, 1024, 1025, 2048, 32767, 32768, 32769}) {
        if (tiles > 3000 && !fast) continue;
        const std::vector<float> input = numbers<float>(128 * tiles, tiles);
        std::vector<float> expected(input.size());
        upsweep::reference::inclusive_scan(input.begin(), input.end(), expected.begin(), std::plus<>{}, 3.0F);
        const test::guarded_array<float> in(input, 64); // aligned: the fast path
        const test::guarded_array<float> out(input.size(), 64);
        upsweep::inclusive_scan(test::queue(), in.view(), out.view(), upsweep::plus{}, 3.0F, {},
                                in_small_tiles_of_lanes());
        INFO(tiles << " tiles");
        CHECK(same_bits(out.values(), expected));
    }
}

TEST_CASE("one prefix, three calls, for a simulator", "[canonical][simulated]") {
    for (std::size_t n : {1, 16, 17, 64, 300})
        check_one_prefix(numbers<float>(n, n), 3.0F, upsweep::plus{}, std::plus<>{});
}
