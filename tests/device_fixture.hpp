// SPDX-License-Identifier: MIT
// Device memory for tests: arrays between guards, poison, a second context, and engines forced onto 64-bit indices.
#pragma once

#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fixture {

namespace detail = upsweep::detail;

/// An input where any will do.
inline const std::vector<int> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

/// The byte that everything is filled with before a call.
constexpr unsigned char poison = 0xA5;

inline bool is_poison(const std::vector<unsigned char>& bytes, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        if (bytes[i] != poison) return false;
    return true;
}

/// Filled in one go: after a second write into the same buffer Oclgrind 21 reported reads of it as uninitialised.
cl::Buffer buffer_of(const cl::CommandQueue& queue, const std::vector<unsigned char>& bytes,
                     cl_mem_flags flags = CL_MEM_READ_WRITE);

inline cl::Buffer poisoned_buffer(const cl::CommandQueue& queue, std::size_t bytes,
                                  cl_mem_flags flags = CL_MEM_READ_WRITE) {
    return buffer_of(queue, std::vector<unsigned char>(bytes, poison), flags);
}

std::vector<unsigned char> bytes_of(const cl::CommandQueue& queue, cl_mem buffer, std::size_t bytes);

/// n elements of device memory with `guard` elements of poison before and after them.
template <class T>
class guarded_array {
public:
    /// All poison.
    guarded_array(const cl::CommandQueue& queue, std::size_t n, std::size_t guard = 37,
                  cl_mem_flags flags = CL_MEM_READ_WRITE)
        : queue_(queue)
        , n_(n)
        , guard_(guard)
        , buffer_(poisoned_buffer(queue, (n + 2 * guard) * sizeof(T), flags)) {}
    guarded_array(const cl::CommandQueue& queue, const std::vector<T>& values, std::size_t guard = 37,
                  cl_mem_flags flags = CL_MEM_READ_WRITE)
        : queue_(queue)
        , n_(values.size())
        , guard_(guard)
        , buffer_(buffer_of(queue, between_guards(values, guard), flags)) {}

    upsweep::span<T> view() const { return {buffer_, n_, guard_ * sizeof(T)}; }
    upsweep::span<const T> input() const { return view(); }
    const cl::Buffer& buffer() const { return buffer_; }
    std::size_t guard() const { return guard_; }
    std::size_t bytes() const { return (n_ + 2 * guard_) * sizeof(T); }

    std::vector<T> values() const {
        const auto all = bytes_of(queue_, buffer_(), bytes());
        std::vector<T> out(n_);
        if (n_ > 0) std::memcpy(out.data(), all.data() + guard_ * sizeof(T), n_ * sizeof(T));
        return out;
    }
    /// Nothing was written but the first `used` elements.
    bool intact_beyond(std::size_t used) const {
        const auto all = bytes_of(queue_, buffer_(), bytes());
        return is_poison(all, 0, guard_ * sizeof(T)) && is_poison(all, (guard_ + used) * sizeof(T), all.size());
    }
    bool guards_intact() const { return intact_beyond(n_); }
    bool untouched() const { return intact_beyond(0); }

private:
    static std::vector<unsigned char> between_guards(const std::vector<T>& values, std::size_t guard) {
        std::vector<unsigned char> bytes((values.size() + 2 * guard) * sizeof(T), poison);
        if (!values.empty()) std::memcpy(bytes.data() + guard * sizeof(T), values.data(), values.size() * sizeof(T));
        return bytes;
    }

    cl::CommandQueue queue_;
    std::size_t n_;
    std::size_t guard_;
    cl::Buffer buffer_;
};

inline cl::Device device_of(const cl::CommandQueue& queue) {
    return queue.getInfo<CL_QUEUE_DEVICE>();
}

/// A context of its own with a queue, on the device that the tests run on. Holds the context, which Intel's runtime
/// forgets when only a queue does (known_failures.json).
struct own_context {
    cl::Context context;
    cl::CommandQueue queue;

    explicit own_context(const cl::CommandQueue& common = upsweep::default_queue());
};

/// Only the queue, which has to keep the context alive.
inline cl::CommandQueue queue_of_own_context(const cl::CommandQueue& queue) {
    return own_context(queue).queue;
}

const detail::device_limits& limits_of(const cl::CommandQueue& queue);

inline bool has_out_of_order(const cl::CommandQueue& queue) {
    return (device_of(queue).getInfo<CL_DEVICE_QUEUE_PROPERTIES>() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

/// The property of queues that are out of order, where the device has such.
inline cl_command_queue_properties out_of_order_of(const cl::CommandQueue& queue) {
    return has_out_of_order(queue) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
}

/// Other queues of the same context and device: in order; out of order, where the device has such; and those that there
/// are of both kinds.
cl::CommandQueue in_order_queue(const cl::CommandQueue& queue);
cl::CommandQueue out_of_order_queue(const cl::CommandQueue& queue);
std::vector<cl::CommandQueue> queues_of_each_kind(const cl::CommandQueue& queue);

/// Small tiles, so that a few hundred elements make many of them and several levels of sums.
inline upsweep::options small_tiles(upsweep::strategy s, std::uint32_t work_items = 8, std::uint32_t items = 3) {
    upsweep::options o;
    o.strategy = s;
    o.work_items = work_items;
    o.items = items;
    return o;
}

/// Every algorithm, tree, strategy and way of loading once, in tiles of 8 work-items. The combinations are the matrix's
/// business; building kernels is what takes the time.
std::vector<upsweep::options> few_kernels(std::uint32_t items);

/// An engine whose index width is as given, whatever n.
detail::engine forced_engine(const detail::queue_facts& queue, detail::operation what, std::size_t n,
                             const detail::call_types& types, const upsweep::options& opts, bool wide_index);

/// Runs a call on a forced engine, blocking.
void run_forced(const cl::CommandQueue& queue, const detail::call_arguments& call, const detail::call_types& types,
                const upsweep::options& opts, bool wide_index);

/// A scan on a forced engine, blocking; checks the guards.
template <class T, class Op>
std::vector<T> forced_scan(const cl::CommandQueue& queue, const std::vector<T>& in, bool exclusive, T init,
                           const Op& op, const upsweep::options& opts, bool wide_index) {
    const guarded_array<T> from(queue, in);
    const guarded_array<T> to(queue, in.size());
    const upsweep::wait_list none;
    detail::call_arguments call;
    call.op = detail::operation::scan;
    call.in = detail::untyped(from.input());
    call.out = detail::untyped(to.view());
    call.exclusive = call.has_init = exclusive;
    call.init = &init;
    call.after = &none;
    run_forced(queue, call, detail::types_of<T, T>(op), opts, wide_index);
    CHECK(to.guards_intact());
    return to.values();
}

template <class T, class Op>
T forced_reduce(const cl::CommandQueue& queue, const std::vector<T>& in, const Op& op, const upsweep::options& opts,
                bool wide_index) {
    const guarded_array<T> from(queue, in);
    const guarded_array<T> to(queue, 1);
    const T no_init{};
    const upsweep::wait_list none;
    detail::call_arguments call;
    call.op = detail::operation::reduce;
    call.in = detail::untyped(from.input());
    call.out = detail::untyped(to.view());
    call.init = &no_init;
    call.after = &none;
    run_forced(queue, call, detail::types_of<T, T>(op), opts, wide_index);
    CHECK(to.guards_intact());
    return to.values()[0];
}

/// Programs that this process built or loaded.
inline std::uint64_t programs_built() {
    const auto& counts = upsweep::detail::build_counts::get();
    return counts.from_source.load() + counts.from_binary.load();
}

/// Runs `call`, which must throw upsweep::error of that function and argument, with `phrase` in its cause.
void expect_error(const std::string& function, const std::string& argument, const std::string& phrase,
                  const std::function<void()>& call);

} // namespace fixture
