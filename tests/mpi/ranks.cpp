// SPDX-License-Identifier: MIT
// One array on the ranks of MPI. Run with any number of them: the bits are those of one device. Prints what failed, and
// on which rank; the exit status is not 0 then.

#include <upsweep/mpi.hpp>

#include "../canonical.hpp"

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using test::numbers;
using test::same_bits;

namespace {

/// x -> scale * x + shift: associative up to rounding, not commutative.
struct rank_map {
    float scale;
    float shift;
};

rank_map compose_maps(const rank_map& left, const rank_map& right) {
    const float product = right.scale * left.shift; // rounded by itself: no fused multiply-add
    return {right.scale * left.scale, product + right.shift};
}

int rank = 0;
int ranks = 1;
int failures = 0;

void expect(bool right, const std::string& what) {
    if (right) return;
    ++failures;
    std::fprintf(stderr, "rank %d of %d: %s\n", rank, ranks, what.c_str());
}

/// How many elements a rank has: by one rule all in odd parts, by others most in few, and none on some.
std::vector<std::size_t> split_of(std::size_t n, unsigned rule) {
    std::vector<std::size_t> counts(static_cast<std::size_t>(ranks));
    const std::size_t size = counts.size();
    std::size_t left = n;
    for (std::size_t r = 0; r + 1 < size; ++r) {
        const std::size_t even = n / size + (r % 2 == 0 ? 1 : 0) + r * 3;
        const std::size_t count = rule == 0 ? even : r % 2 == rule % 2 ? 0 : rule == 1 ? left / 2 : left / 3 + 1;
        counts[r] = count < left ? count : left;
        left -= counts[r];
    }
    counts[rule == 2 ? 0 : size - 1] += left;
    return counts;
}

/// The rank's part of an array, on its device.
template <class T>
class own_part {
public:
    own_part(const std::vector<T>& all, const std::vector<std::size_t>& counts)
        : counts_(counts) {
        const auto r = static_cast<std::size_t>(rank);
        const auto begin = std::accumulate(counts.begin(), counts.begin() + rank, std::size_t{0});
        const std::vector<T> own(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                 all.begin() + static_cast<std::ptrdiff_t>(begin + counts[r]));
        array_ = std::make_unique<test::guarded_array<T>>(own, 3);
    }
    upsweep::span<T> view() const { return array_->view(); }

    /// The values of all ranks, on each.
    std::vector<T> all() const {
        expect(array_->untouched_outside(counts_[static_cast<std::size_t>(rank)]), "wrote outside of the output");
        const std::vector<T> own = array_->values();
        std::vector<int> bytes;
        std::vector<int> places;
        int end = 0;
        for (std::size_t count : counts_) {
            bytes.push_back(static_cast<int>(count * sizeof(T)));
            places.push_back(end);
            end += bytes.back();
        }
        std::vector<T> result(static_cast<std::size_t>(end) / sizeof(T));
        MPI_Allgatherv(own.data(), bytes[static_cast<std::size_t>(rank)], MPI_BYTE, result.data(), bytes.data(),
                       places.data(), MPI_BYTE, MPI_COMM_WORLD);
        return result;
    }

private:
    std::vector<std::size_t> counts_;
    std::unique_ptr<test::guarded_array<T>> array_;
};

/// Everything that is computed of `input`, one array behind the other, as `test::on_host`.
template <class T, class Op>
std::vector<T> on_ranks(const std::vector<T>& input, const std::vector<std::size_t>& counts, const T& init,
                        const T& init_of_sum, const Op& op) {
    const own_part<T> in(input, counts);
    const own_part<T> out(std::vector<T>(input.size()), counts);
    cl_command_queue queue = test::queue()();
    upsweep::mpi::exclusive_scan(MPI_COMM_WORLD, queue, in.view(), out.view(), init, op).wait();
    std::vector<T> result = out.all();
    const own_part<T> both(input, counts);
    upsweep::mpi::inclusive_scan(MPI_COMM_WORLD, queue, both.view(), both.view(), op).wait();
    const std::vector<T> inclusive = both.all();
    result.insert(result.end(), inclusive.begin(), inclusive.end());
    result.push_back(upsweep::mpi::all_reduce(MPI_COMM_WORLD, queue, in.view(), init_of_sum, op));
    result.push_back(upsweep::mpi::all_reduce(MPI_COMM_WORLD, queue, in.view(), upsweep::no_init, op));
    return result;
}

/// Without an initial value, an exclusive scan begins with the operator's identity.
void check_identity() {
    const std::vector<int> input{5, -3, 7, 2, 9, -8, 4};
    const own_part<int> in(input, split_of(input.size(), 0));
    const own_part<int> out(std::vector<int>(input.size()), split_of(input.size(), 0));
    cl_command_queue queue = test::queue()();
    upsweep::mpi::exclusive_scan(MPI_COMM_WORLD, queue, in.view(), out.view()).wait();
    expect(out.all() == std::vector<int>{0, 5, 2, 9, 11, 20, 12}, "sums from the identity");
    upsweep::mpi::exclusive_scan(MPI_COMM_WORLD, queue, in.view(), out.view(), upsweep::multiplies{}).wait();
    expect(out.all() == std::vector<int>{1, 5, -15, -105, -210, -1890, 15120}, "products from the identity");
}

void check_hash() {
    for (const std::size_t n : {(1 << 10) + 7, (1 << 20) + 7}) {
        const bool is_large = n > 1 << 16;
        if (is_large && ranks > 3) continue; // each rank has the whole array for the hash
        const std::vector<float> input = numbers<float>(n, 2026);
        const std::vector<float> results = on_ranks(input, split_of(n, 0), 3.0F, 5.0F, upsweep::plus{});
        const std::uint64_t expected = is_large ? 0xe5e15ef6d5fd1c52 : 0x466c5785ce5ba94a; // as in test_canonical
        expect(test::hash_of(results.data(), results.size()) == expected, "the hash of one device");
    }
}

void check_maps() {
    const auto op = upsweep::make_operator<rank_map>("rank_map r; r.scale = right.scale * left.scale;"
                                                     "r.shift = right.scale * left.shift + right.shift; return r;");
    for (const std::size_t n : {0, 1, 7, 5000})
        for (unsigned rule : {0U, 1U, 2U, 3U}) {
            if (n != 7 && rule != n % 3) continue;
            const std::vector<float> some = numbers<float>(2 * n, n);
            std::vector<rank_map> input(n);
            for (std::size_t i = 0; i < n; ++i) input[i] = {1.0F + some[2 * i] / 4096.0F / 65536.0F, some[2 * i + 1]};
            const rank_map init{1.0F, 0.5F};
            std::vector<rank_map> expected(2 * n);
            namespace reference = upsweep::reference;
            const auto to = expected.begin() + static_cast<std::ptrdiff_t>(n);
            reference::exclusive_scan(input.begin(), input.end(), expected.begin(), init, compose_maps);
            reference::inclusive_scan(input.begin(), input.end(), to, compose_maps);
            expected.push_back(reference::reduce(input.begin(), input.end(), init, compose_maps));
            expected.push_back(reference::reduce(input.begin(), input.end(), upsweep::no_init, compose_maps));
            const bool same = same_bits(on_ranks(input, split_of(n, rule), init, init, op), expected);
            expect(same, "maps: n = " + std::to_string(n) + ", rule " + std::to_string(rule));
        }
}

/// The init of rank 0 counts; sums in a wider type; the result of `reduce` is on the root only.
void check_roots() {
    const std::vector<std::uint8_t> input(1001, 200);
    const own_part<std::uint8_t> in(input, split_of(input.size(), 1));
    const own_part<std::uint64_t> out(std::vector<std::uint64_t>(input.size()), split_of(input.size(), 1));
    const std::uint64_t init = rank == 0 ? 1000 : 7;
    upsweep::mpi::inclusive_scan(MPI_COMM_WORLD, test::queue(), in.view(), out.view(), upsweep::plus{}, init).wait();
    expect(out.all().back() == 201200, "the initial value of rank 0");
    const int root = ranks - 1;
    const auto sum = upsweep::mpi::reduce(MPI_COMM_WORLD, root, test::queue(), in.view(), init);
    expect(sum == (rank == root ? 201200U : 0U), "a reduction to the root");
    const auto least =
        upsweep::mpi::reduce(MPI_COMM_WORLD, 0, test::queue(), in.view(), upsweep::no_init, upsweep::minimum{});
    expect(least == (rank == 0 ? 200 : 0), "a reduction to rank 0");
}

/// All ranks must leave with the error that begins with `expected`.
template <class Call>
void check_error(const std::string& expected, const Call& call) {
    std::string message = "no error";
    try {
        call();
    } catch (const upsweep::error& e) {
        message = e.what();
    }
    expect(message.substr(0, expected.size()) == expected, "expected: " + expected + "\n   got: " + message);
    std::vector<char> first(message.begin(), message.end());
    int length = static_cast<int>(first.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    first.resize(static_cast<std::size_t>(length));
    MPI_Bcast(first.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    expect(std::string(first.begin(), first.end()) == message, "not the error of rank 0: " + message);
}

void check_errors() {
    const std::vector<std::size_t> counts(static_cast<std::size_t>(ranks), 100);
    const own_part<float> in(std::vector<float>(100 * counts.size(), 1.0F), counts);
    const int bad = ranks / 2;
    const std::string name = "rank " + std::to_string(bad) + ": ";
    const auto all = MPI_COMM_WORLD;
    check_error("mpi::inclusive_scan: " + name + "output: 99 elements are fewer than the input's 100", [&] {
        const upsweep::span<float> less(in.view().buffer(), 99, in.view().byte_offset());
        upsweep::mpi::inclusive_scan(all, test::queue(), in.view(), rank >= bad ? less : in.view());
    });
    check_error("mpi::all_reduce: " + name + "queue: null handle", [&] {
        const cl_command_queue none = nullptr;
        upsweep::mpi::all_reduce(all, rank == bad ? none : test::queue()(), in.view());
    });
    // Fails after the counts were exchanged. (Of one rank, a scan has no sums; its scan is built all the same.)
    check_error("mpi::exclusive_scan: " + name + "operator: does not compile", [&] {
        const auto op = upsweep::make_operator<float>(rank == bad ? "return left + ;" : "return left + right;");
        upsweep::mpi::exclusive_scan(all, test::queue(), in.view(), in.view(), 0.0F, op);
    });
    check_error("mpi::exclusive_scan: " + name + "initial value: lies on the device", [&] {
        if (rank == bad)
            upsweep::mpi::exclusive_scan(all, test::queue(), in.view(), in.view(), upsweep::from(in.view()));
        else
            upsweep::mpi::exclusive_scan(all, test::queue(), in.view(), in.view(), 0.0F);
    });
    check_error("mpi::reduce: rank 0: root: there is no such rank: " + std::to_string(ranks),
                [&] { upsweep::mpi::reduce(all, ranks, test::queue(), in.view()); });
    check_error("mpi::all_reduce: communicator: null",
                [&] { upsweep::mpi::all_reduce(MPI_COMM_NULL, test::queue(), in.view()); });
    if (ranks > 1) {
        check_error("mpi::reduce: rank 1: call: another one, or with another root, than rank 0's",
                    [&] { upsweep::mpi::reduce(all, rank == 0 ? 0 : 1, test::queue(), in.view()); });
        check_error("mpi::all_reduce: rank 1: init: rank 0 has one and this rank none, or the other way round", [&] {
            if (rank == 0)
                upsweep::mpi::all_reduce(all, test::queue(), in.view(), 1.0F);
            else
                upsweep::mpi::all_reduce(all, test::queue(), in.view());
        });
    }
    // The next call works.
    const float sum = upsweep::mpi::all_reduce(all, test::queue(), in.view());
    expect(sum == 100.0F * static_cast<float>(ranks), "a call after those that failed");
}

} // namespace

template <>
struct upsweep::type<rank_map> {
    static constexpr const char* name = "rank_map";
    static constexpr const char* definition = "typedef struct { float scale; float shift; } rank_map;";
};

int main(int argc, char** argv) try {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check_identity();
    check_hash();
    check_maps();
    check_roots();
    check_errors();
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d ranks: %d failures\n", ranks, all);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "rank %d: %s\n", rank, problem.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
}
