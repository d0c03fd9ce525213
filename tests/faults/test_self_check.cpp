// SPDX-License-Identifier: MIT
// Kernels that are broken on their way to the compiler: the self-check notices, says so, and results are right all the
// same; what cannot be right is an error. And its own OpenCL calls fail in turn.
#include "first_uses.hpp"
#include "scenarios.hpp"

#include <atomic>
#include <thread>
#include <utility>

using faults::change;
using faults::chunks;
using faults::first_uses;

namespace {

using Catch::Matchers::ContainsSubstring;
using upsweep::strategy;
namespace detail = upsweep::detail;

/// Whether kernels are right on this device until the test breaks them, and it has what the tests need.
bool is_suitable() {
    const detail::device_limits limits = fixture::limits_of(upsweep::default_queue());
    const bool suits = limits.has_double && limits.has_atomics64 && limits.name.find("llvmpipe") == std::string::npos;
    if (!suits) test::skip("needs double, 64-bit atomics, and loops of any length");
    return suits;
}

/// Whether an exclusive scan of n integers is right.
bool scan_is_right(const first_uses& first, std::size_t n, const upsweep::options& opts = {}) {
    const std::vector<int> in = test::make_input<int>(n, 5);
    std::vector<int> out(n);
    upsweep::exclusive_scan(first.queue, in.begin(), in.end(), out.begin(), 7, upsweep::plus{}, opts);
    return out == test::reference_scan<int>(in, true, std::optional<int>(7), upsweep::plus{});
}

bool reduction_is_right(const first_uses& first, std::size_t n, const upsweep::options& opts = {}) {
    const std::vector<int> in = test::make_input<int>(n, 6);
    const int expected = test::reference_scan<int>(in, false, std::optional<int>(7), upsweep::plus{}).back();
    return upsweep::reduce(first.queue, in.begin(), in.end(), 7, upsweep::plus{}, opts) == expected;
}

/// Without the protection the result is wrong, or the test would show nothing; with it, it is right, and said once.
template <class IsRight>
void check_protected(first_uses& first, const std::string& instead, const IsRight& is_right) {
    upsweep::use_self_check(false);
    CHECK_FALSE(is_right());
    upsweep::use_self_check(true);
    first.forget();
    first.changes_made = 0;
    CHECK(is_right());
    CHECK(first.changes_made > 0);
    CHECK(is_right());
    REQUIRE(first.reports.size() == 1);
    const upsweep::self_check_report& r = first.reports[0];
    CHECK(r.device == fixture::device_of(first.queue).getInfo<CL_DEVICE_NAME>());
    CHECK_THAT(r.wrong, ContainsSubstring("wrong"));
    CHECK_THAT(r.instead, ContainsSubstring(instead));
    first.reports.clear();
}

// A chunk forgets all chunks before the one before.
const change lost_carry{"upsweep_append(&has_carry, &carry, sums[sums_offset + i]);",
                        "{ carry = sums[sums_offset + i]; has_carry = 1; }"};
// Loops of a work-item end after 65535 iterations, as on Mesa's llvmpipe.
const change short_loops{"(upsweep_index)min(n - begin, chunk)",
                         "(upsweep_index)min(min(n - begin, chunk), (ulong)65535)"};
const change broken_tiles{"local_id >= distance ?", "local_id > distance ?"};
const change broken_operator{"return left + right;", "return left + right + 1;"};

} // namespace

TEST_CASE("a broken kernel is noticed and another is used", "[self_check]") {
    if (!is_suitable()) return;
    first_uses first({lost_carry});
    check_protected(first, "reduce_then_scan", [&] { return scan_is_right(first, 100000, chunks(3)); });
    const upsweep::scan_plan<int> plan(first.queue, 1000, {}, chunks(3));
    CHECK(plan.tuning().strategy == strategy::reduce_then_scan);
    CHECK(reduction_is_right(first, 100000, chunks(3))); // kernels that are not broken stay
    CHECK(first.reports.empty());
}

TEST_CASE("eight threads with the same first use of a broken kernel wait for one check", "[self_check]") {
    first_uses first({lost_carry});
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { wrong += scan_is_right(first, 100000, chunks(3)) ? 0 : 1; });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
    CHECK(first.reports.size() == 1);
}

TEST_CASE("a device that ends long loops is noticed", "[self_check]") {
    first_uses first({short_loops});
    const std::size_t n = (1 << 20) + 7;
    check_protected(first, "reduce_then_scan", [&] { return scan_is_right(first, n, chunks(2)); });
    check_protected(first, "reduce_then_scan", [&] { return reduction_is_right(first, n, chunks(2)); });
    const auto odd = upsweep::transform<std::uint32_t>("i % 2", n);
    const auto view_is_right = [&] {
        return upsweep::reduce(first.queue, odd, 0U, upsweep::plus{}, {}, chunks(2)) == n / 2;
    };
    check_protected(first, "reduce_then_scan", view_is_right); // its kernels are judged by those of arrays
}

TEST_CASE("a broken fallback of look_back is noticed, though tiles are seldom silent", "[self_check]") {
    if (!is_suitable()) return;
    const change broken{"upsweep_sum_full_tile(UPSWEEP_INPUT_AT(all, (ulong)silent * size), size, memory)", "all[0]"};
    first_uses first({broken});
    const upsweep::options opts = fixture::small_tiles(strategy::look_back, 8, 4);
    CHECK(scan_is_right(first, 10000, opts));
    CHECK(first.changes_made > 0);
    REQUIRE(first.reports.size() == 1);
    CHECK_THAT(first.reports[0].instead, ContainsSubstring("reduce_then_scan"));
}

TEST_CASE("where simple tiles are broken too, one work-item does the work", "[self_check]") {
    if (!is_suitable() || fixture::limits_of(upsweep::default_queue()).mixes_up_work_items) return;
    first_uses first({lost_carry, broken_tiles});
    check_protected(first, "one chunk", [&] { return scan_is_right(first, 100000, chunks(3)); });
}

TEST_CASE("where everything is wrong, calls are errors that say so", "[self_check]") {
    first_uses first({broken_operator});
    for (int i = 0; i < 2; ++i) { // the second time without another check
        const faults::balance before = faults::live_handles();
        faults::watch(faults::never, CL_SUCCESS);
        try {
            scan_is_right(first, 1000);
            FAIL_CHECK("no error");
        } catch (const upsweep::error& e) {
            CHECK(e.function() == "exclusive_scan");
            CHECK_THAT(e.argument(), ContainsSubstring(fixture::device_of(first.queue).getInfo<CL_DEVICE_NAME>()));
            CHECK_THAT(e.cause(), ContainsSubstring("self-check"));
            CHECK_THAT(e.cause(), ContainsSubstring("one chunk"));
        }
        const std::vector<std::string> calls = faults::stop();
        const auto launches = std::count(calls.begin(), calls.end(), "clEnqueueNDRangeKernel");
        CHECK((i == 0 ? launches > 0 : launches == 0));
        if (i == 1) CHECK(faults::to_string(faults::live_handles()) == faults::to_string(before));
    }
    CHECK(first.reports.empty());
    faults::rewrite_sources({});
    first.forget();
    CHECK(scan_is_right(first, 1000));
}

TEST_CASE("arithmetic that cannot keep the canonical order's bits is refused", "[self_check]") {
    if (!is_suitable()) return;
    const std::vector<std::pair<change, std::string>> lacks{
        {{"in[3 * i] + in[3 * i + 2]", "(fabs(in[3 * i]) < 0x1p-126f ? 0.0f : in[3 * i]) + in[3 * i + 2]"}, "denormal"},
        {{"in[3 * i] * in[3 * i + 1] + in[3 * i + 2]", "fma(in[3 * i], in[3 * i + 1], in[3 * i + 2])"}, "fuses"},
        {{"in[3 * i] + in[3 * i + 2]", "convert_float_rtz((double)in[3 * i] + (double)in[3 * i + 2])"}, "round"}};
    for (const auto& [lack, word] : lacks) {
        first_uses first({lack});
        const std::vector<float> in{1, 2, 3};
        const auto reduce = [&](const auto& op, const upsweep::options& opts = {}) {
            return upsweep::reduce(first.queue, in.begin(), in.end(), 0.0F, op, opts);
        };
        const auto own = upsweep::make_operator<float>("return left + right;");
        for (int i = 0; i < 2; ++i) {
            try {
                reduce(upsweep::plus{});
                FAIL_CHECK("no error");
            } catch (const upsweep::error& e) {
                CHECK(e.function() == "reduce");
                CHECK_THAT(e.argument(), ContainsSubstring("device"));
                CHECK_THAT(e.cause(), ContainsSubstring(word));
            }
        }
        CHECK(first.changes_made > 0);
        CHECK_THROWS_AS(reduce(own), upsweep::error);
        upsweep::options explicitly;
        explicitly.strategy = strategy::reduce_then_scan;
        CHECK(reduce(upsweep::plus{}, explicitly) == 6.0F);
        explicitly.strategy = strategy::chunked; // combines in that order by the way, and promises nothing
        CHECK(reduce(upsweep::plus{}, explicitly) == 6.0F);
        CHECK(reduction_is_right(first, 1000));
        CHECK(first.reports.empty());
        upsweep::use_self_check(false);
        CHECK(reduce(upsweep::maximum{}) == 3.0F);
        upsweep::use_self_check(true);
    }
}

TEST_CASE("bits that are not the reference's are noticed", "[self_check]") {
    if (!is_suitable()) return;
    // Sums of whole numbers stay right: only rounding shows it.
    const change contracted{"return left * (upsweep_value)(UPSWEEP_CHECK_FACTOR / 1024.0f) + right;",
                            "return fma(left, (upsweep_value)(UPSWEEP_CHECK_FACTOR / 1024.0f), right);"};
    first_uses fused({contracted});
    const std::vector<float> in(1000, 1.0F);
    const auto own = upsweep::make_operator<float>("return left + right;");
    CHECK(upsweep::reduce(fused.queue, in.begin(), in.end(), 0.0F, own) == 1000.0F);
    CHECK(fused.changes_made > 0);
    REQUIRE(fused.reports.size() == 1);
    CHECK_THAT(fused.reports[0].instead, ContainsSubstring("an order of combination of its own"));
}

TEST_CASE("a check that was passed is remembered on disk, one that was not is made again", "[self_check]") {
    if (!is_suitable()) return;
    first_uses first;
    const test::temporary_folder folder;
    const test::environment_variable on("UPSWEEP_CACHE", "");
    const test::environment_variable place("UPSWEEP_CACHE_DIR", folder.path().string());
    /// Queues made by a first call: one where a check is run, none where it is remembered.
    const auto queues_made = [&](const upsweep::options& opts) {
        first.forget();
        faults::watch(faults::never, CL_SUCCESS);
        const bool right = scan_is_right(first, 1000, opts);
        const std::vector<std::string> calls = faults::stop();
        CHECK(right);
        return std::count(calls.begin(), calls.end(), "clCreateCommandQueue");
    };
    for (const strategy s : {strategy::chunked, strategy::look_back}) {
        const upsweep::options opts = fixture::small_tiles(s, 1, 4);
        CHECK(queues_made(opts) == 1);
        CHECK(queues_made(opts) == 0);
        CHECK(queues_made(opts) == 0);
    }
    for (const auto& file : std::filesystem::directory_iterator(folder.path()))
        std::filesystem::resize_file(file.path(), 100);
    CHECK(queues_made(chunks(1)) == 1);
    CHECK(queues_made(chunks(1)) == 0);

    // Other kernels: another text, or else nothing would be noticed.
    first_uses broken({lost_carry});
    const test::environment_variable on_again("UPSWEEP_CACHE", "");
    const test::temporary_folder other;
    const test::environment_variable elsewhere("UPSWEEP_CACHE_DIR", other.path().string());
    for (std::size_t i = 1; i <= 2; ++i) {
        broken.forget();
        CHECK(scan_is_right(broken, 100000, chunks(3)));
        CHECK(broken.reports.size() == i);
    }
}

TEST_CASE("each OpenCL call of a first call with its self-check fails in turn", "[self_check]") {
    if (!is_suitable()) return;
    const auto fail_each = [](first_uses& first, const std::function<bool()>& is_right) {
        const auto calls_with = [&](std::size_t fail_at, bool& threw) {
            first.forget();
            bool right = false;
            std::string problem;
            faults::watch(fail_at, CL_OUT_OF_RESOURCES);
            try {
                right = is_right();
            } catch (const upsweep::error& e) {
                threw = true;
                if (e.status() != CL_OUT_OF_RESOURCES) problem = e.what();
            } catch (const std::exception& e) {
                problem = std::string("not an upsweep::error: ") + e.what();
            }
            const std::vector<std::string> calls = faults::stop();
            const std::string failed = fail_at < calls.size() ? calls[fail_at] : "nothing";
            CAPTURE(fail_at, failed);
            CHECK(problem == "");
            CHECK((threw || right));
            return calls;
        };
        bool threw = false;
        calls_with(faults::never, threw); // the device's limits are asked for once
        const std::size_t calls = calls_with(faults::never, threw).size();
        CHECK_FALSE(threw);
        first.forget();
        const faults::balance before = faults::live_handles();
        const long excess = faults::excess_releases();
        std::size_t errors = 0;
        // All of the beginning and of the end; of what lies between, the runs of one size after another, some.
        const auto step = [&](std::size_t k) { return k < 40 || k + 25 > calls ? 1 : 37; };
        for (std::size_t k = 0; k < calls; k += step(k)) {
            threw = false;
            calls_with(k, threw);
            errors += threw ? 1 : 0;
            if (k % 10 == 0) CHECK(is_right()); // the next call works, and checks again
            first.forget();
            CHECK(faults::to_string(faults::live_handles()) == faults::to_string(before));
            CHECK(faults::excess_releases() == excess);
        }
        CHECK(errors > 3); // how many calls a driver's threads leave to make is a matter of time
        first.forget();
    };
    first_uses good;
    fail_each(good, [&] { return scan_is_right(good, 1000, fixture::small_tiles(strategy::look_back, 8, 4)); });
    if (faults::bindings_throw) return; // one is enough
    fail_each(good, [&] {
        const std::vector<float> in(1000, 1.0F);
        return upsweep::reduce(good.queue, in.begin(), in.end()) == 1000.0F;
    });
    CHECK(good.reports.empty());
    first_uses broken({lost_carry});
    fail_each(broken, [&] { return scan_is_right(broken, 100000, chunks(3)); });
}
