// SPDX-License-Identifier: MIT
// Structs with an alignment of their own, and structs from a KiB to 64 KiB: in the canonical order's bits, wherever the
// initial value travels and however little a work-item can keep.
#include "big_struct.hpp"
#include "catch.hpp"

#include <memory>
#include <vector>

namespace {

using test::big_struct;
using upsweep::strategy;

using half_kib = big_struct<512>; // by one work-item on a CPU
using one_kib = big_struct<1 << 10>;
using nearly_4_kib = big_struct<4004>;
using largest = big_struct<64 << 10>;

/// Eight floats, which on the device are one vector and aligned to 32 bytes.
struct float8_struct {
    static constexpr std::size_t count = 8;
    float x[count];

    friend bool operator==(const float8_struct& a, const float8_struct& b) {
        return std::memcmp(a.x, b.x, sizeof a.x) == 0;
    }
};

template <class T>
struct answers {
    std::vector<T> scanned; ///< exclusively with an initial value, inclusively without
    T reduced;
};

template <class T>
answers<T> answers_of(const std::vector<T>& elements, const T& init, bool with_init) {
    namespace reference = upsweep::reference;
    answers<T> a{std::vector<T>(elements.size()), init};
    test::for_each_number(elements, init, [&](std::size_t k, const auto& column, float first, auto combine) {
        std::vector<float> out(column.size());
        const auto begin = column.begin();
        if (with_init) {
            reference::exclusive_scan(begin, column.end(), out.begin(), first, combine);
            a.reduced.x[k] = reference::reduce(begin, column.end(), first, combine);
        } else {
            reference::inclusive_scan(begin, column.end(), out.begin(), combine);
            a.reduced.x[k] = reference::reduce(begin, column.end(), upsweep::no_init, combine);
        }
        for (std::size_t i = 0; i < out.size(); ++i) a.scanned[i].x[k] = out[i];
    });
    return a;
}

template <class T>
void check_against_reference(std::size_t n, bool with_init, bool in_place, const upsweep::options& opts = {}) {
    const auto op = test::big_operator<T>();
    const std::vector<T> elements = test::big_elements<T>(n);
    const std::vector<T> init = test::big_elements<T>(1);
    CAPTURE(sizeof(T), n, with_init, in_place);

    const test::guarded_array<T> in(elements, 1);
    const test::guarded_array<T> other(n, 1);
    const test::guarded_array<T>& out = in_place ? in : other;
    const test::guarded_array<T> sum(1, 1);
    if (with_init) {
        upsweep::reduce<T>(test::queue(), in.view(), sum.view(), init[0], op, {}, opts);
        upsweep::exclusive_scan<T>(test::queue(), in.view(), out.view(), init[0], op, {}, opts);
    } else {
        upsweep::reduce<T>(test::queue(), in.view(), sum.view(), upsweep::no_init, op, {}, opts);
        upsweep::inclusive_scan<T>(test::queue(), in.view(), out.view(), op, {}, opts);
    }
    const auto expected = std::make_unique<answers<T>>(answers_of(elements, init[0], with_init));
    CHECK((sum.values()[0] == expected->reduced));
    CHECK(sum.untouched_outside(1));
    CHECK(test::first_difference(out.values(), expected->scanned) == -1);
    CHECK(out.untouched_outside(n));
}

template <class T>
void check_sizes(const std::vector<std::size_t>& sizes) {
    for (const std::size_t n : sizes) {
        check_against_reference<T>(n, true, false);
        check_against_reference<T>(n, false, false);
        check_against_reference<T>(n, true, true);
        check_against_reference<T>(n, false, true);
    }
}

/// Where the device has the memory; else the error says what is missing.
template <class T>
void check_large(const std::vector<std::size_t>& sizes) {
    try {
        check_sizes<T>(sizes);
    } catch (const upsweep::error& e) {
        CAPTURE(e.what());
        CHECK(2 * sizeof(T) > test::limits().local_memory_bytes);
    }
}

} // namespace

template <>
struct upsweep::type<float8_struct> {
    static constexpr const char* name = "float8_struct";
    static constexpr const char* definition = "typedef union { float8 all; float x[8]; } float8_struct;";
};

TEST_CASE("structs aligned to more than kernel arguments are, with an initial value", "[operators]") {
    check_sizes<big_struct<32, 32>>({1, 2, 129, 5000});
    check_sizes<big_struct<128, 64>>({1, 129}); // the largest that kernels are given by value
    check_sizes<big_struct<256, 128>>({1, 129});
}

TEST_CASE("structs that take several granules", "[operators]") {
    check_sizes<big_struct<24>>({5000}); // of 8 bytes
    check_sizes<big_struct<64>>({5000}); // of 16
}

TEST_CASE("a struct that is aligned on the device alone", "[operators]") {
    check_sizes<float8_struct>({1, 129, 5000});
}

TEST_CASE("an initial value in memory is of the call that gave it", "[operators]") {
    using T = big_struct<256>;
    const auto op = test::big_operator<T>();
    const std::vector<T> elements = test::big_elements<T>(3);
    const test::guarded_array<T> in(std::vector<T>{elements[2]});
    const test::guarded_array<T> out(1);
    for (const strategy s : {strategy::look_back, strategy::chunked}) {
        if (s == strategy::look_back && !test::limits().has_atomics64) continue;
        upsweep::options o;
        o.strategy = s;
        const upsweep::scan_plan<T, T, upsweep::custom_operator<T>> plan(test::queue(), 1, op, o);
        for (const T& init : {elements[0], elements[1]}) {
            plan.exclusive_scan(test::queue(), in.view(), out.view(), init);
            CHECK(out.values()[0] == init);
        }
    }
}

// A test case for each, because compilers take minutes for some.
TEMPLATE_TEST_CASE("structs from 1 to 64 KiB", "[operators]", half_kib, one_kib, nearly_4_kib, largest) {
    constexpr bool is_largest = sizeof(TestType) == sizeof(largest);
    check_large<TestType>(is_largest ? std::vector<std::size_t>{1, 2, 37}
                                     : std::vector<std::size_t>{1, 2, 3, 37, 70, 300});
}

TEST_CASE("one work-item does the work of several, for values of any size", "[operators]") {
    if (!test::limits().is_cpu) return test::skip("no CPU");
    const test::disguise alone([](upsweep::detail::device_limits& limits) {
        limits.mixes_up_work_items = true;
        limits.lanes = upsweep::detail::lanes_backend::none;
    });
    check_large<one_kib>({1, 2, 31, 32, 33, 1025, 2047});
    check_large<largest>({1, 2, 37});
    upsweep::options several;
    several.work_items = 8;
    several.items = 2;
    for (const strategy s : {strategy::automatic, strategy::reduce_then_scan}) {
        several.strategy = s;
        for (const std::size_t n : {1U, 127U, 128U, 5000U})
            check_against_reference<big_struct<8>>(n, n % 2 == 1, false, several);
    }
}

TEST_CASE("structs that are too large for a device are an error before anything is built", "[errors]") {
    const auto expect_refused = [](const upsweep::options& opts) {
        const std::uint64_t built = upsweep::detail::build_counts::get().from_source;
        try {
            check_against_reference<big_struct<1 << 20>>(1, true, false, opts);
            FAIL_CHECK("no error");
        } catch (const upsweep::error& e) {
            CHECK_THAT(e.cause(), Catch::Matchers::ContainsSubstring("bytes of"));
            CHECK_THAT(e.cause(), Catch::Matchers::ContainsSubstring("memory"));
        }
        CHECK(upsweep::detail::build_counts::get().from_source == built);
    };
    for (const strategy s : {strategy::automatic, strategy::look_back, strategy::chunked, strategy::reduce_then_scan}) {
        upsweep::options o;
        o.strategy = s;
        if (s != strategy::look_back || test::limits().has_atomics64) expect_refused(o);
    }
}
