// SPDX-License-Identifier: MIT
// What the entries of tuning files apply to, and what they may not change. No device is touched.
#include <upsweep/upsweep.hpp>

#include "device_fixture.hpp"
#include "tuning_fixture.hpp"

#include <cstdint>
#include <functional>
#include <string>

using namespace upsweep::detail;
using fixture::expect_error;
using test::clean_tuning;
using test::load;
using test::usual;
using upsweep::options;
using upsweep::strategy;
using upsweep::tile_algorithm;

namespace {

device_limits doctored(const char* name, bool has_ptx = false, bool is_cpu = false) {
    device_limits limits;
    limits.name = name;
    limits.is_cpu = is_cpu;
    limits.has_ptx = has_ptx;
    limits.has_async_copy = has_ptx;
    if (has_ptx) limits.lanes = upsweep::detail::lanes_backend::ptx;
    limits.has_atomics64 = true;
    limits.compute_units = 8;
    limits.max_work_group_size = 1024;
    limits.local_memory_bytes = limits.tile_memory_bytes = 49152;
    limits.max_allocation_bytes = std::uint64_t{1} << 32;
    return limits;
}

const problem_size scan_of_ints{operation::scan, 1 << 20, 4, true, 4};

/// Whether an entry says what is chosen for this problem. (All lines here choose 32 elements per work-item, as nothing
/// else does.)
bool is_applied(const device_limits& limits, const problem_size& problem, const options& opts = {}) {
    return choose_tuning("f", opts, limits, problem).items == 32;
}

} // namespace

TEST_CASE("a tuning entry applies to its device, operation, operator, size and range, and nothing else", "[unit]") {
    const clean_tuning clean;
    const auto problem = [](operation op, std::uint64_t n, std::size_t size, bool exact, std::size_t element) {
        return problem_size{op, n, size, exact, element};
    };
    CHECK_FALSE(is_applied(doctored("gpu"), scan_of_ints));
    load(usual);
    CHECK(is_applied(doctored("gpu"), scan_of_ints));
    CHECK(choose_tuning("f", {}, doctored("gpu"), scan_of_ints).work_items == 128);
    CHECK_FALSE(is_applied(doctored("gpu 2"), scan_of_ints));
    CHECK_FALSE(is_applied(doctored("GPU"), scan_of_ints));
    CHECK_FALSE(is_applied(doctored("gpu"), problem(operation::reduce, 1 << 20, 4, true, 4)));
    CHECK_FALSE(is_applied(doctored("gpu"), problem(operation::scan, 1 << 20, 4, false, 4)));
    CHECK_FALSE(is_applied(doctored("gpu"), problem(operation::scan, 1 << 20, 8, true, 8)));
    CHECK_FALSE(is_applied(doctored("gpu"), problem(operation::scan, 1 << 20, 4, true, 1)));
    CHECK_FALSE(is_applied(doctored("gpu"), problem(operation::scan, 0, 4, true, 4)));
    CHECK_FALSE(is_applied(doctored("gpu"), problem(operation::scan, (1 << 16) - 1, 4, true, 4)));
    CHECK(is_applied(doctored("gpu"), problem(operation::scan, 1 << 16, 4, true, 4)));
    CHECK(is_applied(doctored("gpu"), problem(operation::scan, (1 << 24) - 1, 4, true, 4)));
    CHECK_FALSE(is_applied(doctored("gpu"), problem(operation::scan, 1 << 24, 4, true, 4)));
    upsweep::unload_tuning();
    CHECK_FALSE(is_applied(doctored("gpu"), scan_of_ints));
}

TEST_CASE("a range of a tuning entry holds what it says, up to its ends", "[unit]") {
    const std::uint64_t most = ~std::uint64_t{0};
    CHECK_FALSE(size_range{0, 64}.contains(0));
    CHECK(size_range{0, 64}.contains(1));
    CHECK(size_range{0, 64}.contains(most));
    CHECK(size_range{63, 64}.contains(most));
    CHECK_FALSE(size_range{0, 63}.contains(most));
    CHECK_FALSE(size_range{5, 6}.contains(31));
    CHECK(size_range{5, 6}.contains(32));
    CHECK(size_range{5, 6}.contains(63));
    CHECK_FALSE(size_range{5, 6}.contains(64));
}

TEST_CASE("of several tuning entries the last counts", "[unit]") {
    const clean_tuning clean;
    const std::string start = "device=gpu operation=scan operator=exact size=4 n=2^0..2^30 ";
    const auto work_items = [] { return choose_tuning("f", {}, doctored("gpu"), scan_of_ints).work_items; };
    load(start + "work_items=32\n" + start + "work_items=64\n");
    CHECK(work_items() == 64);
    load(start + "work_items=16\n");
    CHECK(work_items() == 16);
}

TEST_CASE("a tuning entry affects only options left at their default, or decided the same", "[unit]") {
    const clean_tuning clean;
    load("device=gpu operation=scan operator=exact size=4 n=2^16..2^24 strategy=reduce_then_scan algorithm=brent_kung "
         "reduction=serial loading=staged work_items=128 items=32 work_groups=9 bank_padding=false");
    const auto applied = [](const std::function<void(options&)>& decide) {
        options opts;
        decide(opts);
        return is_applied(doctored("gpu"), scan_of_ints, opts);
    };
    CHECK(applied([](options&) {}));
    CHECK(applied([](options& o) { o.strategy = strategy::reduce_then_scan; }));
    CHECK(applied([](options& o) { o.algorithm = tile_algorithm::brent_kung; }));
    CHECK(applied([](options& o) { o.work_items = 128; }));
    CHECK(applied([](options& o) { o.bank_padding = false; }));
    CHECK_FALSE(applied([](options& o) { o.strategy = strategy::scan_then_propagate; }));
    CHECK_FALSE(applied([](options& o) { o.algorithm = tile_algorithm::blelloch; }));
    CHECK_FALSE(applied([](options& o) { o.reduction = upsweep::tree_reduce::compacted; }));
    CHECK_FALSE(applied([](options& o) { o.loading = upsweep::tile_loading::direct; }));
    CHECK_FALSE(applied([](options& o) { o.work_items = 64; }));
    CHECK_FALSE(applied([](options& o) { o.items = 5; }));
    CHECK_FALSE(applied([](options& o) { o.work_groups = 3; }));
    // These two mean something in tile algorithm sub_group only.
    tuning_entry of_sub_groups;
    of_sub_groups.choices.run_packs = 2;
    of_sub_groups.choices.registers = 64;
    options decided;
    CHECK(of_sub_groups.agrees_with(decided));
    decided.run_packs = 4;
    CHECK_FALSE(of_sub_groups.agrees_with(decided));
    decided = {};
    decided.registers = 32;
    CHECK_FALSE(of_sub_groups.agrees_with(decided));
    // What a caller decides is what runs, as without any entry.
    options mine;
    mine.work_items = 64;
    const auto with = choose_tuning("f", mine, doctored("gpu"), scan_of_ints);
    CHECK(with == resolve_options("f", mine, doctored("gpu"), scan_of_ints));
    CHECK(with.work_items == 64);
}

TEST_CASE("a tuning entry that the device cannot run is an error that names its line", "[unit]") {
    const clean_tuning clean;
    const std::string start = "device=gpu operation=scan operator=exact size=4 n=2^16..2^24 ";
    const auto refused = [&](const std::string& choices, const std::string& phrase) {
        upsweep::unload_tuning();
        load(start + choices);
        for (int i = 0; i < 2; ++i)
            expect_error("f", "tuning entry test:2", phrase,
                         [] { choose_tuning("f", {}, doctored("gpu"), scan_of_ints); });
        choose_tuning("f", {}, doctored("another"), scan_of_ints); // no business of that device
    };
    refused("work_items=2048", "allows 1024");
    refused("work_items=100", "must be a power of two");
    refused("work_items=1024 items=64 loading=staged", "bytes of local memory");
    refused("algorithm=sub_group", "needs an NVIDIA device");
    refused("strategy=single_tile", "do not fit one tile");
}

TEST_CASE("no tuning entry changes the order that is promised", "[unit]") {
    const clean_tuning clean;
    const device_limits cpu = doctored("d", false, true);
    const device_limits lanes = doctored("d", true, false);
    const auto outcome = [](const device_limits& limits, operation op, bool exact, const std::string& choices,
                            std::size_t size = 4) {
        upsweep::unload_tuning();
        load("device=d operation=" + std::string(to_string(op)) + " operator=" + (exact ? "exact" : "ordered") +
             " size=" + std::to_string(size) + " n=2^0..2^40 " + choices);
        try {
            const problem_size problem{op, 1 << 20, size, exact, size};
            const auto t = choose_tuning("f", {}, limits, problem);
            return t == resolve_options("f", {}, limits, problem) ? "not applied" : "applied";
        } catch (const upsweep::error& e) {
            return e.cause().find("canonical") != std::string::npos ? "order" : e.what();
        }
    };
    using std::string;
    const operation scan = operation::scan;
    const operation reduce = operation::reduce;
    // Sub-groups keep it with any tuning.
    CHECK(outcome(lanes, scan, false, "algorithm=sub_group work_items=256 items=16 run_packs=2") == string("applied"));
    CHECK(outcome(lanes, reduce, false, "algorithm=sub_group work_items=512 run_packs=1") == string("applied"));
    // So do Blelloch tiles, and chunks of one work-item.
    for (const char* choices :
         {"work_items=128 items=8", "strategy=reduce_then_scan", "algorithm=blelloch", "loading=direct"})
        CHECK(outcome(lanes, scan, false, choices) == string("applied"));
    // Other textbook algorithms and sizes do not, which nobody sees with exact operators.
    for (const char* choices :
         {"work_items=128 items=6", "work_items=4 items=256", "algorithm=hillis_steele", "algorithm=brent_kung",
          "strategy=look_back algorithm=blelloch", "strategy=chunked", "strategy=scan_then_propagate items=16"}) {
        CAPTURE(choices);
        CHECK(outcome(lanes, scan, false, choices) == string("order"));
        CHECK(outcome(lanes, scan, true, choices) == string("applied"));
    }
    CHECK(outcome(lanes, reduce, false, "work_items=128 items=8 reduction=interleaved") == string("order"));
    CHECK(outcome(lanes, scan, false, "work_items=64 items=3", 40) == string("order"));
    // On a CPU: work-items on their own, powers of two of elements.
    CHECK(outcome(cpu, scan, false, "strategy=look_back work_items=1 items=1024") == string("applied"));
    CHECK(outcome(cpu, scan, false, "strategy=look_back work_items=1 items=1000") == string("order"));
    CHECK(outcome(cpu, scan, false, "strategy=look_back work_items=1 items=1") == string("order"));
    CHECK(outcome(cpu, scan, false, "strategy=look_back work_items=4 items=256") == string("order"));
    CHECK(outcome(cpu, scan, false, "strategy=chunked work_items=1 items=64") == string("applied"));
    CHECK(outcome(cpu, scan, false, "strategy=chunked work_items=1 items=65") == string("order"));
    CHECK(outcome(cpu, scan, true, "strategy=chunked work_items=1 items=64") == string("applied"));
    CHECK(outcome(cpu, reduce, false, "strategy=chunked work_items=1 items=64") == string("applied"));
    CHECK(outcome(cpu, reduce, false, "strategy=chunked work_items=1 items=65") == string("order"));
    CHECK(outcome(cpu, reduce, false, "strategy=reduce_then_scan work_items=1 items=64") == string("order"));
    CHECK(outcome(cpu, reduce, false, "work_groups=3") == string("applied"));
    // Other GPUs, and a CPU without 64-bit atomics.
    CHECK(outcome(doctored("d"), scan, false, "work_items=128 items=8") == string("applied"));
    CHECK(outcome(doctored("d"), scan, false, "work_items=128 items=7") == string("order"));
    device_limits bare = cpu;
    bare.has_atomics64 = false;
    CHECK(outcome(bare, scan, false, "strategy=chunked work_items=1 items=64") == string("applied"));
    CHECK(outcome(bare, scan, false, "strategy=chunked work_items=64 items=64") == string("order"));
}
