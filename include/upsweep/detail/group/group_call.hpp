// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/parts/parts_call.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/version.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// What the public templates of device groups call of what is no template; see call/calls.hpp.

namespace upsweep::detail {

/// A call on an array whose parts are on several devices.
struct group_arguments {
    const char* function = "";
    parts_call call = parts_call::inclusive;
    std::vector<call_arguments> parts; ///< from left to right, without initial values
    const void* init = nullptr;        ///< null: none
    void* result = nullptr;            ///< of a reduction, on the host: written unless there is nothing to combine
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// A call on device memory. Gives the caller a reference to an event for each part of a scan.
UPSWEEP_DECLARED std::vector<cl_event> call_group(const group_arguments& a, const call_types& types,
                                                  const options& opts);

/// A blocking call on host memory.
/// @param h       of the whole array; its queue is not used
/// @param queues  one for each part, and
/// @param counts  the parts' elements
UPSWEEP_DECLARED void call_group_on_host(const host_arguments& h, parts_call call,
                                         const std::vector<cl_command_queue>& queues,
                                         const std::vector<std::uint64_t>& counts, const call_types& types,
                                         const options& opts);

/// Checks the speeds of a group of so many queues.
UPSWEEP_DECLARED void check_speeds(const std::vector<double>& speeds, std::size_t queues);

/// Divides n elements as `split_by_speed`.
UPSWEEP_DECLARED std::vector<std::size_t> split_elements(std::size_t n, const std::vector<double>& speeds);

/// Checks that a queue's device can scan n floats, and that these are any.
UPSWEEP_DECLARED void check_measured(cl_command_queue queue, std::size_t n);

/// The time of a scan of n floats on a queue's device, the best of three.
UPSWEEP_DECLARED double seconds_of_scan(cl_command_queue queue, std::size_t n);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/group/group_call_inl.hpp>
#endif
