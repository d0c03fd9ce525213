// SPDX-License-Identifier: MIT
// Reductions by sub-groups with costly operators, step by step (reduce_steps.cl): the bits of the reference, at every
// edge, for values of several sizes.

#include "canonical.hpp"
#include "forced_tuning.hpp"

#include <string>

namespace {

using upsweep::detail::operation;

/// N times x -> scale * x + shift: associative up to rounding, not commutative.
template <std::size_t N>
struct maps {
    float scale[N];
    float shift[N];
};

template <std::size_t N>
maps<N> map_then(const maps<N>& left, const maps<N>& right) {
    maps<N> r;
    for (std::size_t i = 0; i < N; ++i) {
        const float product = right.scale[i] * left.shift[i]; // rounded by itself: no fused multiply-add
        r.scale[i] = right.scale[i] * left.scale[i];
        r.shift[i] = product + right.shift[i];
    }
    return r;
}

/// @param is_long  with a branch that is never taken and makes the text long
template <std::size_t N>
auto costly_maps(bool is_long) {
    const std::string name = upsweep::type<maps<N>>::name;
    std::string body = name + " r; for (int i = 0; i < " + std::to_string(N) +
                       "; ++i) { r.scale[i] = right.scale[i] * left.scale[i];"
                       "r.shift[i] = right.scale[i] * left.shift[i] + right.shift[i]; }";
    if (is_long)
        body += "for (int i = 0; i < " + std::to_string(N) +
                "; ++i) if (left.scale[i] < 0.0f) r.scale[i] = exp(sin(exp(sin(left.scale[i]))));";
    return upsweep::make_operator<maps<N>>(body + " return r;", {}, upsweep::operator_cost::costly);
}

template <std::size_t N>
std::vector<maps<N>> some_maps(std::size_t n) {
    const std::vector<float> some = test::numbers<float>(2 * N * n, n);
    std::vector<maps<N>> input(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < N; ++k) {
            input[i].scale[k] = 1.0F + some[2 * (N * i + k)] / 4096.0F / 65536.0F;
            input[i].shift[k] = some[2 * (N * i + k) + 1];
        }
    return input;
}

/// What a large NVIDIA device is given, as this device runs it.
upsweep::tuning tuning_for(std::size_t size, bool is_long) {
    upsweep::detail::problem_size problem;
    problem.op = operation::reduce;
    problem.n = std::uint64_t{1} << 28;
    problem.value_size = size;
    problem.exact_operator = false;
    problem.costly_operator = true;
    problem.long_operator = is_long;
    const upsweep::tuning chosen = upsweep::detail::resolve_options("test", {}, fixture::large_nvidia_gpu(), problem);
    CHECK((chosen.step_rounds > 1) == (size <= 8 || (is_long && size <= 32)));
    const auto here = fixture::adapted(chosen, test::limits());
    REQUIRE(here);
    return *here;
}

template <std::size_t N>
void check_costly_reductions(bool is_long) {
    const upsweep::tuning t = tuning_for(sizeof(maps<N>), is_long);
    const auto op = costly_maps<N>(is_long);
    CHECK(op.costly);
    CHECK(op.has_long_text == is_long);
    const std::size_t step = t.items * 32;
    const std::size_t round = step / t.step_rounds;
    maps<N> init{};
    for (std::size_t k = 0; k < N; ++k) init.scale[k] = 1.0F + static_cast<float>(k) / 1024.0F;
    for (std::size_t n : {std::size_t{1}, std::size_t{31}, round - 1, round, 2 * round + 5, 3 * round, step - 1, step,
                          step + 1, 31 * step + 3, 32 * step, 50 * step + 3 * round + 7, 200 * step + 1}) {
        const std::vector<maps<N>> input = some_maps<N>(n);
        INFO("n = " << n << ", " << sizeof(maps<N>) << " bytes" << (is_long ? ", long, " : ", ") << t);
        const std::vector<maps<N>> expected{upsweep::reference::reduce(input.begin(), input.end(), init, map_then<N>)};
        for (const std::size_t guard : {64, 5})
            CHECK(test::same_bits(
                fixture::run_tuned(test::queue(), operation::reduce, input, &init, op, t, {false, false, false, guard}),
                expected));
    }
}

} // namespace

#define UPSWEEP_TEST_MAPS(count)                                                                                       \
    template <>                                                                                                        \
    struct upsweep::type<maps<count>> {                                                                                \
        static constexpr const char* name = "maps_" #count;                                                            \
        static constexpr const char* definition =                                                                      \
            "typedef struct { float scale[" #count "]; float shift[" #count "]; } maps_" #count ";";                   \
    };
UPSWEEP_TEST_MAPS(1)
UPSWEEP_TEST_MAPS(2)
UPSWEEP_TEST_MAPS(3)
UPSWEEP_TEST_MAPS(4)
UPSWEEP_TEST_MAPS(6)
#undef UPSWEEP_TEST_MAPS

TEST_CASE("reductions with costly operators give the bits of the reference, at every edge", "[canonical]") {
    if (!test::has_lanes()) return test::skip("no sub-groups");
    check_costly_reductions<1>(false);
    check_costly_reductions<2>(false);
    check_costly_reductions<4>(false);
}

TEST_CASE("reductions with long operators give the bits of the reference, at every edge", "[canonical]") {
    if (!test::has_lanes()) return test::skip("no sub-groups");
    check_costly_reductions<1>(true);
    check_costly_reductions<2>(true);
    check_costly_reductions<3>(true);
    check_costly_reductions<4>(true);
    if (test::limits().has_ptx) check_costly_reductions<6>(true); // sub-groups of others exchange 32 bytes at most
}
