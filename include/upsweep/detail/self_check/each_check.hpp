// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/run/reduce_each.hpp>
#include <upsweep/detail/run/reduce_merged.hpp>
#include <upsweep/detail/self_check/bench.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

// The self-check of reductions of segments, each by one work-item. A device that fails it reduces them by a scan.

namespace upsweep::detail {

/// Small numbers in segments: short ones, some of them empty, with long ones between them, and one whose loops go
/// through more than 2^16 elements; and their sums, which are exact as floats.
template <class T>
struct each_answers {
    UPSWEEP_INLINE each_answers() {
        std::uint32_t x = 1;
        for (std::uint32_t k = 0; k < 4000; ++k) {
            x = x * 1664525U + 1013904223U;
            const std::uint32_t length = k == 1700 ? 70001 : k % 500 == 250 ? 3001 : (x >> 24) % 6;
            std::uint32_t sum = init;
            for (std::uint32_t i = 0; i < length; ++i) {
                x = x * 1664525U + 1013904223U;
                in.push_back(static_cast<T>(x >> 28));
                sum += x >> 28;
            }
            out.push_back(static_cast<T>(sum));
            offsets.push_back(static_cast<std::uint32_t>(in.size()));
        }
        in.push_back(T{1}); // in no segment
    }

    static constexpr std::uint32_t init = 77;
    std::vector<T> in, out;
    std::vector<std::uint32_t> offsets = std::vector<std::uint32_t>(1);
};

/// Whether the kernel gives these answers for numbers of type T. True where the device's compiler does not build it: it
/// is not used then.
template <class T>
bool gives_each_answers(const check_bench& bench, const device_limits& limits, const char* type) {
    const each_answers<T> answers;
    const owned<cl_mem> in = bench.upload(answers.in), offsets = bench.upload(answers.offsets);
    const owned<cl_mem> out = bench.upload(std::vector<std::uint32_t>(answers.out.size(), 0xa5a5a5a5U));
    program_text text;
    text.element = text.value = {type, {}, sizeof(T)};
    text.op = {"segments of the self-check", "return left + right;",
               offset_helpers({"uint", {}, sizeof(std::uint32_t)})};
    text.op.traits.exact = std::is_integral<T>::value;
    const wait_list after;
    const T init = static_cast<T>(each_answers<T>::init);
    each_request each;
    each.run.function = bench.function();
    each.run.queue = bench.queue();
    each.run.has_init = true;
    each.run.init = {&init, sizeof init};
    each.run.after = &after;
    each.in = {in(), nullptr};
    each.n = answers.in.size();
    each.offsets = {offsets(), 0};
    each.segments = answers.out.size();
    each.results = {out(), 0};
    const auto program = find_program(bench.function(), limits, each_key(each, view_of(text), sizeof(T)));
    if (!program) return true;
    const cl::Event done = reduce_each(each, *program, limits);
    const std::vector<unsigned char> found = bench.read(out(), answers.out.size() * sizeof(T));
    return std::memcmp(found.data(), answers.out.data(), found.size()) == 0;
}

/// Whether segments may be reduced so on a device: checked at the first use, of integers, and of floats, whose order
/// counts.
UPSWEEP_INLINE bool is_each_right(const char* function, const device_limits& limits, const queue_facts& queue) {
    if (!self_check_wanted()) return true;
    const own_check each{"segments by work-items", "reductions of segments, each by one work-item",
                         "a scan of segments"};
    return own_verdict(function, limits, queue, each,
                       [&](const check_bench& bench) {
                           return gives_each_answers<std::uint32_t>(bench, limits, "uint") &&
                                  gives_each_answers<float>(bench, limits, "float");
                       })
        .as_chosen;
}

} // namespace upsweep::detail
