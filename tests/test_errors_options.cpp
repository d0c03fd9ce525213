// SPDX-License-Identifier: MIT
// Options that no device or not this one can run, sizes beyond the device, misused plans and workspaces.
#include "device_fixture.hpp"

#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

using namespace fixture;
using upsweep::span;
using upsweep::strategy;

namespace {

/// What every call says about these options for n = 10 ints.
void all_reject(const upsweep::options& opts, const std::string& phrase) {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> in(queue, ten);
    const guarded_array<int> out(queue, 10);
    const upsweep::no_init_t none;
    const upsweep::plus plus;
    std::vector<int> host(10);
    expect_error("inclusive_scan", "options", phrase,
                 [&] { upsweep::inclusive_scan(queue, in.input(), out.view(), plus, {}, opts); });
    expect_error("exclusive_scan", "options", phrase,
                 [&] { upsweep::exclusive_scan(queue, in.input(), out.view(), 0, plus, {}, opts); });
    expect_error("reduce", "options", phrase,
                 [&] { upsweep::reduce(queue, in.input(), out.view(), none, plus, {}, opts); });
    expect_error("scan_plan", "options", phrase, [&] { upsweep::scan_plan<int>(queue, 10, plus, opts); });
    expect_error("reduce_plan", "options", phrase, [&] { upsweep::reduce_plan<int>(queue, 10, plus, opts); });
    expect_error("exclusive_scan", "options", phrase,
                 [&] { upsweep::exclusive_scan(queue, ten.begin(), ten.end(), host.begin(), 0, plus, opts); });
    expect_error("reduce", "options", phrase, [&] { upsweep::reduce(queue, ten.begin(), ten.end(), 0, plus, opts); });
    queue.finish();
    CHECK(out.untouched());
}

/// A device like a small GPU.
detail::device_limits gpu() {
    detail::device_limits limits;
    limits.name = "doctored";
    limits.has_double = true;
    limits.compute_units = 4;
    limits.max_work_group_size = 256;
    limits.local_memory_bytes = 32768;
    limits.max_allocation_bytes = std::uint64_t{1} << 30;
    return limits;
}

void gpu_rejects(const upsweep::options& opts, std::uint64_t n, std::size_t value_size, const std::string& phrase) {
    for (const auto op : {detail::operation::scan, detail::operation::reduce})
        expect_error("f", "options", phrase, [&] { detail::choose_tuning("f", opts, gpu(), {op, n, value_size}); });
}

} // namespace

TEST_CASE("work-items that are no power of two are rejected", "[errors]") {
    for (const std::uint32_t w : {3U, 6U, 100U, 0xffffffffU}) {
        const std::string phrase = std::to_string(w) + " work-items per work-group: must be a power of two";
        all_reject(small_tiles(strategy::automatic, w), phrase);
        gpu_rejects(small_tiles(strategy::chunked, w), 1000, 4, phrase);
    }
}

TEST_CASE("more work-items than the device has are rejected", "[errors]") {
    const std::size_t most = limits_of(upsweep::default_queue()).max_work_group_size;
    REQUIRE(most < (std::size_t{1} << 31));
    const auto more = 2 * detail::floor_power_of_two(most);
    all_reject(small_tiles(strategy::automatic, more, 1),
               std::to_string(more) + " work-items per work-group, but device");
    gpu_rejects(small_tiles(strategy::scan_then_propagate, 512), 1000, 4,
                "512 work-items per work-group, but device doctored allows 256");
}

TEST_CASE("tiles that are too large are rejected", "[errors]") {
    all_reject(small_tiles(strategy::automatic, 8, 4097), "at most 4096 elements per work-item and 2^24 per tile");
    all_reject(small_tiles(strategy::automatic, 8, 0xffffffffU), "at most 4096 elements per work-item");
    // 256 x 32 ints are 32 KiB exactly, and padded more; a struct of 64 bytes needs 16 times that.
    gpu_rejects(small_tiles(strategy::reduce_then_scan, 256, 32), 1000, 4,
                "256 work-items x 32 elements need 33788 bytes of local memory, but device doctored has 32768");
    gpu_rejects(small_tiles(strategy::single_tile, 256, 4), 1000, 64, "bytes of local memory");
    upsweep::options bare = small_tiles(strategy::reduce_then_scan, 256, 32);
    bare.bank_padding = false;
    CHECK(detail::choose_tuning("f", bare, gpu(), {detail::operation::scan, 1000, 4}).tile() == 8192);
}

TEST_CASE("a single tile must hold everything", "[errors]") {
    all_reject(small_tiles(strategy::single_tile, 4, 2),
               "10 elements do not fit one tile of 4 work-items x 2 elements");
    gpu_rejects(small_tiles(strategy::single_tile, 4, 2), 9, 4, "9 elements do not fit");
    CHECK(detail::choose_tuning("f", small_tiles(strategy::single_tile, 4, 2), gpu(), {detail::operation::scan, 8, 4})
              .tile() == 8);
}

TEST_CASE("tiles of one element are rejected where sums would never get fewer", "[errors]") {
    const char* phrase = "tiles of one element: sums would never get fewer";
    all_reject(small_tiles(strategy::reduce_then_scan, 1, 1), phrase);
    all_reject(small_tiles(strategy::scan_then_propagate, 1, 1), phrase);
    gpu_rejects(small_tiles(strategy::automatic, 1, 1), 2, 4, phrase);
}

TEST_CASE("scratch that exceeds the device is rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    detail::device_limits limits = gpu();
    const auto tuning = detail::choose_tuning("f", small_tiles(strategy::reduce_then_scan, 8, 2), limits,
                                              {detail::operation::scan, 1 << 20, 4});
    const upsweep::launch_plan plan = detail::plan_passes(detail::operation::scan, 1 << 20, tuning, 4);
    REQUIRE(plan.scratch_bytes > (1 << 18)); // 2^16 sums of 4 bytes, and theirs
    limits.max_allocation_bytes = plan.scratch_bytes;
    detail::check_scratch("f", plan, limits);
    --limits.max_allocation_bytes;
    expect_error("f", "n", "1048576 elements need " + std::to_string(plan.scratch_bytes) + " bytes of scratch, but",
                 [&] { detail::check_scratch("f", plan, limits); });

    // On this device, through plans: half as many sums as elements, up to sizes whose bytes do not fit 64 bits.
    for (const std::size_t n : {std::size_t{1} << 50, std::size_t{1} << 63, std::numeric_limits<std::size_t>::max()})
        for (const auto s : {strategy::reduce_then_scan, strategy::scan_then_propagate}) {
            expect_error("scan_plan", "n", "bytes of scratch",
                         [&] { upsweep::scan_plan<int>(queue, n, upsweep::plus{}, small_tiles(s, 1, 2)); });
            expect_error("reduce_plan", "n", "bytes of scratch",
                         [&] { upsweep::reduce_plan<int>(queue, n, upsweep::plus{}, small_tiles(s, 1, 2)); });
        }
}

TEST_CASE("an unsuitable workspace is rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const own_context another(queue);
    const cl::CommandQueue& other = another.queue;
    const std::vector<int> many(1000, 1);
    const guarded_array<int> in(queue, many);
    const guarded_array<int> out(queue, 1000);
    const upsweep::options opts = small_tiles(strategy::reduce_then_scan, 1, 8);
    const upsweep::scan_plan<int> scan(queue, 1000, upsweep::plus{}, opts);
    const upsweep::reduce_plan<int> reduce(queue, 1000, upsweep::plus{}, opts);
    const auto reject_scans = [&](const span<unsigned char>& workspace, const std::string& phrase) {
        expect_error("inclusive_scan", "workspace", phrase,
                     [&] { scan.inclusive_scan(queue, in.input(), out.view(), {}, workspace); });
        expect_error("inclusive_scan", "workspace", phrase,
                     [&] { scan.inclusive_scan(queue, in.input(), out.view(), 1, {}, workspace); });
        expect_error("exclusive_scan", "workspace", phrase,
                     [&] { scan.exclusive_scan(queue, in.input(), out.view(), 0, {}, workspace); });
    };
    const auto reject_reductions = [&](const span<unsigned char>& workspace, const std::string& phrase) {
        expect_error("reduce", "workspace", phrase,
                     [&] { reduce.reduce(queue, in.input(), out.view(), upsweep::no_init, {}, workspace); });
        expect_error("reduce", "workspace", phrase,
                     [&] { reduce.reduce(queue, in.input(), out.view(), 1, {}, workspace); });
    };
    const auto reject = [&](const span<unsigned char>& workspace, const std::string& phrase) {
        reject_scans(workspace, phrase);
        reject_reductions(workspace, phrase);
    };
    const std::size_t of_scans = scan.workspace_bytes();
    const std::size_t of_reductions = reduce.workspace_bytes();
    REQUIRE(std::min(of_scans, of_reductions) > 0);
    const std::size_t need = std::max(of_scans, of_reductions);
    const cl::Buffer room = poisoned_buffer(queue, 2 * need);
    const auto less_than = [](std::size_t bytes) {
        return std::to_string(bytes - 1) + " bytes are less than the " + std::to_string(bytes);
    };
    reject_scans({room, of_scans - 1}, less_than(of_scans));
    reject_reductions({room, of_reductions - 1}, less_than(of_reductions));
    reject({room, 2 * need + 1}, "is larger than its buffer");
    reject({room, need, 256}, "must begin at the start of its buffer");
    reject({poisoned_buffer(other, need), need}, "another context");
    reject({poisoned_buffer(queue, need, CL_MEM_READ_ONLY), need}, "read-only");
    reject({in.buffer(), need}, "overlaps the input or the output");
    reject({out.buffer(), need}, "overlaps the input or the output");

    // The same memory by another name.
    const cl_buffer_region region{0, need};
    const auto part_of = [&](const cl::Buffer& parent) {
        cl_int status = CL_SUCCESS;
        cl::Buffer part(clCreateSubBuffer(parent(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
        REQUIRE(status == CL_SUCCESS);
        return part;
    };
    reject({part_of(in.buffer()), need}, "overlaps the input or the output");
    reject({part_of(out.buffer()), need}, "overlaps the input or the output");
    queue.finish();
    CHECK(out.untouched());
    CHECK(in.values() == many);
    CHECK(is_poison(bytes_of(queue, room(), 2 * need), 0, 2 * need));
}

TEST_CASE("a plan used beyond its capacity or on another context is rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const own_context another(queue);
    const cl::CommandQueue& other = another.queue;
    const guarded_array<int> in(queue, ten);
    const guarded_array<int> out(queue, 10);
    const upsweep::scan_plan<int> small_scan(queue, 9);
    const upsweep::reduce_plan<int> small_reduce(queue, 9);
    const char* phrase = "10 elements are more than the plan's 9";
    expect_error("inclusive_scan", "input", phrase, [&] { small_scan.inclusive_scan(queue, in.input(), out.view()); });
    expect_error("exclusive_scan", "input", phrase,
                 [&] { small_scan.exclusive_scan(queue, in.input(), out.view(), 0); });
    expect_error("reduce", "input", phrase, [&] { small_reduce.reduce(queue, in.input(), out.view()); });

    const upsweep::scan_plan<int> scan(queue, 10);
    const upsweep::reduce_plan<int> reduce(queue, 10);
    const guarded_array<int> in_other(other, ten);
    const guarded_array<int> out_other(other, 10);
    const char* elsewhere = "of another context or device than the plan was made for";
    expect_error("inclusive_scan", "queue", elsewhere,
                 [&] { scan.inclusive_scan(other, in_other.input(), out_other.view()); });
    expect_error("exclusive_scan", "queue", elsewhere,
                 [&] { scan.exclusive_scan(other, in_other.input(), out_other.view(), 0); });
    expect_error("reduce", "queue", elsewhere, [&] { reduce.reduce(other, in_other.input(), out_other.view()); });
    CHECK(out.untouched());
    CHECK(out_other.untouched());
}

TEST_CASE("options are checked where no engine is made", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> in(queue, ten), out(queue, 10);
    const guarded_array<std::uint32_t> count(queue, 1);
    std::vector<int> none, host;
    upsweep::options opts, unknown, lanes, text;
    opts.work_items = 3;
    unknown.strategy = static_cast<strategy>(99);
    lanes.run_packs = 3;
    text.build_options = "-w";
    for (const upsweep::options& wrong : {opts, unknown, text}) {
        const char* argument = wrong.build_options.empty() ? "options" : "build_options";
        expect_error("copy_if", argument, "",
                     [&] { upsweep::copy_if(queue, span<const int>(), out.view(), count.view(), "a > 0", {}, wrong); });
        expect_error("copy_if", argument, "", [&] {
            upsweep::copy_if(queue, none.begin(), none.end(), std::back_inserter(host), "a > 0", wrong);
        });
    }
    expect_error("reduce", "options", "", [&] {
        upsweep::reduce(queue, upsweep::rows(in.input(), 2, 5), out.view(), 0, upsweep::plus{}, {}, lanes);
    });
}
