// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/call/operand_call.hpp>
#include <upsweep/detail/group/fold.hpp>
#include <upsweep/detail/group/part_call.hpp>
#include <upsweep/detail/run/command_chain.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/is_among.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <algorithm>
#include <utility>

namespace upsweep::detail {

/// What a part's call needs from one step to the next.
class part_call {
public:
    UPSWEEP_INLINE part_call(const call_arguments& a, parts_call call, const call_types& types, const options& opts)
        : arguments_(a)
        , types_(types)
        , options_(opts)
        , queue_(inspect_queue(a.function, a.queue)) {
        if (call != parts_call::reduce) {
            const checked_call checked = check_arguments(a, queue_);
            in_ = checked.in;
            out_ = checked.out;
            return;
        }
        in_ = check_span(a.function, "input", queue_, a.in, a.in.size, access::input);
        check_wait_list(a.function, queue_, *a.after);
    }

    /// Whether one writes what the other reads or writes.
    UPSWEEP_INLINE bool disturbs(const part_call& other) const {
        return overlap(out_, other.out_) || overlap(out_, other.in_) || overlap(in_, other.out_);
    }

    UPSWEEP_INLINE void build(const part_plan& plan, bool folds) {
        plan_ = plan;
        std::uint64_t most = 0;
        call_types types = types_;
        types.text.is_aligned = in_.is_aligned;
        for (const aligned_block& block : plan.sums) {
            most = (std::max)(most, block.size());
            if (!is_whole(block.begin, types.element.size)) types.text.is_aligned = false;
        }
        if (most > 0) reducer_ = make_engine(function(), queue_, operation::reduce, most, types, options_);
        most = 0;
        types = of_kind(types_, kind_of(arguments_));
        types.text.is_aligned = in_.is_aligned && out_.is_aligned;
        for (const part_plan::scan& scan : plan.scans) {
            most = (std::max)(most, scan.elements.size());
            const std::uint64_t begin = scan.elements.begin;
            if (!is_whole(begin, types.element.size) || !is_whole(begin, types.value.size))
                types.text.is_aligned = false;
        }
        if (most > 0) scanner_ = make_engine(function(), queue_, operation::scan, most, types, options_);
        if (scanner_) check_output_again(function(), out_, scanner_->full);
        if (folds && !types_.on_host) fold_ = find_fold(function(), queue_, types_, options_);
        if (!plan.sums.empty())
            sums_.emplace(function(), queue_.context, queue_.queue, queue_.in_order,
                          plan.sums.size() * types_.value.size, nullptr);
    }

    UPSWEEP_INLINE void start_sums() {
        const wait_list with_event(arguments_.after->events());
        std::uint64_t number = 0;
        for (const aligned_block& block : plan_.sums) {
            call_arguments a = of_range({block.begin, block.end()});
            a.op = operation::reduce;
            a.out = {sums_->buffer(), 1, number++ * types_.value.size, types_.value.size};
            a.after = &with_event;
            summed_.push_back(owned<cl_event>(give(run_prepared(*reducer_, queue_, a))));
        }
        flush();
    }

    UPSWEEP_INLINE void read_sums(unsigned char* values) {
        if (plan_.sums.empty()) return;
        const std::vector<cl_event> events = handles_of(summed_);
        const std::size_t size = types_.value.size;
        read_bytes(function(), queue_.queue, sums_->buffer(), 0, values + plan_.first_sum * size,
                   plan_.sums.size() * size, static_cast<cl_uint>(events.size()), events.data());
        sums_->used_until(events.back()); // they are all done
    }

    UPSWEEP_INLINE void fold(const std::vector<fold_step>& steps, unsigned char* values, std::size_t places) {
        if (types_.on_host)
            fold_on_host(types_, steps, values);
        else if (!steps.empty())
            run_fold(function(), queue_, types_, *fold_, steps, values, places);
    }

    /// In an out-of-order queue one after another, so that the last one's event stands for all; else behind a marker,
    /// which there would wait for other commands, too (event_behind).
    UPSWEEP_INLINE cl_event start_scans(const unsigned char* values) {
        wait_list with_event(arguments_.after->events());
        std::vector<owned<cl_event>> done;
        for (const part_plan::scan& scan : plan_.scans) {
            call_arguments a = of_range(scan.elements);
            a.after = &with_event;
            a.has_init = scan.init.has_value();
            if (a.has_init) a.init = values + *scan.init * types_.value.size;
            done.push_back(owned<cl_event>(give(run_prepared(*scanner_, queue_, a))));
            if (scan.last) write_last(a.out, values + *scan.last * types_.value.size, done);
            if (!queue_.in_order) with_event = wait_list(std::vector<cl_event>{done.back()()});
        }
        const bool has_last = done.size() == 1 || (!queue_.in_order && !done.empty());
        owned<cl_event> last = has_last ? std::move(done.back()) : event_behind(function(), queue_, all_of(done));
        flush();
        return last.give();
    }

private:
    const char* function() const { return arguments_.function; }

    /// The part's own arguments, of a range of the whole array.
    UPSWEEP_INLINE call_arguments of_range(part_range range) const {
        call_arguments a = arguments_;
        const std::uint64_t before = range.begin - plan_.elements.begin;
        for (untyped_span* view : {&a.in, &a.out}) {
            view->byte_offset += before * view->element_size;
            view->size = range.size();
        }
        return a;
    }

    /// Whether element `begin` of the whole array lies at a multiple of 16 bytes behind the part's beginning.
    UPSWEEP_INLINE bool is_whole(std::uint64_t begin, std::size_t size) const {
        return (begin - plan_.elements.begin) * size % packed_bytes == 0;
    }

    /// Replaces the last result of a scan, once that is done.
    UPSWEEP_INLINE void write_last(const untyped_span& out, const unsigned char* value,
                                   std::vector<owned<cl_event>>& done) const {
        const std::size_t size = types_.value.size;
        const owned<cl_mem> on_device = copied_to_device(function(), queue_, value, size);
        const cl_event scanned = done.back()();
        cl_event copied = nullptr;
        const auto place = static_cast<std::size_t>(out.byte_offset + (out.size - 1) * size);
        check_status(clEnqueueCopyBuffer(queue_.queue, on_device(), out.buffer, 0, place, size, 1, &scanned, &copied),
                     function(), "clEnqueueCopyBuffer");
        done.push_back(owned<cl_event>(copied));
    }

    /// Devices begin at once, and not when somebody waits.
    void flush() const { check_status(clFlush(queue_.queue), function(), "clFlush"); }

    /// These events, and the caller's.
    UPSWEEP_INLINE std::vector<cl_event> all_of(const std::vector<owned<cl_event>>& events) const {
        std::vector<cl_event> all = handles_of(events);
        append_all(all, arguments_.after->events());
        return all;
    }

    UPSWEEP_INLINE static std::vector<cl_event> handles_of(const std::vector<owned<cl_event>>& events) {
        std::vector<cl_event> result;
        for (const owned<cl_event>& event : events) result.push_back(event());
        return result;
    }

    call_arguments arguments_;
    call_types types_;
    options options_;
    queue_facts queue_;
    view_facts in_;
    view_facts out_; ///< of a scan
    part_plan plan_;
    maybe<engine> reducer_;
    maybe<engine> scanner_;
    std::shared_ptr<built_program> fold_;
    maybe<workspace_loan> sums_;
    std::vector<owned<cl_event>> summed_;
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::shared_ptr<part_call> check_part(const call_arguments& a, parts_call call, const call_types& types,
                                                      const options& opts) {
    refuse_operands(a.function, types, groups_and_ranks);
    return std::make_shared<part_call>(a, call, types, opts);
}

UPSWEEP_DEFINED void build_part(part_call& part, const part_plan& plan, bool folds) {
    part.build(plan, folds);
}

UPSWEEP_DEFINED void start_sums(part_call& part) {
    part.start_sums();
}

UPSWEEP_DEFINED void read_sums(part_call& part, void* values) {
    part.read_sums(static_cast<unsigned char*>(values));
}

UPSWEEP_DEFINED void fold_values(part_call& part, const std::vector<fold_step>& steps, void* values,
                                 std::size_t places) {
    part.fold(steps, static_cast<unsigned char*>(values), places);
}

UPSWEEP_DEFINED cl_event start_scans(part_call& part, const void* values) {
    return part.start_scans(static_cast<const unsigned char*>(values));
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail
