// SPDX-License-Identifier: MIT
// What Mesa's rusticl gets wrong with structs: refused, or kept from it by copies. On other devices it is feigned.
#include <upsweep/detail/source/transform_text.hpp>

#include "catch.hpp"
#include "device_fixture.hpp"
#include "support.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace {

namespace detail = upsweep::detail;
using Catch::Matchers::ContainsSubstring;

struct rgb {
    std::uint8_t r, g, b;
};

struct pair {
    std::uint32_t count, last;

    friend bool operator==(const pair& a, const pair& b) { return a.count == b.count && a.last == b.last; }
};

struct single {
    std::uint32_t value;

    friend bool operator==(const single& a, const single& b) { return a.value == b.value; }
};

test::disguise rusticl_of_any_device() {
    return test::disguise([](detail::device_limits& limits) {
        if (limits.rusticl.empty()) limits.rusticl = "22.3.6";
    });
}

/// Every call refuses, before anything is built.
template <class T>
void expect_refused(const std::string& argument, const std::string& phrase, const upsweep::custom_operator<T>& op) {
    if (!detail::self_check_wanted()) return;
    const test::disguise here = rusticl_of_any_device();
    const std::vector<T> in(3);
    std::vector<T> out(3);
    const auto built = detail::build_counts::get().from_source + detail::build_counts::get().from_binary;
    auto& queue = test::queue();
    const auto expect = [&](const char* function, const auto& call) {
        fixture::expect_error(function, argument, phrase, call);
        fixture::expect_error(function, argument, "UPSWEEP_SELF_CHECK=off", call);
        fixture::expect_error(function, argument, test::limits().rusticl, call);
    };
    expect("inclusive_scan", [&] { upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), op); });
    expect("exclusive_scan", [&] { upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), T{}, op); });
    expect("reduce", [&] { upsweep::reduce(queue, in.begin(), in.end(), T{}, op); });
    expect("scan_plan", [&] { upsweep::scan_plan<T, T, upsweep::custom_operator<T>>(queue, 3, op); });
    expect("reduce_plan", [&] { upsweep::reduce_plan<T, T, upsweep::custom_operator<T>>(queue, 3, op); });
    CHECK(detail::build_counts::get().from_source + detail::build_counts::get().from_binary == built);
}

/// Against a serial loop; `combine` is what `body` says.
template <class T, class Combine>
void expect_right(const std::string& body, const Combine& combine) {
    const test::disguise here = rusticl_of_any_device();
    const auto op = upsweep::make_operator<T>(body);
    for (const std::size_t n : {1, 2, 17, 300, 1000}) {
        CAPTURE(n, sizeof(T));
        std::vector<T> in(n);
        for (std::size_t i = 0; i < n; ++i) {
            const auto word = static_cast<std::uint32_t>(i * 2654435761U + n);
            in[i] = T{};
            std::memcpy(&in[i], &word, sizeof word);
            std::memcpy(reinterpret_cast<unsigned char*>(&in[i]) + sizeof(T) - sizeof word, &word, sizeof word);
        }
        std::vector<T> inclusive(n), exclusive(n), expected_inclusive(n), expected_exclusive(n);
        T sum = in[0];
        for (std::size_t i = 0; i < n; ++i) {
            expected_exclusive[i] = sum;
            sum = combine(sum, in[i]);
            expected_inclusive[i] = i == 0 ? in[0] : combine(expected_inclusive[i - 1], in[i]);
        }
        upsweep::inclusive_scan(test::queue(), in.begin(), in.end(), inclusive.begin(), op);
        CHECK(test::first_difference(inclusive, expected_inclusive) == -1);
        upsweep::exclusive_scan(test::queue(), in.begin(), in.end(), exclusive.begin(), in[0], op);
        CHECK(test::first_difference(exclusive, expected_exclusive) == -1);
        CHECK((upsweep::reduce(test::queue(), in.begin(), in.end(), in[0], op) == sum));
    }
}

} // namespace

template <>
struct upsweep::type<rgb> {
    static constexpr const char* name = "rgb";
    static constexpr const char* definition = "typedef struct { uchar r, g, b; } rgb;";
};

template <>
struct upsweep::type<pair> {
    static constexpr const char* name = "count_and_last";
    static constexpr const char* definition = "typedef struct { uint count, last; } count_and_last;";
};

template <>
struct upsweep::type<single> {
    static constexpr const char* name = "single_uint";
    static constexpr const char* definition = "typedef struct { uint value; } single_uint;";
};

TEST_CASE("structs that rusticl cannot be trusted with are refused", "[errors]") {
    expect_refused("type rgb", "members of less than 4 bytes", upsweep::make_operator<rgb>("return right;"));
}

TEST_CASE("members of less than 4 bytes are found, and words in comments are none", "[errors]") {
    for (const char* narrow :
         {"struct { uchar x, y, z; } __attribute__((aligned(4))) s;", "struct { uint a; short b; }",
          "struct { unsigned char c[33]; }", "struct { half2 h; }", "struct { uchar4 c; }"})
        CHECK(detail::has_narrow_members(narrow));
    for (const char* wide :
         {"struct { uint x, y; }", "struct { float a; /* char */ ulong b; }", "struct { int short_one; }"})
        CHECK_FALSE(detail::has_narrow_members(wide));
}

TEST_CASE("functions that rusticl lets change their caller's struct are refused", "[errors]") {
    expect_refused("operator", "changes the caller's struct",
                   upsweep::make_operator<pair>("return add(left, right);",
                                                "count_and_last add(count_and_last a, count_and_last b)\n"
                                                "{ a.count += b.count; return a; }"));
}

TEST_CASE("without self-checks rusticl is trusted with any struct", "[errors]") {
    const test::disguise here = rusticl_of_any_device();
    const bool wanted = detail::self_check_flag();
    upsweep::use_self_check(false);
    const auto op = upsweep::make_operator<rgb>("return right;");
    CHECK_NOTHROW(upsweep::scan_plan<rgb, rgb, upsweep::custom_operator<rgb>>(test::queue(), 3, op));
    upsweep::use_self_check(wanted);
    if (!detail::self_check_wanted()) return;
    // Its program is there now, but nobody has checked it.
    CHECK_THROWS_AS((upsweep::scan_plan<rgb, rgb, upsweep::custom_operator<rgb>>(test::queue(), 3, op)),
                    upsweep::error);
}

TEST_CASE("helpers on scalars are not refused on rusticl", "[errors]") {
    const test::disguise here = rusticl_of_any_device();
    const auto op = upsweep::make_operator<pair>("left.count = add(left.count, right.count); return left;",
                                                 "uint add(uint a, uint b) { a += b; return a; }");
    CHECK_NOTHROW(upsweep::scan_plan<pair, pair, upsweep::custom_operator<pair>>(test::queue(), 3, op));
}

TEST_CASE("operators that write to their operands", "[operators]") {
    expect_right<pair>("left.count += right.count;\nleft.last = right.last;\nright.last = 0;\nreturn left;",
                       [](pair a, pair b) {
                           return pair{a.count + b.count, b.last};
                       });
    expect_right<single>("left.value += right.value;\nright.value = 0;\nreturn left;",
                         [](single a, single b) { return single{a.value + b.value}; });
}

TEST_CASE("rusticl is given tiles in the same order: before 25 for structs, and where loops end too early",
          "[operators]") {
    detail::device_limits limits;
    limits.max_work_group_size = 256;
    limits.local_memory_bytes = 32768;
    upsweep::tuning chunks;
    chunks.strategy = upsweep::strategy::chunked;
    detail::problem_size problem;
    problem.value_size = 8;
    for (const std::uint32_t tree_run : {1, 128}) {
        chunks.tree_run = tree_run;
        for (const bool ends_loops : {false, true})
            for (const bool is_struct : {false, true})
                for (const char* version : {"22.3.6", "24.1.0", "25.0.7"}) {
                    CAPTURE(tree_run, ends_loops, is_struct, version);
                    limits.rusticl = version;
                    limits.ends_loops = ends_loops;
                    const upsweep::tuning t = detail::rusticl_tiles(chunks, limits, problem, is_struct);
                    const bool is_slow = is_struct && limits.rusticl != "25.0.7";
                    CHECK((t.strategy == upsweep::strategy::chunked) == (!is_slow && !ends_loops));
                    if (tree_run > 1) CHECK(detail::keeps_canonical_order(t, problem.op));
                }
    }
    problem.value_size = 32768; // too large for tiles
    CHECK(detail::rusticl_tiles(chunks, limits, problem, true) == chunks);
}

TEST_CASE("llvmpipe is given no long chunks, and checks run none", "[self_check]") {
    const detail::device_limits& limits = test::limits();
    CHECK(limits.ends_loops == (limits.is_cpu && !limits.rusticl.empty()));
    detail::check_subject subject;
    subject.element = subject.value = {detail::number_kind::integer, 4};
    upsweep::tuning t;
    t.strategy = upsweep::strategy::chunked;
    t.items = 16;
    t.work_groups = 64;
    CHECK(detail::goes_through_long_chunks(detail::tuning_to_check(t, detail::operation::scan, 4), subject));
    subject.value.size = 4096; // so few fit a check that loops are short
    CHECK_FALSE(detail::goes_through_long_chunks(detail::tuning_to_check(t, detail::operation::scan, 4), subject));
    t.strategy = upsweep::strategy::reduce_then_scan;
    CHECK_FALSE(detail::goes_through_long_chunks(t, subject));
}

TEST_CASE("on rusticl an operator works on copies of its operands", "[operators]") {
    detail::program_text text{detail::describe_type<pair>(), detail::describe_type<pair>(),
                              detail::describe_operator<pair>(upsweep::make_operator<pair>("return left;"))};
    const std::string copy = "upsweep_value left = upsweep_left, right = upsweep_right;";
    CHECK(detail::build_source(text, {}, detail::family::multi_pass, false).find(copy) == std::string::npos);
    text.op.traits.copies_operands = true;
    CHECK_THAT(detail::build_source(text, {}, detail::family::multi_pass, false), ContainsSubstring(copy));
}

TEST_CASE("hooks write to copies of the views that they are given", "[operators][unit]") {
    const detail::type_text number{"float", {}, 4};
    const std::string text = detail::transform_text({number}, {{"a * 2", number}});
    // Each view that is moved is a variable of the function's own, made of its parameter.
    CHECK_THAT(text,
               ContainsSubstring("(upsweep_input upsweep_view, ulong upsweep_at)\n{\nupsweep_input in = upsweep_view;\n"
                                 "in.upsweep_a += in.upsweep_first;"));
    CHECK_THAT(text, ContainsSubstring("upsweep_moved_view.upsweep_first += offset;"));
    CHECK(text.find("upsweep_view.upsweep_first +=") == text.npos);
}
