// SPDX-License-Identifier: MIT
// Reductions by sub-groups with costly operators, step by step (reduce_steps.cl): the bits of the reference, at every
// edge, for values of several sizes.

#include "canonical.hpp"
#include "forced_tuning.hpp"
#include "maps.hpp"

namespace {

using test::maps;
using upsweep::detail::operation;

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
    CHECK((chosen.step_rounds > 1) == (size <= 32 && (is_long || size != 12)));
    const auto here = fixture::adapted(chosen, test::limits());
    REQUIRE(here);
    return *here;
}

template <std::size_t N>
void check_costly_reductions(bool is_long) {
    const upsweep::tuning t = tuning_for(sizeof(maps<N>), is_long);
    const auto op = test::costly_maps<N>(is_long);
    CHECK(op.costly);
    CHECK(op.has_long_text == is_long);
    const std::size_t step = t.items * 32;
    const std::size_t round = step / t.step_rounds;
    maps<N> init{};
    for (std::size_t k = 0; k < N; ++k) init.scale[k] = 1.0F + static_cast<float>(k) / 1024.0F;
    for (std::size_t n : {std::size_t{1}, std::size_t{31}, round - 1, round, 2 * round + 5, 3 * round, step - 1, step,
                          step + 1, 31 * step + 3, 32 * step, 50 * step + 3 * round + 7, 200 * step + 1}) {
        const std::vector<maps<N>> input = test::some_maps<N>(n);
        INFO("n = " << n << ", " << sizeof(maps<N>) << " bytes" << (is_long ? ", long, " : ", ") << t);
        const std::vector<maps<N>> expected{
            upsweep::reference::reduce(input.begin(), input.end(), init, test::map_then<N>)};
        for (const std::size_t guard : {64, 5})
            CHECK(test::same_bits(
                fixture::run_tuned(test::queue(), operation::reduce, input, &init, op, t, {false, false, false, guard}),
                expected));
    }
}

} // namespace

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
