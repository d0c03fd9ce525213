// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/error.hpp>
#include <upsweep/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

// How a host range is divided. Pure.

namespace upsweep::detail {

/// The numbers of streamed calls. On an NVIDIA H200 they were chosen by bench_streamed.
struct stream_settings {
    unsigned stage_slots = 4;                       ///< pieces on the device at once, each in memory of its own
    std::size_t piece_bytes = std::size_t{1} << 25; ///< of a piece that is transferred, at most
    std::size_t chunk_bytes = std::size_t{1} << 21; ///< of what one thread copies at a time, at most
    unsigned threads = 0;                           ///< that copy in, and as many that copy out; 0: half of them each
    std::size_t host_piece_bytes = std::size_t{1} << 23;     ///< of a piece that stays where it is, at most
    std::uint64_t worthwhile_bytes = std::uint64_t{1} << 25; ///< from which a range that would fit is streamed, too

    UPSWEEP_INLINE unsigned threads_each_way() const {
        if (threads > 0) return threads;
        // NVIDIA H200 with 16 cores, 32 GiB in place: 8 bring 54 GB/s in and out, and 60 without work in between; with
        // 32 cores 6 bring 61 and 62.
        return (std::min)((std::max)(std::thread::hardware_concurrency() / 2, 1U), 6U);
    }
    /// The ones in use. Benchmarks and tests change them while no call runs.
    UPSWEEP_INLINE static stream_settings& in_use() {
        static stream_settings settings;
        return settings;
    }
};

/// A host range in pieces of a power of two elements. The last may have fewer.
struct piece_plan {
    std::uint64_t n = 0;
    std::uint64_t piece = 1;

    std::uint64_t count() const { return n / piece + (n % piece > 0 ? 1 : 0); }
    std::uint64_t begin(std::uint64_t i) const { return i * piece; }
    std::size_t size(std::uint64_t i) const { return static_cast<std::size_t>((std::min)(piece, n - begin(i))); }
    bool is_whole(std::uint64_t i) const { return size(i) == piece; }
    bool is_last(std::uint64_t i) const { return i + 1 == count(); }
};

/// What is known of a call on a host range before it is divided.
struct host_problem {
    const char* function = "";
    std::uint64_t n = 0;
    std::size_t element_size = 1;
    std::size_t value_size = 1;
    bool reduces = false;
    bool in_place = false;           ///< on the device: results take the place of elements
    std::uint64_t device_memory = 0; ///< as options::device_memory
};

/// Bytes of device memory for an element and its result.
UPSWEEP_INLINE std::uint64_t bytes_per_element(const host_problem& p) {
    return p.reduces || p.in_place ? (std::max)(p.element_size, p.reduces ? 1 : p.value_size)
                                   : std::uint64_t{p.element_size} + p.value_size;
}

/// Bytes per element of the largest buffer.
UPSWEEP_INLINE std::uint64_t largest_per_element(const host_problem& p) {
    return p.reduces ? p.element_size : (std::max)(p.element_size, p.value_size);
}

/// Whether all of it may lie on the device at once.
UPSWEEP_INLINE bool fits_device(const host_problem& p, const device_limits& device) {
    return p.n <= device.max_allocation_bytes / largest_per_element(p) &&
           (p.device_memory == 0 || p.n <= p.device_memory / bytes_per_element(p));
}

/// Host memory as a buffer: how far before an element it begins, in bytes. The buffer begins at an aligned address,
/// because kernels rely on that, and whole elements before the element that is meant. Nothing touches what lies
/// between. Other devices than CPUs take care of alignment themselves.
class host_alignment {
public:
    UPSWEEP_INLINE host_alignment(const device_limits& device, std::size_t element_size)
        : element_size_(element_size)
        , alignment_(device.is_cpu ? device.base_alignment : 1)
        , step_((std::min)(lowest_bit(element_size), alignment_)) {}

    /// Whether there is such an address.
    bool is_possible(const void* element) const { return reinterpret_cast<std::uintptr_t>(element) % step_ == 0; }
    UPSWEEP_INLINE std::size_t offset_of(const void* element) const {
        const auto address = reinterpret_cast<std::uintptr_t>(element);
        std::size_t offset = 0;
        while ((address - offset) % alignment_ != 0) offset += element_size_;
        return offset;
    }
    /// An offset is less.
    std::size_t limit() const { return element_size_ * (alignment_ / step_); }

private:
    static std::size_t lowest_bit(std::size_t n) { return n & (~n + 1); }

    std::size_t element_size_;
    std::size_t alignment_; ///< a power of two
    std::size_t step_;
};

/// The pieces of a call.
/// @param stage_slots       pieces that are on the device at once
/// @param piece_bytes of a piece at most, as elements or as results
/// @throws upsweep::error where there is no room for one element each
UPSWEEP_INLINE piece_plan divide(const host_problem& p, const device_limits& device, unsigned stage_slots,
                                 std::size_t piece_bytes) {
    const std::uint64_t before =
        (std::max)(host_alignment(device, p.element_size).limit(), host_alignment(device, p.value_size).limit());
    const std::uint64_t largest =
        device.max_allocation_bytes > before ? device.max_allocation_bytes - before : std::uint64_t{0};
    std::uint64_t most = (std::min)(largest, std::uint64_t{piece_bytes}) / largest_per_element(p);
    if (p.device_memory > 0) most = (std::min)(most, p.device_memory / stage_slots / bytes_per_element(p));
    if (most == 0)
        throw error(p.function, p.device_memory > 0 ? "options: device_memory" : "input",
                    "no room for " + std::to_string(stage_slots) + " elements with results, " +
                        std::to_string(bytes_per_element(p)) + " bytes each, in " +
                        std::to_string(p.device_memory > 0 ? p.device_memory : device.max_allocation_bytes) +
                        " bytes of device " + device.name);
    piece_plan plan;
    plan.n = p.n;
    while (plan.piece <= most / 2) plan.piece *= 2;
    return plan;
}

/// The chunks of all pieces of an array, in order: what one thread copies at a time.
class chunk_list {
public:
    struct chunk {
        std::uint64_t piece = 0;
        std::size_t in_piece = 0; ///< where it begins, in bytes
        std::uint64_t in_array = 0;
        std::size_t bytes = 0;
    };

    UPSWEEP_INLINE chunk_list(const piece_plan& pieces, std::size_t element_size, std::size_t chunk_bytes)
        : pieces_(pieces)
        , element_size_(element_size)
        , chunk_bytes_(chunk_bytes)
        , per_piece_(count_of(pieces.piece)) {}

    /// Chunks of piece i.
    std::uint64_t of_piece(std::uint64_t i) const { return count_of(pieces_.size(i)); }
    UPSWEEP_INLINE std::uint64_t size() const {
        const std::uint64_t last = pieces_.count() - 1;
        return last * per_piece_ + of_piece(last);
    }
    chunk operator[](std::uint64_t number) const {
        chunk c;
        c.piece = number / per_piece_;
        c.in_piece = static_cast<std::size_t>(number % per_piece_) * chunk_bytes_;
        c.in_array = pieces_.begin(c.piece) * element_size_ + c.in_piece;
        c.bytes = (std::min)(chunk_bytes_, pieces_.size(c.piece) * element_size_ - c.in_piece);
        return c;
    }

private:
    UPSWEEP_INLINE std::uint64_t count_of(std::uint64_t elements) const {
        return (elements * element_size_ + chunk_bytes_ - 1) / chunk_bytes_;
    }

    piece_plan pieces_;
    std::size_t element_size_;
    std::size_t chunk_bytes_;
    std::uint64_t per_piece_;
};

} // namespace upsweep::detail
