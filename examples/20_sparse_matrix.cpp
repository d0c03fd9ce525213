// SPDX-License-Identifier: MIT
// Products of a sparse matrix with a vector, again and again: how likely one comes to each page of a web by following
// links (L. Page, S. Brin, R. Motwani, T. Winograd, The PageRank Citation Ranking, 1999). One call per product: the
// vector is an array that the text may index, so entries need not be gathered first.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <utility>
#include <vector>

namespace {

constexpr float follows = 0.85F; ///< how often one follows a link, and does not go to any page
constexpr int steps = 12;

/// In compressed sparse rows: row r has the entries from offsets[r] up to offsets[r + 1].
struct sparse_matrix {
    std::vector<std::uint32_t> offsets{0};
    std::vector<std::uint32_t> columns;
    std::vector<float> values;
};

/// Entry (r, c): the share of page c's links that lead to page r. Few pages have most of the links to them.
sparse_matrix make_web(std::uint32_t pages) {
    std::mt19937 random(1);
    std::vector<std::vector<std::uint32_t>> links_to(pages);
    std::vector<std::uint32_t> links_from(pages);
    for (std::uint32_t from = 0; from < pages; ++from) {
        links_from[from] = 1 + static_cast<std::uint32_t>(random()) % 15;
        for (std::uint32_t k = 0; k < links_from[from]; ++k) {
            const double popular = std::pow(static_cast<double>(random()) / 4294967296.0, 4);
            links_to[static_cast<std::uint32_t>(popular * pages)].push_back(from);
        }
    }
    sparse_matrix m;
    for (const std::vector<std::uint32_t>& row : links_to) {
        for (const std::uint32_t from : row) {
            m.columns.push_back(from);
            m.values.push_back(1.0F / static_cast<float>(links_from[from]));
        }
        m.offsets.push_back(static_cast<std::uint32_t>(m.columns.size()));
    }
    return m;
}

std::vector<float> rank_pages(const cl::CommandQueue& queue, const sparse_matrix& m) {
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const std::size_t entries = m.values.size(), pages = m.offsets.size() - 1;
    const auto upload = [&](const auto& v) { return cl::Buffer(context, v.begin(), v.end(), false); };
    const cl::Buffer values = upload(m.values), columns = upload(m.columns), offsets = upload(m.offsets);
    const std::vector<float> uniform(pages, 1.0F / static_cast<float>(pages));
    cl::Buffer rank = upload(uniform), next = upload(uniform);

    const auto products =
        upsweep::transform<float>("follows * a * rank[b]", upsweep::span<const float>(values, entries),
                                  upsweep::span<const std::uint32_t>(columns, entries))
            .with("follows", follows);
    const float anywhere = (1 - follows) / static_cast<float>(pages);
    for (int step = 0; step < steps; ++step) {
        const auto rows = upsweep::segments(products.with("rank", upsweep::span<const float>(rank, pages)),
                                            upsweep::span<const std::uint32_t>(offsets, pages + 1));
        upsweep::reduce(queue, rows, upsweep::span<float>(next, pages), anywhere);
        std::swap(rank, next);
    }
    std::vector<float> out(pages);
    queue.enqueueReadBuffer(rank, CL_TRUE, 0, pages * sizeof(float), out.data());
    return out;
}

std::vector<double> rank_on_host(const sparse_matrix& m) {
    const std::size_t pages = m.offsets.size() - 1;
    std::vector<double> rank(pages, 1.0 / static_cast<double>(pages)), next(pages);
    for (int step = 0; step < steps; ++step) {
        for (std::size_t r = 0; r < pages; ++r) {
            next[r] = (1 - double{follows}) / static_cast<double>(pages);
            for (std::size_t i = m.offsets[r]; i < m.offsets[r + 1]; ++i)
                next[r] += double{follows} * double{m.values[i]} * rank[m.columns[i]];
        }
        std::swap(rank, next);
    }
    return rank;
}

} // namespace

int main() try {
    const sparse_matrix web = make_web(20000);
    const std::vector<float> rank = rank_pages(upsweep::default_queue(), web);
    const std::vector<double> expected = rank_on_host(web);
    double worst = 0;
    for (std::size_t p = 0; p < rank.size(); ++p)
        worst = (std::max)(worst, std::fabs(double{rank[p]} - expected[p]) / expected[p]);
    std::cout << rank.size() << " pages, " << web.values.size() << " links: page "
              << std::max_element(rank.begin(), rank.end()) - rank.begin() << " is the first; within " << worst << '\n';
    return worst < 1e-4 ? 0 : 1;
} catch (const cl::Error& problem) {
    std::cerr << problem.what() << ": OpenCL status " << problem.err() << '\n';
    return 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
