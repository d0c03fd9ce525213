// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

// An array that is divided into parts, each on a device or a rank of its own, still has one canonical order
// (reference.hpp). What a part contributes to it are the sums of aligned blocks; what a part needs of the others is the
// prefix of its first element.

namespace upsweep::detail {

/// A part [begin, end) of an array.
struct part_range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    std::uint64_t size() const { return end - begin; }
};

/// 2^log2_size elements of an array, from a multiple of 2^log2_size on.
struct aligned_block {
    std::uint64_t begin = 0;
    unsigned log2_size = 0;

    std::uint64_t size() const { return std::uint64_t{1} << log2_size; }
    std::uint64_t end() const { return begin + size(); }
};

/// The largest k for which 2^k divides n; 64 for 0.
constexpr unsigned alignment_of(std::uint64_t n) {
    if (n == 0) return 64;
    unsigned k = 0;
    for (unsigned bits = 32; bits > 0; bits /= 2) {
        if (n << (64 - bits) != 0) continue;
        n >>= bits;
        k += bits;
    }
    return k;
}

/// The fewest aligned blocks that make up a part, from left to right: at most 2 log2 n.
UPSWEEP_INLINE std::vector<aligned_block> blocks_of(part_range part) {
    std::vector<aligned_block> result;
    for (std::uint64_t begin = part.begin; begin < part.end;) {
        unsigned k = (std::min)(alignment_of(begin), 63U);
        while ((part.end - begin) >> k == 0) --k;
        result.push_back({begin, k});
        begin += std::uint64_t{1} << k;
    }
    return result;
}

/// The fewest ranges of a part of which each can be scanned on its own: with P(begin) as its initial value, a scan that
/// counts elements from the range's beginning combines them in the canonical order of the whole array. So it is where
/// begin is a multiple of 2^k, and the range has at most 2^k elements. Of a range of exactly 2^k (`is_full`), an
/// inclusive scan may be another than P(end) at the last element: there P(end) combines the range with what stands
/// before it.
UPSWEEP_INLINE std::vector<part_range> scan_ranges_of(part_range part) {
    std::vector<part_range> result;
    for (std::uint64_t begin = part.begin; begin < part.end;) {
        const unsigned k = alignment_of(begin);
        const std::uint64_t left = part.end - begin;
        const std::uint64_t size = k < 64 && left >> k != 0 ? std::uint64_t{1} << k : left;
        result.push_back({begin, begin + size});
        begin += size;
    }
    return result;
}

/// Whether a range of `scan_ranges_of` is as long as its beginning is aligned.
UPSWEEP_INLINE bool is_full(part_range range) {
    const unsigned k = alignment_of(range.begin);
    return k < 64 && range.size() == std::uint64_t{1} << k;
}

} // namespace upsweep::detail
