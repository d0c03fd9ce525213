// SPDX-License-Identifier: MIT
// Host ranges: the type that they are combined in, iterators of every kind, and ranges that no buffer takes.
#include "device_fixture.hpp"
#include "support.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

using fixture::expect_error;
using upsweep::detail::is_device_iterator;

namespace {

/// Scans with an initial value into outputs of type Out must be those of <numeric>.
template <class Out, class In, class T>
void check_as_numeric(const std::vector<In>& in, T init) {
    INFO(upsweep::type<In>::name << " from a " << upsweep::type<T>::name << " into " << upsweep::type<Out>::name);
    std::vector<Out> out(in.size(), Out(77));
    std::vector<Out> expected(in.size());
    upsweep::exclusive_scan(test::queue(), in.begin(), in.end(), out.begin(), init);
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), init);
    CHECK(out == expected);
    upsweep::inclusive_scan(test::queue(), in.begin(), in.end(), out.begin(), upsweep::plus{}, init);
    std::inclusive_scan(in.begin(), in.end(), expected.begin(), std::plus<>(), init);
    CHECK(out == expected);
}

template <class Out, class In>
void check_as_numeric(const std::vector<In>& in) {
    INFO(upsweep::type<In>::name << " into " << upsweep::type<Out>::name);
    std::vector<Out> out(in.size(), Out(77));
    std::vector<Out> expected(in.size());
    CHECK(upsweep::inclusive_scan(test::queue(), in.begin(), in.end(), out.begin()) == out.end());
    std::inclusive_scan(in.begin(), in.end(), expected.begin());
    CHECK(out == expected);
}

/// An allocator of one's own.
template <class T>
struct own_allocator : std::allocator<T> {
    using value_type = T;
    template <class U>
    struct rebind {
        using other = own_allocator<U>;
    };
    own_allocator() = default;
    template <class U>
    own_allocator(const own_allocator<U>&) {}
};

/// Whether calls read a container's elements where they are, and write them there.
template <class Container>
bool is_used_in_place(Container& all) {
    using T = typename Container::value_type;
    using iterator = typename Container::iterator;
    const auto begin = all.cbegin();
    const auto size = upsweep::detail::any_size();
    const upsweep::detail::host_elements<T, typename Container::const_iterator> elements("test", test::queue(), size,
                                                                                         begin, all.cend());
    upsweep::detail::host_values<T, iterator> values(all.begin(), all.size());
    return elements.data() == &*begin && values.data() == &*begin && values.store(all.size()) == all.end();
}

/// What Boost.Compute's iterators look like.
struct buffer_iterator : std::vector<int>::iterator {
    int get_buffer() const { return 0; }
};
/// What VexCL's look like.
struct marked_iterator : std::vector<int>::iterator {
    static const bool device_iterator = true;
};

/// An input iterator of C++17 that may be copied and read again, such as those of C++20's views: it returns values.
struct square_iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = int;

    int at;
    int operator*() const { return at * at; }
    square_iterator& operator++() { return ++at, *this; }
    square_iterator operator++(int) { return {at++}; }
    friend bool operator==(square_iterator a, square_iterator b) { return a.at == b.at; }
    friend bool operator!=(square_iterator a, square_iterator b) { return !(a == b); }
};

} // namespace

TEST_CASE("host scans combine in the type of the initial value, as in <numeric>", "[api]") {
    const std::vector<float> halves(100, 0.5F);
    check_as_numeric<float>(halves, 0);     // adds integers
    check_as_numeric<int>(halves, 0.0F);    // adds floats, stores integers
    check_as_numeric<float>(halves, 0.25F); // all the same
    const std::vector<std::int32_t> large(100, 1 << 30);
    check_as_numeric<std::int64_t>(large, std::int64_t{5});
    check_as_numeric<std::uint32_t>(large, std::uint64_t{5});    // wraps as it is stored
    check_as_numeric<std::uint8_t>(large, std::uint16_t{40000}); // wraps as it is added
    const std::vector<std::uint8_t> bytes(1000, 255);
    check_as_numeric<std::uint64_t>(bytes, std::uint32_t{9});
    if (!test::has_type<double>()) return test::leave_out("double");
    check_as_numeric<float>(std::vector<float>{1e8F, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0.0);
}

TEST_CASE("host scans without an initial value combine in the input's type, as in <numeric>", "[api]") {
    check_as_numeric<std::uint64_t>(std::vector<std::uint8_t>(1000, 255));
    check_as_numeric<int>(std::vector<float>(100, 0.5F));
    check_as_numeric<float>(std::vector<int>(100, 3));
    check_as_numeric<long long>(std::vector<int>(100, 3));
}

TEST_CASE("host scans in place, and with types that are one in OpenCL C", "[api]") {
    std::vector<float> values(100, 0.5F);
    upsweep::inclusive_scan(test::queue(), values.begin(), values.end(), values.begin(), upsweep::plus{}, 1);
    CHECK(values == std::vector<float>(100, 1));
    const std::vector<long long> in(100, 2);
    std::vector<std::int64_t> out(100);
    upsweep::exclusive_scan(test::queue(), in.begin(), in.end(), out.begin(), std::int64_t{1});
    CHECK(out[99] == 199);
}

TEST_CASE("host ranges of few elements in an out-of-order queue", "[matrix]") {
    if (!fixture::has_out_of_order(test::queue())) return test::skip("no out-of-order queues");
    const cl::CommandQueue queue = fixture::out_of_order_queue(test::queue());
    for (int n = 1; n < 300; n += 6) {
        std::vector<int> in(static_cast<std::size_t>(n)), out(in.size()), expected(in.size()), kept;
        std::iota(in.begin(), in.end(), n);
        std::vector<double> wide(in.size());
        std::partial_sum(in.begin(), in.end(), expected.begin());
        INFO("n = " << n);
        upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin());
        CHECK(out == expected);
        upsweep::inclusive_scan(queue, in.begin(), in.end(), wide.begin(), upsweep::plus{}, 0.5);
        CHECK(wide.back() == expected.back() + 0.5);
        CHECK(upsweep::reduce(queue, in.begin(), in.end(), 1) == expected.back() + 1);
        CHECK(upsweep::transform_reduce(queue, in.begin(), in.end(), 0, upsweep::plus{}, "a + 1") ==
              expected.back() + n);
        upsweep::copy_if(queue, in.begin(), in.end(), std::back_inserter(kept), "a % 2 == 0");
        CHECK(kept.size() == (in.size() + (n % 2 == 0)) / 2);
    }
}

TEST_CASE("input iterators are read once", "[api]") {
    using input = std::istream_iterator<int>;
    std::istringstream numbers("3 1 7 0 4 1 6 3");
    CHECK(upsweep::reduce(test::queue(), input(numbers), input()) == 25);
    CHECK(numbers.eof());
    numbers = std::istringstream("3 1 7 0 4 1 6 3");
    CHECK(upsweep::reduce(test::queue(), input(numbers), input(), std::int64_t{17}) == 42);
    numbers = std::istringstream("3 1 7 0 4 1 6 3");
    CHECK(upsweep::reduce(test::queue(), input(numbers), input(), upsweep::no_init, upsweep::maximum{}) == 7);
    numbers = std::istringstream("");
    CHECK(upsweep::reduce(test::queue(), input(numbers), input(), 5) == 5);

    std::vector<int> out(8);
    numbers = std::istringstream("3 1 7 0 4 1 6 3");
    CHECK(upsweep::inclusive_scan(test::queue(), input(numbers), input(), out.begin()) == out.end());
    CHECK(out == std::vector<int>{3, 4, 11, 11, 15, 16, 22, 25});
    numbers = std::istringstream("3 1 7 0 4 1 6 3");
    std::ostringstream text;
    upsweep::exclusive_scan(test::queue(), input(numbers), input(), std::ostream_iterator<int>(text, " "), 0);
    CHECK(text.str() == "0 3 4 11 11 15 16 22 ");
}

TEST_CASE("iterators that return values instead of references", "[api]") {
    const square_iterator first{1};
    const square_iterator last{5};
    CHECK(upsweep::reduce(test::queue(), first, last) == 30);
    std::vector<int> out(4);
    upsweep::inclusive_scan(test::queue(), first, last, out.begin());
    CHECK(out == std::vector<int>{1, 5, 14, 30});
    upsweep::exclusive_scan(test::queue(), first, last, out.begin(), 7);
    CHECK(out == std::vector<int>{7, 8, 12, 21});
}

TEST_CASE("vectors of any allocator and arrays are used in place, other ranges are not", "[api]") {
    std::vector<int> vector(10);
    std::vector<int, own_allocator<int>> own(10);
    std::array<int, 10> array{};
    CHECK(is_used_in_place(vector));
    CHECK(is_used_in_place(own));
    CHECK(is_used_in_place(array));
    using upsweep::detail::is_contiguous;
    STATIC_REQUIRE(is_contiguous<int, volatile int*> == false);
    STATIC_REQUIRE(is_contiguous<int, std::deque<int>::iterator> == false);
    STATIC_REQUIRE(is_contiguous<int, std::reverse_iterator<int*>> == false);
    STATIC_REQUIRE(is_contiguous<bool, std::vector<bool>::iterator> == false);
    STATIC_REQUIRE(is_contiguous<bool, std::vector<bool, own_allocator<bool>>::iterator> == false);
    STATIC_REQUIRE(is_contiguous<float, std::vector<int, own_allocator<int>>::iterator> == false);

    std::iota(own.begin(), own.end(), 1);
    CHECK(upsweep::inclusive_scan(test::queue(), own.begin(), own.end(), own.begin()) == own.end());
    CHECK(own.back() == 55);
    CHECK(upsweep::reduce(test::queue(), own.cbegin(), own.cend()) == 220);
}

TEST_CASE("iterators over device memory are told from others", "[api]") {
    STATIC_REQUIRE(is_device_iterator<buffer_iterator>::value);
    STATIC_REQUIRE(is_device_iterator<marked_iterator>::value);
    STATIC_REQUIRE(is_device_iterator<std::reverse_iterator<buffer_iterator>>::value);
    STATIC_REQUIRE_FALSE(is_device_iterator<int*>::value);
    STATIC_REQUIRE_FALSE(is_device_iterator<std::vector<int>::const_iterator>::value);
    STATIC_REQUIRE_FALSE(is_device_iterator<std::reverse_iterator<int*>>::value);
    STATIC_REQUIRE_FALSE(is_device_iterator<std::istream_iterator<int>>::value);
    STATIC_REQUIRE_FALSE(is_device_iterator<square_iterator>::value);
}

TEST_CASE("a host range that no buffer takes is streamed, or refused with sizes where the call cannot", "[errors]") {
    const std::vector<int> in(300, 1);
    std::vector<int> out(301, -1);
    // Text that no compiler takes: were anything built, the error would be another.
    const auto broken = upsweep::make_operator<int>("return no_such_name_of_a_large_range;");
    const test::disguise small_device([](auto& limits) { limits.max_allocation_bytes = 1000; });
    const auto& queue = test::queue();
    const auto refuses = [&](const char* function, const std::string& phrase, auto&& call) {
        expect_error(function, "input", phrase, call);
        expect_error(function, "input", " allocates at most 1000 bytes; pass parts of at most 250 elements", call);
    };
    const std::string sizes = "300 elements of 4 bytes do not fit a buffer: device " + test::limits().name;
    refuses("transform_reduce", sizes, [&] { upsweep::transform_reduce(queue, in.begin(), in.end(), 0, broken, "a"); });
    refuses("count_if", sizes, [&] { upsweep::count_if(queue, in.begin(), in.end(), "no_such_name(a)"); });
    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin());
    CHECK(out[299] == 300);
    CHECK(out[300] == -1);
    CHECK(upsweep::reduce(queue, square_iterator{0}, square_iterator{300}, std::int64_t{1}) == 8955051);
}

TEST_CASE("elements of host ranges may be volatile", "[api]") {
    volatile int in[3] = {1, 2, 3};
    volatile int out[3] = {7, 7, 7};
    CHECK(upsweep::inclusive_scan(test::queue(), in, in + 3, out) == out + 3);
    CHECK((out[0] == 1 && out[1] == 3 && out[2] == 6));
    CHECK(upsweep::reduce(test::queue(), in, in + 3) == 6);
}

TEST_CASE("host ranges that end before they begin are refused", "[api][errors]") {
    const std::vector<int> in{1, 2, 3};
    std::vector<int> out(3);
    expect_error("reduce", "input", "the range ends before it begins",
                 [&] { upsweep::reduce(test::queue(), in.end(), in.begin()); });
    expect_error("inclusive_scan", "input", "the range ends before it begins",
                 [&] { upsweep::inclusive_scan(test::queue(), in.end(), in.begin(), out.begin()); });
    expect_error("copy_if", "input", "the range ends before it begins",
                 [&] { upsweep::copy_if(test::queue(), in.end(), in.begin(), out.begin(), "a > 1"); });
}
