// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/maybe.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// Combines the sums of aligned blocks, pushed from left to right, to the prefixes of an array in the canonical order.
/// As in a binary counter, neighbours of one size become one block of twice the size, the left half combined with the
/// right half; what is left are the blocks that make up [0, position()), largest first, and the prefix combines them
/// from left to right. About two combinations per block.
///
/// @tparam T        a value, or what stands for one (see fold_program)
/// @tparam Combine  (T, T) -> T
template <class T, class Combine>
class prefix_fold {
public:
    explicit prefix_fold(Combine combine, maybe<T> init = {})
        : combine_(std::move(combine))
        , init_(std::move(init)) {}

    /// How many elements were pushed.
    std::uint64_t position() const { return position_; }

    /// Appends the sum of the next 2^log2_size elements; `position()` must be a multiple of that.
    void push(unsigned log2_size, T sum) {
        assert(((position_ >> log2_size) << log2_size) == position_);
        position_ += std::uint64_t{1} << log2_size;
        for (; !blocks_.empty() && blocks_.back().log2_size == log2_size; ++log2_size) {
            sum = combine_(std::move(blocks_.back().sum), std::move(sum));
            blocks_.pop_back();
        }
        blocks_.push_back({log2_size, std::move(sum), {}});
    }

    /// P(position()); none where nothing was pushed and there is no initial value.
    maybe<T> prefix() {
        maybe<T> before = init_;
        for (block& each : blocks_) {
            if (!each.prefix) each.prefix = before ? combine_(*before, each.sum) : each.sum;
            before = each.prefix;
        }
        return before;
    }

private:
    struct block {
        unsigned log2_size;
        T sum;
        maybe<T> prefix; ///< up to and with the block, once it was asked for
    };

    Combine combine_;
    maybe<T> init_;
    std::uint64_t position_ = 0;
    std::vector<block> blocks_;
};

} // namespace upsweep::detail
