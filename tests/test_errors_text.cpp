// SPDX-License-Identifier: MIT
// Types and operators that cannot be built: the error says whose text was at fault, and shows the log with its lines.
#include "forced_tuning.hpp"
#include "support.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace fixture;
using Catch::Matchers::ContainsSubstring;

namespace {

struct pair_type {
    float a, b;
};
struct broken_on_line_three {
    float a, b, c;
};
struct undefined_type {
    float a, b;
};
struct larger_on_device {
    float a, b;
};
struct smaller_on_device {
    float a, b, c;
};
struct with_double {
    float a, b;
};
struct with_half {
    std::uint16_t a;
};

} // namespace

template <>
struct upsweep::type<pair_type> {
    static constexpr const char* name = "pair";
    static constexpr const char* definition = "typedef struct { float a, b; } pair;";
};
template <>
struct upsweep::type<broken_on_line_three> {
    static constexpr const char* name = "broken";
    static constexpr const char* definition = "typedef struct {\n  float a, b;\n  flaot c;\n} broken;";
};
template <>
struct upsweep::type<undefined_type> {
    static constexpr const char* name = "nowhere_defined";
    static constexpr const char* definition = "";
};
template <>
struct upsweep::type<larger_on_device> {
    static constexpr const char* name = "larger";
    static constexpr const char* definition = "typedef struct { float a, b, c; } larger;";
};
template <>
struct upsweep::type<smaller_on_device> { // a float3 would be the other way round: 16 bytes for 12
    static constexpr const char* name = "smaller";
    static constexpr const char* definition = "typedef struct { float a, b; } smaller;";
};
template <>
struct upsweep::type<with_double> {
    static constexpr const char* name = "with_double";
    static constexpr const char* definition = "typedef struct { double a; } with_double;";
};
template <>
struct upsweep::type<with_half> {
    static constexpr const char* name = "with_half";
    static constexpr const char* definition = "typedef struct { half a; } with_half;";
};

namespace {

/// Every way to reach the build with T and this operator; `function` and the rest as expected.
template <class T, class Op>
void all_reject(const Op& op, const std::string& argument, const std::string& phrase) {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<T> in(queue, 4);
    const guarded_array<T> out(queue, 4);
    const T init{};
    const std::vector<T> host(4);
    std::vector<T> host_out(4);
    const upsweep::no_init_t none;
    expect_error("inclusive_scan", argument, phrase,
                 [&] { upsweep::inclusive_scan(queue, in.input(), out.view(), op); });
    expect_error("exclusive_scan", argument, phrase,
                 [&] { upsweep::exclusive_scan(queue, in.input(), out.view(), init, op); });
    expect_error("reduce", argument, phrase, [&] { upsweep::reduce(queue, in.input(), out.view(), none, op); });
    expect_error("scan_plan", argument, phrase, [&] { upsweep::scan_plan<T, T, Op>(queue, 4, op); });
    expect_error("reduce_plan", argument, phrase, [&] { upsweep::reduce_plan<T, T, Op>(queue, 4, op); });
    expect_error("inclusive_scan", argument, phrase,
                 [&] { upsweep::inclusive_scan(queue, host.begin(), host.end(), host_out.begin(), op); });
    expect_error("reduce", argument, phrase, [&] { upsweep::reduce(queue, host.begin(), host.end(), init, op); });
    // Other kernel families are other programs: the message must not depend on which was built.
    for (const auto s : {upsweep::strategy::reduce_then_scan, upsweep::strategy::chunked}) {
        const upsweep::options opts = small_tiles(s);
        expect_error("inclusive_scan", argument, phrase,
                     [&] { upsweep::inclusive_scan(queue, in.input(), out.view(), op, {}, opts); });
        expect_error("reduce", argument, phrase,
                     [&] { upsweep::reduce(queue, in.input(), out.view(), none, op, {}, opts); });
    }
    queue.finish();
    CHECK(out.untouched());
}

/// The cause of the error for an operator on int.
std::string cause_of(const std::string& body, const std::string& helpers = {}) {
    const cl::CommandQueue queue = upsweep::default_queue();
    try {
        upsweep::scan_plan<int, int, upsweep::custom_operator<int>>(queue, 4,
                                                                    upsweep::make_operator<int>(body, helpers));
    } catch (const upsweep::error& e) {
        CHECK(e.argument() == "operator");
        CHECK(e.status() == CL_BUILD_PROGRAM_FAILURE);
        return e.cause();
    }
    return "no error";
}

/// Doctored limits of a device that lacks what is not given.
detail::device_limits device_with(bool has_double, bool has_half) {
    detail::device_limits limits;
    limits.name = "doctored";
    limits.has_double = has_double;
    limits.has_half = has_half;
    return limits;
}

} // namespace

TEST_CASE("an operator that does not compile is shown with its own line", "[errors]") {
    all_reject<int>(upsweep::make_operator<int>("int sum = left + right;\nsum = summ;\nreturn sum;"), "operator",
                    "operator:2");
    CHECK_THAT(cause_of("return left + nonsense;"), ContainsSubstring("operator:1"));
    CHECK_THAT(cause_of("int a = left;\nint b = right;\nreturn a + nonsense;"), ContainsSubstring("operator:3"));
    CHECK_THAT(cause_of("int a = left;\nreturn a + nonsense;"), ContainsSubstring("does not compile; log:"));
    CHECK_THAT(cause_of("int a = left;\nreturn a + nonsense;"), ContainsSubstring("nonsense"));
    CHECK_THAT(cause_of("\n\nreturn left + right"), ContainsSubstring("operator:"));
    CHECK_THAT(cause_of("return helper(left, right);", "int helper(int a, int b)\n{\n  return a + c;\n}"),
               ContainsSubstring("helpers:3"));
}

TEST_CASE("an operator that failed to build can be followed by one that works", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::vector<int> in{1, 2, 3};
    CHECK_THAT(cause_of("return left +;"), ContainsSubstring("operator:1"));
    CHECK_THAT(cause_of("return left +;"), ContainsSubstring("operator:1")); // a failure is not cached as a success
    CHECK(upsweep::reduce(queue, in.begin(), in.end(), 0, upsweep::make_operator<int>("return left + right;")) == 6);
}

TEST_CASE("text with a null character is rejected", "[errors]") {
    const std::string null(1, '\0');
    all_reject<int>(upsweep::make_operator<int>("return left + right;" + null), "operator", "null character");
    all_reject<int>(upsweep::make_operator<int>("return left + right;", null), "operator", "null character");
}

TEST_CASE("a type definition that does not compile is shown with its own line", "[errors]") {
    all_reject<broken_on_line_three>(upsweep::make_operator<broken_on_line_three>("return left;"), "type broken",
                                     "type:3");
    all_reject<undefined_type>(upsweep::make_operator<undefined_type>("return left;"), "type nowhere_defined",
                               "does not compile");
    // The operator stumbles over the type as well; the type is what was wrong.
    all_reject<broken_on_line_three>(
        upsweep::make_operator<broken_on_line_three>("left.a += right.d;\nleft.c = 1;\nreturn left;"), "type broken",
        "its definition does not compile");
}

TEST_CASE("a type that does not compile is named, whatever it is the type of", "[errors]") {
    const auto check = [](auto element, const std::string& type) {
        using T = decltype(element);
        const cl::Buffer memory(test::queue().getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, 4096);
        const upsweep::span<const T> in(memory, 10);
        const upsweep::span<T> kept(memory, 10, 1200);
        const upsweep::span<const int> numbers(memory, 10, 2400);
        const upsweep::span<int> out(memory, 10, 3600);
        const upsweep::span<std::uint32_t> count(memory, 1, 4000);
        const auto expect = [&](const char* function, const std::function<void()>& call) {
            expect_error(function, "type " + type, "its definition does not compile", call);
        };
        expect("reduce", [&] { upsweep::reduce(test::queue(), upsweep::transform<int>("a.a", in), out, 0); });
        expect("copy_if", [&] { upsweep::copy_if(test::queue(), in, kept, count, "a.a > 1"); });
        const auto keyed = upsweep::keyed(numbers, in, "left.a == right.a");
        expect("inclusive_scan", [&] { upsweep::inclusive_scan(test::queue(), keyed, out); });
        const auto moved = upsweep::transform<int>("a + p.a", numbers).with("p", element);
        expect("inclusive_scan", [&] { upsweep::inclusive_scan(test::queue(), moved, out); });
        const auto first = upsweep::make_operator<T>("return left;");
        expect("inclusive_scan", [&] { upsweep::inclusive_scan(test::queue(), upsweep::rows(in, 2, 5), kept, first); });
    };
    check(broken_on_line_three{}, "broken");
    check(undefined_type{}, "nowhere_defined");
    // As NVIDIA's compiler says it.
    const detail::program_text text{
        detail::describe_type<int>(), detail::describe_type<int>(), {"plus", "return left + right;", "", {}}};
    const upsweep::error e = detail::build_error("reduce", text,
                                                 "sizes:1:82: error: use of undeclared identifier 'thing'\n"
                                                 "void upsweep_check_sizes(char (*upsweep_check_8_bytes_of_thing)\n",
                                                 CL_BUILD_PROGRAM_FAILURE);
    CHECK(e.argument() == "type thing");
    CHECK_THAT(e.cause(), ContainsSubstring("its definition does not compile"));
}

TEST_CASE("a type whose size differs on the device is rejected", "[errors]") {
    all_reject<larger_on_device>(upsweep::make_operator<larger_on_device>("return left;"), "type larger",
                                 "its size on the device is not the host's 8 bytes");
    all_reject<smaller_on_device>(upsweep::make_operator<smaller_on_device>("return left;"), "type smaller",
                                  "its size on the device is not the host's 12 bytes");
    // The log mentions where the type is defined; the operator is what was wrong.
    all_reject<pair_type>(upsweep::make_operator<pair_type>("left.d = 1;\nreturn left;"), "operator", "operator:1");
}

TEST_CASE("a struct that is moved as words is measured as well", "[errors]") {
    upsweep::tuning t;
    t.strategy = upsweep::strategy::reduce_then_scan;
    t.work_items = 64;
    t.struct_words = true;
    expect_error("test", "type larger", "its size on the device is not the host's 8 bytes", [&] {
        fixture::run_tuned<larger_on_device>(test::queue(), detail::operation::reduce, {{}, {}}, nullptr,
                                             upsweep::make_operator<larger_on_device>("return left;"), t);
    });
}

TEST_CASE("types that the device lacks are rejected by name", "[errors]") {
    const auto text = [](auto zero, const std::string& body) {
        using T = decltype(zero);
        return detail::program_text{detail::describe_type<T>(), detail::describe_type<T>(), {"op", body, "", {}}};
    };
    const auto no_double = [&](const detail::program_text& t) {
        expect_error("inclusive_scan", "type double", "device doctored has no double (cl_khr_fp64)",
                     [&] { detail::check_text("inclusive_scan", t, device_with(false, true)); });
        detail::check_text("inclusive_scan", t, device_with(true, false));
    };
    const auto no_half = [&](const detail::program_text& t) {
        expect_error("inclusive_scan", "type half", "device doctored has no half (cl_khr_fp16)",
                     [&] { detail::check_text("inclusive_scan", t, device_with(true, false)); });
        detail::check_text("inclusive_scan", t, device_with(false, true));
    };
    no_double(text(double{}, "return left;"));
    no_double(text(with_double{}, "return left;"));
    no_double(text(float{}, "return (double)left + right;"));
    no_half(text(upsweep::half{}, "return left;"));
    no_half(text(with_half{}, "return left;"));
    no_half(text(float{}, "half h; return left;"));
    // As a part of a longer name it is nobody's type.
    detail::check_text("f", text(float{}, "float half_left = left, doubled = left; return half_left;"),
                       device_with(false, false));
    // Either side of a conversion counts.
    const detail::program_text from_double{
        detail::describe_type<double>(), detail::describe_type<float>(), {"op", "return left;", "", {}}};
    no_double(from_double);
    const detail::program_text to_double{
        detail::describe_type<float>(), detail::describe_type<double>(), {"op", "return left;", "", {}}};
    no_double(to_double);
}

TEST_CASE("what this very device lacks is rejected before anything is built", "[errors]") {
    const detail::device_limits limits = limits_of(upsweep::default_queue());
    if (!limits.has_half) all_reject<upsweep::half>(upsweep::plus{}, "type half", "has no half (cl_khr_fp16)");
    if (!limits.has_double) all_reject<double>(upsweep::plus{}, "type double", "has no double (cl_khr_fp64)");
    CHECK(limits.name == device_of(upsweep::default_queue()).getInfo<CL_DEVICE_NAME>());
}
