// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/handle.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/streamed/job.hpp>
#include <upsweep/detail/streamed/staging.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// What the threads of a streamed call know in common: how far each piece is. A piece takes the slot of its number
/// modulo the stage_slots, once the piece before it there is done.
template <class>
class stream_state_of {
public:
    UPSWEEP_INLINE stream_state_of(const stream_job& job, unsigned stage_slots, std::size_t chunk_bytes)
        : pieces_(job.pieces)
        , loads_(job.pieces, job.element_size, chunk_bytes)
        , stores_(job.pieces, job.value_size, chunk_bytes)
        , has_results_(job.out != nullptr)
        , slots_(stage_slots) {
        for (unsigned s = 0; s < stage_slots; ++s) make_ready(s);
    }

    const chunk_list& loads() const { return loads_; }
    const chunk_list& stores() const { return stores_; }

    /// @{ Take the number of a chunk that no other thread has. It may be past the end.
    UPSWEEP_INLINE std::uint64_t next_load() {
        const guard g(lock_);
        return next_load_++;
    }
    UPSWEEP_INLINE std::uint64_t next_store() {
        const guard g(lock_);
        return next_store_++;
    }
    /// @}

    /// @{ Wait; false: the call ends, whatever it has done.
    UPSWEEP_INLINE bool wait_for_slot(std::uint64_t piece) {
        return wait([&] { return slot_of(piece).piece == piece; });
    }
    UPSWEEP_INLINE bool wait_for_results(std::uint64_t piece) {
        return wait([&] { return computed_ > piece; });
    }
    UPSWEEP_INLINE bool wait_for_elements(std::uint64_t piece) {
        return wait([&] { return slot_of(piece).piece == piece && slot_of(piece).loads_left == 0; });
    }
    UPSWEEP_INLINE bool wait_for_more_than(std::uint64_t done_elements) {
        return wait([&] { return done_ > done_elements; });
    }
    /// @}

    UPSWEEP_INLINE bool has_results(std::uint64_t piece) {
        const guard g(lock_);
        return computed_ > piece;
    }
    /// Elements of pieces that are done.
    UPSWEEP_INLINE std::uint64_t done() {
        const guard g(lock_);
        return done_;
    }

    /// Enqueues an upload to a slot and notes its event.
    template <class Enqueue>
    void load(std::uint64_t piece, owned<cl_event>& own, const Enqueue& enqueue) {
        const guard in_turn(load_lock_); // the event noted last is the last on the queue
        own = owned<cl_event>(enqueue());
        const guard g(lock_);
        slot& s = slot_of(piece);
        if (--s.loads_left > 0) return;
        s.loaded.share(own());
        changed_.notify_all();
    }
    /// The event of a piece's last upload; null if none could be kept.
    UPSWEEP_INLINE owned<cl_event> take_loaded(std::uint64_t piece) {
        const guard g(lock_);
        return std::move(slot_of(piece).loaded);
    }
    UPSWEEP_INLINE void computed(std::uint64_t piece) {
        const guard g(lock_);
        computed_ = piece + 1;
        if (!has_results_) finish(piece);
        changed_.notify_all();
    }
    /// A chunk of results is where it belongs.
    UPSWEEP_INLINE void stored(std::uint64_t piece) {
        const guard g(lock_);
        if (--slot_of(piece).stores_left > 0) return;
        finish(piece);
        changed_.notify_all();
    }

    /// Ends the call. The first failure is the one that counts.
    UPSWEEP_INLINE void stop(std::exception_ptr failure = nullptr) {
        const guard g(lock_);
        if (!stopped_) failure_ = std::move(failure);
        stopped_ = true;
        changed_.notify_all();
    }
    UPSWEEP_INLINE void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    using guard = std::lock_guard<std::mutex>;

    struct slot {
        std::uint64_t piece = 0; ///< that it is for
        std::uint64_t loads_left = 0;
        std::uint64_t stores_left = 0;
        owned<cl_event> loaded;
    };

    template <class Condition>
    bool wait(const Condition& condition) {
        std::unique_lock<std::mutex> waiting(lock_);
        changed_.wait(waiting, [&] { return stopped_ || condition(); });
        return !stopped_;
    }
    slot& slot_of(std::uint64_t piece) { return slots_[static_cast<std::size_t>(piece % slots_.size())]; }

    /// A slot is ready for a piece.
    UPSWEEP_INLINE void make_ready(std::uint64_t piece) {
        slot& s = slot_of(piece);
        s.piece = piece;
        if (piece >= pieces_.count()) return;
        s.loads_left = loads_.of_piece(piece);
        s.stores_left = stores_.of_piece(piece);
    }
    UPSWEEP_INLINE void finish(std::uint64_t piece) {
        done_ += pieces_.size(piece);
        make_ready(piece + slots_.size());
    }

    const piece_plan pieces_;
    const chunk_list loads_;
    const chunk_list stores_;
    const bool has_results_;
    std::mutex load_lock_;
    std::mutex lock_;
    std::condition_variable changed_;
    std::vector<slot> slots_;
    std::uint64_t next_load_ = 0;
    std::uint64_t next_store_ = 0;
    std::uint64_t computed_ = 0; ///< pieces, which are computed in order
    std::uint64_t done_ = 0;
    bool stopped_ = false;
    std::exception_ptr failure_;
};

/// Two pieces of pinned memory, of which a thread fills or empties one while the other is transferred.
struct double_buffer {
    std::array<unsigned char*, 2> host{};
    std::array<owned<cl_event>, 2> event;

    UPSWEEP_INLINE void wait(const char* function, unsigned which) {
        const cl_event e = event[which]();
        if (!e) return;
        check_status(clWaitForEvents(1, &e), function, "clWaitForEvents");
        event[which] = owned<cl_event>();
    }
};

/// What a thread does that copies in: chunks of elements into pinned memory, and from there to the device.
template <class Later>
void load_chunks(const stream_job& job, staging_of<Later>& s, stream_state_of<Later>& state, double_buffer& own) {
    for (unsigned k = 0;; k ^= 1U) {
        const std::uint64_t number = state.next_load();
        if (number >= state.loads().size()) return;
        const chunk_list::chunk c = state.loads()[number];
        own.wait(job.function, k);
        std::memcpy(own.host[k], static_cast<const unsigned char*>(job.in) + c.in_array, c.bytes);
        if (!state.wait_for_slot(c.piece)) return;
        const cl_mem to = s.stage_slots[static_cast<std::size_t>(c.piece % s.stage_slots.size())].in();
        state.load(c.piece, own.event[k], [&] {
            cl_event event = nullptr;
            check_status(
                clEnqueueWriteBuffer(s.up(), to, CL_FALSE, c.in_piece, c.bytes, own.host[k], 0, nullptr, &event),
                job.function, "clEnqueueWriteBuffer");
            return event;
        });
        check_status(clFlush(s.up()), job.function, "clFlush");
    }
}

/// What a thread does that copies out: chunks of results from the device into pinned memory, and from there to their
/// place. Downloads one chunk while it copies the one before.
template <class Later>
void store_chunks(const stream_job& job, staging_of<Later>& s, stream_state_of<Later>& state, double_buffer& own) {
    chunk_list::chunk before;
    unsigned k = 0;
    const auto store_before = [&] {
        if (before.bytes == 0) return;
        own.wait(job.function, k ^ 1U);
        std::memcpy(static_cast<unsigned char*>(job.out) + before.in_array, own.host[k ^ 1U], before.bytes);
        before.bytes = 0;
        state.stored(before.piece);
    };
    for (;; k ^= 1U) {
        const std::uint64_t number = state.next_store();
        if (number >= state.stores().size()) break;
        const chunk_list::chunk c = state.stores()[number];
        if (!state.has_results(c.piece)) store_before(); // else its piece might wait for this thread
        if (!state.wait_for_results(c.piece)) return;
        const cl_mem from = s.stage_slots[static_cast<std::size_t>(c.piece % s.stage_slots.size())].out();
        cl_event event = nullptr;
        check_status(
            clEnqueueReadBuffer(s.down(), from, CL_FALSE, c.in_piece, c.bytes, own.host[k], 0, nullptr, &event),
            job.function, "clEnqueueReadBuffer");
        own.event[k] = owned<cl_event>(event);
        check_status(clFlush(s.down()), job.function, "clFlush");
        store_before();
        before = c;
    }
    store_before();
}

} // namespace upsweep::detail
