// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/segments/reduce_rows.hpp>
#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

// The self-check of reductions of rows by sub-groups. A device that fails it reduces rows by a scan, which is checked
// as scans are.

namespace upsweep::detail {

/// The ways to reduce rows: one by each sub-group, or several.
enum class rows_way { single, narrow };

/// An operator that is neither commutative nor associative, unless any order of combination is right: any other order
/// gives another result.
class ordered_operator {
public:
    explicit ordered_operator(bool any_order)
        : any_order_(any_order) {}

    const char* body() const { return any_order_ ? "return left + right;" : "return left * 31 + (right ^ 0x55);"; }

    UPSWEEP_INLINE std::uint32_t operator()(std::uint32_t left, std::uint32_t right) const {
        return any_order_ ? left + right : left * 31 + (right ^ 0x55U);
    }

    /// What elements `begin` to `end` - 1 are combined to, one at least, in blocks that lie at multiples of their size.
    /// @param element  called with a place
    template <class Element>
    std::uint32_t sum(std::uint64_t begin, std::uint64_t end, const Element& element) const {
        std::uint32_t sum = 0;
        bool has_sum = false;
        std::uint64_t at = 0;
        for (std::uint64_t size = std::uint64_t{1} << 40; size > 0; size /= 2) {
            if (!(end & size)) continue;
            if (at + size > begin) {
                const std::uint32_t next = *block(at, size, begin, element);
                sum = has_sum ? (*this)(sum, next) : next;
                has_sum = true;
            }
            at += size;
        }
        return sum;
    }

private:
    UPSWEEP_INLINE maybe<std::uint32_t> both(maybe<std::uint32_t> left, maybe<std::uint32_t> right) const {
        if (!left || !right) return left ? left : right;
        return (*this)(*left, *right);
    }
    /// What a block is combined to, without what stands before `begin`.
    template <class Element>
    maybe<std::uint32_t> block(std::uint64_t at, std::uint64_t size, std::uint64_t begin,
                               const Element& element) const {
        if (at + size <= begin) return {};
        if (size == 1) return maybe<std::uint32_t>(element(at));
        return both(block(at, size / 2, begin, element), block(at + size / 2, size / 2, begin, element));
    }

    bool any_order_;
};

/// Rows of numbers and what they are reduced to. Neither gaps nor rows are multiples of a line, but narrow rows in the
/// canonical order, which are powers of two. Sub-groups of one compute unit take several, one after another.
class rows_answers {
public:
    static constexpr std::uint64_t gap = 3, first = 1;
    static constexpr std::uint32_t init = 77;

    UPSWEEP_INLINE rows_answers(bool any_order, rows_way way)
        : height(way == rows_way::narrow ? 4500 : 300)
        , width(way == rows_way::single ? 1003
                : any_order             ? 100
                                        : 64)
        , op(any_order) {
        check_numbers numbers;
        for (std::uint32_t& each : in_) each = numbers.next();
    }

    const std::uint64_t height;
    const std::uint64_t width;
    const ordered_operator op;

    const std::vector<std::uint32_t>& in() const { return in_; }

    UPSWEEP_INLINE std::vector<std::uint32_t> out(bool has_init) const {
        std::vector<std::uint32_t> results;
        for (std::uint64_t row = 0; row < height; ++row) {
            const std::uint64_t begin = row * width;
            const auto element = [&](std::uint64_t i) {
                const std::uint32_t x = in_[first + i + row * gap];
                return has_init && i == begin ? op(init, x) : x;
            };
            results.push_back(op.sum(begin, begin + width, element));
        }
        return results;
    }

private:
    std::vector<std::uint32_t> in_ = std::vector<std::uint32_t>(first + height * (width + gap));
};

/// Whether the kernels for such rows give these answers. True where the device's compiler does not build it: it is not
/// used then.
UPSWEEP_INLINE bool gives_rows_answers(const check_bench& bench, const device_limits& limits, bool any_order,
                                       rows_way way, bool has_init) {
    const rows_answers answers(any_order, way);
    program_text text;
    text.element = text.value = {"uint", {}, sizeof(std::uint32_t)};
    text.op = {"rows of the self-check", answers.op.body(), {}};
    text.op.traits.commutative = any_order;
    const std::uint32_t init = rows_answers::init;
    const owned<cl_mem> in = bench.upload(answers.in());
    const owned<cl_mem> out = bench.make_buffer(answers.height * sizeof init);
    const wait_list after;
    rows_request rows;
    rows.run.function = bench.function();
    rows.run.queue = bench.queue();
    rows.run.has_init = has_init;
    rows.run.init = {&init, sizeof init};
    rows.run.after = &after;
    rows.in = {in(), nullptr};
    rows.offset = rows_answers::first;
    rows.height = answers.height;
    rows.width = answers.width;
    rows.gap = rows_answers::gap;
    rows.results = {out(), 0};
    rows.any_order = any_order;
    const program_key key = rows_key(rows, limits, view_of(text), answers.in().size());
    const auto program = find_program(bench.function(), limits, key);
    if (!program) return true;
    const cl::Event done = reduce_rows(rows, *program, limits);
    const std::vector<std::uint32_t> expected = answers.out(has_init);
    const std::vector<unsigned char> found = bench.read(out(), expected.size() * sizeof init);
    return std::memcmp(found.data(), expected.data(), found.size()) == 0;
}

/// Whether rows may be reduced by sub-groups on a device: checked at the first use, once for each order.
UPSWEEP_INLINE bool are_rows_right(const char* function, const device_limits& limits, const queue_facts& queue,
                                   bool any_order) {
    if (!self_check_wanted()) return true;
    const own_check rows{any_order ? "rows in any order" : "rows", "reductions of rows by sub-groups",
                         "a scan of segments"};
    const auto is_right = [&](const check_bench& bench) {
        device_limits one_unit = limits; // whose sub-groups take several rows
        one_unit.compute_units = 1;
        const auto gives = [&](rows_way way) {
            return gives_rows_answers(bench, one_unit, any_order, way, false) &&
                   gives_rows_answers(bench, one_unit, any_order, way, true);
        };
        return gives(rows_way::single) && gives(rows_way::narrow);
    };
    return own_verdict(function, limits, queue, rows, is_right).as_chosen;
}

} // namespace upsweep::detail
