// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/segment_call_inl.hpp>
#include <upsweep/detail/call/segment_plan.hpp>
#include <upsweep/detail/engine/plan_engines.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/text_memo.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// A plan's engines of scans of segments, and of columns that are whole arrays: one for each kind of results, of
/// initial value and of segments.
class segment_engines {
public:
    /// @param n  elements of a call, at most
    UPSWEEP_INLINE segment_engines(std::uint64_t n, const options& opts)
        : n_(n)
        , opts_(opts) {}

    /// The engine for up to n elements; makes it for the first call of its text.
    UPSWEEP_INLINE const engine& of(const char* function, const queue_facts& queue, operation what,
                                    const call_types& types) const {
        if (const engine* before = made_before(what, types.text)) return *before;
        // Not under the lock: a self-check calls a handler, which may call the plan.
        std::shared_ptr<const entry> made(
            new entry{text_of(types.text), make_engine(function, queue, what, n_, types, opts_)});
        return add(std::move(made));
    }

private:
    struct entry {
        program_text text; ///< of which a plan's calls have the same operator
        engine kernels;
    };

    /// The engine for a text; null: there is none yet.
    UPSWEEP_INLINE const engine* made_before(operation what, const program_text_view& text) const {
        const std::lock_guard<std::mutex> guard(lock_);
        return find(what, text);
    }

    /// Keeps an engine, unless another thread was first.
    UPSWEEP_INLINE const engine& add(std::shared_ptr<const entry> made) const {
        const std::lock_guard<std::mutex> guard(lock_);
        if (const engine* before = find(made->kernels.op, view_of(made->text))) return *before;
        made_.push_back(std::move(made));
        return made_.back()->kernels;
    }

    /// The caller holds the lock.
    UPSWEEP_INLINE const engine* find(operation what, const program_text_view& text) const {
        const auto is_same = [&](const program_text& own) {
            return own.hooks.load == text.hooks.load && own.hooks.store == text.hooks.store &&
                   own.value.name == text.value.name && own.value.definition == text.value.definition &&
                   own.scan == text.scan && own.is_aligned == text.is_aligned &&
                   own.init_on_device == text.init_on_device;
        };
        for (const auto& each : made_)
            if (each->kernels.op == what && is_same(each->text)) return &each->kernels;
        return nullptr;
    }

    std::uint64_t n_;
    options opts_;
    mutable std::mutex lock_;
    mutable std::vector<std::shared_ptr<const entry>> made_; ///< which stay where they are
};

/// Calls on segments that are prepared. Safe to use from many threads at once.
class prepared_segments {
public:
    UPSWEEP_INLINE prepared_segments(const segment_arguments& a, const call_types& types, const options& opts)
        : text_(text_of(types.text))
        , types_(types)
        , opts_(opts)
        , queue_(inspect_queue(a.function, a.queue))
        , n_(a.in->size())
        , text_of_segments_(text_of_segments(*a.in))
        , engines_(n_ + 1, opts) { // a reduction scans one element more
        types_.text = view_of(text_);
        check_own_text(a.function, types, limits_of(a.function, queue_.device), opts_);
    }
    prepared_segments(const prepared_segments&) = delete;
    prepared_segments& operator=(const prepared_segments&) = delete;

    /// Makes what calls with such results need, without and with an initial value.
    UPSWEEP_INLINE void prepare(segment_arguments a, segment_results results) const {
        a.results = results;
        a.prepares = true;
        a.kept = &programs_;
        const wait_list none;
        a.after = &none;
        const std::vector<unsigned char> zeros(types_.value.size);
        a.empty = zeros.data();
        run_request request;
        request.function = a.function;
        request.queue = queue_;
        request.after = a.after;
        if (a.in->cut == segment_cut::columns) {
            start_columns(a, types_, request, opts_,
                          [&](operation what, const call_types& types, std::uint64_t) -> const engine& {
                              return engines_.of(a.function, queue_, what, types);
                          });
            return;
        }
        const device_limits& limits = limits_of(a.function, queue_.device);
        const packed_segments packed(a, types_, limits);
        if (packed) a = packed.arguments();
        const call_types& types = packed ? packed.types() : types_;
        if (start_direct(a, types, checked_segments(request), opts_, limits)) return;
        if (results != segment_results::exclusive) prepare_scan(a, types);
        a.init = zeros.data();
        if (results == segment_results::exclusive || results == segment_results::per_segment) prepare_scan(a, types);
    }

    UPSWEEP_INLINE cl_event call(segment_arguments a) const {
        a.kept = &programs_;
        const queue_facts queue = inspect_queue(a.function, a.queue);
        check_same_device(a.function, queue_, queue);
        check_capacity(a.function, a.in->size(), n_);
        if (text_of_segments(*a.in) != text_of_segments_)
            throw error(a.function, "input", "other segments, or of another text, than the plan was made for");
        check_heads(a.function, queue, *a.in);
        check_results(a);
        return scan_segments(a, types_, queue, opts_,
                             [&](operation what, const call_types& types, std::uint64_t) -> const engine& {
                                 return engines_.of(a.function, queue, what, types);
                             });
    }

private:
    /// What segments and the elements that they are cut from are made of.
    UPSWEEP_INLINE static std::string text_of_segments(const segmented_input& in) {
        return std::string(
            text_key(in.cut, in.type, in.equality, in.elements.part_types(), in.elements.stages).bytes());
    }

    UPSWEEP_INLINE void prepare_scan(const segment_arguments& a, const call_types& types,
                                     segment_tiling tiling = segment_tiling::any) const {
        const segment_scan scan(a, types, queue_, tiling);
        const engine& e = engines_.of(a.function, queue_, operation::scan, scan.types());
        const segment_tiling usable = usable_tiling(scan, e, a, types, queue_, tiling);
        if (usable != tiling) return prepare_scan(a, types, usable);
        if (a.in->cut == segment_cut::offsets && a.in->size() > 0)
            segment_marks(scan.marks(queue_, opts_), e.tuning.work_items);
    }

    program_text text_;
    call_types types_; ///< of text_
    options opts_;
    queue_facts queue_;
    std::uint64_t n_;
    std::string text_of_segments_;
    segment_engines engines_;
    mutable program_cache<void> programs_; ///< those that no engine has
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::shared_ptr<const prepared_segments>
prepare_segments(const segment_arguments& a, const call_types& types,
                 const std::initializer_list<segment_results>& results, const options& opts) {
    refuse_operands(a.function, types, "plans; call the free function");
    check_texts_and_rows(a.function, *a.in);
    check_stages(a.function, a.in->elements);
    for (const segment_results each : results) check_number(a.function, *a.in, each);
    std::shared_ptr<const prepared_segments> plan(new prepared_segments(a, types, opts));
    for (const segment_results each : results) plan->prepare(a, each);
    return plan;
}

UPSWEEP_DEFINED cl_event call_segments(const prepared_segments& plan, const segment_arguments& a) {
    return plan.call(a);
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail
