// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/choice.hpp>
#include <upsweep/detail/call/plan_facts.hpp>
#include <upsweep/detail/selection/select_views.hpp>
#include <upsweep/options.hpp>
#include <upsweep/span.hpp>
#include <upsweep/views.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

/// @file
/// Selections that are prepared once and run often: to the functions of select.hpp what `scan_plan` is to a scan.
///
/// @code
/// const upsweep::copy_if_plan<float> plan(queue, n, "a > 0.5f");
/// for (int step = 0; step < steps; ++step) plan.copy_if(queue, x, kept, count);
/// @endcode
///
/// A plan holds the programs and the tuning. Its calls build nothing, and are safe from many threads at once. They do
/// what the functions of the same names do, with their errors, launches and elements moved. Errors of a plan's own:
/// more elements than its capacity, a queue of another device, views or a choice of another text, a workspace that is
/// too small, overlaps an input or output, or is read-only or write-only.

namespace upsweep {

/// What plans of selections have in common: `selection_plan`. Tuning and launches are those of the scan of marks; by
/// strategies other than a `look_back` in sub-groups, a partition takes a reduction before it.
/// @tparam Prepared  what is behind it. (A parameter, so that compilers leave the class alone where it is not used.)
template <class Prepared>
class selection_plan_of : public detail::plan_facts<Prepared> {
protected:
    /// A plan without its inside, which `prepare` sets.
    explicit selection_plan_of(std::size_t capacity)
        : detail::plan_facts<Prepared>(capacity) {}

    /// Prepares what a call of a derived class is.
    void prepare(detail::selection what, detail::device_selection& call, const options& opts) {
        this->set(call.prepare(what, opts));
    }
    /// Makes such a call.
    cl::Event run(detail::device_selection& call, span<unsigned char> workspace) const {
        return call.with(this->prepared(), workspace);
    }
};
/// What plans of selections have in common.
using selection_plan = selection_plan_of<detail::prepared_selection>;

namespace detail {

/// What `copy_if_plan` and `partition_plan` have in common.
template <selection What, class T, class Out, class Count>
class choice_plan : public selection_plan {
public:
    /// Prepares calls on up to `n` elements of arrays, on the queue's device. Builds programs that were not built
    /// before.
    /// @param queue  names context and device; calls may use any other queue of both
    /// @param n      the most elements of a call
    /// @param which  what is chosen; where that is no text, of `n` elements
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as the function of the name, of what concerns no array
    choice_plan(queue_handle queue, std::size_t n, choice which, const options& opts = {})
        : choice_plan(queue, span<const T>(nullptr, n), std::move(which), opts) {}
    /// Prepares calls on views of the same text as `view`, made of arrays of the same types, of up to view.size()
    /// elements. The arrays of `view` itself are not looked at.
    template <class View, class = view_value<View>>
    choice_plan(queue_handle queue, const View& view, choice which, const options& opts = {})
        : selection_plan(view.size())
        , which_(std::move(which)) {
        const wait_list none;
        device_selection call(What == selection::partition ? "partition_plan" : "copy_if_plan", queue, span<Count>(),
                              none);
        call.mark(view, which_).keep(view, span<Out>(), "output");
        prepare(What, call, opts);
    }

protected:
    template <class View>
    cl::Event choose(const char* function, queue_handle queue, const View& in, span<Out> out, span<Count> count,
                     const choice& which, const wait_list& after, span<unsigned char> workspace) const {
        device_selection call(function, queue, count, after);
        return run(call.mark(in, which).keep(in, out, "output"), workspace);
    }
    /// The choice that the plan was made with.
    const choice& which() const { return which_; }

private:
    kept_value<choice> which_;
};

} // namespace detail

/// A `copy_if` that is prepared.
/// @tparam T      type of the input's elements
/// @tparam Out    type of the output's elements; may differ among scalar types
/// @tparam Count  `std::uint32_t` or `std::uint64_t`
template <class T, class Out = T, class Count = std::uint32_t>
class copy_if_plan : public detail::choice_plan<detail::selection::copy_if, T, Out, Count> {
public:
    using detail::choice_plan<detail::selection::copy_if, T, Out, Count>::choice_plan;

    /// As #copy_if, by the choice that the plan was made with.
    /// @param queue      of the plan's device
    /// @param in         a span, or a view of the plan's text; at most `capacity()` elements
    /// @param out        the output
    /// @param count      its first element receives the number of elements that are chosen
    /// @param after      events to wait for
    /// @param workspace  scratch memory, `workspace_bytes()` from the start of a buffer, for this call alone until it
    /// is
    ///                   done; without one, the library's own
    /// @return the event of the last command
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event copy_if(queue_handle queue, const View& in, span<Out> out, span<Count> count, const wait_list& after = {},
                      span<unsigned char> workspace = {}) const {
        return copy_if(queue, in, out, count, this->which(), after, workspace);
    }
    /// By another choice of the same text, that is by other arrays.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event copy_if(queue_handle queue, const View& in, span<Out> out, span<Count> count, const choice& which,
                      const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return this->choose("copy_if", queue, in, out, count, which, after, workspace);
    }
};

/// A `partition` that is prepared; otherwise as `copy_if_plan`.
template <class T, class Out = T, class Count = std::uint32_t>
class partition_plan : public detail::choice_plan<detail::selection::partition, T, Out, Count> {
public:
    using detail::choice_plan<detail::selection::partition, T, Out, Count>::choice_plan;

    /// As #partition, by the choice that the plan was made with; arguments as for `copy_if_plan`.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event partition(queue_handle queue, const View& in, span<Out> out, span<Count> count,
                        const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return partition(queue, in, out, count, this->which(), after, workspace);
    }
    /// By another choice of the same text, that is by other arrays.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event partition(queue_handle queue, const View& in, span<Out> out, span<Count> count, const choice& which,
                        const wait_list& after = {}, span<unsigned char> workspace = {}) const {
        return this->choose("partition", queue, in, out, count, which, after, workspace);
    }
};

/// A `unique` that is prepared; arguments as for `copy_if_plan`.
template <class T, class Out = T, class Count = std::uint32_t>
class unique_plan : public selection_plan {
public:
    /// @param queue  names context and device
    /// @param n      the most elements of a call
    /// @param equal  as for #unique
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as #unique, of what concerns no array
    unique_plan(queue_handle queue, std::size_t n, const std::string& equal = detail::default_equality<T>(),
                const options& opts = {})
        : unique_plan(queue, span<const T>(nullptr, n), equal, opts) {}
    /// For views of the same text as `view`.
    template <class View, class = detail::view_value<View>>
    unique_plan(queue_handle queue, const View& view, const std::string& equal = detail::default_equality<T>(),
                const options& opts = {})
        : selection_plan(view.size())
        , equal_(equal) {
        const wait_list none;
        detail::device_selection call("unique_plan", queue, span<Count>(), none);
        call.mark_runs(view, equal_).keep(view, span<Out>(), "output");
        prepare(detail::selection::copy_if, call, opts);
    }

    /// As #unique.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event unique(queue_handle queue, const View& in, span<Out> out, span<Count> count, const wait_list& after = {},
                     span<unsigned char> workspace = {}) const {
        detail::device_selection call("unique", queue, count, after);
        return run(call.mark_runs(in, equal_).keep(in, out, "output"), workspace);
    }

private:
    detail::kept_value<std::string> equal_;
};

/// A `unique_by_key` that is prepared; arguments as for `copy_if_plan`.
template <class Key, class Value, class OutKey = Key, class OutValue = Value, class Count = std::uint32_t>
class unique_by_key_plan : public selection_plan {
public:
    /// @param queue  names context and device
    /// @param n      the most elements of a call
    /// @param equal  as for #unique
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as #unique, of what concerns no array
    unique_by_key_plan(queue_handle queue, std::size_t n, const std::string& equal = detail::default_equality<Key>(),
                       const options& opts = {})
        : unique_by_key_plan(queue, span<const Key>(nullptr, n), span<const Value>(nullptr, n), equal, opts) {}
    /// For views of the same texts as `keys` and `values`.
    template <class Keys, class Values, class = detail::view_value<Keys>, class = detail::view_value<Values>>
    unique_by_key_plan(queue_handle queue, const Keys& keys, const Values& values,
                       const std::string& equal = detail::default_equality<Key>(), const options& opts = {})
        : selection_plan(keys.size())
        , equal_(equal) {
        const wait_list none;
        detail::device_selection call("unique_by_key_plan", queue, span<Count>(), none);
        keep_both(call, keys, values, {}, {});
        prepare(detail::selection::copy_if, call, opts);
    }

    /// As #unique_by_key.
    template <class Keys = span<const Key>, class Values = span<const Value>, class = detail::view_value<Keys>,
              class = detail::view_value<Values>>
    cl::Event unique_by_key(queue_handle queue, const Keys& keys, const Values& values, span<OutKey> out_keys,
                            span<OutValue> out_values, span<Count> count, const wait_list& after = {},
                            span<unsigned char> workspace = {}) const {
        detail::device_selection call("unique_by_key", queue, count, after);
        keep_both(call, keys, values, out_keys, out_values);
        return run(call, workspace);
    }

private:
    template <class Keys, class Values>
    void keep_both(detail::device_selection& call, const Keys& keys, const Values& values, span<OutKey> out_keys,
                   span<OutValue> out_values) const {
        call.mark_runs(keys, equal_, "keys").keep(keys, out_keys, "output keys", "keys");
        call.keep(values, out_values, "output values", "values");
    }

    detail::kept_value<std::string> equal_;
};

/// A `run_length_encode` that is prepared; arguments as for `copy_if_plan`.
/// @tparam Length  an integer type that holds the longest run
template <class T, class Length = std::uint32_t, class Out = T, class Count = std::uint32_t>
class run_length_encode_plan : public selection_plan {
    static_assert(std::is_integral<Length>::value, "upsweep: lengths are of an integer type");

public:
    /// @param queue  names context and device
    /// @param n      the most elements of a call
    /// @param equal  as for #unique
    /// @param opts   what is not left to the library
    /// @throws upsweep::error as #unique, of what concerns no array
    run_length_encode_plan(queue_handle queue, std::size_t n, const std::string& equal = detail::default_equality<T>(),
                           const options& opts = {})
        : run_length_encode_plan(queue, span<const T>(nullptr, n), equal, opts) {}
    /// For views of the same text as `view`.
    template <class View, class = detail::view_value<View>>
    run_length_encode_plan(queue_handle queue, const View& view,
                           const std::string& equal = detail::default_equality<T>(), const options& opts = {})
        : selection_plan(view.size())
        , equal_(equal) {
        const wait_list none;
        detail::device_selection call("run_length_encode_plan", queue, span<Count>(), none);
        call.mark_runs(view, equal_).keep(view, span<Out>(), "output").lengths(span<Length>());
        prepare(detail::selection::run_length_encode, call, opts);
    }

    /// As #run_length_encode.
    template <class View = span<const T>, class = detail::view_value<View>>
    cl::Event run_length_encode(queue_handle queue, const View& in, span<Out> out, span<Length> lengths,
                                span<Count> count, const wait_list& after = {},
                                span<unsigned char> workspace = {}) const {
        detail::device_selection call("run_length_encode", queue, count, after);
        return run(call.mark_runs(in, equal_).keep(in, out, "output").lengths(lengths), workspace);
    }

private:
    detail::kept_value<std::string> equal_;
};

} // namespace upsweep
