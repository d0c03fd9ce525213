// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/access.hpp>
#include <upsweep/detail/source/call_types.hpp>
#include <upsweep/detail/source/hook_text.hpp>
#include <upsweep/detail/source/segment_form.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/span.hpp>
#include <upsweep/type.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::detail {

template <class>
class program_cache;

/// A `span` without its type.
struct untyped_span {
    cl_mem buffer = nullptr;
    std::uint64_t size = 0; ///< elements
    std::uint64_t byte_offset = 0;
    std::size_t element_size = 1;
};

template <class T>
untyped_span untyped(span<T> view) {
    return {view.buffer(), view.size(), view.byte_offset(), sizeof(T)};
}

/// An input whose elements are computed.
struct computed_input {
    struct part {
        untyped_span array;
        type_text type;
    };
    std::uint64_t size = 0;              ///< elements
    std::vector<part> parts;             ///< what the first stage reads; none: elements depend on their place alone
    std::vector<transform_stage> stages; ///< each but the first is given the result of the one before
    /// What each call may change: an array, or a value as numbers.
    struct parameter {
        untyped_span array;
        std::array<std::uint64_t, 2> words = {};
    };
    std::vector<parameter> parameters; ///< of all stages, one after another
    untyped_span counter;              ///< of a counted input, what has the number of elements, `size` at most
    type_text counter_type;            ///< empty: the number of elements is `size`
    bool is_prefetched = false;        ///< kernels that look back bring its arrays into the cache ahead
    std::string text;                  ///< the load hook that `transform_text` makes of it
    const char* argument = "input";    ///< in errors

    /// What the view is called in errors, and its texts in build logs; "input", which logs call "load", is the default.
    UPSWEEP_INLINE void name_argument(const char* name) {
        argument = name;
        for (transform_stage& stage : stages)
            if (std::string_view(stage.label) == "load" && std::string_view(name) != "input") stage.label = name;
    }
    /// Bytes that the first stage reads of an element.
    UPSWEEP_INLINE std::size_t read_size() const {
        std::size_t sum = 0;
        for (const part& each : parts) sum += each.type.size;
        return sum;
    }
    /// The types of the arrays that the first stage reads.
    UPSWEEP_INLINE std::vector<type_text> part_types() const {
        std::vector<type_text> types;
        for (const part& each : parts) types.push_back(each.type);
        return types;
    }
    /// Whether elements are those of the only array, as `elements_of` makes of a span.
    UPSWEEP_INLINE bool is_array() const {
        return parts.size() == 1 && stages.size() == 1 && stages[0].body == "a" && !is_counted() &&
               stages[0].result.name == parts[0].type.name && stages[0].parameters.empty() && !stages[0].is_test &&
               !stages[0].of_neighbours && !stages[0].is_operands;
    }
    /// Whether kernels read the only array as it is, with a number of elements or parameters of the operator besides.
    UPSWEEP_INLINE bool is_read_as_array() const { return compute_nothing(stages); }
    /// Whether the number of elements is read on the device.
    bool is_counted() const { return !counter_type.name.empty(); }
};

/// An output of which a text says what happens with each result of a scan of a computed input.
struct computed_output {
    struct part {
        std::string name;     ///< in the text, of the pointer to its first element
        std::string argument; ///< in errors
        untyped_span array;
        std::uint64_t needed = 0; ///< elements that it must have
        type_text type;
        access use = access::input;
        /// Of an output: for result i, element i is written and no other. So it may be an input of the same type.
        bool at_own_place = false;
        std::string packed = {}; ///< the user's type where `type` is what its values are packed into; empty: as `type`
    };
    struct number {
        std::string name; ///< in the text, of an `ulong`
        std::uint64_t value = 0;
    };
    std::vector<part> parts;
    std::vector<number> numbers;
    std::vector<type_text> types; ///< that the functions name
    std::string functions;        ///< OpenCL C that the body may call, besides the functions of the input's stages
    std::vector<hook_read> reads; ///< what the body needs of the parts that are inputs
    std::string chosen; ///< an expression on place, inputs and numbers: whether the body does anything; empty: perhaps
    std::string body; ///< statements on the place `i` of a result, its `value`, the parts and the numbers (store_text)
    std::string text; ///< the store hook that `store_text` makes of it
    /// What the text does with a result must be done once, and with the final value only: it decides where something is
    /// written, say. Then the scan must be an exclusive one with an initial value; see `stores_once`.
    bool stores_once = false;
    listed_marks marks; ///< the same for kernels that list what is marked
};

/// The arguments of a call on device memory, types erased. None was checked.
struct call_arguments {
    const char* function = "";
    operation op = operation::scan;
    cl_command_queue queue = nullptr;
    untyped_span in;
    const computed_input* computed = nullptr; ///< in place of `in`, of which only the size counts then
    untyped_span out;
    const computed_output* stored = nullptr; ///< in place of `out`, of which only the element's size counts then
    const char* value_name = "";             ///< the output's type in OpenCL C; for computed inputs
    bool same_type = true;                   ///< input and output are of one type in OpenCL C
    bool wants_total = false;                ///< of a scan
    untyped_span total;
    bool exclusive = false;
    bool has_init = false;
    const void* init = nullptr; ///< always set: without an initial value, any value
    bool init_on_device = false;
    untyped_span init_place; ///< where the initial value is, then
    const wait_list* after = nullptr;
    untyped_span workspace;
};

/// From so many bytes of results on, a total is made behind the scan, which then stores an array like any other. H200,
/// us, stored by a hook and made behind the scan: exclusive scans of 2^28 int32 753 and 584, of uint8 into uint32 499
/// and 420, inclusive ones of 2^27 double 613 and 598. Guess: for fewer bytes, the launches more cost as much as they
/// save.
constexpr std::uint64_t total_behind_bytes = 16 << 20;

/// The kind of scan that kernels make. With a total an exclusive one is an inclusive one (shifted_store).
UPSWEEP_INLINE scan_kind kind_of(const call_arguments& a) {
    return kind_of(a.op, a.exclusive && !a.wants_total);
}

/// The arguments of a call on host memory. The elements are in one piece.
struct host_arguments {
    const char* function = "";
    operation op = operation::scan;
    cl_command_queue queue = nullptr;
    std::uint64_t n = 0;
    const void* in = nullptr;
    void* out = nullptr; ///< room for n values, or for one
    bool same_type = true;
    bool exclusive = false;
    bool has_init = false;
    const void* init = nullptr; ///< always set
};

/// An input that is cut into segments.
struct segmented_input {
    computed_input elements;
    segment_cut cut = segment_cut::rows;
    untyped_span array;   ///< of keys, flags or offsets
    type_text type;       ///< of these
    std::string equality; ///< of keys
    std::uint64_t height = 0;
    std::uint64_t width = 0;
    std::uint64_t pitch = 0; ///< elements between the beginnings of rows

    /// Elements that are combined.
    std::uint64_t size() const { return are_of_one_length(cut) ? height * width : elements.size; }
    /// Segments, where that is known.
    UPSWEEP_INLINE std::uint64_t count() const {
        if (are_of_one_length(cut)) return cut == segment_cut::rows ? height : width;
        return cut == segment_cut::offsets && array.size > 0 ? array.size - 1 : 0;
    }
    /// Elements that the arrays of the input and of the output need.
    UPSWEEP_INLINE std::uint64_t extent() const {
        return !are_of_one_length(cut) ? size() : size() == 0 ? 0 : (height - 1) * pitch + width;
    }
};

/// The arguments of a scan or reduction of segments on device memory, types erased. None was checked.
struct segment_arguments {
    const char* function = "";
    cl_command_queue queue = nullptr;
    const segmented_input* in = nullptr;
    untyped_span out;
    segment_results results = segment_results::inclusive;
    untyped_span unique;         ///< where the keys of segments go
    untyped_span total;          ///< where the number of segments goes, an `uint` or a `ulong`
    const void* init = nullptr;  ///< null: none
    const void* empty = nullptr; ///< what a segment without elements gives where there is none; of reductions
    bool init_on_device = false;
    untyped_span init_place; ///< where the initial value is, then
    const wait_list* after = nullptr;
    bool prepares = false;               ///< programs are made, and nothing is enqueued; arrays do not matter
    program_cache<void>* kept = nullptr; ///< of a plan's calls: the programs that the plan keeps; null: there is none

    /// What kernels are given for the initial value; null: any value will do.
    const void* init_or_empty() const { return init ? init : empty; }
};

} // namespace upsweep::detail
