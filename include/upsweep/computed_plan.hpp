// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/plan_facts.hpp>
#include <upsweep/extremes.hpp>
#include <upsweep/options.hpp>
#include <upsweep/span.hpp>
#include <upsweep/transform_reduce.hpp>
#include <upsweep/views.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

/// @file
/// Searches for extremes and counts that are prepared once and run often, as `reduce_plan` prepares a reduction. (The
/// plan of a `transform_reduce` is a `reduce_plan` of what `transform` makes.)
///
/// @code
/// const upsweep::min_element_plan<float> plan(queue, n);
/// for (int step = 0; step < steps; ++step) plan.min_element(queue, x, smallest);
/// @endcode
///
/// A plan holds the programs and the tuning. Its calls do what the functions of the same names do, with their errors,
/// launches and elements moved, and are safe from many threads at once. They build nothing. Errors of a plan's own:
/// more elements than its capacity, a queue of another device, a view of another text than the plan was made for, a
/// workspace that is too small, overlaps the input or the result, or is read-only or write-only.

namespace upsweep {

namespace detail {

/// What these plans have in common: reductions of elements that are computed.
template <class Result, class Op>
class computed_plan : public plan_facts<plan_engines> {
protected:
    /// @param like  what calls reduce; its arrays are not looked at
    computed_plan(const char* function, queue_handle queue, const transform_view<Result>& like, const options& opts)
        : plan_facts(like.size(), make_plan(function, queue.get(), operation::reduce, like.size(),
                                            checked_types<Result, Result>(Op{}), opts, &like.input())) {}

    cl::Event run(const char* function, queue_handle queue, const transform_view<Result>& in, span<Result> result,
                  const wait_list& after, span<unsigned char> workspace) const {
        device_call<Result, Result> call(function, operation::reduce, queue, {}, result, nullptr, after);
        return call.of(in.input()).with(this->prepared(), workspace);
    }
};

/// What a search for extremes is called.
template <class Op>
struct search_names;
template <class T>
struct search_names<first_smallest<T>> {
    static constexpr const char *function = "min_element", *plan = "min_element_plan";
};
template <class T>
struct search_names<first_largest<T>> {
    static constexpr const char *function = "max_element", *plan = "max_element_plan";
};
template <class T>
struct search_names<first_extrema<T>> {
    static constexpr const char *function = "minmax_element", *plan = "minmax_element_plan";
};

/// What plans of extremes have in common.
template <class T, class Result, class Op>
class extremum_plan : public computed_plan<Result, Op> {
public:
    /// Prepares calls on up to `n` elements of arrays, on the queue's device. Builds programs that were not built
    /// before.
    /// @param queue  names context and device; calls may use any other queue of both
    /// @param n      the most elements of a call
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as the function of the name, of what concerns no array
    extremum_plan(queue_handle queue, std::size_t n, const options& opts = {})
        : extremum_plan(queue, span<const T>(nullptr, n), opts) {}
    /// Prepares calls on views of the same text as `like`, made of arrays of the same types, of up to like.size()
    /// elements.
    template <class View, class = view_value<View>>
    extremum_plan(queue_handle queue, const View& like, const options& opts = {})
        : computed_plan<Result, Op>(search_names<Op>::plan, queue, with_places<Result>(search_names<Op>::plan, like),
                                    opts) {}

protected:
    template <class View>
    cl::Event find(queue_handle queue, const View& in, span<Result> result, const wait_list& after,
                   span<unsigned char> workspace) const {
        constexpr const char* function = search_names<Op>::function;
        return this->run(function, queue, with_places<Result>(function, in), result, after, workspace);
    }
};

} // namespace detail

/// A search for the smallest element that is prepared.
/// @tparam T      type of the elements
/// @tparam Index  of the result: `extremum<T, Index>`
template <class T, class Index = std::uint64_t>
class min_element_plan : public detail::extremum_plan<T, extremum<T, Index>, detail::first_smallest<T>> {
public:
    using detail::extremum_plan<T, extremum<T, Index>, detail::first_smallest<T>>::extremum_plan;

    /// As #min_element, with scratch of the caller's if `workspace` is given, as for `scan_plan`.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event min_element(queue_handle queue, const View& in, span<extremum<T, Index>> result,
                          const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return this->find(queue, in, result, after, workspace);
    }
};

/// A search for the first of the largest elements that is prepared; parameters and arguments as for
/// `min_element_plan`.
template <class T, class Index = std::uint64_t>
class max_element_plan : public detail::extremum_plan<T, extremum<T, Index>, detail::first_largest<T>> {
public:
    using detail::extremum_plan<T, extremum<T, Index>, detail::first_largest<T>>::extremum_plan;

    /// As #max_element.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event max_element(queue_handle queue, const View& in, span<extremum<T, Index>> result,
                          const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return this->find(queue, in, result, after, workspace);
    }
};

/// A search for both that is prepared; parameters and arguments as for `min_element_plan`.
template <class T, class Index = std::uint64_t>
class minmax_element_plan : public detail::extremum_plan<T, extrema<T, Index>, detail::first_extrema<T>> {
public:
    using detail::extremum_plan<T, extrema<T, Index>, detail::first_extrema<T>>::extremum_plan;

    /// As #minmax_element.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event minmax_element(queue_handle queue, const View& in, span<extrema<T, Index>> result,
                             const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return this->find(queue, in, result, after, workspace);
    }
};

/// A `count_if` that is prepared.
/// @tparam T      type of the elements
/// @tparam Count  an integer type that can hold the count
template <class T, class Count = std::uint64_t>
class count_if_plan : public detail::computed_plan<Count, plus> {
    static_assert(std::is_integral<Count>::value, "upsweep: a count is an integer");

public:
    /// @param queue  names context and device
    /// @param n      the most elements of a call
    /// @param body   OpenCL C as for #count_if
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as #count_if, of what concerns no array
    count_if_plan(queue_handle queue, std::size_t n, detail::text_argument body, const options& opts = {})
        : count_if_plan(queue, span<const T>(nullptr, n), std::move(body), opts) {}
    /// Of views of the same text as `like`.
    template <class View, class = detail::view_value<View>>
    count_if_plan(queue_handle queue, const View& like, detail::text_argument body, const options& opts = {})
        : detail::computed_plan<Count, plus>("count_if_plan", queue, detail::tests<Count>(body, like), opts)
        , body_(std::move(body)) {}

    /// As #count_if, by the text that the plan was made with.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event count_if(queue_handle queue, const View& in, span<Count> result, const wait_list& after = {},
                       span<unsigned char> workspace = {}) const {
        return this->run("count_if", queue, detail::tests<Count>(body_, in), result, after, workspace);
    }

private:
    detail::kept_value<std::string> body_;
};

} // namespace upsweep
