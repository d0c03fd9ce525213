// SPDX-License-Identifier: MIT
// What the blocks and tables of examples/coming_from/README.md take for granted, in `main` before them, and what their
// results must be.
cl::CommandQueue queue = upsweep::default_queue();
const cl::Context context = queue.getInfo<CL_QUEUE_CONTEXT>();
const std::vector<float> in{3, 1, 7, 0, 4, 1, 6, 3};
const std::size_t n = in.size();
std::vector<float> host_out(n);
const auto first = in.begin(), last = in.end();
const auto out = host_out.begin();
const cl::Buffer x_buffer(context, CL_MEM_READ_WRITE, n * sizeof(float));
const cl::Buffer y_buffer(context, CL_MEM_READ_WRITE, n * sizeof(float));
const cl::Buffer z_buffer(context, CL_MEM_READ_WRITE, n * sizeof(float));
const cl::Buffer result_buffer(context, CL_MEM_READ_WRITE, sizeof(float));
const upsweep::span<float> x{x_buffer, n}, y{y_buffer, n}, z{z_buffer, n}, result{result_buffer, 1};
const cl::Buffer key_buffer(context, CL_MEM_READ_WRITE, n * sizeof(int));
const upsweep::span<int> keys{key_buffer, n}, flags{key_buffer, n};
const cl::Buffer found_buffer(context, CL_MEM_READ_WRITE, n * sizeof(int));
const upsweep::span<int> found{found_buffer, n};
const cl::Buffer offset_buffer(context, CL_MEM_READ_WRITE, (n + 1) * sizeof(std::uint32_t));
const cl::Buffer count_buffer(context, CL_MEM_READ_WRITE, sizeof(std::uint32_t));
const upsweep::span<std::uint32_t> offsets{offset_buffer, n + 1}, count{count_buffer, 1};
std::vector<std::uint32_t> places(n + 1);
for (std::uint32_t i = 0; i <= n; ++i) places[i] = i;
queue.enqueueWriteBuffer(offset_buffer, CL_TRUE, 0, (n + 1) * sizeof(std::uint32_t), places.data());
queue.enqueueFillBuffer(key_buffer, 1, 0, n * sizeof(int));
const upsweep::plus op;
cl::Event uploaded;
queue.enqueueWriteBuffer(x_buffer, CL_FALSE, 0, n * sizeof(float), in.data(), nullptr, &uploaded);
queue.enqueueFillBuffer(y_buffer, 0.0F, 0, n * sizeof(float));

const auto check_results = [&] {
    std::vector<float> sums(n);
    if (scan_float(queue(), x_buffer(), y_buffer(), n) != 0) return 1;
    queue.enqueueReadBuffer(y_buffer, CL_TRUE, 0, n * sizeof(float), sums.data());
    return sums == std::vector<float>{3, 4, 11, 11, 15, 16, 22, 25} ? 0 : 1;
};
