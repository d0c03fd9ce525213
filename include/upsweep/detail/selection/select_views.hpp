// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/choice.hpp>
#include <upsweep/detail/selection/select_calls.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/views.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep::detail {

/// A span or view as an input of a selection.
template <class T>
computed_input source_of(span<T> in) {
    computed_input source;
    source.size = in.size();
    source.parts = {{untyped(in), describe_type<std::remove_const_t<T>>()}};
    return source;
}
template <class T>
computed_input source_of(const transform_view<T>& in) {
    return in.input();
}

/// A selection on device memory. The arguments must outlive it.
class device_selection {
public:
    template <class Count>
    device_selection(const char* function, queue_handle queue, span<Count> count, const wait_list& after) {
        static_assert(is_count<Count>, "upsweep: a count is a std::uint32_t or a std::uint64_t");
        arguments_.function = function;
        arguments_.queue = queue.get();
        arguments_.count = untyped(count);
        arguments_.count_type = describe_type<Count>();
        arguments_.after = &after;
    }
    device_selection(const device_selection&) = delete;
    device_selection& operator=(const device_selection&) = delete;

    /// What is chosen of `in`, which must be the first column.
    template <class View>
    device_selection& mark(const View& in, const choice& which) {
        mark_by_choice(arguments_, source_of(in), which);
        return *this;
    }
    /// The first of each run is chosen.
    template <class View>
    device_selection& mark_runs(const View& in, const std::string& equal, const char* argument = "input") {
        computed_input source = source_of(in);
        source.name_argument(argument);
        mark_by_equality(arguments_, std::move(source), equal);
        return *this;
    }
    template <class View, class Out>
    device_selection& keep(const View& in, span<Out> out, const char* argument, const char* input = "input") {
        using element = view_value<View>;
        static_assert(!std::is_const<Out>::value, "upsweep: the output's elements must not be const");
        static_assert(std::is_same<element, Out>::value || (is_scalar_type<element> && is_scalar_type<Out>),
                      "upsweep: input and output types may differ among scalar types only");
        selected_column column{source_of(in), describe_type<element>(), untyped(out), describe_type<Out>(), argument};
        column.source.name_argument(input);
        arguments_.columns.push_back(std::move(column));
        return *this;
    }
    template <class Length>
    device_selection& lengths(span<Length> lengths) {
        arguments_.lengths = untyped(lengths);
        arguments_.length_type = describe_type<Length>();
        return *this;
    }

    UPSWEEP_INLINE cl::Event run(selection what, const options& opts) {
        return run(what, opts, needs_wide_index(arguments_.marks.size));
    }
    /// @param wide  whether places take 64 bits, as they must for some numbers of elements
    UPSWEEP_INLINE cl::Event run(selection what, const options& opts, bool wide) {
        arguments_.wide = wide;
        return cl::Event(call_selection(what, arguments_, opts));
    }

    /// A plan for such calls.
    UPSWEEP_INLINE std::shared_ptr<const prepared_selection> prepare(selection what, const options& opts) {
        arguments_.wide = needs_wide_index(arguments_.marks.size);
        return prepare_selection(what, arguments_, opts);
    }
    UPSWEEP_INLINE cl::Event with(const prepared_selection& plan, span<unsigned char> workspace) {
        arguments_.workspace = untyped(workspace);
        return cl::Event(call_selection(plan, arguments_));
    }

private:
    selection_arguments arguments_;
};

} // namespace upsweep::detail
