// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/hook_text.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/host_operator.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/type.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// What the public templates tell the stages below, which are no templates, of a call's types and operator.

namespace upsweep::detail {

/// What a text calls by a name, and each call may give another value: a value of up to 16 bytes, or an array.
struct stage_parameter {
    std::string name;
    type_text type; ///< of the value, or of the array's elements
    bool is_array = false;

    /// Numbers of 8 bytes that kernels are given of it.
    std::size_t words() const { return is_array ? 0 : (type.size + 7) / 8; }
};

/// One step of a computed input: what `body`, an expression or statements that return it, makes of an element.
struct transform_stage {
    std::string body;
    type_text result;
    bool is_test = false; ///< the result is 1 where the body is true, else 0
    /// A test of neighbours: the body is given, as `left` and `right`, an element and the one behind it, and is true
    /// where they are equal. The result for the latter is 0 then, else 1; for the first element it is 1.
    bool of_neighbours = false;
    const char* label = "load"; ///< of the body in build logs
    std::vector<stage_parameter> parameters = {};
    bool is_operands =
        false; ///< no step: parameters of the operator. The last one; the result is that of the one before
};

/// Whether stages leave the elements of an array as they are: there is none, but perhaps an operator's parameters.
UPSWEEP_INLINE bool compute_nothing(const std::vector<transform_stage>& stages) {
    return stages.empty() || stages.front().is_operands;
}

/// A `program_text` that lies elsewhere.
struct program_text_view {
    type_view element;
    type_view value;
    operator_view op;
    hook_view hooks = {}; ///< of an input or output that is no plain array
    bool init_on_device = false;
    std::string_view build_options = {};
    scan_kind scan = scan_kind::any;
    bool is_aligned = false;
};

/// The view is valid as long as the operator is.
template <class In, class Out, class Op>
program_text_view view_text(const Op& op) {
    return {view_type<In>(), view_type<Out>(), view_operator<Out>(op)};
}

enum class number_kind { integer, floating, other };

/// All that a self-check knows of a type.
struct value_class {
    number_kind kind = number_kind::other;
    std::size_t size = 1;
    std::size_t part = 0; ///< size of the numbers that a check puts in a struct's place; 0: as large as the size allows

    friend bool operator==(value_class a, value_class b) { return a.kind == b.kind && a.size == b.size; }
};

template <class T>
constexpr value_class class_of() {
    constexpr bool floating = std::is_floating_point<T>::value || std::is_same<T, half>::value;
    return {std::is_integral<T>::value ? number_kind::integer
            : floating                 ? number_kind::floating
                                       : number_kind::other,
            sizeof(T)};
}

/// Valid as long as the operator is.
struct call_types {
    program_text_view text;
    value_class element;
    value_class value;
    std::size_t alignment = 1; ///< of a value, in bytes
    bool own_operator = false;
    bool loads_array = false;     ///< the load hook reads elements as they are, if there is one
    bool stores_array = false;    ///< the store hook stores values as they are, if there is one
    std::string_view packed = {}; ///< the type that values have for the user (packed_types.hpp); empty: the same
    bool stores_once = false;     ///< the store hook needs each result once, and the final value only
    bool lists_marks = false;     ///< the store hook has what kernels need that list marks
    bool counts_marks = false;    ///< and by sub-groups is run behind a launch that counts marks
    std::size_t listed_size = 0;  ///< bytes of an element that is listed in place of its place, or 0
    segment_tiles segments = segment_tiles::none; ///< what hooks have for tiles of segments
    std::size_t segment_size = 0;                 ///< bytes of a value without its mark there
    bool reads_row = false;        ///< such tiles read what precedes them in their row, and wait for no other
    std::size_t read_size = 0;     ///< bytes that a computed element is made of; 0: elements are read as they are
    std::string_view counter = {}; ///< the type of the number of elements, where that is read on the device; else empty
    const transform_stage* operands = nullptr; ///< parameters of the operator; null: none
    host_operator on_host = nullptr;           ///< the operator of two values; null: devices alone can say
};

/// The kind of scan that kernels make.
UPSWEEP_INLINE scan_kind kind_of(operation op, bool exclusive) {
    if (op != operation::scan) return scan_kind::any;
    return exclusive ? scan_kind::exclusive : scan_kind::inclusive;
}

/// Types for a program that makes that kind of scan only.
UPSWEEP_INLINE call_types of_kind(const call_types& types, scan_kind kind) {
    call_types own = types;
    own.text.scan = kind;
    return own;
}

template <class T>
constexpr bool is_scalar_type = (!std::is_class<T>::value && !std::is_union<T>::value) || std::is_same<T, half>::value;

template <class In, class Out, class Op>
call_types types_of(const Op& op) {
    static_assert(std::is_same<In, Out>::value || (is_scalar_type<In> && is_scalar_type<Out>),
                  "upsweep: input and output types may differ among scalar types only");
    call_types types{view_text<In, Out>(op), class_of<In>(), class_of<Out>(), alignof(Out), is_custom<Op>::value};
    types.on_host = operator_on_host<Out, Op>();
    return types;
}

} // namespace upsweep::detail
