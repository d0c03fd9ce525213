// SPDX-License-Identifier: MIT
// The rows of NVIDIA's CUB beside those of bench_family.

#include "common/cuda_side.cuh"
#include "common/family_rows.hpp"
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

using namespace bench;

struct less_than {
    std::int32_t bound;
    __host__ __device__ bool operator()(std::int32_t value) const { return value < bound; }
};

struct square {
    __host__ __device__ std::int32_t operator()(std::int32_t value) const { return value * value; }
};

/// The product of two arrays' elements i.
struct product {
    const std::int32_t* x;
    const std::int32_t* y;
    __host__ __device__ std::int32_t operator()(std::int64_t i) const { return x[i] * y[i]; }
};

/// Where row r begins; or the row that element i belongs to.
struct times {
    std::int64_t width;
    __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * width; }
};
struct divided_by {
    std::uint32_t width;
    __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return i / width; }
};

struct cub_side {
    using device = cuda_memory;
    using arrays = family_arrays<cuda_memory>;
    using call = std::function<void()>;

    static constexpr const char* library = "cub";
    static constexpr const char* copy_library = "cuda_copy";
    static constexpr bool partitions_backwards = true;

    static double host_seconds(const call& one, int calls) { return cuda_host_seconds(one, calls); }
    static std::int32_t* ints(const cuda_memory::array& a) { return static_cast<std::int32_t*>(a.get()); }
    static std::uint32_t* count(const arrays& a) { return static_cast<std::uint32_t*>(a.count.get()); }

    static call copy(const arrays& a, std::uint64_t n) {
        return [&a, bytes = static_cast<std::size_t>(n) * sizeof(std::int32_t)] {
            check_cuda(cudaMemcpyAsync(a.out.get(), a.values.get(), bytes, cudaMemcpyDeviceToDevice));
        };
    }
    static call scan(const arrays& a, std::uint64_t n) {
        return with_own_storage([x = ints(a.values), out = ints(a.out),
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceScan::ExclusiveSum(storage, bytes, x, out, m);
        });
    }
    static call reduce(const arrays& a, std::uint64_t n) {
        return with_own_storage([x = ints(a.values), out = ints(a.out),
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceReduce::Sum(storage, bytes, x, out, m);
        });
    }
    static call min_element(const arrays& a, std::uint64_t n) {
        auto* place = static_cast<std::int64_t*>(a.more.get());
        return with_own_storage([x = ints(a.values), out = ints(a.out), place,
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceReduce::ArgMin(storage, bytes, x, out, place, m);
        });
    }
    static std::pair<std::int32_t, std::uint64_t> found_element(const arrays& a) {
        std::int32_t value = 0;
        std::int64_t place = 0;
        cuda_memory::read(a.out, 0, sizeof value, &value);
        cuda_memory::read(a.more, 0, sizeof place, &place);
        return {value, static_cast<std::uint64_t>(place)};
    }
    static call sum_of_squares(const arrays& a, std::uint64_t n) {
        return with_own_storage([x = ints(a.values), out = ints(a.out),
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceReduce::TransformReduce(storage, bytes, x, out, m, cuda::std::plus<>{}, square{},
                                                      std::int32_t{0});
        });
    }
    static call dot_product(const arrays& a, std::uint64_t n) {
        const product terms{ints(a.values), ints(a.others)};
        return with_own_storage(
            [terms, out = ints(a.out), m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
                return cub::DeviceReduce::TransformReduce(storage, bytes, thrust::counting_iterator<std::int64_t>(0),
                                                          out, m, cuda::std::plus<>{}, terms, std::int32_t{0});
            });
    }

    static call copy_if(const arrays& a, std::uint64_t n, int percent) {
        return with_own_storage([x = ints(a.values), out = ints(a.out), number = count(a),
                                 which = less_than{10 * percent},
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceSelect::If(storage, bytes, x, out, number, m, which);
        });
    }
    static call copy_flagged(const arrays& a, std::uint64_t n) {
        const auto* flags = static_cast<const std::uint8_t*>(a.flags.get());
        return with_own_storage([x = ints(a.values), flags, out = ints(a.out), number = count(a),
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceSelect::Flagged(storage, bytes, x, flags, out, number, m);
        });
    }
    static call partition(const arrays& a, std::uint64_t n, int percent) {
        return with_own_storage([x = ints(a.values), out = ints(a.out), number = count(a),
                                 which = less_than{10 * percent},
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DevicePartition::If(storage, bytes, x, out, number, m, which);
        });
    }

    static call unique(arrays& a, std::uint64_t n, const std::string& kind) {
        return with_own_storage([x = ints(a.keys(kind, n)), out = ints(a.out), number = count(a),
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceSelect::Unique(storage, bytes, x, out, number, m);
        });
    }
    static call run_length_encode(arrays& a, std::uint64_t n, const std::string& kind) {
        return with_own_storage([x = ints(a.keys(kind, n)), out = ints(a.out), lengths = ints(a.more),
                                 number = count(a), m = static_cast<int>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceRunLengthEncode::Encode(storage, bytes, x, out, lengths, number, m);
        });
    }
    static call reduce_by_key(arrays& a, std::uint64_t n, const std::string& kind) {
        return with_own_storage([keys = ints(a.keys(kind, n)), x = ints(a.values), out = ints(a.out),
                                 sums = ints(a.more), number = count(a),
                                 m = static_cast<int>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceReduce::ReduceByKey(storage, bytes, keys, out, x, sums, number, cuda::std::plus<>{}, m);
        });
    }
    static call scan_by_key(arrays& a, std::uint64_t n, const std::string& kind, bool exclusive) {
        return scan_keys(ints(a.keys(kind, n)), a, n, exclusive);
    }
    /// CUB 3.0 has no scan of segments: by key, of which the row is computed.
    static call scan_rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return scan_keys(thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                                         divided_by{static_cast<std::uint32_t>(width)}),
                         a, n, false);
    }
    static call segmented_reduce(arrays& a, std::uint64_t n, const std::string& kind) {
        const auto* offsets = static_cast<const std::uint32_t*>(a.offsets(kind, n).get());
        return reduce_segments(a, static_cast<std::int64_t>(a.segments(kind, n).size() - 1), offsets);
    }
    static call reduce_rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return reduce_segments(a, static_cast<std::int64_t>(n / width),
                               thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                               times{static_cast<std::int64_t>(width)}));
    }

    template <class Keys>
    static call scan_keys(Keys keys, const arrays& a, std::uint64_t n, bool exclusive) {
        return with_own_storage([keys, x = ints(a.values), out = ints(a.out), exclusive,
                                 m = static_cast<std::uint32_t>(n)](void* storage, std::size_t& bytes) {
            if (exclusive) return cub::DeviceScan::ExclusiveSumByKey(storage, bytes, keys, x, out, m);
            return cub::DeviceScan::InclusiveSumByKey(storage, bytes, keys, x, out, m);
        });
    }
    template <class Offsets>
    static call reduce_segments(const arrays& a, std::int64_t segments, Offsets offsets) {
        return with_own_storage(
            [x = ints(a.values), out = ints(a.out), segments, offsets](void* storage, std::size_t& bytes) {
                return cub::DeviceSegmentedReduce::Sum(storage, bytes, x, out, segments, offsets, offsets + 1);
            });
    }
};

} // namespace

int main(int argc, char** argv) {
    if (!describe_cuda_device("bench_cub_family")) return 1;
    family_rows<cub_side>::add_all();
    return run_rows(argc, argv);
}
