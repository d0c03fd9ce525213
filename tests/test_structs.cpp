// Structs with an alignment of their own: in the canonical order's bits, wherever the initial value travels.
#include "big_struct.hpp"
#include "catch.hpp"

#include <optional>
#include <vector>

namespace {

using test::big_struct;
using upsweep::strategy;

/// Eight floats, which on the device are one vector and aligned to 32 bytes.
struct float8_struct {
    static constexpr std::size_t count = 8;
    float x[count];

    friend bool operator==(const float8_struct& a, const float8_struct& b) {
        return std::memcmp(a.x, b.x, sizeof a.x) == 0;
    }
};

template <class T>
void check_against_reference(std::size_t n, bool with_init, bool in_place, const upsweep::options& wish = {}) {
    const auto combine = [](const T& left, const T& right) { return test::combine_big(left, right); };
    const auto op = test::big_operator<T>();
    const std::vector<T> elements = test::big_elements<T>(n);
    const T init = test::big_elements<T>(1)[0];
    CAPTURE(sizeof(T), n, with_init, in_place);

    const test::guarded_array<T> in(elements, 1);
    const test::guarded_array<T> other(n, 1);
    const test::guarded_array<T>& out = in_place ? in : other;
    const test::guarded_array<T> sum(1, 1);
    std::vector<T> expected(n);
    T expected_sum{};
    if (with_init) {
        expected_sum = upsweep::reference::reduce(elements.begin(), elements.end(), init, combine);
        upsweep::reference::exclusive_scan(elements.begin(), elements.end(), expected.begin(), init, combine);
        upsweep::reduce<T>(test::queue(), in.view(), sum.view(), init, op, {}, wish);
        upsweep::exclusive_scan<T>(test::queue(), in.view(), out.view(), init, op, {}, wish);
    } else {
        expected_sum = upsweep::reference::reduce(elements.begin(), elements.end(), upsweep::no_init, combine);
        upsweep::reference::inclusive_scan(elements.begin(), elements.end(), expected.begin(), combine);
        upsweep::reduce<T>(test::queue(), in.view(), sum.view(), upsweep::no_init, op, {}, wish);
        upsweep::inclusive_scan<T>(test::queue(), in.view(), out.view(), op, {}, wish);
    }
    CHECK(sum.values()[0] == expected_sum);
    CHECK(sum.untouched_outside(1));
    CHECK(test::first_difference(out.values(), expected) == -1);
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
        upsweep::options o;
        o.strategy = s;
        const upsweep::scan_plan<T, T, upsweep::custom_operator<T>> plan(test::queue(), 1, op, o);
        for (const T& init : {elements[0], elements[1]}) {
            plan.exclusive_scan(test::queue(), in.view(), out.view(), init);
            CHECK(out.values()[0] == init);
        }
    }
}
