// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/print.hpp>
#include <upsweep/tuning.hpp>

#include <iosfwd>

namespace upsweep {

namespace detail {

/// What depends on a field of a tuning.
struct field_use {
    bool decides_program; ///< programs that differ in it are different programs
    const char* macro;    ///< that its value is defined as in a program's text; null: none, or not just its value
};
inline constexpr field_use in_launches{false, nullptr};
inline constexpr field_use in_program{true, nullptr};
constexpr field_use as_macro(const char* name) {
    return {true, name};
}

/// Calls visit(name, pointer to member, field_use) for every field of a tuning. The only list of them: equality,
/// program keys, the macros of a program's text and tests go through it.
template <class Visit>
void for_each_tuning_field(Visit&& visit) {
    visit("strategy", &tuning::strategy, in_launches); // a program's family says what it needs of it
    visit("algorithm", &tuning::algorithm, in_program);
    visit("reduction", &tuning::reduction, in_program);
    visit("work_items", &tuning::work_items, as_macro("UPSWEEP_WORK_ITEMS"));
    visit("items", &tuning::items, as_macro("UPSWEEP_ITEMS"));
    visit("work_groups", &tuning::work_groups, in_launches);
    visit("one_launch", &tuning::one_launch, in_launches); // likewise
    visit("tree_run", &tuning::tree_run, as_macro("UPSWEEP_TREE_RUN"));
    visit("canonical", &tuning::canonical, as_macro("UPSWEEP_CANONICAL"));
    visit("staged", &tuning::staged, as_macro("UPSWEEP_STAGED"));
    visit("bank_padding", &tuning::bank_padding, in_program);
    visit("lanes", &tuning::lanes, in_program);
    visit("pack", &tuning::pack, as_macro("UPSWEEP_PACK"));
    visit("run_packs", &tuning::run_packs, as_macro("UPSWEEP_RUN_PACKS"));
    visit("step_rounds", &tuning::step_rounds, as_macro("UPSWEEP_STEP_ROUNDS"));
    visit("ptx", &tuning::ptx, as_macro("UPSWEEP_PTX"));
    visit("async_copy", &tuning::async_copy, as_macro("UPSWEEP_ASYNC_COPY"));
    visit("struct_words", &tuning::struct_words, as_macro("UPSWEEP_STRUCT_WORDS"));
    visit("registers", &tuning::registers, as_macro("UPSWEEP_REGISTERS"));
    visit("sub_group_size", &tuning::sub_group_size, in_program);
    visit("opencl_c", &tuning::opencl_c, in_program);
    visit("direct_groups", &tuning::direct_groups, as_macro("UPSWEEP_DIRECT_GROUPS"));
    visit("one_tile", &tuning::one_tile, as_macro("UPSWEEP_ONE_TILE"));
    visit("ahead_tiles", &tuning::ahead_tiles, as_macro("UPSWEEP_AHEAD_TILES"));
    visit("pause", &tuning::pause, as_macro("UPSWEEP_PAUSE"));
    visit("max_polls", &tuning::max_polls, in_launches);
}

/// Whether tunings are the same in what decides a program.
UPSWEEP_INLINE bool are_of_one_program(const tuning& a, const tuning& b) {
    bool equal = true;
    for_each_tuning_field([&](const char*, auto member, field_use use) {
        equal = equal && (!use.decides_program || a.*member == b.*member);
    });
    return equal;
}

} // namespace detail

// Other headers include this one for what is inline here; the rest they have from the library.
#if !defined(UPSWEEP_COMPILED) || defined(UPSWEEP_COMPILED_HERE)
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED bool operator==(const tuning& a, const tuning& b) {
    bool equal = true;
    detail::for_each_tuning_field(
        [&](const char*, auto member, detail::field_use) { equal = equal && a.*member == b.*member; });
    return equal;
}
UPSWEEP_DEFINED bool operator!=(const tuning& a, const tuning& b) {
    return !(a == b);
}

UPSWEEP_DEFINED std::ostream& operator<<(std::ostream& out, const tuning& t) {
    return detail::print(out, t.strategy, ", ", t.algorithm, ", tree ", t.reduction, ", ", t.work_items,
                         " work-items x ", t.items, " elements", t.staged ? ", staged" : "",
                         t.bank_padding ? ", padded" : "");
}

} // namespace UPSWEEP_VERSION_NAMESPACE
#endif
} // namespace upsweep
