// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/source/call_types.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/tuning/tuning_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep::detail {

UPSWEEP_INLINE program_text text_of(const program_text_view& t) {
    return {text_of(t.element),           text_of(t.value), text_of(t.op), text_of(t.hooks), t.init_on_device,
            std::string(t.build_options), t.scan,           t.is_aligned};
}
/// The view is valid as long as the text is, and stays where it is.
UPSWEEP_INLINE program_text_view view_of(const program_text& t) {
    return {view_of(t.element), view_of(t.value), view_of(t.op), view_of(t.hooks),
            t.init_on_device,   t.build_options,  t.scan,        t.is_aligned};
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

    UPSWEEP_INLINE friend bool operator==(const program_key& a, const program_key& b) {
        return a.numbers() == b.numbers() && are_of_one_program(a.tuning, b.tuning) && a.text.hooks == b.text.hooks &&
               a.texts() == b.texts();
    }

    /// The same for equal keys, and quick: of texts it has the lengths.
    UPSWEEP_INLINE std::uint64_t fingerprint() const {
        std::uint64_t sum = 0;
        const auto add = [&](std::uint64_t number) { sum = (sum ^ number) * 0x9e3779b97f4a7c15U + (sum >> 29); };
        for (const std::uint64_t number : numbers()) add(number);
        for (const std::string_view& part : texts()) add(part.size());
        for_each_tuning_field([&](const char*, auto member, field_use use) {
            if (use.decides_program) add(static_cast<std::uint64_t>(tuning.*member));
        });
        return sum;
    }

private:
    // Arrays, because compilers take far longer over tuples of as many.
    UPSWEEP_INLINE std::array<std::uint64_t, 16> numbers() const {
        const auto bits = [](const void* handle) { return std::uint64_t{reinterpret_cast<std::uintptr_t>(handle)}; };
        return {bits(context),
                bits(device),
                text.element.size,
                text.value.size,
                text.op.traits.commutative,
                text.op.traits.combines_vectors,
                text.op.traits.copies_operands,
                text.op.traits.costly,
                text.op.traits.has_long_text,
                text.init_on_device,
                static_cast<std::uint64_t>(text.scan),
                text.is_aligned,
                static_cast<std::uint64_t>(kind),
                wide_index,
                text.hooks.load.size(),
                text.hooks.store.size()};
    }
    UPSWEEP_INLINE std::array<std::string_view, 9> texts() const {
        return {text.op.name,     text.element.name,       text.value.name,       text.op.body,      text.op.helpers,
                text.op.operands, text.element.definition, text.value.definition, text.build_options};
    }
};

/// Whether launches that read sums need a program of their own, of which the elements are values. Not where none does.
UPSWEEP_INLINE bool needs_program_of_sums(const program_text_view& text, const tuning& t, operation op) {
    const bool is_plain = text.hooks.load.empty() && text.hooks.store.empty();
    const bool reads_values = text.element.name == text.value.name && is_plain;
    return !reads_values && !shares_state(t, op);
}

} // namespace upsweep::detail
