// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/operator_cost.hpp>
#include <upsweep/type.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep {

template <class T>
class span;

namespace detail {

/// What an operator's text calls by a name, and each call may give another value: up to 16 bytes, or an array.
struct operator_parameter {
    std::string name;
    type_text type; ///< of the value, or of the array's elements
    bool is_array = false;
    std::array<std::uint64_t, 2> words = {}; ///< the value
    void* buffer = nullptr;                  ///< of an array, with what a `span` says of it
    std::size_t count = 0;
    std::size_t byte_offset = 0;
};

} // namespace detail

// Every operator combines `left` and `right` in that order and needs to be associative only. The operators here are
// written for any scalar type, and for vectors where vector_types.hpp says so; `make_operator` makes one of your own.
// What the kernels see is the text of the body.

/// left + right. Integers wrap.
struct plus {
    static constexpr const char* name = "plus";                 ///< in messages
    static constexpr const char* body = "return left + right;"; ///< OpenCL C
};

/// left * right. Integers wrap.
struct multiplies {
    static constexpr const char* name = "multiplies";           ///< in messages
    static constexpr const char* body = "return left * right;"; ///< OpenCL C
};

/// The smaller; of equals, the left. As `std::min`, a NaN on the right is dropped and a NaN on the left stays, so with
/// a NaN in the middle it is not associative: the result then depends on the order of combination.
struct minimum {
    static constexpr const char* name = "minimum";                             ///< in messages
    static constexpr const char* body = "return right < left ? right : left;"; ///< OpenCL C
};

/// The larger; of equals, the left. As `std::max`, a NaN on the right is dropped and a NaN on the left stays, so with
/// a NaN in the middle it is not associative: the result then depends on the order of combination.
struct maximum {
    static constexpr const char* name = "maximum";                             ///< in messages
    static constexpr const char* body = "return left < right ? right : left;"; ///< OpenCL C
};

/// left & right, integers only.
struct bit_and {
    static constexpr const char* name = "bit_and";              ///< in messages
    static constexpr const char* body = "return left & right;"; ///< OpenCL C
};

/// left | right, integers only.
struct bit_or {
    static constexpr const char* name = "bit_or";               ///< in messages
    static constexpr const char* body = "return left | right;"; ///< OpenCL C
};

/// left ^ right, integers only.
struct bit_xor {
    static constexpr const char* name = "bit_xor";              ///< in messages
    static constexpr const char* body = "return left ^ right;"; ///< OpenCL C
};

/// 1 when neither is zero, else 0.
struct logical_and {
    static constexpr const char* name = "logical_and";                     ///< in messages
    static constexpr const char* body = "return left != 0 && right != 0;"; ///< OpenCL C
};

/// 1 when one is not zero, else 0.
struct logical_or {
    static constexpr const char* name = "logical_or";                      ///< in messages
    static constexpr const char* body = "return left != 0 || right != 0;"; ///< OpenCL C
};

/// How long an operator takes, compared with reading its operands from memory. It decides which kernels run, never the
/// result: where GPUs use sub-groups, those of costly operators apply them less often.
enum class operator_cost {
    estimated, ///< by its text: see `make_operator`
    cheap,     ///< a few instructions: memory is what takes the time
    costly     ///< some thirty instructions or more: a logarithm, a few divisions, a long loop
};

/// An operator on T given as OpenCL C text; made by `make_operator`.
template <class T>
class custom_operator {
public:
    using value_type = T; ///< what it combines

    /// As `make_operator`.
    custom_operator(std::string text, std::string functions, operator_cost cost = operator_cost::estimated)
        : body(std::move(text))
        , helpers(std::move(functions)) {
        const unsigned instructions = detail::cost_of_operator(body, helpers);
        costly = cost == operator_cost::estimated ? instructions >= detail::costly_from : cost == operator_cost::costly;
        has_long_text = instructions >= detail::long_from(sizeof(T));
    }

    /// The same operator, where the parameter's name in its body stands for a value. Other values of the same type take
    /// no other program: kernels are given them by each call. Functions in `helpers` are given them as arguments.
    ///
    /// @code
    /// const auto modular = upsweep::make_operator<cl_uint>("return (left + right) % modulus;");
    /// for (cl_uint m : {97u, 101u}) upsweep::inclusive_scan(queue, x, y, modular.with("modulus", m));
    /// @endcode
    ///
    /// @param parameter  its name, an identifier, but not `left`, `right` or one that begins with `upsweep_`
    /// @param value      of up to 16 bytes: a number, a vector or a struct (`upsweep::type`)
    ///
    /// Calls on device memory take such operators: scans and reductions of spans, views and segments; of calls on host
    /// ranges, `transform_reduce`. There are at most 16 parameters, with those of the views. Other calls on host
    /// ranges, plans, groups of devices, ranks of MPI, work_group_source and strategy scan_then_propagate throw
    /// `upsweep::error`.
    template <class V>
    custom_operator with(const std::string& parameter, const V& value) const {
        detail::operator_parameter given{parameter, detail::describe_type<V>()};
        static_assert(sizeof(V) <= sizeof given.words,
                      "upsweep: a parameter's value has at most 16 bytes; pass a span of more");
        std::memcpy(given.words.data(), &value, sizeof(V));
        return with(std::move(given));
    }
    /// The same for an array, of which the body may read any element, as `table[k]`, say: there are no checks of k. It
    /// may have any number of elements; no output may overlap it. Its buffer is not retained.
    template <class V>
    custom_operator with(const std::string& parameter, span<V> array) const {
        detail::operator_parameter given{parameter, detail::describe_type<std::remove_const_t<V>>(), true};
        given.buffer = array.buffer();
        given.count = array.size();
        given.byte_offset = array.byte_offset();
        return with(std::move(given));
    }

    static constexpr const char* name = "user operator"; ///< in messages
    std::string body;           ///< statements that return the combination of `left` and `right`
    std::string helpers;        ///< functions that the body calls
    bool costly = false;        ///< as the cost says, or as it was estimated
    bool has_long_text = false; ///< so long that programs have few copies of it
    std::vector<detail::operator_parameter> parameters; ///< made by `with`

private:
    custom_operator with(detail::operator_parameter given) const {
        custom_operator result(*this);
        for (detail::operator_parameter& known : result.parameters)
            if (known.name == given.name) {
                known = std::move(given);
                return result;
            }
        result.parameters.push_back(std::move(given));
        return result;
    }
};

/// Makes an operator from OpenCL C text.
///
/// @param body     statements, `left` and `right` (both of type T) in scope, ending in `return ...;`
/// @param helpers  optional OpenCL C functions that the body calls
/// @param cost     how long it takes. Estimated, it is costly if body and helpers have a call such as that of `exp`,
///                 `log`, `pow` or `sin`, three divisions, 32 additions and multiplications, or a loop that may run any
///                 number of times. Loops that count up by one between two numbers, as in
///                 `for (int i = 0; i < 4; ++i)`, count so often. Helpers count once for each call by the body.
///
/// The operator must be associative. It need not commute and needs no identity: it is called on real elements only,
/// `left` always standing before `right` in the input. Where it is associative up to rounding only, the order of
/// combination decides the bits: see reference.hpp. Text that does not compile makes the first use throw
/// `upsweep::error` with the build log, where "operator:2" is the second line of `body`.
template <class T>
custom_operator<T> make_operator(std::string body, std::string helpers = {},
                                 operator_cost cost = operator_cost::estimated) {
    return {std::move(body), std::move(helpers), cost};
}

namespace detail {

/// What is known of an operator besides its text.
struct operator_traits {
    bool commutative = false;      ///< to the last bit
    bool combines_vectors = false; ///< the body means the same for OpenCL C's vector types
    bool copies_operands = false;  ///< the body works on copies of its operands; see rusticl.hpp
    bool exact = false;            ///< associative to the last bit, whatever the type
    bool costly = false;           ///< as operator_cost
    bool has_long_text = false;    ///< programs have few copies of it
    bool has_any_order = false; ///< helpers have upsweep_combine_any, where the operator commutes by that function only
    bool has_difference = false; ///< helpers have upsweep_difference(sum, before), which takes `before` off a sum
    bool hides_members = false;  ///< the body is another function's that makes operands a lane's own where it must
    bool divides_words = false;  ///< and that takes numbers of 8 or 16 bits out of words
};

/// An operator as the source stage sees it.
struct operator_text {
    std::string name;
    std::string body;
    std::string helpers;
    operator_traits traits = {};
    std::string operands = {}; ///< the type of what kernels pass on to it (operand_text.hpp); empty: nothing
};

/// An `operator_text` that lies elsewhere. Made anew by every call, so it must not allocate.
struct operator_view {
    std::string_view name;
    std::string_view body;
    std::string_view helpers;
    operator_traits traits = {};
    std::string_view operands = {};
    const std::vector<operator_parameter>* parameters = nullptr; ///< null: none, or they are part of the text by now
};

inline operator_text text_of(const operator_view& op) {
    return {std::string(op.name), std::string(op.body), std::string(op.helpers), op.traits, std::string(op.operands)};
}
/// The view is valid as long as the text is, and stays where it is.
inline operator_view view_of(const operator_text& op) {
    return {op.name, op.body, op.helpers, op.traits, op.operands};
}

template <class Op>
struct is_custom : std::false_type {};
template <class T>
struct is_custom<custom_operator<T>> : std::true_type {};

/// An operator of the library on a type of its own says itself what is known of it.
template <class Op, class = void>
struct has_traits : std::false_type {};
template <class Op>
struct has_traits<Op, std::void_t<decltype(Op::traits)>> : std::true_type {};

template <class T, class Op>
constexpr operator_traits traits_of() {
    if constexpr (has_traits<Op>::value) {
        return Op::traits;
    } else if constexpr (is_custom<Op>::value) {
        static_assert(
            is_same_on_device<typename Op::value_type, T>,
            "upsweep: the operator's type must be the type that elements are combined in: the output's; for a "
            "host range the initial value's or, without one, the input's");
        return {};
    } else {
        constexpr bool bitwise =
            std::is_same<Op, bit_and>::value || std::is_same<Op, bit_or>::value || std::is_same<Op, bit_xor>::value;
        static_assert(!bitwise || has_integers<T>, "upsweep: bit operators need an integer type");
        constexpr bool logical = std::is_same<Op, logical_and>::value || std::is_same<Op, logical_or>::value;
        static_assert(!logical || !is_vector<T>, "upsweep: logical operators need a scalar type, not a vector");
        constexpr bool arithmetic = std::is_same<Op, plus>::value || std::is_same<Op, multiplies>::value;
        constexpr bool extremum = std::is_same<Op, minimum>::value || std::is_same<Op, maximum>::value;
        // All of ours commute, but of two zeros minimum and maximum keep the left, with its sign.
        constexpr bool commutative = !extremum || has_integers<T>;
        return {commutative, arithmetic || extremum || bitwise};
    }
}

/// The view is valid as long as the operator is.
template <class T, class Op>
operator_view view_operator(const Op& op) {
    (void)op;
    operator_traits traits = traits_of<T, Op>();
    if constexpr (is_custom<Op>::value) {
        traits.costly = op.costly;
        traits.has_long_text = op.has_long_text;
        return {Op::name, op.body, op.helpers, traits, {}, op.parameters.empty() ? nullptr : &op.parameters};
    } else if constexpr (has_traits<Op>::value) {
        return {Op::name, Op::body, Op::helpers, traits};
    } else {
        return {Op::name, Op::body, {}, traits};
    }
}

template <class T, class Op>
operator_text describe_operator(const Op& op) {
    return text_of(view_operator<T>(op));
}

} // namespace detail
} // namespace upsweep
