// SPDX-License-Identifier: MIT
// Structs whose names the library's own text has for variables, in every call that makes text of a type.
#include "device_fixture.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

namespace {

/// Two integers; `Name` says how OpenCL C calls them.
template <class Name>
struct named {
    std::uint32_t x, y;
    friend bool operator==(const named& a, const named& b) { return a.x == b.x && a.y == b.y; }
    friend bool operator!=(const named& a, const named& b) { return !(a == b); }
};

#define NAMED(type_name)                                                                                               \
    struct name_##type_name {                                                                                          \
        static constexpr const char* name = #type_name;                                                                \
        static constexpr const char* definition = "typedef struct { uint x, y; } " #type_name ";";                     \
    }
NAMED(value);
NAMED(left);
NAMED(in);
NAMED(a);
#undef NAMED

template <class T>
std::vector<T> numbered(std::size_t n) {
    std::vector<T> all;
    for (std::uint32_t k = 0; k < n; ++k) all.push_back({k / 3, 1});
    return all;
}

template <class T>
T added(const T& first, const T& second) {
    return {first.x + second.x, first.y + second.y};
}

} // namespace

namespace {

constexpr const char* definition_of_two =
    "typedef struct { uint x; } of_one_number;\ntypedef struct { uint x, y; } of_two_numbers;";
struct of_one_number {
    std::uint32_t x;
};
struct of_two_numbers {
    std::uint32_t x, y;
};

/// An element with the members of an operator, that can be called as one.
struct like_an_operator {
    std::uint32_t name, body;
    std::uint32_t operator()(int row, int column) const { return row == column ? name : body; }
    friend bool operator==(const like_an_operator& a, const like_an_operator& b) {
        return a.name == b.name && a.body == b.body;
    }
};

} // namespace

template <>
struct upsweep::type<like_an_operator> {
    static constexpr const char* name = "like_an_operator";
    static constexpr const char* definition = "typedef struct { uint name, body; } like_an_operator;";
};

template <>
struct upsweep::type<of_one_number> {
    static constexpr const char* name = "of_one_number";
    static constexpr const char* definition = definition_of_two;
};
template <>
struct upsweep::type<of_two_numbers> {
    static constexpr const char* name = "of_two_numbers";
    static constexpr const char* definition = definition_of_two;
};

template <class Name>
struct upsweep::type<named<Name>> {
    static constexpr const char* name = Name::name;
    static constexpr const char* definition = Name::definition;
};

namespace {

constexpr std::uint32_t number_of_elements = 1000;

template <class T>
struct data {
    cl::CommandQueue queue = test::queue();
    std::vector<T> values = numbered<T>(number_of_elements); ///< runs of three equal ones
    test::guarded_array<T> x{values, 1}, out{number_of_elements, 1}, sums{number_of_elements, 1};
    test::guarded_array<std::uint32_t> count{1, 1}, lengths{number_of_elements, 1};
    std::string equal = "return left.x == right.x && left.y == right.y;";

    auto add() const { return upsweep::make_operator<T>("left.x += right.x; left.y += right.y; return left;"); }
};

template <class T>
void check_plain(data<T>& d) {
    std::vector<T> expected(number_of_elements);
    upsweep::reference::inclusive_scan(d.values.begin(), d.values.end(), expected.begin(), added<T>);
    upsweep::inclusive_scan<T>(d.queue, d.x.view(), d.out.view(), d.add());
    CHECK(d.out.values() == expected);
    upsweep::reduce<T>(d.queue, upsweep::transform<T>("b.y += i; b.x = a.x; return b;", d.x.view(), d.x.view()),
                       d.sums.view(), upsweep::no_init, d.add());
    CHECK(d.sums.values()[0] ==
          T{expected.back().x, expected.back().y + number_of_elements * (number_of_elements - 1) / 2});
}

template <class T>
void check_segments(data<T>& d) {
    const T init{5, 7};
    const std::vector<std::uint32_t> offsets{0, 0, 10, 700, number_of_elements};
    const test::guarded_array<std::uint32_t> ends(offsets, 0);
    const auto sum = [&](std::size_t first, std::size_t last, T total) {
        for (std::size_t k = first; k < last; ++k) total = added(total, d.values[k]);
        return total;
    };
    upsweep::reduce<T>(d.queue, upsweep::segments(d.x.view(), ends.view()), d.sums.view(), init, d.add());
    const std::vector<T> sums = d.sums.values();
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k) CHECK(sums[k] == sum(offsets[k], offsets[k + 1], init));
    upsweep::exclusive_scan<T>(d.queue, upsweep::rows(d.x.view(), 10, 100), d.out.view(), init, d.add());
    CHECK(d.out.values()[299] == sum(200, 299, init));
    upsweep::reduce_by_key(d.queue, upsweep::keyed(d.x.view(), d.x.view(), d.equal), d.out.view(), d.sums.view(),
                           d.count.view(), d.add());
    CHECK(d.count.values()[0] == (number_of_elements + 2) / 3);
    CHECK(d.out.values()[20] == d.values[60]);
    CHECK(d.sums.values()[20] == sum(60, 63, T{0, 0}));
}

template <class T>
void check_selections(data<T>& d) {
    std::vector<T> expected;
    std::copy_if(d.values.begin(), d.values.end(), std::back_inserter(expected), [](const T& t) { return t.x % 2; });
    const auto same = [&] {
        const std::vector<T> found = d.out.values();
        return std::equal(expected.begin(), expected.end(), found.begin());
    };
    upsweep::copy_if(d.queue, d.x.view(), d.out.view(), d.count.view(), "a.x % 2");
    CHECK(same());
    upsweep::partition(d.queue, d.x.view(), d.out.view(), d.count.view(), "a.x % 2");
    CHECK(same());
    CHECK(d.count.values()[0] == expected.size());
    expected = d.values;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    upsweep::unique(d.queue, d.x.view(), d.out.view(), d.count.view(), d.equal);
    CHECK(same());
    upsweep::run_length_encode(d.queue, d.x.view(), d.out.view(), d.lengths.view(), d.count.view(), d.equal);
    CHECK(same());
    CHECK(d.lengths.values()[0] == 3);
    CHECK(d.count.values()[0] == expected.size());
}

} // namespace

TEST_CASE("structs may have the names of the library's variables", "[api]") {
    data<named<name_value>> value;
    check_plain(value);
    check_segments(value);
    check_selections(value);
    data<named<name_left>> left;
    check_segments(left);
    data<named<name_in>> in;
    check_selections(in);
    data<named<name_a>> a;
    check_plain(a);
}

TEST_CASE("elements may have the members of operators, and be called as they are", "[api]") {
    const cl::CommandQueue queue = test::queue();
    const auto add =
        upsweep::make_operator<like_an_operator>("left.name += right.name; left.body += right.body; return left;");
    const like_an_operator init{5, 7};
    const std::vector<like_an_operator> values(number_of_elements, like_an_operator{1, 2});
    const like_an_operator total{1005, 2007}, before_last{1004, 2005};
    const test::guarded_array<like_an_operator> x(values, 1), out(number_of_elements, 1);

    upsweep::inclusive_scan(queue, x.view(), out.view(), add, init);
    CHECK(out.values().back() == total);
    upsweep::exclusive_scan(queue, x.view(), out.view(), init, add);
    CHECK(out.values().back() == before_last);
    upsweep::inclusive_scan(queue, upsweep::rows(x.view(), 10, 100), out.view(), add);
    CHECK(out.values().back() == like_an_operator{100, 200});
    CHECK(upsweep::reduce(queue, x.view(), init, add) == total);

    std::vector<like_an_operator> results(values.size());
    upsweep::inclusive_scan(queue, values.begin(), values.end(), results.begin(), add, init);
    CHECK(results.back() == total);
    upsweep::exclusive_scan(queue, values.begin(), values.end(), results.begin(), init, add);
    CHECK(results.back() == before_last);
    CHECK(upsweep::reduce(queue, values.begin(), values.end(), init, add) == total);
    CHECK(upsweep::copy_if(queue, values.begin(), values.end(), results.begin(), "a.name == 2") == results.begin());
}

TEST_CASE("types that are one in OpenCL C are one for operators, keys, counts and places", "[api]") {
    const cl::CommandQueue queue = test::queue();
    using other_long = std::conditional_t<std::is_same<std::int64_t, long>::value, long long, std::int64_t>;
    using other_count = std::make_unsigned_t<other_long>;
    const test::guarded_array<std::int64_t> x(std::vector<std::int64_t>{3, 3, 5, 5, 5}, 1);
    const test::guarded_array<other_long> out(5, 1), keys(5, 1);
    const test::guarded_array<other_count> count(1, 1);
    upsweep::inclusive_scan(queue, x.view(), out.view(), upsweep::make_operator<std::int64_t>("return left + right;"));
    CHECK(out.values() == std::vector<other_long>{3, 6, 11, 16, 21});
    upsweep::reduce_by_key(queue, upsweep::keyed(x.view(), x.view()), keys.view(), out.view(), count.view());
    CHECK(count.values()[0] == 2);
    CHECK(keys.values()[1] == 5);
    upsweep::copy_if(queue, x.view(), out.view(), count.view(), "a == 5");
    CHECK(count.values()[0] == 3);
    CHECK(upsweep::reduce(queue, upsweep::first(x.view(), count.view()), 0) == 11);
    const test::guarded_array<upsweep::extremum<other_long, other_count>> largest(1, 1);
    upsweep::max_element(queue, x.view(), largest.view());
    CHECK(largest.values()[0].index == 2);
}

TEST_CASE("two structs may have one definition", "[api]") {
    const test::guarded_array<of_one_number> x(std::vector<of_one_number>(number_of_elements, of_one_number{3}), 1);
    const test::guarded_array<of_two_numbers> sum(1, 1);
    const auto add = upsweep::make_operator<of_two_numbers>("left.x += right.x; left.y += right.y; return left;");
    const auto two =
        upsweep::transform<of_two_numbers>("of_two_numbers two; two.x = a.x; two.y = 1; return two;", x.view());
    upsweep::reduce<of_two_numbers>(test::queue(), two, sum.view(), upsweep::no_init, add);
    CHECK(sum.values()[0].x == 3 * number_of_elements);
    CHECK(sum.values()[0].y == number_of_elements);
}
