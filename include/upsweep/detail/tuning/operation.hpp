#pragma once

#include <upsweep/options.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::detail {

/// The members of the family. Each has a record below, and one of its launches (plan.hpp).
enum class operation { scan, reduce };

enum class result_count { one, per_element };

/// What the stages need to know of an operation.
struct operation_record {
    operation op;
    const char* name; ///< in tuning files
    const char* noun; ///< in sentences
    result_count results;
    bool looks_back;        ///< there are kernels for strategy `look_back`; else those of `reduce_then_scan` run
    bool reduces_by_tree;   ///< a tile is reduced as options::reduction says; else scanned, as options::algorithm does
    bool may_leave_order;   ///< options::reproducible decides whether a CPU keeps to the canonical order
    strategy in_sub_groups; ///< the strategy of tile algorithm `sub_group`
};

constexpr operation_record operation_records[] = {
    {operation::scan, "scan", "scan", result_count::per_element, true, false, true, strategy::look_back},
    {operation::reduce, "reduce", "reduction", result_count::one, false, true, false, strategy::reduce_then_scan},
};

constexpr const operation_record& record_of(operation op) {
    const operation_record* record = operation_records;
    while (record->op != op) ++record;
    return *record;
}

inline const char* to_string(operation op) {
    return record_of(op).name;
}

/// The strategy whose kernels run where a caller asks for `s`.
constexpr strategy strategy_for(operation op, strategy s) {
    return s == strategy::look_back && !record_of(op).looks_back ? strategy::reduce_then_scan : s;
}

struct problem_size {
    operation op = operation::scan;
    std::uint64_t n = 0;
    std::size_t value_size = 4;
    bool exact_operator = true;   ///< the library's own on integers: exact in any order, so left to right is as good
    std::size_t element_size = 0; ///< of the input; 0: as the values
};

} // namespace upsweep::detail
