// SPDX-License-Identifier: MIT
// Selections, runs, keys, segments and rows of int32, and what they are compared with: the plain scan, the plain
// reduction and the device's copy. cub_family.cu has the same rows of CUB.

#include "common/device_rows.hpp"
#include "common/family_rows.hpp"

namespace {

using namespace bench;

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

/// What is enqueued, by the library's free functions, which find plans and programs by themselves.
struct upsweep_side {
    using device = opencl_memory;
    using arrays = family_arrays<opencl_memory>;
    using call = std::function<void()>;
    using input = upsweep::span<const std::int32_t>;
    using output = upsweep::span<std::int32_t>;
    using extremum = upsweep::extremum<std::int32_t, std::uint32_t>;

    static constexpr const char* library = "upsweep";
    static constexpr const char* copy_library = "copy";
    static constexpr bool partitions_backwards = false;

    static double host_seconds(const call& one, int calls) {
        return bench::host_seconds([&one](const cl::CommandQueue&) { one(); }, calls);
    }
    static const cl::CommandQueue& queue() { return target().queue; }
    static input values(const arrays& a, std::uint64_t n) { return {a.values, static_cast<std::size_t>(n)}; }
    static output out(const arrays& a, std::uint64_t n) { return {a.out, static_cast<std::size_t>(n)}; }
    static output more(const arrays& a, std::uint64_t n) { return {a.more, static_cast<std::size_t>(n)}; }
    static upsweep::span<std::uint32_t> count(const arrays& a) { return {a.count, 1}; }
    static input keys(arrays& a, std::uint64_t n, const std::string& kind) {
        return {a.keys(kind, n), static_cast<std::size_t>(n)};
    }

    static call copy(const arrays& a, std::uint64_t n) {
        return [&a, bytes = static_cast<std::size_t>(n) * sizeof(std::int32_t)] {
            check(queue().enqueueCopyBuffer(a.values, a.out, 0, 0, bytes), "clEnqueueCopyBuffer");
        };
    }
    static call scan(const arrays& a, std::uint64_t n) {
        return [x = values(a, n), to = out(a, n)] { upsweep::exclusive_scan(queue(), x, to, 0); };
    }
    static call reduce(const arrays& a, std::uint64_t n) {
        return [x = values(a, n), to = out(a, 1)] { upsweep::reduce(queue(), x, to); };
    }
    static call min_element(const arrays& a, std::uint64_t n) {
        const upsweep::span<extremum> found(a.out, 1);
        return [=, x = values(a, n)] { upsweep::min_element(queue(), x, found); };
    }
    static std::pair<std::int32_t, std::uint64_t> found_element(const arrays& a) {
        extremum found;
        opencl_memory::read(a.out, 0, sizeof found, &found);
        return {found.value, found.index};
    }
    static call sum_of_squares(const arrays& a, std::uint64_t n) {
        return [x = values(a, n), to = out(a, 1)] {
            upsweep::transform_reduce(queue(), x, to, 0, upsweep::plus{}, "a * a");
        };
    }
    static call dot_product(const arrays& a, std::uint64_t n) {
        return [x = values(a, n), y = input(a.others, static_cast<std::size_t>(n)), to = out(a, 1)] {
            upsweep::transform_reduce(queue(), x, y, to, 0);
        };
    }

    static call copy_if(const arrays& a, std::uint64_t n, int percent) {
        return [x = values(a, n), to = out(a, n), number = count(a), text = "a < " + std::to_string(10 * percent)] {
            upsweep::copy_if(queue(), x, to, number, text);
        };
    }
    static call copy_flagged(const arrays& a, std::uint64_t n) {
        const upsweep::span<const std::uint8_t> flags(a.flags, static_cast<std::size_t>(n));
        return [=, x = values(a, n), to = out(a, n), number = count(a)] {
            upsweep::copy_if(queue(), x, to, number, flags);
        };
    }
    static call partition(const arrays& a, std::uint64_t n, int percent) {
        return [x = values(a, n), to = out(a, n), number = count(a), text = "a < " + std::to_string(10 * percent)] {
            upsweep::partition(queue(), x, to, number, text);
        };
    }

    static call unique(arrays& a, std::uint64_t n, const std::string& kind) {
        return [x = keys(a, n, kind), to = out(a, n), number = count(a)] { upsweep::unique(queue(), x, to, number); };
    }
    static call run_length_encode(arrays& a, std::uint64_t n, const std::string& kind) {
        return [x = keys(a, n, kind), to = out(a, n), lengths = more(a, n), number = count(a)] {
            upsweep::run_length_encode(queue(), x, to, lengths, number);
        };
    }
    static call reduce_by_key(arrays& a, std::uint64_t n, const std::string& kind) {
        return [in = upsweep::keyed(values(a, n), keys(a, n, kind)), to = out(a, n), sums = more(a, n),
                number = count(a)] { upsweep::reduce_by_key(queue(), in, to, sums, number); };
    }
    static call scan_by_key(arrays& a, std::uint64_t n, const std::string& kind, bool exclusive) {
        return scan_segments(upsweep::keyed(values(a, n), keys(a, n, kind)), out(a, n), exclusive);
    }
    static call scan_rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return scan_segments(rows(a, n, width), out(a, n), false);
    }
    static call segmented_reduce(arrays& a, std::uint64_t n, const std::string& kind) {
        const std::size_t count_of_offsets = a.segments(kind, n).size();
        const upsweep::span<const std::uint32_t> offsets(a.offsets(kind, n), count_of_offsets);
        return [in = upsweep::segments(values(a, n), offsets), to = out(a, count_of_offsets - 1)] {
            upsweep::reduce(queue(), in, to, 0);
        };
    }
    static call reduce_rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return [in = rows(a, n, width), to = out(a, n / width)] { upsweep::reduce(queue(), in, to, 0); };
    }

private:
    static upsweep::segmented_view<std::int32_t> rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return upsweep::rows(values(a, n), static_cast<std::size_t>(n / width), static_cast<std::size_t>(width));
    }
    static call scan_segments(const upsweep::segmented_view<std::int32_t>& in, output to, bool exclusive) {
        return [=] {
            if (exclusive)
                upsweep::exclusive_scan(queue(), in, to, 0);
            else
                upsweep::inclusive_scan(queue(), in, to);
        };
    }
};

} // namespace

int main(int argc, char** argv) {
    describe_target();
    family_rows<upsweep_side>::add_all();
    return run_rows(argc, argv);
}
