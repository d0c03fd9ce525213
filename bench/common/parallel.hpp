// SPDX-License-Identifier: MIT
#pragma once

// The host's threads, for what is not measured: making inputs and checking results.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace bench {

struct index_range {
    std::uint64_t begin;
    std::uint64_t end;
};

/// [begin, end) as consecutive ranges, one per thread of the host, or fewer where threads would not pay; never none.
inline std::vector<index_range> split_for_threads(std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t least = 1 << 14;
    const std::uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
    const std::uint64_t share = std::max(least, (end - begin + threads - 1) / threads);
    std::vector<index_range> ranges{{begin, std::min(end, begin + share)}};
    while (ranges.back().end < end) ranges.push_back({ranges.back().end, std::min(end, ranges.back().end + share)});
    return ranges;
}

/// Calls `work(i)` for every i < count, each but the first in a thread of its own. `work` must not throw.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
    work(0);
    for (std::thread& thread : threads) thread.join();
}

} // namespace bench
