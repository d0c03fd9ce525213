// SPDX-License-Identifier: MIT
// A file as runs of equal bytes: encoded on the device, decoded on the host, compared. Without a file it takes a
// drawing of discs, in which runs are long.
#include <upsweep/upsweep.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bytes = std::vector<std::uint8_t>;

/// `values[r]`, `lengths[r]` times, for each run r.
struct runs {
    bytes values;
    std::vector<std::uint32_t> lengths;
};

runs encode(const cl::CommandQueue& queue, const bytes& file) {
    runs result;
    upsweep::run_length_encode(queue, file.begin(), file.end(), std::back_inserter(result.values),
                               std::back_inserter(result.lengths));
    return result;
}

bytes decode(const runs& encoded) {
    bytes file;
    for (std::size_t r = 0; r < encoded.values.size(); ++r)
        file.insert(file.end(), encoded.lengths[r], encoded.values[r]);
    return file;
}

bytes read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Rings around many centres, a byte per pixel.
bytes draw(std::size_t width, std::size_t height) {
    bytes picture(width * height);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t dx = x % 400 < 200 ? 200 - x % 400 : x % 400 - 200;
            const std::size_t dy = y % 300 < 150 ? 150 - y % 300 : y % 300 - 150;
            picture[y * width + x] = static_cast<std::uint8_t>((dx * dx + dy * dy) / 4000 % 2 * 255);
        }
    return picture;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc > 2) throw std::invalid_argument("usage: 21_run_lengths [<file>]");
    const bytes file = argc == 2 ? read_file(argv[1]) : draw(1600, 1200);
    const runs encoded = encode(upsweep::default_queue(), file);
    const bool right = decode(encoded) == file;
    std::cout << file.size() << " bytes in " << encoded.values.size() << " runs: " << (right ? "right" : "wrong")
              << '\n';
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
