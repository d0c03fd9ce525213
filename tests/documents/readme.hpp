// SPDX-License-Identifier: MIT
// What the blocks of README.md take for granted, in `main` before them, and what their results must be.
cl::CommandQueue queue = upsweep::default_queue();
const cl::CommandQueue other_queue = upsweep::default_queue();
const cl::Context context = queue.getInfo<CL_QUEUE_CONTEXT>();
const std::vector<int> in{3, 1, 7, 0, 4, 1, 6, 3};
std::vector<int> out(in.size());
const std::vector<affine> maps{{2, 1}, {3, 0}, {1, 5}};
std::vector<affine> from_start(maps.size());
const std::size_t n = in.size();
const std::vector<float> values(in.begin(), in.end());
const cl::Buffer x_buffer(context, CL_MEM_READ_WRITE, n * sizeof(float));
const cl::Buffer y_buffer(context, CL_MEM_READ_WRITE, n * sizeof(float));
const cl::Buffer result(context, CL_MEM_READ_WRITE, sizeof(float));
const cl::Buffer count_buffer(context, CL_MEM_READ_WRITE, sizeof(std::uint32_t));
const upsweep::span<std::uint32_t> count{count_buffer, 1};
cl::Event uploaded;
queue.enqueueWriteBuffer(x_buffer, CL_FALSE, 0, n * sizeof(float), values.data(), nullptr, &uploaded);

// The last block has scanned x into y once more, inclusively.
const auto check_results = [&] {
    std::vector<float> sums(n);
    float largest = 0;
    queue.enqueueReadBuffer(y_buffer, CL_TRUE, 0, n * sizeof(float), sums.data());
    queue.enqueueReadBuffer(result, CL_TRUE, 0, sizeof(float), &largest);
    const bool right = out == std::vector<int>{0, 3, 4, 11, 11, 15, 16, 22} &&
                       sums == std::vector<float>{3, 4, 11, 11, 15, 16, 22, 25} && largest == 7 &&
                       from_start[2].a == 6 && from_start[2].b == 8;
    return right ? 0 : 1;
};
