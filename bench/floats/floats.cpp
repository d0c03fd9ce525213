// SPDX-License-Identifier: MIT
// Measures the rounding errors of sums and prefix sums of floats, here and in other libraries, against exact sums.
//
//   upsweep_floats [<n>...]       by default 4000000 64000000; prints JSON, which tables.py makes tables of
//
// Ends with status 1 where a result of this library is not within the bound that README.md derives.
#include <upsweep/upsweep.hpp>

#include "exact_sum.hpp"

#if defined(UPSWEEP_FLOATS_BOOST_COMPUTE)
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/version.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using floats = std::vector<float>;
using doubles = std::vector<double>;

std::string compiler() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return "another compiler";
#endif
}

std::string boost_version() {
#if defined(UPSWEEP_FLOATS_BOOST_COMPUTE)
    return BOOST_LIB_VERSION;
#else
    return "";
#endif
}

/// 24 random bits: the same numbers with every standard library.
float uniform(std::mt19937& random) {
    return (static_cast<float>(random() >> 8) + 0.5F) * 0x1p-24F;
}

/// Numbers to add, or products, which are rounded to float as on the device.
struct workload {
    std::string name;
    floats a;
    floats b; ///< empty: a alone is added

    std::size_t size() const { return a.size(); }
    float element(std::size_t i) const { return b.empty() ? a[i] : a[i] * b[i]; }
    double exact_element(std::size_t i) const { return b.empty() ? double{a[i]} : double{a[i]} * b[i]; }
};

workload make_workload(const std::string& name, std::size_t n) {
    std::mt19937 random(1);
    workload w{name, floats(n), {}};
    if (name == "dot product") w.b.resize(n);
    for (float& x : w.a) {
        if (name == "all 0.1")
            x = 0.1F;
        else if (name == "both signs")
            x = uniform(random) - uniform(random);
        else
            x = uniform(random);
    }
    for (float& x : w.b) x = uniform(random);
    return w;
}

/// The elements as floats, in one array.
floats elements_of(const workload& w) {
    floats elements(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) elements[i] = w.element(i);
    return elements;
}

/// What one way of adding gave.
struct sums {
    std::string way;
    double total = 0;
    doubles prefixes;
};

class device_arrays {
public:
    device_arrays(const cl::CommandQueue& queue, const workload& w)
        : queue_(queue)
        , context_(queue.getInfo<CL_QUEUE_CONTEXT>())
        , n_(w.size())
        , a_(upload(w.a))
        , b_(w.b.empty() ? a_ : upload(w.b))
        , out_(context_, CL_MEM_READ_WRITE, n_ * sizeof(double))
        , result_(context_, CL_MEM_READ_WRITE, sizeof(double)) {}

    /// By this library, combined in T.
    template <class T>
    sums by_upsweep(const std::string& way, bool is_product) const {
        const upsweep::span<const float> a{a_, n_}, b{b_, n_};
        const upsweep::span<T> out{out_, n_}, result{result_, 1};
        const std::string type = upsweep::type<T>::name;
        // Products of two floats are exact in double.
        const auto elements =
            is_product ? upsweep::transform<T>("(" + type + ")a * b", a, b) : upsweep::transform<T>("a", a);
        upsweep::inclusive_scan(queue_, elements, out);
        upsweep::reduce(queue_, elements, result);
        return read<T>(way);
    }

#if defined(UPSWEEP_FLOATS_BOOST_COMPUTE)
    sums by_boost(const floats& elements) const {
        namespace compute = boost::compute;
        const cl::Buffer in = upload(elements);
        compute::command_queue queue(queue_(), true);
        const auto at = [](const cl::Buffer& buffer, std::size_t i) {
            return compute::make_buffer_iterator<float>(compute::buffer(buffer(), true), i);
        };
        compute::inclusive_scan(at(in, 0), at(in, n_), at(out_, 0), compute::plus<float>(), queue);
        compute::reduce(at(in, 0), at(in, n_), at(result_, 0), compute::plus<float>(), queue);
        queue.finish();
        return read<float>("boost");
    }
#endif

private:
    cl::Buffer upload(const floats& values) const {
        cl::Buffer buffer(context_, CL_MEM_READ_WRITE, n_ * sizeof(float));
        queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, n_ * sizeof(float), values.data());
        return buffer;
    }

    template <class T>
    sums read(const std::string& way) const {
        std::vector<T> prefixes(n_);
        T total{};
        queue_.enqueueReadBuffer(out_, CL_TRUE, 0, n_ * sizeof(T), prefixes.data());
        queue_.enqueueReadBuffer(result_, CL_TRUE, 0, sizeof(T), &total);
        return {way, double{total}, doubles(prefixes.begin(), prefixes.end())};
    }

    cl::CommandQueue queue_;
    cl::Context context_;
    std::size_t n_;
    cl::Buffer a_, b_, out_, result_;
};

sums by_std(const std::string& way, const floats& elements) {
    floats prefixes(elements.size());
    std::inclusive_scan(elements.begin(), elements.end(), prefixes.begin());
    const float total = way == "serial" ? std::accumulate(elements.begin(), elements.end(), 0.0F)
                                        : std::reduce(elements.begin(), elements.end(), 0.0F);
    return {way, double{total}, doubles(prefixes.begin(), prefixes.end())};
}

/// d of the bound: the most additions that an element of the first n goes through in the canonical order.
unsigned additions(std::uint64_t n) {
    unsigned log2 = 0, blocks = 0;
    for (std::uint64_t rest = n; rest > 1; rest >>= 1) ++log2;
    for (; n > 0; n &= n - 1) ++blocks;
    return log2 + blocks - 1;
}

double gamma(unsigned roundings, double unit) {
    return roundings * unit / (1 - roundings * unit);
}

struct errors {
    double total = 0;       ///< |sum - exact| / |exact|
    double worst = 0;       ///< the largest of all prefixes, relative to the sum of absolute values so far
    double of_bound = 0;    ///< the largest error of all prefixes as a part of its bound
    std::size_t falls = 0;  ///< places where the next prefix is smaller
    double worst_fall = 0;  ///< the largest of these steps, relative to the prefix
    bool same_total = true; ///< the last prefix is the sum
};

errors compare(const workload& w, const sums& s, double unit) {
    errors e;
    exact_sum exact, absolute;
    for (std::size_t i = 0; i < w.size(); ++i) {
        exact.add(w.exact_element(i));
        absolute.add(std::fabs(w.exact_element(i)));
        const double error = std::fabs(exact.minus(s.prefixes[i])), magnitude = absolute.value();
        e.worst = std::max(e.worst, error / magnitude);
        // A product is rounded once before it is added.
        const unsigned roundings = additions(i + 1) + (w.b.empty() ? 0 : 1);
        const double bound = roundings == 0 ? 0 : gamma(roundings, unit) * magnitude;
        if (error > 0) e.of_bound = std::max(e.of_bound, bound > 0 ? error / bound : 2.0);
        if (i > 0 && s.prefixes[i] < s.prefixes[i - 1]) {
            ++e.falls;
            e.worst_fall = std::max(e.worst_fall, 1 - s.prefixes[i] / s.prefixes[i - 1]);
        }
    }
    e.total = std::fabs(exact.minus(s.total) / exact.value());
    e.same_total = s.prefixes.back() == s.total;
    return e;
}

void print(const workload& w, const std::string& way, const errors& e, bool is_first) {
    std::cout << (is_first ? "" : ",\n") << "  {\"work\": \"" << w.name << "\", \"n\": " << w.size() << ", \"way\": \""
              << way << "\", \"total\": " << e.total << ", \"worst\": " << e.worst << ", \"of_bound\": " << e.of_bound
              << ", \"falls\": " << e.falls << ", \"worst_fall\": " << e.worst_fall << "}";
}

/// @return whether the results of this library are within their bounds
bool measure(const cl::CommandQueue& queue, const workload& w, bool is_first) {
    const floats elements = elements_of(w);
    const device_arrays device(queue, w);
    constexpr double unit_of_float = 0x1p-24, unit_of_double = 0x1p-53;
    const sums ours = device.by_upsweep<float>("upsweep", !w.b.empty());
    const sums wider = device.by_upsweep<double>("upsweep, double", !w.b.empty());
    const errors own = compare(w, ours, unit_of_float), own_wider = compare(w, wider, unit_of_double);
    print(w, ours.way, own, is_first);
    print(w, wider.way, own_wider, false);
    for (const char* way : {"serial", "std::reduce"})
        print(w, way, compare(w, by_std(way, elements), unit_of_float), false);
#if defined(UPSWEEP_FLOATS_BOOST_COMPUTE)
    print(w, "boost", compare(w, device.by_boost(elements), unit_of_float), false);
#endif
    return own.of_bound <= 1 && own_wider.of_bound <= 1 && own.same_total && own_wider.same_total;
}

} // namespace

int main(int argc, char** argv) try {
    std::vector<std::string> sizes(argv + 1, argv + argc);
    if (sizes.empty()) sizes = {"4000000", "64000000"};
    const cl::CommandQueue queue = upsweep::default_queue();
    const auto device = queue.getInfo<CL_QUEUE_DEVICE>();
    bool is_within = true, is_first = true;
    std::cout << "{\"device\": \"" << device.getInfo<CL_DEVICE_NAME>() << "\", \"driver\": \""
              << device.getInfo<CL_DRIVER_VERSION>() << "\", \"compiler\": \"" << compiler() << "\", \"boost\": \""
              << boost_version() << "\", \"rows\": [\n";
    for (const std::string& size : sizes)
        for (const char* work : {"uniform", "dot product", "both signs", "all 0.1"}) {
            is_within = measure(queue, make_workload(work, std::stoul(size)), is_first) && is_within;
            is_first = false;
        }
    std::cout << "\n]}\n";
    if (!is_within) std::cerr << "a result is not within its bound, or a scan does not end with the reduction\n";
    return is_within ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
