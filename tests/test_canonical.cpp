// SPDX-License-Identifier: MIT
// The canonical order: the same bits as upsweep::reference on every device, by whatever `automatic` runs there; besides
// by sub-groups on every device that has them, and in the forms that other devices are given.

#include "canonical.hpp"

#include <atomic>
#include <cmath>
#include <thread>

using test::hash_of;
using test::in_sub_groups;
using test::in_tiles;
using test::numbers;
using test::on_device;
using test::on_host;
using test::same_bits;

namespace {

/// x -> scale * x + shift: associative up to rounding, not commutative.
struct affine_map {
    float scale;
    float shift;
};

/// The same, with a function to compose them.
struct composed_map {
    float scale;
    float shift;
};

/// The hashes of `on_host` for 2^10 + 7, 2^20 + 7 and 2^26 + 3 numbers.
template <class T>
std::uint64_t expected_hash(std::size_t n) {
    const bool is_float = std::is_same<T, float>::value;
    if (n < (std::size_t{1} << 16)) return is_float ? 0x466c5785ce5ba94a : 0xfc68abba2bb88caa;
    if (n < (std::size_t{1} << 24)) return is_float ? 0xe5e15ef6d5fd1c52 : 0x3b1e27e2f14c30b8;
    return is_float ? 0xe63b8cf97bfc841f : 0xf792a95b46e424d8;
}

template <class T>
void check_hash(std::size_t n) {
    const std::vector<T> input = numbers<T>(n, 2026);
    const std::vector<T> host = on_host(input);
    CHECK(hash_of(host.data(), host.size()) == expected_hash<T>(n));
    if (!test::has_type<T>()) return test::skip("no double");
    const std::vector<T> device = on_device(input);
    CHECK(hash_of(device.data(), device.size()) == expected_hash<T>(n));
    const std::vector<T> tiles = on_device(input, in_tiles(256, 0));
    CHECK(hash_of(tiles.data(), tiles.size()) == expected_hash<T>(n));
    if (!test::has_lanes()) return;
    const std::vector<T> lanes = on_device(input, in_sub_groups());
    CHECK(hash_of(lanes.data(), lanes.size()) == expected_hash<T>(n));
}

} // namespace

template <>
struct upsweep::type<affine_map> {
    static constexpr const char* name = "affine_map";
    static constexpr const char* definition = "typedef struct { float scale; float shift; } affine_map;";
};
template <>
struct upsweep::type<composed_map> {
    static constexpr const char* name = "composed_map";
    static constexpr const char* definition =
        "typedef struct { float scale; float shift; } composed_map;\n"
        "composed_map compose(composed_map l, composed_map r) { composed_map c; c.scale = r.scale * l.scale; "
        "c.shift = r.scale * l.shift + r.shift; return c; }";
};

namespace {

/// Scans and reductions by an operator that composes maps, in all ways that the device has.
template <class Map>
void check_maps(const upsweep::custom_operator<Map>& op) {
    const auto host = [](Map left, Map right) {
        const float product = right.scale * left.shift; // rounded by itself: no fused multiply-add
        return Map{right.scale * left.scale, product + right.shift};
    };
    for (std::size_t n : {1, 5, 1000, 4097, 70001, 300007}) {
        INFO("n = " << n);
        const std::vector<float> some = numbers<float>(2 * n, n);
        std::vector<Map> input(n);
        for (std::size_t i = 0; i < n; ++i) input[i] = {1.0F + some[2 * i] / 4096.0F / 65536.0F, some[2 * i + 1]};
        std::vector<Map> expected(n);
        upsweep::reference::inclusive_scan(input.begin(), input.end(), expected.begin(), host);
        const Map sum = upsweep::reference::reduce(input.begin(), input.end(), upsweep::no_init, host);
        std::vector<upsweep::options> ways{{}, in_tiles(64, 4)};
        if (test::has_lanes()) ways.push_back(in_sub_groups());
        for (const upsweep::options& o : ways) {
            std::vector<Map> device(n);
            upsweep::inclusive_scan(test::queue(), input.begin(), input.end(), device.begin(), op, o);
            CHECK(same_bits(device, expected));
            const Map all = upsweep::reduce(test::queue(), input.begin(), input.end(), upsweep::no_init, op, o);
            CHECK(std::memcmp(&all, &sum, sizeof all) == 0);
        }
    }
}

} // namespace

TEMPLATE_TEST_CASE("the bits of the reference, at every edge", "[canonical]", float, double) {
    if (!test::has_type<TestType>()) return test::skip("no double");
    for (std::size_t n : {1,    2,    3,    7,    16,    127,   128,   129,   1000,   1023,   1024,   1025,
                          4095, 4096, 4097, 9001, 32767, 32768, 65535, 65537, 100003, 262143, 524289, 1300001}) {
        INFO("n = " << n);
        const std::vector<TestType> input = numbers<TestType>(n, n);
        const std::vector<TestType> host = on_host(input);
        CHECK(same_bits(on_device(input), host));
        if (test::has_lanes()) CHECK(same_bits(on_device(input, in_sub_groups()), host));
    }
}

TEST_CASE("the bits of the reference, for an operator of one's own", "[canonical]") {
    check_maps(upsweep::make_operator<affine_map>("affine_map r; r.scale = right.scale * left.scale; r.shift = "
                                                  "right.scale * left.shift + right.shift; return r;"));
}

TEST_CASE("functions beside a type's definition round as the operator does", "[canonical]") {
    if (!test::limits().rusticl.empty()) return test::skip("functions on structs are refused");
    check_maps(upsweep::make_operator<composed_map>("return compose(left, right);"));
}

TEMPLATE_TEST_CASE("an exclusive scan holds the reductions of all beginnings", "[canonical]", float, double) {
    const std::vector<TestType> input = numbers<TestType>(777, 1);
    std::vector<TestType> scan(input.size());
    upsweep::reference::exclusive_scan(input.begin(), input.end(), scan.begin(), TestType{2}, std::plus<>{});
    for (std::size_t i = 0; i < input.size(); ++i) {
        const auto end = input.begin() + static_cast<std::ptrdiff_t>(i);
        CHECK(upsweep::reference::reduce(input.begin(), end, TestType{2}, std::plus<>{}) == scan[i]);
    }
}

TEMPLATE_TEST_CASE("the same hash everywhere", "[canonical]", float, double) {
    check_hash<TestType>((1 << 20) + 7);
}

TEMPLATE_TEST_CASE("the same hash everywhere, for few", "[canonical][simulated]", float, double) {
    check_hash<TestType>((1 << 10) + 7);
}

TEMPLATE_TEST_CASE("the same hash everywhere, for much", "[.][large]", float, double) {
    check_hash<TestType>((1 << 26) + 3);
}

namespace {

/// Keeps the device busy with another queue's work until it goes out of scope.
class other_load {
public:
    other_load()
        : thread_([this] {
            const std::vector<int> input(1 << 22, 1);
            const test::guarded_array<int> in(input);
            const test::guarded_array<int> out(input.size());
            const cl::CommandQueue queue = upsweep::default_queue();
            while (!done_) {
                upsweep::inclusive_scan(queue, in.view(), out.view());
                queue.finish();
                ++scans_;
            }
        }) {}
    ~other_load() {
        done_ = true;
        thread_.join();
    }
    other_load(const other_load&) = delete;
    other_load& operator=(const other_load&) = delete;

    int scans() const { return scans_; }

private:
    std::atomic<bool> done_{false};
    std::atomic<int> scans_{0};
    std::thread thread_; // last: it uses the others
};

} // namespace

TEST_CASE("a thousand runs under load give one hash", "[.][large]") {
    const std::vector<float> input = numbers<float>((1 << 22) + 5, 9);
    const test::guarded_array<float> in(input, 64); // aligned: the fast path
    const test::guarded_array<float> out(input.size(), 64);
    const test::guarded_array<float> sum(1);
    std::vector<float> expected(input.size());
    upsweep::reference::exclusive_scan(input.begin(), input.end(), expected.begin(), 0.0F, std::plus<>{});
    const std::vector<float> total{upsweep::reference::reduce(input.begin(), input.end(), 0.0F, std::plus<>{})};
    const other_load load;
    int wrong = 0;
    for (int run = 0; run < 1000; ++run) {
        upsweep::exclusive_scan(test::queue(), in.view(), out.view(), 0.0F);
        upsweep::reduce(test::queue(), in.view(), sum.view(), 0.0F);
        if (!same_bits(out.values(), expected) || !same_bits(sum.values(), total)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(load.scans() > 0);
}

TEST_CASE("without reproducible, the bits are those of every run on the device", "[canonical]") {
    upsweep::options any_order;
    any_order.reproducible = false;
    const std::vector<float> input = numbers<float>(700001, 5);
    const std::vector<float> first = on_device(input, any_order);
    for (int run = 0; run < 5; ++run) CHECK(same_bits(on_device(input, any_order), first));
    double sum = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
        sum += static_cast<double>(input[i]);
        magnitude += std::abs(static_cast<double>(input[i]));
        if (i % 997 == 0) CHECK(std::abs(static_cast<double>(first[input.size() + i]) - sum) <= 1e-4 * magnitude);
    }
}
