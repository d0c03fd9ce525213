// SPDX-License-Identifier: MIT
// Reductions by work-items on their own, in one launch and in two: devices with and without 64-bit atomics.
#include <upsweep/reference.hpp>

#include "catch.hpp"
#include "forced_tuning.hpp"
#include "internals.hpp"
#include "support.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

using namespace fixture;
using upsweep::pass;
using upsweep::detail::operation;
using upsweep::detail::plan_passes;

namespace {

using chunk_word = std::uint32_t;

/// Sizes around the smallest chunks and the largest, and around what as many of them make as there are work-groups.
const std::vector<std::size_t> edges_of_chunks{0,     1,     127,   128,    4095,   4096,   4097,    8191,   8192,
                                               12289, 65535, 65536, 131071, 200000, 262144, 1 << 20, 1000003};

/// Compares one launch and two with the host.
/// @param combine  what `op` computes
template <class T, class Op, class Combine, class Make>
void check_chunk_reductions(const Op& op, const Combine& combine, T init, const Make& make) {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const std::uint32_t groups : {1U, 3U, 16U}) {
        upsweep::options opts = small_tiles(upsweep::strategy::chunked, 1, 0);
        opts.work_groups = groups;
        const bool is_exact = std::is_same_v<Op, upsweep::plus> && std::is_integral_v<T>;
        upsweep::tuning t = detail::resolve_options("test", opts, limits_of(queue),
                                                    {operation::reduce, 1 << 20, sizeof(T), is_exact, sizeof(T)});
        for (const std::size_t n : edges_of_chunks) {
            std::vector<T> in(n);
            for (std::size_t i = 0; i < n; ++i) in[i] = make(i);
            const T plain = n == 0 ? T{} : upsweep::reference::reduce(in.begin(), in.end(), upsweep::no_init, combine);
            const T with_init = upsweep::reference::reduce(in.begin(), in.end(), init, combine);
            for (const bool one_launch : {true, false}) {
                CAPTURE(groups, one_launch, n);
                t.one_launch = one_launch;
                CHECK(run_tuned<T>(queue, operation::reduce, in, nullptr, op, t) == std::vector<T>{plain});
                CHECK(run_tuned<T>(queue, operation::reduce, in, &init, op, t) == std::vector<T>{with_init});
            }
        }
    }
}

bool has_launches_of_chunks() {
    const detail::device_limits limits = limits_of(upsweep::default_queue());
    if (limits.is_cpu && limits.has_atomics64) return true;
    test::skip("chunks of one work-item are for CPUs");
    return false;
}

} // namespace

TEST_CASE("reductions by work-items on their own are the same in one launch and in two", "[canonical]") {
    if (!has_launches_of_chunks()) return;
    check_chunk_reductions<chunk_word>(
        upsweep::plus{}, [](chunk_word a, chunk_word b) { return a + b; }, chunk_word{7},
        [](std::size_t i) { return static_cast<chunk_word>(i * 2654435761U); });
    check_chunk_reductions<float>(
        upsweep::plus{}, [](float a, float b) { return a + b; }, 0.25F,
        [](std::size_t i) { return static_cast<float>(i % 1013) * 0.1F; });
    // Not associative, so that any other order shows.
    const auto affine = upsweep::make_operator<chunk_word>("return left * (right | 1u) + right;");
    check_chunk_reductions<chunk_word>(
        affine, [](chunk_word a, chunk_word b) { return a * (b | 1U) + b; }, chunk_word{3},
        [](std::size_t i) { return static_cast<chunk_word>(i * 40503U); });
}

TEST_CASE("one launch of chunks covers all elements, and each work-group has a ticket and a place", "[unit]") {
    constexpr std::uint64_t one = 1;
    for (const std::uint32_t tree_run : {1U, 128U})
        for (const std::uint32_t groups : {1U, 2U, 64U, 1U << 31U}) {
            std::uint64_t bytes_before = 0;
            for (const std::uint64_t n : {one * 0, one, one * 4095, one * 4096, one * 8192, one * 8193, one * 1000003,
                                          one << 31, one << 46, (one << 46) + 1, one << 48, one << 62}) {
                upsweep::tuning t;
                t.strategy = upsweep::strategy::chunked;
                t.one_launch = true;
                t.work_groups = groups;
                t.tree_run = tree_run;
                const upsweep::launch_plan s = plan_passes(operation::reduce, n, t, 12);
                CAPTURE(tree_run, groups, n);
                REQUIRE(s.passes.size() == 1);
                CHECK(s.passes[0].what == pass::kind::reduce_chunks_once);
                const std::uint64_t launched = s.passes[0].work_groups;
                const std::uint64_t covered = launched * s.chunk;
                CHECK((tree_run > 1 ? covered <= n || launched == 1 : covered >= n));
                CHECK(n <= covered + (tree_run > 1 ? s.chunk - 1 : 0));
                CHECK(launched < one << 32); // work-groups count in 32 bits
                // The counter's part of a state, then three words of each value.
                if (launched > 1) CHECK(s.scratch_bytes >= 8 * (32 + 3 * launched));
                CHECK(s.scratch_bytes >= bytes_before);
                bytes_before = s.scratch_bytes;
            }
        }
}

TEST_CASE("one launch of chunks is chosen for reductions by single work-items of CPUs with 64-bit atomics", "[unit]") {
    detail::device_limits cpu = large_nvidia_gpu(); // but for what makes it a GPU
    cpu.is_cpu = true;
    cpu.has_ptx = cpu.has_async_copy = false;
    cpu.lanes = detail::lanes_backend::none;
    const auto chosen = [](const detail::device_limits& device, operation op, const upsweep::options& opts) {
        return detail::resolve_options("test", opts, device, {op, 1 << 20, 4, true, 4}).one_launch;
    };
    upsweep::options chunks;
    chunks.strategy = upsweep::strategy::chunked;
    chunks.work_items = 1;
    for (const bool is_open : {true, false}) {
        const upsweep::options opts = is_open ? upsweep::options() : chunks;
        CHECK(chosen(cpu, operation::reduce, opts));
        CHECK_FALSE(chosen(cpu, operation::scan, opts));
        detail::device_limits other = cpu;
        other.has_atomics64 = false;
        CHECK_FALSE(chosen(other, operation::reduce, opts));
        other = cpu;
        other.is_cpu = false;
        CHECK_FALSE(chosen(other, operation::reduce, opts));
    }
    const auto takes_one = [&](std::size_t value_size, std::size_t element_size) {
        return detail::resolve_options("test", chunks, cpu,
                                       {operation::reduce, 1 << 20, value_size, true, element_size})
            .one_launch;
    };
    CHECK(takes_one(1024, 1024));
    CHECK_FALSE(takes_one(1028, 1028));
    CHECK_FALSE(takes_one(4, 1028));
    chunks.work_items = 8;
    CHECK_FALSE(chosen(cpu, operation::reduce, chunks));
}
