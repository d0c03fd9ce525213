// SPDX-License-Identifier: MIT
// What a device with sub-groups is given: tunings, plans and texts, made without such a device. Only what must hold
// whatever the measured tunings are.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "device_fixture.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace upsweep::detail;
using fixture::expect_error;
using upsweep::launch_plan;
using upsweep::options;
using upsweep::pass;
using upsweep::strategy;
using upsweep::tile_algorithm;
using upsweep::tuning;

namespace {

device_limits lanes(std::uint64_t local_memory = 49152, lanes_backend by = lanes_backend::ptx) {
    device_limits limits;
    limits.name = "doctored";
    limits.has_double = true;
    limits.has_atomics64 = true;
    limits.lanes = by;
    limits.has_ptx = limits.has_async_copy = by == lanes_backend::ptx;
    if (by != lanes_backend::ptx) limits.sub_group_size = 32;
    if (by == lanes_backend::khr) limits.opencl_c = 30;
    limits.compute_units = 132;
    limits.max_work_group_size = 1024;
    limits.local_memory_bytes = limits.tile_memory_bytes = local_memory;
    limits.max_allocation_bytes = std::uint64_t{1} << 36;
    return limits;
}

constexpr std::array<lanes_backend, 3> backends{lanes_backend::ptx, lanes_backend::khr, lanes_backend::intel};

const std::vector<std::uint64_t> sizes_of_calls{
    0,       1,         31,         1000,      2048,
    4096,    8192,      100003,     1 << 20,   (1 << 22) + 3,
    1 << 24, 13 << 20U, 40U << 20U, 1U << 28U, (std::uint64_t{1} << 32) + 3};
/// Of values that are combined by sub-groups.
std::vector<std::size_t> value_sizes(lanes_backend by) {
    std::vector<std::size_t> sizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 16, 18, 20, 24, 28, 31, 32};
    if (by == lanes_backend::ptx) sizes.insert(sizes.end(), {33, 36, 48, 64, 70, 100, 128});
    return sizes;
}

options in_lanes() {
    options opts;
    opts.algorithm = tile_algorithm::sub_group;
    return opts;
}

} // namespace

namespace {

void check_choice(const device_limits& limits, operation op, std::size_t size, std::uint64_t n) {
    const tuning t = choose_tuning("f", {}, limits, {op, n, size});
    CAPTURE(limits.local_memory_bytes, static_cast<int>(limits.lanes), op == operation::scan, size, n, t);
    CHECK(t.algorithm == tile_algorithm::sub_group);
    CHECK(t.strategy != strategy::automatic);
    CHECK((t.strategy == strategy::look_back) == (op == operation::scan));
    CHECK(t.lanes == limits.lanes);
    CHECK(t.ptx == limits.has_ptx);
    CHECK(t.async_copy == limits.has_async_copy);
    CHECK(t.opencl_c == limits.opencl_c);
    CHECK(t.sub_group_size == limits.sub_group_size);
    if (!t.ptx) CHECK((t.registers == 0 && t.ahead_tiles == 0));
    CHECK(t.work_items >= 32);
    CHECK(t.work_items <= limits.max_work_group_size);
    CHECK((t.work_items & (t.work_items - 1)) == 0);
    CHECK((t.pack * size <= std::max<std::size_t>(16, size) || (t.pack <= 4 && t.pack * size % 4 == 0)));
    CHECK(t.items >= 1);
    CHECK(t.items % t.pack == 0);
    CHECK(local_bytes(t, size) <= limits.tile_memory_bytes);
    CHECK(t == choose_tuning("f", in_lanes(), limits, {op, n, size}));
}

} // namespace

TEST_CASE("what is chosen for lanes can run on the device", "[unit]") {
    for (const lanes_backend by : backends)
        for (const std::uint64_t local : {std::uint64_t{32768}, std::uint64_t{49152}, std::uint64_t{227} << 10})
            for (const operation op : {operation::scan, operation::reduce})
                for (const std::size_t size : value_sizes(by))
                    for (const std::uint64_t n : sizes_of_calls) check_choice(lanes(local, by), op, size, n);
}

TEST_CASE("tiles pause in large scans only, on devices that take PTX", "[unit]") {
    const auto pause = [](lanes_backend by, operation op, std::uint64_t n) {
        return choose_tuning("f", {}, lanes(49152, by), {op, n, 4}).pause;
    };
    CHECK(pause(lanes_backend::ptx, operation::scan, 1 << 28) != 0);
    CHECK(pause(lanes_backend::ptx, operation::scan, 1 << 22) == 0);
    CHECK(pause(lanes_backend::ptx, operation::reduce, 1 << 28) == 0);
    problem_size sums_by_key{operation::scan, 1 << 28, 8}; // whose tiles are the same for all devices
    sums_by_key.segments = segment_tiles::keyed_sums;
    sums_by_key.segment_size = 4;
    CHECK(choose_tuning("f", {}, lanes(49152), sums_by_key).pause != 0);
    CHECK(choose_tuning("f", {}, lanes(49152, lanes_backend::khr), sums_by_key).pause == 0);
}

TEST_CASE("marks are counted by the tiles that scan them, in the same state with a prefix for each", "[unit]") {
    for (const lanes_backend by : backends)
        for (const std::uint64_t n : sizes_of_calls) {
            if (n == 0) continue;
            problem_size problem{operation::scan, n, 4};
            problem.lists_marks = problem.counts_marks = problem.stores_once = true;
            const tuning t = choose_tuning("f", in_lanes(), lanes(49152, by), problem);
            const launch_plan scan = plan_passes(operation::scan, n, t, 4);
            launch_plan both = scan;
            plan_count_of_marks(both, 4);
            CAPTURE(static_cast<int>(by), n, both);
            CHECK(local_bytes(t, 4, problem) <= 49152);
            REQUIRE(both.passes.size() == 2);
            CHECK(both.passes[0].what == pass::kind::count_marks);
            CHECK(both.passes[1].what == pass::kind::look_back);
            for (const pass& p : both.passes) CHECK(p.work_groups == divide_up(n, t.tile()));
            const std::uint64_t prefixes = n <= t.tile() ? 0 : 8 * divide_up(n, t.tile());
            CHECK(both.scratch_bytes == scan.scratch_bytes + prefixes);
        }
}

TEST_CASE("larger values than sub-groups exchange are combined in tiles", "[unit]") {
    for (const lanes_backend by : backends)
        for (const operation op : {operation::scan, operation::reduce}) {
            const std::size_t size = value_sizes(by).back() + 4;
            CHECK(choose_tuning("f", {}, lanes(49152, by), {op, 100000, size}).algorithm != tile_algorithm::sub_group);
            expect_error("f", "options", "values of at most 32 bytes (128 on NVIDIA devices)", [&] {
                choose_tuning("f", in_lanes(), lanes(49152, by), {op, 100000, size});
            });
        }
}

TEST_CASE("large reductions by costly operators go by steps, of 12 bytes if their text is long", "[unit]") {
    for (const lanes_backend by : backends)
        for (const std::size_t size : {1, 4, 6, 8, 12, 16, 24, 32, 48})
            for (const bool is_long : {false, true}) {
                CAPTURE(static_cast<int>(by), size, is_long);
                problem_size problem{operation::reduce, (std::uint64_t{64} << 20) / size + 1, size};
                problem.costly_operator = true;
                problem.long_operator = is_long;
                const tuning large = choose_tuning("f", {}, lanes(49152, by), problem);
                if (large.algorithm != tile_algorithm::sub_group) continue; // values that this back end does not take
                CHECK((large.step_rounds > 1) == (size <= 32 && (is_long || size != 12)));
                CHECK((large.step_rounds == 1 || large.step_rounds * large.run_packs == sub_group_lanes));
                problem.n = (std::uint64_t{32} << 20) / size - 1;
                CHECK(choose_tuning("f", {}, lanes(49152, by), problem).step_rounds == 1);
            }
}

TEST_CASE("GPUs use sub-groups by themselves, CPUs when asked", "[unit]") {
    for (const operation op : {operation::scan, operation::reduce}) {
        device_limits limits = lanes(49152, lanes_backend::khr);
        limits.is_cpu = true;
        CHECK(choose_tuning("f", {}, limits, {op, 100000, 4}).algorithm != tile_algorithm::sub_group);
        CHECK(choose_tuning("f", in_lanes(), limits, {op, 100000, 4}).lanes == lanes_backend::khr);
        limits.has_atomics64 = false;
        expect_error("f", "options", "64-bit atomics", [&] {
            choose_tuning("f", in_lanes(), limits, {op, 100000, 4});
        });
    }
}

TEST_CASE("lanes need one launch, which covers all elements", "[unit]") {
    for (const lanes_backend by : backends)
        for (const std::size_t size : value_sizes(by))
            for (const std::uint64_t n : sizes_of_calls) {
                CAPTURE(static_cast<int>(by), size, n);
                const tuning scan = choose_tuning("f", {}, lanes(49152, by), {operation::scan, n, size});
                const launch_plan s = plan_passes(operation::scan, n, scan, size);
                REQUIRE(s.passes.size() == (n > 0 ? 1 : 0));
                if (n > 0) {
                    CHECK(s.passes[0].what == pass::kind::look_back);
                    CHECK(s.passes[0].work_groups == divide_up(n, scan.tile()));
                    CHECK((s.scratch_bytes > 0) == (s.passes[0].work_groups > 1));
                }
                const tuning reduce = choose_tuning("f", {}, lanes(49152, by), {operation::reduce, n, size});
                const launch_plan r = plan_passes(operation::reduce, n, reduce, size);
                REQUIRE(r.passes.size() == 1);
                const bool is_small = n * size <= 2048; // others may be, too
                const bool is_few = r.passes[0].what == pass::kind::reduce_few;
                CHECK((is_few || (!is_small && r.passes[0].what == pass::kind::reduce_once)));
                CHECK((is_few || !reduce.one_tile)); // such a program has no other kernel
                CHECK(r.passes[0].work_groups >= 1);
                CHECK(r.passes[0].work_groups <= (is_few ? 1 : reduce.work_groups));
                CHECK(is_power_of_two(r.chunk));
                // Steps of a part that local memory holds.
                CHECK(r.chunk / (32 * reduce.items) <= reduce_staged_bytes / size);
                CHECK((r.scratch_bytes > 0) == !is_few);
            }
}

TEST_CASE("work-groups of a reduction share its parts evenly, or take the last of them dynamically", "[unit]") {
    for (const std::uint32_t most : {1U, 5U, 132U, 264U, 4096U, 100000U})
        for (const std::uint64_t n : {std::uint64_t{1} << 20, std::uint64_t{9} << 20, std::uint64_t{1} << 28,
                                      (std::uint64_t{3} << 28) + 12345, std::uint64_t{1} << 30}) {
            CAPTURE(most, n);
            tuning t = choose_tuning("f", {}, lanes(), {operation::reduce, n, 4});
            t.work_groups = most;
            const launch_plan s = plan_passes(operation::reduce, n, t, 4);
            REQUIRE(s.passes[0].what == pass::kind::reduce_once);
            const std::uint64_t groups = s.passes[0].work_groups;
            const std::uint64_t parts = n / s.chunk;
            const std::uint64_t turns = divide_up(parts, most);
            CHECK(groups <= most);
            CHECK(groups >= std::min<std::uint64_t>(parts, most - most / 8));
            CHECK(divide_up(parts, groups) == turns);
            CHECK(s.static_parts <= parts);
            if (turns < reduce_dynamic_from) {
                CHECK(s.static_parts == parts);
                if (n % s.chunk == 0 && groups < most) CHECK(groups == divide_up(parts, turns));
            } else {
                CHECK(groups == most);
                CHECK(s.static_parts % groups == 0);
                CHECK(parts - s.static_parts > (reduce_dynamic_rounds - 1) * groups);
                CHECK(parts - s.static_parts <= reduce_dynamic_rounds * groups);
            }
        }
}

TEST_CASE("a caller who sets the sizes of the work-group gets a textbook algorithm, on lanes too", "[unit]") {
    options opts;
    opts.work_items = 64;
    const tuning t = choose_tuning("f", opts, lanes(), {operation::scan, 100000, 4});
    CHECK(t.algorithm == tile_algorithm::blelloch);
    CHECK(t.work_items == 64);
}

TEST_CASE("lanes that cannot be had are refused", "[unit]") {
    const auto refuse = [](const options& opts, const device_limits& limits, operation op, const char* phrase) {
        expect_error("f", "options", phrase, [&] { choose_tuning("f", opts, limits, {op, 100000, 4}); });
    };
    device_limits other = lanes();
    other.has_ptx = false;
    other.lanes = lanes_backend::none;
    refuse(in_lanes(), other, operation::scan, "needs an NVIDIA device");
    options few = in_lanes();
    few.registers = 64;
    refuse(few, lanes(49152, lanes_backend::khr), operation::scan, "NVIDIA devices only");
    options chunks = in_lanes();
    chunks.strategy = strategy::chunked;
    refuse(chunks, lanes(), operation::scan, "strategy look_back or automatic");
    for (const operation op : {operation::scan, operation::reduce}) {
        options opts = in_lanes();
        opts.work_items = 16;
        refuse(opts, lanes(), op, "a multiple of 32");
        opts.work_items = 48;
        refuse(opts, lanes(), op, "power of two");
        opts.work_items = 2048;
        refuse(opts, lanes(), op, "1024");
    }
    options opts = in_lanes();
    opts.items = 7; // elements of 4 bytes come in packs of 4
    refuse(opts, lanes(), operation::scan, "items");
}

TEST_CASE("the source for lanes holds their kernels, with their numbers", "[unit]") {
    const program_text text{describe_type<float>(), describe_type<float>(), describe_operator<float>(upsweep::plus{})};
    const auto contains = [](const std::string& whole, const std::string& part) {
        return whole.find(part) != std::string::npos;
    };
    const tuning scan = choose_tuning("f", {}, lanes(), {operation::scan, 1 << 28, 4});
    const std::string scan_text = build_source(text, scan, family_of(operation::scan, scan), false);
    CHECK(contains(scan_text, "#define UPSWEEP_WORK_ITEMS " + std::to_string(scan.work_items) + "\n"));
    CHECK(contains(scan_text, "#define UPSWEEP_PTX 1\n"));
    CHECK(contains(scan_text, "#define UPSWEEP_ASYNC_COPY 1\n"));
    CHECK(contains(scan_text, "#line 1 \"launch/scan_look_back_lanes.cl\""));
    CHECK_FALSE(contains(scan_text, "#line 1 \"launch/reduce_lanes.cl\""));

    const tuning reduce = choose_tuning("f", {}, lanes(), {operation::reduce, 1 << 28, 4});
    const std::string reduce_text = build_source(text, reduce, family_of(operation::reduce, reduce), false);
    CHECK(contains(reduce_text, "#line 1 \"launch/reduce_lanes.cl\""));
    CHECK_FALSE(contains(reduce_text, "#line 1 \"launch/scan_look_back_lanes.cl\""));
}

TEST_CASE("each back end of lanes has a source and a version of its own", "[unit]") {
    const program_text text{describe_type<float>(), describe_type<float>(), describe_operator<float>(upsweep::plus{})};
    const auto check = [&](lanes_backend by, const std::string& file, const std::string& version) {
        const tuning t = choose_tuning("f", {}, lanes(49152, by), {operation::scan, 1 << 20, 4});
        const std::string source = build_source(text, t, family::look_back, false);
        const auto contains = [&](const std::string& part) { return source.find(part) != std::string::npos; };
        INFO(file);
        for (const std::string name : {"lanes_ptx", "lanes_khr", "lanes_intel"})
            CHECK(contains("#line 1 \"sub_group/" + name + ".cl\"") == (name == file));
        CHECK(contains("#define UPSWEEP_SUB_GROUP_SIZE 32\n") == (by != lanes_backend::ptx));
        CHECK(build_options(t).find("-cl-std=CL" + version) == 0);
    };
    check(lanes_backend::ptx, "lanes_ptx", "1.2");
    check(lanes_backend::khr, "lanes_khr", "3.0");
    check(lanes_backend::intel, "lanes_intel", "1.2");
}
