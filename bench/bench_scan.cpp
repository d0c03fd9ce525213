// SPDX-License-Identifier: MIT
// Throughput of scans: every tile algorithm x strategy, `automatic` for many types and sizes, and beside them the
// device's copy, Boost.Compute and the host's own scans. Bytes per second count one read and one write per element.
//
// Sums are exclusive, `scan_maximum` is inclusive; `affine` is a user's struct with a non-commutative operator.

#include "common/device_rows.hpp"
#include "common/host_peers.hpp"
#include "common/upsweep_side.hpp"

#if defined(UPSWEEP_BENCH_BOOST_COMPUTE)
#include "common/boost_compute_peer.hpp"
#endif

namespace {

using namespace bench;

template <class T>
std::uint64_t moved_bytes(std::uint64_t n) {
    return 2 * n * sizeof(T);
}

template <class T, class Op>
void add_host_scans(const std::string& operation, std::uint64_t n) {
    constexpr bool exclusive = is_exclusive<Op>;
    const auto add = [&](const char* library, const char* variant, std::function<prepared_call()> prepare) {
        add_row(row_name(operation, library, variant, type_name<T>(), n), moved_bytes<T>(n), std::move(prepare));
    };
    add("host_copy", "memcpy", [=] { return host_copy<T>(n); });
    add("std", "sequential", [=] { return std_scan<T, Op>(n, exclusive); });
#if defined(UPSWEEP_BENCH_TBB)
    add("std", "par", [=] { return std_scan<T, Op>(n, exclusive, std::execution::par); });
    add("std", "par_unseq", [=] { return std_scan<T, Op>(n, exclusive, std::execution::par_unseq); });
    add("tbb", "parallel_scan", [=] { return tbb_scan<T, Op>(n, exclusive); });
#endif
}

template <class T, class Op>
void add_scans(const std::string& operation, std::uint64_t n) {
    const auto add = [&](const char* library, const char* variant, std::function<prepared_call()> prepare) {
        add_row(row_name(operation, library, variant, type_name<T>(), n), moved_bytes<T>(n), std::move(prepare));
    };
    add("upsweep", "automatic", [=] { return upsweep_scan<T, Op>(n); });
    if constexpr (std::is_floating_point_v<T>) { // what the canonical order costs
        upsweep::options any_order;
        any_order.reproducible = false;
        add("upsweep", "any_order", [=] { return upsweep_scan<T, Op>(n, any_order); });
    }
    add("copy", "device", [=] { return device_copy<T>(n); });
#if defined(UPSWEEP_BENCH_BOOST_COMPUTE)
    if constexpr (boost_compute_knows<Op>) {
        if (n <= boost_compute_limit)
            add("boost_compute", "default", [=] { return boost_compute_scan<T, Op>(n, is_exclusive<Op>); });
    }
#endif
    if (n <= std::uint64_t{1} << 28) add_host_scans<T, Op>(operation, n);
}

/// Every tile algorithm with every strategy, on int32.
void add_choices() {
    using upsweep::strategy;
    using upsweep::tile_algorithm;
    const auto add = [](tile_algorithm algorithm, strategy how, unsigned exponent) {
        upsweep::options options;
        options.algorithm = algorithm;
        options.strategy = how;
        const std::uint64_t n = std::uint64_t{1} << exponent;
        const std::string variant = std::string(to_string(algorithm)) + '.' + to_string(how);
        add_row(row_name("scan", "upsweep", variant, "int32", n), moved_bytes<std::int32_t>(n),
                [=] { return upsweep_scan<std::int32_t, sum>(n, options); });
    };
    for (const unsigned exponent : target().exponents(sizeof(std::int32_t)))
        for (const auto algorithm :
             {tile_algorithm::blelloch, tile_algorithm::hillis_steele, tile_algorithm::brent_kung}) {
            if (exponent == 10) add(algorithm, strategy::single_tile, exponent);
            if (exponent != 16 && exponent != 20 && exponent != 24 && exponent != 28) continue;
            for (const auto how :
                 {strategy::scan_then_propagate, strategy::reduce_then_scan, strategy::look_back, strategy::chunked})
                add(algorithm, how, exponent);
        }
}

} // namespace

int main(int argc, char** argv) {
    describe_target();
    for_each_combination([](auto element, auto op, const std::string& suffix) {
        using T = decltype(element);
        for (const unsigned exponent : target().exponents(sizeof(T)))
            add_scans<T, decltype(op)>("scan" + suffix, std::uint64_t{1} << exponent);
    });
    add_choices();
    return run_rows(argc, argv);
}
