// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/source/packed_text.hpp>
#include <upsweep/detail/source/stage_parameters.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/text_memo.hpp>

#include <memory>

namespace upsweep::detail {

/// A call's types where values are packed (packed_text.hpp). Refers to the call's.
class packed_types {
public:
    UPSWEEP_INLINE packed_types(const call_types& given, const device_limits& limits)
        : types_(given) {
        const bool is_vector_or_struct = given.value.kind == number_kind::other;
        const bool may_pack = limits.has_ptx || (limits.is_cpu && given.text.value.definition.empty());
        if (!may_pack || !is_vector_or_struct || !given.packed.empty() ||
            given.text.element.name != given.text.value.name)
            return;
        const type_text value = text_of(given.text.value);
        const operator_text op = text_of(given.text.op);
        const auto text = made_once<packed_text>(text_key("packed", value, op), [&] { return pack_values(value, op); });
        if (text->type.name.empty() || !(limits.has_ptx || text->is_sum)) return;
        text_ = text;
        types_.text.element = types_.text.value = view_of(text_->type);
        types_.text.op = view_of(text_->op);
        types_.element =
            types_.value = {value.size > sizeof(std::uint64_t) ? number_kind::other : number_kind::integer, value.size};
        types_.alignment = value.size;
        types_.own_operator = !text_->is_sum;
        types_.packed = given.text.value.name;
        types_.on_host = nullptr;
    }
    packed_types(const packed_types&) = delete;
    packed_types& operator=(const packed_types&) = delete;

    /// Whether values are packed.
    explicit operator bool() const { return text_ != nullptr; }
    /// Whether they are vectors of numbers that are smaller than what devices compute with.
    bool has_small_numbers() const { return text_->has_small_numbers; }
    const call_types& types() const { return types_; }
    const type_text& type() const { return text_->type; }

private:
    call_types types_;
    std::shared_ptr<const packed_text> text_;
};

} // namespace upsweep::detail
