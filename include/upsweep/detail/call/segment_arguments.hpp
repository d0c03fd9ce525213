// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace upsweep::detail {

/// An input that is cut into segments.
struct segmented_input {
    enum class cut { keys, flags, rows };

    computed_input elements;
    cut heads = cut::rows;
    untyped_span array;   ///< of keys or flags, of which there are as many as elements
    type_text type;       ///< of these
    std::string equality; ///< of keys
    std::uint64_t height = 0;
    std::uint64_t width = 0;
    std::uint64_t pitch = 0; ///< elements between the beginnings of rows

    /// Elements that are combined.
    std::uint64_t size() const { return heads == cut::rows ? height * width : elements.size; }
    /// Elements that the arrays of the input and of the output need.
    std::uint64_t extent() const {
        return heads != cut::rows ? size() : size() == 0 ? 0 : (height - 1) * pitch + width;
    }
};

/// The arguments of a scan of segments on device memory, types erased. None was checked.
struct segment_arguments {
    const char* function = "";
    cl_command_queue queue = nullptr;
    const segmented_input* in = nullptr;
    untyped_span out;
    bool exclusive = false;
    const void* init = nullptr; ///< null: none
    const wait_list* after = nullptr;
};

} // namespace upsweep::detail
