// SPDX-License-Identifier: MIT
// A summed-area table: with one value per pixel, the sum of everything above and left of it, the sum of any rectangle
// takes four reads (F. Crow, Summed-Area Tables for Texture Mapping, 1984). Here it makes a mean filter whose time does
// not depend on its radius.
//
//   08_summed_area_table [<picture.png>]     noise, and the same with a radius that grows from left to right
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include "png.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <vector>

namespace {

/// Scans along x, then along y. Each scan goes through all rows, or all columns, in one call.
std::vector<std::uint32_t> summed_area_table(cl::CommandQueue queue, const image& in) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const std::size_t n = in.pixels.size();
    const cl::Buffer pixels(context, in.pixels.begin(), in.pixels.end(), true);
    const cl::Buffer sums(context, CL_MEM_READ_WRITE, n * sizeof(std::uint32_t));
    const upsweep::span<const std::uint8_t> x(pixels, n);
    const upsweep::span<std::uint32_t> y(sums, n);

    upsweep::inclusive_scan(queue, upsweep::rows(x, in.height, in.width), y);
    upsweep::inclusive_scan(queue, upsweep::columns(y, in.height, in.width), y);

    std::vector<std::uint32_t> table(n);
    queue.enqueueReadBuffer(sums, CL_TRUE, 0, n * sizeof(std::uint32_t), table.data());
    return table;
}

/// The sum of the pixels with left <= x < right and top <= y < bottom.
std::uint32_t sum_of(const image& in, const std::vector<std::uint32_t>& table, std::size_t left, std::size_t top,
                     std::size_t right, std::size_t bottom) {
    const auto at = [&](std::size_t x, std::size_t y) {
        return x == 0 || y == 0 ? 0 : table[(y - 1) * in.width + x - 1];
    };
    return at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
}

/// The table as it is defined, one pixel after the other.
std::vector<std::uint32_t> expected_table(const image& in) {
    std::vector<std::uint32_t> table(in.pixels.size());
    for (std::size_t y = 0; y < in.height; ++y) {
        std::uint32_t row = 0;
        for (std::size_t x = 0; x < in.width; ++x) {
            row += in.pixels[y * in.width + x];
            table[y * in.width + x] = row + (y == 0 ? 0 : table[(y - 1) * in.width + x]);
        }
    }
    return table;
}

/// Each pixel becomes the mean of the square around it, whose radius is x / 40.
image mean_filter(const image& in, const std::vector<std::uint32_t>& table) {
    image out = in;
    for (std::size_t y = 0; y < in.height; ++y)
        for (std::size_t x = 0; x < in.width; ++x) {
            const std::size_t radius = x / 40;
            const std::size_t left = x - std::min(x, radius), right = std::min(in.width, x + radius + 1);
            const std::size_t top = y - std::min(y, radius), bottom = std::min(in.height, y + radius + 1);
            const std::size_t area = (right - left) * (bottom - top);
            out.at(x, y) = static_cast<std::uint8_t>(sum_of(in, table, left, top, right, bottom) / area);
        }
    return out;
}

/// Discs on a dark ground, every other pixel of them noise.
image make_image(std::size_t width, std::size_t height) {
    std::mt19937 random(1);
    image out(width, height);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            const auto from_centre = [](std::size_t v) { return static_cast<int>(v % 60) - 30; };
            const int dx = from_centre(x), dy = from_centre(y);
            const bool is_inside = dx * dx + dy * dy < 22 * 22;
            out.at(x, y) = static_cast<std::uint8_t>(random() % 2 ? random() % 256 : is_inside ? 230 : 40);
        }
    return out;
}

} // namespace

int main(int argc, char** argv) try {
    const image noisy = make_image(400, 150);
    const std::vector<std::uint32_t> table = summed_area_table(upsweep::default_queue(), noisy);
    const image filtered = mean_filter(noisy, table);
    if (argc > 1) {
        image both(noisy.width, 2 * noisy.height);
        std::copy(noisy.pixels.begin(), noisy.pixels.end(), both.pixels.begin());
        std::copy_backward(filtered.pixels.begin(), filtered.pixels.end(), both.pixels.end());
        png::write(argv[1], both);
    }

    const bool right = table == expected_table(noisy);
    const auto [darkest, brightest] = std::minmax_element(filtered.pixels.begin(), filtered.pixels.end());
    std::cout << "table of " << noisy.width << " x " << noisy.height << " pixels: " << (right ? "right" : "wrong")
              << "; means from " << +*darkest << " to " << +*brightest << '\n';
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
