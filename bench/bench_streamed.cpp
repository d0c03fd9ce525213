// SPDX-License-Identifier: MIT
// Streamed host ranges against what the same bytes take without work. Prints GB/s of input and output together.
//
//   bench_streamed vector     ordinary vectors: upload, scan, download one after another, and streamed
//   bench_streamed device     one array in place, with little device memory; the same transfers without a scan in
//                             between, with and without the copies between ordinary and pinned memory
//   bench_streamed mapped     one mapped file into another, against memcpy; POSIX only
//
// and after that any of, with their usual values:
//   log2=28                   elements of 4 bytes (device: 34, mapped: 29)
//   memory=0                  MiB of device memory that are allowed (device: 1024, mapped: 256)
//   repeat=5                  times; the shortest counts
//   folder=.                  mapped: where the files are made
//   piece= chunk= host_piece= KiB of a piece, of a chunk that one thread copies, and of a piece in host memory
//   slots= threads=           pieces on the device, threads each way
#include <upsweep/upsweep.hpp>

#include "common/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>

#if __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#define BENCH_HAS_MMAP
#endif

namespace {

namespace detail = upsweep::detail;
using element = std::uint32_t;

constexpr element factor = 2654435761U;

std::map<std::string, std::string> given;

std::uint64_t number(const std::string& name, std::uint64_t usual) {
    const auto found = given.find(name);
    return found == given.end() ? usual : std::stoull(found->second);
}

double gigabytes(std::uint64_t n) {
    return 2.0 * static_cast<double>(n) * sizeof(element) / 1e9;
}

template <class Work>
void for_each_index(std::uint64_t n, const Work& work) {
    const auto ranges = bench::split_for_threads(0, n);
    bench::in_parallel(ranges.size(), [&](std::size_t share) {
        for (std::uint64_t i = ranges[share].begin; i < ranges[share].end; ++i) work(i);
    });
}

void make_input(element* in, std::uint64_t n) {
    for_each_index(n, [&](std::uint64_t i) { in[i] = static_cast<element>(i) * factor; });
}

/// The sum of the elements up to i has a closed form.
bool is_scanned(const element* out, std::uint64_t n) {
    std::atomic<std::uint64_t> wrong{0};
    for_each_index(n, [&](std::uint64_t i) {
        const std::uint64_t sum = i % 2 == 0 ? i / 2 * (i + 1) : (i + 1) / 2 * i;
        if (out[i] != static_cast<element>(sum) * factor) ++wrong;
    });
    return wrong == 0;
}

/// The shortest time of a few, in seconds. `prepare` is not timed.
double shortest(const std::function<void()>& prepare, const std::function<void()>& work) {
    double best = std::numeric_limits<double>::max();
    for (std::uint64_t i = 0; i < number("repeat", 5); ++i) {
        prepare();
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void print(const std::string& what, std::uint64_t n, double seconds) {
    std::cout << what << ": " << gigabytes(n) / seconds << " GB/s, " << seconds * 1e3 << " ms" << std::endl;
}

/// Ordinary memory whose pages were made by all threads.
std::shared_ptr<element> allocate(std::uint64_t n) {
    const std::shared_ptr<element> memory(new element[static_cast<std::size_t>(n)], std::default_delete<element[]>());
    for_each_index(n, [&](std::uint64_t i) { memory.get()[i] = 1; });
    return memory;
}

upsweep::options limited(std::uint64_t usual_mib) {
    upsweep::options opts;
    opts.device_memory = number("memory", usual_mib) << 20;
    return opts;
}

bool run_vector() {
    const std::uint64_t n = std::uint64_t{1} << number("log2", 28);
    const auto queue = upsweep::default_queue();
    const auto in = allocate(n), out = allocate(n);
    make_input(in.get(), n);
    const auto opts = limited(0);
    bool right = true;
    const auto scan = [&] { upsweep::inclusive_scan(queue, in.get(), in.get() + n, out.get(), upsweep::plus{}, opts); };
    const auto poison = [&] { for_each_index(n, [&](std::uint64_t i) { out.get()[i] = 0xa5a5a5a5U; }); };
    detail::stream_settings& settings = detail::stream_settings::in_use();
    const std::uint64_t worthwhile = settings.worthwhile_bytes;
    settings.worthwhile_bytes = std::numeric_limits<std::uint64_t>::max();
    scan();
    print("one after another", n, shortest(poison, scan));
    right = right && is_scanned(out.get(), n);
    settings.worthwhile_bytes = worthwhile;
    poison();
    print("streamed, first call", n, [&] {
        const auto start = std::chrono::steady_clock::now();
        scan();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }());
    print("streamed", n, shortest(poison, scan));
    return right && is_scanned(out.get(), n);
}

/// The transfers of a call in place, without work in between.
void transfer(const cl::CommandQueue& queue, element* array, std::uint64_t n, const upsweep::options& opts) {
    const char* function = "transfer";
    const detail::queue_facts facts = detail::inspect_queue(function, queue);
    const detail::stream_settings& settings = detail::stream_settings::in_use();
    detail::host_problem p{function, n, sizeof(element), sizeof(element), false, true, opts.device_memory};
    detail::stream_job job;
    job.function = function;
    job.pieces =
        detail::divide(p, detail::limits_of(function, facts.device), settings.stage_slots, settings.piece_bytes);
    job.element_size = job.value_size = sizeof(element);
    job.in = job.out = array;
    job.in_place = true;
    job.work = [](const detail::piece_on_device&) {};
    job.opts = &opts;
    detail::stream_through_device(job, facts, settings);
}

/// As many bytes up and down at the same time, between pinned memory and the device alone.
void transfer_pinned(const cl::CommandQueue& queue, std::uint64_t n) {
    const detail::queue_facts facts = detail::inspect_queue("transfer_pinned", queue);
    const std::size_t bytes = std::size_t{1} << 26;
    detail::staging_size size;
    size.host = 2 * bytes;
    size.stage_slots = 2;
    size.in = bytes;
    const detail::staging_of<void> s("transfer_pinned", facts, size);
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t done = 0; done < n * sizeof(element); done += bytes) {
        detail::check_status(
            clEnqueueWriteBuffer(s.up(), s.stage_slots[0].in(), CL_FALSE, 0, bytes, s.host(), 0, nullptr, nullptr),
            "transfer_pinned", "clEnqueueWriteBuffer");
        detail::check_status(clEnqueueReadBuffer(s.down(), s.stage_slots[1].in(), CL_FALSE, 0, bytes, s.host() + bytes,
                                                 0, nullptr, nullptr),
                             "transfer_pinned", "clEnqueueReadBuffer");
        clFlush(s.up());
        clFlush(s.down());
    }
    clFinish(s.up());
    clFinish(s.down());
    print("transfers of pinned memory", n,
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

bool run_device() {
    const std::uint64_t n = std::uint64_t{1} << number("log2", 34);
    const auto queue = upsweep::default_queue();
    const auto opts = limited(1024);
    const auto array = allocate(n);
    const auto input = [&] { make_input(array.get(), n); };
    const auto nothing = [] {};
    for (int i = 0; i < 2; ++i) transfer_pinned(queue, n);
    print("transfers alone", n, shortest(nothing, [&] { transfer(queue, array.get(), n, opts); }));
    const double seconds = shortest(input, [&] {
        upsweep::inclusive_scan(queue, array.get(), array.get() + n, array.get(), upsweep::plus{}, opts);
    });
    print("scan", n, seconds);
    const bool right = is_scanned(array.get(), n);
    print("transfers alone, again", n, shortest(nothing, [&] { transfer(queue, array.get(), n, opts); }));
    return right;
}

#if defined(BENCH_HAS_MMAP)
/// A file that is mapped, deleted at the end.
class mapped_file {
public:
    mapped_file(const std::string& name, std::uint64_t bytes)
        : name_(name)
        , bytes_(static_cast<std::size_t>(bytes))
        , file_(open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600)) {
        if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes)) != 0)
            throw std::runtime_error("cannot make " + name);
        map();
    }
    ~mapped_file() {
        munmap(data_, bytes_);
        close(file_);
        unlink(name_.c_str());
    }
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;

    element* data() const { return static_cast<element*>(data_); }
    /// Mapped anew: its pages have yet to be touched.
    void map_again() {
        munmap(data_, bytes_);
        map();
    }

private:
    void map() {
        data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        if (data_ == MAP_FAILED) throw std::runtime_error("cannot map " + name_);
    }

    std::string name_;
    std::size_t bytes_;
    int file_;
    void* data_ = nullptr;
};

bool run_mapped() {
    const std::uint64_t n = number("log2", 0) ? std::uint64_t{1} << number("log2", 0) : std::uint64_t{3} << 29;
    const auto queue = upsweep::default_queue();
    const auto opts = limited(256);
    const std::string folder = given.count("folder") ? given["folder"] : ".";
    mapped_file in(folder + "/bench_streamed.in", n * sizeof(element));
    mapped_file out(folder + "/bench_streamed.out", n * sizeof(element));
    make_input(in.data(), n);
    const auto again = [&] { in.map_again(), out.map_again(); };
    const auto copy = [&] { std::memcpy(out.data(), in.data(), static_cast<std::size_t>(n) * sizeof(element)); };
    const auto copy_in_parallel = [&] {
        const auto ranges = bench::split_for_threads(0, n);
        bench::in_parallel(ranges.size(), [&](std::size_t share) {
            const auto range = ranges[share];
            std::memcpy(out.data() + range.begin, in.data() + range.begin,
                        static_cast<std::size_t>(range.end - range.begin) * sizeof(element));
        });
    };
    const auto scan = [&] {
        upsweep::inclusive_scan(queue, in.data(), in.data() + n, out.data(), upsweep::plus{}, opts);
    };
    copy(); // the files' blocks are there from now on
    print("memcpy, one thread", n, shortest(again, copy));
    print("memcpy, all threads", n, shortest(again, copy_in_parallel));
    print("scan", n, shortest(again, scan));
    const bool right = is_scanned(out.data(), n);
    print("memcpy, one thread, again", n, shortest(again, copy));
    return right;
}
#else
bool run_mapped() {
    throw std::runtime_error("no mapped files on this system");
}
#endif

bool run(const std::string& what) {
    detail::stream_settings& settings = detail::stream_settings::in_use();
    settings.piece_bytes = static_cast<std::size_t>(number("piece", settings.piece_bytes >> 10) << 10);
    settings.chunk_bytes = static_cast<std::size_t>(number("chunk", settings.chunk_bytes >> 10) << 10);
    settings.host_piece_bytes = static_cast<std::size_t>(number("host_piece", settings.host_piece_bytes >> 10) << 10);
    settings.stage_slots = static_cast<unsigned>(number("slots", settings.stage_slots));
    settings.threads = static_cast<unsigned>(number("threads", settings.threads));
    if (what == "vector") return run_vector();
    if (what == "device") return run_device();
    if (what == "mapped") return run_mapped();
    throw std::runtime_error("the first argument is vector, device or mapped");
}

} // namespace

int main(int argc, char** argv) try {
    for (int i = 2; i < argc; ++i) {
        const std::string argument = argv[i];
        const std::size_t equals = argument.find('=');
        if (equals == std::string::npos) throw std::runtime_error(argument + " is not name=value");
        given[argument.substr(0, equals)] = argument.substr(equals + 1);
    }
    std::cout << upsweep::default_device() << std::endl;
    const bool right = run(argc > 1 ? argv[1] : "");
    std::cout << (right ? "right" : "WRONG") << std::endl;
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
