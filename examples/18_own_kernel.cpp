// SPDX-License-Identifier: MIT
// A kernel of one's own that needs scans and reductions inside: each row of a matrix of scores becomes probabilities
// (softmax) and their running sums. One work-group per row; what it does together is text from the library.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

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
__kernel __attribute__((reqd_work_group_size(SUMS_WORK_GROUP_SIZE, 1, 1)))
void running_softmax(__global const float* scores, __global float* running, uint columns)
{
    __local float memory[SUMS_MEMORY]; // the functions of both names take turns in it
    const uint size = SUMS_WORK_GROUP_SIZE, local_id = get_local_id(0);
    scores += get_group_id(0) * columns;
    running += get_group_id(0) * columns;
    const uint active = min(columns, size); // work-items that have an element

    // Each work-item goes through every size-th element; the rest is the group's.
    float largest = -INFINITY;
    for (uint i = local_id; i < columns; i += size) largest = fmax(largest, scores[i]);
    largest = largest_reduce(local_id, largest, active, memory);
    float sum = 0;
    for (uint i = local_id; i < columns; i += size) sum += exp(scores[i] - largest);
    sum = sums_reduce(local_id, sum, active, memory);

    // Running sums, one group of neighbours after another. All work-items call the function, with elements or without.
    float before = 0;
    for (uint begin = 0; begin < columns; begin += size) {
        const uint i = begin + local_id, count = min(columns - begin, size);
        const float probability = i < columns ? exp(scores[i] - largest) / sum : 0;
        float total;
        const float left = sums_scan_with_total(local_id, probability, count, memory, &total);
        if (i < columns) running[i] = before + (local_id == 0 ? probability : left + probability);
        before += total;
    }
}
)";

std::vector<float> running_softmax(cl::CommandQueue queue, const std::vector<float>& scores, std::size_t rows) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const auto device = queue.getInfo<CL_QUEUE_DEVICE>();
    const auto work_items =
        static_cast<std::uint32_t>((std::min)(std::size_t{128}, device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()));
    const auto blelloch = upsweep::tile_algorithm::blelloch;
    const std::string sums = upsweep::work_group_source<float>(upsweep::plus{}, work_items, blelloch, "sums");
    const std::string largest = upsweep::work_group_source<float>(upsweep::maximum{}, work_items, blelloch, "largest");
    const cl::Program program(context, sums + largest + kernel_text);
    program.build();

    const cl::Buffer in(context, scores.begin(), scores.end(), true);
    const cl::Buffer out(context, CL_MEM_WRITE_ONLY, scores.size() * sizeof(float));
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint> kernel(program, "running_softmax");
    kernel(cl::EnqueueArgs(queue, cl::NDRange(rows * work_items), cl::NDRange(work_items)), in, out,
           static_cast<cl_uint>(scores.size() / rows));
    std::vector<float> running(scores.size());
    queue.enqueueReadBuffer(out, CL_TRUE, 0, running.size() * sizeof(float), running.data());
    return running;
}

bool is_right(const std::vector<float>& scores, const std::vector<float>& running, std::size_t rows) {
    const std::size_t columns = scores.size() / rows;
    double worst = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = &scores[r * columns];
        const double largest = *std::max_element(row, row + columns);
        double all = 0, before = 0;
        for (std::size_t i = 0; i < columns; ++i) all += std::exp(row[i] - largest);
        for (std::size_t i = 0; i < columns; ++i) {
            before += std::exp(row[i] - largest) / all;
            worst = (std::max)(worst, std::fabs(running[r * columns + i] - before));
        }
    }
    std::cout << rows << " rows of " << columns << ": running sums of probabilities within " << worst << '\n';
    return worst < 1e-5;
}

} // namespace

int main() try {
    constexpr std::size_t rows = 500;
    const cl::CommandQueue queue = upsweep::default_queue();
    std::mt19937 random(1);
    std::normal_distribution<float> score(0, 3);
    bool correct = true;
    for (const std::size_t columns : {1U, 100U, 1000U}) {
        std::vector<float> scores(rows * columns);
        std::generate(scores.begin(), scores.end(), [&] { return score(random); });
        correct = is_right(scores, running_softmax(queue, scores, rows), rows) && correct;
    }
    return correct ? 0 : 1;
} catch (const cl::Error& problem) {
    std::cerr << problem.what() << ": OpenCL status " << problem.err() << '\n';
    return 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
