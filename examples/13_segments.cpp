// SPDX-License-Identifier: MIT
// Segments: the product of a sparse matrix with a vector, whose rows are the segments, and sums for runs of equal keys.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <vector>

namespace {

/// In compressed sparse rows: row r has the entries from offsets[r] up to offsets[r + 1].
struct sparse_matrix {
    std::vector<std::uint32_t> offsets{0};
    std::vector<std::uint32_t> columns;
    std::vector<float> values;
};

sparse_matrix make_matrix(std::size_t rows, std::uint32_t columns) {
    std::mt19937 random(1);
    sparse_matrix m;
    for (std::size_t r = 0; r < rows; ++r) {
        // Many rows are short, some are empty, a few are very long.
        const std::size_t entries = r % 1000 == 0 ? 5000 : random() % 8;
        for (std::size_t i = 0; i < entries; ++i) {
            m.columns.push_back(static_cast<std::uint32_t>(random()) % columns);
            m.values.push_back(static_cast<float>(random() % 100) / 8);
        }
        m.offsets.push_back(static_cast<std::uint32_t>(m.columns.size()));
    }
    return m;
}

constexpr const char* kernel_text = R"(
/// Which element of the vector an entry is multiplied with is in memory, so this takes a kernel.
__kernel void gather(__global const float* vector, __global const uint* columns, __global float* gathered)
{
    gathered[get_global_id(0)] = vector[columns[get_global_id(0)]];
}
)";

std::vector<float> multiply(cl::CommandQueue queue, const sparse_matrix& m, const std::vector<float>& vector) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const std::size_t entries = m.values.size(), rows = m.offsets.size() - 1;
    const auto upload = [&](const auto& v) { return cl::Buffer(context, v.begin(), v.end(), true); };
    const cl::Buffer values = upload(m.values), columns = upload(m.columns), offsets = upload(m.offsets);
    const cl::Buffer gathered(context, CL_MEM_READ_WRITE, entries * sizeof(float));
    const cl::Buffer results(context, CL_MEM_READ_WRITE, rows * sizeof(float));

    cl::Program program(context, kernel_text);
    program.build(); // the constructor that builds asks for OpenCL C 2.0, which few devices have
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer> gather(program, "gather");
    gather(cl::EnqueueArgs(queue, cl::NDRange(entries)), upload(vector), columns, gathered);

    // One value per row, the initial value for an empty one. Long rows take no longer than as many short ones.
    const auto products = upsweep::transform<float>("a * b", upsweep::span<const float>(values, entries),
                                                    upsweep::span<const float>(gathered, entries));
    upsweep::reduce(queue, upsweep::segments(products, upsweep::span<const std::uint32_t>(offsets, rows + 1)),
                    upsweep::span<float>(results, rows), 0.0f);
    std::vector<float> out(rows);
    queue.enqueueReadBuffer(results, CL_TRUE, 0, rows * sizeof(float), out.data());
    return out;
}

bool multiplies_rightly(const cl::CommandQueue& queue) {
    constexpr std::uint32_t columns = 5000;
    const sparse_matrix m = make_matrix(20000, columns);
    std::vector<float> vector(columns);
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = static_cast<float>(i % 17);
    const std::vector<float> products = multiply(queue, m, vector);
    std::size_t wrong = 0;
    for (std::size_t r = 0; r + 1 < m.offsets.size(); ++r) {
        double expected = 0;
        for (std::size_t i = m.offsets[r]; i < m.offsets[r + 1]; ++i)
            expected += double{m.values[i]} * double{vector[m.columns[i]]};
        if (std::fabs(double{products[r]} - expected) > 1e-6 * expected) ++wrong;
    }
    std::cout << "sparse matrix of " << m.values.size() << " entries: " << wrong << " rows wrong\n";
    return wrong == 0;
}

/// Amounts, in the order of their customers' numbers: the sum of each customer, and the balance after each amount.
bool sums_rightly(const cl::CommandQueue& queue) {
    std::mt19937 random(2);
    std::vector<std::uint32_t> customers;
    std::vector<std::int64_t> amounts;
    for (std::uint32_t customer = 7; customers.size() < 100000;
         customer += 1 + static_cast<std::uint32_t>(random() % 3))
        for (std::size_t i = random() % 20; i > 0; --i) {
            customers.push_back(customer);
            amounts.push_back(static_cast<std::int64_t>(random() % 1000) - 500);
        }

    const std::size_t n = customers.size();
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const cl::Buffer keys(context, customers.begin(), customers.end(), true);
    const cl::Buffer in(context, amounts.begin(), amounts.end(), true);
    const cl::Buffer balances(context, CL_MEM_READ_WRITE, n * sizeof(std::int64_t));
    const cl::Buffer unique(context, CL_MEM_READ_WRITE, n * sizeof(std::uint32_t));
    const cl::Buffer sums(context, CL_MEM_READ_WRITE, n * sizeof(std::int64_t));
    const cl::Buffer count(context, CL_MEM_READ_WRITE, sizeof(std::uint32_t));
    const auto by_customer =
        upsweep::keyed(upsweep::span<const std::int64_t>(in, n), upsweep::span<const std::uint32_t>(keys, n));
    upsweep::inclusive_scan(queue, by_customer, upsweep::span<std::int64_t>(balances, n));
    upsweep::reduce_by_key(queue, by_customer, upsweep::span<std::uint32_t>(unique, n),
                           upsweep::span<std::int64_t>(sums, n), upsweep::span<std::uint32_t>(count, 1));

    std::uint32_t found = 0;
    queue.enqueueReadBuffer(count, CL_TRUE, 0, sizeof found, &found);
    std::vector<std::uint32_t> found_customers(found);
    std::vector<std::int64_t> found_sums(found), found_balances(n);
    queue.enqueueReadBuffer(unique, CL_TRUE, 0, found * sizeof(std::uint32_t), found_customers.data());
    queue.enqueueReadBuffer(sums, CL_TRUE, 0, found * sizeof(std::int64_t), found_sums.data());
    queue.enqueueReadBuffer(balances, CL_TRUE, 0, n * sizeof(std::int64_t), found_balances.data());

    std::vector<std::uint32_t> expected_customers;
    std::vector<std::int64_t> expected_sums, expected_balances;
    for (std::size_t i = 0; i < n; ++i) {
        if (i == 0 || customers[i] != customers[i - 1]) {
            expected_customers.push_back(customers[i]);
            expected_sums.push_back(0);
        }
        expected_balances.push_back(expected_sums.back() += amounts[i]);
    }
    const bool right =
        found_customers == expected_customers && found_sums == expected_sums && found_balances == expected_balances;
    std::cout << n << " amounts of " << found << " customers: " << (right ? "right" : "wrong") << '\n';
    return right;
}

} // namespace

int main() try {
    const cl::CommandQueue queue = upsweep::default_queue();
    const bool product = multiplies_rightly(queue);
    const bool sums = sums_rightly(queue);
    return product && sums ? 0 : 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
