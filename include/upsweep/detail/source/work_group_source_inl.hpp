// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/read_limits.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>
#include <upsweep/work_group_source.hpp>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace upsweep::detail {

/// A text for programs that may have several of its kind: the library's own names begin with another prefix, and what
/// the user wrote stays as it is.
class renamed_text {
public:
    /// @param name  in place of "upsweep", and in capitals in place of "UPSWEEP"
    UPSWEEP_INLINE explicit renamed_text(const std::string& name)
        : small_(name + "_") {
        for (const char c : small_) capital_ += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }

    UPSWEEP_INLINE void append_own(std::string_view own) {
        for (std::size_t at = 0; at < own.size();) {
            const bool begins_word = at == 0 || !is_identifier_part(own[at - 1]);
            const std::string_view word = own.substr(at, prefix_size);
            if (begins_word && (word == "upsweep_" || word == "UPSWEEP_")) {
                text += word == "upsweep_" ? small_ : capital_;
                at += prefix_size;
            } else {
                text += own[at++];
            }
        }
    }
    /// @param label  its name in build logs
    UPSWEEP_INLINE void append_users(const char* label, std::string_view users) {
        text.append("#line 1 \"").append(label).append("\"\n").append(users).append("\n");
    }
    /// The same for a text that several may have in common: it counts once.
    UPSWEEP_INLINE void append_once(const char* label, std::string_view users) {
        if (users.empty()) return;
        const std::string macro = "UPSWEEP_TEXT_" + std::to_string(std::hash<std::string_view>()(users));
        text.append("#ifndef ").append(macro).append("\n#define ").append(macro).append("\n");
        append_users(label, users);
        text += "#endif\n";
    }
    UPSWEEP_INLINE void append_define(const char* macro, const std::string& value) {
        append_own(std::string("#define UPSWEEP_") + macro + " ");
        text.append(value).append("\n");
    }
    UPSWEEP_INLINE void append_define(const char* macro, std::uint64_t number) {
        append_define(macro, std::to_string(number));
    }

    std::string text;

private:
    static constexpr std::size_t prefix_size = 8;

    std::string small_;
    std::string capital_;
};

UPSWEEP_INLINE void check_name(const char* function, const std::string& name) {
    bool is_identifier = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
    for (const char c : name) is_identifier = is_identifier && is_identifier_part(c);
    if (!is_identifier) throw error(function, "name", "\"" + name + "\" is no identifier");
    if (name == "work_group" || name == "sub_group")
        throw error(function, "name", "OpenCL C has functions of its own that begin with " + name + "_");
}

/// What the kernel files need to know of one value per work-item.
UPSWEEP_INLINE void append_value_defines(renamed_text& out, const type_text& value, std::uint64_t work_items) {
    for (const char* type : {"ELEMENT", "VALUE"}) out.append_define(type, value.name);
    for (const char* size : {"ELEMENT_SIZE", "VALUE_SIZE"}) out.append_define(size, value.size);
    out.append_define("INDEX", "uint");
    out.append_define("WORK_ITEMS", work_items);
    for (const char* one : {"ITEMS", "TREE_RUN"}) out.append_define(one, 1);
    for (const char* zero : {"CANONICAL", "INIT_FORM"}) out.append_define(zero, 0);
    out.append_define("BANK_BITS", bank_bits);
}

/// What the files of sub-groups need to know besides.
UPSWEEP_INLINE void append_lanes_defines(renamed_text& out, const device_limits& device, bool commutative) {
    for (const kernel_constant& shared : kernel_constants)
        out.append_own("#define " + std::string(shared.macro) + " " + std::to_string(shared.value) + "\n");
    out.append_define("COMMUTATIVE", commutative ? 1 : 0);
    out.append_define("PTX", device.lanes == lanes_backend::ptx ? 1 : 0);
    if (are_sub_groups(device.lanes)) out.append_define("SUB_GROUP_SIZE", device.sub_group_size);
}

/// The operator as a function. Structs are copied because it is not known whether the device's compiler needs that
/// (rusticl.hpp), and NVIDIA's is given words that it does not take apart wrongly (UPSWEEP_OF_LANE), if the text gets
/// there.
UPSWEEP_INLINE void append_work_group_operator(renamed_text& out, const program_text& text) {
    const bool divides = divides_words(text.value, text.op);
    out.append_once("helpers", text.op.helpers);
    if (divides)
        out.append_own("#ifdef __NV_CL_C_VERSION\n#define UPSWEEP_OPERAND_OF_LANE(word) UPSWEEP_OF_LANE(word)\n"
                       "#define upsweep_combine upsweep_combine_members\n#endif\n");
    out.append_own(operator_opening(is_own_or_of_structs(text), !text.value.definition.empty()));
    out.append_users("operator", text.op.body);
    out.append_own("}\n");
    if (!divides) return;
    const type_text value{"upsweep_value", {}, text.value.size};
    out.append_own(
        "#ifdef __NV_CL_C_VERSION\n#undef upsweep_combine\n" +
        function_on_members(operator_opening(false, false), value.name, value, "upsweep_combine_members", true) +
        "#endif\n");
}

/// What is set for this text alone, and how it is before: nothing leaks into the kernel that follows.
constexpr const char* work_group_text_begin = "#ifdef __clang__\n#pragma clang diagnostic push\n";
constexpr const char* work_group_text_end =
    "#pragma OPENCL FP_CONTRACT DEFAULT\n#ifdef __clang__\n#pragma clang diagnostic pop\n#endif\n#line 1 \"kernel\"\n";

/// A text of which `defines` are the numbers, with kernel files behind the operator.
template <class Defines>
std::string renamed_program(const char* function, const type_view& value, const operator_view& op,
                            const std::string& name, const Defines& defines,
                            std::initializer_list<const kernel_file*> kernel_files) {
    const program_text text{text_of(value), text_of(value), text_of(op)};
    if (op.parameters) throw error(function, "operator", "operators with parameters are none for texts of one's own");
    check_name(function, name);
    check_text(function, text);
    renamed_text out(name);
    out.append_own("#ifdef UPSWEEP_VALUE\n#error \"two texts of the library have the name ");
    out.text.append(name).append("\"\n#endif\n");
    out.text += no_contraction;
    append_extensions(out.text, text);
    out.append_once("type", text.value.definition);
    out.append_once("type", own_name_definition(text.value));
    defines(out, text);
    program_source files;
    append_file(files, kernels::prelude);
    out.append_own(files.text);
    out.text.append(work_group_text_begin).append(missing_return_is_error).append("#endif\n");
    append_work_group_operator(out, text);
    files.text.clear();
    for (const kernel_file* file : kernel_files) append_file(files, *file);
    out.append_own(files.text);
    out.text += work_group_text_end;
    return out.text;
}

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::string work_group_text(const type_view& value, const operator_view& op, std::uint32_t work_items,
                                            tile_algorithm algorithm, const std::string& name, tree_reduce reduction) {
    const char* function = "work_group_source";
    if (work_items < 1 || work_items > (1U << 20))
        throw error(function, "work_items", std::to_string(work_items) + " is not from 1 to 2^20");
    if (!is_enumerator(algorithm)) throw error(function, "algorithm", "is no enumerator");
    if (!is_enumerator(reduction)) throw error(function, "reduction", "is no enumerator");
    if (algorithm == tile_algorithm::sub_group)
        throw error(function, "algorithm", "sub_group is not among blelloch, hillis_steele and brent_kung");
    const auto defines = [&](renamed_text& out, const program_text& text) {
        out.append_define("WORK_GROUP_SIZE", work_items);
        append_value_defines(out, text.value, ceil_power_of_two(work_items));
        out.append_define("RUNG", rung_of(reduction));
    };
    return renamed_program(function, value, op, name, defines, {&file_of(algorithm), &kernels::work_group});
}

UPSWEEP_DEFINED sub_group_text sub_group_functions(cl_device_id device, const type_view& value, const operator_view& op,
                                                   const std::string& name) {
    const char* function = "sub_group_source";
    const device_limits& limits = limits_of(function, device);
    const auto defines = [&](renamed_text& out, const program_text& text) {
        append_value_defines(out, text.value, sub_group_lanes);
        append_lanes_defines(out, limits, text.op.traits.commutative);
    };
    sub_group_text result;
    result.text =
        renamed_program(function, value, op, name, defines, {&file_of(limits.lanes), &kernels::sub_group_calls});
    if (limits.lanes == lanes_backend::none) return {};
    tuning t;
    t.opencl_c = limits.opencl_c;
    result.options = build_options(t);
    return result;
}

UPSWEEP_DEFINED bool has_sub_groups(cl_kernel kernel, cl_device_id device, std::size_t work_items) {
    const device_limits& limits = limits_of("has_sub_groups", device);
    if (work_items % sub_group_lanes != 0) return false;
    return limits.lanes == lanes_backend::ptx ||
           (are_sub_groups(limits.lanes) && holds_lanes(sub_group_size_of(kernel, device, work_items)));
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail
