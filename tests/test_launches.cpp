// SPDX-License-Identifier: MIT
// The numbers of launches in the documentation of scan.hpp and reduce.hpp are those that are planned.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace upsweep::detail;
using upsweep::strategy;
using upsweep::tuning;

namespace {

/// The launches for one element less than a tile, tile^2 and tile^3, each number once: "1, 3, 5".
std::string launches(operation op, const tuning& t) {
    std::string text;
    std::size_t last = 0;
    std::uint64_t n = 1;
    for (int levels = 1; levels <= 3; ++levels) {
        n *= t.tile();
        const std::size_t count = upsweep::detail::plan_passes(op, n - 1, t, 4).passes.size();
        if (count != last) text += (text.empty() ? "" : ", ") + std::to_string(count);
        last = count;
        if (t.strategy == strategy::single_tile) break;
    }
    return text;
}

tuning tiles_of(strategy s, std::uint32_t work_items, std::uint32_t items) {
    tuning t;
    t.strategy = s;
    t.work_items = work_items;
    t.items = items;
    t.work_groups = 8;
    return t;
}

/// Whether a header documents these launches: a line with the name, a colon and the numbers, then its end or more.
bool documents(const std::string& header, const std::string& name, const std::string& numbers) {
    std::istringstream lines(header);
    const std::string wanted = "///     " + name + ": " + numbers;
    for (std::string line; std::getline(lines, line);)
        if (line == wanted || line.compare(0, wanted.size() + 1, wanted + ';') == 0) return true;
    return false;
}

std::string text_of(const std::string& header) {
    std::ifstream file(UPSWEEP_INCLUDE_DIR "/upsweep/" + header);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace

TEST_CASE("the documented launches of a scan are those that are planned", "[unit]") {
    const std::string header = text_of("scan.hpp");
    if (header.empty()) return test::skip("the headers are not where they were");
    for (const strategy s : {strategy::single_tile, strategy::look_back, strategy::chunked, strategy::reduce_then_scan,
                             strategy::scan_then_propagate}) {
        const std::string numbers = launches(operation::scan, tiles_of(s, 64, 64));
        CAPTURE(upsweep::to_string(s), numbers);
        CHECK(documents(header, upsweep::to_string(s), numbers));
    }
}

TEST_CASE("the documented launches of a reduction are those that are planned", "[unit]") {
    const std::string header = text_of("reduce.hpp");
    if (header.empty()) return test::skip("the headers are not where they were");
    tuning t = tiles_of(strategy::reduce_then_scan, 64, 64);
    CHECK(documents(header, "in tiles", launches(operation::reduce, t)));
    t.canonical = true;
    CHECK(documents(header, "in tiles, canonical order, at most", launches(operation::reduce, t)));
    for (const std::uint32_t tree_run : {1U, 64U}) { // chunks and parts
        t = tiles_of(strategy::chunked, 1, 4096);
        t.tree_run = tree_run;
        CHECK(documents(header, "chunked", launches(operation::reduce, t)));
        t.one_launch = true;
        CHECK(documents(header, "chunked, values up to 1 KiB, by single work-items on a CPU with 64-bit atomics",
                        launches(operation::reduce, t)));
    }
    CHECK(documents(header, "chunked", launches(operation::reduce, tiles_of(strategy::chunked, 64, 64))));
    t = tiles_of(strategy::reduce_then_scan, 256, 16);
    t.algorithm = upsweep::tile_algorithm::sub_group;
    t.run_packs = 4;
    t.pack = 4;
    CHECK(documents(header, "in sub-groups", launches(operation::reduce, t)));
}
