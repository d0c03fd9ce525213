// SPDX-License-Identifier: MIT
#pragma once

// A row is one line of a benchmark's output: operation/library/variant/type/n:count. Every row is checked before it is
// timed. No OpenCL in here: the CUDA programs use it too.

#include <benchmark/benchmark.h>

#include "prepared_call.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace bench {

inline std::string row_name(const std::string& operation, const std::string& library, const std::string& variant,
                            const std::string& type, std::uint64_t n) {
    return operation + '/' + library + '/' + variant + '/' + type + "/n:" + std::to_string(n);
}

inline void run_row(benchmark::State& state, const std::function<prepared_call()>& prepare, std::uint64_t bytes,
                    bool& checked) {
    try {
        const prepared_call call = prepare();
        if (!checked) {
            call.poison();
            call.run();
            const std::string wrong = call.check();
            if (!wrong.empty()) {
                state.SkipWithError(wrong.c_str());
                return;
            }
            checked = true;
        }
        for (auto _ : state) state.SetIterationTime(call.seconds());
        if (bytes > 0) {
            state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
            state.counters["bytes"] = static_cast<double>(bytes);
        }
    } catch (const std::exception& e) {
        state.SkipWithError(e.what());
    }
}

/// @param bytes  that a perfect implementation moves in one call; 0 where that says nothing
/// @return the benchmark, to set more options on
inline auto* add_row(const std::string& name, std::uint64_t bytes, std::function<prepared_call()> prepare) {
    auto checked = std::make_shared<bool>(false);
    return benchmark::RegisterBenchmark(name.c_str(),
                                        [=](benchmark::State& state) { run_row(state, prepare, bytes, *checked); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

inline int run_rows(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

} // namespace bench
