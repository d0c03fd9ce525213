// SPDX-License-Identifier: MIT
// What `{}` means in a call: an argument left out, such as the wait list, and never an initial value of zero.
#include "device_fixture.hpp"

#include <type_traits>
#include <utility>
#include <vector>

using namespace fixture;
using upsweep::span;

struct pair_of_ints {
    int first;
    int second;
};

template <>
struct upsweep::type<pair_of_ints> {
    static constexpr const char* name = "pair_of_ints";
    static constexpr const char* definition = "typedef struct { int first, second; } pair_of_ints;";
};

namespace {

/// Whether `call`, a generic lambda, can be called with these; the test of what compiles.
template <class... Args, class Call>
constexpr bool compiles(const Call&) {
    return std::is_invocable<Call, Args...>::value;
}

// A call that compiles or not, as a generic lambda of the plan or the views in it.
#define UPSWEEP_TEST_CALL(...)                                                                                         \
    [](auto q, auto x, auto y) -> decltype((void)(__VA_ARGS__)) { (void)q, (void)x, (void)y; }
#define UPSWEEP_TEST_PLAN_CALL(...)                                                                                    \
    [](const auto& plan, auto q, auto x, auto y) -> decltype((void)(plan.__VA_ARGS__)) {                               \
        (void)plan, (void)q, (void)x, (void)y;                                                                         \
    }

/// What plans of arrays, of views and of segments have in common.
template <class T, class Plan, class Input>
void check_plan_scans() {
    const auto scans = [](const auto& call) { return compiles<const Plan&, cl::CommandQueue, Input, span<T>>(call); };
    STATIC_REQUIRE(scans(UPSWEEP_TEST_PLAN_CALL(inclusive_scan(q, x, y, {}))));
    STATIC_REQUIRE(scans(UPSWEEP_TEST_PLAN_CALL(exclusive_scan(q, x, y, T(), {}))));
    STATIC_REQUIRE(scans(UPSWEEP_TEST_PLAN_CALL(exclusive_scan(q, x, y, upsweep::wait_list{}))));
    STATIC_REQUIRE_FALSE(scans(UPSWEEP_TEST_PLAN_CALL(exclusive_scan(q, x, y, {}))));
    STATIC_REQUIRE_FALSE(scans(UPSWEEP_TEST_PLAN_CALL(exclusive_scan(q, x, y, {}, {}))));
    STATIC_REQUIRE_FALSE(scans(UPSWEEP_TEST_PLAN_CALL(exclusive_scan(q, x, y, {}, {}, {}))));
}

template <class View>
void check_plan_of_view() {
    check_plan_scans<int, decltype(upsweep::make_scan_plan(cl::CommandQueue(), std::declval<View>())), View>();
}

template <class T>
void check_what_compiles() {
    using queue = cl::CommandQueue;
    using in = span<const T>;
    using out = span<T>;
    using scans = upsweep::scan_plan<T>;
    using reductions = upsweep::reduce_plan<T>;
    const auto plan_scans = [](const auto& call) { return compiles<const scans&, queue, in, out>(call); };
    const auto plan_reduces = [](const auto& call) { return compiles<const reductions&, queue, in, out>(call); };
    const auto scans_views = [](const auto& call) { return compiles<queue, in, out>(call); };

    check_plan_scans<T, scans, in>();

    // An empty wait list, followed by a workspace or not.
    STATIC_REQUIRE(plan_scans(UPSWEEP_TEST_PLAN_CALL(inclusive_scan(q, x, y, {}, {}))));
    STATIC_REQUIRE(plan_scans(UPSWEEP_TEST_PLAN_CALL(inclusive_scan(q, x, y, {}, {cl::Buffer(), 8}))));
    STATIC_REQUIRE(plan_scans(UPSWEEP_TEST_PLAN_CALL(inclusive_scan(q, x, y, T(), {}, {cl::Buffer(), 8}))));
    STATIC_REQUIRE(plan_scans(UPSWEEP_TEST_PLAN_CALL(exclusive_scan(q, x, y, T(), {}, {cl::Buffer(), 8}))));
    STATIC_REQUIRE(plan_reduces(UPSWEEP_TEST_PLAN_CALL(reduce(q, x, y, T(), {}, {cl::Buffer(), 8}))));
    STATIC_REQUIRE(plan_reduces(UPSWEEP_TEST_PLAN_CALL(reduce(q, x, y, upsweep::no_init, {}, {cl::Buffer(), 8}))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::inclusive_scan(q, x, y, upsweep::plus{}, {}))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::inclusive_scan(q, x, y, upsweep::plus{}, {}, {}))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::inclusive_scan(q, x, y, upsweep::plus{}, T(), {}, {}))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::exclusive_scan(q, x, y, T(), {}, {}, {}))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::reduce(q, x, y, T(), {}, {}, {}))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::reduce(q, x, y, upsweep::no_init, {}, {}, {}))));

    // Views in braces, where the element's type is given.
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::inclusive_scan<T>(q, {cl_mem{}, 1}, {cl_mem{}, 1}))));
    STATIC_REQUIRE(
        scans_views(UPSWEEP_TEST_CALL(upsweep::inclusive_scan<T, T>(q, {cl_mem{}, 1}, y, upsweep::plus{}, {}))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::exclusive_scan<T>(q, {cl_mem{}, 1}, {cl_mem{}, 1, 8}, T()))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::reduce<T>(q, {cl_mem{}, 1}, {cl_mem{}, 1}, T()))));
    STATIC_REQUIRE(scans_views(UPSWEEP_TEST_CALL(upsweep::reduce<T>(q, {cl_mem{}, 1}, {cl_mem{}, 1}))));
    STATIC_REQUIRE(plan_scans(UPSWEEP_TEST_PLAN_CALL(inclusive_scan(q, {cl_mem{}, 1}, {cl_mem{}, 1}))));

    // Where nothing but an initial value can stand.
    STATIC_REQUIRE_FALSE(plan_scans(UPSWEEP_TEST_PLAN_CALL(inclusive_scan(q, x, y, {}, upsweep::wait_list{}))));
    STATIC_REQUIRE_FALSE(plan_scans(UPSWEEP_TEST_PLAN_CALL(inclusive_scan(q, x, y, {}, {}, out()))));
    STATIC_REQUIRE_FALSE(plan_reduces(UPSWEEP_TEST_PLAN_CALL(reduce(q, x, y, {}))));
    STATIC_REQUIRE_FALSE(plan_reduces(UPSWEEP_TEST_PLAN_CALL(reduce(q, x, y, {}, {}, {}))));
    STATIC_REQUIRE_FALSE(scans_views(UPSWEEP_TEST_CALL(upsweep::exclusive_scan(q, x, y, {}))));
    STATIC_REQUIRE_FALSE(scans_views(UPSWEEP_TEST_CALL(upsweep::exclusive_scan(q, x, y, {}, upsweep::plus{}))));
    STATIC_REQUIRE_FALSE(
        scans_views(UPSWEEP_TEST_CALL(upsweep::inclusive_scan(q, x, y, upsweep::plus{}, {}, upsweep::wait_list{}))));
    STATIC_REQUIRE_FALSE(scans_views(UPSWEEP_TEST_CALL(upsweep::reduce(q, x, y, {}))));
    STATIC_REQUIRE_FALSE(scans_views(UPSWEEP_TEST_CALL(upsweep::reduce(q, x, y, {}, upsweep::plus{}))));
}

} // namespace

TEST_CASE("empty braces are never an initial value: what compiles", "[api]") {
    check_plan_of_view<decltype(upsweep::transform<int>("a", span<const int>()))>();
    check_plan_of_view<decltype(upsweep::rows(span<const int>(), 1, 1))>();
    check_what_compiles<int>();
    check_what_compiles<float>();
    check_what_compiles<upsweep::half>();
    check_what_compiles<pair_of_ints>();
}

TEST_CASE("empty braces are an empty wait list: results", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<int> negative{-3, -1, -7, -2};
    const std::vector<int> highest{-3, -1, -1, -1}; // all 0 with an initial value of zero
    const guarded_array<int> in(queue, negative);
    const auto check = [&](auto&& scan) {
        const guarded_array<int> out(queue, 4);
        scan(out.view()).wait();
        CHECK(out.values() == highest);
        CHECK(out.guards_intact());
    };
    const upsweep::maximum op;
    const upsweep::scan_plan<int, int, upsweep::maximum> plan(queue, 4);
    const cl::Buffer mine = poisoned_buffer(queue, plan.workspace_bytes() + 1);
    check([&](auto out) { return plan.inclusive_scan(queue, in.input(), out, {}); });
    check([&](auto out) { return plan.inclusive_scan(queue, in.input(), out, {}, {}); });
    check([&](auto out) { return plan.inclusive_scan(queue, in.input(), out, {}, {mine, plan.workspace_bytes()}); });
    check([&](auto out) { return upsweep::inclusive_scan(queue, in.input(), out, op, {}); });
    check([&](auto out) {
        return upsweep::inclusive_scan<int>(queue, {in.buffer(), 4, in.guard() * sizeof(int)},
                                            {out.buffer(), 4, out.byte_offset()}, op);
    });
    check([&](auto out) { return upsweep::inclusive_scan(queue, in.input(), out, op, {}, {}); });
}

TEST_CASE("an initial value of another type is converted to the output's", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<float> in(queue, std::vector<float>{1, 2, 3});
    const guarded_array<float> out(queue, 3);
    upsweep::exclusive_scan(queue, in.input(), out.view(), 1).wait();
    CHECK(out.values() == std::vector<float>{1, 2, 4});
    const upsweep::scan_plan<float> plan(queue, 3);
    plan.inclusive_scan(queue, in.input(), out.view(), short{4}).wait();
    CHECK(out.values() == std::vector<float>{5, 7, 10});
    plan.exclusive_scan(queue, in.input(), out.view(), {8.0F}).wait();
    CHECK(out.values() == std::vector<float>{8, 9, 11});
    upsweep::reduce(queue, in.input(), out.view(), 4U).wait();
    CHECK(out.values()[0] == 10);
}
