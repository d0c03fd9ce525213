// SPDX-License-Identifier: MIT
// Keeping some of the elements: those above a bound, their places, both sorts apart, and runs of equal neighbours.
// Every call writes on the device how many there were, so nothing waits for the host until the end.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <iterator>
#include <random>
#include <vector>

namespace {

constexpr std::size_t n = 500000;

/// Room for n results, and for how many there are.
template <class T>
class results {
public:
    explicit results(const cl::CommandQueue& queue)
        : queue_(queue)
        , values_(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, n * sizeof(T))
        , count_(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, sizeof(std::uint32_t)) {}

    upsweep::span<T> values() const { return {values_, n}; }
    upsweep::span<std::uint32_t> count() const { return {count_, 1}; }

    /// Waits, and reads as many values as there are; `all`: all of them.
    std::vector<T> read(bool all = false) const {
        const std::size_t size = all ? n : read_count();
        std::vector<T> out(size);
        if (size > 0) queue_.enqueueReadBuffer(values_, CL_TRUE, 0, size * sizeof(T), out.data());
        return out;
    }
    std::size_t read_count() const {
        std::uint32_t count = 0;
        queue_.enqueueReadBuffer(count_, CL_TRUE, 0, sizeof count, &count);
        return count;
    }

private:
    cl::CommandQueue queue_;
    cl::Buffer values_, count_;
};

} // namespace

int main() try {
    // Readings that change now and then.
    std::mt19937 random(1);
    std::vector<float> in(n);
    for (std::size_t i = 0; i < n; ++i)
        in[i] = i == 0 || random() % 5 == 0 ? static_cast<float>(random() % 100) / 100.0F : in[i - 1];

    const cl::CommandQueue queue = upsweep::default_queue();
    const cl::Buffer buffer(queue.getInfo<CL_QUEUE_CONTEXT>(), in.begin(), in.end(), true);
    const upsweep::span<const float> x(buffer, n);
    const results<float> large(queue), parted(queue), runs(queue);
    const results<std::uint32_t> places(queue), lengths(queue);

    upsweep::copy_if(queue, x, large.values(), large.count(), "a > 0.9f");
    // The places of the same: what is chosen from is 0, 1, 2 ..., what it is chosen by are the readings.
    upsweep::copy_if(queue, upsweep::counting<std::uint32_t>(n), places.values(), places.count(),
                     upsweep::transform<int>("a > 0.9f", x));
    upsweep::partition(queue, x, parted.values(), parted.count(), "a > 0.9f");
    upsweep::run_length_encode(queue, x, runs.values(), lengths.values(), runs.count());

    // The same on the host.
    const auto is_large = [](float value) { return value > 0.9F; };
    std::vector<float> expected_large, expected_parted(in), expected_runs(in);
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected_large), is_large);
    std::vector<std::uint32_t> expected_places;
    for (std::uint32_t i = 0; i < n; ++i)
        if (is_large(in[i])) expected_places.push_back(i);
    std::stable_partition(expected_parted.begin(), expected_parted.end(), is_large);
    expected_runs.erase(std::unique(expected_runs.begin(), expected_runs.end()), expected_runs.end());

    std::vector<float> decoded;
    const std::vector<float> run_values = runs.read();
    const std::vector<std::uint32_t> run_lengths = lengths.read(true);
    for (std::size_t r = 0; r < run_values.size(); ++r) decoded.insert(decoded.end(), run_lengths[r], run_values[r]);

    const bool right = large.read() == expected_large && places.read() == expected_places &&
                       parted.read(true) == expected_parted && parted.read_count() == expected_large.size() &&
                       run_values == expected_runs && decoded == in;
    std::cout << "of " << n << " readings " << expected_large.size() << " are large, in " << run_values.size()
              << " runs of equal ones: " << (right ? "right" : "wrong") << '\n';
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
