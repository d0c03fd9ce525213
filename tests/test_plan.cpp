// SPDX-License-Identifier: MIT
// The pure functions that decide what is launched: no device is touched.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

using namespace upsweep::detail;
using upsweep::launch_plan;
using upsweep::options;
using upsweep::pass;
using upsweep::strategy;
using upsweep::tile_algorithm;
using upsweep::tree_reduce;
using upsweep::tuning;
using u64 = std::uint64_t;

namespace {

device_limits cpu() {
    device_limits limits;
    limits.name = "cpu";
    limits.is_cpu = true;
    limits.has_double = true;
    limits.compute_units = 2;
    limits.max_work_group_size = 4096;
    limits.local_memory_bytes = limits.tile_memory_bytes = 1 << 20;
    limits.max_allocation_bytes = u64{1} << 33;
    return limits;
}

tuning tuning_of(strategy s, std::uint32_t work_items, std::uint32_t items) {
    tuning t;
    t.strategy = s;
    t.work_items = work_items;
    t.items = items;
    return t;
}

template <class T>
std::string printed(const T& x) {
    std::ostringstream out;
    out << x;
    return out.str();
}

const std::vector<strategy> tiled{strategy::scan_then_propagate, strategy::reduce_then_scan};

/// What every plan must keep to, whatever n: launches cover their elements exactly, sums do not overlap, begin at
/// multiples of 64 values and fit the scratch; a launch that reads sums comes after one that writes them.
void check_plan(const launch_plan& s, operation op, std::size_t value_size) {
    INFO(s);
    const u64 tile = s.tuning.tile();
    std::vector<u64> sums_of_level(s.sums_offsets.size(), 0);
    for (const pass& p : s.passes) {
        const bool chunks = p.what == pass::kind::reduce_chunks || p.what == pass::kind::scan_chunks;
        const u64 per_group = chunks ? (p.level == 0 ? s.chunk : p.elements) : tile;
        CHECK((p.elements == 0 ? u64{1} : divide_up(p.elements, per_group)) == p.work_groups);
        if (p.level == 0) CHECK(p.elements == s.n);
        if (p.level > 0) CHECK(p.elements == sums_of_level[p.level - 1]);
        if (p.writes_sums) {
            REQUIRE(p.level < sums_of_level.size());
            sums_of_level[p.level] = p.work_groups;
        }
        if (p.reads_sums) {
            REQUIRE(p.level < sums_of_level.size());
            CHECK(sums_of_level[p.level] == p.work_groups);
        }
    }
    u64 end = 0;
    for (std::size_t level = 0; level < s.sums_offsets.size(); ++level) {
        CHECK(s.sums_offsets[level] >= end);
        CHECK(s.sums_offsets[level] % 64 == 0);
        CHECK(sums_of_level[level] > 1);
        end = s.sums_offsets[level] + sums_of_level[level];
    }
    CHECK(s.scratch_bytes >= end * value_size);
    CHECK(s.scratch_bytes < (end + 64) * value_size + 1);
    CHECK(s.passes.empty() == (op == operation::scan && s.n == 0));
}

} // namespace

TEST_CASE("divide_up rounds up and does not overflow", "[unit]") {
    CHECK(divide_up(0, 3) == 0);
    CHECK(divide_up(1, 3) == 1);
    CHECK(divide_up(3, 3) == 1);
    CHECK(divide_up(4, 3) == 2);
    CHECK(divide_up(~u64{0}, 1) == ~u64{0});
    CHECK(divide_up(~u64{0}, 2) == u64{1} << 63);
    CHECK(divide_up(~u64{0}, ~u64{0}) == 1);
}

TEST_CASE("count_levels: one level more past every power of the tile", "[unit]") {
    using levels = std::vector<u64>;
    CHECK(count_levels(0, 8) == levels{0});
    CHECK(count_levels(1, 8) == levels{1});
    CHECK(count_levels(7, 8) == levels{7});
    CHECK(count_levels(8, 8) == levels{8});
    CHECK(count_levels(9, 8) == levels{9, 2});
    CHECK(count_levels(63, 8) == levels{63, 8});
    CHECK(count_levels(64, 8) == levels{64, 8});
    CHECK(count_levels(65, 8) == levels{65, 9, 2});
    CHECK(count_levels(511, 8) == levels{511, 64, 8});
    CHECK(count_levels(512, 8) == levels{512, 64, 8});
    CHECK(count_levels(513, 8) == levels{513, 65, 9, 2});
    CHECK(count_levels((u64{1} << 32) + 3, 4096) == levels{(u64{1} << 32) + 3, (1 << 20) + 1, 257});
    CHECK(count_levels(~u64{0}, 2).size() == 64);
}

TEST_CASE("plans of every size keep to the rules", "[unit]") {
    const u64 big = u64{1} << 32;
    for (const std::uint32_t work_items : {1U, 4U, 256U})
        for (const std::uint32_t items : {2U, 3U, 16U})
            for (const strategy s : {strategy::scan_then_propagate, strategy::reduce_then_scan, strategy::chunked})
                for (const std::size_t value_size : {std::size_t{1}, std::size_t{12}}) {
                    tuning t = tuning_of(s, work_items, items);
                    t.work_groups = 5;
                    const u64 tile = t.tile();
                    for (const u64 n : {u64{0},
                                        u64{1},
                                        u64{2},
                                        tile - 1,
                                        tile,
                                        tile + 1,
                                        tile * tile - 1,
                                        tile * tile,
                                        tile * tile + 1,
                                        tile * tile * tile,
                                        tile * tile * tile + 1,
                                        u64{4095},
                                        u64{4096},
                                        u64{8191},
                                        u64{8192},
                                        u64{1000003},
                                        big - 1,
                                        big,
                                        big + 3,
                                        8 * big})
                        for (const operation op : {operation::scan, operation::reduce})
                            check_plan(plan_passes(op, n, t, value_size), op, value_size);
                }
}

TEST_CASE("launches of the two tiled strategies", "[unit]") {
    // 2 launches per level but one for the last: up, spine, down.
    for (const strategy s : tiled) {
        const tuning t = tuning_of(s, 4, 2);
        const auto launches = [&](operation op, u64 n) { return plan_passes(op, n, t, 4).passes.size(); };
        CHECK(launches(operation::scan, 0) == 0);
        CHECK(launches(operation::scan, 1) == 1);
        CHECK(launches(operation::scan, 8) == 1);
        CHECK(launches(operation::scan, 9) == 3);
        CHECK(launches(operation::scan, 64) == 3);
        CHECK(launches(operation::scan, 65) == 5);
        CHECK(launches(operation::scan, 513) == 7);
        CHECK(launches(operation::reduce, 0) == 1); // writes the initial value
        CHECK(launches(operation::reduce, 8) == 1);
        CHECK(launches(operation::reduce, 9) == 2);
        CHECK(launches(operation::reduce, 65) == 3);
        CHECK(launches(operation::reduce, 513) == 4);
    }
    const auto kinds = [](strategy s) {
        std::vector<pass::kind> all;
        for (const pass& p : plan_passes(operation::scan, 65, tuning_of(s, 4, 2), 4).passes) all.push_back(p.what);
        return all;
    };
    using k = pass::kind;
    CHECK(kinds(strategy::scan_then_propagate) ==
          std::vector<k>{k::scan_tiles, k::scan_tiles, k::scan_tiles, k::propagate_tiles, k::propagate_tiles});
    CHECK(kinds(strategy::reduce_then_scan) ==
          std::vector<k>{k::reduce_tiles, k::reduce_tiles, k::scan_tiles, k::scan_tiles, k::scan_tiles});
}

TEST_CASE("chunks are whole tiles, at most as many as asked for, and never tiny", "[unit]") {
    tuning t = tuning_of(strategy::chunked, 1, 16);
    t.work_groups = 3;
    for (const u64 n : {u64{1}, u64{100}, u64{4096}, u64{8191}}) {
        const launch_plan s = plan_passes(operation::scan, n, t, 4);
        CHECK(s.passes.size() == 1);
        CHECK(s.scratch_bytes == 0);
    }
    for (const u64 n : {u64{8192}, u64{100000}, (u64{1} << 32) + 3}) {
        const launch_plan s = plan_passes(operation::scan, n, t, 4);
        REQUIRE(s.passes.size() == 2);
        CHECK(s.passes[0].work_groups <= 3);
        CHECK(s.passes[0].work_groups >= 2);
        CHECK(s.chunk % 16 == 0);
        CHECK(s.chunk >= 4096);
    }
}

TEST_CASE("sizes past 64 bits count as more than any device has", "[unit]") {
    for (const strategy s : tiled)
        CHECK(plan_passes(operation::scan, ~u64{0}, tuning_of(s, 2, 1), 12).scratch_bytes == ~u64{0});
    const launch_plan one_chunk = plan_passes(operation::scan, ~u64{0}, tuning_of(strategy::chunked, 1, 16), 4);
    REQUIRE(one_chunk.passes.size() == 1);
    CHECK(one_chunk.passes[0].work_groups == 1);
}

TEST_CASE("a plan prints as text", "[unit]") {
    options opts;
    opts.work_items = 4;
    opts.items = 16;
    opts.strategy = strategy::reduce_then_scan;
    const tuning t = choose_tuning("f", opts, cpu(), {operation::scan, 128, 4});
    CHECK(printed(plan_passes(operation::scan, 128, t, 4)) ==
          "n = 128: reduce_then_scan, tile blelloch of 4 work-items x 16 elements = 64\n"
          "  launch 1: reduce tiles, elements: 128 = 2 work-groups x 4 work-items x 16 elements\n"
          "  launch 2: scan tiles, sums of level 0: 2 = 1 work-group x 4 work-items x 16 elements\n"
          "  launch 3: scan tiles, elements: 128 = 2 work-groups x 4 work-items x 16 elements\n"
          "  scratch: 256 bytes\n");
    opts.strategy = strategy::scan_then_propagate;
    opts.algorithm = tile_algorithm::brent_kung;
    const tuning p = choose_tuning("f", opts, cpu(), {operation::scan, 128, 4});
    CHECK(printed(plan_passes(operation::scan, 128, p, 4)) ==
          "n = 128: scan_then_propagate, tile brent_kung of 4 work-items x 16 elements = 64\n"
          "  launch 1: scan tiles, elements: 128 = 2 work-groups x 4 work-items x 16 elements\n"
          "  launch 2: scan tiles, sums of level 0: 2 = 1 work-group x 4 work-items x 16 elements\n"
          "  launch 3: propagate sums to tiles, elements: 128 = 2 work-groups x 4 work-items x 16 elements\n"
          "  scratch: 256 bytes\n");
    opts.strategy = strategy::chunked;
    const tuning c = choose_tuning("f", opts, cpu(), {operation::reduce, 128, 4});
    CHECK_THAT(printed(plan_passes(operation::reduce, 128, c, 4)),
               Catch::Matchers::ContainsSubstring(
                   "reduce chunks, elements: 128 = 1 work-group x 4 work-items x a chunk of 128 elements\n"
                   "  scratch: 0 bytes\n"));
}
