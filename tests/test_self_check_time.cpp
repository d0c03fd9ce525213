// SPDX-License-Identifier: MIT
// A self-check that takes too long: the call goes on with what was chosen, and says so.
#include "catch.hpp"
#include "device_fixture.hpp"
#include "environment.hpp"
#include "support.hpp"

#include <string>
#include <vector>

namespace {

namespace detail = upsweep::detail;
using Catch::Matchers::ContainsSubstring;

/// Reports of the calls made in its lifetime, by kernels that are used for the first time.
class first_use {
public:
    first_use() {
        upsweep::on_self_check([this](const upsweep::self_check_report& r) { reports.push_back(r); });
        detail::self_check_table::get().forget();
    }
    ~first_use() {
        upsweep::on_self_check({});
        upsweep::release_cached(own.context());
        detail::self_check_table::get().forget();
    }
    first_use(const first_use&) = delete;
    first_use& operator=(const first_use&) = delete;

    int sum() const {
        const std::vector<int> in{1, 2, 3};
        return upsweep::reduce(own.queue, in.begin(), in.end(), 4);
    }

    const test::environment_variable no_cache{"UPSWEEP_CACHE", "off"};
    const fixture::own_context own;
    std::vector<upsweep::self_check_report> reports;
};

} // namespace

TEST_CASE("a self-check whose time is over is reported, once, and the call goes on", "[self_check]") {
    if (!detail::self_check_wanted()) return;
    const first_use first;
    const test::environment_variable limit("UPSWEEP_SELF_CHECK_SECONDS", "0");
    CHECK(first.sum() == 10);
    CHECK(first.sum() == 10);
    REQUIRE(first.reports.size() == 1);
    CHECK_THAT(first.reports[0].checked, ContainsSubstring("reduction"));
    CHECK_THAT(first.reports[0].wrong, ContainsSubstring("not checked"));
    CHECK_THAT(first.reports[0].wrong, ContainsSubstring("0 s"));
    CHECK_THAT(first.reports[0].instead, ContainsSubstring("unchecked"));
}

TEST_CASE("a check does not wait for a command that never ends", "[self_check]") {
    const fixture::own_context own;
    const test::environment_variable limit("UPSWEEP_SELF_CHECK_SECONDS", "1");
    cl::UserEvent gate(own.context);
    const cl_event never = gate();
    const detail::check_time time;
    {
        const detail::check_bench bench("test", own.context(), fixture::device_of(own.queue)(), time);
        const detail::owned<cl_mem> buffer = bench.make_buffer(16);
        cl_event marker = nullptr;
        REQUIRE(clEnqueueMarkerWithWaitList(bench.queue().queue, 1, &never, &marker) == CL_SUCCESS);
        const detail::owned<cl_event> waiting(marker);
        CHECK_THROWS_AS(bench.read(buffer(), 16), detail::check_timeout);
    }
    CHECK(time.is_over());
    gate.setStatus(CL_COMPLETE);
}

TEST_CASE("the time of a check is a number of seconds, or else a minute", "[self_check]") {
    const auto seconds = [](const char* text) {
        const test::environment_variable limit("UPSWEEP_SELF_CHECK_SECONDS", text);
        return detail::check_time().limit().count();
    };
    CHECK(seconds("7") == 7);
    CHECK(seconds("0") == 0);
    CHECK(seconds("99999999999999999999999") == 24 * 60 * 60);
    for (const char* text : {"", "-1", "1.5", "soon"}) CHECK(seconds(text) == 60);
}
