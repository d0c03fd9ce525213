// SPDX-License-Identifier: MIT
// The self-check of kernels that list what a selection keeps.
#include "families.hpp"
#include "internals.hpp"
#include "support.hpp"

#include <cstddef>
#include <cstdint>

using test::queue;

namespace {

/// Whether what a device is given for these options lists marks, and does so rightly.
void check_listed_marks(const upsweep::options& opts) {
    namespace detail = upsweep::detail;
    using detail::selection;
    const detail::queue_facts facts = detail::inspect_queue("f", queue()());
    const detail::device_limits& limits = detail::limits_of("f", facts.device);
    for (const selection what : {selection::copy_if, selection::partition, selection::run_length_encode})
        for (const bool wide : {false, true}) {
            CAPTURE(static_cast<int>(what), wide);
            const std::size_t size = detail::scan_types(what, wide).value.size;
            detail::problem_size problem{detail::operation::scan, 1000000, size, true, size, true};
            const struct {
                const char* type; ///< of what is listed; empty: places are
                std::size_t size;
                bool are_words;
            } kinds[] = {{"", 0, false},     {"uchar", 1, false}, {"short", 2, false},
                         {"uint", 4, false}, {"float", 4, false}, {"long", 8, false},
                         {"uchar", 1, true}, {"uint2", 8, true},  {"uint4", 16, true}};
            for (const auto& kind : kinds) {
                const bool encodes = what == selection::run_length_encode;
                if ((encodes && kind.size > 4) || (wide && kind.size != 4)) continue; // the former lists places
                problem.listed_size = encodes ? 0 : kind.size;
                detail::marks_form form;
                form.what = what;
                form.wide = wide;
                form.of_neighbours = encodes || kind.are_words;
                form.list(kind.type, kind.size, kind.are_words);
                CAPTURE(form.element.name);
                const upsweep::tuning t = detail::choose_tuning("f", opts, limits, problem);
                CHECK(detail::lists_marks(t));
                const detail::check_time time;
                const detail::check_bench bench("f", facts.context, facts.device, time);
                CHECK(detail::gives_marks_answers(bench, limits, form, t));
            }
        }
}

} // namespace

TEST_CASE("kernels that list marks pass their self-check", "[select]") {
    if (test::has_lanes()) check_listed_marks(test::in_sub_groups());
    upsweep::options opts; // a work-item on its own, as a CPU's do
    opts.work_items = 1;
    check_listed_marks(opts);
}
