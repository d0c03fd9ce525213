// SPDX-License-Identifier: MIT
// Scans and reductions off the beaten track: views that begin anywhere, conversions, structs of many sizes, operators
// of many costs, and the sizes where time per element rises. cub_cliffs.cu has the same rows of CUB.

#include "common/cliff_rows.hpp"
#include "common/device_rows.hpp"

#define UPSWEEP_BENCH_WORDS(COUNT, NAME)                                                                               \
    template <>                                                                                                        \
    struct upsweep::type<bench::words<COUNT>> {                                                                        \
        static constexpr const char* name = NAME;                                                                      \
        static constexpr const char* definition = "typedef struct { uint word[" #COUNT "]; } " NAME ";";               \
    };
UPSWEEP_BENCH_WORDS(3, "words3")
UPSWEEP_BENCH_WORDS(4, "words4")
UPSWEEP_BENCH_WORDS(6, "words6")
UPSWEEP_BENCH_WORDS(8, "words8")
UPSWEEP_BENCH_WORDS(16, "words16")
#undef UPSWEEP_BENCH_WORDS

template <>
struct upsweep::type<bench::modular_matrix> {
    static constexpr const char* name = "modular_matrix";
    static constexpr const char* definition = "typedef struct { uint a, b, c, d; } modular_matrix;";
};
template <>
struct upsweep::type<bench::matrix4> {
    static constexpr const char* name = "matrix4";
    static constexpr const char* definition = "typedef struct { float m[16]; } matrix4;";
};
template <>
struct upsweep::type<bench::affine_float> {
    static constexpr const char* name = "affine_float";
    static constexpr const char* definition = "typedef struct { float scale, shift; } affine_float;";
};

namespace {

using namespace bench;

template <class T>
upsweep::plus device_operator(sum) {
    return {};
}

template <class T>
upsweep::custom_operator<T> device_operator(add_words) {
    const std::string name = upsweep::type<T>::name;
    std::string text = name + " r;";
    for (std::size_t i = 0; i < sizeof(T) / sizeof(std::uint32_t); ++i) {
        const std::string word = ".word[" + std::to_string(i) + "]";
        text += " r" + word + " = left" + word + " + right" + word + ";";
    }
    return upsweep::make_operator<T>(text + " return r;");
}

template <class T>
upsweep::custom_operator<T> device_operator(log_sum_exp) {
    return upsweep::make_operator<T>("return fmax(left, right) + log1p(exp(fmin(left, right) - fmax(left, right)));");
}

template <class T>
upsweep::custom_operator<T> device_operator(multiply_modular) {
    return upsweep::make_operator<T>(R"(modular_matrix r;
r.a = entry(left.a, right.a, left.b, right.c);
r.b = entry(left.a, right.b, left.b, right.d);
r.c = entry(left.c, right.a, left.d, right.c);
r.d = entry(left.c, right.b, left.d, right.d);
return r;)",
                                     "uint entry(uint a, uint b, uint c, uint d) "
                                     "{ return (uint)(((ulong)a * b + (ulong)c * d) % 998244353UL); }");
}

template <class T>
upsweep::custom_operator<T> device_operator(multiply4) {
    return upsweep::make_operator<T>(R"(matrix4 r;
for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) {
        float sum = 0;
        for (int k = 0; k < 4; ++k) sum += left.m[4 * row + k] * right.m[4 * k + column];
        r.m[4 * row + column] = sum;
    }
return r;)");
}

template <class T>
upsweep::custom_operator<T> device_operator(compose_float) {
    return upsweep::make_operator<T>("affine_float r; r.scale = right.scale * left.scale; "
                                     "r.shift = right.scale * left.shift + right.shift; return r;");
}

/// Arrays of one type for the input and of one for the output, with room for views that begin later.
template <class In, class Out>
class two_arrays {
public:
    static constexpr std::uint64_t room = 16;

    device_arrays<In>& in() { return in_; }
    device_arrays<Out>& out() {
        if constexpr (std::is_same_v<In, Out>)
            return in_;
        else
            return out_;
    }
    static two_arrays& of(std::uint64_t n) {
        auto& mine = device_slot().get<two_arrays>();
        mine.in().reserve(n + room);
        mine.out().reserve(n + room);
        return mine;
    }

private:
    device_arrays<In> in_;
    device_arrays<Out> out_;
};

/// Reads the output from element `first` on.
template <class T>
reader<T> read_from(const device_arrays<T>& arrays, std::uint64_t first) {
    return [read = arrays.read_output(), first](std::uint64_t offset, std::uint64_t count, T* into) {
        read(first + offset, count, into);
    };
}

/// The host's clock, whatever the size.
prepared_call time_by_host(enqueue_call call) {
    prepared_call prepared = time_call(0, std::move(call));
    prepared.seconds = [clock = prepared.host_seconds] { return seconds_per_call(clock); };
    return prepared;
}

struct upsweep_side {
    static constexpr const char* library = "upsweep";
    static constexpr const char* copy_library = "copy";

    template <class In, class Out, class Op>
    static prepared_call scan(std::uint64_t n, std::uint64_t first_in, std::uint64_t first_out, bool exclusive) {
        auto& arrays = two_arrays<In, Out>::of(n);
        const auto count = static_cast<std::size_t>(n);
        const upsweep::span<const In> in(arrays.in().input(), count, static_cast<std::size_t>(first_in) * sizeof(In));
        const upsweep::span<Out> out(arrays.out().output(), count, static_cast<std::size_t>(first_out) * sizeof(Out));
        const auto op = device_operator<Out>(Op{});
        auto plan =
            std::make_shared<upsweep::scan_plan<In, Out, std::remove_const_t<decltype(op)>>>(target().queue, count, op);
        prepared_call prepared = time_by_host([=](const cl::CommandQueue& queue) {
            if (exclusive)
                plan->exclusive_scan(queue, in, out, Op::template identity<Out>(), upsweep::without_event());
            else
                plan->inclusive_scan(queue, in, out, upsweep::without_event());
        });
        prepared.poison = [&arrays, n, first_out] { arrays.out().poison_output(n + first_out); };
        prepared.check = [&arrays, n, first_in, first_out, exclusive] {
            Out before[1];
            if (first_out > 0) {
                arrays.out().read_output()(first_out - 1, 1, before);
                if (!is_poison(before[0])) return std::string("wrong result: wrote before the output");
            }
            return check_scan_windows<In, Out, Op>(first_in, n, exclusive, read_from(arrays.out(), first_out));
        };
        return prepared;
    }

    template <class T, class Op>
    static prepared_call reduce(std::uint64_t n, std::uint64_t first) {
        auto& arrays = two_arrays<T, T>::of(n);
        const auto count = static_cast<std::size_t>(n);
        const upsweep::span<const T> in(arrays.in().input(), count, static_cast<std::size_t>(first) * sizeof(T));
        const upsweep::span<T> out(arrays.out().output(), 1);
        const auto op = device_operator<T>(Op{});
        auto plan =
            std::make_shared<upsweep::reduce_plan<T, T, std::remove_const_t<decltype(op)>>>(target().queue, count, op);
        prepared_call prepared = time_by_host([=](const cl::CommandQueue& queue) {
            plan->reduce(queue, in, out, upsweep::no_init, upsweep::without_event());
        });
        prepared.poison = [&arrays] { arrays.out().poison_output(1); };
        prepared.check = [&arrays, n, first] {
            return check_reduce_of<T, T, Op>(first, n, arrays.out().read_output());
        };
        return prepared;
    }

    static prepared_call copy(std::uint64_t n) {
        auto& arrays = two_arrays<std::uint8_t, std::uint8_t>::of(n);
        prepared_call prepared = time_by_host([&arrays, n](const cl::CommandQueue& queue) {
            check(
                queue.enqueueCopyBuffer(arrays.in().input(), arrays.out().output(), 0, 0, static_cast<std::size_t>(n)),
                "clEnqueueCopyBuffer");
        });
        prepared.poison = [&arrays, n] { arrays.out().poison_output(n); };
        prepared.check = [&arrays, n] {
            return check_results<std::uint8_t>(n, arrays.out().read_output(), input_element<std::uint8_t>);
        };
        return prepared;
    }
};

} // namespace

int main(int argc, char** argv) {
    describe_target();
    add_cliffs<upsweep_side>();
    return run_rows(argc, argv);
}
