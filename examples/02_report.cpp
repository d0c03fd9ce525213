// SPDX-License-Identifier: MIT
// Scan and reduce on the device and on one CPU core: how long they take, and whether they agree.
//
//   02_report [<count>]     count: elements of int32, 2^24 by default
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int batches = 7;         // the median of these is reported
constexpr int calls_per_batch = 4; // back to back, so that the time to enqueue them does not count

using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point begin) {
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

struct device_time {
    double seconds = 0;
    bool by_device_clock = true;
};

/// The time of one call on the device: from a marker in front of a batch of calls to the end of the last one, by the
/// device's clock, or by the host's where the driver does not profile markers.
template <class Call>
device_time time_on_device(const cl::CommandQueue& queue, Call call) {
    call().wait(); // the first call builds the kernels
    device_time result;
    std::vector<double> times;
    for (int batch = 0; batch < batches; ++batch) {
        queue.finish();
        const auto begin = steady_clock::now();
        cl::Event marker;
        cl::Event last;
        queue.enqueueMarkerWithWaitList(nullptr, &marker);
        for (int i = 0; i < calls_per_batch; ++i) last = call();
        last.wait();
        double time = seconds_since(begin);
        try {
            const cl_ulong from = marker.getProfilingInfo<CL_PROFILING_COMMAND_END>();
            const cl_ulong to = last.getProfilingInfo<CL_PROFILING_COMMAND_END>();
            time = static_cast<double>(to - from) * 1e-9;
        } catch (const cl::Error&) {
            result.by_device_clock = false;
        }
        times.push_back(time / calls_per_batch);
    }
    result.seconds = median(times);
    return result;
}

template <class Call>
double time_on_host(Call call) {
    std::vector<double> times;
    for (int i = 0; i < batches; ++i) {
        const auto begin = steady_clock::now();
        call();
        times.push_back(seconds_since(begin));
    }
    return median(times);
}

void list_devices() {
    const cl::Device used = upsweep::default_device().device;
    std::cout << "OpenCL devices (* is used; UPSWEEP_DEVICE=<part of a name> chooses another)\n";
    for (const upsweep::device_info& d : upsweep::devices())
        std::cout << (d.device() == used() ? "  * " : "    ") << d << '\n';
}

/// One line of the report. `bytes`: what a call has to read and write at least.
void print_row(const char* name, device_time device, double host, double bytes, bool correct) {
    const auto show = [bytes](double seconds) {
        std::cout << std::setw(10) << std::setprecision(3) << seconds * 1e3 << " ms" << std::setw(9)
                  << std::setprecision(1) << bytes / seconds * 1e-9 << " GB/s";
    };
    std::cout << "  " << std::left << std::setw(15) << name << std::right << std::fixed;
    show(device.seconds);
    show(host);
    std::cout << std::setw(10) << host / device.seconds << "x   correct: " << (correct ? "yes" : "no") << '\n';
}

bool report(std::size_t n) {
    std::mt19937 random(1);
    std::vector<std::int32_t> in(n);
    for (std::int32_t& x : in) x = static_cast<std::int32_t>(random() % 201) - 100; // no sum leaves the int32 range
    std::vector<std::int32_t> expected(n);
    std::int32_t expected_sum = 0;
    const double scan_host = time_on_host([&] { std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0); });
    const double reduce_host = time_on_host([&] { expected_sum = std::accumulate(in.begin(), in.end(), 0); });

    const cl::CommandQueue queue = upsweep::default_queue(CL_QUEUE_PROFILING_ENABLE);
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const std::size_t bytes = n * sizeof(std::int32_t);
    const cl::Buffer in_buffer(context, CL_MEM_READ_ONLY, bytes);
    const cl::Buffer out_buffer(context, CL_MEM_READ_WRITE, bytes);
    const cl::Buffer sum_buffer(context, CL_MEM_READ_WRITE, sizeof(std::int32_t));
    queue.enqueueWriteBuffer(in_buffer, CL_TRUE, 0, bytes, in.data());
    const upsweep::span<const std::int32_t> from(in_buffer, n);
    const upsweep::span<std::int32_t> to(out_buffer, n);
    const upsweep::span<std::int32_t> sum_to(sum_buffer, 1);
    const auto scan_device = time_on_device(queue, [&] { return upsweep::exclusive_scan(queue, from, to, 0); });
    const auto reduce_device = time_on_device(queue, [&] { return upsweep::reduce(queue, from, sum_to, 0); });

    std::vector<std::int32_t> out(n);
    std::int32_t sum = 0;
    queue.enqueueReadBuffer(out_buffer, CL_TRUE, 0, bytes, out.data());
    queue.enqueueReadBuffer(sum_buffer, CL_TRUE, 0, sizeof sum, &sum);
    const bool scan_correct = out == expected; // element by element
    const bool reduce_correct = sum == expected_sum;
    std::cout << '\n'
              << n << " elements of int32\n"
              << std::string(22, ' ') << "device" << std::string(21, ' ') << "one CPU core              speedup\n";
    print_row("exclusive_scan", scan_device, scan_host, 2.0 * static_cast<double>(bytes), scan_correct);
    print_row("reduce", reduce_device, reduce_host, static_cast<double>(bytes), reduce_correct);
    std::cout
        << "\nDevice: by the " << (scan_device.by_device_clock ? "device's" : "host's")
        << " clock, warm, without copies. CPU: std::exclusive_scan, std::accumulate. Medians of " << batches
        << ".\nGB/s: one read, and for the scan one write, per element; the device moves more where it needs more "
           "passes.\n";
    return scan_correct && reduce_correct;
}

std::size_t count_from(const std::string& text) {
    if (text.empty() || text.size() > 12 || text.find_first_not_of("0123456789") != std::string::npos ||
        std::stoull(text) == 0)
        throw std::invalid_argument("usage: 02_report [<count>], with a count of at least 1");
    return std::stoull(text);
}

} // namespace

int main(int argc, char** argv) try {
    const std::size_t n = argc > 1 ? count_from(argv[1]) : std::size_t{1} << 24;
    list_devices();
    return report(n) ? 0 : 1;
} catch (const cl::Error& problem) {
    std::cerr << problem.what() << ": OpenCL status " << problem.err() << '\n';
    return 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
