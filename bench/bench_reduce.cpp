// SPDX-License-Identifier: MIT
// Throughput of reductions: every rung of the tree x strategy, `automatic` for many types and sizes, and beside them
// the device's copy, Boost.Compute and the host's own reductions. Bytes per second count one read per element; for the
// copy, which moves two bytes for each byte read, they count both.

#include "common/device_rows.hpp"
#include "common/host_peers.hpp"
#include "common/upsweep_side.hpp"

#if defined(UPSWEEP_BENCH_BOOST_COMPUTE)
#include "common/boost_compute_peer.hpp"
#endif

namespace {

using namespace bench;

template <class T>
std::uint64_t read_bytes(std::uint64_t n) {
    return n * sizeof(T);
}

template <class T, class Op>
void add_reductions(const std::string& operation, std::uint64_t n) {
    const auto add = [&](const char* library, const char* variant, std::function<prepared_call()> prepare) {
        const std::uint64_t bytes = read_bytes<T>(n) * (library == std::string("copy") ? 2 : 1);
        add_row(row_name(operation, library, variant, type_name<T>(), n), bytes, std::move(prepare));
    };
    add("upsweep", "automatic", [=] { return upsweep_reduce<T, Op>(n); });
    add("copy", "device", [=] { return device_copy<T>(n); });
#if defined(UPSWEEP_BENCH_BOOST_COMPUTE)
    if constexpr (boost_compute_knows<Op>) {
        if (n <= boost_compute_limit) add("boost_compute", "default", [=] { return boost_compute_reduce<T, Op>(n); });
    }
#endif
    if (n > std::uint64_t{1} << 28) return;
    // The standard's reductions may swap operands, so they are not for an operator that does not commute.
    if constexpr (!std::is_same_v<Op, compose>) {
        add("std", "sequential", [=] { return std_reduce<T, Op>(n); });
#if defined(UPSWEEP_BENCH_TBB)
        add("std", "par", [=] { return std_reduce<T, Op>(n, std::execution::par); });
        add("std", "par_unseq", [=] { return std_reduce<T, Op>(n, std::execution::par_unseq); });
#endif
    }
#if defined(UPSWEEP_BENCH_TBB)
    add("tbb", "parallel_reduce", [=] { return tbb_reduce<T, Op>(n); });
#endif
}

/// Every rung with every strategy, on int32. A reduction has no sums to add back, so both tile strategies are one.
void add_choices() {
    using upsweep::strategy;
    using upsweep::tree_reduce;
    const auto add = [](tree_reduce rung, strategy how, unsigned exponent) {
        upsweep::options options;
        options.reduction = rung;
        options.strategy = how;
        const std::uint64_t n = std::uint64_t{1} << exponent;
        const std::string variant = std::string(to_string(rung)) + '.' + to_string(how);
        add_row(row_name("reduce", "upsweep", variant, "int32", n), read_bytes<std::int32_t>(n),
                [=] { return upsweep_reduce<std::int32_t, sum>(n, options); });
    };
    for (const unsigned exponent : target().exponents(sizeof(std::int32_t))) {
        if (exponent == 10) add(tree_reduce::serial, strategy::single_tile, exponent);
        if (exponent != 16 && exponent != 20 && exponent != 24 && exponent != 28) continue;
        for (const auto rung :
             {tree_reduce::interleaved, tree_reduce::compacted, tree_reduce::sequential, tree_reduce::serial})
            for (const auto how : {strategy::reduce_then_scan, strategy::chunked}) add(rung, how, exponent);
    }
}

} // namespace

int main(int argc, char** argv) {
    describe_target();
    for_each_combination([](auto element, auto op, const std::string& suffix) {
        using T = decltype(element);
        for (const unsigned exponent : target().exponents(sizeof(T)))
            add_reductions<T, decltype(op)>("reduce" + suffix, std::uint64_t{1} << exponent);
    });
    add_choices();
    return run_rows(argc, argv);
}
