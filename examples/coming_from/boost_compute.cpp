// SPDX-License-Identifier: MIT
// Vectors and queues of Boost.Compute as arguments of this library.
#include <upsweep/upsweep.hpp>

#include <boost/compute/algorithm/copy.hpp>
#include <boost/compute/container/vector.hpp>

#include <exception>
#include <iostream>
#include <vector>

namespace {

/// The elements of a vector; it must outlive the call, as any buffer.
template <class T>
upsweep::span<T> as_span(const boost::compute::vector<T>& v) {
    return {v.get_buffer().get(), v.size()};
}

} // namespace

int main() try {
    // A queue of Boost.Compute gives its handle; one of another library is retained with `true`.
    const cl::CommandQueue ours = upsweep::default_queue();
    boost::compute::command_queue queue(ours(), true);

    const std::vector<float> in{3, 1, 7, 0, 4, 1, 6, 3};
    const boost::compute::vector<float> x(in.begin(), in.end(), queue);
    boost::compute::vector<float> y(in.size(), queue.get_context());
    upsweep::inclusive_scan(queue.get(), as_span(x), as_span(y));

    std::vector<float> out(in.size());
    boost::compute::copy(y.begin(), y.end(), out.begin(), queue);
    for (const float value : out) std::cout << value << ' ';
    std::cout << '\n';
    return out == std::vector<float>{3, 4, 11, 11, 15, 16, 22, 25} ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
