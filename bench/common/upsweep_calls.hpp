// SPDX-License-Identifier: MIT
#pragma once

// What the library's side of array_rows.hpp enqueues, by the free functions, which find plans and programs by
// themselves.

#include "device.hpp"
#include "family_arrays.hpp"

namespace bench {

struct opencl_memory {
    using array = cl::Buffer;

    static array make(std::size_t bytes) { return make_buffer(bytes); }
    static void write(const array& to, std::size_t offset, std::size_t bytes, const void* from) {
        check(target().queue.enqueueWriteBuffer(to, CL_TRUE, offset, bytes, from), "clEnqueueWriteBuffer");
    }
    static void read(const array& from, std::size_t offset, std::size_t bytes, void* to) {
        check(target().queue.enqueueReadBuffer(from, CL_TRUE, offset, bytes, to), "clEnqueueReadBuffer");
    }
    static void poison(const array& what, std::size_t bytes) {
        const std::size_t piece = std::size_t{1} << 28; // a driver fills large pieces wrongly (device.hpp)
        for (std::size_t done = 0; done < bytes; done += piece)
            check(target().queue.enqueueFillBuffer(what, poison_byte, done, std::min(piece, bytes - done)),
                  "clEnqueueFillBuffer");
        check(target().queue.finish(), "clFinish");
    }
};

template <class T>
struct upsweep_calls {
    using element = T;
    using device = opencl_memory;
    using arrays = family_arrays<opencl_memory, T>;
    using call = std::function<void()>;
    using keys_view = upsweep::span<const std::int32_t>;

    static constexpr const char* library = "upsweep";
    static constexpr const char* copy_library = "copy";
    static constexpr bool partitions_backwards = false;

    static double host_seconds(const call& one, int calls) {
        return bench::host_seconds([&one](const cl::CommandQueue&) { one(); }, calls);
    }
    static const cl::CommandQueue& queue() { return target().queue; }

    template <class Element>
    static upsweep::span<Element> view(const cl::Buffer& buffer, std::uint64_t n) {
        return {buffer, static_cast<std::size_t>(n)};
    }
    static upsweep::span<const T> values(const arrays& a, std::uint64_t n) { return view<const T>(a.values, n); }
    static upsweep::span<T> out(const arrays& a, std::uint64_t n) { return view<T>(a.out, n); }
    static upsweep::span<std::uint32_t> count(const arrays& a) { return view<std::uint32_t>(a.count, 1); }
    static keys_view keys(arrays& a, std::uint64_t n, const std::string& kind) {
        return view<const std::int32_t>(a.keys(kind, n), n);
    }
    static upsweep::segmented_view<T> rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return upsweep::rows(values(a, n), static_cast<std::size_t>(n / width), static_cast<std::size_t>(width));
    }
    static std::string below(T bound) { return "a < " + std::to_string(static_cast<int>(bound)); }

    static call copy(const arrays& a, std::uint64_t n) {
        return [&a, bytes = static_cast<std::size_t>(n) * sizeof(T)] {
            check(queue().enqueueCopyBuffer(a.values, a.out, 0, 0, bytes), "clEnqueueCopyBuffer");
        };
    }
    static call scan(const cl::Buffer& from, const cl::Buffer& into, std::uint64_t n) {
        return [x = view<const T>(from, n), to = view<T>(into, n)] { upsweep::exclusive_scan(queue(), x, to, T{}); };
    }

    static call copy_if(const arrays& a, std::uint64_t n, T bound) {
        return [x = values(a, n), to = out(a, n), number = count(a), text = below(bound)] {
            upsweep::copy_if(queue(), x, to, number, text);
        };
    }
    static call partition(const arrays& a, std::uint64_t n, T bound) {
        return [x = values(a, n), to = out(a, n), number = count(a), text = below(bound)] {
            upsweep::partition(queue(), x, to, number, text);
        };
    }

    static call unique(arrays& a, std::uint64_t n, const std::string& kind) {
        return [x = view<const T>(a.runs(kind, n), n), to = out(a, n), number = count(a)] {
            upsweep::unique(queue(), x, to, number);
        };
    }
    static call reduce_by_key(arrays& a, std::uint64_t n, const std::string& kind) {
        return
            [in = upsweep::keyed(values(a, n), keys(a, n, kind)), to = view<std::int32_t>(a.out, n),
             sums = view<T>(a.more, n), number = count(a)] { upsweep::reduce_by_key(queue(), in, to, sums, number); };
    }
    static call scan_by_key(arrays& a, std::uint64_t n, const std::string& kind, bool exclusive) {
        return scan_segments(upsweep::keyed(values(a, n), keys(a, n, kind)), out(a, n), exclusive);
    }
    static call scan_rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return scan_segments(rows(a, n, width), out(a, n), false);
    }
    static call segmented_reduce(arrays& a, std::uint64_t n, const std::string& kind) {
        const std::size_t count_of_offsets = a.segments(kind, n).size();
        const auto offsets = view<const std::uint32_t>(a.offsets(kind, n), count_of_offsets);
        return [in = upsweep::segments(values(a, n), offsets), to = out(a, count_of_offsets - 1)] {
            upsweep::reduce(queue(), in, to, T{});
        };
    }

private:
    static call scan_segments(const upsweep::segmented_view<T>& in, const upsweep::span<T>& to, bool exclusive) {
        return [=] {
            if (exclusive)
                upsweep::exclusive_scan(queue(), in, to, T{});
            else
                upsweep::inclusive_scan(queue(), in, to);
        };
    }
};

} // namespace bench
