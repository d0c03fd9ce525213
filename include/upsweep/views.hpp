// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/device_call.hpp>
#include <upsweep/detail/call/initial_value.hpp>
#include <upsweep/no_init.hpp>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep {

/// What a scan or reduction of computed elements reads; made by `transform` and `counting`. Nothing is stored: kernels
/// compute an element when they need it, which may be twice. Holds handles without retaining them.
template <class T>
class transform_view {
public:
    using value_type = T; ///< of the elements, before they are converted to the output's type

    /// From what the functions below make.
    explicit transform_view(detail::computed_input input)
        : input_(std::move(input)) {
        input_.text = detail::transform_text(input_);
    }

    /// The same view, where `name` in its text stands for a value. Other values of the same type take no other program:
    /// kernels are given them by each call.
    ///
    /// @code
    /// const auto scaled = upsweep::transform<float>("a * scale + table[i % 4]", x).with("table", weights);
    /// for (float scale : {1.0f, 2.0f}) upsweep::reduce(queue, scaled.with("scale", scale), result);
    /// @endcode
    ///
    /// @param name   an identifier, but not a to i, `left`, `right` or one that begins with `upsweep_`
    /// @param value  of up to 16 bytes: a number, a vector or a struct (`upsweep::type`)
    ///
    /// The text is the last one, where a view is made of a view: those before keep their own parameters. A view has at
    /// most 16 in all. A call throws `upsweep::error` for another name or for more. A name that the text does not
    /// mention is no error.
    template <class V>
    transform_view with(const std::string& name, const V& value) const {
        static_assert(sizeof(V) <= sizeof(detail::computed_input::parameter::words),
                      "upsweep: a parameter's value has at most 16 bytes; pass a span of more");
        detail::computed_input::parameter given;
        std::memcpy(given.words.data(), &value, sizeof(V));
        return with({name, detail::describe_type<V>(), false}, given);
    }
    /// The same for an array, of which the text may read any element, as `name[k]`: there are no checks of k. It may
    /// have any number of elements; no output may overlap it.
    template <class V>
    transform_view with(const std::string& name, span<V> array) const {
        return with({name, detail::describe_type<std::remove_const_t<V>>(), true}, {detail::untyped(array), {}});
    }

    /// Elements: those of the first input. That all inputs have as many is checked by the call.
    std::size_t size() const noexcept { return static_cast<std::size_t>(input_.size); }
    /// The inputs and the text, as calls use them.
    const detail::computed_input& input() const noexcept { return input_; }

private:
    transform_view with(const detail::stage_parameter& parameter,
                        const detail::computed_input::parameter& given) const {
        transform_view result(*this);
        if (detail::set_parameter(result.input_, parameter, given))
            result.input_.text = detail::transform_text(result.input_);
        return result;
    }

    detail::computed_input input_;
};

namespace detail {

/// What the elements of a view are; void of what is no view.
template <class View>
struct view_element {
    using type = void;
};
template <class T>
struct view_element<span<T>> {
    using type = std::remove_const_t<T>;
};
template <class T>
struct view_element<transform_view<T>> {
    using type = T;
};
template <class View>
using view_value =
    std::enable_if_t<!std::is_void<typename view_element<View>::type>::value, typename view_element<View>::type>;

/// An input whose elements a stage makes of those of spans.
template <class... In>
computed_input computed_from(transform_stage stage, span<In>... inputs) {
    computed_input result;
    result.parts = {{untyped(inputs), describe_type<std::remove_const_t<In>>()}...};
    result.size = result.parts[0].array.size;
    result.stages.push_back(std::move(stage));
    return result;
}

/// One more stage.
template <class T>
computed_input computed_from(transform_stage stage, const transform_view<T>& view) {
    computed_input result = view.input();
    result.stages.push_back(std::move(stage));
    return result;
}

/// Whether neighbours are equal, where the caller does not say.
template <class T>
std::string default_equality() {
    static_assert(is_scalar_type<T> || is_vector<T> || !has_type<T>::value,
                  "upsweep: structs need a text that compares `left` and `right`");
    return is_vector<T> ? equality_of_vectors<T>() : "left == right";
}

} // namespace detail

/// A view whose element i is what `body` makes of the elements i of the inputs.
///
/// @code
/// auto squares = upsweep::transform<float>("a * a", x);
/// auto distances = upsweep::transform<float>("fabs(a - b)", x, y);
/// upsweep::reduce(queue, squares, result);
/// @endcode
///
/// @tparam T      type of the elements; they are converted to the output's type before they are combined
/// @param body    OpenCL C: an expression, or statements that return the element. In scope are the elements of the
///                inputs, each of its input's type, as a, b, c and so on, and their place i, a `ulong`. Text that does
///                not compile makes the call throw `upsweep::error` with the build log; "load:2" there is the second
///                line of `body`; "choice:2", "keys:2" or "values:2", where that is the argument of a selection
/// @param inputs  one to eight, of the same number of elements; else the call throws `upsweep::error`
///
/// @par Launches and elements moved
/// A call on a view has the launches of the call on a span. Where that reads an element, this reads one of each input.
/// A call with other text than before builds a program; one with other values of parameters (transform_view::with)
/// does not.
template <class T, class... In, class = std::enable_if_t<(sizeof...(In) > 0)>>
transform_view<T> transform(detail::text_argument body, span<In>... inputs) {
    static_assert(sizeof...(In) <= 8, "upsweep: a transform has one to eight inputs");
    return transform_view<T>(detail::computed_from({std::move(body), detail::describe_type<T>()}, inputs...));
}

/// A view of n elements that are computed from their place `i` alone.
template <class T>
transform_view<T> transform(detail::text_argument body, std::size_t n) {
    detail::computed_input input;
    input.size = n;
    input.stages.push_back({std::move(body), detail::describe_type<T>()});
    return transform_view<T>(std::move(input));
}

/// A view whose element i is what `body` makes of element i of another view, which it calls `a`. A build log calls
/// both texts "load".
template <class T, class U>
transform_view<T> transform(detail::text_argument body, const transform_view<U>& view) {
    return transform_view<T>(detail::computed_from({std::move(body), detail::describe_type<T>()}, view));
}

/// The numbers 0 to n - 1.
template <class T>
transform_view<T> counting(std::size_t n) {
    return transform<T>("i", n);
}

/// An output that also gives the total of a scan; made by `with_total`.
template <class Out>
struct output_with_total {
    span<Out> values; ///< the results, as without a total
    span<Out> total;  ///< its first element is written
};

/// The output of a scan, and a place for its total, which must not overlap input or output: what `reduce` gives for the
/// same input, initial value and operator, to the last bit where the order is the canonical one. So an empty input has
/// a total, too: the initial value or, without one, Out{}.
///
/// Launches are those of the scan, and one element more is written; an exclusive scan in place is `reduce`, and then
/// the scan. From 16 MiB of results of a span on, inclusive scans, and exclusive ones of scalar integers by an operator
/// of the library, take one launch more behind the scan, exclusive ones in place two.
template <class Out>
output_with_total<Out> with_total(span<Out> values, span<Out> total) {
    return {values, total};
}

namespace detail {

/// What a call reads.
template <class T>
span<const T> input_of(span<T> view) {
    return view;
}
template <class T>
const computed_input& input_of(const transform_view<T>& view) {
    return view.input();
}

/// One scan with its total.
template <class View, class Out, class Op>
cl::Event scan_with_total(const char* function, queue_handle queue, const View& in, const output_with_total<Out>& out,
                          bool exclusive, const given_value<Out>& init, const Op& op, const wait_list& after,
                          const options& opts) {
    device_call<view_value<View>, Out> call(function, operation::scan, queue, {}, out.values, init, after);
    return call.of(input_of(in)).exclusive(exclusive).with_total(out.total).once(op, opts);
}

} // namespace detail

/// Inclusive scan of a span or of computed elements that also gives its total; otherwise as
/// `inclusive_scan(queue, in, out)`. Launches: see `with_total`.
template <class View, class Out, class Op = plus, class = detail::view_value<View>,
          class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, const View& in, const output_with_total<Out>& out, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::scan_with_total<View, Out>("inclusive_scan", queue, in, out, false, nullptr, op, after, opts);
}

/// Inclusive scan with an initial value that also gives its total, of which the initial value is part.
template <class View, class Out, class Op, class = detail::view_value<View>, class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, const View& in, const output_with_total<Out>& out, const Op& op,
                         const detail::identity_t<detail::initial_value<Out>>& init, const wait_list& after = {},
                         const options& opts = {}) {
    return detail::scan_with_total("inclusive_scan", queue, in, out, false, init.get(), op, after, opts);
}

/// Exclusive scan that also gives its total: what would be the result after the last, with the initial value. Otherwise
/// as `exclusive_scan(queue, in, out, init)`. Launches: see `with_total`.
template <class View, class Out, class Op = plus, class = detail::view_value<View>,
          class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, const View& in, const output_with_total<Out>& out,
                         const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::scan_with_total("exclusive_scan", queue, in, out, true, init.get(), op, after, opts);
}

/// Inclusive scan of computed elements; otherwise as `inclusive_scan(queue, in, out)` of a span. The output may be one
/// of the inputs, if their types are the same, but must not overlap one in part.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event inclusive_scan(queue_handle queue, const transform_view<T>& in, span<Out> out, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    detail::device_call<T, Out> call("inclusive_scan", detail::operation::scan, queue, {}, out, nullptr, after);
    return call.of(in.input()).once(op, opts);
}

/// Inclusive scan of computed elements with an initial value; otherwise as the one without.
template <class T, class Out, class Op>
cl::Event inclusive_scan(queue_handle queue, const transform_view<T>& in, span<Out> out, const Op& op,
                         const detail::identity_t<detail::initial_value<Out>>& init, const wait_list& after = {},
                         const options& opts = {}) {
    detail::device_call<T, Out> call("inclusive_scan", detail::operation::scan, queue, {}, out, init.get(), after);
    return call.of(in.input()).once(op, opts);
}

/// Exclusive scan of computed elements; otherwise as the one of a span, and as `inclusive_scan`.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event exclusive_scan(queue_handle queue, const transform_view<T>& in, span<Out> out,
                         const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    detail::device_call<T, Out> call("exclusive_scan", detail::operation::scan, queue, {}, out, init.get(), after);
    return call.of(in.input()).exclusive(true).once(op, opts);
}

/// Reduces computed elements to one value; otherwise as `reduce` of a span.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, const transform_view<T>& in, span<Out> result,
                 const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                 const wait_list& after = {}, const options& opts = {}) {
    detail::device_call<T, Out> call("reduce", detail::operation::reduce, queue, {}, result, init.get(), after);
    return call.of(in.input()).once(op, opts);
}

/// Reduces computed elements without an initial value; an empty input gives Out{}. Otherwise as `reduce` of a span.
template <class T, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event reduce(queue_handle queue, const transform_view<T>& in, span<Out> result, no_init_t = no_init,
                 const Op& op = {}, const wait_list& after = {}, const options& opts = {}) {
    detail::device_call<T, Out> call("reduce", detail::operation::reduce, queue, {}, result, nullptr, after);
    return call.of(in.input()).once(op, opts);
}

/// Reduces computed elements and returns the result: waits for it. In the type of the initial value; otherwise as
/// `reduce` of a span.
template <class T, class U, class Op = plus, class = detail::require_operator<Op>, class = detail::require_typed<U>>
U reduce(queue_handle queue, const transform_view<T>& in, U init, const Op& op = {}, const wait_list& after = {},
         const options& opts = {}) {
    detail::device_call<T, U> call("reduce", detail::operation::reduce, queue, {}, {}, &init, after);
    return call.of(in.input()).value(op, opts);
}

/// Reduces computed elements without an initial value, in their own type, and returns the result; T{} for an empty
/// input. Otherwise as the one with an initial value.
template <class T, class Op = plus, class = detail::require_operator<Op>>
T reduce(queue_handle queue, const transform_view<T>& in, no_init_t = no_init, const Op& op = {},
         const wait_list& after = {}, const options& opts = {}) {
    detail::device_call<T, T> call("reduce", detail::operation::reduce, queue, {}, {}, nullptr, after);
    return call.of(in.input()).value(op, opts);
}

} // namespace upsweep
