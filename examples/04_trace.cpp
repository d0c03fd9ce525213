// SPDX-License-Identifier: MIT
// Watches the library's own kernels at work: prints the local array after every step, as the textbooks draw it.
//
//   04_trace                                   every algorithm on 8 numbers, and the plan of a scan of several tiles
//   04_trace <algorithm> [<count> [<file>]]    one algorithm on <count> numbers; the tree goes to <file> as SVG
//   04_trace plan                              the plan alone
//
// Algorithms: blelloch, hillis_steele, brent_kung (scans); interleaved, compacted, sequential (reductions).
#include "trace_svg.hpp"
#include "trace_text.hpp"

#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr const char* usage = "usage: 04_trace [plan | <algorithm> [<count> [<file.svg>]]]";

/// 3 1 7 0 4 1 6 3, over and over.
std::vector<std::int32_t> some_numbers(std::size_t count) {
    constexpr std::array<std::int32_t, 8> pattern{3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<std::int32_t> numbers;
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(pattern[i % pattern.size()]);
    return numbers;
}

trace::algorithm algorithm_named(const std::string& name) {
    for (trace::algorithm a : trace::all_algorithms)
        if (name == trace::to_string(a)) return a;
    throw std::invalid_argument("no algorithm is called " + name + "; " + usage);
}

std::size_t count_from(const std::string& text) {
    if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos)
        throw std::invalid_argument("not a count: " + text + "; " + usage);
    return std::stoul(text);
}

/// Traces one algorithm and prints it; returns whether its result is right.
bool show(const cl::CommandQueue& queue, trace::algorithm what, std::size_t count, const std::string& file) {
    const trace::recording recorded = trace::run(queue, what, some_numbers(count));
    trace::print(std::cout, recorded);
    const bool correct = trace::is_correct(recorded);
    std::cout << "  operations: " << trace::count_operations(recorded) << ", correct: " << (correct ? "yes" : "no")
              << "\n\n";
    if (!file.empty()) {
        std::ofstream out(file);
        out << trace::svg(recorded);
        if (!out.flush()) throw std::runtime_error("cannot write " + file);
        std::cout << "  the tree is drawn in " << file << '\n';
    }
    return correct;
}

/// What a scan of 128 numbers launches, with tiles small enough to need two of them.
void show_plan(const cl::CommandQueue& queue) {
    upsweep::options small;
    small.work_items = 4;
    small.items = 16;
    for (upsweep::strategy s : {upsweep::strategy::reduce_then_scan, upsweep::strategy::scan_then_propagate}) {
        small.strategy = s;
        const upsweep::scan_plan<int> plan(queue, 128, upsweep::plus{}, small);
        std::cout << plan.launches() << '\n';
    }
}

} // namespace

int main(int argc, char** argv) try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() > 3) throw std::invalid_argument(usage);
    const cl::CommandQueue queue = upsweep::default_queue();
    bool correct = true;
    if (words.empty()) {
        for (trace::algorithm a : trace::all_algorithms) correct = show(queue, a, 8, "") && correct;
    } else if (words[0] != "plan") {
        correct = show(queue, algorithm_named(words[0]), words.size() > 1 ? count_from(words[1]) : 8,
                       words.size() > 2 ? words[2] : "");
    }
    if (words.empty() || words[0] == "plan") show_plan(queue);
    return correct ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
