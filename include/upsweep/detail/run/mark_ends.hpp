// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/read_limits.hpp>
#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// Scans of segments by offsets ask for each element whether a segment begins there. So one launch before the scan marks
// that in scratch memory (launch/segments/mark_ends.cl).

namespace upsweep::detail {

/// Where marks lie in their scratch memory: 32 bits in each word, and behind them, for reductions, a byte and a number
/// for each word.
struct marks_layout {
    std::uint64_t words = 0;
    std::uint64_t gaps = 0;   ///< where these bytes begin: whether an empty segment is in the word
    std::uint64_t firsts = 0; ///< where these numbers begin, in numbers
    std::uint64_t bytes = 0;
};

/// @param n  elements; a segment may end behind the last one
UPSWEEP_INLINE marks_layout lay_out_marks(std::uint64_t n, bool reduces) {
    marks_layout layout;
    layout.words = n / 32 + 1;
    layout.gaps = 4 * layout.words;
    layout.firsts = divide_up((reduces ? 5 : 4) * layout.words, 8);
    layout.bytes = 8 * (layout.firsts + (reduces ? layout.words : 0));
    return layout;
}

/// Words that a single work-group makes zero, at most, so that no command of its own does. (H100: it takes 4 us.)
constexpr std::uint64_t most_cleared_words = 1 << 14;

/// What is to be marked, checked.
struct marks_request {
    const char* function = "";
    queue_facts queue;
    std::uint64_t n = 0; ///< elements
    location offsets;
    std::uint64_t segments = 0;
    type_text offset;
    type_text value; ///< the type of results
    bool reduces = false;
    location results;           ///< of a reduction, whose results of empty segments are written
    const void* init = nullptr; ///< what these are; null, of a scan: any value will do
    location init_place;        ///< of an initial value on the device
    std::string build_options;  ///< the caller's
    const wait_list* after = nullptr;
    program_cache<void>* kept = nullptr; ///< the programs that a plan keeps; null: there is no plan
};

/// The launch that marks where segments end, of one call.
class segment_marks {
public:
    /// Finds or builds the program, and takes the memory. Nothing is enqueued.
    /// @param r           must outlive this
    /// @param work_items  of a work-group
    UPSWEEP_INLINE segment_marks(const marks_request& r, std::uint64_t work_items)
        : r_(r)
        , limits_(limits_of(r.function, r.queue.device))
        , work_items_(work_items)
        , layout_(lay_out_marks(r.n, r.reduces))
        , any_(r.value.size)
        , init_(r.function, r.queue.context, {r.init ? r.init : any_.data(), any_.size()}, r.init_place)
        , program_(find())
        , scratch_(r.function, r.queue.context, r.queue.queue, r.queue.in_order,
                   static_cast<std::size_t>(layout_.bytes), nullptr) {}
    segment_marks(const segment_marks&) = delete;
    segment_marks& operator=(const segment_marks&) = delete;

    location marks() const { return {scratch_.buffer(), 0}; }
    location gaps() const { return {scratch_.buffer(), r_.reduces ? layout_.gaps : 0}; }
    location firsts() const { return {scratch_.buffer(), r_.reduces ? layout_.firsts : 0}; }

    /// Enqueues the launch.
    /// @return what the scan has to wait for
    UPSWEEP_INLINE wait_list start() {
        const two_runs runs(r_.queue, *r_.after);
        const built_program::loan kernel(*program_, "upsweep_mark_ends", r_.function);
        const std::uint64_t work_groups = divide_up((std::max)(r_.segments, std::uint64_t{1}), share() * work_items_);
        const std::uint64_t words = 2 * layout_.firsts; // that are zero before
        const bool clears = work_groups == 1 && words <= most_cleared_words;
        set_arguments_of(kernel(), clears ? static_cast<cl_uint>(words) : 0);
        run_request request;
        request.function = r_.function;
        request.queue = r_.queue;
        request.after = &runs.first();
        command_chain chain(request, clears ? 1 : 2);
        if (!clears) chain.clear(scratch_.buffer(), static_cast<std::size_t>(4 * words));
        chain.launch(kernel(), work_groups, work_items_);
        marked_ = chain.take_last();
        return runs.second(marked_);
    }

    /// Notes the event of the scan; null where the queue's order is enough.
    void used_until(cl_event scanned) { scratch_.used_until(scanned); }

private:
    UPSWEEP_INLINE std::shared_ptr<built_program> find() const {
        program_text text;
        text.element = r_.offset;
        text.value = r_.value;
        text.op = {"marks", "return left;", {}}; // kernel files want one; nothing is combined
        text.init_on_device = r_.init_place.buffer != nullptr;
        text.build_options = r_.build_options;
        program_key key;
        key.context = r_.queue.context;
        key.device = r_.queue.device;
        key.text = view_of(text);
        key.kind = family::marks;
        key.tuning.work_items = static_cast<std::uint32_t>(work_items_);
        return find_program(r_.function, limits_, key, r_.kept);
    }

    /// Segments that each work-item takes: on its own, as a CPU's do, enough to be worth it. Else as many as save
    /// atomics on words that they share. H200, reductions of 2^28 int32 by offsets, us, with 1, 2, 4, 8, 16 and 32
    /// each: segments of 1 element 7125, 3519, 2508, 2364, 2523 and 3058; of 2 2199, 1276, 1049, 985, 1055 and 1505; of
    /// 4 1138, 915, 832, 842, 891 and 1476; of 10 787, 748, 752, 783, 847 and 1297; of 30 690, 699, 724, 790, 895 and
    /// 1169.
    UPSWEEP_INLINE std::uint64_t share() const {
        constexpr std::uint64_t least = 1024;
        if (work_items_ > 1 && r_.segments <= 8 * work_items_) // a single work-group
            return (std::max)(std::uint64_t{1}, divide_up(r_.segments, work_items_));
        if (work_items_ > 1) return r_.segments >= r_.n / 8 ? 8 : r_.segments >= r_.n / 24 ? 2 : 1;
        return (std::max)(least, divide_up(r_.segments, 8 * std::uint64_t{limits_.compute_units}));
    }

    /// @param cleared  words that the kernel makes zero
    UPSWEEP_INLINE void set_arguments_of(cl_kernel kernel, cl_uint cleared) const {
        const location results = r_.results.buffer ? r_.results : marks(); // else nothing is written
        set_arguments(r_.function, kernel, r_.offsets.buffer, cl_ulong{r_.offsets.offset}, cl_ulong{r_.segments},
                      cl_ulong{r_.n}, cl_ulong{share()}, cleared, marks().buffer, gaps().buffer,
                      cl_ulong{gaps().offset}, firsts().buffer, cl_ulong{firsts().offset}, results.buffer,
                      cl_ulong{results.offset}, r_.reduces, init_);
    }

    const marks_request& r_;
    const device_limits& limits_;
    std::uint64_t work_items_;
    marks_layout layout_;
    std::vector<unsigned char> any_; ///< a value
    init_argument init_;             ///< until the launch is enqueued: a kernel does not keep its arguments
    std::shared_ptr<built_program> program_;
    workspace_loan scratch_;
    cl::Event marked_;
};

} // namespace upsweep::detail
