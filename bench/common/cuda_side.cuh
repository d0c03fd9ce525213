// SPDX-License-Identifier: MIT
#pragma once

// What the programs on CUB share: memory, clock and temporary storage.

#include "rows.hpp"
#include <cub/cub.cuh>

#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace bench {

inline void check_cuda(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}

/// Device memory.
struct cuda_memory {
    using array = std::shared_ptr<void>;

    static array make(std::size_t bytes) {
        void* data = nullptr;
        check_cuda(cudaMalloc(&data, bytes));
        return {data, [](void* used) { cudaFree(used); }};
    }
    static void write(const array& to, std::size_t offset, std::size_t bytes, const void* from) {
        check_cuda(cudaMemcpy(static_cast<char*>(to.get()) + offset, from, bytes, cudaMemcpyHostToDevice));
    }
    static void read(const array& from, std::size_t offset, std::size_t bytes, void* to) {
        check_cuda(cudaMemcpy(to, static_cast<const char*>(from.get()) + offset, bytes, cudaMemcpyDeviceToHost));
    }
    static void poison(const array& what, std::size_t bytes) {
        check_cuda(cudaMemset(what.get(), 0xa5, bytes));
        check_cuda(cudaDeviceSynchronize());
    }
};

/// The host's clock over several calls and one wait, per call.
inline double cuda_host_seconds(const std::function<void()>& call, int calls) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    check_cuda(cudaDeviceSynchronize());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

/// CUB is asked for the size of its storage first; the row's calls then have storage that fits, which they keep alive.
template <class Call>
std::function<void()> with_own_storage(Call call) {
    std::size_t bytes = 0;
    check_cuda(call(static_cast<void*>(nullptr), bytes));
    const auto storage = cuda_memory::make(bytes > 0 ? bytes : 1);
    return [=] {
        std::size_t size = bytes;
        check_cuda(call(storage.get(), size));
    };
}

/// What runs, for the results file. Returns whether there is a device.
inline bool describe_cuda_device(const char* program) {
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, 0); status != cudaSuccess) {
        std::cerr << program << ": no CUDA device: " << cudaGetErrorString(status) << '\n';
        return false;
    }
    benchmark::AddCustomContext("cuda_device", properties.name);
    benchmark::AddCustomContext("cub_version", std::to_string(CUB_VERSION));
    return true;
}

} // namespace bench
