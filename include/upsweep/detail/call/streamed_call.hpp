// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/parts/prefix_fold.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/streamed/job.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// What a streamed call does with a piece that is on the device. Every command is waited for, so any queue will do, but
// for pieces in host memory one that is in order.

namespace upsweep::detail {

using bytes_of_value = std::vector<unsigned char>;

/// Whether a call is streamed, and how.
struct stream_choice {
    bool streams = false;
    bool in_host_memory = false;
    piece_plan pieces;
};

/// Whether the output begins elsewhere than the input, but they have bytes in common. Then pieces cannot be written
/// before all is read.
UPSWEEP_INLINE bool overlap_in_part(const host_arguments& h, const call_types& types) {
    if (h.op != operation::scan || (h.out == h.in && types.value.size <= types.element.size)) return false;
    const auto in = reinterpret_cast<std::uintptr_t>(h.in), out = reinterpret_cast<std::uintptr_t>(h.out);
    return in < out + h.n * types.value.size && out < in + h.n * types.element.size;
}

/// Ranges are streamed that do not fit the device, and those for which it is faster.
UPSWEEP_INLINE stream_choice choose_stream(const host_arguments& h, const call_types& types,
                                           const device_limits& device, const options& opts) {
    stream_choice how;
    const stream_settings& settings = stream_settings::in_use();
    host_problem p;
    p.function = h.function;
    p.n = h.n;
    p.element_size = types.element.size;
    p.value_size = types.value.size;
    p.reduces = h.op == operation::reduce;
    p.in_place = !p.reduces && h.same_type;
    p.device_memory = opts.device_memory;
    const bool fits = fits_device(p, device);
    const bool own_order = !opts.reproducible || opts.strategy != strategy::automatic ||
                           opts.algorithm != tile_algorithm::automatic || opts.reduction != tree_reduce::automatic;
    const bool overlaps = overlap_in_part(h, types);
    how.in_host_memory = device.uses_host_memory && (h.out != h.in || h.same_type) &&
                         host_alignment(device, p.element_size).is_possible(h.in) &&
                         (p.reduces || host_alignment(device, p.value_size).is_possible(h.out));
    const bool is_faster =
        (how.in_host_memory || !device.is_cpu) && h.n * bytes_per_element(p) >= settings.worthwhile_bytes;
    if (h.n == 0 || (fits && (own_order || overlaps || !is_faster))) return how;
    if (overlaps) throw error(h.function, "output", "overlaps the input in part, and both do not fit the device");
    how.streams = true;
    how.pieces = how.in_host_memory ? divide(p, device, 1, settings.host_piece_bytes)
                                    : divide(p, device, settings.stage_slots, settings.piece_bytes);
    return how;
}

/// Calls with one engine on a host range's types, on device memory.
class piece_caller {
public:
    UPSWEEP_INLINE piece_caller(const host_arguments& h, const queue_facts& queue, operation op, std::uint64_t most,
                                const call_types& types, bool same_type, const options& opts)
        : queue_(queue)
        , engine_(make_engine(h.function, queue, op, most, of_kind(types, kind_of(op, h.exclusive)), opts)) {
        arguments_.function = h.function;
        arguments_.op = op;
        arguments_.queue = h.queue;
        arguments_.same_type = same_type;
        arguments_.exclusive = op == operation::scan && h.exclusive;
        arguments_.in.element_size = types.element.size;
        arguments_.out.element_size = types.value.size;
        arguments_.after = &none_;
        any_.resize(types.value.size);
    }

    UPSWEEP_INLINE cl::Event call(const untyped_span& in, const untyped_span& out,
                                  const maybe<bytes_of_value>& init) const {
        call_arguments a = arguments_;
        a.in = in;
        a.out = out;
        a.has_init = init.has_value();
        a.init = init ? init->data() : any_.data();
        a.after = &none_;
        return run_prepared(engine_, queue_, a);
    }

private:
    queue_facts queue_;
    engine engine_;
    call_arguments arguments_;
    wait_list none_;
    bytes_of_value any_; ///< kernels are given a value in any case
};

/// The scan or reduction of a host range, piece by piece. What comes before a piece is its initial value.
class streamed_call {
public:
    UPSWEEP_INLINE streamed_call(const host_arguments& h, const queue_facts& queue, const call_types& types,
                                 const piece_plan& pieces, const options& opts)
        : h_(h)
        , queue_(queue)
        , pieces_(pieces)
        , element_size_(types.element.size)
        , value_size_(types.value.size)
        , left_to_right_(is_exact(types))
        , right_(make_buffer(h_.function, queue_, element_size_ > value_size_ ? element_size_ : value_size_))
        , result_(make_buffer(h_.function, queue_, value_size_))
        , fold_({this}, initial()) {
        const std::uint64_t most = (std::min)(pieces.piece, pieces.n);
        if (!reduces()) scan_.emplace(h, queue, operation::scan, most, types, h.same_type, opts);
        sum_.emplace(h, queue, operation::reduce, most, types, h.same_type, opts);
        // Else there is no more than one value: no initial value, or no block.
        const bool combines = pieces.count() > 1 || (h.has_init && pieces.is_whole(0));
        if (left_to_right_ || !combines) return;
        call_types of_values = types;
        of_values.text.element = types.text.value;
        of_values.element = types.value;
        combine_.emplace(h, queue, operation::reduce, std::uint64_t{1}, of_values, true, opts);
    }
    streamed_call(const streamed_call&) = delete;
    streamed_call& operator=(const streamed_call&) = delete;

    UPSWEEP_INLINE void operator()(const piece_on_device& piece) {
        const std::size_t n = pieces_.size(piece.number);
        const untyped_span in{piece.in, n, piece.in_offset, element_size_};
        const untyped_span out{piece.out, n, piece.out_offset, value_size_};
        if (left_to_right_)
            go_on(in, out, piece);
        else
            take_block(in, out, piece.number);
    }

    /// Of a reduction, once all pieces are done.
    const bytes_of_value& result() const { return *before_; }

private:
    struct combiner {
        const streamed_call* call;
        UPSWEEP_INLINE bytes_of_value operator()(const bytes_of_value& left, const bytes_of_value& right) const {
            return call->combine(left, right);
        }
    };

    bool reduces() const { return h_.op == operation::reduce; }

    UPSWEEP_INLINE maybe<bytes_of_value> initial() {
        if (h_.has_init) before_.emplace(bytes(h_.init, value_size_));
        return before_;
    }
    UPSWEEP_INLINE static bytes_of_value bytes(const void* from, std::size_t size) {
        const auto* begin = static_cast<const unsigned char*>(from);
        return {begin, begin + size};
    }

    /// A piece in the canonical order: it is a block, and what comes before the next piece is folded from blocks.
    UPSWEEP_INLINE void take_block(const untyped_span& in, const untyped_span& out, std::uint64_t number) {
        const bool is_block = pieces_.is_whole(number);
        const bool shifts = !reduces() && h_.exclusive && pieces_.is_last(number); // nobody needs its sum
        maybe<bytes_of_value> sum;
        if (is_block && !shifts) sum = sum_of(in, {});
        if (!reduces()) wait_for(scan_->call(in, out, before_));
        if (!is_block && reduces()) before_ = sum_of(in, before_);
        if (!sum) return;
        fold_.push(log2_of(pieces_.piece), std::move(*sum));
        before_ = fold_.prefix();
        if (!reduces() && !h_.exclusive) write(*before_, out.buffer, out.byte_offset + (out.size - 1) * value_size_);
    }

    /// A piece of exact values: they may be combined from left to right.
    UPSWEEP_INLINE void go_on(const untyped_span& in, const untyped_span& out, const piece_on_device& piece) {
        if (reduces()) {
            before_ = sum_of(in, before_);
            return;
        }
        const bool is_last = pieces_.is_last(piece.number);
        const std::uint64_t last = in.size - 1;
        bytes_of_value element;
        if (h_.exclusive && !is_last) // before results take its place
            element = read(in.buffer, in.byte_offset + last * element_size_, element_size_, nullptr);
        const cl::Event done = scan_->call(in, out, before_);
        if (is_last) return wait_for(done);
        before_ = last_result(out, piece, done);
        if (!h_.exclusive) return;
        write(element, right_(), 0);
        before_ = sum_of({right_(), 1, 0, element_size_}, before_);
    }

    UPSWEEP_INLINE bytes_of_value last_result(const untyped_span& out, const piece_on_device& piece,
                                              const cl::Event& done) const {
        const std::uint64_t at = (out.size - 1) * value_size_;
        if (!piece.results_in_host_memory) return read(out.buffer, out.byte_offset + at, value_size_, done());
        return bytes(piece.results_in_host_memory() + at, value_size_);
    }
    UPSWEEP_INLINE bytes_of_value sum_of(const untyped_span& in, const maybe<bytes_of_value>& init) const {
        const cl::Event done = sum_->call(in, {result_(), 1, 0, value_size_}, init);
        return read(result_(), 0, value_size_, done());
    }
    UPSWEEP_INLINE bytes_of_value combine(const bytes_of_value& left, const bytes_of_value& right) const {
        write(right, right_(), 0);
        const cl::Event done = combine_->call({right_(), 1, 0, value_size_}, {result_(), 1, 0, value_size_}, left);
        return read(result_(), 0, value_size_, done());
    }

    UPSWEEP_INLINE void wait_for(const cl::Event& done) const {
        const cl_event event = done();
        check_status(clWaitForEvents(1, &event), h_.function, "clWaitForEvents");
    }
    UPSWEEP_INLINE bytes_of_value read(cl_mem buffer, std::uint64_t offset, std::size_t size, cl_event after) const {
        bytes_of_value value(size);
        read_bytes(h_.function, queue_.queue, buffer, static_cast<std::size_t>(offset), value.data(), size,
                   after ? 1 : 0, after ? &after : nullptr);
        return value;
    }
    UPSWEEP_INLINE void write(const bytes_of_value& value, cl_mem buffer, std::uint64_t offset) const {
        write_bytes(h_.function, queue_.queue, buffer, static_cast<std::size_t>(offset), value.data(), value.size());
    }

    const host_arguments& h_;
    queue_facts queue_;
    piece_plan pieces_;
    std::size_t element_size_;
    std::size_t value_size_;
    bool left_to_right_; ///< exact: any order gives the same bits
    maybe<piece_caller> scan_;
    maybe<piece_caller> sum_;      ///< of elements
    maybe<piece_caller> combine_;  ///< of values
    owned<cl_mem> right_;          ///< one element or value
    owned<cl_mem> result_;         ///< one value
    maybe<bytes_of_value> before_; ///< combined with what comes next
    prefix_fold<bytes_of_value, combiner> fold_;
};

} // namespace upsweep::detail
