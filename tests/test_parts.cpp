// SPDX-License-Identifier: MIT
// Parts of one array: sums of aligned blocks, folded in the canonical order, give every prefix of the whole.

#include <upsweep/detail/parts/parts_plan.hpp>
#include <upsweep/reference.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace detail = upsweep::detail;
namespace reference = upsweep::reference;

namespace {

/// Writes down how operands were combined, so that every change of the order shows.
std::string in_brackets(const std::string& left, const std::string& right) {
    return "(" + left + right + ")";
}

std::vector<std::string> letters(std::size_t n) {
    std::vector<std::string> result(n);
    for (std::size_t i = 0; i < n; ++i) result[i] = std::string(1, static_cast<char>('a' + i % 26)) + std::to_string(i);
    return result;
}

struct expected_results {
    std::vector<std::string> inclusive, exclusive;
    std::string sum;
};

expected_results expected_of(const std::vector<std::string>& in, bool has_init) {
    expected_results r{in, in, {}};
    const std::string init = "init";
    if (has_init) {
        reference::inclusive_scan(in.begin(), in.end(), r.inclusive.begin(), in_brackets, init);
        reference::exclusive_scan(in.begin(), in.end(), r.exclusive.begin(), init, in_brackets);
        r.sum = reference::reduce(in.begin(), in.end(), init, in_brackets);
    } else {
        reference::inclusive_scan(in.begin(), in.end(), r.inclusive.begin(), in_brackets);
        r.sum = reference::reduce(in.begin(), in.end(), upsweep::no_init, in_brackets);
    }
    return r;
}

/// What a device would do with a plan: each sum and each scan is the reference's, of that range alone.
class host_run {
public:
    host_run(const std::vector<std::string>& in, const std::vector<std::uint64_t>& counts, detail::parts_call call,
             bool has_init)
        : in_(in)
        , plan_(detail::plan_parts(counts, call, has_init))
        , values_(plan_.fold.size(), "nothing") {
        if (has_init) values_[0] = "init";
        for (const detail::part_plan& part : plan_.parts) {
            std::uint32_t place = part.first_sum;
            for (const detail::aligned_block& block : part.sums)
                values_[place++] = reference::reduce(at(block.begin), at(block.end()), upsweep::no_init, in_brackets);
        }
        for (const detail::fold_step& step : plan_.fold.steps)
            values_[step.to] = in_brackets(values_[step.left], values_[step.right]);
    }

    std::vector<std::string> scanned(bool exclusive) const {
        std::vector<std::string> out(in_.size());
        for (const detail::part_plan& part : plan_.parts)
            for (const detail::part_plan::scan& scan : part.scans) {
                const auto first = at(scan.elements.begin);
                const auto last = at(scan.elements.end);
                const auto to = out.begin() + static_cast<std::ptrdiff_t>(scan.elements.begin);
                if (exclusive)
                    reference::exclusive_scan(first, last, to, values_[*scan.init], in_brackets);
                else if (scan.init)
                    reference::inclusive_scan(first, last, to, in_brackets, values_[*scan.init]);
                else
                    reference::inclusive_scan(first, last, to, in_brackets);
                if (scan.last) out[scan.elements.end - 1] = values_[*scan.last];
            }
        return out;
    }
    std::string sum() const { return plan_.total ? values_[*plan_.total] : std::string(); }

private:
    std::vector<std::string>::const_iterator at(std::uint64_t i) const {
        return in_.begin() + static_cast<std::ptrdiff_t>(i);
    }

    const std::vector<std::string>& in_;
    detail::parts_plan plan_;
    std::vector<std::string> values_;
};

void check_split(const std::vector<std::string>& in, const expected_results& with, const expected_results& without,
                 const std::vector<std::uint64_t>& counts) {
    using detail::parts_call;
    const bool same = host_run(in, counts, parts_call::inclusive, true).scanned(false) == with.inclusive &&
                      host_run(in, counts, parts_call::inclusive, false).scanned(false) == without.inclusive &&
                      host_run(in, counts, parts_call::exclusive, true).scanned(true) == with.exclusive &&
                      host_run(in, counts, parts_call::reduce, true).sum() == with.sum &&
                      host_run(in, counts, parts_call::reduce, false).sum() == without.sum;
    if (same) return;
    std::string split;
    for (std::uint64_t count : counts) split += " " + std::to_string(count);
    FAIL_CHECK("parts of" << split);
}

} // namespace

TEST_CASE("parts of every size, in two and three, have the prefixes of the whole", "[unit]") {
    for (std::size_t n = 0; n <= 40; ++n) {
        const std::vector<std::string> in = letters(n);
        const expected_results with = expected_of(in, true);
        const expected_results without = expected_of(in, false);
        for (std::uint64_t i = 0; i <= n; ++i) check_split(in, with, without, {i, n - i});
        if (n > 13 && n != 24 && n != 32) continue;
        for (std::uint64_t i = 0; i <= n; ++i)
            for (std::uint64_t j = i; j <= n; ++j) check_split(in, with, without, {i, j - i, n - j});
    }
    for (std::size_t n : {64, 96, 127, 128, 129, 192, 200}) {
        const std::vector<std::string> in = letters(n);
        const expected_results with = expected_of(in, true);
        const expected_results without = expected_of(in, false);
        for (std::uint64_t i = 0; i <= n; i += 3) check_split(in, with, without, {i, n - i});
        check_split(in, with, without, std::vector<std::uint64_t>(n, 1));
        check_split(in, with, without, {0, 1, 0, 0, n / 3, n - n / 3 - 1, 0});
    }
}

TEST_CASE("a fold of blocks on the host is the reference's prefix", "[unit]") {
    const std::vector<std::string> in = letters(77);
    detail::prefix_fold<std::string, std::string (*)(const std::string&, const std::string&)> fold(in_brackets);
    CHECK(!fold.prefix());
    const auto at = [&](std::uint64_t i) { return in.begin() + static_cast<std::ptrdiff_t>(i); };
    for (const detail::part_range part : {detail::part_range{0, 13}, {13, 50}, {50, 77}}) {
        for (const detail::aligned_block& block : detail::blocks_of(part)) {
            CHECK(fold.position() == block.begin);
            const auto sum = reference::reduce(at(block.begin), at(block.end()), upsweep::no_init, in_brackets);
            fold.push(block.log2_size, sum);
        }
        CHECK(fold.prefix() == reference::reduce(in.begin(), at(part.end), upsweep::no_init, in_brackets));
    }
}

TEST_CASE("parts past 2^32 elements are few blocks, and the last part of a scan is not summed", "[unit]") {
    const std::uint64_t half = std::uint64_t{1} << 40;
    const detail::parts_plan even = detail::plan_parts({half, half}, detail::parts_call::inclusive, false);
    REQUIRE(even.parts[0].sums.size() == 1);
    CHECK(even.parts[0].sums[0].log2_size == 40);
    CHECK(even.parts[1].sums.empty());
    CHECK(even.parts[1].scans.size() == 1);
    CHECK(even.fold.steps.empty());
    const detail::parts_plan odd = detail::plan_parts({half - 1, half + 3}, detail::parts_call::exclusive, true);
    CHECK(odd.parts[0].sums.size() == 40);
    CHECK(odd.parts[1].sums.size() == 2);
    CHECK(odd.parts[1].scans.size() == 3);
    CHECK(detail::blocks_of({1, ~std::uint64_t{0}}).size() == 126);
    CHECK(detail::scan_ranges_of({0, ~std::uint64_t{0}}).size() == 1);
}
