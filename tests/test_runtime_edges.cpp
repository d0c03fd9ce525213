// SPDX-License-Identifier: MIT
// Faults that were found at the edges of what OpenCL is asked for: events that have failed, buffers that kernels must
// not read, programs that are released while a plan needs them, plans that a handler calls or that were moved from, and
// threads that do not start.

#include <upsweep/device_group.hpp>

#include "device_fixture.hpp"
#include "environment.hpp"
#include "support.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if defined(__GLIBC__)
#include <pthread.h>
#endif

namespace detail = upsweep::detail;
using fixture::expect_error;
using fixture::programs_built;
using test::guarded_array;
using test::queue;
using upsweep::span;
using upsweep::strategy;

namespace {

using call_after = std::function<void(const upsweep::wait_list&)>;

/// A buffer of ints in the common queue's context, zeros at first.
cl::Buffer zeros_for(cl_mem_flags flags, std::size_t count) {
    return fixture::buffer_of(queue(), std::vector<unsigned char>(count * sizeof(int)), flags);
}

/// While it lives, threads do not start: their stacks would be larger than any memory.
class no_new_threads {
public:
#if defined(__GLIBC__)
    static constexpr bool can_be = true;
    no_new_threads() {
        pthread_getattr_default_np(&before_);
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, std::size_t{1} << 60);
        pthread_setattr_default_np(&attributes);
        pthread_attr_destroy(&attributes);
    }
    ~no_new_threads() {
        pthread_setattr_default_np(&before_);
        pthread_attr_destroy(&before_);
    }
#else
    static constexpr bool can_be = false;
    no_new_threads() {}
#endif
    no_new_threads(const no_new_threads&) = delete;
    no_new_threads& operator=(const no_new_threads&) = delete;

private:
#if defined(__GLIBC__)
    pthread_attr_t before_;
#endif
};

/// Plans of segments of every kind, and calls on them.
struct segment_plans {
    explicit segment_plans(const cl::CommandQueue& q)
        : queue(q)
        , in(q, std::vector<float>(4000, 1.0F))
        , offsets(q, std::vector<std::uint32_t>{0, 70, 70, 4000})
        , out(q, 4000) {}

    upsweep::segmented_view<float> by_offsets() const { return upsweep::segments(in.input(), offsets.input()); }
    upsweep::segmented_view<float> by_rows() const { return upsweep::rows(in.input(), 40, 100); }
    upsweep::segmented_view<float> by_columns() const { return upsweep::columns(in.input(), 40, 100); }
    void call() const {
        sums.reduce(queue, by_offsets(), out.view(), 1.0F);
        CHECK(out.values()[2] == 3931.0F);
        row_sums.reduce(queue, by_rows(), out.view());
        CHECK(out.values()[39] == 100.0F);
        scans.inclusive_scan(queue, by_offsets(), out.view());
        CHECK(out.values()[3999] == 3930.0F);
        scans.exclusive_scan(queue, by_offsets(), out.view(), 2.0F);
        CHECK(out.values()[70] == 2.0F);
        column_scans.inclusive_scan(queue, by_columns(), out.view());
        CHECK(out.values()[3999] == 40.0F);
        column_sums.reduce(queue, by_columns(), out.view());
        CHECK(out.values()[99] == 40.0F);
    }

    cl::CommandQueue queue;
    fixture::guarded_array<float> in;
    fixture::guarded_array<std::uint32_t> offsets;
    fixture::guarded_array<float> out;
    upsweep::segmented_reduce_plan<float> sums{queue, by_offsets()}, row_sums{queue, by_rows()},
        column_sums{queue, by_columns()};
    upsweep::segmented_scan_plan<float> scans{queue, by_offsets()}, column_scans{queue, by_columns()};
};

} // namespace

TEST_CASE("an event that has failed is an error of the call that is to wait for it", "[errors]") {
    const guarded_array<int> in(std::vector<int>(100, 1)), out(100);
    const guarded_array<std::uint32_t> offsets(std::vector<std::uint32_t>{0, 7, 100}), count(1);
    const upsweep::scan_plan<int> plan(queue(), 100);
    const upsweep::device_group group({queue()});
    cl::UserEvent failed(queue().getInfo<CL_QUEUE_CONTEXT>()), fine(queue().getInfo<CL_QUEUE_CONTEXT>());
    fine.setStatus(CL_COMPLETE);
    failed.setStatus(-9);
    const auto check = [&](const char* function, const std::string& argument, const call_after& call) {
        call(upsweep::after({fine}));
        for (const upsweep::wait_list& after : {upsweep::after({failed}), upsweep::after({fine, failed})})
            expect_error(function, argument, "an event has failed, with status -9", [&] { call(after); });
    };
    check("inclusive_scan", "after", [&](const upsweep::wait_list& after) {
        upsweep::inclusive_scan(queue(), in.view(), out.view(), upsweep::plus{}, after);
    });
    check("inclusive_scan", "after",
          [&](const upsweep::wait_list& after) { plan.inclusive_scan(queue(), in.view(), out.view(), after); });
    check("reduce", "after",
          [&](const upsweep::wait_list& after) { upsweep::reduce(queue(), in.view(), 5, upsweep::plus{}, after); });
    check("reduce", "after", [&](const upsweep::wait_list& after) {
        upsweep::reduce(queue(), upsweep::segments(in.view(), offsets.view()), out.view(), 0, upsweep::plus{}, after);
    });
    check("inclusive_scan", "after", [&](const upsweep::wait_list& after) {
        upsweep::inclusive_scan(queue(), upsweep::columns(in.view(), 10, 10), out.view(), upsweep::plus{}, after);
    });
    check("copy_if", "after", [&](const upsweep::wait_list& after) {
        upsweep::copy_if(queue(), in.view(), out.view(), count.view(), "a > 0", after);
    });
    check("reduce", "part 0: after", [&](const upsweep::wait_list& after) {
        const std::vector<span<int>> parts{in.view()};
        upsweep::reduce(group, parts, upsweep::no_init, upsweep::plus{}, {after});
    });
    CHECK(queue().finish() == CL_SUCCESS);
}

TEST_CASE("an event, and events in a vector, are a wait list", "[api][errors]") {
    const guarded_array<int> in(std::vector<int>(100, 1)), out(100);
    const upsweep::scan_plan<int> plan(queue(), 100);
    cl::UserEvent failed(queue().getInfo<CL_QUEUE_CONTEXT>());
    failed.setStatus(-9);
    const auto check = [&](const auto& events) {
        expect_error("exclusive_scan", "after", "-9",
                     [&] { upsweep::exclusive_scan(queue(), in.view(), out.view(), 0, upsweep::plus{}, events); });
        expect_error("inclusive_scan", "after", "-9",
                     [&] { plan.inclusive_scan(queue(), in.view(), out.view(), events); });
    };
    check(static_cast<const cl::Event&>(failed));
    check(std::vector<cl::Event>{failed});
    check(std::vector<cl_event>{failed()});
}

TEST_CASE("buffers that kernels must not read are no scratch, and no output that is read again", "[errors]") {
    const std::size_t n = 300;
    const guarded_array<int> in(std::vector<int>(n, 1)), out(n);
    const cl::Buffer write_only = zeros_for(CL_MEM_WRITE_ONLY, 1024), read_only = zeros_for(CL_MEM_READ_ONLY, 1024);
    const span<int> results(write_only, n);
    const bool propagates = !test::limits().mixes_up_work_items; // else another strategy takes its place
    for (const strategy s : {strategy::reduce_then_scan, strategy::scan_then_propagate}) {
        const upsweep::options o = fixture::small_tiles(s);
        const auto scan = [&] { upsweep::inclusive_scan(queue(), in.view(), results, upsweep::plus{}, {}, o); };
        const upsweep::scan_plan<int> plan(queue(), n, upsweep::plus{}, o);
        const auto scan_in = [&](const cl::Buffer& scratch) {
            plan.exclusive_scan(queue(), in.view(), out.view(), 5, {}, {scratch, 1024});
        };
        expect_error("exclusive_scan", "workspace", "the buffer is write-only for kernels",
                     [&] { scan_in(write_only); });
        expect_error("exclusive_scan", "workspace", "the buffer is read-only for kernels", [&] { scan_in(read_only); });
        if (s == strategy::scan_then_propagate && propagates)
            expect_error("inclusive_scan", "output", "strategy scan_then_propagate reads it again", scan);
        else
            scan();
        upsweep::inclusive_scan(queue(), in.view(24), results, upsweep::plus{}, {}, o); // a single tile
    }
    const upsweep::device_group group({queue()});
    const auto scan_part = [&] {
        upsweep::inclusive_scan(group, std::vector<span<int>>{in.view()}, std::vector<span<int>>{results},
                                upsweep::plus{}, {}, fixture::small_tiles(strategy::scan_then_propagate));
    };
    if (propagates)
        expect_error("inclusive_scan", "part 0: output", "strategy scan_then_propagate reads it again", scan_part);
    else
        scan_part();
    CHECK(queue().finish() == CL_SUCCESS);
}

TEST_CASE("plans of segments build nothing after release_cached, and let their context go", "[api]") {
    const fixture::own_context own;
    const auto references = [&] { return own.context.getInfo<CL_CONTEXT_REFERENCE_COUNT>(); };
    const auto before = references();
    {
        const segment_plans plans(own.queue);
        plans.call();
        const std::uint64_t built = programs_built();
        upsweep::release_cached(own.context());
        plans.call();
        CHECK(programs_built() == built);
    }
    upsweep::release_cached(own.context());
    // Drivers may let go of finished commands a little later.
    for (int wait = 0; wait < 30000 && references() != before; ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(references() == before);
}

TEST_CASE("a handler of self-checks may call the plan whose call made the check", "[self_check]") {
    if (!detail::self_check_wanted()) return;
    const test::environment_variable no_cache("UPSWEEP_CACHE", "off");
    const test::environment_variable no_time("UPSWEEP_SELF_CHECK_SECONDS", "0"); // so that there is a report
    const fixture::own_context own;
    const fixture::guarded_array<float> in(own.queue, std::vector<float>(5000, 1.0F)), out(own.queue, 5000);
    const fixture::guarded_array<std::uint32_t> keys(own.queue, std::vector<std::uint32_t>(5000, 7));
    const auto view = upsweep::keyed(in.input(), keys.input());
    upsweep::use_self_check(false);
    const auto plan = upsweep::make_scan_plan(own.queue, view);
    upsweep::use_self_check(true);
    detail::self_check_table::get().forget();
    int reports = 0;
    upsweep::on_self_check([&](const upsweep::self_check_report&) {
        if (++reports > 50) return;
        plan.inclusive_scan(own.queue, view, out.view()).wait();
        CHECK(out.values().back() == 5000.0F);
        plan.exclusive_scan(own.queue, view, out.view(), upsweep::from(in.input())).wait(); // of the same text
    });
    plan.exclusive_scan(own.queue, view, out.view(), upsweep::from(in.input())).wait(); // of another text
    CHECK(reports > 0);
    // Of floats, whose arithmetic is checked first.
    upsweep::on_self_check([&](const upsweep::self_check_report&) {
        if (++reports > 50) return;
        upsweep::inclusive_scan(own.queue, in.input(), out.view()).wait();
    });
    upsweep::inclusive_scan(own.queue, in.input(), out.view()).wait();
    upsweep::on_self_check({});
    CHECK(out.values().back() == 5000.0F);
    CHECK(reports <= 50); // one for each check, not one for each call
    detail::self_check_table::get().forget();
    upsweep::release_cached(own.context());
}

TEST_CASE("what a device group cannot do is an error of upsweep's", "[errors]") {
    upsweep::device_group group({queue(), queue()});
    const std::size_t much = (std::numeric_limits<std::size_t>::max)() / 4;
    expect_error("device_group", "n", "no elements to measure with", [&] { group.measure_speeds(0); });
    expect_error("device_group", "n", "floats do not fit a buffer", [&] { group.measure_speeds(much); });
    expect_error("device_group", "number", "5, but the group has 2 queues, counted from 0", [&] { group.queue(5); });
    CHECK(group.speeds() == std::vector<double>(2, 1.0));

    std::vector<int> numbers(1000, 1);
    const auto sum = [&] { return upsweep::reduce(group, numbers.begin(), numbers.end(), 5); };
    const auto scan = [&] { upsweep::inclusive_scan(group, numbers.begin(), numbers.end(), numbers.begin()); };
    CHECK(sum() == 1005);
    if (!no_new_threads::can_be) return test::skip("threads start whatever one does");
    {
        const no_new_threads none;
        expect_error("reduce", "std::thread", "", sum);
        expect_error("inclusive_scan", "std::thread", "", scan);
    }
    scan();
    CHECK(numbers.back() == 1000);
}

TEST_CASE("plans that were moved from are as good as before", "[api]") {
    const guarded_array<int> in(std::vector<int>{3, 3, 4, 4, 4}), out(5);
    const guarded_array<std::uint32_t> count(1);
    const auto first_of = [&](std::size_t n) {
        std::vector<int> values = out.values();
        values.resize(n);
        return values;
    };
    const auto check = [&](auto& plan, const auto& call, const std::vector<int>& expected) {
        using plan_type = std::decay_t<decltype(plan)>;
        const plan_type other(static_cast<plan_type&&>(plan));
        for (const plan_type* each : {&other, const_cast<const plan_type*>(&plan)}) {
            CHECK(each->capacity() == 5);
            call(*each);
            CHECK(first_of(expected.size()) == expected);
        }
        plan = other; // they may be assigned, too
    };
    upsweep::scan_plan<int> scan(queue(), 5);
    check(scan, [&](const auto& p) { p.inclusive_scan(queue(), in.view(), out.view()); }, {3, 6, 10, 14, 18});
    // Texts that are longer than what a string holds in itself.
    upsweep::unique_plan<int> unique(queue(), 5, "left == right && right > 0 + 0 + 0 + 0 + 0");
    check(unique, [&](const auto& p) { p.unique(queue(), in.view(), out.view(), count.view()); }, {3, 4});
    upsweep::copy_if_plan<int> choice(queue(), 5, "a == 4 && a > 0 + 0 + 0 + 0 + 0");
    check(choice, [&](const auto& p) { p.copy_if(queue(), in.view(), out.view(), count.view()); }, {4, 4, 4});
    upsweep::count_if_plan<int, int> counts(queue(), 5, "a == 3 && a > 0 + 0 + 0 + 0 + 0");
    check(counts, [&](const auto& p) { p.count_if(queue(), in.view(), out.view()); }, {2});
    auto rows = upsweep::make_reduce_plan(queue(), upsweep::rows(in.view(), 1, 5));
    check(rows, [&](const auto& p) { p.reduce(queue(), upsweep::rows(in.view(), 1, 5), out.view()); }, {18});
}
