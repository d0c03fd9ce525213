// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/type.hpp>

#include <cstddef>

namespace upsweep::detail {

/// How kernels are given the initial value; follows UPSWEEP_INIT_FORM in prelude.cl.
enum class init_form { value, bytes, memory, place };

/// Larger values reach kernels through memory. All arguments of a kernel together are below 256 bytes then, the least
/// that CL_DEVICE_MAX_PARAMETER_SIZE may be.
constexpr std::size_t most_argument_bytes = 128;

/// @param on_device  the caller has it in device memory, at any place
inline init_form init_form_of(const type_text& value, bool on_device) {
    if (on_device) return init_form::place;
    if (value.size > most_argument_bytes) return init_form::memory;
    return value.definition.empty() && value.size <= 8 ? init_form::value : init_form::bytes;
}

} // namespace upsweep::detail
