// SPDX-License-Identifier: MIT
#pragma once

// The library under test, as rows.

#include "device.hpp"

template <>
struct upsweep::type<bench::affine> {
    static constexpr const char* name = "affine";
    static constexpr const char* definition = "typedef struct { uint scale, shift; } affine;";
};

namespace bench {

inline upsweep::plus upsweep_operator(sum) {
    return {};
}
inline upsweep::maximum upsweep_operator(larger) {
    return {};
}
inline upsweep::custom_operator<affine> upsweep_operator(compose) {
    return upsweep::make_operator<affine>(
        "affine r; r.scale = right.scale * left.scale; r.shift = right.scale * left.shift + right.shift; return r;");
}

template <class Op>
using upsweep_operator_t = decltype(upsweep_operator(Op{}));

/// Sums and compositions are scanned exclusively, maxima inclusively (as in the peers' rows).
template <class Op>
constexpr bool is_exclusive = !std::is_same_v<Op, larger>;

template <class T, class Op>
prepared_call upsweep_scan(std::uint64_t n, const upsweep::options& options = {}) {
    const auto in = arrays<T>(n).input_span(n);
    const auto out = arrays<T>(n).output_span(n);
    auto plan = std::make_shared<upsweep::scan_plan<T, T, upsweep_operator_t<Op>>>(
        target().queue, static_cast<std::size_t>(n), upsweep_operator(Op{}), options);
    return prepare_scan<T, Op>(n, is_exclusive<Op>, [=](const cl::CommandQueue& queue) {
        if constexpr (is_exclusive<Op>)
            plan->exclusive_scan(queue, in, out, Op::template identity<T>(), upsweep::without_event());
        else
            plan->inclusive_scan(queue, in, out, upsweep::without_event());
    });
}

template <class T, class Op>
prepared_call upsweep_reduce(std::uint64_t n, const upsweep::options& options = {}) {
    const auto in = arrays<T>(n).input_span(n);
    const auto out = arrays<T>(n).output_span(1);
    auto plan = std::make_shared<upsweep::reduce_plan<T, T, upsweep_operator_t<Op>>>(
        target().queue, static_cast<std::size_t>(n), upsweep_operator(Op{}), options);
    return prepare_reduce<T, Op>(n, [=](const cl::CommandQueue& queue) {
        plan->reduce(queue, in, out, upsweep::no_init, upsweep::without_event());
    });
}

/// The device's own copy of the same bytes: what no scan can beat.
template <class T>
prepared_call device_copy(std::uint64_t n) {
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    prepared_call prepared =
        time_call(n, [in = arrays<T>(n).input(), out = arrays<T>(n).output(), bytes](const cl::CommandQueue& queue) {
            check(queue.enqueueCopyBuffer(in, out, 0, 0, bytes), "clEnqueueCopyBuffer");
        });
    prepared.poison = [n] { arrays<T>(n).poison_output(n); };
    prepared.check = [n] {
        std::vector<T> last(1);
        arrays<T>(n).read_output()(n - 1, 1, last.data());
        return last[0] == input_element<T>(n - 1) ? std::string() : wrong_element(n - 1);
    };
    return prepared;
}

} // namespace bench
