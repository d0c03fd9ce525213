// SPDX-License-Identifier: MIT
// More elements than 32 bits count. Hidden: needs 13 GiB on the device and as much on the host. Run it with the tag
// "[large]"; on smaller devices it says so and checks nothing.

#include "catch.hpp"
#include "support.hpp"

namespace {

/// Fills a device array with a cheap hash of each index, and the host's copy with the same.
std::vector<std::uint8_t> make_bytes(std::size_t n) {
    std::vector<std::uint8_t> bytes(n);
    std::uint64_t state = 88172645463325252ULL;
    for (std::uint8_t& b : bytes) { // xorshift64 (G. Marsaglia, Xorshift RNGs, 2003)
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        b = static_cast<std::uint8_t>(state);
    }
    return bytes;
}

bool device_allows(std::uint64_t bytes) {
    return upsweep::detail::limits_of("test", upsweep::default_device().device()).max_allocation_bytes >= bytes;
}

/// The index of the first wrong element of a scan of bytes, or -1: each differs from the one before as it should, so
/// that nothing has to be added up here.
std::ptrdiff_t first_wrong(const std::vector<std::uint8_t>& in, const std::vector<std::uint8_t>& out, bool exclusive,
                           std::uint8_t init) {
    if (out[0] != static_cast<std::uint8_t>(exclusive ? init : init + in[0])) return 0;
    const std::uint8_t* added = exclusive ? in.data() : in.data() + 1;
    for (std::size_t i = 1; i < in.size(); ++i)
        if (static_cast<std::uint8_t>(out[i] - out[i - 1]) != added[i - 1]) return static_cast<std::ptrdiff_t>(i);
    return -1;
}

void check_large(const std::vector<std::uint8_t>& input, std::uint64_t sum, const upsweep::options& o) {
    const std::size_t n = input.size();
    INFO(o.strategy << ", n = " << n);
    const std::size_t offset = 3;
    const test::guarded_array<std::uint8_t> in(input, 16);
    test::guarded_array<std::uint8_t> out(n, 16 + offset);

    upsweep::exclusive_scan(test::queue(), in.view(), out.view(), std::uint8_t{9}, upsweep::plus{}, {}, o);
    CHECK(first_wrong(input, out.values(), true, 9) == -1);
    CHECK(out.untouched_outside(n));

    const test::guarded_array<std::uint64_t> total(1);
    upsweep::reduce(test::queue(), in.view(), total.view(), std::uint64_t{1}, upsweep::plus{}, {}, o);
    CHECK(total.values().front() == sum + 1);

    upsweep::inclusive_scan(test::queue(), in.view(), in.view(), upsweep::plus{}, {}, o);
    CHECK(first_wrong(input, in.values(), false, 0) == -1);
    CHECK(in.untouched_outside(n));
}

void check_strategies(std::uint64_t n) {
    if (!device_allows(n + 64))
        return test::skip("the device does not allocate " + std::to_string(n) + " bytes at once");
    const std::vector<std::uint8_t> input = make_bytes(static_cast<std::size_t>(n));
    std::uint64_t sum = 0;
    for (std::uint8_t b : input) sum += b;
    for (upsweep::strategy s : {upsweep::strategy::automatic, upsweep::strategy::scan_then_propagate,
                                upsweep::strategy::reduce_then_scan, upsweep::strategy::chunked}) {
        upsweep::options o;
        o.strategy = s;
        check_large(input, sum, o);
    }
}

} // namespace

TEST_CASE("bytes past 2^31", "[.][large]") {
    check_strategies((std::uint64_t{1} << 31) + 5);
}

TEST_CASE("bytes past 2^32", "[.][large]") {
    check_strategies((std::uint64_t{1} << 32) + 3);
}

TEST_CASE("more than 2^32 bytes of larger elements", "[.][large]") {
    const std::size_t n = (std::size_t{1} << 30) + 3;
    if (!device_allows((n + 64) * sizeof(std::int32_t)))
        return test::skip("the device does not allocate " + std::to_string(n * sizeof(std::int32_t)) +
                          " bytes at once");
    std::vector<std::int32_t> input(n);
    std::uint32_t state = 12345;
    for (std::int32_t& x : input) {
        state = state * 1664525U + 1013904223U; // the linear congruence of Numerical Recipes
        x = static_cast<std::int32_t>(state >> 8);
    }
    const test::guarded_array<std::int32_t> in(input, 16);
    const test::guarded_array<std::int32_t> out(n, 16);
    upsweep::exclusive_scan(test::queue(), in.view(), out.view(), 5);
    const std::vector<std::int32_t> result = out.values();
    std::uint32_t sum = 5;
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
        right = right && result[i] == static_cast<std::int32_t>(sum);
        sum += static_cast<std::uint32_t>(input[i]);
    }
    CHECK(right);
    CHECK(out.untouched_outside(n));
}
