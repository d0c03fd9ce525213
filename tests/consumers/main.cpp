// SPDX-License-Identifier: MIT
// The same program for every way of getting upsweep into a project.
#if __has_include(<upsweep/upsweep.hpp>)
#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>
#else
#include <upsweep.hpp> // the amalgamated header
#endif
#if defined(WITH_MPI)
#include <upsweep/mpi.hpp>
#endif

#include <cstdio>
#include <cstring>
#include <vector>

#if UPSWEEP_VERSION < 200
#error "UPSWEEP_VERSION is no number that grows with the version"
#endif

int main() {
    const std::vector<int> in{3, 1, 7, 0, 4, 1, 6, 3};
    std::vector<int> out(in.size());
    cl::CommandQueue queue = upsweep::default_queue();
    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin());
    const upsweep::device_group group({queue});
    const int total = upsweep::reduce(group, in.begin(), in.end(), 0);
    std::printf("last prefix %d, total %d\n", out.back(), total);
#if defined(PACKAGE_VERSION) // what the package manager says
    if (std::strcmp(PACKAGE_VERSION, UPSWEEP_VERSION_STRING) != 0) return 2;
#endif
#if defined(WITH_MPI) // one rank
    MPI_Init(nullptr, nullptr);
    const cl::Buffer memory(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_COPY_HOST_PTR, in.size() * sizeof(int),
                            out.data());
    const upsweep::span<const int> prefixes(memory, in.size());
    const int last = upsweep::mpi::all_reduce(MPI_COMM_WORLD, queue, prefixes, 0, upsweep::maximum{});
    MPI_Finalize();
    if (last != 25) return 3;
#endif
    return out.back() == 25 && total == 25 ? 0 : 1;
}
