// SPDX-License-Identifier: MIT
// Every size from nothing to one element past two tiles, for elements of 1, 4 and 8 bytes: for 4 bytes once for every
// strategy and tile algorithm, and for every rung of the tree of reductions; for the others once for each of them.

#include "catch.hpp"
#include "support.hpp"

namespace {

using test::kind;
using upsweep::strategy;
using upsweep::tile_algorithm;
using upsweep::tile_loading;
using upsweep::tree_reduce;

constexpr std::uint32_t work_items = 8;
constexpr std::uint32_t items = 4;

/// Two functions x -> a * x + b, one after the other: a in the upper bits of the integer, b in the lower ones. Does not
/// commute, and with an odd `a` on both sides no operand is lost.
template <class T>
struct function_composition {
    static constexpr unsigned shift = sizeof(T) * 4;
    static constexpr T mask = static_cast<T>((T{1} << shift) - 1);

    static auto on_device() {
        const std::string name = upsweep::type<T>::name;
        const std::string bits = std::to_string(shift);
        const std::string lower = "(" + name + ")" + std::to_string(mask);
        return upsweep::make_operator<T>("const " + name + " factor = right >> " + bits + ";\n" + //
                                         "const " + name + " a = factor * (left >> " + bits + ");\n" + "const " + name +
                                         " b = factor * (left & " + lower + ") + (right & " + lower + ");\nreturn (" +
                                         name + ")(a << " + bits + ") | (b & " + lower + ");");
    }

    static T on_host(T left, T right) {
        const std::uint64_t factor = right >> shift;
        const std::uint64_t a = factor * (left >> shift);
        const std::uint64_t b = factor * (left & mask) + (right & mask);
        return static_cast<T>((a << shift) | (b & mask));
    }
};

template <class T>
std::vector<T> random_functions(std::size_t n) {
    std::mt19937_64 random(n);
    std::vector<T> values(n);
    for (T& x : values) x = static_cast<T>(random() | (std::uint64_t{1} << function_composition<T>::shift));
    return values;
}

template <class T>
std::vector<T> expected_scan(const std::vector<T>& in, kind what, T init) {
    std::vector<T> out(in.size());
    T sum = init;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const T next = i == 0 && what == kind::inclusive ? in[0] : function_composition<T>::on_host(sum, in[i]);
        out[i] = what == kind::exclusive ? sum : next;
        sum = next;
    }
    return out;
}

template <class T>
constexpr T initial_function = static_cast<T>((T{3} << function_composition<T>::shift) | 5);

/// Runs one scan and compares every byte of its buffers.
template <class T, class Plan>
void check_scan(const Plan& plan, std::size_t n, kind what, bool in_place) {
    INFO("n = " << n << ", kind " << static_cast<int>(what) << (in_place ? ", in place" : ""));
    const std::vector<T> input = random_functions<T>(n);
    const test::guarded_array<T> in(input, 5);
    const test::guarded_array<T> separate(in_place ? 0 : n, 3);
    const test::guarded_array<T>& out = in_place ? in : separate;
    const T init = initial_function<T>;
    if (what == kind::inclusive)
        plan.inclusive_scan(test::queue(), in.view(), out.view());
    else if (what == kind::inclusive_with_init)
        plan.inclusive_scan(test::queue(), in.view(), out.view(), init);
    else
        plan.exclusive_scan(test::queue(), in.view(), out.view(), init);
    CHECK(test::first_difference(out.values(), expected_scan(input, what, init)) == -1);
    CHECK(out.untouched_outside(n));
    if (!in_place) CHECK(test::first_difference(in.values(), input) == -1);
}

template <class T, class Plan>
void check_reduce(const Plan& plan, std::size_t n, bool with_init) {
    INFO("n = " << n << (with_init ? ", with init" : ""));
    const std::vector<T> input = random_functions<T>(n);
    const test::guarded_array<T> in(input, 5);
    const test::guarded_array<T> out(1, 3);
    const T init = initial_function<T>;
    if (with_init)
        plan.reduce(test::queue(), in.view(), out.view(), init);
    else
        plan.reduce(test::queue(), in.view(), out.view());
    T expected = with_init ? init : T{};
    if (n > 0) expected = expected_scan(input, with_init ? kind::inclusive_with_init : kind::inclusive, init).back();
    CHECK(out.values().front() == expected);
    CHECK(out.untouched_outside(1));
}

/// Every strategy x tile algorithm in tiles of 8 x 4, and, where there are sub-groups, in their tiles of 32 x 4
/// or, for elements that are read in larger packs, one pack per lane. Elements of other sizes than 4 bytes are read and
/// written in other ways, but not combined: they take each strategy with one of the algorithms.
template <class T>
std::vector<upsweep::options> scan_forms() {
    std::vector<upsweep::options> forms;
    constexpr tile_algorithm algorithms[] = {tile_algorithm::blelloch, tile_algorithm::hillis_steele,
                                             tile_algorithm::brent_kung};
    for (strategy s : {strategy::single_tile, strategy::scan_then_propagate, strategy::reduce_then_scan,
                       strategy::look_back, strategy::chunked})
        for (std::size_t i = 0; i < 3; ++i) {
            // The first three strategies share their kernels, and so the algorithm.
            const std::size_t kernels = s == strategy::look_back ? 1 : s == strategy::chunked ? 2 : 0;
            if (sizeof(T) != 4 && i != (kernels + sizeof(T) / 8) % 3) continue;
            const tile_algorithm a = algorithms[i];
            upsweep::options o;
            o.strategy = s;
            o.algorithm = a;
            o.work_items = work_items;
            o.items = items;
            o.loading = a == tile_algorithm::hillis_steele ? tile_loading::direct : tile_loading::staged;
            forms.push_back(o);
        }
    if (test::has_lanes()) {
        upsweep::options lanes;
        lanes.strategy = strategy::look_back;
        lanes.algorithm = tile_algorithm::sub_group;
        lanes.work_items = 32;
        lanes.items = sizeof(T) == 1 ? 16 : 4;
        lanes.run_packs = 1;
        forms.push_back(lanes);
    }
    return forms;
}

template <class T>
std::vector<upsweep::options> reduce_forms() {
    std::vector<upsweep::options> forms;
    constexpr tree_reduce rungs[] = {tree_reduce::interleaved, tree_reduce::compacted, tree_reduce::sequential,
                                     tree_reduce::serial};
    for (strategy s : {strategy::single_tile, strategy::reduce_then_scan, strategy::chunked})
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t kernels = s == strategy::chunked ? 1 : 0;
            if (sizeof(T) != 4 && i % 2 != (kernels + sizeof(T) / 8) % 2) continue;
            const tree_reduce r = rungs[i];
            upsweep::options o;
            o.strategy = s;
            o.reduction = r;
            o.work_items = work_items;
            o.items = items;
            o.loading = r == tree_reduce::compacted ? tile_loading::direct : tile_loading::staged;
            forms.push_back(o);
        }
    if (test::has_lanes()) {
        upsweep::options lanes;
        lanes.algorithm = tile_algorithm::sub_group;
        lanes.work_items = 32;
        lanes.run_packs = 4;
        forms.push_back(lanes);
    }
    return forms;
}

/// The largest size that is tried: one past two tiles, or one tile where there can be no more.
std::size_t largest(const upsweep::options& o, std::size_t tile) {
    return o.strategy == strategy::single_tile ? tile : 2 * tile + 1;
}

std::string describe(const upsweep::options& o) {
    std::ostringstream text;
    text << o.strategy << ", " << o.algorithm << ", tree " << o.reduction;
    return text.str();
}

} // namespace

TEMPLATE_TEST_CASE("scans of every size up to two tiles", "[sizes]", std::uint8_t, std::uint32_t, std::uint64_t) {
    const auto op = function_composition<TestType>::on_device();
    for (const upsweep::options& o : scan_forms<TestType>()) {
        INFO(describe(o));
        if (o.strategy == strategy::look_back && !test::limits().has_atomics64) {
            test::leave_out("look_back, which needs cl_khr_int64_base_atomics");
            continue;
        }
        const std::size_t most = largest(o, std::size_t{o.work_items} * o.items);
        const upsweep::scan_plan<TestType, TestType, decltype(op)> plan(test::queue(), most, op, o);
        for (std::size_t n = 0; n <= most; ++n) {
            check_scan<TestType>(plan, n, kind::inclusive, false);
            check_scan<TestType>(plan, n, kind::inclusive_with_init, n % 2 == 0);
            check_scan<TestType>(plan, n, kind::exclusive, true);
            check_scan<TestType>(plan, n, kind::exclusive, false);
        }
    }
}

TEMPLATE_TEST_CASE("reductions of every size up to two tiles", "[sizes]", std::uint8_t, std::uint32_t, std::uint64_t) {
    const auto op = function_composition<TestType>::on_device();
    for (const upsweep::options& o : reduce_forms<TestType>()) {
        INFO(describe(o));
        // By sub-groups, a part of the input is four packs of 16 bytes per lane.
        const std::size_t tile = o.algorithm == tile_algorithm::sub_group ? 32 * 4 * (16 / sizeof(TestType))
                                                                          : std::size_t{o.work_items} * o.items;
        const std::size_t most = largest(o, tile);
        const upsweep::reduce_plan<TestType, TestType, decltype(op)> plan(test::queue(), most, op, o);
        for (std::size_t n = 0; n <= most; ++n) {
            check_reduce<TestType>(plan, n, false);
            check_reduce<TestType>(plan, n, true);
        }
    }
}

/// Sums of integers at a place that is a multiple of 128 bytes, as `automatic` chooses.
template <class T>
void check_sums(std::size_t n, kind what) {
    INFO(n << " elements, kind " << static_cast<int>(what));
    std::mt19937_64 random(n);
    std::vector<T> input(n), expected(n);
    for (T& x : input) x = static_cast<T>(random());
    const T init = what == kind::inclusive ? T{0} : static_cast<T>(random());
    T sum = init;
    for (std::size_t i = 0; i < n; ++i) {
        const T next = static_cast<T>(sum + input[i]);
        expected[i] = what == kind::exclusive ? sum : next;
        sum = next;
    }
    const test::guarded_array<T> in(input, 128), out(n, 128), total(1, 128);
    if (what == kind::inclusive)
        upsweep::inclusive_scan(test::queue(), in.view(), out.view());
    else if (what == kind::exclusive)
        upsweep::exclusive_scan(test::queue(), in.view(), out.view(), init);
    else
        upsweep::inclusive_scan(test::queue(), in.view(), out.view(), upsweep::plus{}, init);
    upsweep::reduce(test::queue(), in.view(), total.view(), init);
    CHECK(test::first_difference(out.values(), expected) == -1);
    CHECK(out.untouched_outside(n));
    CHECK(total.values() == std::vector<T>{sum});
}

TEMPLATE_TEST_CASE("inputs that just fill tiles, as automatic chooses", "[sizes]", std::int8_t, std::uint16_t,
                   std::int32_t, std::uint64_t) {
    for (std::size_t filled = 32; filled <= 32768; filled *= 2)
        for (const std::size_t n : {filled - 1, filled, filled + 1})
            for (const kind what : {kind::inclusive, kind::inclusive_with_init, kind::exclusive})
                check_sums<TestType>(n, what);
}

TEST_CASE("reductions whose work-groups have many parts each, the last of them dynamic", "[sizes]") {
    if (!test::has_lanes()) return test::leave_out("sub-groups of 32, which the device does not have");
    const auto op = function_composition<std::uint32_t>::on_device();
    for (const std::uint32_t groups : {1U, 2U, 5U}) {
        upsweep::options o;
        o.algorithm = tile_algorithm::sub_group;
        o.work_items = 64;
        o.run_packs = 1;
        o.work_groups = groups;
        const std::size_t part = 64 * 4;
        for (const std::size_t parts : {7 * groups, 8 * groups, 8 * groups + 1, 40 * groups - 1})
            for (const std::size_t n : {parts * part - 1, parts * part, parts * part + 131}) {
                INFO(groups << " work-groups, n = " << n);
                const upsweep::reduce_plan<std::uint32_t, std::uint32_t, decltype(op)> plan(test::queue(), n, op, o);
                CHECK(plan.launches().chunk == part);
                CHECK((plan.launches().static_parts < n / part) == (n / part > 7 * groups));
                for (int run = 0; run < 3; ++run) check_reduce<std::uint32_t>(plan, n, run == 1);
            }
    }
}

// With tiles of one element, sums would never get fewer.
TEST_CASE("reductions that are asked to look back end", "[sizes]") {
    const std::vector<std::int32_t> input(1000, 3);
    upsweep::options o;
    o.strategy = strategy::look_back;
    o.items = 1;
    CHECK(upsweep::reduce(test::queue(), input.begin(), input.end(), 1, upsweep::plus{}, o) == 3001);
    o.work_items = 1;
    CHECK_THROWS_AS(upsweep::reduce(test::queue(), input.begin(), input.end(), 1, upsweep::plus{}, o), upsweep::error);
}
