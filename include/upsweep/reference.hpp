// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/maybe.hpp>
#include <upsweep/no_init.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

/// Scan and reduce on the host, without OpenCL, in the library's canonical order of combination: the same bits as on
/// every device that runs in this order.
///
/// The order: cut the input into aligned blocks of powers of two. A block's sum is its left half's combined with its
/// right half's. P(j), the prefix of the first j elements, is the initial value, if any, combined from left to right
/// with the blocks that make up [0, j), largest first, one for each bit of j. Then, to the last bit,
///
///     exclusive[i] = P(i)      inclusive[i] = P(i + 1)      reduce = P(n)
///
/// so an inclusive scan is the exclusive one shifted by one element, and its last element is the reduction. (P(i) is
/// what the down-sweep of G. Blelloch, Prefix Sums and Their Applications, 1990, leaves at i; P(i + 1) what the
/// distribute step of R. Brent and H. Kung, A Regular Layout for Parallel Adders, 1982, does.) As with any pairwise
/// summation the rounding error of a float sum grows with log n, not with n.
///
/// `combine` is any callable (T, T) -> T, for instance `std::plus<>{}` where the device uses `upsweep::plus`. Compile
/// without fast-math, and on hardware that evaluates T in T's own precision.
namespace upsweep::reference {

namespace detail {

/// The value type of an iterator, or else T.
template <class It, class T, class = void>
struct value_or {
    using type = T;
};
template <class It, class T>
struct value_or<It, T, std::enable_if_t<!std::is_void<typename std::iterator_traits<It>::value_type>::value>> {
    using type = typename std::iterator_traits<It>::value_type;
};
/// The value type of an input iterator; where C++17 knows none, as of some of C++20, what is read from it.
template <class In>
using value_of = typename value_or<In, std::decay_t<decltype(*std::declval<In&>())>>::type;

/// P(j) after j pushes. One combination per push for the blocks and one for the prefix, on average.
template <class T, class Combine>
class running_prefix {
public:
    explicit running_prefix(Combine combine)
        : combine_(std::move(combine)) {}
    running_prefix(T init, Combine combine)
        : combine_(std::move(combine))
        , init_(init)
        , prefix_(init) {}

    bool has_value() const { return prefix_.has_value(); }
    const T& value() const { return *prefix_; }

    void push(T sum) {
        std::size_t bit = 0;
        for (; (count_ >> bit) & 1U; ++bit) sum = combine_(levels_[bit].block, sum);
        ++count_;
        // The larger blocks did not change: what precedes this one is known from when the next larger was completed.
        std::size_t next = bit + 1;
        while (next < levels_.size() && !((count_ >> next) & 1U)) ++next;
        if (next < levels_.size())
            prefix_.emplace(combine_(levels_[next].prefix, sum));
        else
            prefix_.emplace(init_ ? combine_(*init_, sum) : sum);
        if (bit < levels_.size())
            levels_[bit] = {sum, *prefix_};
        else
            levels_.push_back({sum, *prefix_});
    }

private:
    /// The latest block of 2^k elements whose bit k is set in the count, on the heap because values may be large.
    struct level {
        T block;
        T prefix; ///< up to and with the block
    };

    Combine combine_;
    upsweep::detail::maybe<T> init_;
    upsweep::detail::maybe<T> prefix_; ///< none before the first element, without an initial value
    std::uint64_t count_ = 0;
    std::vector<level> levels_;
};

/// An inclusive scan that begins with what `prefix` holds.
template <class In, class Out, class T, class Combine>
Out inclusive_scan(In first, In last, Out out, running_prefix<T, Combine> prefix) {
    for (; first != last; ++first, ++out) {
        prefix.push(static_cast<T>(*first));
        *out = prefix.value();
    }
    return out;
}

} // namespace detail

/// out[i] = P(i), beginning with `init`. In place is fine. About two combinations per element; memory for
/// log2 n values.
/// @param first    of n elements, each read once and converted to T
/// @param last     the end of the input
/// @param out      of n values
/// @param init     stands on the left of everything
/// @param combine  (T, T) -> T, associative but for rounding
/// @return the end of the output
template <class In, class Out, class T, class Combine>
Out exclusive_scan(In first, In last, Out out, T init, Combine combine) {
    detail::running_prefix<T, Combine> prefix(init, std::move(combine));
    for (; first != last; ++first, ++out) {
        const T element = static_cast<T>(*first);
        *out = prefix.value();
        prefix.push(element);
    }
    return out;
}

/// out[i] = P(i + 1), without an initial value, in the output's type; in the input's where the output's iterator says
/// none, as std::back_insert_iterator does. Otherwise as `exclusive_scan`.
template <class In, class Out, class Combine>
Out inclusive_scan(In first, In last, Out out, Combine combine) {
    using T = typename detail::value_or<Out, detail::value_of<In>>::type;
    return detail::inclusive_scan(first, last, out, detail::running_prefix<T, Combine>(std::move(combine)));
}

/// The same, beginning with `init`.
template <class In, class Out, class Combine, class T>
Out inclusive_scan(In first, In last, Out out, Combine combine, T init) {
    return detail::inclusive_scan(first, last, out, detail::running_prefix<T, Combine>(init, std::move(combine)));
}

/// P(n), beginning with `init`. Otherwise as `exclusive_scan`.
template <class In, class T, class Combine>
T reduce(In first, In last, T init, Combine combine) {
    detail::running_prefix<T, Combine> prefix(init, std::move(combine));
    for (; first != last; ++first) prefix.push(static_cast<T>(*first));
    return prefix.value();
}

/// The same without an initial value, in the input's type; a value-initialised T where there is nothing to combine.
template <class In, class Combine>
auto reduce(In first, In last, no_init_t, Combine combine) {
    using T = detail::value_of<In>;
    detail::running_prefix<T, Combine> prefix(std::move(combine));
    for (; first != last; ++first) prefix.push(*first);
    return prefix.has_value() ? prefix.value() : T{};
}

} // namespace upsweep::reference
