// SPDX-License-Identifier: MIT
// Very many calls: neither memory nor handles may grow with their number.
#include "faults.hpp"
#include "scenarios.hpp"

#include <fstream>

namespace {

/// Memory that this process occupies, in bytes.
long resident_bytes() {
    std::ifstream rollup("/proc/self/smaps_rollup"); // statm is off by what each CPU has not added yet
    std::string word;
    while (rollup >> word && word != "Rss:") {
    }
    long kibibytes = 0;
    rollup >> kibibytes;
    return kibibytes * 1024;
}

/// Rounds of four calls on 64 elements: a plan's and a free function's scan and reduction.
class round_of_calls {
public:
    explicit round_of_calls(const cl::CommandQueue& queue)
        : queue_(queue)
        , in_(queue, test::make_input<int>(64, 41))
        , out_(queue, 64)
        , total_(queue, 1)
        , scan_(queue, 64)
        , reduce_(queue, 64) {}

    void run(std::size_t rounds) const {
        for (std::size_t i = 0; i < rounds; ++i) {
            scan_.inclusive_scan(queue_, in_.input(), out_.view());
            reduce_.reduce(queue_, in_.input(), total_.view());
            upsweep::inclusive_scan(queue_, in_.input(), out_.view());
            const cl::Event last = upsweep::reduce(queue_, in_.input(), total_.view());
            last.wait();
        }
        queue_.finish();
    }
    bool right() const {
        const std::vector<int> expected =
            test::reference_scan<int>(in_.values(), false, std::optional<int>(), upsweep::plus{});
        return out_.values() == expected && total_.values()[0] == expected.back();
    }

private:
    cl::CommandQueue queue_;
    fixture::guarded_array<int> in_;
    fixture::guarded_array<int> out_;
    fixture::guarded_array<int> total_;
    upsweep::scan_plan<int> scan_;
    upsweep::reduce_plan<int> reduce_;
};

} // namespace

TEST_CASE("100000 calls leave memory and handles as they were", "[calls]") {
    constexpr std::size_t calls = 100000;
    const cl::CommandQueue queue = fixture::queue_of_own_context(upsweep::default_queue());
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const round_of_calls round(queue);
    round.run(calls / 40); // a tenth, to warm up: allocators keep what they once had
    // A driver's threads warm up when their turn comes, and memory then grows once; a leak grows in each stretch.
    constexpr long limit = 1 << 18; // not even three bytes per call
    long grown = limit;
    for (int stretch = 0; stretch < 4 && grown >= limit; ++stretch) {
        const long bytes = resident_bytes();
        const faults::balance handles = faults::live_handles();
        round.run(calls / 4);
        grown = resident_bytes() - bytes;
        CHECK(faults::to_string(faults::live_handles()) == faults::to_string(handles));
    }
    CHECK(grown < limit);
    CHECK(round.right());
    upsweep::release_cached(context());
}
