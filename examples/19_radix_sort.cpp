// SPDX-License-Identifier: MIT
// A stable sort of keys, each with a payload, by radix: the four bits of a digit at a time, lowest first. A scan of the
// digits' counts says where each work-group's elements of each digit go; inside a work-group a scan of counters does.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// How many elements there are of each digit. Structs are elements as numbers are.
struct counters {
    std::uint16_t of[16];
};
template <>
struct upsweep::type<counters> {
    static constexpr const char* name = "counters";
    static constexpr const char* definition = "typedef struct { ushort of[16]; } counters;";
};

namespace {

constexpr std::uint32_t work_items = 64;

constexpr const char* kernel_text = R"(
uint digit_of(uint key, uint shift)
{
    return key >> shift & 15;
}

/// One element's counters.
counters count_one(uint digit)
{
    counters one;
    for (uint d = 0; d < 16; ++d) one.of[d] = d == digit;
    return one;
}

/// How many elements of each digit each group has: all groups' of digit 0, then all groups' of digit 1, and so on.
__kernel __attribute__((reqd_work_group_size(COUNT_WORK_GROUP_SIZE, 1, 1)))
void count_digits(__global const uint* keys, uint n, uint shift, __global uint* counts)
{
    __local counters memory[COUNT_MEMORY];
    const uint local_id = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
    const uint begin = group * COUNT_WORK_GROUP_SIZE, i = begin + local_id;
    const counters own = count_one(digit_of(i < n ? keys[i] : 0, shift));
    const counters all = count_reduce(local_id, own, min(n - begin, (uint)COUNT_WORK_GROUP_SIZE), memory);
    for (uint d = local_id; d < 16; d += COUNT_WORK_GROUP_SIZE) counts[d * groups + group] = all.of[d];
}

/// Moves each element behind those of the same digit that stand before it. `places`: the counts, scanned.
__kernel __attribute__((reqd_work_group_size(COUNT_WORK_GROUP_SIZE, 1, 1)))
void scatter(__global const uint* keys, __global const uint* payloads, uint n, uint shift, __global const uint* places,
             __global uint* out_keys, __global uint* out_payloads)
{
    __local counters memory[COUNT_MEMORY];
    const uint local_id = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
    const uint begin = group * COUNT_WORK_GROUP_SIZE, i = begin + local_id;
    const uint digit = digit_of(i < n ? keys[i] : 0, shift);
    const counters up_to = count_inclusive_scan(local_id, count_one(digit),
                                                min(n - begin, (uint)COUNT_WORK_GROUP_SIZE), memory);
    if (i >= n) return;
    const uint place = places[digit * groups + group] + up_to.of[digit] - 1;
    out_keys[place] = keys[i];
    out_payloads[place] = payloads[i];
}
)";

/// Device memory for keys and their payloads.
struct pairs {
    cl::Buffer keys, payloads;
};

cl::Program build(const cl::Context& context) {
    const auto add = upsweep::make_operator<counters>("for (uint d = 0; d < 16; ++d) left.of[d] += right.of[d];\n"
                                                      "return left;");
    const auto brent_kung = upsweep::tile_algorithm::brent_kung;
    cl::Program program(context,
                        upsweep::work_group_source<counters>(add, work_items, brent_kung, "count") + kernel_text);
    program.build();
    return program;
}

/// Sorts n pairs; `other` is room for as many. Nothing waits for the host.
void sort(cl::CommandQueue queue, const cl::Program& program, pairs& in, pairs& other, std::uint32_t n) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl::Buffer> count_digits(program, "count_digits");
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint, cl_uint, cl::Buffer, cl::Buffer, cl::Buffer> scatter(program,
                                                                                                            "scatter");
    const std::size_t groups = (n + work_items - 1) / work_items;
    const cl::Buffer counts(context, CL_MEM_READ_WRITE, 16 * groups * sizeof(cl_uint));
    const upsweep::span<cl_uint> places(counts, 16 * groups);
    const cl::EnqueueArgs launch(queue, cl::NDRange(groups * work_items), cl::NDRange(work_items));
    for (cl_uint shift = 0; shift < 32; shift += 4) {
        count_digits(launch, in.keys, n, shift, counts);
        upsweep::exclusive_scan(queue, places, places, cl_uint{0}); // in place; the queue is in order
        scatter(launch, in.keys, in.payloads, n, shift, counts, other.keys, other.payloads);
        std::swap(in, other);
    }
}

bool sorts_rightly(const cl::CommandQueue& queue, const cl::Program& program, std::uint32_t n, std::uint32_t largest) {
    std::mt19937 random(n);
    std::vector<cl_uint> keys(n), payloads(n);
    for (cl_uint& key : keys) key = static_cast<cl_uint>(random()) % largest;
    std::iota(payloads.begin(), payloads.end(), 0U);

    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const auto make = [&] { return cl::Buffer(context, CL_MEM_READ_WRITE, n * sizeof(cl_uint)); };
    pairs in{make(), make()}, other{make(), make()};
    queue.enqueueWriteBuffer(in.keys, CL_TRUE, 0, n * sizeof(cl_uint), keys.data());
    queue.enqueueWriteBuffer(in.payloads, CL_TRUE, 0, n * sizeof(cl_uint), payloads.data());
    sort(queue, program, in, other, n);
    std::vector<cl_uint> sorted_keys(n), sorted_payloads(n);
    queue.enqueueReadBuffer(in.keys, CL_TRUE, 0, n * sizeof(cl_uint), sorted_keys.data());
    queue.enqueueReadBuffer(in.payloads, CL_TRUE, 0, n * sizeof(cl_uint), sorted_payloads.data());

    // The payloads are places: of equal keys the one that stood first comes first.
    std::stable_sort(payloads.begin(), payloads.end(), [&](cl_uint a, cl_uint b) { return keys[a] < keys[b]; });
    bool right = sorted_payloads == payloads;
    for (std::size_t i = 0; i < n; ++i) right = right && sorted_keys[i] == keys[payloads[i]];
    std::cout << n << " keys below " << largest << ": " << (right ? "sorted" : "wrong") << '\n';
    return right;
}

} // namespace

int main() try {
    const cl::CommandQueue queue = upsweep::default_queue();
    const cl::Program program = build(queue.getInfo<CL_QUEUE_CONTEXT>());
    bool right = true;
    right = sorts_rightly(queue, program, 1, 10) && right;
    right = sorts_rightly(queue, program, 1000, 100) && right;
    right = sorts_rightly(queue, program, 200003, 0xffffffffU) && right;
    return right ? 0 : 1;
} catch (const cl::Error& problem) {
    std::cerr << problem.what() << ": OpenCL status " << problem.err() << '\n';
    return 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
