// SPDX-License-Identifier: MIT
#pragma once

// What CUB's side of array_rows.hpp enqueues. Sums have an operator of the values' type: with one of any type, as those
// of CUB's own sums, smaller integers would be added up as ints.

#include "cuda_side.cuh"
#include "family_arrays.hpp"
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace bench {

template <class T>
struct less_than {
    T bound;
    __host__ __device__ bool operator()(T value) const { return value < bound; }
};

/// The row that element i belongs to.
struct divided_by {
    std::uint32_t width;
    __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return i / width; }
};

template <class T>
struct cub_calls {
    using element = T;
    using device = cuda_memory;
    using arrays = family_arrays<cuda_memory, T>;
    using call = std::function<void()>;
    using plus = cuda::std::plus<T>;

    static constexpr const char* library = "cub";
    static constexpr const char* copy_library = "cuda_copy";
    static constexpr bool partitions_backwards = true;

    static double host_seconds(const call& one, int calls) { return cuda_host_seconds(one, calls); }
    static T* values_in(const cuda_memory::array& a) { return static_cast<T*>(a.get()); }
    static std::int32_t* ints(const cuda_memory::array& a) { return static_cast<std::int32_t*>(a.get()); }
    static std::uint32_t* count(const arrays& a) { return static_cast<std::uint32_t*>(a.count.get()); }

    static call copy(const arrays& a, std::uint64_t n) {
        return [&a, bytes = static_cast<std::size_t>(n) * sizeof(T)] {
            check_cuda(cudaMemcpyAsync(a.out.get(), a.values.get(), bytes, cudaMemcpyDeviceToDevice));
        };
    }
    static call scan(const cuda_memory::array& from, const cuda_memory::array& into, std::uint64_t n) {
        return with_own_storage([x = values_in(from), out = values_in(into),
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceScan::ExclusiveScan(storage, bytes, x, out, plus{}, T{}, m);
        });
    }

    static call copy_if(const arrays& a, std::uint64_t n, T bound) {
        return with_own_storage([x = values_in(a.values), out = values_in(a.out), number = count(a),
                                 which = less_than<T>{bound},
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceSelect::If(storage, bytes, x, out, number, m, which);
        });
    }
    static call partition(const arrays& a, std::uint64_t n, T bound) {
        return with_own_storage([x = values_in(a.values), out = values_in(a.out), number = count(a),
                                 which = less_than<T>{bound},
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DevicePartition::If(storage, bytes, x, out, number, m, which);
        });
    }

    static call unique(arrays& a, std::uint64_t n, const std::string& kind) {
        return with_own_storage([x = values_in(a.runs(kind, n)), out = values_in(a.out), number = count(a),
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceSelect::Unique(storage, bytes, x, out, number, m);
        });
    }
    static call reduce_by_key(arrays& a, std::uint64_t n, const std::string& kind) {
        return with_own_storage([keys = ints(a.keys(kind, n)), x = values_in(a.values), out = ints(a.out),
                                 sums = values_in(a.more), number = count(a),
                                 m = static_cast<int>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceReduce::ReduceByKey(storage, bytes, keys, out, x, sums, number, plus{}, m);
        });
    }
    static call scan_by_key(arrays& a, std::uint64_t n, const std::string& kind, bool exclusive) {
        if (!exclusive) return scan_keys(ints(a.keys(kind, n)), a, n);
        return with_own_storage([keys = ints(a.keys(kind, n)), x = values_in(a.values), out = values_in(a.out),
                                 m = static_cast<std::uint32_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceScan::ExclusiveScanByKey(storage, bytes, keys, x, out, plus{}, T{}, m);
        });
    }
    /// CUB 3.0 has no scan of segments: by key, of which the row is computed.
    static call scan_rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return scan_keys(thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                                         divided_by{static_cast<std::uint32_t>(width)}),
                         a, n);
    }
    static call segmented_reduce(arrays& a, std::uint64_t n, const std::string& kind) {
        const auto* offsets = static_cast<const std::uint32_t*>(a.offsets(kind, n).get());
        return reduce_segments(a, static_cast<std::int64_t>(a.segments(kind, n).size() - 1), offsets);
    }

    template <class Keys>
    static call scan_keys(Keys keys, const arrays& a, std::uint64_t n) {
        return with_own_storage([keys, x = values_in(a.values), out = values_in(a.out),
                                 m = static_cast<std::uint32_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceScan::InclusiveScanByKey(storage, bytes, keys, x, out, plus{}, m);
        });
    }
    template <class Offsets>
    static call reduce_segments(const arrays& a, std::int64_t segments, Offsets offsets) {
        return with_own_storage(
            [x = values_in(a.values), out = values_in(a.out), segments, offsets](void* storage, std::size_t& bytes) {
                return cub::DeviceSegmentedReduce::Reduce(storage, bytes, x, out, segments, offsets, offsets + 1,
                                                          plus{}, T{});
            });
    }
};

} // namespace bench
