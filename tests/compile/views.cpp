// SPDX-License-Identifier: MIT
// C++20: ranges that are computed as they are read. Their iterators return values, so in C++17's terms they are input
// iterators, and some have no category of C++17 at all.
#include <upsweep/reference.hpp>
#include <upsweep/upsweep.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#if __has_include(<ranges>)
#include <ranges>
#include <span>
#endif

// Clang before 16 does not compile libstdc++'s views.
#if defined(__cpp_lib_ranges) && !(defined(__GLIBCXX__) && defined(__clang__) && __clang_major__ < 16)
#define HAS_VIEWS
#endif

#if defined(HAS_VIEWS)
namespace {

/// The numbers from `at` on: a forward iterator in C++20's terms, without a category of C++17's.
class counter {
public:
    using iterator_concept = std::forward_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;

    counter() = default;
    explicit counter(int at)
        : at_(at) {}
    int operator*() const { return at_; }
    counter& operator++() { return ++at_, *this; }
    counter operator++(int) { return counter(at_++); }
    bool operator==(const counter&) const = default;

private:
    int at_ = 0;
};

/// Ranges in one piece are read and written where they are, whatever their iterators are.
bool used_in_place(const cl::CommandQueue& queue) {
    std::vector<int> numbers{1, 2, 3, 4};
    const std::span<int> all(numbers);
    const upsweep::detail::host_elements<int, std::span<int>::iterator> elements(
        "test", queue, upsweep::detail::any_size(), all.begin(), all.end());
    const std::string text = "1234";
    const upsweep::detail::host_elements<char, std::string::const_iterator> letters(
        "test", queue, upsweep::detail::any_size(), text.begin(), text.end());
    upsweep::inclusive_scan(queue, all.begin(), all.end(), all.begin());
    return elements.data() == numbers.data() && letters.data() == text.data() && numbers.back() == 10;
}

bool right(const std::vector<int>& scan, const std::vector<int>& expected, int sum) {
    return scan == expected && sum == expected.back();
}

/// What gives a number of elements or a place, and what writes to iterators that say no type.
int check_places_and_appended(const cl::CommandQueue& queue) {
    const auto wide = std::views::iota(std::uint64_t{0}, std::uint64_t{10}); // differences of more than 64 bits
    if (upsweep::count_if(queue, wide.begin(), wide.end(), "a % 3 == 0") != 4) return 4;
    if (*upsweep::max_element(queue, wide.begin(), wide.end()) != 9) return 5;
    if (upsweep::count_if(queue, counter(1), counter(5), "a > 2") != 2) return 6;
    if (*upsweep::minmax_element(queue, counter(1), counter(5)).second != 4) return 7;

    std::vector<std::uint64_t> sums, multiples;
    upsweep::exclusive_scan(queue, wide.begin(), wide.end(), std::back_inserter(sums), std::uint64_t{5});
    if (sums.size() != 10 || sums.back() != 41) return 8;
    upsweep::copy_if(queue, wide.begin(), wide.end(), std::back_inserter(multiples), "a % 3 == 0");
    if (multiples != std::vector<std::uint64_t>{0, 3, 6, 9}) return 9;
    sums.clear();
    upsweep::reference::inclusive_scan(wide.begin(), wide.end(), std::back_inserter(sums), std::plus<>{});
    return sums.size() == 10 && sums.back() == 45 ? 0 : 10;
}

} // namespace

int main() {
    cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<int> expected{1, 5, 14, 30};
    std::vector<int> out(4);

    auto squares = std::views::iota(1, 5) | std::views::transform([](int i) { return i * i; });
    upsweep::inclusive_scan(queue, squares.begin(), squares.end(), out.begin());
    if (!right(out, expected, upsweep::reduce(queue, squares.begin(), squares.end()))) return 1;
    upsweep::exclusive_scan(queue, squares.begin(), squares.end(), out.begin(), 3);
    if (out != std::vector<int>{3, 4, 8, 17}) return 2;

    upsweep::inclusive_scan(queue, counter(1), counter(5), out.begin());
    if (!right(out, {1, 3, 6, 10}, upsweep::reduce(queue, counter(1), counter(5)))) return 3;
    if (!used_in_place(queue)) return 11;
    return check_places_and_appended(queue);
}
#else
int main() {} // nothing to test
#endif
