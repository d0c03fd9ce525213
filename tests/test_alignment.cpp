// SPDX-License-Identifier: MIT
// Where arrays begin: programs for arrays at multiples of 16 bytes leave out what others need, so a call must never
// give such a program another array.
#include <upsweep/detail/engine/plan_engines.hpp>
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace upsweep::detail;

namespace {

constexpr std::size_t line = packed_bytes;

cl_mem make_buffer(cl_mem_flags flags, std::size_t bytes, void* host = nullptr) {
    cl_int status = CL_SUCCESS;
    const cl_mem buffer = clCreateBuffer(test::context_of(test::queue()), flags, bytes, host, &status);
    CHECK(status == CL_SUCCESS);
    return buffer;
}

bool is_aligned_at(cl_mem buffer, std::uint64_t byte_offset) {
    const queue_facts queue = inspect_queue("f", test::queue());
    return check_view("f", "input", queue, buffer, 4, byte_offset, 4, access::input).is_aligned;
}

upsweep::options in_lanes_if_any() {
    upsweep::options opts;
    if (test::has_lanes()) opts.algorithm = upsweep::tile_algorithm::sub_group;
    return opts;
}

/// Scans and sums the elements that begin at `from` of one array into those that begin at `to` of another.
void check_views(const std::vector<std::int32_t>& values, cl_mem in, std::size_t from, std::size_t to, std::size_t n) {
    INFO("n = " << n << ", from " << from << ", to " << to);
    const std::vector<std::int32_t> input(values.begin() + static_cast<std::ptrdiff_t>(from),
                                          values.begin() + static_cast<std::ptrdiff_t>(from + n));
    const auto expected =
        test::reference_scan<std::int32_t>(input, false, std::optional<std::int32_t>(), upsweep::plus{});
    const test::guarded_array<std::int32_t> out(n, 64 + to);
    const cl::Buffer array(in, true);
    const upsweep::span<const std::int32_t> view{array, n, from * sizeof(std::int32_t)};
    upsweep::inclusive_scan(test::queue(), view, out.view(), upsweep::plus{}, {}, in_lanes_if_any());
    CHECK(test::first_difference(out.values(), expected) == -1);
    CHECK(out.untouched_outside(n));
    const test::guarded_array<std::int32_t> sum(1, 64 + to);
    upsweep::reduce(test::queue(), view, sum.view(), 0, upsweep::plus{}, {}, in_lanes_if_any());
    CHECK(sum.values()[0] == expected.back());
}

} // namespace

TEST_CASE("a program for aligned arrays is another than that for arrays at any place", "[unit]") {
    const call_types types = types_of<int, int>(upsweep::plus{});
    std::set<std::string> sources;
    std::vector<program_key> keys; // all different
    for (const bool aligned : {false, true}) {
        program_key key;
        key.text = types.text;
        key.text.is_aligned = aligned;
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
        CHECK(text_of(key.text).is_aligned == aligned);
        CHECK(view_of(text_of(key.text)).is_aligned == aligned);
        check_subject s;
        s.text = text_of(key.text);
        CHECK(check_text_of(s, false).is_aligned == aligned);
        sources.insert(build_source(text_of(key.text), {}, family::look_back, false));
    }
    CHECK(keys.size() == 2);
    CHECK(sources.size() == 2);
}

TEST_CASE("where arrays begin matters to kernels that move packs of them", "[unit]") {
    upsweep::tuning t;
    program_text_view text = types_of<int, int>(upsweep::plus{}).text;
    CHECK(!compiles_places_apart(text, t, operation::scan)); // textbook tiles move elements
    t.algorithm = upsweep::tile_algorithm::sub_group;
    CHECK(compiles_places_apart(text, t, operation::scan));
    CHECK(compiles_places_apart(text, t, operation::reduce));
    text.hooks.load = "computed";
    CHECK(compiles_places_apart(text, t, operation::scan)); // its results
    CHECK(!compiles_places_apart(text, t, operation::reduce));
    text.hooks.store = "handed on";
    CHECK(!compiles_places_apart(text, t, operation::scan));
    text.hooks = {};
    for (const bool of_results : {false, true}) { // 12 bytes are no part of 16
        program_text_view structs = text;
        structs.element.size = of_results ? 4 : 12;
        structs.value.size = 12;
        CHECK(compiles_places_apart(structs, t, operation::scan) == of_results);
        CHECK(compiles_places_apart(structs, t, operation::reduce) == of_results);
    }
    t.one_tile = true;
    CHECK(!compiles_places_apart(text, t, operation::scan));
}

TEST_CASE("an array is aligned by its place in the buffer that has the memory", "[api]") {
    const cl::Buffer buffer(make_buffer(CL_MEM_READ_WRITE, 1 << 16));
    CHECK(is_aligned_at(buffer(), 0));
    CHECK(!is_aligned_at(buffer(), 4));
    CHECK(!is_aligned_at(buffer(), line - 4));
    CHECK(is_aligned_at(buffer(), line));
    const cl_buffer_region region{1 << 15, 1 << 15};
    cl_int status = CL_SUCCESS;
    const cl::Buffer part(clCreateSubBuffer(buffer(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
    REQUIRE(status == CL_SUCCESS);
    CHECK(is_aligned_at(part(), line));
    CHECK(!is_aligned_at(part(), 4));
    std::vector<std::int32_t> host(1024);
    const cl::Buffer of_host(make_buffer(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 4000, host.data() + 1));
    CHECK(!is_aligned_at(of_host(), 0)); // nobody says where the device has it
}

TEST_CASE("arrays that begin anywhere are scanned and summed, one after another", "[api]") {
    for (const std::size_t n : {5, 5000, 70001}) {
        std::vector<std::int32_t> values = test::make_input<std::int32_t>(n + 5, 11);
        const test::guarded_array<std::int32_t> copy(values, 0);
        for (const std::size_t from : {0, 1, 3, 4})
            for (const std::size_t to : {0, 1, 4}) check_views(values, copy.view().buffer(), from, to, n);
        check_views(values, copy.view().buffer(), 0, 0, n);
        const std::size_t bytes = (n + 4) * sizeof(std::int32_t);
        const cl::Buffer own(make_buffer(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, values.data() + 1));
        const std::vector<std::int32_t> behind_first(values.begin() + 1, values.end());
        for (const std::size_t from : {0, 3}) check_views(behind_first, own(), from, 0, n);
    }
}

TEST_CASE("a plan serves both kinds of scan, of arrays at any place, on several threads", "[api]") {
    const std::size_t n = 50001;
    const auto input = test::make_input<std::int32_t>(n, 21);
    const upsweep::scan_plan<std::int32_t> plan(test::queue(), n, upsweep::plus{}, in_lanes_if_any());
    const std::array<std::size_t, 3> places{0, 1, line / sizeof(std::int32_t)};
    std::array<std::array<std::ptrdiff_t, 2>, 9> differences{};
    const auto scan_all = [&](bool exclusive) {
        const auto expected = test::reference_scan<std::int32_t>(input, exclusive, std::int32_t{5}, upsweep::plus{});
        for (std::size_t i = 0; i < differences.size(); ++i) {
            const test::guarded_array<std::int32_t> in(input, 64 + places[i % 3]);
            const test::guarded_array<std::int32_t> out(n, 64 + places[i / 3]);
            if (exclusive)
                plan.exclusive_scan(test::queue(), in.view(), out.view(), 5);
            else
                plan.inclusive_scan(test::queue(), in.view(), out.view(), 5);
            differences[i][exclusive] =
                out.untouched_outside(n) ? test::first_difference(out.values(), expected) : std::ptrdiff_t{-2};
        }
    };
    std::thread other(scan_all, true);
    scan_all(false);
    other.join();
    for (const auto& each : differences) {
        CHECK(each[0] == -1);
        CHECK(each[1] == -1);
    }
}

TEST_CASE("a plan's programs are for the calls that they are given", "[unit]") {
    const call_types types = types_of<std::int32_t, std::int32_t>(upsweep::plus{});
    const queue_facts queue = inspect_queue("f", test::queue());
    for (const operation op : {operation::scan, operation::reduce}) {
        const plan_engines plan("f", queue, op, 5000, types, in_lanes_if_any());
        for (const scan_kind kind : {scan_kind::exclusive, scan_kind::inclusive})
            for (const bool aligned : {true, false}) {
                const scan_kind own = op == operation::scan ? kind : scan_kind::any;
                const engine& e = plan.of("f", queue, own, aligned);
                CHECK(e.programs.elements);
                CHECK((e.scan == scan_kind::any || e.scan == own));
                CHECK((aligned || !e.is_aligned));
                CHECK(&plan.of("f", queue, own, aligned) == &e);
                CHECK(plan.scratch_bytes() >= e.full.scratch_bytes);
            }
    }
}
