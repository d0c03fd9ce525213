// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// @{ The value type of an iterator; without one where the standard library knows none, as of
/// std::back_insert_iterator.
template <class It, class Enable = void>
struct value_of_iterator_20 {};
#if defined(__cpp_lib_ranges)
template <class It> // of C++20, without a category of C++17
struct value_of_iterator_20<It, std::void_t<std::iter_value_t<It>>> {
    using type = std::iter_value_t<It>;
};
#endif
template <class It, class Enable = void>
struct value_of_iterator : value_of_iterator_20<It> {};
template <class It>
struct value_of_iterator<
    It, std::enable_if_t<!std::is_void<typename std::iterator_traits<It>::value_type>::value>> { // void: none in C++17
    using type = typename std::iterator_traits<It>::value_type;
};
/// @}

/// A number of elements of an iterator's range. Of std::views::iota of 64 bits it is wider, and a class perhaps.
#if defined(__cpp_lib_ranges)
template <class It>
using difference_of_iterator = std::iter_difference_t<It>;
#else
template <class It>
using difference_of_iterator = typename std::iterator_traits<It>::difference_type;
#endif

/// @{ Whether a range may be read twice. Iterators of C++20's views can say so, and yet be input iterators in C++17's
/// terms, since they return values instead of references.
template <class It, class Enable = void>
struct is_forward_of_17 : std::false_type {};
template <class It>
struct is_forward_of_17<It, std::void_t<typename std::iterator_traits<It>::iterator_category>>
    : std::is_convertible<typename std::iterator_traits<It>::iterator_category, std::forward_iterator_tag> {};
#if defined(__cpp_lib_ranges)
template <class It>
constexpr bool is_multi_pass = is_forward_of_17<It>::value || std::forward_iterator<It>;
#else
template <class It>
constexpr bool is_multi_pass = is_forward_of_17<It>::value;
#endif
/// @}

/// The place n elements behind another.
template <class It>
It iterator_behind(It first, std::uint64_t n) {
    const auto steps = static_cast<difference_of_iterator<It>>(n);
#if defined(__cpp_lib_ranges)
    if constexpr (!is_forward_of_17<It>::value)
        return std::ranges::next(first, steps);
    else
#endif
        return std::next(first, steps);
}

/// @{ Anything that reads or writes an element and goes on to the next. Views and numbers are none.
template <class It>
using require_iterator = decltype((void)*std::declval<It&>(), (void)++std::declval<It&>());
template <class It>
using input_value = std::enable_if_t<std::is_same<require_iterator<It>, void>::value,
                                     std::remove_cv_t<typename value_of_iterator<It>::type>>;
/// @}

/// @{ Whether an iterator is a vector's, of any allocator: libstdc++'s name the vector. Those of other libraries do
/// not, and are those of a std::vector<T>.
template <class It>
struct is_of_vector : std::false_type {};
template <template <class, class> class Wrapper, class Pointer, class T, class Allocator>
struct is_of_vector<Wrapper<Pointer, std::vector<T, Allocator>>> {
    using iterator = Wrapper<Pointer, std::vector<T, Allocator>>;
    static constexpr bool value = std::is_same<iterator, typename std::vector<T, Allocator>::iterator>::value ||
                                  std::is_same<iterator, typename std::vector<T, Allocator>::const_iterator>::value;
};
/// @}

/// Whether the elements of an iterator's range lie behind one another, if they lie in memory.
template <class T, class It>
constexpr bool is_in_one_piece =
#if defined(__cpp_lib_ranges)
    std::contiguous_iterator<It> ||
#endif
    std::is_pointer<It>::value || is_of_vector<It>::value ||
    std::is_same<It, typename std::vector<T>::iterator>::value ||
    std::is_same<It, typename std::vector<T>::const_iterator>::value;

/// Whether `*it` is an element of type T in memory. Of std::vector<bool> and of computed ranges it is none.
template <class T, class It>
constexpr bool refers_to = std::is_same<decltype(*std::declval<It&>()), T&>::value;

/// @{ Whether n elements of type T lie behind one another in memory from `&*first` on; of an output, to be written.
template <class T, class It>
constexpr bool is_contiguous = is_in_one_piece<T, It> && (refers_to<T, It> || refers_to<const T, It>);
template <class T, class It>
constexpr bool is_contiguous_output = is_in_one_piece<T, It>&& refers_to<T, It>;
/// @}

/// @{ Whether an iterator runs over device memory: each access is then a transfer of one element. Libraries mark theirs
/// by a function `get_buffer` (Boost.Compute) or a constant `device_iterator` (VexCL).
template <class It, class Enable = void>
struct has_buffer : std::false_type {};
template <class It>
struct has_buffer<It, std::void_t<decltype(std::declval<const It&>().get_buffer())>> : std::true_type {};
template <class It, class Enable = void>
struct has_mark : std::false_type {};
template <class It>
struct has_mark<It, std::enable_if_t<It::device_iterator>> : std::true_type {};
template <class It>
struct is_device_iterator : std::disjunction<has_buffer<It>, has_mark<It>> {};
template <class It>
struct is_device_iterator<std::reverse_iterator<It>> : is_device_iterator<It> {};
template <class It>
struct is_device_iterator<std::move_iterator<It>> : is_device_iterator<It> {};
/// @}

} // namespace upsweep::detail
