// SPDX-License-Identifier: MIT
// Operators that the host applies to integers: the device's results, bit for bit.

#include <upsweep/detail/values/host_operator.hpp>
#include <upsweep/type.hpp>

#include "support.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace detail = upsweep::detail;

namespace {

/// An operator's text as a function of OpenCL C, and what the host does.
template <class T>
struct both_ways {
    std::string function;
    detail::host_operator on_host;
};

template <class T, class... Operators>
std::vector<both_ways<T>> operators() {
    const std::string type = upsweep::type<T>::name;
    std::vector<both_ways<T>> result;
    (result.push_back(
         {type + " " + Operators::name + "_(" + type + " left, " + type + " right) { " + Operators::body + " }\n",
          detail::operator_on_host<T, Operators>()}),
     ...);
    return result;
}

/// Pairs of numbers at the ends of the type's range, about zero, and in between.
template <class T>
std::vector<T> edges() {
    const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    std::vector<T> values{least, T(least + 1), T(0), T(1), T(2), T(-1), T(-2), T(most / 3), T(most - 1), most};
    std::uint64_t x = 7;
    for (int i = 0; i < 10; ++i) values.push_back(static_cast<T>((x = x * 6364136223846793005U + 1) >> 7));
    return values;
}

template <class T>
cl::Buffer buffer_with(std::vector<T> values) {
    return cl::Buffer(test::queue().getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                      values.size() * sizeof(T), values.data());
}

/// All operators' results for all pairs, by the device.
template <class T>
std::vector<T> on_device(const std::vector<both_ways<T>>& operators, const std::vector<T>& values) {
    const std::string type = upsweep::type<T>::name;
    std::string text, cases;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        text += operators[i].function;
        const std::size_t begin = operators[i].function.find(' ') + 1;
        const std::string name = operators[i].function.substr(begin, operators[i].function.find('(') - begin);
        cases += "out[at++] = " + name + "(left, right);\n";
    }
    text += "__kernel void combine_all(__global const " + type + "* in, __global " + type + "* out)\n{\n" + type +
            " left = in[get_global_id(0)], right = in[get_global_id(1)];\n" +
            "size_t at = (get_global_id(0) * get_global_size(1) + get_global_id(1)) * " +
            std::to_string(operators.size()) + ";\n" + cases + "}\n";
    const cl::Program program(test::queue().getInfo<CL_QUEUE_CONTEXT>(), text);
    REQUIRE(clBuildProgram(program(), 0, nullptr, "-cl-std=CL1.2", nullptr, nullptr) == CL_SUCCESS);
    const cl::Kernel kernel(clCreateKernel(program(), "combine_all", nullptr));
    const auto in = buffer_with(values);
    std::vector<T> results(values.size() * values.size() * operators.size());
    const auto out = buffer_with(results);
    const cl_mem arrays[] = {in(), out()};
    for (cl_uint i = 0; i < 2; ++i) REQUIRE(clSetKernelArg(kernel(), i, sizeof(cl_mem), &arrays[i]) == CL_SUCCESS);
    const std::size_t sizes[] = {values.size(), values.size()};
    REQUIRE(clEnqueueNDRangeKernel(test::queue()(), kernel(), 2, nullptr, sizes, nullptr, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    REQUIRE(clEnqueueReadBuffer(test::queue()(), out(), CL_TRUE, 0, results.size() * sizeof(T), results.data(), 0,
                                nullptr, nullptr) == CL_SUCCESS);
    return results;
}

} // namespace

TEMPLATE_TEST_CASE("the host combines integers as the device does", "[unit]", std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    using namespace upsweep;
    const auto all =
        operators<TestType, plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor, logical_and, logical_or>();
    const std::vector<TestType> values = edges<TestType>();
    std::vector<TestType> expected;
    for (const TestType& left : values)
        for (const TestType& right : values)
            for (const auto& each : all) {
                TestType result{};
                each.on_host(&left, &right, &result);
                expected.push_back(result);
            }
    CHECK(on_device(all, values) == expected);
}

TEST_CASE("the host combines neither floats nor by a user's text", "[unit]") {
    CHECK(detail::operator_on_host<float, upsweep::plus>() == nullptr);
    CHECK(detail::operator_on_host<int, upsweep::custom_operator<int>>() == nullptr);
}
