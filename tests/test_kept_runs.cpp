// SPDX-License-Identifier: MIT
// Tiles whose work-items keep their runs, which GPUs are given for costly operators: the bits of the reference, at
// every edge, and with tiles that stay silent.

#include "canonical.hpp"
#include "forced_tuning.hpp"
#include "maps.hpp"

#include <string>
#include <utility>

using test::numbers;
using test::same_bits;
using upsweep::detail::operation;

namespace {

using linear_map = test::maps<1>;
const linear_map first_map{{1.0F}, {0.5F}};

/// What an NVIDIA device is given for a costly operator, or the same with other sizes, as this device runs it.
template <class T>
std::optional<upsweep::tuning> kept_runs(std::uint32_t work_items = 0, std::uint32_t items = 0) {
    upsweep::detail::problem_size problem;
    problem.n = std::uint64_t{1} << 24;
    problem.value_size = sizeof(T);
    problem.exact_operator = false;
    problem.costly_operator = true;
    upsweep::tuning t = upsweep::detail::resolve_options("test", {}, fixture::large_nvidia_gpu(), problem);
    CHECK(upsweep::detail::keeps_runs(t));
    CHECK(upsweep::detail::keeps_canonical_order(t, operation::scan));
    if (work_items != 0) t.work_items = work_items;
    if (items != 0) t.items = items;
    return fixture::adapted(t, test::limits());
}

/// Every kind of scan of `input` against the reference.
template <class T, class Op, class Combine>
void check_scans(const std::vector<T>& input, T init, const Op& op, const Combine& combine, const upsweep::tuning& t) {
    namespace reference = upsweep::reference;
    const std::size_t n = input.size();
    INFO("n = " << n << ", " << t);
    std::vector<T> exclusive(n);
    std::vector<T> with_init(n);
    std::vector<T> inclusive(n);
    reference::exclusive_scan(input.begin(), input.end(), exclusive.begin(), init, combine);
    reference::inclusive_scan(input.begin(), input.end(), with_init.begin(), combine, init);
    reference::inclusive_scan(input.begin(), input.end(), inclusive.begin(), combine);
    const auto run = [&](const T* first, const fixture::tuned_form& form) {
        return fixture::run_tuned(test::queue(), operation::scan, input, first, op, t, form);
    };
    CHECK(same_bits(run(&init, {true, false, false, 64}), exclusive));
    CHECK(same_bits(run(&init, {true, true, false, 5}), exclusive));
    CHECK(same_bits(run(&init, {false, false, false, 7}), with_init));
    CHECK(same_bits(run(nullptr, {false, true, false, 64}), inclusive));
}

/// With padding between its members on every device.
struct padded {
    std::uint8_t count;
    float sum;
};

/// A float whose definition makes tile 31 of every program keep silent until others are done (see prelude.cl).
struct silent_float {
    float value;
};

} // namespace

template <>
struct upsweep::type<padded> {
    static constexpr const char* name = "padded";
    static constexpr const char* definition = "typedef struct { uchar count; float sum; } padded;";
};
template <>
struct upsweep::type<silent_float> {
    static constexpr const char* name = "silent_float";
    static constexpr const char* definition = "#define UPSWEEP_SILENT_TILE 31\n#define UPSWEEP_SILENT_UNTIL 5\n"
                                              "typedef struct { float value; } silent_float;";
};

TEST_CASE("kept runs are planned for costly scans that are left open", "[unit]") {
    using upsweep::tile_algorithm;
    upsweep::detail::device_limits device = fixture::large_nvidia_gpu();
    upsweep::detail::problem_size problem;
    problem.exact_operator = false;
    problem.costly_operator = true;
    const auto choose = [&](const upsweep::options& o = {}) {
        return upsweep::detail::resolve_options("test", o, device, problem);
    };
    for (const auto lanes : {device.lanes, upsweep::detail::lanes_backend::khr})
        for (std::size_t size : {1, 2, 4, 8, 12, 16, 24, 32, 64})
            for (std::uint64_t n : {std::uint64_t{1}, std::uint64_t{1} << 18, std::uint64_t{5} << 30}) {
                device.lanes = lanes;
                device.has_ptx = lanes == upsweep::detail::lanes_backend::ptx;
                problem.value_size = size;
                problem.n = n;
                const upsweep::tuning t = choose();
                INFO(size << " bytes, " << n << ": " << t);
                CHECK(upsweep::detail::keeps_runs(t) == (size <= 32));
                CHECK(t.lanes == (size <= 32 || device.has_ptx ? lanes : upsweep::detail::lanes_backend::none));
                CHECK(upsweep::detail::local_bytes(t, size) <= device.local_memory_bytes);
            }
    problem.value_size = 4;
    CHECK(choose(test::in_sub_groups()).algorithm == tile_algorithm::sub_group);
    upsweep::options runs;
    runs.run_packs = 4;
    CHECK(choose(runs).algorithm == tile_algorithm::sub_group);
    CHECK(!upsweep::detail::keeps_runs(choose(test::in_tiles(64, 4))));
    problem.costly_operator = false;
    CHECK(choose().algorithm == tile_algorithm::sub_group);
    problem.costly_operator = true;
    device.lanes = upsweep::detail::lanes_backend::none;
    CHECK(choose().strategy == upsweep::strategy::reduce_then_scan);
}

TEST_CASE("kept runs give the bits of the reference, at every edge", "[canonical]") {
    if (!test::has_look_back()) return;
    const auto op = upsweep::make_operator<float>("return left + right;", {}, upsweep::operator_cost::costly);
    if (const auto t = kept_runs<float>(32, 2)) // so small that groups of groups of tiles are complete
        for (std::size_t n : {1, 2, 63, 64, 65, 127, 2048, 2049, 65536, 65537, 140001})
            check_scans(numbers<float>(n, n), 3.0F, op, std::plus<>{}, *t);
    if (const auto t = kept_runs<float>())
        for (std::size_t n : {15, 4095, 4096, 4097, 140001})
            check_scans(numbers<float>(n, n), 3.0F, op, std::plus<>{}, *t);
}

TEST_CASE("kept runs give the bits of the reference, for structs", "[canonical]") {
    if (!test::has_look_back()) return;
    if (const auto t = kept_runs<linear_map>(64, 4))
        for (std::size_t n : {1, 255, 256, 257, 8192, 70001})
            check_scans(test::some_maps<1>(n), first_map, test::costly_maps<1>(), test::map_then<1>, *t);
}

TEST_CASE("structs with padding are moved as words, and the operator sees their members", "[canonical]") {
    const auto t = kept_runs<padded>(64, 16);
    if (!t) return test::skip("kept runs do not run here");
    CHECK(t->struct_words);
    const auto op = upsweep::make_operator<padded>("padded r; r.count = left.count + right.count;"
                                                   "r.sum = left.sum + right.sum; return r;",
                                                   {}, upsweep::operator_cost::costly);
    std::vector<padded> input(3 * t->tile() + 5);
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = {static_cast<std::uint8_t>(i % 7), static_cast<float>(i % 5)};
    const padded* const none = nullptr;
    const std::vector<padded> found =
        fixture::run_tuned(test::queue(), operation::scan, input, none, op, *t, {false, false, false, 64});
    std::size_t wrong = 0;
    unsigned count = 0;
    float sum = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
        count += input[i].count;
        sum += input[i].sum;
        wrong += found[i].count != static_cast<std::uint8_t>(count) || !(found[i].sum == sum);
    }
    CHECK(wrong == 0);
}

TEST_CASE("kept runs meet neighbours only", "[canonical]") {
    if (!test::has_look_back()) return;
    const auto t = kept_runs<test::segment>(32, 4);
    if (!t) return;
    for (std::size_t n : {1, 127, 128, 129, 4095, 4096, 4097, 9000}) {
        const auto input = test::make_input<test::segment>(n, 1);
        const auto expected = test::reference_scan<test::segment>(input, false, std::nullopt, test::join_segments());
        const auto results = fixture::run_tuned<test::segment>(test::queue(), operation::scan, input, nullptr,
                                                               test::join_segments(), *t);
        INFO("n = " << n);
        CHECK(results == expected);
    }
}

TEST_CASE("kept runs pass the self-check", "[self_check]") {
    if (!test::has_look_back()) return;
    const auto t = kept_runs<linear_map>(64, 4);
    if (!t) return;
    const auto op = test::costly_maps<1>();
    const auto facts = upsweep::detail::inspect_queue("test", test::queue());
    const auto e =
        fixture::engine_of(facts, operation::scan, 1000, upsweep::detail::types_of<linear_map, linear_map>(op), *t);
    upsweep::detail::program_key key =
        upsweep::detail::key_of(facts, 1000, upsweep::detail::view_text<linear_map, linear_map>(op));
    key.tuning = *t;
    key.kind = upsweep::detail::family::look_back;
    const auto types = upsweep::detail::types_of<linear_map, linear_map>(op);
    CHECK(upsweep::detail::check_first_use("test", e, types, key, true).as_chosen);
}

TEST_CASE("kept runs for a simulator", "[canonical][simulated]") {
    if (!test::has_look_back()) return;
    const auto t = kept_runs<linear_map>(32, 2);
    if (!t) return;
    for (std::size_t n : {1, 64, 65, 300})
        check_scans(test::some_maps<1>(n), first_map, test::costly_maps<1>(), test::map_then<1>, *t);
}

TEST_CASE("the sum of a silent tile with kept runs is published by others", "[matrix]") {
    if (!test::has_look_back()) return;
    if (test::limits().compute_units < 2)
        return test::skip("one compute unit: a silent tile would keep all others from running");
    auto t = kept_runs<float>(32, 2);
    if (!t) return;
    t->max_polls = 64;
    const auto op = upsweep::make_operator<silent_float>("silent_float r = {left.value + right.value}; return r;");
    const std::vector<float> some = numbers<float>(64 * 70 + 5, 4);
    std::vector<silent_float> input(some.size());
    for (std::size_t i = 0; i < some.size(); ++i) input[i] = {some[i]};
    std::vector<float> expected(some.size());
    upsweep::reference::inclusive_scan(some.begin(), some.end(), expected.begin(), std::plus<>{});
    for (const bool in_place : {false, true}) {
        const auto results = fixture::run_tuned<silent_float>(test::queue(), operation::scan, input, nullptr, op, *t,
                                                              {false, in_place, true, 64});
        INFO((in_place ? "in place" : "apart"));
        CHECK(std::memcmp(results.data(), expected.data(), expected.size() * sizeof(float)) == 0);
    }
}
