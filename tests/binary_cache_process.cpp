// SPDX-License-Identifier: MIT
// A process with the binary cache, for tests of several processes:
//
//     binary_cache_process source|binary       one reduction; is it right, and its program built from that?
//     binary_cache_process rounds <count>      reductions, each as a first one, while the cache's files are deleted
//     binary_cache_process files <count>       a large file written over and over, and read: is it ever half a file?
//
// The exit status is 0 when all is well.
#include <upsweep/upsweep.hpp>

#include "internals.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace {

bool first_reduction_is_right(const cl::CommandQueue& queue) {
    upsweep::release_cached();
    const std::vector<int> in(1000, 3);
    return upsweep::reduce(queue, in.begin(), in.end()) == 3000;
}

void delete_files() {
    std::error_code ignored; // another process may be faster
    std::filesystem::directory_iterator i(upsweep::binary_cache_folder(), ignored);
    for (; i != std::filesystem::directory_iterator(); i.increment(ignored))
        std::filesystem::remove(i->path(), ignored);
}

/// No OpenCL: only without it are several processes fast enough to meet.
bool files_are_whole(int rounds) {
    namespace detail = upsweep::detail;
    const std::filesystem::path folder = upsweep::binary_cache_folder();
    const std::string content = detail::encode("key", {"kernel;", std::string(1000000, 'x')});
    for (int i = 0; i < rounds; ++i) {
        if (!detail::write_file(folder, detail::binary_file_name("key"), content)) return false;
        const auto read = detail::read_file(folder / detail::binary_file_name("key"));
        if (!read || !detail::decode(*read, "key")) return false;
    }
    return true;
}

bool run(const std::string& mode, int rounds) {
    if (mode == "files") return files_are_whole(rounds);
    const cl::CommandQueue queue = upsweep::default_queue();
    for (int i = 0; i < rounds; ++i) {
        if (!first_reduction_is_right(queue)) return false;
        if (i % 3 == 1) delete_files();
    }
    if (!first_reduction_is_right(queue)) return false;
    const auto& counts = upsweep::detail::build_counts::get();
    std::printf("%d from source, %d from binaries\n", static_cast<int>(counts.from_source),
                static_cast<int>(counts.from_binary));
    if (mode == "source") return counts.from_source == 1 && counts.from_binary == 0;
    if (mode == "binary") return counts.from_source == 0 && counts.from_binary == 1;
    return true;
}

} // namespace

int main(int argc, char** argv) {
    try {
        upsweep::use_self_check(false); // which builds programs and leaves files of its own
        return run(argc > 1 ? argv[1] : "", argc > 2 ? std::atoi(argv[2]) : 0) ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 2;
    }
}
