// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/source/check_text.hpp>
#include <upsweep/detail/source/hook_arrays.hpp>
#include <upsweep/detail/source/hook_text.hpp>
#include <upsweep/detail/source/program_text.hpp>
#include <upsweep/detail/source/read_text.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/tuning/tuning_inl.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/pass_variable.hpp>
#include <upsweep/error.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/type.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace upsweep::detail {

/// How kernels are given the initial value; follows UPSWEEP_INIT_FORM in prelude.cl.
enum class init_form { value, bytes, memory, place };

/// Larger values reach kernels through memory. All arguments of a kernel together are below 256 bytes then, the least
/// that CL_DEVICE_MAX_PARAMETER_SIZE may be.
constexpr std::size_t most_argument_bytes = 128;

/// @param on_device  the caller has it in device memory, at any place
UPSWEEP_INLINE init_form init_form_of(const type_text& value, bool on_device) {
    if (on_device) return init_form::place;
    if (value.size > most_argument_bytes) return init_form::memory;
    return value.definition.empty() && value.size <= 8 ? init_form::value : init_form::bytes;
}

UPSWEEP_INLINE family family_of(operation op, const tuning& t) {
    if (t.strategy == strategy::chunked) return t.one_launch ? family::chunks_once : family::chunked;
    return strategy_for(op, t.strategy) == strategy::look_back ? family::look_back : record_of(op).in_tiles;
}

/// The texts of a program's types, operator and hooks.
UPSWEEP_INLINE std::array<const std::string*, 9> parts_of(const program_text& text) {
    return {&text.element.name, &text.element.definition, &text.value.name, &text.value.definition, &text.op.body,
            &text.op.helpers,   &text.op.operands,        &text.hooks.load, &text.hooks.store};
}

/// Whether `word` stands in their code; comments and literals do not count.
UPSWEEP_INLINE bool mentions(const program_text& text, std::string_view word) {
    for (const std::string* part : parts_of(text))
        if (mentions(*part, word) && mentions(code_of(*part), word)) return true;
    return false;
}

/// Whether they read files, so that the text alone does not decide what is built.
UPSWEEP_INLINE bool reads_files(const program_text& text) {
    for (const std::string* part : parts_of(text))
        if (words_of_text(*part).includes || mentions(code_of(*part), "__has_include")) return true;
    return false;
}

/// Whether code mentions a scalar type or vectors of it.
/// @param text  a program's, or a part of one, without comments
template <class Text>
bool computes_in(const Text& text, const std::string& scalar) {
    for (const char* width : {"", "2", "3", "4", "8", "16"})
        if (mentions(text, scalar + width)) return true;
    return false;
}

/// Rejects text that is not whole in itself.
UPSWEEP_INLINE void check_whole(const char* function, const program_text& text) {
    check_whole(function, "operator", "operator", text.op.body);
    check_whole(function, "operator", "helpers", text.op.helpers);
    for (const type_text* t : {&text.element, &text.value})
        check_whole(function, "type " + users_name(t->name), "type", t->definition);
}

/// Rejects text that could not be what the user meant.
UPSWEEP_INLINE void check_text(const char* function, const program_text& text) {
    check_whole(function, text);
    const std::string macros = definitions_of_options(text.build_options);
    if (!can_return(text.op.body, {text.op.helpers, text.element.definition, text.value.definition, macros}))
        throw error(function, "operator", "the text has no return statement");
}

/// Rejects types that the device lacks, and text as above.
UPSWEEP_INLINE void check_text(const char* function, const program_text& text, const device_limits& device) {
    if (computes_in(text, "double") && !device.has_double)
        throw error(function, "type double", "device " + device.name + " has no double (cl_khr_fp64)");
    if (computes_in(text, "half") && !device.has_half)
        throw error(function, "type half", "device " + device.name + " has no half (cl_khr_fp16)");
    check_text(function, text);
    check_build_options(function, text.build_options);
}

UPSWEEP_INLINE void append_extensions(std::string& out, const program_text& text) {
    if (computes_in(text, "double")) out.append("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (computes_in(text, "half")) out.append("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
}

/// The file of a textbook's scan.
UPSWEEP_INLINE const kernel_file& file_of(tile_algorithm algorithm) {
    if (algorithm == tile_algorithm::hillis_steele) return kernels::hillis_steele;
    if (algorithm == tile_algorithm::brent_kung) return kernels::brent_kung;
    return kernels::blelloch;
}

/// The file of an interface to sub-groups.
UPSWEEP_INLINE const kernel_file& file_of(lanes_backend lanes) {
    if (lanes == lanes_backend::khr) return kernels::lanes_khr;
    if (lanes == lanes_backend::intel) return kernels::lanes_intel;
    return kernels::lanes_ptx;
}

UPSWEEP_INLINE void append_define(std::string& out, const char* name, std::uint64_t number) {
    append_define(out, name, std::to_string(number));
}

/// UPSWEEP_RUNG of tree_reduce.cl.
UPSWEEP_INLINE unsigned rung_of(tree_reduce reduction) {
    return reduction == tree_reduce::interleaved ? 0 : reduction == tree_reduce::compacted ? 1 : 2;
}

/// Whether what kernels combine is a lane's own where it is read (UPSWEEP_OF_LANE), so that it need not be made so
/// before each operation: scans in sub-groups read elements of arrays, each lane others, and initial values and what
/// sub-groups share as words. H100, 2^26 uchar4 by an operator of one's own, us, with that before each operation and
/// so: 678 and 366.
UPSWEEP_INLINE bool reads_words(const program_text& text, const tuning& t, family kind) {
    return kind == family::look_back && t.algorithm == tile_algorithm::sub_group && text.hooks.load.empty();
}

UPSWEEP_INLINE void append_defines(std::string& out, const program_text& text, const tuning& t, bool wide_index) {
    const bool is_moved = moves_words(text, t);
    append_define(out, "UPSWEEP_ELEMENT", is_moved ? moved_type : text.element.name);
    append_define(out, "UPSWEEP_VALUE", is_moved ? moved_type : text.value.name);
    append_define(out, "UPSWEEP_ELEMENT_SIZE", text.element.size);
    append_define(out, "UPSWEEP_VALUE_SIZE", text.value.size);
    append_define(out, "UPSWEEP_SHARES_WORDS", t.ptx && (text.value.size < 4 || divides_words(text.value, text.op)));
    append_define(out, "UPSWEEP_INIT_FORM", static_cast<unsigned>(init_form_of(text.value, text.init_on_device)));
    append_define(out, "UPSWEEP_INDEX", wide_index ? "ulong" : "uint");
    append_define(out, "UPSWEEP_COMMUTATIVE", text.op.traits.commutative);
    append_define(out, "UPSWEEP_EXACT", is_exact(text));
    append_define(out, "UPSWEEP_USERS_OPERATOR", is_users(text.op));
    if (text.op.traits.has_any_order) {
        append_define(out, "UPSWEEP_COMBINE_ANY(left, right)", "upsweep_combine_any(left, right)");
        append_define(out, "UPSWEEP_HAS_COMBINE_ANY", 1);
    }
    if (text.op.traits.has_difference) append_define(out, "UPSWEEP_SUBTRACT", "upsweep_difference");
    for_each_tuning_field([&](const char*, auto member, field_use use) {
        if constexpr (!std::is_enum<std::decay_t<decltype(t.*member)>>::value)
            if (use.macro) append_define(out, use.macro, t.*member);
    });
    for (const kernel_constant& shared : kernel_constants) append_define(out, shared.macro, shared.value);
    append_define(out, "UPSWEEP_BANK_BITS", t.bank_padding ? bank_bits : 0);
    append_define(out, "UPSWEEP_RUNG", rung_of(t.reduction));
    if (are_sub_groups(t.lanes)) append_define(out, "UPSWEEP_SUB_GROUP_SIZE", t.sub_group_size);
}

// Most OpenCL compilers are clang, which only warns of a path without return.
constexpr const char* missing_return_is_error = "#pragma clang diagnostic error \"-Wreturn-type\"\n";

/// What every program begins with, so that it holds for functions in a type's definition, too. A fused multiply-add
/// rounds once where the source rounds twice: bits would depend on the device.
constexpr const char* no_contraction = "#pragma OPENCL FP_CONTRACT OFF\n";

/// Types and defines, the prelude, then the operator: what every program begins with. `#line` makes a build log name
/// the kernel file, "type", "operator" or the part of a hook that a user wrote, each with its own line numbers.
///
/// The operator is a function of its own where kernels apply it (see UPSWEEP_OUTLINE); it is not where one work-item
/// streams its elements, because there the functions around it are.
UPSWEEP_INLINE void append_head(program_source& source, const program_text& text, const tuning& t, family kind,
                                bool wide_index) {
    std::string& out = source.text;
    const bool streams =
        kind == family::chunked || kind == family::chunks_once || kind == family::look_back || kind == family::each;
    const bool in_kernels = t.work_items > 1 || !streams;
    out.append(no_contraction);
    append_extensions(out, text);
    std::vector<std::string> known;
    out.append(definitions_of({text.element, text.value}, known));
    if (moves_words(text, t)) out.append(moved_type_definition(text.value));
    out.append(text.op.operands);
    const bool is_costly = has_costly_operator(text, t, kind);
    append_defines(out, text, t, wide_index);
    append_define(out, "UPSWEEP_OPERAND_OF_LANE(word)", reads_words(text, t, kind) ? "" : "UPSWEEP_OF_LANE(word)");
    for (const std::string& macro : returning_options(text.build_options))
        append_define(out, (returns_macro + macro).c_str(), "1");
    append_define(out, "UPSWEEP_COSTLY_OPERATOR", is_costly);
    append_file(source, kernels::prelude);
    out.append("#ifdef __clang__\n").append(missing_return_is_error).append("#endif\n");
    append_operator(out, text, t, is_costly, in_kernels);
    const bool in_any_order = t.work_items == 1 && streams && is_exact(text) && text.op.traits.commutative;
    const bool takes_vectors = t.tree_run == longest_tree || (t.tree_run == 1 && in_any_order);
    if (takes_vectors && text.op.traits.combines_vectors && converts_vectors(text.element, text.value)) {
        // Vectors wider than the CPU's registers make clang warn of an ABI that is not used here.
        // NVIDIA's compiler does not know that warning, and would warn of it.
        out.append("#ifdef __has_warning\n#if __has_warning(\"-Wpsabi\")\n"
                   "#pragma clang diagnostic ignored \"-Wpsabi\"\n#endif\n#endif\n");
        append_define(out, "UPSWEEP_WIDE", text.value.name + "16");
        append_define(out, "UPSWEEP_WIDE_HALF", text.value.name + "8");
        const bool converts = text.element.name != text.value.name;
        append_define(out, "UPSWEEP_CONVERT_WIDE", converts ? "convert_" + text.value.name + "16" : "");
        out.append("UPSWEEP_WIDE_HALF upsweep_combine_half(UPSWEEP_WIDE_HALF left, UPSWEEP_WIDE_HALF right)\n{\n");
        out.append(text.op.body).append("\n}\nUPSWEEP_WIDE upsweep_combine_wide(UPSWEEP_WIDE left, UPSWEEP_WIDE ");
        out.append("right)\n{\n").append(text.op.body).append("\n}\n");
    }
}

/// What a program is compiled with. Pure.
/// @param users  the user's own options; lines and tabs are blanks to the device
UPSWEEP_INLINE std::string build_options(const tuning& t, const std::string& users = {}) {
    std::string result = "-cl-std=CL" + std::to_string(t.opencl_c / 10) + "." + std::to_string(t.opencl_c % 10);
    if (t.registers != 0) result += " -cl-nv-maxrregcount=" + std::to_string(t.registers);
    if (!users.empty()) result += ' ';
    for (const char c : users) result += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
    return result;
}

/// Appends the hooks through which kernels read the input and write the output.
UPSWEEP_INLINE void append_hooks(program_source& out, const hook_text& hooks) {
    if (hooks.load.empty())
        append_file(out, kernels::load);
    else
        out.text.append("#line 1 \"load hook\"\n#define UPSWEEP_HAS_LOAD\n").append(hooks.load).append("\n");
    if (hooks.store.empty())
        append_file(out, kernels::store);
    else
        out.text.append("#line 1 \"store hook\"\n#define UPSWEEP_HAS_STORE\n").append(hooks.store).append("\n");
}

/// Whether a family's kernel files leave such places open.
UPSWEEP_INLINE bool has_choices(const tuning& t, family kind) {
    if (kind == family::segments) return t.algorithm == tile_algorithm::sub_group;
    return kind != family::chunks_once && kind != family::fold && kind != family::marks && kind != family::each &&
           kind != family::columns && kind != family::reduced_columns && kind != family::columns_look_back;
}

/// Appends the files that fill the places which kernel files leave open: how sub-groups are used, or how a tile is
/// scanned.
UPSWEEP_INLINE void append_choices(program_source& out, const tuning& t, family kind) {
    if (keeps_runs(t) && t.lanes != lanes_backend::none) append_file(out, file_of(t.lanes));
    if (t.algorithm == tile_algorithm::sub_group)
        append_file(out, file_of(t.lanes));
    else if (keeps_runs(t))
        append_file(out, t.lanes == lanes_backend::none ? kernels::share_prefix : kernels::share_prefix_lanes);
    else if (t.canonical)
        append_file(out, kernels::tile_canonical);
    else if (kind != family::reduce)
        append_file(out, file_of(t.algorithm));
}

/// Appends the files of a family's kernels, and what they include.
UPSWEEP_INLINE void append_launches(program_source& out, const tuning& t, family kind) {
    for (const family_file& own : family_files)
        if (own.kind == kind) return append_file(out, *own.file);
    if (t.algorithm == tile_algorithm::sub_group) {
        append_file(out, kind == family::reduce ? kernels::reduce_lanes : kernels::scan_look_back_lanes);
    } else if (keeps_runs(t)) {
        append_file(out, kernels::scan_look_back_kept);
    } else if (kind == family::chunked && !t.canonical) {
        append_file(out, kernels::chunked);
    } else if (kind == family::look_back && !t.canonical) {
        append_file(out, kernels::scan_look_back);
    } else {
        if (kind != family::reduce && !t.canonical) append_file(out, kernels::tile_scan);
        append_file(out, kernels::reduce);
        if (kind != family::reduce) append_file(out, kernels::scan_multi_pass);
    }
}

/// What kernels pass on to an operator with parameters (operands_type). Those that come back to results do not have it,
/// and are not launched for one.
UPSWEEP_INLINE passed_variable operands_of_kernels() {
    return {"upsweep_operands",
            "upsweep_given",
            "UPSWEEP_OPERANDS",
            "{0}",
            {"UPSWEEP_INPUT_PARAMETERS", "UPSWEEP_ONE_LAUNCH_PARAMETERS"}};
}

/// The whole text of one program. Pure.
UPSWEEP_INLINE std::string build_source(const program_text& text, const tuning& t, family kind, bool wide_index) {
    program_source out;
    append_head(out, text, t, kind, wide_index);
    out.text.append(scan_kind_text(text.scan));
    if (text.is_aligned) append_define(out.text, "UPSWEEP_ALIGNED", 1);
    append_hooks(out, text.hooks);
    if (has_choices(t, kind)) append_choices(out, t, kind);
    append_launches(out, t, kind);
    return text.op.operands.empty() ? out.text : pass_variable(out.text, operands_of_kernels());
}

} // namespace upsweep::detail
