// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/streamed/pieces.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>
#include <upsweep/options.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace upsweep::detail {

/// Work on one piece that is on the device, of which elements and results begin at byte offsets of their buffers.
/// Returns when it is done.
struct piece_on_device {
    std::uint64_t number = 0;
    cl_mem in = nullptr;
    std::uint64_t in_offset = 0;
    cl_mem out = nullptr; ///< of a reduction: no matter
    std::uint64_t out_offset = 0;
    /// Where results are in host memory: waits for what was enqueued, and gives the address of the first.
    std::function<const unsigned char*()> results_in_host_memory = {};
};
using piece_work = std::function<void(const piece_on_device&)>;

/// A call on a host range, divided, types erased.
struct stream_job {
    const char* function = "";
    piece_plan pieces;
    std::size_t element_size = 1;
    std::size_t value_size = 1;
    const void* in = nullptr;
    void* out = nullptr;   ///< null: there are no results but what `work` keeps
    bool in_place = false; ///< on the device
    piece_work work;
    const options* opts = nullptr;
};

/// Tells the caller how many elements are done.
/// @throws upsweep::error where the caller wants no more
UPSWEEP_INLINE void report_progress(const char* function, const options& opts, std::uint64_t done,
                                    std::uint64_t total) {
    if (!opts.progress || opts.progress(done, total) || done == total) return;
    throw error(function, "options: progress",
                "the call was cancelled after " + std::to_string(done) + " of " + std::to_string(total) + " elements");
}

} // namespace upsweep::detail
