// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/call_arguments.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>
#include <upsweep/detail/values/text_memo.hpp>
#include <upsweep/error.hpp>

#include <string>
#include <vector>

// Calls with operators that have parameters. These reach kernels as parameters of the input: behind its own, as a last
// stage that computes nothing. In the program's text functions hand them on to the operator (pass_variable).

namespace upsweep::detail {

/// An operator's parameters, and its text with them. Refers to the call's types.
class operands {
public:
    /// @throws upsweep::error for what is wrong with the user's own text
    UPSWEEP_INLINE operands(const char* function, const call_types& types)
        : types_(types)
        , op_(text_of(types.text.op)) {
        const program_text text{text_of(types.text.element), text_of(types.text.value), op_};
        // Whether it returns is checked of the program: macros of build options may stand for `return`.
        check_once([&] { check_whole(function, text); }, "operands", text.element, text.value, text.op);
        stage_.is_operands = true;
        stage_.label = "operator";
        for (const operator_parameter& each : *types.text.op.parameters) {
            stage_.parameters.push_back({each.name, each.type, each.is_array});
            given_.push_back(
                {{static_cast<cl_mem>(each.buffer), each.count, each.byte_offset, each.type.size}, each.words});
        }
        op_.operands = operands_type(stage_.parameters,
                                     known_definitions({text_of(types.text.element), text_of(types.text.value)}));
        op_.body = operands_text(stage_.parameters) + as_it_is("#line 1 \"operator\"\n" + op_.body);
        if (!op_.helpers.empty()) op_.helpers = as_it_is("#line 1 \"helpers\"\n" + op_.helpers);
    }
    operands(const operands&) = delete;
    operands& operator=(const operands&) = delete;

    /// Makes them parameters of a call's input.
    UPSWEEP_INLINE void add_to(computed_input& in) const {
        in.stages.push_back(stage_);
        in.stages.back().result = in.stages.size() > 1 ? in.stages[in.stages.size() - 2].result : in.parts[0].type;
        append_all(in.parameters, given_);
        in.text = transform_text(in.part_types(), in.stages, in.counter_type.name);
    }
    /// The call's types with the operator's text.
    UPSWEEP_INLINE call_types types() const {
        call_types own = types_;
        own.text.op = view_of(op_);
        own.operands = &stage_;
        return own;
    }

private:
    const call_types& types_;
    transform_stage stage_;
    std::vector<computed_input::parameter> given_;
    operator_text op_;
};

/// The arguments of a call with such an operator, on an array or on computed elements. Refers to the call's.
class operand_call {
public:
    UPSWEEP_INLINE operand_call(const call_arguments& a, const call_types& types)
        : operands_(a.function, types)
        , value_name_(types.text.value.name)
        , arguments_(a) {
        if (a.computed) {
            input_ = *a.computed;
        } else {
            input_.size = a.in.size;
            input_.parts = {{a.in, text_of(types.text.element)}};
        }
        operands_.add_to(input_);
        arguments_.computed = &input_;
        arguments_.in = {nullptr, input_.size, 0, a.in.element_size};
        arguments_.value_name = value_name_.c_str();
    }
    operand_call(const operand_call&) = delete;
    operand_call& operator=(const operand_call&) = delete;

    const call_arguments& arguments() const { return arguments_; }
    call_types types() const { return operands_.types(); }

private:
    operands operands_;
    std::string value_name_;
    computed_input input_;
    call_arguments arguments_;
};

/// A call on segments with such an operator.
/// @param call  makes it, of arguments and types
template <class Arguments, class Call>
cl_event with_operands(const Arguments& a, const call_types& types, const Call& call) {
    const operands own(a.function, types);
    auto in = *a.in;
    own.add_to(in.elements);
    Arguments given = a;
    given.in = &in;
    return call(given, own.types());
}

/// What has several devices, and takes no operators with parameters.
inline constexpr const char* groups_and_ranks = "devices of a group and ranks of MPI";

/// @param what  does not take operators with parameters
UPSWEEP_INLINE void refuse_operands(const char* function, const call_types& types, const char* what) {
    if (types.text.op.parameters)
        throw error(function, "operator", std::string("operators with parameters are none for ") + what);
}

} // namespace upsweep::detail
