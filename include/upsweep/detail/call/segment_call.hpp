// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/source/segment_form.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/version.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace upsweep::detail {

template <class>
class program_cache;

/// An input that is cut into segments.
struct segmented_input {
    computed_input elements;
    segment_cut cut = segment_cut::rows;
    untyped_span array;   ///< of keys, flags or offsets
    type_text type;       ///< of these
    std::string equality; ///< of keys
    std::uint64_t height = 0;
    std::uint64_t width = 0;
    std::uint64_t pitch = 0; ///< elements between the beginnings of rows

    /// Elements that are combined.
    std::uint64_t size() const { return are_of_one_length(cut) ? height * width : elements.size; }
    /// Segments, where that is known.
    UPSWEEP_INLINE std::uint64_t count() const {
        if (are_of_one_length(cut)) return cut == segment_cut::rows ? height : width;
        return cut == segment_cut::offsets && array.size > 0 ? array.size - 1 : 0;
    }
    /// Elements that the arrays of the input and of the output need.
    UPSWEEP_INLINE std::uint64_t extent() const {
        return !are_of_one_length(cut) ? size() : size() == 0 ? 0 : (height - 1) * pitch + width;
    }
};

/// The arguments of a scan or reduction of segments on device memory, types erased. None was checked.
struct segment_arguments {
    const char* function = "";
    cl_command_queue queue = nullptr;
    const segmented_input* in = nullptr;
    untyped_span out;
    segment_results results = segment_results::inclusive;
    untyped_span unique;         ///< where the keys of segments go
    untyped_span total;          ///< where the number of segments goes, an `uint` or a `ulong`
    const void* init = nullptr;  ///< null: none
    const void* empty = nullptr; ///< what a segment without elements gives where there is none; of reductions
    bool init_on_device = false;
    untyped_span init_place; ///< where the initial value is, then
    const wait_list* after = nullptr;
    bool prepares = false;               ///< programs are made, and nothing is enqueued; arrays do not matter
    program_cache<void>* kept = nullptr; ///< of a plan's calls: the programs that the plan keeps; null: there is none

    /// What kernels are given for the initial value; null: any value will do.
    const void* init_or_empty() const { return init ? init : empty; }
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// A scan or reduction of segments on device memory. Gives the caller a reference to the event, which may be null.
/// @param types  of the elements and of the values, with the operator on values
UPSWEEP_DECLARED cl_event call_segments(const segment_arguments& a, const call_types& types, const options& opts);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/call/segment_call_inl.hpp>
#endif
