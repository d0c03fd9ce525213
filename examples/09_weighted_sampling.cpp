// SPDX-License-Identifier: MIT
// Weighted sampling: element i is drawn with a probability in proportion to its weight. A scan of the weights cuts a
// line into pieces of these lengths; a random point of the line lies in one of them, which a binary search finds. Here
// the elements are pixels, and their brightness is their weight.
//
//   09_weighted_sampling [<picture.png>]     the weights, and a point for each draw
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include "png.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr const char* kernel_text = R"(
/// The first place whose sum is above the point.
__kernel void find_places(__global const SUM* sums, uint n, __global const SUM* points, __global uint* places)
{
    const SUM point = points[get_global_id(0)];
    uint low = 0, high = n - 1;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (sums[middle] > point) high = middle;
        else low = middle + 1;
    }
    places[get_global_id(0)] = low;
}
)";

/// Sums in double, where the device has it: with 2^53 steps on the line, a small weight is not lost beside a large sum.
/// `Sum` may be float elsewhere. Prefix sums of rounded numbers may fall by a rounding error, even of positive numbers,
/// and a binary search wants them sorted: a scan with `maximum` behind the sum takes the falls out.
template <class Sum>
std::vector<std::uint32_t> draw(cl::CommandQueue queue, const std::vector<float>& weights,
                                const std::vector<double>& fractions) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const std::size_t n = weights.size(), count = fractions.size();
    const cl::Buffer weight_buffer(context, weights.begin(), weights.end(), true);
    const cl::Buffer sum_buffer(context, CL_MEM_READ_WRITE, n * sizeof(Sum));
    const upsweep::span<Sum> sums(sum_buffer, n);
    upsweep::inclusive_scan(queue, upsweep::span<const float>(weight_buffer, n), sums);
    upsweep::inclusive_scan(queue, sums, sums, upsweep::maximum{});

    Sum total = 0;
    queue.enqueueReadBuffer(sum_buffer, CL_TRUE, (n - 1) * sizeof(Sum), sizeof(Sum), &total);
    // Rounding must not make a point of the total itself: it lies in no piece.
    std::vector<Sum> points(count);
    std::transform(fractions.begin(), fractions.end(), points.begin(), [total](double fraction) {
        return std::min(static_cast<Sum>(fraction * static_cast<double>(total)), std::nextafter(total, Sum{0}));
    });
    const cl::Buffer point_buffer(context, points.begin(), points.end(), true);
    const cl::Buffer place_buffer(context, CL_MEM_WRITE_ONLY, count * sizeof(std::uint32_t));

    cl::Program program(context, kernel_text);
    program.build((std::string("-D SUM=") + upsweep::type<Sum>::name).c_str());
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl::Buffer> find_places(program, "find_places");
    find_places(cl::EnqueueArgs(queue, cl::NDRange(count)), sum_buffer, static_cast<cl_uint>(n), point_buffer,
                place_buffer);
    std::vector<std::uint32_t> places(count);
    queue.enqueueReadBuffer(place_buffer, CL_TRUE, 0, count * sizeof(std::uint32_t), places.data());
    return places;
}

/// Whether each element came as often as its weight says, within six standard deviations; never with no weight.
bool is_likely(const std::vector<float>& weights, const std::vector<std::uint32_t>& places) {
    double total = 0;
    for (const float w : weights) total += double{w};
    std::vector<std::size_t> times(weights.size());
    for (const std::uint32_t place : places) ++times[place];
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double p = double{weights[i]} / total, expected = p * static_cast<double>(places.size());
        if (weights[i] == 0 && times[i] > 0) return false;
        if (std::fabs(static_cast<double>(times[i]) - expected) > 6 * std::sqrt(expected * (1 - p)) + 1) return false;
    }
    return true;
}

/// Rings that fade out; black outside.
image make_image(std::size_t size) {
    image out(size, size);
    for (std::size_t y = 0; y < size; ++y)
        for (std::size_t x = 0; x < size; ++x) {
            const double middle = static_cast<double>(size) / 2;
            const double r = std::hypot(static_cast<double>(x) - middle, static_cast<double>(y) - middle) / middle;
            if (r < 1) out.at(x, y) = static_cast<std::uint8_t>(255 * (1 - r) * std::pow(std::sin(12 * r), 2));
        }
    return out;
}

/// The weights, and beside them how often each pixel was drawn.
image picture_of(const image& weights, const std::vector<std::uint32_t>& places) {
    image out(2 * weights.width, weights.height);
    for (std::size_t y = 0; y < weights.height; ++y)
        for (std::size_t x = 0; x < weights.width; ++x) out.at(x, y) = weights.at(x, y);
    for (const std::uint32_t place : places) {
        std::uint8_t& pixel = out.at(weights.width + place % weights.width, place / weights.width);
        pixel = static_cast<std::uint8_t>(std::min(255, pixel + 85));
    }
    return out;
}

} // namespace

int main(int argc, char** argv) try {
    const image bright = make_image(200);
    std::vector<float> weights(bright.pixels.begin(), bright.pixels.end());
    for (float& w : weights) w /= 255.0F;
    std::mt19937 random(1);
    std::vector<double> fractions(20000);
    for (double& f : fractions) f = static_cast<double>(random()) * 0x1p-32;

    const cl::CommandQueue queue = upsweep::default_queue();
    const bool has_double = queue.getInfo<CL_QUEUE_DEVICE>().getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
    const auto places = has_double ? draw<double>(queue, weights, fractions) : draw<float>(queue, weights, fractions);

    if (argc > 1) png::write(argv[1], picture_of(bright, places));

    const bool right = is_likely(weights, places);
    std::cout << places.size() << " of " << weights.size() << " elements drawn, sums in "
              << (has_double ? "double" : "float") << ": " << (right ? "as often as their weights say" : "wrong")
              << '\n';
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
