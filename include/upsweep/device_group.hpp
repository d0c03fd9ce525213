// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/group/group_arguments.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/exclusive_scan.hpp>
#include <upsweep/no_init.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace upsweep {

/// Several queues that share the work on one array: on several devices, of one context or of several. Each takes a part
/// of the array, in the order of the queues. Results have the bits of one device (reference.hpp), however the array is
/// divided. Safe to use from many threads at once, but for `set_speeds` and `measure_speeds`. `<upsweep/upsweep.hpp>`
/// does not include this header: it takes compilers as long as 4 % of that one, and most programs have one device.
///
/// PoCL before 6.0 may abort where several queues of one of its devices run a kernel with different sizes at once, and
/// the largest was not run before (tests/README.md).
///
/// @par Source
/// G. Blelloch, Prefix Sums and Their Applications, 1990: sums of parts, a scan of these, scans of parts. The cost:
/// include/upsweep/detail/parts/README.md.
class device_group {
public:
    /// @param queues  one for each part; retained. All are taken to be of the same speed
    /// @throws upsweep::error where there is none, or one is a null handle
    UPSWEEP_INLINE explicit device_group(std::vector<cl::CommandQueue> queues)
        : queues_(std::move(queues))
        , speeds_(queues_.size(), 1.0) {
        if (queues_.empty()) throw error("device_group", "queues", "there must be one at least");
        for (const cl::CommandQueue& queue : queues_) detail::device_of("device_group", queue());
    }

    /// Moves are copies: a group that was moved from is whole, as plans are.
    device_group(const device_group&) = default;
    /// Likewise.
    device_group& operator=(const device_group&) = default;

    /// How many queues there are, and so parts.
    std::size_t size() const noexcept { return queues_.size(); }
    /// A queue, which takes the part of the same number.
    /// @throws upsweep::error where there are not as many
    UPSWEEP_INLINE const cl::CommandQueue& queue(std::size_t number) const {
        if (number >= size())
            throw error("device_group", "number",
                        std::to_string(number) + ", but the group has " + std::to_string(size()) +
                            " queues, counted from 0");
        return queues_[number];
    }
    /// How fast the queues' devices are, compared with each other.
    const std::vector<double>& speeds() const noexcept { return speeds_; }

    /// Sets how fast devices are, compared with each other, in any unit.
    /// @throws upsweep::error for another number of speeds than of queues; where one is negative, or all are zero
    UPSWEEP_INLINE void set_speeds(const std::vector<double>& speeds) {
        detail::check_speeds(speeds, size());
        speeds_ = speeds;
    }

    /// Measures how fast the devices scan, one after another, and sets their speeds. Takes 4 scans of `n` floats on
    /// each, and as much of its memory.
    /// @param n  elements, as in the calls that follow: small arrays have other ratios than large ones
    /// @throws upsweep::error before anything is measured where n is 0, or more floats than a buffer of one of the
    ///         devices holds; else as `inclusive_scan`
    UPSWEEP_INLINE void measure_speeds(std::size_t n = std::size_t{1} << 24) {
        for (const cl::CommandQueue& queue : queues_) detail::check_measured(queue(), n);
        std::vector<double> speeds;
        for (const cl::CommandQueue& queue : queues_) speeds.push_back(1.0 / detail::seconds_of_scan(queue(), n));
        set_speeds(speeds);
    }

    /// Divides n elements by the devices' speeds: what each part of a host range gets. Parts begin at multiples of a
    /// power of two, so that they need few sums.
    /// @return for each queue the number of its elements; their sum is n
    UPSWEEP_INLINE std::vector<std::size_t> split(std::size_t n) const { return detail::split_elements(n, speeds_); }

private:
    std::vector<cl::CommandQueue> queues_;
    std::vector<double> speeds_;
};

/// Inclusive scan of an array whose parts are views of device memory: results go to views of the same sizes. Blocks
/// until the sums of parts are there; the scans are then enqueued.
///
/// @param group  for each part a queue of its context
/// @param in     the parts, from left to right; they may be empty
/// @param out    for each part at least as many elements. May be the input's part itself
/// @param op     associative
/// @param after  events to wait for: none, or a list for each part
/// @param opts   what is not left to the library
/// @return an event for each part
/// @throws upsweep::error as `inclusive_scan` of a span, where the argument's name begins with the part's number; and
///         where there are not as many views, or lists of events, as queues, or a part writes what another reads or
///         writes. Nothing was enqueued then. Where a device fails, what the others were given goes on, and nothing
///         waits for it
///
/// @par Launches and elements moved
/// Where other parts follow, a reduction reads each part once more: 3n elements, but 2n of the last part. A part that
/// begins or ends at an odd place is at most 2 log2 n reductions and log2 n scans; `device_group::split` divides so
/// that few are needed. One launch combines the sums; the host does it where they are integers and the operator is the
/// library's. Parts of one buffer are best given as sub-buffers: OpenCL has devices write to one buffer one after
/// another.
template <class In, class Out, class Op = plus, class = detail::require_operator<Op>>
std::vector<cl::Event> inclusive_scan(const device_group& group, const std::vector<span<In>>& in,
                                      const std::vector<span<Out>>& out, const Op& op = {},
                                      const std::vector<wait_list>& after = {}, const options& opts = {}) {
    const Out* const none = nullptr;
    return detail::scan_group("inclusive_scan", group, in, out, false, none, op, after, opts);
}

/// Inclusive scan of parts with an initial value, which stands before the first part.
template <class In, class Out, class Op, class = detail::require_operator<Op>>
std::vector<cl::Event> inclusive_scan(const device_group& group, const std::vector<span<In>>& in,
                                      const std::vector<span<Out>>& out, const Op& op,
                                      const detail::identity_t<detail::initial_value<Out>>& init,
                                      const std::vector<wait_list>& after = {}, const options& opts = {}) {
    return detail::scan_group("inclusive_scan", group, in, out, false, init.of_host("inclusive_scan"), op, after, opts);
}

/// Exclusive scan of parts; otherwise as the inclusive one.
template <class In, class Out, class Op = plus, class = detail::require_operator<Op>>
std::vector<cl::Event> exclusive_scan(const device_group& group, const std::vector<span<In>>& in,
                                      const std::vector<span<Out>>& out,
                                      const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                                      const std::vector<wait_list>& after = {}, const options& opts = {}) {
    return detail::scan_group("exclusive_scan", group, in, out, true, init.of_host("exclusive_scan"), op, after, opts);
}

/// Exclusive scan of parts from the identity of one of the library's operators (`identity_of`). Otherwise as the one
/// with an initial value.
template <class In, class Out, class Op = plus, class = detail::require_operator<Op>>
std::vector<cl::Event> exclusive_scan(const device_group& group, const std::vector<span<In>>& in,
                                      const std::vector<span<Out>>& out, const Op& op = {},
                                      const std::vector<wait_list>& after = {}, const options& opts = {}) {
    return exclusive_scan(group, in, out, detail::first_of_scan<Out>(op), op, after, opts);
}

/// Reduces an array whose parts are views of device memory, in the type of the initial value, and returns the result:
/// waits for it. Arguments and errors as `inclusive_scan` of parts; each element is read once.
template <class In, class T, class Op = plus, class = detail::require_operator<Op>,
          class = detail::require_value_for_operator<T>>
T reduce(const device_group& group, const std::vector<span<In>>& in, T init, const Op& op = {},
         const std::vector<wait_list>& after = {}, const options& opts = {}) {
    return detail::reduce_group(group, in, &init, op, after, opts);
}

/// Reduces parts without an initial value, in the type of the elements; T{} where there are none.
template <class In, class Op = plus, class T = std::remove_const_t<In>, class = detail::require_operator<Op>>
T reduce(const device_group& group, const std::vector<span<In>>& in, no_init_t = no_init, const Op& op = {},
         const std::vector<wait_list>& after = {}, const options& opts = {}) {
    const T* const none = nullptr;
    return detail::reduce_group(group, in, none, op, after, opts);
}

/// Inclusive scan of host memory by a group, blocking; otherwise as `inclusive_scan(queue, first, last, out)`. Each
/// device takes a part as `device_group::split` says: copies to all devices and back go on at the same time.
/// Parts are not streamed: each must fit its device, and `options::device_memory` and `progress` are not looked at.
/// @throws upsweep::error as for one device; the argument's name begins with the part's number; and where a thread
///         cannot be started
template <class InputIt, class OutputIt, class Op = plus, class T = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_operator<Op>>
OutputIt inclusive_scan(const device_group& group, InputIt first, InputIt last, OutputIt out, const Op& op = {},
                        const options& opts = {}) {
    const T* const none = nullptr;
    return detail::scan_host_by_group("inclusive_scan", group, first, last, out, false, none, op, opts);
}

/// Exclusive scan of host memory by a group, in the type of the initial value.
template <class InputIt, class OutputIt, class T, class Op = plus, class = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_operator<Op>,
          class = detail::require_no_operator<T>>
OutputIt exclusive_scan(const device_group& group, InputIt first, InputIt last, OutputIt out, T init, const Op& op = {},
                        const options& opts = {}) {
    return detail::scan_host_by_group("exclusive_scan", group, first, last, out, true, &init, op, opts);
}

/// Exclusive scan of host memory by a group from the identity of one of the library's operators, in the type of the
/// elements.
template <class InputIt, class OutputIt, class Op = plus, class T = detail::input_value<InputIt>,
          class = detail::require_iterator<OutputIt>, class = detail::require_operator<Op>>
OutputIt exclusive_scan(const device_group& group, InputIt first, InputIt last, OutputIt out, const Op& op = {},
                        const options& opts = {}) {
    return exclusive_scan(group, first, last, out, detail::first_of_scan<T>(op), op, opts);
}

/// Reduces host memory by a group from an initial value, in the type of that value; blocking.
template <class InputIt, class T, class Op = plus, class = detail::input_value<InputIt>,
          class = detail::require_operator<Op>, class = detail::require_value<T>>
T reduce(const device_group& group, InputIt first, InputIt last, T init, const Op& op = {}, const options& opts = {}) {
    return detail::reduce_host_by_group(group, first, last, &init, op, opts);
}

/// Reduces host memory by a group without an initial value; an empty range gives a value-initialised element.
template <class InputIt, class Op = plus, class T = detail::input_value<InputIt>, class = detail::require_operator<Op>>
T reduce(const device_group& group, InputIt first, InputIt last, no_init_t = no_init, const Op& op = {},
         const options& opts = {}) {
    const T* const none = nullptr;
    return detail::reduce_host_by_group(group, first, last, none, op, opts);
}

} // namespace upsweep
