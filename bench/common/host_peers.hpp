// SPDX-License-Identifier: MIT
#pragma once

// The host's own algorithms: the standard library's and TBB's. They block, so their calls run one after another, as
// many per sample as on the device.

#include "reference.hpp"
#include "rows.hpp"

#include <chrono>
#include <numeric>

#if defined(UPSWEEP_BENCH_TBB)
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>

#include <execution>
#endif

namespace bench {

/// A row of a blocking call on host arrays.
inline prepared_call time_host_call(std::uint64_t n, std::function<void()> call) {
    prepared_call prepared;
    prepared.run = call;
    prepared.seconds = [call = std::move(call), calls = n >= device_clock_from ? 1 : calls_per_sample] {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i) call();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
    };
    return prepared;
}

template <class T>
reader<T> read_host_output() {
    return [](std::uint64_t offset, std::uint64_t count, T* into) {
        const T* const begin = host<T>().output(0).get() + offset;
        std::copy(begin, begin + count, into);
    };
}

/// @param scan  called with the input's begin and end and the output's begin
template <class T, class Op, class Scan>
prepared_call host_scan(std::uint64_t n, bool exclusive, Scan scan) {
    const T* in = host<T>().input(n).get();
    T* out = host<T>().output(n).get();
    prepared_call prepared = time_host_call(n, [=] { scan(in, in + n, out); });
    prepared.poison = [n] { host<T>().poison_output(n); };
    prepared.check = [=] { return check_scan<T, Op>(n, exclusive, read_host_output<T>()); };
    return prepared;
}

/// @param reduce  called with the input's begin and end, returns the result
template <class T, class Op, class Reduce>
prepared_call host_reduce(std::uint64_t n, Reduce reduce) {
    const T* in = host<T>().input(n).get();
    T* out = host<T>().output(n).get();
    prepared_call prepared = time_host_call(n, [=] {
        *out = reduce(in, in + n);
        benchmark::ClobberMemory();
    });
    prepared.poison = [] { host<T>().poison_output(1); };
    prepared.check = [=] { return check_reduce<T, Op>(n, read_host_output<T>()); };
    return prepared;
}

template <class T, class Op, class... Policy>
prepared_call std_scan(std::uint64_t n, bool exclusive, Policy... policy) {
    return host_scan<T, Op>(n, exclusive, [=](const T* first, const T* last, T* out) {
        if (exclusive)
            std::exclusive_scan(policy..., first, last, out, Op::template identity<T>(), Op{});
        else
            std::inclusive_scan(policy..., first, last, out, Op{});
    });
}

template <class T, class Op, class... Policy>
prepared_call std_reduce(std::uint64_t n, Policy... policy) {
    return host_reduce<T, Op>(n, [=](const T* first, const T* last) {
        return std::reduce(policy..., first, last, Op::template identity<T>(), Op{});
    });
}

template <class T>
prepared_call host_copy(std::uint64_t n) {
    const T* in = host<T>().input(n).get();
    T* out = host<T>().output(n).get();
    prepared_call prepared = time_host_call(n, [=] {
        std::memcpy(static_cast<void*>(out), in, static_cast<std::size_t>(n) * sizeof(T));
        benchmark::ClobberMemory();
    });
    prepared.poison = [n] { host<T>().poison_output(n); };
    prepared.check = [=] { return out[n - 1] == in[n - 1] ? std::string() : wrong_element(n - 1); };
    return prepared;
}

#if defined(UPSWEEP_BENCH_TBB)

template <class T, class Op>
prepared_call tbb_scan(std::uint64_t n, bool exclusive) {
    return host_scan<T, Op>(n, exclusive, [=](const T* first, const T* last, T* out) {
        using range = tbb::blocked_range<const T*>;
        const auto body = [=](const range& r, T running, bool is_final) {
            for (const T* in = r.begin(); in != r.end(); ++in) {
                const T before = running;
                running = Op{}(running, *in);
                if (is_final) out[in - first] = exclusive ? before : running;
            }
            return running;
        };
        tbb::parallel_scan(range(first, last), Op::template identity<T>(), body, Op{});
    });
}

template <class T, class Op>
prepared_call tbb_reduce(std::uint64_t n) {
    return host_reduce<T, Op>(n, [](const T* first, const T* last) {
        using range = tbb::blocked_range<const T*>;
        const auto body = [](const range& r, T running) {
            for (const T& element : r) running = Op{}(running, element);
            return running;
        };
        return tbb::parallel_reduce(range(first, last), Op::template identity<T>(), body, Op{});
    });
}

#endif

} // namespace bench
