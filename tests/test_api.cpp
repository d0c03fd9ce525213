// SPDX-License-Identifier: MIT
// The public calls in every form that a user may write them: host ranges, device views, plans.
#include "device_fixture.hpp"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

using namespace fixture;
using upsweep::span;

namespace {

const std::vector<int> in8{3, 1, 7, 0, 4, 1, 6, 3};
const std::vector<int> inclusive8{3, 4, 11, 11, 15, 16, 22, 25};
const std::vector<int> exclusive8{0, 3, 4, 11, 11, 15, 16, 22};

} // namespace

TEST_CASE("host ranges of every iterator", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    std::vector<int> out(8);
    CHECK(upsweep::inclusive_scan(queue, in8.begin(), in8.end(), out.begin()) == out.end());
    CHECK(out == inclusive8);
    CHECK(upsweep::exclusive_scan(queue, in8.cbegin(), in8.cend(), out.begin(), 0) == out.end());
    CHECK(out == exclusive8);

    int raw[9] = {0, 0, 0, 0, 0, 0, 0, 0, -1};
    CHECK(upsweep::inclusive_scan(queue, in8.data(), in8.data() + 8, raw) == raw + 8);
    CHECK(std::vector<int>(raw, raw + 8) == inclusive8);
    CHECK(raw[8] == -1);

    const std::list<int> list(in8.begin(), in8.end());
    CHECK(upsweep::inclusive_scan(queue, list.begin(), list.end(), out.begin()) == out.end());
    CHECK(out == inclusive8);
    std::deque<int> deque(8);
    CHECK(upsweep::exclusive_scan(queue, list.begin(), list.end(), deque.begin(), 0) == deque.end());
    CHECK(std::vector<int>(deque.begin(), deque.end()) == exclusive8);
    std::list<int> target(8);
    upsweep::inclusive_scan(queue, deque.begin(), deque.end(), target.begin());
    CHECK(target.back() == 82);

    std::vector<int> appended{-1};
    upsweep::inclusive_scan(queue, in8.begin(), in8.end(), std::back_inserter(appended));
    CHECK(std::vector<int>(appended.begin() + 1, appended.end()) == inclusive8);

    // Parts of a range, in place, and backwards.
    std::vector<int> part = in8;
    upsweep::inclusive_scan(queue, part.begin() + 2, part.begin() + 5, part.begin() + 2);
    CHECK(part == std::vector<int>{3, 1, 7, 7, 11, 1, 6, 3});
    upsweep::inclusive_scan(queue, in8.rbegin(), in8.rend(), out.rbegin());
    CHECK(out == std::vector<int>{25, 22, 21, 14, 14, 10, 9, 3});
}

TEST_CASE("host ranges with operators, initial values and options", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    std::vector<int> out(8);
    upsweep::inclusive_scan(queue, in8.begin(), in8.end(), out.begin(), upsweep::maximum{});
    CHECK(out == std::vector<int>{3, 3, 7, 7, 7, 7, 7, 7});
    upsweep::inclusive_scan(queue, in8.begin(), in8.end(), out.begin(), upsweep::maximum{}, 5);
    CHECK(out == std::vector<int>{5, 5, 7, 7, 7, 7, 7, 7});
    upsweep::exclusive_scan(queue, in8.begin(), in8.end(), out.begin(), 100, upsweep::minimum{});
    CHECK(out == std::vector<int>{100, 3, 1, 1, 0, 0, 0, 0});
    upsweep::options opts = small_tiles(upsweep::strategy::scan_then_propagate, 2, 1);
    upsweep::exclusive_scan(queue, in8.begin(), in8.end(), out.begin(), 10, upsweep::plus{}, opts);
    CHECK(out == std::vector<int>{10, 13, 14, 21, 21, 25, 26, 32});
    upsweep::inclusive_scan(queue, in8.begin(), in8.end(), out.begin(), upsweep::plus{}, opts);
    CHECK(out == inclusive8);
}

TEST_CASE("host reductions in the forms of std::reduce", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    CHECK(upsweep::reduce(queue, in8.begin(), in8.end()) == 25);
    CHECK(upsweep::reduce(queue, in8.begin(), in8.end(), 17) == 42);
    CHECK(upsweep::reduce(queue, in8.begin(), in8.end(), 5, upsweep::maximum{}) == 7);
    CHECK(upsweep::reduce(queue, in8.begin(), in8.end(), upsweep::no_init, upsweep::minimum{}) == 0);
    CHECK(upsweep::reduce(queue, in8.begin(), in8.end(), upsweep::no_init) == 25);
    CHECK(upsweep::reduce(queue, in8.data(), in8.data() + 3, 2, upsweep::multiplies{}) == 42);
    const std::list<int> list(in8.begin(), in8.end());
    CHECK(upsweep::reduce(queue, list.begin(), list.end()) == 25);

    // The type of the initial value is the type that is summed in, as with std::reduce.
    const std::vector<std::uint8_t> bytes(1000, 255);
    CHECK(upsweep::reduce(queue, bytes.begin(), bytes.end(), std::uint64_t{7}) == 255007);
    CHECK(upsweep::reduce(queue, bytes.begin(), bytes.end()) == std::uint8_t(255000 % 256));
    static_assert(std::is_same<decltype(upsweep::reduce(queue, bytes.begin(), bytes.end())), std::uint8_t>::value, "");
    static_assert(std::is_same<decltype(upsweep::reduce(queue, bytes.begin(), bytes.end(), std::uint64_t{})),
                               std::uint64_t>::value,
                  "");
}

TEST_CASE("nothing to do", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<int> none;
    std::vector<int> out;
    CHECK(upsweep::inclusive_scan(queue, none.begin(), none.end(), out.begin()) == out.begin());
    CHECK(upsweep::inclusive_scan(queue, none.begin(), none.end(), out.begin(), upsweep::plus{}, 3) == out.begin());
    CHECK(upsweep::exclusive_scan(queue, none.begin(), none.end(), out.begin(), 3) == out.begin());
    upsweep::inclusive_scan(queue, none.begin(), none.end(), std::back_inserter(out));
    CHECK(out.empty());
    CHECK(upsweep::reduce(queue, none.begin(), none.end()) == 0);
    CHECK(upsweep::reduce(queue, none.begin(), none.end(), 42) == 42);
    CHECK(upsweep::reduce(queue, none.begin(), none.end(), upsweep::no_init, upsweep::minimum{}) == 0);

    using upsweep::strategy;
    for (const strategy s : {strategy::automatic, strategy::single_tile, strategy::reduce_then_scan,
                             strategy::scan_then_propagate, strategy::chunked})
        for (const std::uint32_t work_items : {1U, 8U}) {
            INFO(s << ", " << work_items << " work-items");
            const upsweep::options opts = small_tiles(s, work_items, 3);
            const upsweep::plus plus;
            const guarded_array<int> to(queue, 5);
            const span<const int> empty;
            upsweep::inclusive_scan(queue, empty, to.view(), plus, {}, opts).wait();
            upsweep::inclusive_scan(queue, empty, to.view(), plus, 3, {}, opts).wait();
            upsweep::exclusive_scan(queue, empty, to.view(), 3, plus, {}, opts).wait();
            upsweep::exclusive_scan(queue, empty, span<int>(), 3, plus, {}, opts).wait();
            CHECK(to.untouched());
            upsweep::reduce(queue, empty, to.view(), 42, plus, {}, opts).wait();
            CHECK(to.values()[0] == 42);
            upsweep::reduce(queue, empty, to.view(), upsweep::no_init, plus, {}, opts).wait();
            CHECK(to.values()[0] == 0);
            CHECK(to.intact_beyond(1));
            const span<const int> of_a_buffer(to.buffer(), 0, 8);
            upsweep::reduce(queue, of_a_buffer, to.view(), -1, plus, {}, opts).wait();
            CHECK(to.values()[0] == -1);

            const upsweep::scan_plan<int> scan(queue, 0, plus, opts);
            scan.inclusive_scan(queue, empty, to.view()).wait();
            const upsweep::reduce_plan<int> reduce(queue, 0, plus, opts);
            reduce.reduce(queue, empty, to.view(), 7).wait();
            CHECK(to.values()[0] == 7);
            CHECK(to.intact_beyond(1));
        }
}

TEST_CASE("views: const or not, at offsets, longer than needed, in place", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    for (const std::size_t guard : {0U, 1U, 3U, 64U}) {
        const guarded_array<int> in(queue, in8, guard);
        const guarded_array<int> out(queue, 20, guard + 1);
        upsweep::inclusive_scan(queue, in.view(), out.view()).wait();
        CHECK(out.intact_beyond(8));
        upsweep::inclusive_scan(queue, in.input(), out.view()).wait();
        const std::vector<int> values = out.values();
        CHECK(std::vector<int>(values.begin(), values.begin() + 8) == inclusive8);
        CHECK(out.intact_beyond(8));
        CHECK(in.guards_intact());
        CHECK(in.values() == in8);

        const guarded_array<int> result(queue, 3, guard);
        upsweep::reduce(queue, in.view(), result.view()).wait();
        CHECK(result.values()[0] == 25);
        upsweep::reduce(queue, in.input(), result.view(), 17).wait();
        CHECK(result.values()[0] == 42);
        CHECK(result.intact_beyond(1));

        upsweep::exclusive_scan(queue, in.view(), in.view(), 0).wait();
        CHECK(in.values() == exclusive8);
        CHECK(in.guards_intact());
    }
}

TEST_CASE("in place through two handles of the same memory", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> all(queue, in8, 0);
    const cl_buffer_region region{0, 32};
    cl_int status = CL_SUCCESS;
    const cl::Buffer part(
        clCreateSubBuffer(all.buffer()(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
    REQUIRE(status == CL_SUCCESS);
    upsweep::inclusive_scan(queue, span<const int>(part, 8), span<int>(part, 8)).wait();
    CHECK(all.values() == inclusive8);
}

namespace {

/// An inclusive scan in place that reads the elements as In and writes them as Out, by the free function and by a plan.
template <class In, class Out>
void check_in_place_as() {
    INFO("input of " << upsweep::type<In>::name << ", output of " << upsweep::type<Out>::name);
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<Out> values(in8.begin(), in8.end());
    const std::vector<Out> expected(inclusive8.begin(), inclusive8.end());
    const guarded_array<Out> all(queue, values);
    const span<const In> in(all.buffer(), 8, all.view().byte_offset());
    upsweep::inclusive_scan(queue, in, all.view()).wait();
    CHECK(all.values() == expected);
    CHECK(all.guards_intact());
    const guarded_array<Out> again(queue, values);
    const upsweep::scan_plan<In, Out> plan(queue, 8);
    plan.inclusive_scan(queue, {again.buffer(), 8, again.view().byte_offset()}, again.view()).wait();
    CHECK(again.values() == expected);
}

} // namespace

TEST_CASE("in place through two C++ types that are one in OpenCL C", "[api]") {
    check_in_place_as<std::conditional_t<sizeof(long) == 8, long, long long>, long long>();
    check_in_place_as<long long, std::conditional_t<sizeof(long) == 8, long, long long>>();
    check_in_place_as<unsigned long long, std::uint64_t>();
    check_in_place_as<char, std::conditional_t<std::is_signed<char>::value, signed char, unsigned char>>();
    static_assert(!upsweep::detail::is_same_on_device<int, unsigned>, "");
    static_assert(!upsweep::detail::is_same_on_device<int, float>, "");
    static_assert(!upsweep::detail::is_same_on_device<int, long long>, "");
}

TEST_CASE("raw C handles", "[api]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    cl_command_queue raw_queue = queue();
    const guarded_array<int> in(queue, in8, 0);
    const guarded_array<int> out(queue, 8, 0);
    cl_mem raw_in = in.buffer()();
    cl_mem raw_out = out.buffer()();
    const cl::Event done = upsweep::inclusive_scan(raw_queue, span<const int>(raw_in, 8), span<int>(raw_out, 8));
    const std::vector<cl_event> raw_events{done()};
    upsweep::inclusive_scan(raw_queue, span<const int>(raw_out, 8), span<int>(raw_out, 8), upsweep::plus{},
                            upsweep::after(raw_events))
        .wait();
    CHECK(out.values() == std::vector<int>{3, 7, 18, 29, 44, 60, 82, 107});
    upsweep::reduce(raw_queue, span<const int>(raw_in, 8), span<int>(raw_out, 8)).wait();
    CHECK(out.values()[0] == 25);
    const upsweep::scan_plan<int> plan(raw_queue, 8);
    plan.exclusive_scan(raw_queue, {raw_in, 8}, {raw_out, 8}, 0).wait();
    CHECK(out.values() == exclusive8);
    std::vector<int> host(8);
    upsweep::inclusive_scan(raw_queue, in8.begin(), in8.end(), host.begin());
    CHECK(host == inclusive8);
}

TEST_CASE("the list of devices, and the default", "[api]") {
    const std::vector<upsweep::device_info> all = upsweep::devices();
    REQUIRE_FALSE(all.empty());
    const upsweep::device_info best = upsweep::default_device();
    bool listed = false;
    for (const upsweep::device_info& d : all) {
        CHECK_FALSE(d.name.empty());
        CHECK_FALSE(d.platform.empty());
        CHECK(d.name == d.device.getInfo<CL_DEVICE_NAME>());
        listed = listed || d.device() == best.device();
        std::ostringstream out;
        out << d;
        CHECK_THAT(out.str(), Catch::Matchers::ContainsSubstring(d.name));
        CHECK_THAT(out.str(), Catch::Matchers::ContainsSubstring(d.platform));
    }
    CHECK(listed);
    CHECK(device_of(upsweep::default_queue())() == best.device());

    const cl::CommandQueue one = upsweep::default_queue();
    const cl::CommandQueue two = upsweep::default_queue(CL_QUEUE_PROFILING_ENABLE);
    CHECK(one() != two());
    CHECK(one.getInfo<CL_QUEUE_CONTEXT>()() == two.getInfo<CL_QUEUE_CONTEXT>()());
    CHECK(two.getInfo<CL_QUEUE_PROPERTIES>() == CL_QUEUE_PROFILING_ENABLE);
}

#ifndef _WIN32
TEST_CASE("UPSWEEP_DEVICE narrows the choice", "[api]") {
    const char* before = std::getenv("UPSWEEP_DEVICE");
    const std::string saved = before ? before : "";
    const upsweep::device_info best = upsweep::default_device();
    for (const std::string& part : {best.platform, best.name.substr(0, 4)}) { // which other devices may have as well
        setenv("UPSWEEP_DEVICE", part.c_str(), 1);
        const upsweep::device_info chosen = upsweep::default_device();
        CHECK_THAT(chosen.name + '\n' + chosen.platform, Catch::Matchers::ContainsSubstring(part));
    }
    setenv("UPSWEEP_DEVICE", "no such device", 1);
    expect_error("default_device", "OpenCL devices", "contains UPSWEEP_DEVICE=\"no such device\"",
                 [] { upsweep::default_device(); });
    for (const upsweep::device_info& d : upsweep::devices()) { // so that a reader sees what to write instead
        std::ostringstream line;
        line << "\n  " << d;
        expect_error("default_device", "OpenCL devices", line.str(), [] { upsweep::default_device(); });
    }
    if (before)
        setenv("UPSWEEP_DEVICE", saved.c_str(), 1);
    else
        unsetenv("UPSWEEP_DEVICE");
}
#endif
