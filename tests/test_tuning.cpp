// SPDX-License-Identifier: MIT
// The choice of a tuning, and what options and tunings are equal to and print as: no device is touched.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

using namespace upsweep::detail;
using upsweep::options;
using upsweep::strategy;
using upsweep::tile_algorithm;
using upsweep::tree_reduce;
using upsweep::tuning;

namespace {

device_limits device(bool is_cpu, std::size_t work_group, std::uint64_t local_memory) {
    device_limits limits;
    limits.name = "doctored";
    limits.is_cpu = is_cpu;
    limits.compute_units = 8;
    limits.has_atomics64 = true;
    limits.max_work_group_size = work_group;
    limits.local_memory_bytes = limits.tile_memory_bytes = local_memory;
    limits.max_allocation_bytes = std::uint64_t{1} << 32;
    return limits;
}

tuning choose(const options& opts, const device_limits& limits, std::uint64_t n, std::size_t value_size = 4,
              operation op = operation::scan) {
    return choose_tuning("f", opts, limits, {op, n, value_size});
}

} // namespace

TEST_CASE("without reproducible, a CPU scans from left to right, tiles as they like, and nothing else changes",
          "[unit]") {
    options opts;
    opts.reproducible = false;
    for (const bool is_cpu : {true, false})
        for (const operation op : {operation::scan, operation::reduce}) {
            const device_limits limits = device(is_cpu, 1024, 49152);
            tuning kept = choose_tuning("f", {}, limits, {op, 1 << 20, 4, false});
            const tuning any = choose_tuning("f", opts, limits, {op, 1 << 20, 4, false});
            CAPTURE(is_cpu, op == operation::scan, kept, any);
            if (is_cpu && op == operation::scan) {
                CHECK(kept.tree_run > 1);
                kept.tree_run = 1;
            }
            if (!is_cpu) {
                CHECK(kept.canonical);
                kept.canonical = false;
            }
            CHECK(any == kept);
        }
}

TEST_CASE("whatever is left open is chosen so that the device can run it", "[unit]") {
    for (const bool is_cpu : {false, true})
        for (const std::size_t work_group : {std::size_t{1}, std::size_t{64}, std::size_t{100}, std::size_t{1024}})
            for (const std::uint64_t local : {std::uint64_t{16384}, std::uint64_t{32768}, std::uint64_t{1} << 20})
                for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000},
                                              std::uint64_t{1} << 24, std::uint64_t{1} << 33})
                    for (const std::size_t size : {1U, 2U, 4U, 8U, 12U, 16U, 60U})
                        for (const operation op : {operation::scan, operation::reduce})
                            for (const strategy s :
                                 {strategy::automatic, strategy::scan_then_propagate, strategy::reduce_then_scan,
                                  strategy::chunked, strategy::look_back}) {
                                if (work_group * size * 2 > local) continue;
                                options opts;
                                opts.strategy = s;
                                const device_limits limits = device(is_cpu, work_group, local);
                                const tuning t = choose(opts, limits, n, size, op);
                                CAPTURE(is_cpu, work_group, local, n, size, t);
                                CHECK(t.strategy != strategy::automatic);
                                CHECK(t.algorithm != tile_algorithm::automatic);
                                CHECK(t.reduction != tree_reduce::automatic);
                                CHECK(t.work_items >= 1);
                                CHECK((t.work_items & (t.work_items - 1)) == 0);
                                CHECK(t.work_items <= work_group);
                                CHECK(t.items >= 1);
                                CHECK(t.work_groups >= 1);
                                CHECK(local_bytes(t, size) <= local);
                                if (t.strategy == strategy::single_tile) CHECK(n <= t.tile());
                            }
}

TEST_CASE("what is asked for is what is chosen", "[unit]") {
    options opts;
    opts.algorithm = tile_algorithm::brent_kung;
    opts.reduction = tree_reduce::compacted;
    opts.strategy = strategy::scan_then_propagate;
    opts.work_items = 32;
    opts.items = 5;
    opts.work_groups = 7;
    opts.bank_padding = false;
    for (const bool is_cpu : {false, true}) {
        const tuning t = choose(opts, device(is_cpu, 256, 32768), 1 << 20);
        CHECK(t.algorithm == tile_algorithm::brent_kung);
        CHECK(t.reduction == tree_reduce::compacted);
        CHECK(t.strategy == strategy::scan_then_propagate);
        CHECK(t.work_items == 32);
        CHECK(t.items == 5);
        CHECK(t.tile() == 160);
        CHECK(t.work_groups == 7);
        CHECK_FALSE(t.bank_padding);
    }
}

TEST_CASE("no work-group of two work-items where the compiler may end the process for it", "[unit]") {
    device_limits limits = device(true, 1024, 49152);
    limits.aborts_on_pairs = true;
    options opts;
    opts.work_items = 2;
    CHECK_THROWS_WITH(choose(opts, limits, 1000),
                      "f: options: 2 work-items per work-group: PoCL's compiler may end the process; "
                      "POCL_WORK_GROUP_METHOD=loopvec avoids it");
    opts.work_items = 4;
    CHECK(choose(opts, limits, 1000).work_items == 4);
    opts.work_items = 0;
    opts.strategy = strategy::reduce_then_scan;
    opts.algorithm = tile_algorithm::blelloch;
    for (const std::size_t value_size : {4U, 1000U, 4000U, 6000U, 8000U}) {
        limits.aborts_on_pairs = false;
        const std::uint32_t usual = choose(opts, limits, 1000, value_size).work_items;
        CAPTURE(value_size, usual);
        limits.aborts_on_pairs = true;
        std::uint32_t found = 0;
        try {
            found = choose(opts, limits, 1000, value_size).work_items;
        } catch (const upsweep::error&) { // too large for four
            CHECK(usual == 2);
        }
        CHECK(found == (usual == 2 ? found : usual));
        CHECK(found != 2);
        CHECK(upsweep::detail::simple_tiles(true, limits, value_size).work_items != 2);
    }
    using upsweep::detail::replicates_pairs;
    CHECK(replicates_pairs("3.1+debian", ""));
    CHECK(replicates_pairs("4.0", "auto"));
    CHECK_FALSE(replicates_pairs("3.1+debian", "loopvec"));
    CHECK(replicates_pairs("3.1+debian", "cbs"));
    CHECK_FALSE(replicates_pairs("4.0", "cbs"));
    CHECK_FALSE(replicates_pairs("5.0", ""));
}

TEST_CASE("one work-item does the work of all where the compiler may be wrong for several", "[unit]") {
    using Catch::Matchers::ContainsSubstring;
    device_limits limits = device(true, 1024, 1 << 20);
    limits.mixes_up_work_items = true;
    const auto check = [&](const options& opts, std::uint64_t n) {
        for (const operation op : {operation::scan, operation::reduce})
            for (const std::size_t value_size : {1U, 4U, 200U, 640U, 700U, 10000U, 65536U}) {
                if (opts.work_items == 8 && value_size > 10000) continue; // an error on any device
                const tuning t = choose_tuning("f", opts, limits, {op, n, value_size, false});
                CAPTURE(opts.strategy, opts.work_items, value_size);
                CHECK(t.work_items == 1);
                CHECK(t.tile() > 1);
                CHECK(upsweep::detail::keeps_canonical_order(t, op));
                for (const tuning& tried : upsweep::detail::ladder_of(t, op, limits, value_size))
                    CHECK(tried.work_items == 1);
            }
    };
    for (const strategy s : {strategy::automatic, strategy::reduce_then_scan, strategy::single_tile}) {
        options opts;
        opts.strategy = s;
        opts.work_items = 8;
        opts.items = 2;
        check(opts, 15);
        opts.work_items = 0;
        if (s != strategy::single_tile) check(opts, 1 << 20);
    }
    options opts;
    opts.work_items = 8;
    opts.items = 3;
    opts.strategy = strategy::look_back;
    CHECK(choose(opts, limits, 1000).strategy == strategy::look_back);
    CHECK(choose(opts, limits, 1000).work_items == 1);
    opts.strategy = strategy::single_tile;
    CHECK_THROWS_WITH(choose(opts, limits, 25), ContainsSubstring("8 work-items x 3 elements"));
    opts.work_items = 2048;
    CHECK_THROWS_WITH(choose(opts, limits, 20), ContainsSubstring("2048 work-items"));
    using upsweep::detail::mixes_up_work_items;
    CHECK(mixes_up_work_items("5.0", ""));
    CHECK(mixes_up_work_items("6.0", "loopvec"));
    CHECK_FALSE(mixes_up_work_items("6.0", "cbs"));
    CHECK_FALSE(mixes_up_work_items("3.1+debian", ""));
}

TEST_CASE("chunks are of runs of full length, whatever the tile", "[unit]") {
    options opts;
    opts.strategy = strategy::chunked;
    opts.work_items = 1;
    opts.items = 2;
    CHECK(choose_tuning("f", opts, device(true, 1024, 1 << 20), {operation::scan, 99, 4, false}).tree_run == 128);
}

TEST_CASE("the automatic strategy", "[unit]") {
    const device_limits cpu = device(true, 4096, 1 << 20);
    const device_limits gpu = device(false, 1024, 49152);
    const options open;
    CHECK(choose(open, cpu, 1000).strategy == strategy::chunked);
    CHECK(choose(open, cpu, 1 << 24).strategy == strategy::chunked);
    CHECK(choose(open, cpu, 1 << 24).work_items == 1);
    CHECK(choose(open, gpu, 1 << 24).strategy == strategy::reduce_then_scan);
    CHECK(choose(open, gpu, 1 << 24).staged);
    const std::uint32_t tile = choose(open, gpu, 1).tile();
    CHECK(choose(open, gpu, tile).strategy == strategy::single_tile);
    CHECK(choose(open, gpu, std::uint64_t{tile} + 1).strategy == strategy::reduce_then_scan);
}

TEST_CASE("the textbook trees take one element per work-item", "[unit]") {
    for (const tree_reduce r : {tree_reduce::interleaved, tree_reduce::compacted, tree_reduce::sequential}) {
        options opts;
        opts.reduction = r;
        CHECK(choose(opts, device(false, 256, 32768), 1 << 20, 4, operation::reduce).items == 1);
    }
    CHECK(choose({}, device(false, 256, 32768), 1 << 20, 4, operation::reduce).items > 1);
}

TEST_CASE("local memory covers staging, scan and reduce", "[unit]") {
    tuning t;
    t.strategy = strategy::reduce_then_scan;
    t.work_items = 256;
    t.items = 4;
    t.bank_padding = false;
    CHECK(local_bytes(t, 4) == 1024);
    t.algorithm = tile_algorithm::hillis_steele;
    CHECK(local_bytes(t, 4) == 2048); // two buffers
    t.staged = true;
    CHECK(local_bytes(t, 4) == 4096);
    t.bank_padding = true;
    CHECK(local_bytes(t, 4) == 4 * (1024 + 31)); // one slot after every 32 but the last
    t.staged = false;
    t.algorithm = tile_algorithm::blelloch;
    CHECK(local_bytes(t, 4) == 4 * (256 + 7));
}

TEST_CASE("options are equal when every member is", "[unit]") {
    const options plain;
    const std::vector<std::function<void(options&)>> option_changes{
        [](options& o) { o.algorithm = tile_algorithm::blelloch; },
        [](options& o) { o.reduction = tree_reduce::serial; },
        [](options& o) { o.strategy = strategy::chunked; },
        [](options& o) { o.work_items = 1; },
        [](options& o) { o.items = 1; },
        [](options& o) { o.work_groups = 1; },
        [](options& o) { o.run_packs = 2; },
        [](options& o) { o.registers = 64; },
        [](options& o) { o.loading = upsweep::tile_loading::staged; },
        [](options& o) { o.bank_padding = false; },
    };
    CHECK(plain == options{});
    CHECK_FALSE(plain != options{});
    for (const auto& change : option_changes) {
        options other;
        change(other);
        CHECK(other != plain);
        CHECK_FALSE(other == plain);
    }
}

TEST_CASE("choices print by name", "[unit]") {
    const auto printed = [](const auto& x) {
        std::ostringstream out;
        out << x;
        return out.str();
    };
    tuning t;
    t.strategy = strategy::scan_then_propagate;
    t.algorithm = tile_algorithm::hillis_steele;
    t.reduction = tree_reduce::sequential;
    t.work_items = 64;
    t.items = 3;
    t.staged = true;
    CHECK(printed(t) ==
          "scan_then_propagate, hillis_steele, tree sequential, 64 work-items x 3 elements, staged, padded");
    t.staged = false;
    t.bank_padding = false;
    CHECK(printed(t) == "scan_then_propagate, hillis_steele, tree sequential, 64 work-items x 3 elements");

    CHECK(printed(tile_algorithm::automatic) == "automatic");
    CHECK(printed(tile_algorithm::blelloch) == "blelloch");
    CHECK(printed(tile_algorithm::brent_kung) == "brent_kung");
    CHECK(printed(tree_reduce::automatic) == "automatic");
    CHECK(printed(tree_reduce::interleaved) == "interleaved");
    CHECK(printed(tree_reduce::compacted) == "compacted");
    CHECK(printed(tree_reduce::serial) == "serial");
    CHECK(printed(strategy::automatic) == "automatic");
    CHECK(printed(strategy::single_tile) == "single_tile");
    CHECK(printed(strategy::reduce_then_scan) == "reduce_then_scan");
    CHECK(printed(strategy::chunked) == "chunked");
    CHECK(printed(strategy::look_back) == "look_back");
}
