// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/mistakes.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/views.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace upsweep {

/// Which elements of an input a selection chooses. Made by itself from any of these; `copy_if` has examples.
class choice {
public:
    /// By a text.
    /// @param predicate  OpenCL C: an expression, or statements that return whether an element is chosen. In scope are
    ///                   the element, as `a`, and its place i, a `ulong`. It may be evaluated several times. Text that
    ///                   does not compile makes the call throw `upsweep::error` with the build log; "predicate:2" there
    ///                   is the second line
    UPSWEEP_INLINE choice(std::string predicate)
        : predicate_(std::move(predicate)) {}
    /// The same, of a literal.
    UPSWEEP_INLINE choice(const char* predicate)
        : predicate_(predicate) {}
    /// The same, of a view.
    UPSWEEP_INLINE choice(std::string_view predicate)
        : predicate_(predicate) {}

    /// By flags: what is not 0 is chosen.
    /// @param flags  of any integer type, as many as there are elements; else the call throws `upsweep::error`
    template <class Flag>
    choice(span<Flag> flags)
        : choice(transform<std::remove_const_t<Flag>>("a", flags)) {
        static_assert(std::is_integral<Flag>::value, "upsweep: flags are of an integer type");
    }

    /// By numbers that are computed, often from other arrays than the input: what is not 0 is chosen.
    /// @param numbers  as many as there are elements; else the call throws `upsweep::error`
    template <class T>
    choice(const transform_view<T>& numbers)
        : numbers_(numbers.input())
        , is_text_(false) {
        static_assert(std::is_arithmetic<T>::value, "upsweep: a choice is made by numbers");
    }

    /// Not by a function of the host or what stands behind the choice: that is an error when it is compiled.
    template <class F, class = std::enable_if_t<detail::is_no_text<F>>>
    choice(const F&) {
        detail::refuse_as_text<F>();
    }

    /// Whether it was made by a text.
    bool is_text() const noexcept { return is_text_; }
    /// The text; empty where there is none.
    const std::string& predicate() const noexcept { return predicate_; }
    /// The numbers, as calls use them; empty where there are none.
    const detail::computed_input& numbers() const noexcept { return numbers_; }

private:
    std::string predicate_;
    detail::computed_input numbers_;
    bool is_text_ = true;
};

} // namespace upsweep
