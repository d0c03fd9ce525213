// SPDX-License-Identifier: MIT
// Running sums of a file of 32-bit numbers into another file, in the machine's byte order. Both are mapped into memory,
// so they may be larger than the device's memory and than the host's.
//
//   17_larger_than_memory                              makes a file of 2^22 numbers, and checks the result
//   17_larger_than_memory <in> <out> [<MiB on device>]
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#if __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

/// The numbers of a file.
class mapped_file {
public:
    /// Opens a file as it is.
    explicit mapped_file(const std::string& name)
        : mapped_file(name, O_RDONLY, 0) {}
    /// Makes a file of `count` numbers.
    mapped_file(const std::string& name, std::size_t count)
        : mapped_file(name, O_RDWR | O_CREAT | O_TRUNC, count * sizeof(std::uint32_t)) {}
    ~mapped_file() {
        if (bytes_ > 0) munmap(data_, bytes_);
    }
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;

    std::size_t size() const { return bytes_ / sizeof(std::uint32_t); }
    std::uint32_t* begin() const { return static_cast<std::uint32_t*>(data_); }
    std::uint32_t* end() const { return begin() + size(); }

private:
    mapped_file(const std::string& name, int flags, std::size_t bytes)
        : bytes_(bytes) {
        const int file = open(name.c_str(), flags, 0644);
        const bool writes = flags != O_RDONLY;
        bool good = file >= 0;
        struct stat facts = {};
        if (good && writes) good = ftruncate(file, static_cast<off_t>(bytes)) == 0;
        if (good && !writes) good = fstat(file, &facts) == 0;
        if (!writes) bytes_ = static_cast<std::size_t>(facts.st_size);
        if (good && bytes_ > 0) {
            data_ = mmap(nullptr, bytes_, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
            good = data_ != MAP_FAILED;
        }
        if (file >= 0) close(file); // the mapping stays
        if (!good) throw std::runtime_error("cannot map " + name);
    }

    std::size_t bytes_;
    void* data_ = nullptr;
};

void scan_file(const std::string& from, const std::string& to, std::uint64_t device_memory) {
    const mapped_file in(from);
    const mapped_file out(to, in.size());
    upsweep::options opts;
    opts.device_memory = device_memory;
    opts.progress = [](std::uint64_t done, std::uint64_t total) {
        std::cerr << '\r' << 100 * done / total << " %";
        return true; // false ends the call
    };
    const std::uint32_t* const first = in.begin();
    upsweep::inclusive_scan(upsweep::default_queue(), first, first + in.size(), out.begin(), upsweep::plus{}, opts);
    std::cerr << '\n';
}

/// A file of its own, scanned with 1 MiB of device memory.
bool check_example() {
    const std::string from = "larger_than_memory.in", to = "larger_than_memory.out";
    constexpr std::size_t n = std::size_t{1} << 22;
    {
        const mapped_file in(from, n);
        for (std::size_t i = 0; i < n; ++i) in.begin()[i] = static_cast<std::uint32_t>(i);
    }
    scan_file(from, to, 1 << 20);
    bool right = true;
    const mapped_file out(to);
    for (std::size_t i = 0; i < n; ++i) right = right && out.begin()[i] == static_cast<std::uint32_t>(i * (i + 1) / 2);
    std::remove(from.c_str());
    std::remove(to.c_str());
    std::cout << n << " numbers with 1 MiB of device memory: " << (right ? "right" : "wrong") << '\n';
    return right;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc < 3) return check_example() ? 0 : 1;
    scan_file(argv[1], argv[2], (argc > 3 ? std::stoull(argv[3]) : 256) << 20);
    return 0;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
#else
int main() {
    std::cout << "this example maps files as POSIX does\n";
}
#endif
