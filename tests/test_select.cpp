// SPDX-License-Identifier: MIT
// Selections against the host: every call, every edge.
#include "families.hpp"
#include "selections.hpp"

#include <cstdint>

TEST_CASE("selections of every type class are those of the host, around every edge", "[select]") {
    test::check_selections_of<std::int32_t>();
    test::run_selections<std::int32_t>({test::check_flags<std::int32_t>, test::check_unique<std::int32_t>}, {});
    test::check_selections_of<std::uint64_t>();
    test::check_selections_of<float>();
    test::check_selections_of<test::keyed_triple>();
    test::run_selections<std::int8_t>({test::check_copy_if<std::int8_t>, test::check_lengths<std::int8_t>}, {});
    test::run_selections<double>({test::check_copy_if<double>, test::check_unique_by_key<double>}, {});
}

// One call: kernels are given an integer for each element, whatever its type.
TEST_CASE("selections are right where work-items share tiles", "[select]") {
    for (const upsweep::options& opts : test::families()) {
        // The others are tested with an output of a text in test_computed_output.cpp.
        const bool is_in_lanes = opts.algorithm == upsweep::tile_algorithm::sub_group;
        if (!is_in_lanes && (opts.work_items != 8 || !upsweep::detail::stores_once(opts.strategy))) continue;
        test::run_selections<std::int32_t>({test::check_copy_if<std::int32_t>}, opts);
        if (!is_in_lanes) continue;
        test::run_selections<test::keyed_triple>(
            {test::check_partition<test::keyed_triple>, test::check_lengths<test::keyed_triple>}, opts);
        // Elements of 8 bytes are listed in local memory, as those of 4 are.
        test::run_selections<std::uint64_t>({test::check_copy_if<std::uint64_t>, test::check_partition<std::uint64_t>,
                                             test::check_unique<std::uint64_t>},
                                            opts);
    }
}

TEST_CASE("selections touch no memory but their own and have no races", "[oclgrind]") {
    for (const upsweep::options& opts : {fixture::small_tiles(upsweep::strategy::reduce_then_scan, 8, 3),
                                         fixture::small_tiles(upsweep::strategy::chunked, 1, 3)})
        for (const std::size_t n : {0, 1, 24, 25, 61}) {
            test::check_copy_if<std::int32_t>(test::marks_of(n, 50), opts);
            test::check_partition<test::keyed_triple>(test::marks_of(n, 50), opts);
            test::check_lengths<test::keyed_triple>(test::marks_of(n, 50), opts);
        }
}
