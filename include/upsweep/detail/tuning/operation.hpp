// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>
#include <upsweep/tuning.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// The members of the family. Each has a record below, and one of its launches (plan.hpp).
enum class operation { scan, reduce };

enum class result_count { one, per_element };

/// The kernel families; each is one program.
enum class family {
    multi_pass,
    chunked,
    chunks_once, ///< reductions by `chunked` in one launch
    look_back,
    reduce,
    fold,             ///< of no call's own: combines a few values (group/fold.hpp)
    marks,            ///< likewise: marks where segments by offsets end (run/mark_ends.hpp)
    rows,             ///< likewise: reduces rows (segments/reduce_rows.hpp)
    small_segments,   ///< likewise: reduces segments by offsets in one launch (segments/reduce_small.hpp)
    parted_segments,  ///< likewise, in parts (segments/reduce_in_parts.hpp)
    merged,           ///< likewise: reduces segments by offsets (segments/reduce_merged.hpp)
    segments,         ///< likewise (segments/reduce_segments.hpp)
    each,             ///< likewise, each by one work-item (segments/reduce_each.hpp)
    columns,          ///< scans of columns (columns/columns.hpp)
    reduced_columns,  ///< reductions of columns (likewise)
    columns_look_back ///< scans of columns in one launch (columns/columns_look_back.hpp)
};

/// The kernels of `rows`.
constexpr const char* rows_kernel = "upsweep_reduce_rows";
constexpr const char* narrow_rows_kernel = "upsweep_reduce_narrow_rows";

/// That of `small_segments`.
constexpr const char* small_segments_kernel = "upsweep_reduce_small";

/// The kernel of `parted_segments` that sums parts.
constexpr const char* segment_parts_kernel = "upsweep_sum_segment_parts";

/// The kernel of `merged` that reduces.
constexpr const char* merged_kernel = "upsweep_reduce_merged";

/// That of `segments`.
constexpr const char* segments_kernel = "upsweep_sum_tiles_of_segments";

/// The kernel of such a family that reads all elements; null: the family has other kernels.
constexpr const char* kernel_that_reads_all(family kind) {
    return kind == family::rows              ? rows_kernel
           : kind == family::small_segments  ? small_segments_kernel
           : kind == family::parted_segments ? segment_parts_kernel
           : kind == family::merged          ? merged_kernel
           : kind == family::segments        ? segments_kernel
                                             : nullptr;
}

/// What the stages need to know of an operation.
struct operation_record {
    operation op = operation::scan;
    const char* name = "";   ///< in tuning files
    const char* noun = "";   ///< in sentences
    const char* output = ""; ///< what errors call the argument that results are written to
    result_count results = result_count::per_element;
    bool looks_back = false;      ///< has kernels for strategy `look_back`; else those of `reduce_then_scan` run
    bool reduces_by_tree = false; ///< tiles are reduced as options::reduction says, not scanned as options::algorithm
    bool may_leave_order = false; ///< options::reproducible decides whether a CPU keeps to the canonical order
    strategy in_sub_groups = strategy::look_back; ///< of tile algorithm `sub_group`
    family in_tiles = family::multi_pass;         ///< of the strategies that have no family of their own
};

constexpr operation_record record_of_scan() {
    operation_record r;
    r.op = operation::scan;
    r.name = r.noun = "scan";
    r.output = "output";
    r.results = result_count::per_element;
    r.looks_back = true;
    r.may_leave_order = true;
    r.in_sub_groups = strategy::look_back;
    r.in_tiles = family::multi_pass;
    return r;
}

constexpr operation_record record_of_reduction() {
    operation_record r;
    r.op = operation::reduce;
    r.name = "reduce";
    r.noun = "reduction";
    r.output = "result";
    r.results = result_count::one;
    r.reduces_by_tree = true;
    r.in_sub_groups = strategy::reduce_then_scan;
    r.in_tiles = family::reduce;
    return r;
}

inline constexpr operation_record operation_records[] = {record_of_scan(), record_of_reduction()};

constexpr const operation_record& record_of(operation op) {
    const operation_record* record = operation_records;
    while (record->op != op) ++record;
    return *record;
}

UPSWEEP_INLINE const char* to_string(operation op) {
    return record_of(op).name;
}

/// The strategy whose kernels run where a caller asks for `s`.
constexpr strategy strategy_for(operation op, strategy s) {
    return s == strategy::look_back && !record_of(op).looks_back ? strategy::reduce_then_scan : s;
}

/// Whether a run with this tuning is one launch, or several whose work-groups share a state (pass_role::whole_run).
UPSWEEP_INLINE bool shares_state(const tuning& t, operation op) {
    return t.algorithm == tile_algorithm::sub_group || t.one_launch ||
           strategy_for(op, t.strategy) == strategy::look_back;
}

/// Results for n elements.
constexpr std::uint64_t results_of(operation op, std::uint64_t n) {
    return record_of(op).results == result_count::one ? 1 : n;
}

/// What sub-groups do by tiles of segments (sub_group_tile/segment_tiles.cl), if sizes allow.
enum class segment_tiles {
    none,
    inclusive,
    exclusive,
    sums,         ///< a result for each segment
    counted_sums, ///< likewise, of segments that have to be counted
    keyed_sums    ///< likewise, and the key of each
};

/// Such tiles have at most so many elements per work-item.
constexpr std::uint32_t most_segment_items = 64;

struct problem_size {
    operation op = operation::scan;
    std::uint64_t n = 0;
    std::size_t value_size = 4;
    bool exact_operator = true;   ///< the library's own on integers: exact in any order, so left to right is as good
    std::size_t element_size = 0; ///< of the input; 0: as the values
    bool stores_once = false;     ///< only a strategy that does will do
    bool costly_operator = false; ///< takes longer than reading its operands
    bool long_operator = false;   ///< its text is long (operator_cost.hpp)
    bool is_counted = false;      ///< n is read on the device, and at most this one
    bool lists_marks = false;     ///< a scan whose kernels may list what is marked (sub_group_tile/mark_tiles.cl)
    bool counts_marks = false;    ///< likewise, behind a launch that counts them
    std::size_t listed_size = 0;  ///< bytes of an element that is listed in place of its place, or 0
    bool is_computed = false;     ///< elements are not read as they are
    std::size_t read_size = 0;    ///< bytes that such an element is made of; 0: not known
    bool has_operands = false;    ///< the operator has parameters, which reach kernels with the input
    segment_tiles segments = segment_tiles::none;
    std::size_t segment_size = 0; ///< of tiles of segments, bytes of a value without its mark
    bool reads_row = false;       ///< such tiles wait for no other
};

/// Whether a strategy stores each result of an exclusive scan with an initial value once, with its final value.
/// (Inclusive scans of work-items on their own store what ends a run twice, and without an initial value the first
/// result is none.)
constexpr bool stores_once(strategy s) {
    return s != strategy::scan_then_propagate;
}

/// Whether all launches of a strategy are given the input, and with it a number of elements that is read on the device
/// and parameters of the operator.
constexpr bool has_input(strategy s) {
    return stores_once(s); // launches that come back to results do not have the input
}

/// Whether a run with this tuning combines in the canonical order (reference.hpp), whatever n is. The one place that
/// knows: sub-groups do, with any tuning; so do tiles that are planned for it, and work-items on their own that
/// combine runs of elements as trees, in `look_back` scans and in chunks. Other tiles and strategies do not.
UPSWEEP_INLINE bool keeps_canonical_order(const tuning& t, operation op) {
    if (t.algorithm == tile_algorithm::sub_group || t.canonical) return true;
    if (t.work_items != 1 || t.tree_run == 1) return false;
    return t.strategy == strategy::chunked || (t.strategy == strategy::look_back && record_of(op).looks_back);
}

/// Whether a run has one chunk, whatever n is.
constexpr bool is_one_chunk(const tuning& t) {
    return t.strategy == strategy::chunked && t.work_groups == 1;
}

/// Whether work-items of tiles that look back keep their runs between up-sweep and down-sweep (kept_runs.cl).
UPSWEEP_INLINE bool keeps_runs(const tuning& t) {
    return t.canonical && t.strategy == strategy::look_back && t.algorithm != tile_algorithm::sub_group;
}

/// A tuning as the programs of a family are compiled for it. Work-items on their own that look back learn the size of
/// their tiles at the launch.
UPSWEEP_INLINE tuning compiled_tuning(tuning t, family kind) {
    if (kind == family::look_back && t.work_items == 1 && !keeps_runs(t)) t.items = 1;
    return t;
}

} // namespace upsweep::detail
