#pragma once

// A row is one line of a benchmark's output: operation/library/variant/type/n:count. Every row is checked before it is
// timed. No OpenCL in here: the CUDA programs use it too.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// One call of one library on arrays that are in place.
struct prepared_call {
    std::function<void()> poison;       ///< fills the output with `poison_byte`
    std::function<void()> run;          ///< one call, waited for
    std::function<std::string()> check; ///< "" when the output is right
    std::function<double()> seconds;    ///< one measurement: seconds per call
};

/// The clock, the same for every device library: below this many elements the host's, over `calls_per_sample` calls
/// enqueued and one wait; from there on the device's own time stamps around one call.
constexpr std::uint64_t device_clock_from = std::uint64_t{1} << 27;
constexpr int calls_per_sample = 20;

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
        if (bytes > 0)
            state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
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

/// The exponents of the problem sizes: 10 up to UPSWEEP_BENCH_MAX_LOG2, or else `usual`, as far as two arrays of such
/// elements fit in `bytes`.
inline std::vector<unsigned> size_exponents(unsigned usual, std::uint64_t element_size, std::uint64_t bytes) {
    const char* wish = std::getenv("UPSWEEP_BENCH_MAX_LOG2");
    const auto most = wish ? static_cast<unsigned>(std::strtoul(wish, nullptr, 10)) : usual;
    std::vector<unsigned> exponents;
    for (unsigned e = 10; e <= most && e < 40; ++e)
        if ((element_size << e) <= bytes / 2) exponents.push_back(e);
    return exponents;
}

inline int run_rows(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

} // namespace bench
