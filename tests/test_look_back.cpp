// SPDX-License-Identifier: MIT
// What only the single-pass scan has to get right: tiles that stay silent, state used again, levels of groups.

#include "catch.hpp"
#include "forced_tuning.hpp"
#include "support.hpp"

namespace {

using upsweep::strategy;

constexpr int tiles = 101;

/// How many tiles must be done before the silent one publishes its sum: all others, on a device that runs them beside
/// it. A CPU starts work-groups several at a time, so some queue behind the silent one: there, a few.
int silent_until() {
    return test::limits().is_cpu ? 5 : tiles - 1;
}

/// Small tiles, so that a few thousand elements make many: in every form that look-back has on the device.
std::vector<upsweep::options> small_tiles() {
    upsweep::options portable;
    portable.strategy = strategy::look_back;
    portable.algorithm = upsweep::tile_algorithm::blelloch;
    portable.work_items = 8;
    portable.items = 4;
    std::vector<upsweep::options> forms{portable};
    if (test::has_lanes()) {
        upsweep::options sub_groups = portable;
        sub_groups.algorithm = upsweep::tile_algorithm::sub_group;
        sub_groups.work_items = 32;
        sub_groups.items = 4;
        sub_groups.run_packs = 1;
        forms.push_back(sub_groups);
        sub_groups.work_items = 64;
        sub_groups.items = 16;
        sub_groups.run_packs = 2;
        forms.push_back(sub_groups);
    }
    return forms;
}

/// An integer whose definition makes one tile of every program keep silent until others are done (see prelude.cl).
/// Without the fallback such a scan never ends.
template <int SilentTile>
struct delayed {
    std::int32_t value;
    friend bool operator==(delayed a, delayed b) { return a.value == b.value; }
};

/// The text of the type, made when it is asked for, because it depends on the device.
template <int SilentTile>
struct silent_definition {
    operator std::string_view() const {
        static const std::string text = "#define UPSWEEP_SILENT_TILE " + std::to_string(SilentTile) +
                                        "\n#define UPSWEEP_SILENT_UNTIL " + std::to_string(silent_until()) +
                                        "\ntypedef struct { int value; } delayed;";
        return text;
    }
};

template <int SilentTile>
void check_silent(const upsweep::options& o, bool in_place) {
    INFO("silent tile " << SilentTile << (in_place ? ", in place" : "") << ", " << o.algorithm);
    using element = delayed<SilentTile>;
    const std::size_t n = std::size_t{o.work_items} * o.items * (tiles - 1) + 5;
    const auto op = upsweep::make_operator<element>("delayed r = {left.value + right.value}; return r;");
    std::vector<element> input(n);
    std::vector<element> expected(n);
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        input[i] = {static_cast<std::int32_t>(i % 10)};
        sum += input[i].value;
        expected[i] = {sum};
    }
    const test::guarded_array<element> in(input);
    const test::guarded_array<element> separate(in_place ? 0 : n);
    const test::guarded_array<element>& out = in_place ? in : separate;
    const upsweep::scan_plan<element, element, decltype(op)> plan(test::queue(), n, op, o);
    // Memory of our own, because it is cleared for each launch: the count of finished tiles begins at zero.
    const cl::Buffer workspace(
        clCreateBuffer(test::context_of(test::queue()), CL_MEM_READ_WRITE, plan.workspace_bytes(), nullptr, nullptr));
    plan.inclusive_scan(test::queue(), in.view(), out.view(), {}, {workspace, plan.workspace_bytes()});
    CHECK(test::first_difference(out.values(), expected) == -1);
    CHECK(out.untouched_outside(n));
}

/// Scans by the tunings that the library chooses, but with tiles that give up after two polls: most of them start again
/// with the fallback, each at another moment.
template <class T, class Op>
void check_few_polls(const char* type, const Op& op) {
    upsweep::options o;
    if (test::limits().is_cpu) o.strategy = strategy::look_back;
    const auto plus = [](T left, T right) {
        using wide = std::conditional_t<std::is_integral<T>::value, std::uint64_t, T>; // nothing overflows
        return static_cast<T>(static_cast<wide>(left) + static_cast<wide>(right));
    };
    for (const std::size_t mebibytes : {1, 8, 64}) {
        if (test::limits().is_cpu && mebibytes > 1) continue; // the tunings are the same
        upsweep::detail::problem_size problem;
        problem.n = (mebibytes << 20) / sizeof(T);
        problem.value_size = sizeof(T);
        problem.exact_operator = std::is_integral<T>::value && std::is_same<Op, upsweep::plus>::value;
        upsweep::tuning t = upsweep::detail::resolve_options("test", o, test::limits(), problem);
        if (t.strategy != strategy::look_back) continue;
        t.max_polls = 2;
        const std::vector<T> input = test::make_input<T>(std::size_t{33} * t.tile() - 1, 5);
        const T init = input[7];
        std::vector<T> inclusive(input.size()), exclusive(input.size());
        upsweep::reference::inclusive_scan(input.begin(), input.end(), inclusive.begin(), plus);
        upsweep::reference::exclusive_scan(input.begin(), input.end(), exclusive.begin(), init, plus);
        for (int round = 0; round < (test::limits().is_cpu ? 1 : 10); ++round)
            for (const bool in_place : {false, true}) {
                INFO(type << ", " << t << (in_place ? ", in place" : "") << ", round " << round);
                const auto run = [&](bool is_exclusive) {
                    return fixture::run_tuned(test::queue(), upsweep::detail::operation::scan, input,
                                              is_exclusive ? &init : nullptr, op, t,
                                              {is_exclusive, in_place, false, 64});
                };
                CHECK(test::first_difference(run(false), inclusive) == -1);
                CHECK(test::first_difference(run(true), exclusive) == -1);
            }
    }
}

bool runs_tiles_at_once() {
    return test::limits().compute_units > 1;
}

} // namespace

template <int SilentTile>
struct upsweep::type<delayed<SilentTile>> {
    static constexpr const char* name = "delayed";
    static constexpr silent_definition<SilentTile> definition{};
};

TEST_CASE("the sum of a silent tile is published by others", "[matrix]") {
    if (!test::has_look_back()) return;
    if (!runs_tiles_at_once()) return test::skip("one compute unit: a silent tile would keep all others from running");
    for (const upsweep::options& o : small_tiles())
        for (bool in_place : {false, true}) {
            check_silent<0>(o, in_place);
            check_silent<1>(o, in_place);
            check_silent<31>(o, in_place);
            check_silent<32>(o, in_place);
            check_silent<70>(o, in_place);
            check_silent<99>(o, in_place);
        }
}

TEST_CASE("tiles that poll twice", "[matrix]") {
    if (!test::has_look_back()) return;
    const upsweep::plus plus;
    check_few_polls<std::int8_t>("int8", plus);
    check_few_polls<std::uint8_t>("uint8", plus);
    check_few_polls<std::int16_t>("int16", plus);
    check_few_polls<std::uint16_t>("uint16", plus);
    check_few_polls<std::int32_t>("int32", plus);
    check_few_polls<std::int64_t>("int64", plus);
    check_few_polls<float>("float", plus);
    // In the canonical order, and by an operator whose operands do not change places.
    check_few_polls<std::int8_t>("int8, own", upsweep::make_operator<std::int8_t>("return left + right;"));
    check_few_polls<std::int16_t>("int16, own", upsweep::make_operator<std::int16_t>("return left + right;"));
}

TEST_CASE("state is used again by launches of any size", "[matrix]") {
    if (!test::has_look_back()) return;
    const std::vector<upsweep::options> forms = small_tiles();
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const std::size_t n = random() % (round % 10 == 0 ? 50000 : 3000);
        const std::vector<std::int32_t> input = test::make_input<std::int32_t>(n, static_cast<std::uint32_t>(round));
        std::vector<std::int32_t> out(n);
        const upsweep::options& o = forms[static_cast<std::size_t>(round) % forms.size()];
        upsweep::exclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), 5, upsweep::plus{}, o);
        const auto expected =
            test::reference_scan<std::int32_t>(input, true, std::optional<std::int32_t>(5), upsweep::plus{});
        INFO("round " << round << ", n = " << n);
        CHECK(test::first_difference(out, expected) == -1);
    }
}

TEST_CASE("floating-point bits do not depend on timing", "[matrix]") {
    if (!test::has_look_back()) return;
    const upsweep::options o = small_tiles().back();
    const std::size_t n = 100000;
    std::mt19937 random(9);
    std::vector<float> input(n);
    for (float& x : input) x = std::uniform_real_distribution<float>(0.0F, 1.0F)(random);
    std::vector<float> first(n);
    upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), first.begin(), upsweep::plus{}, o);
    for (int round = 0; round < 30; ++round) {
        std::vector<float> again(n);
        upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), again.begin(), upsweep::plus{}, o);
        CHECK(std::memcmp(again.data(), first.data(), n * sizeof(float)) == 0);
    }
}
