// SPDX-License-Identifier: MIT
// One test per defect of the published scan and reduce listings: each fails for kernels, or a plan, with that defect.
#include "device_fixture.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

using namespace fixture;
using upsweep::options;
using upsweep::strategy;

namespace {

/// Scans both ways and reduces `input` between guards, and compares with the serial reference.
template <class T>
void check_all(const cl::CommandQueue& queue, const std::vector<T>& input, const options& opts) {
    CAPTURE(opts.strategy, opts.algorithm, opts.reduction, opts.items, input.size());
    const auto op = test::natural_operator<T>();
    const T init = test::make_init<T>();
    const guarded_array<T> in(queue, input);
    const guarded_array<T> inclusive(queue, input.size());
    const guarded_array<T> exclusive(queue, input.size());
    const guarded_array<T> sum(queue, 1);
    upsweep::inclusive_scan(queue, in.input(), inclusive.view(), op, {}, opts).wait();
    upsweep::exclusive_scan(queue, in.input(), exclusive.view(), init, op, {}, opts).wait();
    upsweep::reduce(queue, in.input(), sum.view(), upsweep::no_init, op, {}, opts).wait();
    const std::vector<T> expected = test::reference_scan<T>(input, false, std::optional<T>(), op);
    CHECK(test::first_difference(inclusive.values(), expected) == -1);
    CHECK(test::first_difference(exclusive.values(),
                                 test::reference_scan<T>(input, true, std::optional<T>(init), op)) == -1);
    CHECK(test::first_difference(sum.values(), std::vector<T>{expected.back()}) == -1);
    CHECK(inclusive.guards_intact());
    CHECK(exclusive.guards_intact());
    CHECK(sum.guards_intact());
}

/// The matrix ((1 a c) (0 1 b) (0 0 1)) of wrapping integers.
struct unitriangular {
    std::uint64_t a, b, c;
    friend bool operator==(const unitriangular& l, const unitriangular& r) {
        return l.a == r.a && l.b == r.b && l.c == r.c;
    }
};

unitriangular multiply(const unitriangular& l, const unitriangular& r) {
    return {l.a + r.a, l.b + r.b, l.c + r.c + l.a * r.b};
}

} // namespace

template <>
struct upsweep::type<unitriangular> {
    static constexpr const char* name = "unitriangular";
    static constexpr const char* definition = "typedef struct { ulong a; ulong b; ulong c; } unitriangular;";
};

// Defect: the "serial" reference adds neighbours (out[i] = in[i - 1] + in[i]) instead of accumulating, and so agrees
// with a kernel that stops after one step. What the tests compare with is itself compared with numbers done by hand.
TEST_CASE("the serial reference accumulates", "[defects]") {
    const std::vector<int> in{3, 1, 7, 0, 4, 1, 6, 3};
    const std::optional<int> none;
    CHECK(test::reference_scan<int>(in, false, none, upsweep::plus{}) ==
          std::vector<int>{3, 4, 11, 11, 15, 16, 22, 25});
    CHECK(test::reference_scan<int>(in, true, std::optional<int>(0), upsweep::plus{}) ==
          std::vector<int>{0, 3, 4, 11, 11, 15, 16, 22});
    CHECK(test::reference_scan<int>(in, false, std::optional<int>(10), upsweep::plus{}) ==
          std::vector<int>{13, 14, 21, 21, 25, 26, 32, 35});
    const std::vector<std::uint8_t> bytes{200, 100, 7};
    CHECK(test::reference_scan<int>(bytes, false, none, upsweep::plus{}) == std::vector<int>{200, 300, 307});
    CHECK(test::reference_scan<std::uint8_t>(bytes, false, std::optional<std::uint8_t>(), upsweep::plus{}) ==
          std::vector<std::uint8_t>{200, 44, 51});
    const std::vector<test::segment> segments{{0, 0, 0}, {1, 1, 0}, {3, 3, 0}};
    const auto joined =
        test::reference_scan<test::segment>(segments, false, std::optional<test::segment>(), test::join_segments());
    CHECK(joined == std::vector<test::segment>{{0, 0, 0}, {0, 1, 0}, {0, 3, 1}});

    const cl::CommandQueue queue = upsweep::default_queue();
    std::vector<int> out(8);
    for (const options& opts : few_kernels(1)) {
        upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), upsweep::plus{}, opts);
        CHECK(out == std::vector<int>{3, 4, 11, 11, 15, 16, 22, 25});
    }
}

// Defect: work-items past the end return before a barrier that the others wait at. Undefined; on PoCL such kernels hang
// or skip the other work-items' steps. Also: sizes that are no power of two or no multiple of the group are only
// handled by luck.
TEST_CASE("the last group may be filled in part, by any number", "[defects][oclgrind]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const options& opts : few_kernels(1))
        for (const std::size_t n : {1U, 2U, 3U, 5U, 7U, 8U, 9U, 15U, 21U, 67U})
            check_all(queue, test::make_input<int>(n, 11), opts);
}

TEST_CASE("every size up to three tiles, and their edges beyond", "[defects]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const std::uint32_t items : {1U, 3U})
        for (const options& opts : few_kernels(items))
            for (std::size_t n = 1; n <= 3 * 8 * items + 1; ++n) check_all(queue, test::make_input<int>(n, 12), opts);
}

// Defect: only the group's last work-item writes the tile's sum, and only if it is in range: the last tile's sum is
// missing whenever n is not a multiple of the tile. The results of a scan do not show it, so the sums are looked at.
TEST_CASE("the sum of a tile that is filled in part is written", "[defects]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const options& opts : few_kernels(3)) {
        for (const std::size_t n : {25U, 47U, 48U, 49U, 24U * 24U, 24U * 24U + 1U, 24U * 24U + 23U}) {
            CAPTURE(opts.strategy, opts.algorithm, n);
            const std::vector<int> ones(n, 1);
            const guarded_array<int> in(queue, ones);
            const guarded_array<int> out(queue, n);
            const upsweep::scan_plan<int> plan(queue, n, upsweep::plus{}, opts);
            // Where options of several work-items are not taken, others are run.
            if (plan.launches().sums_offsets.empty() || plan.launches().tuning.tile() != 24) continue;
            const cl::Buffer room = poisoned_buffer(queue, plan.workspace_bytes());
            plan.inclusive_scan(queue, in.input(), out.view(), {}, {room, plan.workspace_bytes()}).wait();
            // Scanned in place, the sums end in the sum of everything.
            const std::size_t tiles = (n + 23) / 24;
            const auto bytes = bytes_of(queue, room(), plan.workspace_bytes());
            std::vector<int> sums(tiles);
            std::memcpy(sums.data(), bytes.data() + plan.launches().sums_offsets[0] * sizeof(int), tiles * sizeof(int));
            for (std::size_t tile = 0; tile < tiles; ++tile)
                CHECK(sums[tile] == static_cast<int>(std::min(n, 24 * (tile + 1))));
            CHECK(upsweep::reduce(queue, ones.begin(), ones.end(), 0, upsweep::plus{}, opts) == static_cast<int>(n));
        }
    }
}

// Defects: one tile only; and groups that read what other groups write in the same launch, ordered by nothing but
// barrier(CLK_GLOBAL_MEM_FENCE), which orders one group only. Many tiles, many levels, also where nothing but the
// library's own events orders the launches.
TEST_CASE("many tiles and many levels of sums", "[defects]") {
    const cl::CommandQueue in_order = upsweep::default_queue();
    std::vector<cl::CommandQueue> queues{in_order};
    if (has_out_of_order(in_order)) queues.push_back(out_of_order_queue(in_order));
    for (const cl::CommandQueue& queue : queues)
        for (const auto s : {strategy::reduce_then_scan, strategy::scan_then_propagate, strategy::chunked}) {
            for (const std::size_t n : {1000U, 4096U, 65537U})
                check_all(queue, test::make_input<int>(n, 13), small_tiles(s, 2, 2));
            for (int round = 0; round < 5; ++round)
                check_all(queue, test::make_input<std::uint64_t>(300007, 14), small_tiles(s, 64, 4));
        }
}

// Defect: runs that the compiler of a CPU device gets wrong. LLVM, where a run of two is not full; PoCL 6.0, runs of 16
// bytes of small values.
TEMPLATE_TEST_CASE("runs of every length, by one work-item", "[defects]", std::uint8_t, std::uint16_t, std::uint32_t,
                   float) {
    const cl::CommandQueue queue = upsweep::default_queue();
    const auto right = upsweep::make_operator<TestType>("return right;");
    for (const auto s : {strategy::look_back, strategy::chunked})
        for (const std::uint32_t items : {2U, 4U, 8U, 16U}) {
            if (s == strategy::look_back && !test::limits().has_atomics64) continue;
            const options opts = small_tiles(s, 1, items);
            for (std::size_t n = 1; n <= 2 * items + 1; ++n) {
                CAPTURE(s, items, n);
                const std::vector<TestType> in = test::make_input<TestType>(n, 15);
                std::vector<TestType> out(n), shifted(in);
                upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), right, opts);
                CHECK(out == in);
                std::copy(in.begin(), in.end() - 1, shifted.begin() + 1);
                shifted[0] = TestType{3};
                upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), TestType{3}, right, opts);
                CHECK(out == shifted);
            }
        }
}

// Defect: NVIDIA's compiler takes the first word of such a struct in an array for an older one
// (reproducers/nvidia_struct_array.c).
TEST_CASE("runs of structs of three words, by one work-item", "[defects]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const auto product =
        upsweep::make_operator<unitriangular>("unitriangular m;\nm.a = left.a + right.a;\nm.b = left.b + right.b;\n"
                                              "m.c = left.c + right.c + left.a * right.b;\nreturn m;");
    std::mt19937_64 random(16);
    for (const auto s : {strategy::reduce_then_scan, strategy::look_back, strategy::chunked})
        for (const std::uint32_t items : {2U, 8U}) {
            if (s == strategy::look_back && !test::limits().has_atomics64) continue;
            const options opts = small_tiles(s, 1, items);
            for (const std::size_t n : {1U, items - 1, items, items + 1, 2 * items, 53U}) {
                CAPTURE(s, items, n);
                std::vector<unitriangular> in(n), out(n), inclusive(n), exclusive(n);
                for (unitriangular& m : in) m = {random(), random(), random()};
                const unitriangular init{random(), random(), random()};
                upsweep::reference::inclusive_scan(in.begin(), in.end(), inclusive.begin(), multiply);
                upsweep::reference::exclusive_scan(in.begin(), in.end(), exclusive.begin(), init, multiply);
                upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), product, opts);
                CHECK(out == inclusive);
                upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), init, product, opts);
                CHECK(out == exclusive);
            }
        }
}

// Defect: written for `float` alone: sizes of local arrays, vector types and the identity are wrong for others. Every
// second of the kernels for each type, the others for the next one; test_matrix has more of each.
TEMPLATE_TEST_CASE("types of every size", "[defects]", std::int8_t, std::uint16_t, std::int32_t, std::uint64_t, float,
                   double, test::segment) {
    const cl::CommandQueue queue = upsweep::default_queue();
    if (!test::has_type<TestType>()) return test::skip("no double");
    const std::vector<options> all = few_kernels(3);
    const std::size_t first = sizeof(TestType) % 8 == 0 || sizeof(TestType) == 2 ? 1 : 0;
    for (std::size_t k = first; k < all.size(); k += 2)
        for (const std::size_t n : {23U, 24U, 25U, 1000U}) check_all(queue, test::make_input<TestType>(n, 15), all[k]);
}

// Defect: `if (glb_id > max_id)` where >= is meant: one element past the end is read, combined and written. The guards
// notice the write; the segments notice the read, because no garbage continues the last segment.
TEST_CASE("nothing past the end is read or written", "[defects][oclgrind]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const options& opts : few_kernels(3))
        for (const std::size_t n : {1U, 3U, 21U, 23U, 24U, 25U, 45U, 47U, 73U}) {
            check_all(queue, test::make_input<test::segment>(n, 16), opts);
            // In place, where the element after the last is poison as well.
            const std::vector<int> input = test::make_input<int>(n, 18);
            const guarded_array<int> all(queue, input);
            upsweep::inclusive_scan(queue, all.input(), all.view(), upsweep::plus{}, {}, opts).wait();
            CHECK(all.values() == test::reference_scan<int>(input, false, std::optional<int>(), upsweep::plus{}));
            CHECK(all.guards_intact());
        }
}

// Defect: `int` products such as group * tile overflow from 2^31 on. Small sizes on the 64-bit path, and the choice of
// that path exactly where 32 bits end; test_large.cpp does the real thing.
TEST_CASE("64-bit indices give the same results", "[defects]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const options& opts : few_kernels(3))
        for (const std::size_t n : {1U, 23U, 24U, 25U, 577U, 5000U}) {
            CAPTURE(opts.strategy, opts.algorithm, n);
            const auto input = test::make_input<int>(n, 19);
            const auto expected = test::reference_scan<int>(input, false, std::optional<int>(), upsweep::plus{});
            CHECK(forced_scan<int>(queue, input, false, 0, upsweep::plus{}, opts, true) == expected);
            CHECK(forced_scan<int>(queue, input, true, 7, upsweep::plus{}, opts, true) ==
                  test::reference_scan<int>(input, true, std::optional<int>(7), upsweep::plus{}));
            CHECK(forced_reduce<int>(queue, input, upsweep::plus{}, opts, true) == expected.back());
        }
}

TEST_CASE("64-bit indices are chosen from where 32 bits end", "[defects]") {
    const auto facts = detail::inspect_queue("test", upsweep::default_queue());
    for (const auto what : {detail::operation::scan, detail::operation::reduce})
        for (const auto s : {strategy::reduce_then_scan, strategy::scan_then_propagate, strategy::chunked}) {
            const options opts = small_tiles(s, 8, 4);
            const auto program = [&](std::uint64_t n) {
                const auto types = detail::types_of<std::uint8_t, std::uint8_t>(upsweep::plus{});
                return detail::make_engine("test", facts, what, n, types, opts).programs.elements;
            };
            const auto forced = [&](bool wide) {
                const auto types = detail::types_of<std::uint8_t, std::uint8_t>(upsweep::plus{});
                return forced_engine(facts, what, 100, types, opts, wide).programs.elements;
            };
            const std::uint64_t end = std::uint64_t{1} << 31;
            CHECK(program(1) == forced(false));
            CHECK(program(end) == forced(false));
            CHECK(program(end + 1) == forced(true));
            CHECK(program(8 * end) == forced(true));
            CHECK(forced(true) != forced(false));
        }
}

// PoCL 3.1 took the second element of a run of two for the result of a scan of one, where the kernel chose between
// three values in one expression.
TEST_CASE("short scans by runs of few elements, of work-items on their own", "[defects]") {
    upsweep::options o;
    o.strategy = upsweep::strategy::look_back;
    o.work_items = 1;
    if (!test::limits().has_atomics64) return test::skip("no 64-bit atomics");
    for (const std::uint32_t items : {2U, 4U, 8U})
        for (std::size_t n = 1; n <= 2 * items + 1; ++n) {
            std::vector<float> input(n);
            for (std::size_t i = 0; i < n; ++i) input[i] = static_cast<float>(i * 7) - 3;
            o.items = items;
            CAPTURE(items, n);
            std::vector<float> out(n, -1.0F);
            upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), upsweep::plus{}, o);
            float sum = 0;
            for (std::size_t i = 0; i < n; ++i) CHECK(out[i] == (sum += input[i]));
        }
}
