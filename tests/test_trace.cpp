// SPDX-License-Identifier: MIT
// What the kernels do in every step, against tables written by hand from the textbooks, for 8 elements.
#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/source/source.hpp>

#include "../examples/trace_svg.hpp"
#include "catch.hpp"
#include "internals.hpp"

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace {

const std::vector<std::int32_t> eight{3, 1, 7, 0, 4, 1, 6, 3};

struct expected_step {
    const char* name;
    const char* symbols;
};

struct table {
    trace::algorithm algorithm;
    std::size_t operations;
    std::vector<expected_step> steps;
};

// Blelloch 1990, figures of the up-sweep and the down-sweep. The root that is cleared holds nothing instead of an
// identity; a block's first prefix is empty, so the first operation of every down-sweep step falls away.
const table blelloch{trace::algorithm::blelloch,
                     7 + 4,
                     {{"loaded", "a0 a1 a2 a3 a4 a5 a6 a7"},
                      {"up-sweep 1", "a0 a0+a1 a2 a2+a3 a4 a4+a5 a6 a6+a7"},
                      {"up-sweep 2", "a0 a0+a1 a2 a0..a3 a4 a4+a5 a6 a4..a7"},
                      {"up-sweep 3", "a0 a0+a1 a2 a0..a3 a4 a4+a5 a6 a0..a7"},
                      {"root cleared", "a0 a0+a1 a2 a0..a3 a4 a4+a5 a6 -"},
                      {"down-sweep 1", "a0 a0+a1 a2 - a4 a4+a5 a6 a0..a3"},
                      {"down-sweep 2", "a0 - a2 a0+a1 a4 a0..a3 a6 a0..a5"},
                      {"down-sweep 3", "- a0 a0+a1 a0..a2 a0..a3 a0..a4 a0..a5 a0..a6"}}};

// Hillis and Steele 1986: in step k, slot i becomes the sum of the 2^k inputs that end at i.
const table hillis_steele{trace::algorithm::hillis_steele,
                          7 + 6 + 4,
                          {{"loaded", "a0 a1 a2 a3 a4 a5 a6 a7"},
                           {"step 1", "a0 a0+a1 a1+a2 a2+a3 a3+a4 a4+a5 a5+a6 a6+a7"},
                           {"step 2", "a0 a0+a1 a0..a2 a0..a3 a1..a4 a2..a5 a3..a6 a4..a7"},
                           {"step 3", "a0 a0+a1 a0..a2 a0..a3 a0..a4 a0..a5 a0..a6 a0..a7"}}};

// Brent and Kung 1982: the same reduction, then the finished prefixes fill the gaps.
const table brent_kung{trace::algorithm::brent_kung,
                       7 + 4,
                       {{"loaded", "a0 a1 a2 a3 a4 a5 a6 a7"},
                        {"reduce 1", "a0 a0+a1 a2 a2+a3 a4 a4+a5 a6 a6+a7"},
                        {"reduce 2", "a0 a0+a1 a2 a0..a3 a4 a4+a5 a6 a4..a7"},
                        {"reduce 3", "a0 a0+a1 a2 a0..a3 a4 a4+a5 a6 a0..a7"},
                        {"distribute 1", "a0 a0+a1 a2 a0..a3 a4 a0..a5 a6 a0..a7"},
                        {"distribute 2", "a0 a0+a1 a0..a2 a0..a3 a0..a4 a0..a5 a0..a6 a0..a7"}}};

// Harris 2007, first two kernels: the same additions, by different work-items.
const std::vector<expected_step> neighbours{{"loaded", "a0 a1 a2 a3 a4 a5 a6 a7"},
                                            {"step 1", "a0+a1 a1 a2+a3 a3 a4+a5 a5 a6+a7 a7"},
                                            {"step 2", "a0..a3 a1 a2+a3 a3 a4..a7 a5 a6+a7 a7"},
                                            {"step 3", "a0..a7 a1 a2+a3 a3 a4..a7 a5 a6+a7 a7"}};
const table interleaved{trace::algorithm::interleaved, 7, neighbours};
const table compacted{trace::algorithm::compacted, 7, neighbours};

// The third kernel: slot i adds slot i + 4, i + 2, i + 1. Loaded in bit-reversed order (0 4 2 6 1 5 3 7), so that those
// two are neighbours in the input.
const table sequential{trace::algorithm::sequential,
                       7,
                       {{"loaded", "a0 a4 a2 a6 a1 a5 a3 a7"},
                        {"step 1", "a0+a1 a4+a5 a2+a3 a6+a7 a1 a5 a3 a7"},
                        {"step 2", "a0..a3 a4..a7 a2+a3 a6+a7 a1 a5 a3 a7"},
                        {"step 3", "a0..a7 a4..a7 a2+a3 a6+a7 a1 a5 a3 a7"}}};

trace::recording trace_of(trace::algorithm a, const std::vector<std::int32_t>& input) {
    const cl::CommandQueue queue = upsweep::default_queue();
    return trace::run(queue, a, input);
}

/// Every slot's number is the sum of the inputs that its formula names.
void check_numbers(const trace::recording& r) {
    for (const trace::step& s : r.steps) {
        for (const trace::slot& x : s.slots) {
            if (x.first < 0) continue;
            std::int32_t sum = 0;
            for (std::int32_t i = x.first; i <= x.last; ++i) sum += r.input[static_cast<std::size_t>(i)];
            CHECK(x.value == sum);
        }
    }
}

/// Every algorithm on n numbers.
void check_count(std::size_t n) {
    std::vector<std::int32_t> input;
    for (std::size_t i = 0; i < n; ++i) input.push_back(static_cast<std::int32_t>(10 * i) - 35);
    for (const trace::algorithm a : trace::all_algorithms) {
        INFO(trace::to_string(a) << ", n = " << n);
        const trace::recording r = trace_of(a, input);
        CHECK(trace::is_correct(r));
        check_numbers(r);
        for (const trace::step& s : r.steps) CHECK(trace::symbols(s).find('?') == std::string::npos);
    }
}

std::string line_of(const std::string& text, const std::string& begin) {
    const std::size_t at = text.find("  " + begin);
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

} // namespace

TEST_CASE("every tile algorithm takes the steps of its textbook", "[unit][oclgrind]") {
    for (const table& t : {blelloch, hillis_steele, brent_kung, interleaved, compacted, sequential}) {
        INFO(trace::to_string(t.algorithm));
        const trace::recording r = trace_of(t.algorithm, eight);
        REQUIRE(r.steps.size() == t.steps.size());
        for (std::size_t i = 0; i < t.steps.size(); ++i) {
            CHECK(r.steps[i].name == t.steps[i].name);
            CHECK(trace::symbols(r.steps[i]) == t.steps[i].symbols);
        }
        check_numbers(r);
        CHECK(trace::is_correct(r));
        CHECK(trace::count_operations(r) == t.operations);
    }
}

TEST_CASE("what the kernels return to the work-items", "[unit]") {
    const std::vector<std::int32_t> sums{0, 3, 4, 11, 11, 15, 16, 22};
    for (const trace::algorithm a : trace::all_algorithms) {
        INFO(trace::to_string(a));
        const trace::recording r = trace_of(a, eight);
        CHECK(r.total == trace::slot{25, 0, 7});
        REQUIRE(r.prefixes.size() == (trace::is_scan(a) ? 8 : 0));
        for (std::size_t i = 1; i < r.prefixes.size(); ++i)
            CHECK(r.prefixes[i] == trace::slot{sums[i], 0, static_cast<std::int32_t>(i) - 1});
    }
}

TEST_CASE("counts that are no power of two: nothing that is missing is ever an operand", "[unit][oclgrind]") {
    for (const std::size_t n : {1, 2, 5, 6, 7, 13, 17, 64}) check_count(n);
}

// Apart, because Oclgrind 21.10 lacks the reversal of two bits that clang makes of the tree for four work-items.
TEST_CASE("three numbers: nothing that is missing is ever an operand", "[unit]") {
    check_count(3);
}

TEST_CASE("operands that are no neighbours would be seen", "[unit]") {
    trace::recording r = trace_of(trace::algorithm::hillis_steele, eight);
    CHECK(trace::symbol({0, trace::out_of_order, trace::out_of_order}) == "?");
    r.prefixes[3].last = 1;
    CHECK_FALSE(trace::is_correct(r));
}

TEST_CASE("a trace prints what each step changed", "[unit]") {
    std::ostringstream out;
    trace::print(out, trace_of(trace::algorithm::blelloch, eight));
    const std::string text = out.str();
    CHECK(line_of(text, "up-sweep 3") ==
          "  up-sweep 3        a0    a0+a1       a2   a0..a3       a4    a4+a5       a6  [a0..a7]");
    const std::string numbers = text.substr(text.find("\n\n  loaded         3"));
    CHECK(line_of(numbers, "down-sweep 2") == "  down-sweep 2   3   [-]   7   [4]   4  [11]   6  [16]");
    CHECK(line_of(text, "total") == "  total: 25 = a0..a7");
}

TEST_CASE("the tree of a trace joins operands to results", "[unit]") {
    const trace::recording r = trace_of(trace::algorithm::blelloch, eight);
    // Down-sweep 2 on the right: the prefix a0..a3 moves from slot 7 to 5, and slot 7 becomes a0..a3 + a4+a5.
    std::size_t found = 0;
    for (const trace::edge& e : trace::edges(r.steps[5], r.steps[6])) {
        if (e.to == 5) found += e.from == 7 && e.what == trace::edge::kind::copied ? 1 : 100;
        if (e.to == 7 && e.what == trace::edge::kind::left_operand) found += e.from == 7 ? 10 : 100;
        if (e.to == 7 && e.what == trace::edge::kind::right_operand) found += e.from == 5 ? 20 : 100;
    }
    CHECK(found == 31);
    const std::string picture = trace::svg(r);
    CHECK(picture.find("<svg ") == 0);
    CHECK(picture.rfind("</svg>\n") == picture.size() - 7);
    CHECK(picture.find(">a0..a6</text>") != std::string::npos);
}

TEST_CASE("a trace of nothing, or of more than one work-group, is refused", "[unit]") {
    CHECK_THROWS_AS(trace_of(trace::algorithm::blelloch, {}), upsweep::error);
    CHECK_THROWS_AS(trace_of(trace::algorithm::blelloch, std::vector<std::int32_t>(100000)), upsweep::error);
}
