// SPDX-License-Identifier: MIT
// One array on the ranks of MPI, each with a device of its own, against one device: 2^31 int32, or as many as asked
// for, that live in equal parts on each. Prints medians of seconds, the ratio, and whether the results have the same
// hash. Ranks on one host take its devices of the default one's kind in turn.
//
//     mpirun -np 2 bench_mpi [n]
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/mpi.hpp>
#include <upsweep/upsweep.hpp>

#include "common/array_part.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

struct measured {
    double scan = 0;
    double reduce = 0;
    std::uint64_t hash = 0;
    std::int32_t sum = 0;
};

/// The ranks of a communicator, each with a part.
measured measure(MPI_Comm ranks, const cl::CommandQueue& queue, std::size_t n) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(ranks, &rank);
    MPI_Comm_size(ranks, &size);
    const std::size_t each = n / static_cast<std::size_t>(size);
    const std::size_t begin = each * static_cast<std::size_t>(rank);
    const bench::array_part part(queue, begin, rank + 1 == size ? n - begin : each);
    const auto in = part.in();
    const auto out = part.out();
    measured m;
    m.scan = bench::median_seconds({queue}, [&] {
        MPI_Barrier(ranks);
        if (size == 1)
            upsweep::inclusive_scan(queue, in, out);
        else
            upsweep::mpi::inclusive_scan(ranks, queue, in, out);
    });
    const std::uint64_t hash = part.hash(begin);
    MPI_Allreduce(&hash, &m.hash, 1, MPI_UINT64_T, MPI_SUM, ranks);
    m.reduce = bench::median_seconds({queue}, [&] {
        MPI_Barrier(ranks);
        m.sum = size == 1 ? upsweep::reduce(queue, in) : upsweep::mpi::all_reduce(ranks, queue, in);
    });
    const measured own = m;
    MPI_Allreduce(&own.scan, &m.scan, 1, MPI_DOUBLE, MPI_MAX, ranks); // of the slowest rank
    MPI_Allreduce(&own.reduce, &m.reduce, 1, MPI_DOUBLE, MPI_MAX, ranks);
    return m;
}

int run(int argc, char** argv) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t{1} << 31;
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    int rank_on_host = 0;
    MPI_Comm_rank(host, &rank_on_host);
    const std::vector<cl::Device> devices = bench::devices_alike();
    const cl::Device& device = devices[static_cast<std::size_t>(rank_on_host) % devices.size()];
    const cl::CommandQueue queue(cl::Context(device), device);
    const measured all = measure(MPI_COMM_WORLD, queue, n);
    int status = 0;
    if (rank == 0) {
        const measured one = measure(MPI_COMM_SELF, queue, n);
        std::printf("%zu int32 on %d ranks of %s\n", n, size, device.getInfo<CL_DEVICE_NAME>().c_str());
        bench::print_row("inclusive scan", one.scan, all.scan);
        bench::print_row("reduce", one.reduce, all.reduce);
        const bool is_same = one.hash == all.hash && one.sum == all.sum;
        std::printf("hash %016llx, sum %d: %s\n", static_cast<unsigned long long>(all.hash), static_cast<int>(all.sum),
                    is_same ? "the same" : "different");
        status = is_same ? 0 : 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&host);
    return status;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int status = 1;
    try {
        status = run(argc, argv);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return status;
}
