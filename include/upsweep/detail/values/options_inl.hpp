// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/print.hpp>
#include <upsweep/options.hpp>

#include <iosfwd>

namespace upsweep {

// Other headers include this one for what is inline here; the rest they have from the library.
#if !defined(UPSWEEP_COMPILED) || defined(UPSWEEP_COMPILED_HERE)
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::ostream& operator<<(std::ostream& out, tile_algorithm a) {
    return detail::print(out, to_string(a));
}
UPSWEEP_DEFINED std::ostream& operator<<(std::ostream& out, tree_reduce r) {
    return detail::print(out, to_string(r));
}
UPSWEEP_DEFINED std::ostream& operator<<(std::ostream& out, strategy s) {
    return detail::print(out, to_string(s));
}

} // namespace UPSWEEP_VERSION_NAMESPACE
#endif

namespace detail {

/// Calls visit(name, pointer to member) for every choice that can stand in a tuning file: what kernels run.
template <class Visit>
void for_each_choice(Visit&& visit) {
    visit("strategy", &options::strategy);
    visit("algorithm", &options::algorithm);
    visit("reduction", &options::reduction);
    visit("loading", &options::loading);
    visit("work_items", &options::work_items);
    visit("items", &options::items);
    visit("work_groups", &options::work_groups);
    visit("run_packs", &options::run_packs);
    visit("registers", &options::registers);
    visit("bank_padding", &options::bank_padding);
}

} // namespace detail

#if !defined(UPSWEEP_COMPILED) || defined(UPSWEEP_COMPILED_HERE)
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED bool operator==(const options& a, const options& b) {
    bool equal = a.reproducible == b.reproducible && a.device_memory == b.device_memory && !a.progress == !b.progress &&
                 a.build_options == b.build_options;
    detail::for_each_choice([&](const char*, auto member) { equal = equal && a.*member == b.*member; });
    return equal;
}
UPSWEEP_DEFINED bool operator!=(const options& a, const options& b) {
    return !(a == b);
}

} // namespace UPSWEEP_VERSION_NAMESPACE
#endif
} // namespace upsweep
