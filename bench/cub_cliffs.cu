// SPDX-License-Identifier: MIT
// The rows of NVIDIA's CUB beside those of bench_cliffs.

#include "common/cliff_rows.hpp"
#include "common/cuda_side.cuh"

namespace {

using namespace bench;

/// Arrays of one type for the input and of one for the output, with room for views that begin later.
template <class In, class Out>
class two_arrays {
public:
    static constexpr std::uint64_t room = 16;

    const cuda_memory::array& in() const { return in_; }
    const cuda_memory::array& out() const { return out_; }

    static two_arrays& of(std::uint64_t n) {
        static auto* const slot = new only_one;
        auto& mine = slot->get<two_arrays>();
        mine.reserve(n + room);
        return mine;
    }
    /// Reads the output from element `first` on.
    reader<Out> read_from(std::uint64_t first) const {
        return [this, first](std::uint64_t offset, std::uint64_t count, Out* into) {
            cuda_memory::read(out_, static_cast<std::size_t>(first + offset) * sizeof(Out),
                              static_cast<std::size_t>(count) * sizeof(Out), into);
        };
    }
    void poison(std::uint64_t n) const { cuda_memory::poison(out_, static_cast<std::size_t>(n + 1) * sizeof(Out)); }

private:
    void reserve(std::uint64_t n) {
        if (n <= count_) return;
        in_.reset();
        out_.reset();
        in_ = cuda_memory::make(static_cast<std::size_t>(n) * sizeof(In));
        out_ = cuda_memory::make(static_cast<std::size_t>(n + 1) * sizeof(Out));
        for_each_input_piece<In>(n, [this](std::uint64_t offset, std::uint64_t count, const In* from) {
            cuda_memory::write(in_, static_cast<std::size_t>(offset) * sizeof(In),
                               static_cast<std::size_t>(count) * sizeof(In), from);
        });
        count_ = n;
    }

    std::uint64_t count_ = 0;
    cuda_memory::array in_;
    cuda_memory::array out_;
};

prepared_call time_by_host(std::function<void()> call) {
    prepared_call prepared;
    prepared.run = [call] { cuda_host_seconds(call, 1); };
    prepared.seconds = [call] {
        return seconds_per_call([&call](int calls) { return cuda_host_seconds(call, calls); });
    };
    return prepared;
}

/// Where the order of operands decides: CUB's reductions do not promise it, so their results are not checked.
template <class Op>
constexpr bool commutes = std::is_same_v<Op, sum> || std::is_same_v<Op, add_words> || std::is_same_v<Op, log_sum_exp>;

struct cub_side {
    static constexpr const char* library = "cub";
    static constexpr const char* copy_library = "cuda_copy";

    template <class In, class Out, class Op>
    static prepared_call scan(std::uint64_t n, std::uint64_t first_in, std::uint64_t first_out, bool exclusive) {
        const auto& arrays = two_arrays<In, Out>::of(n);
        const In* in = static_cast<const In*>(arrays.in().get()) + first_in;
        Out* out = static_cast<Out*>(arrays.out().get()) + first_out;
        const auto count = static_cast<std::int64_t>(n);
        prepared_call prepared = time_by_host(with_own_storage([=](void* storage, std::size_t& bytes) {
            if constexpr (std::is_same_v<Op, sum>) // of integers and floats; only these are scanned exclusively
                return cub::DeviceScan::ExclusiveScan(storage, bytes, in, out, cuda::std::plus<>{}, Out{}, count);
            else
                return cub::DeviceScan::InclusiveScan(storage, bytes, in, out, Op{}, count);
        }));
        prepared.poison = [&arrays, n, first_out] { arrays.poison(n + first_out); };
        prepared.check = [&arrays, n, first_in, first_out, exclusive] {
            return check_scan_windows<In, Out, Op>(first_in, n, exclusive, arrays.read_from(first_out));
        };
        return prepared;
    }

    template <class T, class Op>
    static prepared_call reduce(std::uint64_t n, std::uint64_t first) {
        const auto& arrays = two_arrays<T, T>::of(n);
        const T* in = static_cast<const T*>(arrays.in().get()) + first;
        T* out = static_cast<T*>(arrays.out().get());
        const auto count = static_cast<std::int64_t>(n);
        prepared_call prepared = time_by_host(with_own_storage([=](void* storage, std::size_t& bytes) {
            if constexpr (std::is_same_v<Op, sum>)
                return cub::DeviceReduce::Sum(storage, bytes, in, out, count);
            else
                return cub::DeviceReduce::Reduce(storage, bytes, in, out, count, Op{}, Op::template identity<T>());
        }));
        prepared.poison = [&arrays] { arrays.poison(1); };
        prepared.check = [&arrays, n, first] {
            if constexpr (commutes<Op>)
                return check_reduce_of<T, T, Op>(first, n, arrays.read_from(0));
            else
                return std::string();
        };
        return prepared;
    }

    static prepared_call copy(std::uint64_t n) {
        const auto& arrays = two_arrays<std::uint8_t, std::uint8_t>::of(n);
        prepared_call prepared = time_by_host([in = arrays.in().get(), out = arrays.out().get(), n] {
            check_cuda(cudaMemcpyAsync(out, in, static_cast<std::size_t>(n), cudaMemcpyDeviceToDevice));
        });
        prepared.poison = [&arrays, n] { arrays.poison(n); };
        prepared.check = [&arrays, n] {
            return check_results<std::uint8_t>(n, arrays.read_from(0), input_element<std::uint8_t>);
        };
        return prepared;
    }
};

} // namespace

int main(int argc, char** argv) {
    if (!describe_cuda_device("bench_cub_cliffs")) return 1;
    add_cliffs<cub_side>();
    return run_rows(argc, argv);
}
