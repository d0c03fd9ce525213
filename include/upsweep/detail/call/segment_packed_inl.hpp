// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/engine/packed_types.hpp>
#include <upsweep/detail/values/inline.hpp>

namespace upsweep::detail {

/// A call on segments with values packed (packed_text.hpp). Refers to the call's arguments.
class packed_segments {
public:
    UPSWEEP_INLINE packed_segments(const segment_arguments& a, const call_types& types, const device_limits& limits)
        : packed_(types, limits)
        , arguments_(a) {
        fits_ = packed_ && a.in->cut != segment_cut::columns && fits(*a.in, types);
        if (!fits_) return;
        in_ = *a.in;
        const type_text& type = packed_.type();
        computed_input& elements = in_.elements;
        if (elements.is_array()) {
            elements.parts[0].type = elements.stages[0].result = type;
        } else { // before parameters of the operator, which come last
            auto& stages = elements.stages;
            const auto end = stages.back().is_operands ? stages.end() - 1 : stages.end();
            stages.insert(end, {"as_" + type.name + "(a)", type});
            stages.back().result = type;
        }
        arguments_.in = &in_;
    }
    packed_segments(const packed_segments&) = delete;
    packed_segments& operator=(const packed_segments&) = delete;

    explicit operator bool() const { return fits_; }
    const segment_arguments& arguments() const { return arguments_; }
    const call_types& types() const { return packed_.types(); }

private:
    /// Structs are packed where nothing but the operator names them.
    UPSWEEP_INLINE static bool fits(const segmented_input& in, const call_types& types) {
        const bool is_struct = !types.text.value.definition.empty();
        if (!is_struct) return !in.elements.stages.empty();
        return in.elements.is_array() && in.type.definition.empty();
    }

    packed_types packed_;
    segment_arguments arguments_;
    segmented_input in_;
    bool fits_ = false;
};

} // namespace upsweep::detail
