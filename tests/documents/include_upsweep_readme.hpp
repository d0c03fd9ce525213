// SPDX-License-Identifier: MIT
// What the blocks of include/upsweep/README.md take for granted, in `main` before them, and what their results must be.
cl::CommandQueue queue = upsweep::default_queue();
const cl::Context context = queue.getInfo<CL_QUEUE_CONTEXT>();
const std::size_t capacity = 1000;
const std::vector<float> ones(capacity, 1.0F);
const cl::Buffer input(context, CL_MEM_READ_WRITE, capacity * sizeof(float));
const cl::Buffer output(context, CL_MEM_READ_WRITE, capacity * sizeof(float));
queue.enqueueWriteBuffer(input, CL_TRUE, 0, capacity * sizeof(float), ones.data());
const upsweep::span<const float> x{input, capacity};
const upsweep::span<float> y{output, capacity};
const std::vector<int> zeros(capacity, 0);
const cl::Buffer marks(context, CL_MEM_READ_WRITE, capacity * sizeof(int));
queue.enqueueWriteBuffer(marks, CL_TRUE, 0, capacity * sizeof(int), zeros.data());
const upsweep::span<const int> keys{marks, capacity};
const upsweep::span<const int> flags{marks, capacity};
const cl::Buffer other(context, CL_MEM_READ_WRITE, capacity * sizeof(float));
const upsweep::span<float> sums{other, capacity};
const std::vector<int> bounds{0, 400, 400, 1000};
const cl::Buffer beginnings(context, CL_MEM_READ_WRITE, bounds.size() * sizeof(int));
queue.enqueueWriteBuffer(beginnings, CL_TRUE, 0, bounds.size() * sizeof(int), bounds.data());
const upsweep::span<const int> offsets{beginnings, bounds.size()};
const cl::Buffer for_totals(context, CL_MEM_READ_WRITE, capacity * sizeof(float));
const upsweep::span<float> totals{for_totals, capacity};
const cl::Buffer for_keys(context, CL_MEM_READ_WRITE, capacity * sizeof(int));
const upsweep::span<int> unique{for_keys, capacity};
const cl::Buffer for_count(context, CL_MEM_READ_WRITE, sizeof(std::uint32_t));
const upsweep::span<std::uint32_t> count{for_count, 1};
const upsweep::span<const float> z{input, capacity - 1, sizeof(float)};
const cl::Buffer sum(context, CL_MEM_READ_WRITE, sizeof(float));
const upsweep::span<float> result{sum, 1};
const std::size_t n = capacity;
const cl::Buffer three(context, CL_MEM_READ_WRITE, 3 * capacity * sizeof(float));
const upsweep::span<float> kept{three, capacity};
const upsweep::span<cl_uint> places{three, capacity, capacity * sizeof(float)};
const upsweep::span<cl_uint> lengths{three, capacity, 2 * capacity * sizeof(float)};
std::vector<int> in{3, 1, 7, 0}, out(in.size());
static const auto log = [](const auto&... parts) { (std::cerr << ... << parts) << '\n'; };

const auto check_results = [&] {
    float last = 0;
    queue.enqueueReadBuffer(output, CL_TRUE, (capacity - 1) * sizeof(float), sizeof(float), &last);
    float squares_of_z = 0;
    queue.enqueueReadBuffer(sum, CL_TRUE, 0, sizeof(float), &squares_of_z);
    return last == static_cast<float>(capacity) && squares_of_z == static_cast<float>(capacity - 1) ? 0 : 1;
};
