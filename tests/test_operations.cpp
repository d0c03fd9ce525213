// SPDX-License-Identifier: MIT
// The records of operations and passes, from which choice, launches, programs and self-checks derive: no device is
// touched.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace upsweep::detail;
using upsweep::launch_plan;
using upsweep::pass;
using upsweep::strategy;
using upsweep::tile_algorithm;
using upsweep::tuning;

namespace {

/// One tuning for each strategy and kind of work-group.
std::vector<tuning> some_tunings(operation op) {
    std::vector<tuning> all;
    for (const strategy s : {strategy::single_tile, strategy::scan_then_propagate, strategy::reduce_then_scan,
                             strategy::look_back, strategy::chunked})
        for (const std::uint32_t tree_run : {1U, 4U})
            for (const bool canonical : {false, true}) {
                tuning t;
                t.strategy = strategy_for(op, s);
                t.canonical = canonical && t.strategy == strategy::reduce_then_scan;
                t.work_items = tree_run == 1 ? 4 : 1;
                t.items = 4;
                t.work_groups = 3;
                t.tree_run = tree_run;
                all.push_back(t);
                t.one_launch = true;
                if (op == operation::reduce && s == strategy::chunked && t.work_items == 1) all.push_back(t);
            }
    tuning lanes;
    lanes.algorithm = tile_algorithm::sub_group;
    lanes.lanes = lanes_backend::khr;
    lanes.strategy = record_of(op).in_sub_groups;
    lanes.work_items = 64;
    lanes.items = 4;
    lanes.work_groups = 3;
    all.push_back(lanes);
    return all;
}

} // namespace

TEST_CASE("every operation has one record of each kind", "[unit]") {
    std::set<operation> ops;
    std::set<std::string> names;
    for (const operation_record& record : operation_records) {
        ops.insert(record.op);
        names.insert(record.name);
        CHECK(&record_of(record.op) == &record);
        CHECK(launches_of(record.op).op == record.op);
        CHECK(static_cast<std::size_t>(record.op) < std::size(operation_records)); // they number verdicts
    }
    CHECK(ops.size() == std::size(operation_records));
    CHECK(names.size() == std::size(operation_records));
}

TEST_CASE("every pass has a record and a kernel of its own", "[unit]") {
    std::set<pass::kind> kinds;
    std::set<std::string> kernels;
    for (const pass_record& record : pass_records) {
        kinds.insert(record.what);
        kernels.insert(record.kernel);
    }
    CHECK(kinds.size() == std::size(pass_records));
    CHECK(kernels.size() == std::size(pass_records));
}

TEST_CASE("the kernels of a plan are in its program", "[unit]") {
    program_text text;
    text.element = text.value = {"float", "", 4};
    text.op.body = upsweep::plus::body;
    std::set<pass::kind> seen;
    for (const operation_record& record : operation_records)
        for (const tuning& t : some_tunings(record.op)) {
            const std::string source = build_source(text, t, family_of(record.op, t), false);
            for (const std::uint64_t n : {1U, 100U, 5000U, 1000003U}) {
                if (t.strategy == strategy::single_tile && n > t.tile()) continue;
                launch_plan s = plan_passes(record.op, n, t, 4);
                if (looks_back_in_sub_groups(t)) plan_count_of_marks(s, 4);
                for (const pass& p : s.passes) {
                    CAPTURE(record.name, n, t);
                    seen.insert(p.what);
                    CHECK_THAT(source, Catch::Matchers::ContainsSubstring("UPSWEEP_KERNEL " +
                                                                          std::string(record_of(p.what).kernel) + '('));
                }
            }
        }
    CHECK(seen.size() == std::size(pass_records));
}

TEST_CASE("one result comes even from nothing, and results of elements do not", "[unit]") {
    for (const operation_record& record : operation_records)
        for (const tuning& t : some_tunings(record.op))
            CHECK(plan_passes(record.op, 0, t, 4).passes.empty() == (record.results == result_count::per_element));
}
