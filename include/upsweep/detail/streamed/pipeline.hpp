// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/streamed/transfers.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace upsweep::detail {

// What a thread runs is in the names of the standard library's symbols, which a shared library exports.
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// A streamed call under way: threads that copy in, threads that copy out, and the caller's, which works on the pieces
/// in order and reports.
template <class Later>
class pipeline_of {
public:
    UPSWEEP_INLINE pipeline_of(const stream_job& job, staging_of<Later>& s, std::size_t chunk_bytes, unsigned loaders,
                               unsigned storers)
        : job_(job)
        , staging_(s)
        , state_(job, static_cast<unsigned>(s.stage_slots.size()), chunk_bytes)
        , loaders_(loaders)
        , copiers_(loaders + storers) {
        unsigned char* at = s.host();
        for (copier& c : copiers_)
            for (unsigned char*& half : c.buffer.host) {
                half = at;
                at += chunk_bytes;
            }
    }

    /// Whatever happens, no thread and no transfer is left behind.
    UPSWEEP_INLINE void run() {
        try {
            start_threads();
            work();
            state_.stop();
        } catch (...) {
            state_.stop(std::current_exception());
        }
        for (copier& c : copiers_)
            if (c.thread.joinable()) c.thread.join();
        clFinish(staging_.up());
        clFinish(staging_.down());
        state_.rethrow();
    }

private:
    struct copier {
        double_buffer buffer;
        std::thread thread;
    };

    UPSWEEP_INLINE void start_threads() {
        for (std::size_t i = 0; i < copiers_.size(); ++i) try {
                copiers_[i].thread = std::thread([this, i] { copy(i); });
            } catch (const std::system_error& e) {
                throw error(job_.function, "std::thread", e.what());
            }
    }

    UPSWEEP_INLINE void copy(std::size_t i) noexcept {
        try {
            if (i < loaders_)
                load_chunks(job_, staging_, state_, copiers_[i].buffer);
            else
                store_chunks(job_, staging_, state_, copiers_[i].buffer);
        } catch (...) {
            state_.stop(std::current_exception());
        }
    }

    UPSWEEP_INLINE void work() {
        for (std::uint64_t i = 0; i < job_.pieces.count(); ++i) {
            if (!state_.wait_for_elements(i)) return;
            const owned<cl_event> loaded = state_.take_loaded(i);
            const cl_event event = loaded();
            check_status(event ? clWaitForEvents(1, &event) : clFinish(staging_.up()), job_.function,
                         "clWaitForEvents");
            const typename staging_of<Later>::slot& slot =
                staging_.stage_slots[static_cast<std::size_t>(i % staging_.stage_slots.size())];
            piece_on_device piece;
            piece.number = i;
            piece.in = slot.in();
            piece.out = slot.out();
            job_.work(piece);
            state_.computed(i);
            report();
        }
        while (reported_ < job_.pieces.n && state_.wait_for_more_than(reported_)) report();
    }

    UPSWEEP_INLINE void report() {
        const std::uint64_t done = state_.done();
        if (done == reported_) return;
        reported_ = done;
        report_progress(job_.function, *job_.opts, done, job_.pieces.n);
    }

    const stream_job& job_;
    staging_of<Later>& staging_;
    stream_state_of<Later> state_;
    std::size_t loaders_;
    std::vector<copier> copiers_;
    std::uint64_t reported_ = 0;
};

} // namespace UPSWEEP_VERSION_NAMESPACE

/// Uploads, works on and downloads pieces at the same time.
UPSWEEP_INLINE void stream_through_device(const stream_job& job, const queue_facts& queue,
                                          const stream_settings& settings) {
    const auto piece = static_cast<std::size_t>((std::min)(job.pieces.piece, job.pieces.n));
    const std::size_t in = piece * job.element_size;
    const std::size_t out = job.out ? piece * job.value_size : 0;
    const std::size_t chunk = (std::min)(settings.chunk_bytes, (std::max)(in, out));
    const unsigned each = settings.threads_each_way();
    const unsigned storers = job.out ? each : 0;
    staging_size size;
    size.host = chunk * 2 * (each + storers);
    size.stage_slots = static_cast<unsigned>((std::min)(std::uint64_t{settings.stage_slots}, job.pieces.count()));
    size.in = in;
    size.out = job.in_place ? 0 : out;
    auto& pool = staging_pool_of<UPSWEEP_LATER>::get();
    auto staged = pool.take(job.function, queue, size);
    pipeline_of<UPSWEEP_LATER>(job, *staged, chunk, each, storers).run();
    pool.put(std::move(staged)); // not after a failure
}

} // namespace upsweep::detail
