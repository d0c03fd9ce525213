// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/selection/select_arguments.hpp>
#include <upsweep/detail/selection/select_arrays.hpp>
#include <upsweep/detail/source/store_text.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/operator.hpp>

#include <cstddef>
#include <string>
#include <vector>

// A selection is an exclusive scan of marks from 0: what precedes an element is the place of the next one that is
// chosen. The load hook makes the marks; the store hook finds the element's mark once more and writes the element to
// its place.

namespace upsweep::detail {

/// Combines numbers of runs with where the last of them begins, plus 1, in the upper and the lower half of an integer.
struct counted_runs {
    static constexpr const char* name = "counted_runs";
    static constexpr const char* helpers = "";
    static constexpr operator_traits traits{true, false, false, true}; // commutative, and exact
    static constexpr const char* body =
        "return (((left >> 32) + (right >> 32)) << 32) | max(left & 0xffffffffu, right & 0xffffffffu);";
};
/// The same in a vector, for places that need 64 bits.
struct counted_runs_wide {
    static constexpr const char* name = "counted_runs_wide";
    static constexpr const char* helpers = "";
    static constexpr operator_traits traits{true, false, false, true}; // commutative, and exact
    static constexpr const char* body = "return (ulong2)(left.x + right.x, max(left.y, right.y));";
};

/// The type that a selection scans.
UPSWEEP_INLINE type_text scanned_type(selection what, bool wide) {
    if (what == selection::run_length_encode) return wide ? type_text{"ulong2", "", 16} : type_text{"ulong", "", 8};
    return wide ? type_text{"ulong", "", 8} : type_text{"uint", "", 4};
}

/// The input of the scan: the marks or, for lengths of runs, what counts runs.
UPSWEEP_INLINE computed_input scanned_marks(selection what, const selection_arguments& a) {
    computed_input in = a.marks;
    in.is_prefetched = true;
    const type_text scanned = scanned_type(what, a.wide);
    if (what != selection::run_length_encode) {
        in.stages.back().result = scanned;
        return in;
    }
    const char* counted =
        a.wide ? "a ? (ulong2)(1, i + 1) : (ulong2)(0, 0)" : "a ? ((ulong)1 << 32) | (i + 1) : (ulong)0";
    in.stages.back().result = {"uint", "", 4};
    in.stages.push_back({counted, scanned});
    return in;
}

/// The store hook of a selection while it is put together.
template <class Later>
class selection_output {
public:
    UPSWEEP_INLINE selection_output(selection what, const selection_arguments& a)
        : what_(what)
        , a_(a)
        , arrays_(what, a, nullptr)
        , out_(arrays_.out)
        , sources_(arrays_.sources) {
        for (std::size_t k = 0; k < a.columns.size(); ++k) add_column(k);
        const bool is_counted = a.marks.is_counted();
        out_.stores_once = true;
        list_marks();
        out_.reads.push_back({"uint", "upsweep_mark", mark("i")});
        if (is_counted && what != selection::partition) out_.reads.push_back({"ulong", "upsweep_last", last_place});
        if (what == selection::run_length_encode) choose_heads();
        out_.body =
            read_first_ + "const uint upsweep_real = 1;\n" +
            (what == selection::partition ? out_.marks.body
                                          : "if (upsweep_mark) {\n" + out_.marks.body +
                                                "}\nif (i == upsweep_last) {\n" + through_element() + at_end() + "}\n");
    }
    selection_output(const selection_output&) = delete;
    selection_output& operator=(const selection_output&) = delete;

    const computed_output& get() const { return out_; }

private:
    /// Reads element i of each array of a column before anything is stored. Not structs: from one array to another by
    /// way of a variable, compilers copy them with memmove, which Oclgrind lacks.
    UPSWEEP_INLINE void read_elements(const std::vector<std::string>& arrays, const computed_input& in) {
        for (std::size_t k = 0; k < arrays.size(); ++k)
            if (is_scalar(in.parts[k].type))
                out_.reads.push_back({in.parts[k].type.name, arrays[k] + "_at", arrays[k] + "[i]"});
    }

    UPSWEEP_INLINE void add_column(std::size_t k) {
        const computed_input& source = a_.columns[k].source;
        read_elements(sources_[k].arrays, source);
        if (k == 0 && a_.marks_source) return; // the load hook has its functions
        for (const type_text& type : types_of({}, source.stages)) out_.types.push_back(type);
        out_.functions += stage_functions("upsweep_column" + std::to_string(k), source.part_types(), source.stages);
    }

    /// What is stored of marked elements, behind the last one, and of others.
    UPSWEEP_INLINE void list_marks() {
        listed_marks& marks = out_.marks;
        const bool encodes = what_ == selection::run_length_encode;
        marks.is_marked = !encodes ? "(element) != 0" : a_.wide ? "(element).x != 0" : "(element) >> 32 != 0";
        marks.value = !encodes  ? "((upsweep_value)(count))"
                      : a_.wide ? "((ulong2)(count, last))"
                                : "((ulong)(count) << 32 | (last))";
        marks.reads = out_.reads;
        marks.stores_all = what_ == selection::partition;
        list_elements();
        marks.body = what_ == selection::copy_if ? copied() : what_ == selection::partition ? parted() : encoded();
        marks.end = "if (i == (upsweep_index)" + last_element() + ") {\n" + at_end() + "}\n";
    }

    /// Elements of one array that is marked and stored as it is need not be read again. With their places they have up
    /// to 4 bytes: then a tile's take no more local memory than values that are scanned.
    UPSWEEP_INLINE void list_elements() {
        if (a_.columns.size() != 1 || !a_.marks_source || !a_.columns[0].source.stages.empty()) return;
        const type_text& type = a_.columns[0].source.parts[0].type;
        const bool with_places = what_ == selection::run_length_encode;
        const bool are_words = !is_scalar(type);
        const std::string name = are_words ? words_of(type.size) : type.name;
        if (name.empty() || (with_places && (are_words || type.size > 4))) return;
        out_.marks.elements = {name,           type.size == 12 ? std::size_t{16} : type.size,
                               are_words,      transform_name(0),
                               with_places,    "upsweep_kept0",
                               "upsweep_room", what_ == selection::partition ? "upsweep_count" : ""};
    }

    /// Runs begin at few elements, so only these read anything but marks.
    UPSWEEP_INLINE void choose_heads() {
        out_.chosen = mark("i") + " | (i >= " + last_element() + ")";
        for (const hook_read& read : out_.reads)
            read_first_ += "const " + read.type + " " + read.name + " = " + read.text + ";\n";
        out_.reads.clear();
    }

    /// Whether element `at` is marked.
    UPSWEEP_INLINE std::string mark(const std::string& at) const {
        return element_text("upsweep_transform", a_.marks.stages, a_.marks.stages.size(), arrays_.marks.arrays,
                            arrays_.marks.prefix, {at, at});
    }

    /// Writes element i of every column to `place`.
    UPSWEEP_INLINE std::string keep_at(const std::string& place) const {
        std::string text;
        for (std::size_t k = 0; k < a_.columns.size(); ++k) {
            const std::string number = std::to_string(k);
            const bool is_marked = k == 0 && a_.marks_source;
            const std::vector<transform_stage>& stages = a_.columns[k].source.stages;
            std::string value = element_text(is_marked ? "upsweep_transform" : "upsweep_column" + number, stages,
                                             stages.size(), sources_[k].arrays, sources_[k].prefix, {"i", "i"});
            for (std::size_t part = 0; part < sources_[k].arrays.size(); ++part) {
                const std::string& array = sources_[k].arrays[part];
                if (is_scalar(a_.columns[k].source.parts[part].type)) // see read_elements
                    value.replace(value.find(array + "[i]"), array.size() + 3, array + "_at");
            }
            text += "upsweep_kept" + number + "[" + place + "] = " + value + ";\n";
        }
        return text;
    }

    UPSWEEP_INLINE std::string copied() const {
        return "if (upsweep_real & (value < (upsweep_value)upsweep_room)) {\n" + keep_at("value") + "}\n";
    }

    /// The number of chosen elements is known before.
    UPSWEEP_INLINE std::string parted() const {
        return "const ulong upsweep_place = upsweep_mark ? value : *upsweep_count + (i - value);\nif (upsweep_real) "
               "{\n" +
               keep_at("upsweep_place") + "}\n";
    }

    /// Of `value`: how many runs begin before an element, and where the last of them does, plus 1.
    std::string runs() const { return a_.wide ? "value.x" : "(value >> 32)"; }
    std::string begin() const { return a_.wide ? "value.y" : "(value & 0xffffffffu)"; }

    /// The head of a run: it ends the run before.
    UPSWEEP_INLINE std::string encoded() const {
        return "const ulong upsweep_run = " + runs() + ";\nif (upsweep_real & (upsweep_run < upsweep_room)) {\n" +
               keep_at("upsweep_run") +
               "}\nif (upsweep_real & (upsweep_run > 0) & (upsweep_run <= upsweep_room)) upsweep_lengths[upsweep_run - "
               "1] = i + 1 - " +
               begin() + ";\n";
    }

    /// Makes of the sum before element i the sum through it.
    UPSWEEP_INLINE std::string through_element() const {
        if (what_ == selection::copy_if) return "value += upsweep_mark;\n";
        const std::string mark = a_.wide ? "(ulong2)(1, i + 1)" : "(ulong)1 << 32 | (i + 1)";
        return "if (upsweep_mark) value = upsweep_combine(value, " + mark + ");\n";
    }

    /// Behind the last element, i.
    UPSWEEP_INLINE std::string at_end() const {
        if (what_ != selection::run_length_encode) return "*upsweep_count = value;\n";
        return "if (" + runs() + " <= upsweep_room) upsweep_lengths[" + runs() + " - 1] = i + 2 - " + begin() +
               ";\n*upsweep_count = " + runs() + ";\n";
    }

    /// Where the last of as many elements as the device says is.
    static constexpr const char* last_place = "(min(upsweep_most, (ulong)*upsweep_number) - 1)";
    /// Where the last element is, for a hook that has not read it.
    std::string last_element() const { return a_.marks.is_counted() ? last_place : "upsweep_last"; }

    const selection what_;
    const selection_arguments& a_;
    selection_arrays<Later> arrays_;
    computed_output& out_;
    const std::vector<source_names>& sources_;
    std::string read_first_; ///< statements
};

} // namespace upsweep::detail
