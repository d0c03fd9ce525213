// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/plan/levels.hpp>
#include <upsweep/detail/run/direct_request.hpp>
#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

// What self-checks of reductions of segments by offsets, without a scan, have in common.

namespace upsweep::detail {

/// Small numbers in segments: short ones, some of them empty, with long ones between them, one whose loops go through
/// more than 2^16 elements, and more empty ones in a row than a tile has elements; and their sums, which are exact as
/// floats.
/// @param width  of all segments, if they are rows: not 0
template <class T>
struct offsets_answers {
    UPSWEEP_INLINE explicit offsets_answers(std::uint32_t width = 0) {
        std::uint32_t x = 1;
        const std::uint32_t count = width != 0 ? 4000 : 9000;
        for (std::uint32_t k = 0; k < count; ++k) {
            x = x * 1664525U + 1013904223U;
            const std::uint32_t any_length = k == 1700               ? 70001
                                             : k >= 2600 && k < 7600 ? 0
                                             : k % 500 == 250        ? 3001
                                                                     : (x >> 24) % 6;
            const std::uint32_t length = width != 0 ? width : any_length;
            std::uint32_t sum = static_cast<std::uint32_t>(init);
            for (std::uint32_t i = 0; i < length; ++i) {
                x = x * 1664525U + 1013904223U;
                in.push_back(static_cast<T>(x >> 28));
                sum += x >> 28;
            }
            out.push_back(static_cast<T>(sum));
            offsets.push_back(static_cast<std::uint32_t>(in.size()));
        }
        if (width == 0) in.push_back(T{1}); // in no segment
    }

    static constexpr T init = T{77};
    std::vector<T> in, out;
    std::vector<std::uint32_t> offsets = std::vector<std::uint32_t>(1);
};

/// Buffers and arguments of a sum of segments with an initial value.
template <class T>
class offsets_bench {
public:
    /// @param type  T in OpenCL C
    offsets_bench(const check_bench& bench, const char* type, const std::vector<T>& elements,
                  const std::vector<std::uint32_t>& begins, T init)
        : bench_(bench)
        , n_(elements.size())
        , count_(begins.size() - 1)
        , init_(init)
        , in_(bench.upload(elements))
        , offsets_(bench.upload(begins))
        , out_(bench.upload(std::vector<std::uint32_t>(count_ * divide_up(sizeof(T), 4), 0xa5a5a5a5U))) {
        text.element = text.value = {type, {}, sizeof(T)};
        text.op = {"segments of the self-check", "return left + right;",
                   offset_helpers({"uint", {}, sizeof(std::uint32_t)})};
        text.op.traits.exact = std::is_integral<T>::value;
    }

    /// Takes segments for rows of that width, whose offsets are computed.
    void use_width(std::uint64_t width) {
        width_ = width;
        n_ = static_cast<std::size_t>(count_ * width);
        text.op.helpers = row_offset_helpers(false);
    }

    /// For as long as this lives.
    void fill_in(offsets_request& request) const {
        request.run.function = bench_.function();
        request.run.queue = bench_.queue();
        request.run.has_init = true;
        request.run.init = {&init_, sizeof init_};
        request.run.after = &after_;
        request.in = {in_(), nullptr};
        request.n = n_;
        request.offsets = width_ != 0 ? location{nullptr, static_cast<std::size_t>(width_)} : location{offsets_(), 0};
        request.segments = count_;
        request.value_size = sizeof(T);
        request.results = {out_(), 0};
    }

    /// What a reduction has stored.
    std::vector<T> results() const {
        const std::vector<unsigned char> found = bench_.read(out_(), count_ * sizeof(T));
        std::vector<T> all(count_);
        std::memcpy(all.data(), found.data(), found.size());
        return all;
    }

    program_text text;

private:
    const check_bench& bench_;
    std::size_t n_;
    std::size_t count_;
    std::uint64_t width_ = 0; ///< of rows
    T init_;
    wait_list after_;
    owned<cl_mem> in_, offsets_, out_;
};

} // namespace upsweep::detail
