// SPDX-License-Identifier: MIT
// The rows of NVIDIA's CUB beside those of bench_family.

#include "common/cub_calls.cuh"
#include "common/family_rows.hpp"

namespace {

using namespace bench;

struct square {
    __host__ __device__ std::int32_t operator()(std::int32_t value) const { return value * value; }
};

/// The product of two arrays' elements i.
struct product {
    const std::int32_t* x;
    const std::int32_t* y;
    __host__ __device__ std::int32_t operator()(std::int64_t i) const { return x[i] * y[i]; }
};

/// Where row r begins.
struct times {
    std::int64_t width;
    __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * width; }
};

/// What only int32 has rows of.
struct cub_side : cub_calls<std::int32_t> {
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
    static call copy_flagged(const arrays& a, std::uint64_t n) {
        const auto* flags = static_cast<const std::uint8_t*>(a.flags.get());
        return with_own_storage([x = ints(a.values), flags, out = ints(a.out), number = count(a),
                                 m = static_cast<std::int64_t>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceSelect::Flagged(storage, bytes, x, flags, out, number, m);
        });
    }
    static call run_length_encode(arrays& a, std::uint64_t n, const std::string& kind) {
        return with_own_storage([x = ints(a.keys(kind, n)), out = ints(a.out), lengths = ints(a.more),
                                 number = count(a), m = static_cast<int>(n)](void* storage, std::size_t& bytes) {
            return cub::DeviceRunLengthEncode::Encode(storage, bytes, x, out, lengths, number, m);
        });
    }
    static constexpr bool has_columns = false;
    static call reduce_rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return reduce_segments(a, static_cast<std::int64_t>(n / width),
                               thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                               times{static_cast<std::int64_t>(width)}));
    }
};

} // namespace

int main(int argc, char** argv) {
    if (!describe_cuda_device("bench_cub_family")) return 1;
    family_rows<cub_side>::add_all();
    return run_rows(argc, argv);
}
