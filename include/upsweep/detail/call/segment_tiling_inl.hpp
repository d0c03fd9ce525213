// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/source/segment_form.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// How tiles of segments learn what precedes them (sub_group_tile/row_before.cl).

namespace upsweep::detail {

/// Which tiles a scan of segments may use.
enum class segment_tiling {
    none,    ///< tiles of any values
    waiting, ///< tiles of segments that wait for those before them
    any      ///< also such as read what precedes them in their row
};

/// Bytes of a row, at most, whose elements before a tile are read again: in the canonical order and otherwise; and
/// elements of one byte. H100, 512 MiB, us, by waiting and so: float in rows of 3000 437 and 399, of 5000 441 and 449;
/// int32 of 1000, 3000 406 and 404, 406 and 417; uchar16 of 300, 1000 500 and 497, 497 and 540; uint8 of 1000, 3000,
/// 5000 841 and 827, 841 and 914, 840 and 1019. Where rows are of a power of two of elements, nothing precedes a tile:
/// uint8 of 4096 839 and 723.
constexpr std::uint64_t most_row_bytes_before = 16 << 10;
constexpr std::uint64_t most_exact_row_bytes_before = 8 << 10;
constexpr std::uint64_t most_row_before = 1024;

/// The buffer that a buffer is a part of, or itself; null: it is none.
UPSWEEP_INLINE cl_mem root_of(cl_mem buffer) {
    cl_mem root = nullptr;
    if (!buffer || clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof root, &root, nullptr) != CL_SUCCESS)
        return nullptr;
    return root ? root : buffer;
}

/// Whether the output of a call may have memory in common with its elements. Other tiles would have replaced what a
/// tile reads again.
UPSWEEP_INLINE bool may_be_in_place(const segment_arguments& a) {
    const cl_mem out = root_of(a.out.buffer);
    const auto& parts = a.in->elements.parts;
    return std::any_of(parts.begin(), parts.end(), [&](const computed_input::part& part) {
        const cl_mem root = root_of(part.array.buffer);
        return !root || root == out;
    });
}

/// Whether tiles of a scan move values as words: values that are no words themselves, from an array without gaps to
/// another.
UPSWEEP_INLINE bool are_moved_as_words(const segment_arguments& a, const type_text& value) {
    const computed_input& elements = a.in->elements;
    const bool has_gap = a.in->cut == segment_cut::rows && a.in->pitch != a.in->width;
    return !reduces(a.results) && value.size % sizeof(std::uint32_t) != 0 && elements.is_array() &&
           elements.parts[0].type.name == value.name && !has_gap;
}

/// The widest rows of which what precedes a tile is read again. Structs that do not fill their last word take long to
/// load: of three shorts in rows of 100 929 and 1070 us, before they went as words.
/// @param value  without its mark
UPSWEEP_INLINE std::uint64_t widest_row_before(const type_text& value, bool is_exact, std::uint64_t width) {
    if (!is_scalar(value) && value.size % sizeof(std::uint32_t) != 0) return 0;
    if (is_exact && !is_power_of_two(width))
        return value.size == 1 ? most_row_before : most_exact_row_bytes_before / value.size;
    return most_row_bytes_before / value.size;
}

/// Whether tiles read what precedes them in their row.
UPSWEEP_INLINE bool reads_row_before(const segment_arguments& a, const type_text& value, bool is_exact,
                                     const device_limits& device) {
    const segmented_input& in = *a.in;
    return in.cut == segment_cut::rows && !reduces(a.results) && device.lanes != lanes_backend::none &&
           in.size() < most_elements_of_lines && in.width <= widest_row_before(value, is_exact, in.width) &&
           (a.prepares || !may_be_in_place(a));
}

/// Whether tiles of that tuning are large enough for it.
UPSWEEP_INLINE bool hold_rows(const tuning& t, std::uint64_t width) {
    return width <= std::uint64_t{t.work_items} * t.items;
}

} // namespace upsweep::detail
