// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/source/call_types.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/tuning/tuning_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <tuple>

namespace upsweep::detail {

UPSWEEP_INLINE program_text text_of(const program_text_view& t) {
    return {text_of(t.element), text_of(t.value), text_of(t.op),
            text_of(t.hooks),   t.init_on_device, std::string(t.build_options)};
}
/// The view is valid as long as the text is, and stays where it is.
UPSWEEP_INLINE program_text_view view_of(const program_text& t) {
    return {view_of(t.element), view_of(t.value), view_of(t.op), view_of(t.hooks), t.init_on_device, t.build_options};
}

/// What makes two programs of one (context, device) the same: the text of types, operator and hooks, kernel family and
/// the tuning's numbers. No addresses: two plugins may each have a type of one name, at one address, but not of one
/// text.
struct program_key {
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    program_text_view text;
    family kind = family::multi_pass;
    bool wide_index = false;
    upsweep::tuning tuning;

    /// Numbers first: most keys differ in them, and they are quicker to compare than text.
    friend bool operator<(const program_key& a, const program_key& b) {
        const auto numbers = [](const program_key& k) {
            return std::tie(k.context, k.device, k.text.element.size, k.text.value.size, k.text.op.traits.commutative,
                            k.text.op.traits.combines_vectors, k.text.op.traits.copies_operands, k.text.init_on_device,
                            k.kind, k.wide_index);
        };
        const auto texts = [](const program_key& k) {
            return std::tie(k.text.op.name, k.text.element.name, k.text.value.name, k.text.op.body, k.text.op.helpers,
                            k.text.op.operands, k.text.element.definition, k.text.value.definition, k.text.hooks.load,
                            k.text.hooks.store, k.text.build_options);
        };
        if (numbers(a) != numbers(b)) return numbers(a) < numbers(b);
        const int order = compare_programs(a.tuning, b.tuning);
        return order != 0 ? order < 0 : texts(a) < texts(b);
    }
};

/// Whether the launches that read sums need a program of their own, of which the elements are values. Sub-groups never
/// read sums as elements.
UPSWEEP_INLINE bool needs_program_of_sums(const program_text_view& text, const tuning& t) {
    const bool is_plain = text.hooks.load.empty() && text.hooks.store.empty();
    const bool reads_values = text.element.name == text.value.name && is_plain;
    return !reads_values && t.algorithm != tile_algorithm::sub_group;
}

} // namespace upsweep::detail
