// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/call/segment_scan_inl.hpp>
#include <upsweep/detail/run/mark_ends.hpp>

#include <cstdint>

namespace upsweep::detail {

/// Marks where segments by offsets end, and starts their scan behind that.
/// @param start  enqueues a call of the scan
template <class Start>
cl::Event start_marked(const segment_scan& scan, const queue_facts& queue, const options& opts,
                       std::uint64_t work_items, checked_call call, const Start& start) {
    const marks_request request = scan.marks(queue, opts);
    segment_marks marks(request, work_items);
    scan.use_marks(marks, call);
    const wait_list marked = marks.start();
    call.request.after = &marked;
    cl::Event scanned = start(call);
    marks.used_until(scanned());
    return scanned;
}

} // namespace upsweep::detail
