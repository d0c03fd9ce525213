// SPDX-License-Identifier: MIT
// Every tile algorithm x strategy x size of a work-group x kind of scan x sizes around all edges, against the serial
// reference, for a struct whose operator does not commute; for numbers every pair of type and each of these. And the
// same for reductions with every rung of the tree.

#include "catch.hpp"
#include "support.hpp"

#include <type_traits>
#include <vector>

namespace {

using test::describe;
using test::kind;
using test::natural_operator;
using upsweep::strategy;
using upsweep::tile_algorithm;
using upsweep::tile_loading;
using upsweep::tree_reduce;

constexpr tile_algorithm algorithms[] = {tile_algorithm::blelloch, tile_algorithm::hillis_steele,
                                         tile_algorithm::brent_kung};
constexpr tree_reduce rungs[] = {tree_reduce::interleaved, tree_reduce::compacted, tree_reduce::sequential,
                                 tree_reduce::serial};
constexpr strategy strategies[] = {strategy::single_tile, strategy::scan_then_propagate, strategy::reduce_then_scan,
                                   strategy::look_back, strategy::chunked};

/// Around the edges of a tile, of two, of the levels of tile sums (up to `largest`), and numbers that divide nothing.
std::vector<std::size_t> edge_sizes(std::size_t tile, std::size_t largest) {
    std::vector<std::size_t> sizes{0, 1, 2, 3, 97, 1009, 7919};
    for (std::size_t edge : {tile, 2 * tile, tile * tile, tile * tile * tile})
        for (std::size_t n : {edge - 1, edge, edge + 1}) sizes.push_back(n);
    std::vector<std::size_t> kept;
    for (std::size_t n : sizes)
        if (n <= largest) kept.push_back(n);
    return kept;
}

template <class T>
void check_scan(const upsweep::options& o, std::size_t n, kind what, bool in_place) {
    INFO(describe(o, n) << ", kind " << static_cast<int>(what) << (in_place ? ", in place" : ""));
    const auto op = natural_operator<T>();
    const std::vector<T> input = test::make_input<T>(n, static_cast<std::uint32_t>(n));
    const test::guarded_array<T> in(input);
    const test::guarded_array<T> separate(in_place ? 0 : n);
    const test::guarded_array<T>& out = in_place ? in : separate;
    const T init = test::make_init<T>();
    std::optional<T> expected_init;
    if (what != kind::inclusive) expected_init = init;

    if (what == kind::inclusive)
        upsweep::inclusive_scan(test::queue(), in.view(), out.view(), op, {}, o);
    else if (what == kind::inclusive_with_init)
        upsweep::inclusive_scan(test::queue(), in.view(), out.view(), op, init, {}, o);
    else
        upsweep::exclusive_scan(test::queue(), in.view(), out.view(), init, op, {}, o);

    const auto expected = test::reference_scan<T>(input, what == kind::exclusive, expected_init, op);
    CHECK(test::first_difference(out.values(), expected) == -1);
    CHECK(out.untouched_outside(n));
}

template <class T>
void check_reduce(const upsweep::options& o, std::size_t n, bool with_init) {
    INFO(describe(o, n) << (with_init ? ", with init" : ""));
    const auto op = natural_operator<T>();
    const std::vector<T> input = test::make_input<T>(n, static_cast<std::uint32_t>(n));
    const test::guarded_array<T> in(input);
    const test::guarded_array<T> out(1);
    const T init = test::make_init<T>();
    if (with_init)
        upsweep::reduce(test::queue(), in.view(), out.view(), init, op, {}, o);
    else
        upsweep::reduce(test::queue(), in.view(), out.view(), upsweep::no_init, op, {}, o);

    std::optional<T> expected_init;
    if (with_init) expected_init = init;
    T expected = with_init ? init : T{};
    if (n > 0) expected = test::reference_scan<T>(input, false, expected_init, op).back();
    CHECK((out.values().front() == expected));
    CHECK(out.untouched_outside(1));
}

/// Sizes of a work-group: elements per work-item 1 and 2 are the textbook forms.
struct group_size {
    std::uint32_t work_items;
    std::uint32_t items;
    tile_loading loading;
    std::size_t largest;
};
constexpr group_size group_sizes[] = {
    {8, 4, tile_loading::staged, 33000},
    {64, 1, tile_loading::direct, 8000},
    {16, 2, tile_loading::direct, 8000},
    {1, 5, tile_loading::direct, 2000},
};

/// Which kernels a strategy runs: tiles in a launch per step, tiles that look back, or chunks.
std::size_t kernels_of(strategy s) {
    return s == strategy::look_back ? 1 : s == strategy::chunked ? 2 : 0;
}

/// Nearly all time is the kernels' compiler's. For the struct everything is tried with everything. Numbers change how
/// elements are read and written, not the algorithm: each has one of the algorithms and one of the kernels with each
/// size of a work-group, such that it meets all of them.
template <class T>
constexpr bool takes_all = std::is_same<T, test::segment>::value;

/// A number for each of the other types.
template <class T>
constexpr std::size_t number_of = std::is_same<T, std::int8_t>::value
                                      ? 4
                                      : (sizeof(T) == 8 ? 1 : 0) + (std::is_floating_point<T>::value ? 2 : 0);

/// The variants that a type has with the size of number `which`.
template <class T, class Variant, std::size_t N>
std::vector<Variant> variants_for(const group_size& g, std::size_t which, const Variant (&all)[N]) {
    if (takes_all<T> && g.work_items > 1) return {std::begin(all), std::end(all)};
    return {all[(number_of<T> + (N - 1) * which + which / N) % N]}; // one work-item needs no algorithm
}

template <class T>
void check_all_scans(const group_size& g, std::size_t which, std::size_t largest) {
    if (!test::limits().has_atomics64) test::leave_out("look_back, which needs cl_khr_int64_base_atomics");
    for (tile_algorithm algorithm : variants_for<T>(g, which, algorithms))
        for (strategy s : strategies) {
            if (s == strategy::look_back && !test::limits().has_atomics64) continue;
            if (!takes_all<T> && kernels_of(s) != (number_of<T> + which) % 3) continue;
            upsweep::options o;
            o.algorithm = algorithm;
            o.strategy = s;
            o.work_items = g.work_items;
            o.items = g.items;
            o.loading = g.loading;
            o.work_groups = 5;
            const std::size_t tile = std::size_t{g.work_items} * g.items;
            for (std::size_t n : edge_sizes(tile, s == strategy::single_tile ? tile : largest))
                for (kind what : {kind::inclusive, kind::inclusive_with_init, kind::exclusive})
                    check_scan<T>(o, n, what, n % 2 == 1 && what != kind::inclusive_with_init);
        }
}

template <class T>
void check_all_reductions(const group_size& g, std::size_t which, std::size_t largest) {
    for (tree_reduce rung : variants_for<T>(g, which, rungs))
        for (strategy s : {strategy::single_tile, strategy::reduce_then_scan, strategy::chunked}) {
            const bool in_chunks = (which + number_of<T> / 2) % 2 == 1;
            if (!takes_all<T> && (s == strategy::chunked) != in_chunks) continue;
            upsweep::options o;
            o.reduction = rung;
            o.strategy = s;
            o.work_items = g.work_items;
            o.items = g.items;
            o.loading = g.loading;
            o.work_groups = 5;
            const std::size_t tile = std::size_t{g.work_items} * g.items;
            for (std::size_t n : edge_sizes(tile, s == strategy::single_tile ? tile : largest)) {
                check_reduce<T>(o, n, false);
                check_reduce<T>(o, n, true);
            }
        }
}

} // namespace

TEMPLATE_TEST_CASE("every scan at every edge", "[matrix]", std::int32_t, std::uint64_t, float, double, std::int8_t,
                   test::segment) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    for (std::size_t i = 0; i < std::size(group_sizes); ++i)
        check_all_scans<TestType>(group_sizes[i], i, group_sizes[i].largest);
}

TEMPLATE_TEST_CASE("every reduction at every edge", "[matrix]", std::int32_t, std::uint64_t, float, double, std::int8_t,
                   test::segment) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    for (std::size_t i = 0; i < std::size(group_sizes); ++i)
        check_all_reductions<TestType>(group_sizes[i], i, group_sizes[i].largest);
}

TEMPLATE_TEST_CASE("what automatic chooses, at every edge", "[matrix]", std::int32_t, std::uint8_t, double,
                   test::segment) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    const upsweep::options o;
    const std::size_t tile = upsweep::scan_plan<TestType, TestType, decltype(natural_operator<TestType>())>(
                                 test::queue(), 1 << 20, natural_operator<TestType>())
                                 .tuning()
                                 .tile();
    std::vector<std::size_t> sizes = edge_sizes(tile, 100000);
    for (std::size_t n : {100003, 1 << 20, (1 << 20) + 7}) sizes.push_back(n);
    for (std::size_t n : sizes) {
        check_scan<TestType>(o, n, kind::inclusive, false);
        check_scan<TestType>(o, n, kind::exclusive, true);
        check_reduce<TestType>(o, n, n % 2 == 0);
    }
}

TEMPLATE_TEST_CASE("a subset for the simulator", "[oclgrind]", std::int32_t, test::segment) {
    const group_size small[] = {
        {8, 2, tile_loading::staged, 0}, {8, 1, tile_loading::direct, 0}, {1, 3, tile_loading::direct, 0}};
    for (std::size_t i = 0; i < std::size(small); ++i) {
        check_all_scans<TestType>(small[i], i, 300);
        check_all_reductions<TestType>(small[i], i, 300);
    }
}
