// SPDX-License-Identifier: MIT
// The canonical order where there are neither sub-groups nor 64-bit atomics: in tiles of many work-items, and in
// chunks of a power of two.
#include "canonical.hpp"

#include <array>

using test::in_chunks;
using test::in_tiles;
using test::numbers;
using test::on_device;
using test::on_host;
using test::same_bits;
using upsweep::tile_loading;

namespace {

/// Too large for sub-groups.
struct wide {
    std::array<float, 10> parts;
};

wide add(const wide& left, const wide& right) {
    wide sum{};
    for (std::size_t i = 0; i < sum.parts.size(); ++i) sum.parts[i] = left.parts[i] + right.parts[i];
    return sum;
}

} // namespace

template <>
struct upsweep::type<wide> {
    static constexpr const char* name = "wide";
    static constexpr const char* definition = "typedef struct { float parts[10]; } wide;";
};

TEMPLATE_TEST_CASE("the bits of the reference, in tiles of many work-items", "[canonical]", float, double) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    using upsweep::tile_loading;
    for (std::size_t n :
         {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 1000, 1023, 1024, 1025, 4096, 16383, 16385, 70001}) {
        INFO("n = " << n);
        const std::vector<TestType> input = numbers<TestType>(n, n);
        const std::vector<TestType> host = on_host(input);
        for (const upsweep::options& o : {in_tiles(2, 1), in_tiles(4, 8), in_tiles(16, 1, tile_loading::direct),
                                          in_tiles(8, 4, tile_loading::staged), in_tiles(8, 128, tile_loading::direct),
                                          in_tiles(64, 16, tile_loading::staged), in_tiles(256, 0)}) {
            INFO(o.work_items << " x " << o.items);
            CHECK(same_bits(on_device(input, o), host));
        }
    }
}

TEMPLATE_TEST_CASE("the bits of the reference, in chunks", "[canonical]", float, double) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    if (!test::limits().is_cpu) return test::skip("chunks of one work-item are for CPUs");
    for (std::size_t n : {1, 4095, 4096, 4097, 8191, 8193, 30000, 65536, 100003, 300007}) {
        INFO("n = " << n);
        const std::vector<TestType> input = numbers<TestType>(n, n);
        const std::vector<TestType> host = on_host(input);
        for (std::uint32_t chunks : {1U, 2U, 3U, 7U, 16U}) CHECK(same_bits(on_device(input, in_chunks(chunks)), host));
    }
}

TEST_CASE("tiles of many work-items, for a simulator", "[canonical][simulated]") {
    for (std::size_t n : {1, 31, 33, 300}) {
        INFO("n = " << n);
        const std::vector<float> input = numbers<float>(n, n);
        const std::vector<float> host = on_host(input);
        for (const upsweep::options& o : {in_tiles(8, 4, tile_loading::staged), in_tiles(8, 2, tile_loading::direct)})
            CHECK(same_bits(on_device(input, o), host));
    }
}

TEST_CASE("a GPU without sub-groups and 64-bit atomics keeps the canonical order", "[canonical]") {
    if (test::limits().mixes_up_work_items) return test::skip("no work-groups of several work-items");
    const test::disguise plain_gpu([](upsweep::detail::device_limits& limits) {
        limits.is_cpu = false;
        limits.has_ptx = limits.has_atomics64 = false;
        limits.lanes = upsweep::detail::lanes_backend::none;
    });
    for (std::size_t n : {1, 1000, 4096, 4097, 70001}) {
        INFO("n = " << n);
        const std::vector<float> input = numbers<float>(n, n);
        CHECK(same_bits(on_device(input), on_host(input)));
        const upsweep::scan_plan<float> plan(test::queue(), n);
        CHECK(plan.launches().tuning.canonical);
    }
}

TEST_CASE("a CPU without 64-bit atomics keeps the canonical order", "[canonical]") {
    if (!test::limits().is_cpu) return test::skip("no CPU");
    const test::disguise plain_cpu([](upsweep::detail::device_limits& limits) { limits.has_atomics64 = false; });
    for (std::size_t n : {1, 5000, 70001, 300007}) {
        INFO("n = " << n);
        const std::vector<float> input = numbers<float>(n, n);
        CHECK(same_bits(on_device(input), on_host(input)));
        namespace detail = upsweep::detail;
        const auto chosen = detail::choose_tuning("test", {}, test::limits(), {detail::operation::scan, n, 4, false});
        CHECK(chosen.strategy == upsweep::strategy::chunked); // unless a self-check finds that wrong here
        const bool is_one_chunk = n < 9000 || test::limits().compute_units == 1;
        CHECK(detail::plan_passes(detail::operation::scan, n, chosen, 4).passes.size() == (is_one_chunk ? 1 : 2));
    }
}

TEST_CASE("values too large for sub-groups are combined in the canonical order", "[canonical]") {
    const auto op = upsweep::make_operator<wide>(
        "wide sum; for (int i = 0; i < 10; ++i) sum.parts[i] = left.parts[i] + right.parts[i]; return sum;");
    for (std::size_t n : {1, 255, 257, 5003}) {
        INFO("n = " << n);
        const std::vector<float> some = numbers<float>(10 * n, n);
        std::vector<wide> input(n);
        std::memcpy(input.data(), some.data(), n * sizeof(wide));
        std::vector<wide> expected(n);
        upsweep::reference::inclusive_scan(input.begin(), input.end(), expected.begin(), add);
        const wide sum = upsweep::reference::reduce(input.begin(), input.end(), upsweep::no_init, add);
        for (const upsweep::options& o : {upsweep::options{}, in_tiles(32, 0), in_tiles(8, 2)}) {
            std::vector<wide> out(n);
            upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), out.begin(), op, o);
            CHECK(same_bits(out, expected));
            const wide all = upsweep::reduce(test::queue(), input.begin(), input.end(), upsweep::no_init, op, o);
            CHECK(std::memcmp(&all, &sum, sizeof all) == 0);
        }
    }
}
