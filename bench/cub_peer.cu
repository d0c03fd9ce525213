// SPDX-License-Identifier: MIT
// The rows of NVIDIA's CUB: same inputs, sizes, clocks, checks and names as in bench_scan, bench_reduce and
// bench_latency, so that their results can stand side by side.

#include "common/reference.hpp"
#include "common/rows.hpp"
#include <cub/cub.cuh>

#include <chrono>
#include <iostream>
#include <stdexcept>

namespace {

using namespace bench;

void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}

/// Device memory that grows when more is asked for.
class device_block {
public:
    device_block() = default;
    device_block(const device_block&) = delete;
    device_block& operator=(const device_block&) = delete;
    ~device_block() { cudaFree(data_); }

    void* get(std::size_t bytes) {
        if (bytes > bytes_) {
            check(cudaFree(data_));
            data_ = nullptr;
            bytes_ = 0;
            check(cudaMalloc(&data_, bytes));
            bytes_ = bytes;
        }
        return data_;
    }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Input and output of one type, and CUB's temporary storage.
template <class T>
class device_arrays {
public:
    const T* input(std::uint64_t n) {
        const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
        auto* data = static_cast<T*>(input_.get(bytes));
        if (n > filled_) {
            for_each_input_piece<T>(n, [data](std::uint64_t offset, std::uint64_t count, const T* from) {
                const std::size_t size = static_cast<std::size_t>(count) * sizeof(T);
                check(cudaMemcpy(data + offset, from, size, cudaMemcpyHostToDevice));
            });
            filled_ = n;
        }
        return data;
    }
    T* output(std::uint64_t n) { return static_cast<T*>(output_.get(static_cast<std::size_t>(n + 1) * sizeof(T))); }
    void* storage(std::size_t bytes) { return storage_.get(std::max<std::size_t>(bytes, 1)); }

    void poison_output(std::uint64_t n) {
        check(cudaMemset(output(n), poison_byte, static_cast<std::size_t>(n + 1) * sizeof(T)));
        check(cudaDeviceSynchronize());
    }
    reader<T> read_output() {
        return [this](std::uint64_t offset, std::uint64_t count, T* into) {
            check(cudaMemcpy(into, output(0) + offset, static_cast<std::size_t>(count) * sizeof(T),
                             cudaMemcpyDeviceToHost));
        };
    }

private:
    std::uint64_t filled_ = 0;
    device_block input_;
    device_block output_;
    device_block storage_;
};

template <class T>
device_arrays<T>& arrays() {
    static auto* const slot = new only_one;
    return slot->get<device_arrays<T>>();
}

using enqueue_call = std::function<void()>;

double host_seconds(const enqueue_call& call, int calls) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    check(cudaDeviceSynchronize());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

/// As on the OpenCL side: time stamps around one call, behind one that keeps the device busy.
double device_seconds(const enqueue_call& call) {
    static const auto make_event = [] {
        cudaEvent_t event = nullptr;
        check(cudaEventCreate(&event));
        return event;
    };
    static const cudaEvent_t before = make_event();
    static const cudaEvent_t behind = make_event();
    call();
    check(cudaEventRecord(before));
    call();
    check(cudaEventRecord(behind));
    check(cudaEventSynchronize(behind));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, before, behind));
    return static_cast<double>(milliseconds) * 1e-3;
}

prepared_call time_call(std::uint64_t n, enqueue_call call, bool latency) {
    prepared_call prepared;
    prepared.run = [call] { host_seconds(call, 1); };
    if (latency)
        prepared.seconds = [call] { return host_seconds(call, 1); };
    else if (n >= device_clock_from)
        prepared.seconds = [call] { return device_seconds(call); };
    else
        prepared.seconds = [call] { return host_seconds(call, calls_per_sample); };
    return prepared;
}

/// Calls CUB once for the size of its storage; the row's call then has storage that fits.
template <class T, class Call>
enqueue_call with_storage(Call call) {
    std::size_t bytes = 0;
    check(call(nullptr, bytes));
    void* storage = arrays<T>().storage(bytes);
    return [=]() mutable { check(call(storage, bytes)); };
}

template <class T, class Op>
prepared_call cub_scan(std::uint64_t n, bool latency) {
    const T* in = arrays<T>().input(n);
    T* out = arrays<T>().output(n);
    const auto count = static_cast<std::int64_t>(n);
    auto call = with_storage<T>([=](void* storage, std::size_t& bytes) {
        if constexpr (std::is_same_v<Op, sum>)
            return cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, count);
        else if constexpr (std::is_same_v<Op, larger>)
            return cub::DeviceScan::InclusiveScan(storage, bytes, in, out, cuda::maximum<>{}, count);
        else
            return cub::DeviceScan::ExclusiveScan(storage, bytes, in, out, Op{}, Op::template identity<T>(), count);
    });
    prepared_call prepared = time_call(n, std::move(call), latency);
    prepared.poison = [n] { arrays<T>().poison_output(n); };
    prepared.check = [n] { return check_scan<T, Op>(n, !std::is_same_v<Op, larger>, arrays<T>().read_output()); };
    return prepared;
}

/// CUB's reduction does not promise the order of operands, so `compose` has no row.
template <class T, class Op>
prepared_call cub_reduce(std::uint64_t n, bool latency) {
    const T* in = arrays<T>().input(n);
    T* out = arrays<T>().output(1);
    const auto count = static_cast<std::int64_t>(n);
    auto call = with_storage<T>([=](void* storage, std::size_t& bytes) {
        if constexpr (std::is_same_v<Op, sum>)
            return cub::DeviceReduce::Sum(storage, bytes, in, out, count);
        else
            return cub::DeviceReduce::Max(storage, bytes, in, out, count);
    });
    prepared_call prepared = time_call(n, std::move(call), latency);
    prepared.poison = [] { arrays<T>().poison_output(1); };
    prepared.check = [n] { return check_reduce<T, Op>(n, arrays<T>().read_output()); };
    return prepared;
}

template <class T>
prepared_call cuda_copy(std::uint64_t n) {
    const T* in = arrays<T>().input(n);
    T* out = arrays<T>().output(n);
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    prepared_call prepared = time_call(
        n, [=] { check(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); }, false);
    prepared.poison = [n] { arrays<T>().poison_output(n); };
    prepared.check = [n] {
        T last{};
        arrays<T>().read_output()(n - 1, 1, &last);
        return last == input_element<T>(n - 1) ? std::string() : wrong_element(n - 1);
    };
    return prepared;
}

__global__ void empty() {}

prepared_call empty_kernel() {
    prepared_call prepared = time_call(
        1,
        [] {
            empty<<<1, 1>>>();
            check(cudaGetLastError());
        },
        true);
    prepared.poison = [] {};
    prepared.check = [] { return std::string(); };
    return prepared;
}

template <class T, class Op>
void add_rows(const std::string& suffix, std::uint64_t n) {
    const std::uint64_t bytes = n * sizeof(T);
    const auto name = [&](const char* operation, const char* library) {
        return row_name(operation + suffix, library, "default", type_name<T>(), n);
    };
    add_row(name("scan", "cub"), 2 * bytes, [=] { return cub_scan<T, Op>(n, false); });
    add_row(name("scan", "cuda_copy"), 2 * bytes, [=] { return cuda_copy<T>(n); });
    if constexpr (!std::is_same_v<Op, compose>)
        add_row(name("reduce", "cub"), bytes, [=] { return cub_reduce<T, Op>(n, false); });
}

void add_latencies() {
    add_row(row_name("latency/empty_kernel", "cuda", "default", "int32", 1), 0, empty_kernel);
    for (const unsigned exponent : {6, 10, 16, 20}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        add_row(row_name("latency/scan", "cub", "default", "int32", n), 0,
                [=] { return cub_scan<std::int32_t, sum>(n, true); });
        add_row(row_name("latency/reduce", "cub", "default", "int32", n), 0,
                [=] { return cub_reduce<std::int32_t, sum>(n, true); });
    }
}

} // namespace

int main(int argc, char** argv) {
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, 0); status != cudaSuccess) {
        std::cerr << "bench_cub: no CUDA device: " << cudaGetErrorString(status) << '\n';
        return 1;
    }
    const std::size_t memory = properties.totalGlobalMem;
    int driver = 0;
    cudaDriverGetVersion(&driver);
    benchmark::AddCustomContext("cuda_device", properties.name);
    benchmark::AddCustomContext("cuda_driver_api", std::to_string(driver));
    benchmark::AddCustomContext("cub_version", std::to_string(CUB_VERSION));
    for_each_combination([&](auto element, auto op, const std::string& suffix) {
        using T = decltype(element);
        for (const unsigned exponent : size_exponents(sizeof(T) <= 4 ? 30 : 28, sizeof(T), memory - memory / 4))
            add_rows<T, decltype(op)>(suffix, std::uint64_t{1} << exponent);
    });
    add_latencies();
    return run_rows(argc, argv);
}
