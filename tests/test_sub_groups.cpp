// SPDX-License-Identifier: MIT
// Which of a device's sub-groups kernels use: by what the device says, and by what its kernels turn out to have.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace upsweep::detail;
using upsweep::tile_algorithm;

namespace {

device_limits chosen(const sub_group_facts& facts, std::string_view only = {}) {
    device_limits limits;
    choose_sub_groups(limits, facts, only);
    return limits;
}

const std::string khr = "cl_khr_fp64 cl_khr_subgroup_ballot cl_khr_subgroup_shuffle";
const std::string intel = "cl_intel_subgroups cl_intel_required_subgroup_size";

upsweep::options asking_for_lanes() {
    upsweep::options opts;
    opts.algorithm = tile_algorithm::sub_group;
    return opts;
}

/// The program for a scan by sub-groups whose kernels ask the device for sub-groups of `size`.
std::shared_ptr<built_program> scan_in(std::uint32_t size) {
    const upsweep::options opts = asking_for_lanes();
    program_key key;
    key.context = test::context_of(test::queue());
    key.device = upsweep::default_device().device();
    key.text = view_text<float, float>(upsweep::plus{});
    key.kind = family::look_back;
    key.tuning = choose_tuning("f", opts, test::limits(), {operation::scan, 100000, 4});
    key.tuning.sub_group_size = size;
    return find_program("f", test::limits(), key);
}

/// Whether scans of some sizes are right, and made by sub-groups or not.
template <class Op>
void check_scans(bool in_lanes, const Op& op, const upsweep::options& opts) {
    for (const std::size_t n : {1, 33, 5000, 70001}) {
        INFO("n = " << n);
        const auto input = test::make_input<std::int32_t>(n, 7);
        std::vector<std::int32_t> out(n);
        upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), op, opts);
        CHECK(out == test::reference_scan<std::int32_t>(input, false, std::optional<std::int32_t>(), upsweep::plus{}));
        const upsweep::scan_plan<std::int32_t, std::int32_t, Op> plan(test::queue(), n, op, opts);
        CHECK((plan.launches().tuning.algorithm == tile_algorithm::sub_group) == in_lanes);
    }
}

template <class Op>
void check_calls(bool in_lanes, const Op& op, const upsweep::options& opts) {
    check_scans(in_lanes, op, opts);
    for (const std::size_t n : {1, 33, 5000, 70001}) {
        INFO("n = " << n);
        const auto input = test::make_input<std::int32_t>(n, 7);
        const auto sums =
            test::reference_scan<std::int32_t>(input, false, std::optional<std::int32_t>(), upsweep::plus{});
        CHECK(upsweep::reduce(test::queue(), input.begin(), input.end(), 0, op, opts) == sums.back());
    }
}

} // namespace

TEST_CASE("sub-groups are chosen by what the device says", "[unit]") {
    const std::string both = khr + " " + intel;
    CHECK(chosen({"cl_khr_fp64", "OpenCL 3.0 x", {}}).lanes == lanes_backend::none);
    CHECK(chosen({khr, "OpenCL 3.0 x", {}}).lanes == lanes_backend::khr);
    CHECK(chosen({khr, "OpenCL 3.0 x", {}}).sub_group_size == 0);
    CHECK(chosen({khr, "OpenCL 3.0 x", {}}).opencl_c == 30);
    CHECK(chosen({khr, "OpenCL 2.1 x", {}}).opencl_c == 20);
    CHECK(chosen({khr, "OpenCL 1.2 x", {}}).lanes == lanes_backend::none);
    CHECK(chosen({"cl_khr_subgroup_shuffle", "OpenCL 3.0 x", {}}).lanes == lanes_backend::none);
    CHECK(chosen({both, "OpenCL 3.0 x", {8, 16, 32}}).lanes == lanes_backend::khr);
    CHECK(chosen({both, "OpenCL 3.0 x", {8, 16, 32}}).sub_group_size == 32);
    CHECK(chosen({both, "OpenCL 3.0 x", {64}}).sub_group_size == 64);
    CHECK(chosen({both, "OpenCL 3.0 x", {8, 16}}).lanes == lanes_backend::none);
    CHECK(chosen({both, "OpenCL 1.2 x", {8, 16, 32}}).lanes == lanes_backend::intel);
    CHECK(chosen({both, "OpenCL 1.2 x", {8, 16, 32}}).opencl_c == 12);
    CHECK(chosen({intel, "OpenCL 3.0 x", {64}}).lanes == lanes_backend::none);
    CHECK(chosen({both, "OpenCL 3.0 x", {32}}, "intel").lanes == lanes_backend::intel);
    CHECK(chosen({both, "OpenCL 3.0 x", {32}}, "none").lanes == lanes_backend::none);
    CHECK(chosen({both, "OpenCL 3.0 PoCL HSTR: x", {32}}).lanes == lanes_backend::none);
    CHECK(chosen({both, "OpenCL 3.0 PoCL HSTR: x", {32}}, "khr").lanes == lanes_backend::khr);
}

TEST_CASE("32 lanes fit sub-groups of 32, 64 and 128", "[unit]") {
    for (const std::size_t size : {0, 1, 8, 16, 48, 96, 256}) CHECK_FALSE(holds_lanes(size));
    for (const std::size_t size : {32, 64, 128}) CHECK(holds_lanes(size));
}

TEST_CASE("kernels whose sub-groups are too narrow are not run", "[api]") {
    if (test::limits().lanes != lanes_backend::khr || test::limits().sub_group_size == 0)
        return test::skip("no sub-groups whose size can be asked for");
    CHECK(scan_in(test::limits().sub_group_size) != nullptr);
    const test::disguise narrow([](device_limits& limits) {
        limits.is_cpu = false;
        limits.sub_group_size = 16;
    });
    CHECK(scan_in(16) == nullptr);
    check_calls(false, upsweep::plus{}, {});
    const std::vector<std::int32_t> input(1000, 1);
    CHECK_THROWS_AS(upsweep::reduce(test::queue(), input.begin(), input.end(), 0, upsweep::plus{}, asking_for_lanes()),
                    upsweep::error);
}

TEST_CASE("32 lanes may be half of a sub-group of the device, or a quarter", "[api]") {
    if (test::limits().lanes != lanes_backend::khr || test::limits().sub_group_size == 0)
        return test::skip("no sub-groups whose size can be asked for");
    const sub_group_facts facts =
        ask_sub_groups("test", upsweep::default_device().device(), "cl_intel_required_subgroup_size");
    for (const std::size_t size : facts.sizes) {
        if (size != 64 && size != 128) continue;
        INFO("sub-groups of " << size);
        const test::disguise wide(
            [&](device_limits& limits) { limits.sub_group_size = static_cast<std::uint32_t>(size); });
        // Scans only: where rows of one vector part, Intel's CPU runtime makes loads that a condition forbids, and the
        // reduction's stack (tree.cl) is then read at index -1.
        check_scans(true, upsweep::plus{}, asking_for_lanes());
    }
}

TEST_CASE("where lanes do not compile, what is automatic goes without", "[api]") {
    if (test::limits().has_ptx) return test::skip("no sub-groups");
    if (test::limits().mixes_up_work_items) return test::skip("no work-groups of several work-items");
    const test::disguise broken([](device_limits& limits) {
        limits.is_cpu = false;
        limits.has_atomics64 = true;
        limits.lanes = lanes_backend::khr;
        limits.opencl_c = 99; // no compiler has it; sub-groups of 7, say, some take and then get wrong
    });
    check_calls(false, upsweep::make_operator<std::int32_t>("return left + right;"), {});
    const std::vector<std::int32_t> input(1000, 1);
    CHECK_THROWS_AS(upsweep::reduce(test::queue(), input.begin(), input.end(), 0, upsweep::plus{}, asking_for_lanes()),
                    upsweep::error);
}

TEST_CASE("kernels without a code for each kind of scan have one program for both", "[unit]") {
    upsweep::tuning t;
    t.strategy = upsweep::strategy::look_back;
    t.ptx = true;
    CHECK(!compiles_kinds_apart(t)); // textbook tiles learn the kind when they run
    t.canonical = true;
    CHECK(compiles_kinds_apart(t));
    t.canonical = false;
    t.algorithm = tile_algorithm::sub_group;
    CHECK(compiles_kinds_apart(t));
    t.strategy = upsweep::strategy::reduce_then_scan;
    CHECK(!compiles_kinds_apart(t));
}

TEST_CASE("a program for one kind of scan is another than that for both", "[unit]") {
    const call_types types = types_of<int, int>(upsweep::plus{});
    std::set<std::string> sources, classes;
    std::vector<program_key> keys; // all different
    for (const scan_kind kind : {scan_kind::any, scan_kind::exclusive, scan_kind::inclusive}) {
        program_key key;
        key.text = types.text;
        key.text.scan = kind;
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
        check_subject s;
        s.text = text_of(key.text);
        CHECK(s.text.scan == kind);
        classes.insert(class_name(s));
        sources.insert(build_source(s.text, {}, family::look_back, false));
    }
    CHECK(keys.size() == 3);
    CHECK(classes.size() == 3);
    CHECK(sources.size() == 3);
}
