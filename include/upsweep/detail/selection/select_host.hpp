// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/choice.hpp>
#include <upsweep/detail/call/host_range.hpp>
#include <upsweep/detail/selection/select_calls.hpp>
#include <upsweep/detail/selection/select_views.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace upsweep::detail {

/// The integers that an output iterator stores; where it does not say which, those of the device.
template <class It, class Enable = void>
struct stored_integer {
    using type = std::uint64_t;
};
template <class It>
struct stored_integer<It, std::enable_if_t<std::is_integral<typename It::container_type::value_type>::value>> {
    using type = typename It::container_type::value_type; // of std::back_insert_iterator and its siblings
};

/// A selection of elements of a host range.
template <class T, class InputIt>
class host_selection {
    static_assert(check_host_iterator<InputIt>(), "");

public:
    /// @param value_size  bytes of the largest result of an element
    host_selection(const char* function, queue_handle queue, InputIt first, InputIt last,
                   std::size_t value_size = sizeof(T))
        : elements_(function, queue, value_size, first, last) {
        arguments_.function = function;
        arguments_.queue = queue.get();
        selected_column column;
        column.source.size = elements_.size();
        column.element = describe_type<T>();
        column.argument = "output";
        arguments_.columns = {column};
        arguments_.wide = needs_wide_index(elements_.size());
    }

    void run(selection what, const choice& which, const options& opts) {
        mark_by_choice(arguments_, arguments_.columns[0].source, which);
        results_ = select_on_host(what, arguments_, elements_.data(), opts);
    }
    void run_equal(selection what, const std::string& equal, const options& opts) {
        mark_by_equality(arguments_, arguments_.columns[0].source, equal);
        results_ = select_on_host(what, arguments_, elements_.data(), opts);
    }

    /// Writes what was chosen and returns the end.
    template <class OutputIt>
    OutputIt store(OutputIt out) {
        return store_values<T>(results_.kept(), count(), out);
    }
    /// Writes all elements and returns where those begin that were not chosen.
    template <class ForwardIt>
    ForwardIt store_parts(ForwardIt out) {
        store_values<T>(results_.kept(), elements_.size(), out);
        return iterator_behind(out, results_.count);
    }
    /// Writes the lengths of runs and returns the end.
    template <class OutputIt>
    OutputIt store_lengths(OutputIt out) {
        using integer = typename stored_integer<OutputIt>::type;
        if constexpr (std::is_same<integer, std::uint64_t>::value) {
            return store_values<integer>(results_.lengths(), count(), out);
        } else {
            std::vector<std::uint64_t> lengths(count());
            read(results_.lengths(), lengths.data(), lengths.size() * sizeof(std::uint64_t));
            for (const std::uint64_t length : lengths) *out++ = static_cast<integer>(length);
            return out;
        }
    }

private:
    std::size_t count() const { return static_cast<std::size_t>(results_.count); }

    template <class Value, class OutputIt>
    OutputIt store_values(cl_mem buffer, std::size_t n, OutputIt out) {
        static_assert(check_host_iterator<OutputIt>(), "");
        host_values<Value, OutputIt> values(out, n);
        read(buffer, values.data(), n * sizeof(Value));
        return values.store(n);
    }
    void read(cl_mem buffer, void* to, std::size_t bytes) {
        read_results(arguments_.function, arguments_.queue, buffer, to, bytes);
    }

    host_elements<T, InputIt> elements_;
    selection_arguments arguments_;
    host_selection_results results_;
};

} // namespace upsweep::detail
