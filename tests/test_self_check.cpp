// SPDX-License-Identifier: MIT
// The self-check where kernels are as they should be. Its parts: test_self_check_parts.cpp. Broken kernels:
// faults/test_self_check.cpp.
#include "device_fixture.hpp"
#include "support.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace fixture;

namespace {

/// First uses, seen by a handler, in a context of their own.
struct first_uses {
    own_context own;
    cl::CommandQueue queue = own.queue;
    std::mutex lock;
    std::vector<upsweep::self_check_report> reports;

    first_uses() {
        detail::self_check_table::get().forget();
        upsweep::on_self_check([this](const upsweep::self_check_report& r) {
            const std::lock_guard<std::mutex> guard(lock);
            reports.push_back(r);
        });
    }
    ~first_uses() {
        upsweep::on_self_check({});
        upsweep::release_cached(queue.getInfo<CL_QUEUE_CONTEXT>()());
    }
};

std::size_t verdicts() {
    detail::self_check_table& table = detail::self_check_table::get();
    const std::lock_guard<std::mutex> guard(table.lock);
    return table.verdicts.size();
}

/// Chunks, which are asked for here, are replaced where the device ends long loops, and that is reported.
bool ends_long_loops() {
    return test::limits().ends_loops;
}

template <class T, class Op>
void check_calls(const first_uses& first, std::size_t n, const Op& op, const upsweep::options& opts = {}) {
    const std::vector<T> in = test::make_input<T>(n, 3);
    std::vector<T> out(n);
    const T init = test::make_init<T>();
    const auto expected = test::reference_scan<T>(in, false, std::optional<T>(init), op);
    upsweep::inclusive_scan(first.queue, in.begin(), in.end(), out.begin(), op, init, opts);
    CHECK(test::first_difference(out, expected) == -1);
    CHECK(upsweep::reduce(first.queue, in.begin(), in.end(), init, op, opts) == expected.back());
}

} // namespace

TEST_CASE("kernels that are right are not reported", "[self_check]") {
    first_uses first;
    const std::size_t n = 5000;
    check_calls<std::int8_t>(first, n, upsweep::plus{});
    check_calls<std::uint16_t>(first, n, upsweep::plus{});
    check_calls<std::int32_t>(first, n, upsweep::plus{});
    check_calls<std::uint64_t>(first, n, upsweep::plus{});
    check_calls<float>(first, n, upsweep::plus{});
    if (test::has_type<double>()) check_calls<double>(first, n, upsweep::plus{});
    check_calls<test::segment>(first, n, test::join_segments());
    for (const upsweep::options& o : few_kernels(3)) check_calls<std::int32_t>(first, n, upsweep::plus{}, o);
    CHECK(verdicts() > 10);
    std::string all;
    for (const upsweep::self_check_report& r : first.reports) all += (std::ostringstream() << r).str() + '\n';
    if (!ends_long_loops()) CHECK(all == "");
}

TEST_CASE("what automatic chooses is right for much, whatever the device does to long loops", "[self_check]") {
    first_uses first;
    const std::size_t n = (std::size_t{1} << 20) + 7;
    check_calls<std::int32_t>(first, n, upsweep::plus{});
    check_calls<float>(first, n, upsweep::plus{});
    CHECK(first.reports.empty());
}

TEST_CASE("conversions and operators of one's own have checks of their own", "[self_check]") {
    first_uses first;
    const std::vector<std::uint8_t> bytes(3000, 1);
    CHECK(upsweep::reduce(first.queue, bytes.begin(), bytes.end(), std::uint64_t{5}) == 3005);
    CHECK(upsweep::reduce(first.queue, bytes.begin(), bytes.end(), 5.0F) == 3005.0F);
    const auto own = upsweep::make_operator<std::uint64_t>("return left + right;");
    CHECK(upsweep::reduce(first.queue, bytes.begin(), bytes.end(), std::uint64_t{5}, own) == 3005);
    const auto own_int = upsweep::make_operator<std::int8_t>("return right;");
    CHECK(upsweep::reduce(first.queue, bytes.begin(), bytes.end(), std::int8_t{5}, own_int) == 1);
    CHECK(first.reports.empty());
    CHECK(verdicts() >= 4);
    const std::size_t before = verdicts();
    const std::vector<std::int8_t> other(3000, 1); // of the same class
    CHECK(upsweep::reduce(first.queue, other.begin(), other.end(), std::int64_t{5}, upsweep::maximum{}) == 5);
    CHECK(verdicts() == before);
}

TEST_CASE("the self-check can be turned off", "[self_check]") {
    first_uses first;
    upsweep::use_self_check(false);
    check_calls<std::int32_t>(first, 1000, upsweep::plus{});
    CHECK(verdicts() == 0);
    upsweep::use_self_check(true);
    check_calls<std::int32_t>(first, 1000, upsweep::plus{});
    CHECK(verdicts() == 2);
}

TEST_CASE("the environment turns the self-check off, whatever a program says", "[.][off_by_environment]") {
    first_uses first;
    upsweep::use_self_check(true);
    check_calls<std::int32_t>(first, 1000, upsweep::plus{});
    CHECK(verdicts() == 0);
}

TEST_CASE("eight threads with the same first use wait for one check", "[self_check][threads]") {
    for (int round = 0; round < 3; ++round) {
        first_uses first;
        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] {
                const cl::CommandQueue queue(detail::create_queue("test", first.queue.getInfo<CL_QUEUE_CONTEXT>()(),
                                                                  device_of(first.queue)(), 0));
                const std::vector<int> in(3000, 1);
                if (upsweep::reduce(queue, in.begin(), in.end()) != 3000) ++wrong;
            });
        for (std::thread& t : threads) t.join();
        CHECK(wrong == 0);
        CHECK(verdicts() == 1);
        CHECK(first.reports.empty());
    }
}
