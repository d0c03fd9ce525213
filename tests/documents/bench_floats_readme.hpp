// SPDX-License-Identifier: MIT
// What the blocks of bench/floats/README.md take for granted, in `main` before them, and what their results must be.
cl::CommandQueue queue = upsweep::default_queue();
const cl::Context context = queue.getInfo<CL_QUEUE_CONTEXT>();
const std::size_t n = 1000;
const std::vector<float> quarters(n, 0.25F), threes(n, 3.0F);
const cl::Buffer x_buffer(context, CL_MEM_READ_WRITE, n * sizeof(float));
const cl::Buffer y_buffer(context, CL_MEM_READ_WRITE, n * sizeof(float));
const cl::Buffer sum_buffer(context, CL_MEM_READ_WRITE, n * sizeof(double));
const cl::Buffer total(context, CL_MEM_READ_WRITE, sizeof(double));
const cl::Buffer count(context, CL_MEM_READ_WRITE, sizeof(std::int64_t));
queue.enqueueWriteBuffer(x_buffer, CL_TRUE, 0, n * sizeof(float), quarters.data());
queue.enqueueWriteBuffer(y_buffer, CL_TRUE, 0, n * sizeof(float), threes.data());
const upsweep::span<const float> x{x_buffer, n}, y{y_buffer, n};

const auto check_results = [&] {
    double last = 0, dot = 0;
    std::int64_t steps_in_all = 0;
    queue.enqueueReadBuffer(sum_buffer, CL_TRUE, (n - 1) * sizeof(double), sizeof last, &last);
    queue.enqueueReadBuffer(total, CL_TRUE, 0, sizeof dot, &dot);
    queue.enqueueReadBuffer(count, CL_TRUE, 0, sizeof steps_in_all, &steps_in_all);
    return last == 250 && dot == 750 && steps_in_all == 250 * 1048576 ? 0 : 1;
};
