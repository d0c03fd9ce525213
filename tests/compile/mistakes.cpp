// SPDX-License-Identifier: MIT
// Must not compile: each line with "error:" is a mistake that is answered by one error, with the text that stands
// there. A compiler reports what is wrong with a type once, so each mistake has a type of its own.
#include <upsweep/upsweep.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace {

struct point {
    int x, y;
};
[[maybe_unused]] int add(int a, int b) {
    return a + b;
}
[[maybe_unused]] bool is_even(int a) {
    return a % 2 == 0;
}
struct other_point {
    int x;
};
struct unnamed_point {
    int x;
};
struct no_default {
    explicit no_default(int given)
        : x(given) {}
    int x;
};
struct no_default_either : no_default {
    using no_default::no_default;
};
/// An iterator over device memory, in the manner of Boost.Compute.
template <class T>
struct buffer_iterator : std::vector<T>::iterator {
    int get_buffer() const { return 0; }
};

} // namespace

template <>
struct upsweep::type<no_default> {
    static constexpr const char* name = "no_default";
    static constexpr const char* definition = "typedef struct { int x; } no_default;";
};

int main() {
    const cl::CommandQueue queue = upsweep::default_queue();
    std::vector<int> in(8), out(8);
    const upsweep::span<const int> x;
    const upsweep::span<int> y;
    const upsweep::span<float> z;
    const auto first = [](int a, int b) { return a + b; };
    const auto second = [](int a, int b) { return a + b; };
    const auto positive = [](int a) { return a > 0; };
    const upsweep::span<std::uint32_t> count;
    const upsweep::plus plus;
    const auto own_int = upsweep::make_operator<int>("return left;");
    const auto own_float = upsweep::make_operator<float>("return left;");
    const std::vector<point> points(8);
    const std::vector<unnamed_point> unnamed(8);
    const std::vector<bool> flags(8);
    const buffer_iterator<int> ints;
    const buffer_iterator<short> shorts;
    const buffer_iterator<float> floats;

    // clang-format off
    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), std::plus<>{});            // error: a function of the host cannot run on a device
    upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), 0, first);                 // error: a function of the host cannot run on a device
    upsweep::reduce(queue, in.begin(), in.end(), 0, add);                                        // error: a function of the host cannot run on a device
    upsweep::inclusive_scan(queue, x, y, std::multiplies<>{});                                   // error: a function of the host cannot run on a device
    upsweep::exclusive_scan(queue, x, y, std::bit_or<>{});                                       // error: a function of the host cannot run on a device
    upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), second);                   // error: a function of the host cannot run on a device
    upsweep::reduce_plan<int, int, std::bit_and<>>(queue, 8);                                    // error: a function of the host cannot run on a device
    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), 0, plus);                  // error: an inclusive scan takes it before the initial value
    upsweep::inclusive_scan(queue, x, y, 0L, plus);                                              // error: an inclusive scan takes it before the initial value
    upsweep::reduce(queue, in.begin(), in.end(), plus);                                          // error: an initial value belongs here
    upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), own_int);                  // error: an operator of one's own needs an initial value
    upsweep::exclusive_scan(queue, z, z, own_float);                                             // error: an operator of one's own needs an initial value
    upsweep::inclusive_scan(queue, x, y, plus, upsweep::options{});                              // error: options stand last
    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), plus, upsweep::after({})); // error: take no wait list
    upsweep::reduce(queue, points.begin(), points.end(), point{});                               // error: needs a specialization of upsweep::type
    upsweep::reduce(queue, flags.begin(), flags.end());                                          // error: bool is no element type
    upsweep::inclusive_scan(queue, ints, ints, out.begin());                                     // error: pass a span instead
    upsweep::exclusive_scan(queue, in.begin(), in.end(), shorts, 0);                             // error: pass a span instead
    upsweep::reduce(queue, floats, floats);                                                      // error: pass a span instead
    upsweep::copy_if(queue, x, y, count, positive);                                              // error: pass its body as text in OpenCL C
    upsweep::unique(queue, unnamed.begin(), unnamed.end(), out.begin());                         // error: needs a specialization of upsweep::type
    upsweep::max_element(queue, points.begin(), points.end());                                   // error: compare integers, half, float and double
    upsweep::inclusive_scan(queue, x, y, cl::Event());                                           // error: an operator stands before the options
    upsweep::exclusive_scan(queue, x, y, 0, std::vector<cl::Event>());                           // error: an operator stands before the options
    upsweep::exclusive_scan(queue, upsweep::rows(x, 1, 8), y, 0, std::vector<cl_event>());       // error: an operator stands before the options
    upsweep::inclusive_scan(queue, upsweep::counting<int>(8), y, upsweep::after({}));            // error: an operator stands before the options
    upsweep::reduce(queue, x, y, 0, upsweep::options{});                                         // error: an operator stands before the options
    upsweep::reduce(queue, x, upsweep::maximum{});                                               // error: an initial value belongs here
    upsweep::reduce(queue, upsweep::counting<int>(8), upsweep::minimum{});                       // error: an initial value belongs here
    upsweep::copy_if(queue, x, y, count, is_even);                                               // error: pass its body as text in OpenCL C
    upsweep::count_if(queue, x, [](auto a) { return a > 0; });                                   // error: pass its body as text in OpenCL C
    upsweep::count_if(queue, in.begin(), in.end(), [](int a) { return a > 0; });                 // error: pass its body as text in OpenCL C
    upsweep::transform_reduce(queue, x, y, 0, plus, [](int a) { return -a; });                   // error: pass its body as text in OpenCL C
    upsweep::transform_reduce(queue, in.begin(), in.end(), out.begin(), 0, plus, std::minus<>{}); // error: pass its body as text in OpenCL C
    upsweep::transform<int>([](int a) { return ~a; }, x);                                        // error: pass its body as text in OpenCL C
    upsweep::unique(queue, x, y, count, upsweep::after({}));                                     // error: a text in OpenCL C belongs here
    upsweep::reduce_by_key(queue, upsweep::keyed(x, x), z, y, count);                            // error: keys are written in their own type
    upsweep::copy_if(queue, x, y, upsweep::span<const std::uint32_t>(), "a");                    // error: a count is a std::uint32_t or a std::uint64_t
    upsweep::copy_if(queue, x, y, count, upsweep::options{});                                    // error: a text in OpenCL C belongs here
    // clang-format on
    const upsweep::span<upsweep::bfloat16> stored;
    upsweep::exclusive_scan(queue, stored, stored, 0.0f); // error: specialization of upsweep::type
    upsweep::transform<other_point>("a", x);              // error: specialization of upsweep::type
    const upsweep::span<no_default> whole;
    upsweep::inclusive_scan(queue, whole, whole, plus); // error: must have a default constructor
    upsweep::min_element(queue, whole);                 // error: compare integers, half, float and double
    const upsweep::span<no_default_either> all;
    const upsweep::span<upsweep::extremum<no_default_either>> largest;
    upsweep::max_element(queue, all, largest); // error: compare integers, half, float and double
}
