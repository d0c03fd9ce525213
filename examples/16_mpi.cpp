// SPDX-License-Identifier: MIT
// One array whose parts lie on the devices of MPI's ranks: mpirun -np 4 ./16_mpi
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/mpi.hpp>
#include <upsweep/upsweep.hpp>

#include <cstdint>
#include <exception>
#include <iostream>
#include <numeric>
#include <vector>

namespace {

/// Each rank has some of the numbers 1, 2, 3 ...: their inclusive scan are the triangular numbers.
bool scan_of_ranks(int rank) {
    // With several cards in a host, each rank takes one: upsweep::devices()[rank on the host].
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::size_t n = 1000 + 10 * static_cast<std::size_t>(rank); // ranks need not have the same number
    std::uint64_t before = 0;
    for (int r = 0; r < rank; ++r) before += 1000 + 10 * static_cast<std::uint64_t>(r);
    std::vector<std::uint64_t> values(n);
    std::iota(values.begin(), values.end(), before + 1);
    const cl::Buffer buffer(queue, values.begin(), values.end(), false);
    const upsweep::span<std::uint64_t> part(buffer, n);

    const std::uint64_t sum = upsweep::mpi::all_reduce(MPI_COMM_WORLD, queue, part);
    const std::vector<cl::Event> done{upsweep::mpi::inclusive_scan(MPI_COMM_WORLD, queue, part, part)};
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, n * sizeof(std::uint64_t), values.data(), &done);
    bool is_right = sum >= values.back();
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t k = before + i + 1;
        is_right = is_right && values[i] == k * (k + 1) / 2;
    }
    if (rank == 0) std::cout << "the sum of all: " << sum << '\n';
    return is_right;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool is_right = false;
    try {
        is_right = scan_of_ranks(rank);
        std::cout << "rank " << rank << (is_right ? ": right\n" : ": wrong\n");
    } catch (const upsweep::error& problem) { // all ranks have the same one
        std::cerr << problem.what() << '\n';
    } catch (const std::exception& problem) { // one rank's own
        std::cerr << problem.what() << '\n';
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return is_right ? 0 : 1;
}
