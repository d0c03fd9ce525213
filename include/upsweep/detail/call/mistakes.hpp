// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/no_init.hpp>
#include <upsweep/options.hpp>
#include <upsweep/span.hpp>
#include <upsweep/type.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// Arguments of the wrong kind or in the wrong place, each answered by one error that says what belongs there. The
// public functions accept them, so that a mistake does not end in a list of all overloads; their bodies then reject
// them here.

namespace upsweep::detail {

template <class Op, class = void>
struct has_body : std::false_type {};
template <class Op>
struct has_body<Op, std::void_t<decltype(Op::name), decltype(Op::body)>> : std::true_type {};
/// Operators are told from wait lists, options and initial values by their `name` and `body`. An element may have
/// members of these names, too.
template <class Op>
constexpr bool is_operator = std::conjunction<has_body<Op>, std::negation<has_type<Op>>>::value;

template <class F, class = void>
struct has_one_call : std::false_type {};
template <class F>
struct has_one_call<F, std::void_t<decltype(&F::operator())>> : std::true_type {};
/// A function or function object of the host, such as a lambda or `std::plus<>`; no element that can be called.
template <class F>
constexpr bool is_host_function =
    !is_operator<F> && std::conjunction<std::disjunction<has_one_call<F>, std::is_invocable<const F&, int, int>>,
                                        std::negation<has_type<F>>>::value;

/// What stands behind operators and initial values.
template <class T>
constexpr bool stands_behind = std::is_same<T, options>::value || std::is_same<T, wait_list>::value;

/// What can never be an element or an initial value.
template <class T>
constexpr bool is_misplaced = is_operator<T> || is_host_function<T> || stands_behind<T>;

/// An event, or several: what a wait list is made of.
template <class T>
constexpr bool are_events = std::is_convertible<const T&, wait_list>::value;

/// An operator, also a mistaken one.
template <class Op>
using require_operator = std::enable_if_t<is_misplaced<std::decay_t<Op>> || are_events<std::decay_t<Op>>>;

/// An initial value, but for what an exclusive scan without an initial value takes in its place.
template <class T>
using require_no_operator = std::enable_if_t<!is_misplaced<T>>;

/// An initial value of the type that it has, also a mistaken one.
template <class T>
using require_typed = std::enable_if_t<is_misplaced<T> || has_type<T>::value>;

/// An element or an initial value in the place of an operator.
template <class T>
using require_value_for_operator =
    std::enable_if_t<!is_misplaced<T> && !std::is_same<T, no_init_t>::value && has_type<T>::value>;

/// @return whether Op is an operator; an error that says how to make one if it is not
template <class Op>
constexpr bool check_operator() {
    static_assert(!is_host_function<Op>,
                  "upsweep: a function of the host cannot run on a device; pass upsweep::plus{} or another operator of "
                  "upsweep, or upsweep::make_operator<T>(\"return left + right;\")");
    constexpr bool is_late = stands_behind<Op> || are_events<Op>;
    static_assert(!is_late,
                  "upsweep: an operator stands before the options and, on device memory, the wait list; the default is "
                  "upsweep::plus{}");
    static_assert(is_misplaced<Op> || is_late,
                  "upsweep: an operator belongs here; an inclusive scan takes it before the initial value");
    return is_operator<Op>;
}

/// @return whether T can be an element or a value; an error that says what to do if it cannot
template <class T>
constexpr bool check_element() {
    static_assert(
        !is_operator<T> && !is_host_function<T>,
        "upsweep: an initial value belongs here, or upsweep::no_init for a reduction; the operator follows it");
    static_assert(!std::is_same<T, options>::value,
                  "upsweep: an initial value or a wait list belongs here; options stand last");
    static_assert(!std::is_same<T, wait_list>::value,
                  "upsweep: an initial value or an operator stands before the wait list; calls with host ranges wait "
                  "until they are done, and take no wait list");
    if constexpr (is_misplaced<T>) {
        return false;
    } else if constexpr (!check_type<T>()) {
        return false;
    } else {
        static_assert(std::is_default_constructible<T>::value,
                      "upsweep: element types must have a default constructor");
        return std::is_default_constructible<T>::value;
    }
}

/// @return whether a call can be compiled; one error if it cannot
template <class In, class Out, class Op>
constexpr bool check_types() {
    if constexpr (!check_operator<Op>())
        return false;
    else if constexpr (!check_element<Out>())
        return false;
    else
        return check_element<In>();
}

/// What can never be a text: a function of the host, or what stands behind a text.
template <class T>
constexpr bool is_no_text = is_misplaced<T> || std::is_invocable<const T&, int>::value;

/// One error that says what belongs in the place of T.
template <class T>
constexpr void refuse_as_text() {
    static_assert(is_misplaced<T> && !is_host_function<T>,
                  "upsweep: a function of the host cannot run on a device; pass its body as text in OpenCL C");
    static_assert(!is_misplaced<T> || is_host_function<T>,
                  "upsweep: a text in OpenCL C belongs here; wait list and options stand behind it");
}

/// A text of OpenCL C as an argument: what converts to std::string, or a std::string_view.
struct text_argument : std::string {
    text_argument(std::string text)
        : std::string(std::move(text)) {}
    template <class T, std::enable_if_t<std::is_convertible<const T&, std::string>::value &&
                                            !std::is_base_of<std::string, T>::value,
                                        int> = 0>
    text_argument(const T& text)
        : std::string(text) {}
    text_argument(std::string_view text)
        : std::string(text) {}
    /// Accepts what is no text, to say so in one error.
    template <class T, class = std::enable_if_t<is_no_text<T>>>
    text_argument(const T&) {
        refuse_as_text<T>();
    }
};

} // namespace upsweep::detail
