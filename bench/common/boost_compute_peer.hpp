// SPDX-License-Identifier: MIT
#pragma once

// Boost.Compute on the same device and the same buffers. It has no exclusive scan of a user's non-commutative struct
// without more code than a fair comparison would carry, so there are no rows for `compose`.

#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/functional/operator.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

#include "device.hpp"

namespace bench {

template <class Op>
constexpr bool boost_compute_knows = !std::is_same_v<Op, compose>;

/// It counts in 32 bits here and there, and a kernel that goes astray would spoil the context for every later row.
constexpr std::uint64_t boost_compute_limit = std::uint64_t{1} << 28;

/// Wraps a handle of ours; with `true`, Boost.Compute retains it.
inline boost::compute::command_queue as_boost(const cl::CommandQueue& queue) {
    return boost::compute::command_queue(queue(), true);
}

template <class T>
boost::compute::buffer_iterator<T> boost_iterator(const cl::Buffer& buffer, std::uint64_t index) {
    return boost::compute::make_buffer_iterator<T>(boost::compute::buffer(buffer(), true),
                                                   static_cast<std::size_t>(index));
}

template <class T, class Op>
prepared_call boost_compute_scan(std::uint64_t n, bool exclusive) {
    namespace compute = boost::compute;
    const auto first = boost_iterator<T>(arrays<T>(n).input(), 0);
    const auto last = boost_iterator<T>(arrays<T>(n).input(), n);
    const auto out = boost_iterator<T>(arrays<T>(n).output(), 0);
    return prepare_scan<T, Op>(n, exclusive, [=](const cl::CommandQueue& queue) {
        compute::command_queue boost_queue = as_boost(queue);
        if constexpr (std::is_same_v<Op, sum>)
            compute::exclusive_scan(first, last, out, T{}, compute::plus<T>(), boost_queue);
        else
            compute::inclusive_scan(first, last, out, compute::max<T>(), boost_queue);
    });
}

template <class T, class Op>
prepared_call boost_compute_reduce(std::uint64_t n) {
    namespace compute = boost::compute;
    const auto first = boost_iterator<T>(arrays<T>(n).input(), 0);
    const auto last = boost_iterator<T>(arrays<T>(n).input(), n);
    const auto out = boost_iterator<T>(arrays<T>(n).output(), 0);
    return prepare_reduce<T, Op>(n, [=](const cl::CommandQueue& queue) {
        compute::command_queue boost_queue = as_boost(queue);
        if constexpr (std::is_same_v<Op, sum>)
            compute::reduce(first, last, out, compute::plus<T>(), boost_queue);
        else
            compute::reduce(first, last, out, compute::max<T>(), boost_queue);
    });
}

} // namespace bench
