// SPDX-License-Identifier: MIT
// Reductions of computed elements: a dot product, mean and variance in one pass, and the places of extremes. Nothing is
// stored between the input and the result: `transform` computes each element as it is read. A reduction that is given
// no place for its result waits for it and returns it.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <vector>

namespace {

/// Number, mean and sum of squared deviations from the mean.
struct moments {
    std::uint32_t count;
    float mean, squares;
};

} // namespace

template <>
struct upsweep::type<moments> {
    static constexpr const char* name = "moments";
    static constexpr const char* definition = "typedef struct { uint count; float mean, squares; } moments;";
};

namespace {

using vector_view = upsweep::span<const float>;

float dot_product(const cl::CommandQueue& queue, vector_view x, vector_view y) {
    return upsweep::reduce(queue, upsweep::transform<float>("a * b", x, y));
}

/// Two sets' moments give those of both (T. Chan, G. Golub, R. LeVeque, Updating Formulae and a Pairwise Algorithm for
/// Computing Sample Variances, 1979). Subtracting the square of the mean at the end would lose most of the digits.
moments statistics(const cl::CommandQueue& queue, vector_view x) {
    const auto both = upsweep::make_operator<moments>("const float n = (float)left.count + (float)right.count;\n"
                                                      "const float delta = right.mean - left.mean;\n"
                                                      "const float part = (float)right.count / n;\n"
                                                      "moments m;\n"
                                                      "m.count = left.count + right.count;\n"
                                                      "m.mean = left.mean + delta * part;\n"
                                                      "m.squares = left.squares + right.squares\n"
                                                      "          + delta * delta * (float)left.count * part;\n"
                                                      "return m;");
    const auto single = upsweep::transform<moments>("moments m = {1, a, 0}; return m;", x);
    return upsweep::reduce(queue, single, upsweep::no_init, both);
}

bool is_near(double found, double expected) {
    return std::fabs(found - expected) <= 1e-5 * std::fabs(expected);
}

} // namespace

int main() try {
    constexpr std::size_t n = 1000003;
    std::mt19937 random(1);
    std::vector<float> x(n), y(n);
    for (float& value : x) value = 1000.0F + static_cast<float>(random() % 1000) / 1000.0F;
    for (float& value : y) value = static_cast<float>(random() % 1000) / 1000.0F;

    const cl::CommandQueue queue = upsweep::default_queue();
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const cl::Buffer x_buffer(context, x.begin(), x.end(), true), y_buffer(context, y.begin(), y.end(), true);
    const vector_view x_view(x_buffer, n), y_view(y_buffer, n);

    const float dot = dot_product(queue, x_view, y_view);
    const moments m = statistics(queue, x_view);
    // The first of the largest, and of the nearest to 1000.5: of computed elements, as well.
    const upsweep::extremum<float> most = upsweep::max_element(queue, x_view);
    const auto nearest = upsweep::min_element(queue, upsweep::transform<float>("fabs(a - 1000.5f)", x_view));

    double exact_dot = 0, exact_mean = 0, exact_squares = 0;
    for (std::size_t i = 0; i < n; ++i) exact_dot += double{x[i]} * double{y[i]};
    for (const float value : x) exact_mean += double{value} / static_cast<double>(n);
    for (const float value : x) exact_squares += (double{value} - exact_mean) * (double{value} - exact_mean);
    const auto exact_most = std::max_element(x.begin(), x.end());
    const auto distance = [](float value) { return std::fabs(value - 1000.5F); };
    const auto exact_nearest =
        std::min_element(x.begin(), x.end(), [&](float a, float b) { return distance(a) < distance(b); });

    std::cout << "dot product " << dot << ", expected " << exact_dot << "\nmean " << m.mean << ", expected "
              << exact_mean << "\nvariance " << m.squares / static_cast<float>(m.count - 1) << ", expected "
              << exact_squares / static_cast<double>(n - 1) << "\nlargest " << most.value << " at " << most.index
              << ", expected at " << exact_most - x.begin() << "\nnearest to 1000.5 at " << nearest.index
              << ", expected at " << exact_nearest - x.begin() << '\n';
    const bool right = is_near(dot, exact_dot) && m.count == n && is_near(m.mean, exact_mean) &&
                       is_near(m.squares, exact_squares) && most.value == *exact_most &&
                       most.index == static_cast<std::size_t>(exact_most - x.begin()) &&
                       nearest.index == static_cast<std::size_t>(exact_nearest - x.begin());
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
