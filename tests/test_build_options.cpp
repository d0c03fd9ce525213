// SPDX-License-Identifier: MIT
// The user's own build options: -D and -I for the texts of operators, types and views.
#include "device_fixture.hpp"
#include "environment.hpp"
#include "support.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using fixture::expect_error;
using test::guarded_array;
using test::queue;

namespace {

struct with_padding {
    std::int32_t value;
    std::int32_t padding[3];
};

upsweep::options built_with(const std::string& build_options) {
    upsweep::options opts;
    opts.build_options = build_options;
    return opts;
}

} // namespace

template <>
struct upsweep::type<with_padding> {
    static constexpr const char* name = "with_padding";
    static constexpr const char* definition = "typedef struct { int value, padding[PADDING_OF_TYPE]; } with_padding;";
};

TEST_CASE("macros of build options reach operators, types and views", "[api]") {
    const guarded_array<std::int32_t> x(std::vector<std::int32_t>{1, 2, 3, 4});
    const guarded_array<std::int32_t> out(4);
    const auto scaled = upsweep::transform<std::int32_t>("a * SCALE_OF_VIEW", x.view());
    const auto op = upsweep::make_operator<std::int32_t>("return left + right + OFFSET_OF_SUM;");
    upsweep::inclusive_scan(queue(), scaled, out.view(), op, {}, built_with("-DSCALE_OF_VIEW=10 -D OFFSET_OF_SUM=1"));
    CHECK(out.values() == std::vector<std::int32_t>{10, 31, 62, 103});
    const std::uint64_t before = upsweep::detail::build_counts::get().from_source;
    upsweep::inclusive_scan(queue(), scaled, out.view(), op, {}, built_with("-DSCALE_OF_VIEW=10 -D OFFSET_OF_SUM=1"));
    CHECK(upsweep::detail::build_counts::get().from_source == before);
    const upsweep::reduce_plan plan(queue(), scaled, op, built_with("-DSCALE_OF_VIEW=100 -D OFFSET_OF_SUM=0"));
    plan.reduce(queue(), scaled, out.view(1));
    CHECK(out.values()[0] == 1000);

    const auto sum = upsweep::make_operator<with_padding>("left.value += right.value;\nreturn left;");
    const std::vector<with_padding> in{{3, {}}, {4, {}}, {5, {}}};
    CHECK(upsweep::reduce(queue(), in.begin(), in.end(), with_padding{100, {}}, sum, built_with("-D PADDING_OF_TYPE=3"))
              .value == 112);
}

TEST_CASE("build options may stand on lines of their own", "[api]") {
    const guarded_array<std::int32_t> x(std::vector<std::int32_t>{1, 2, 3});
    const auto op = upsweep::make_operator<std::int32_t>("return left + right + FIRST_LINE * SECOND_LINE(1);");
    const guarded_array<std::int32_t> out(3);
    upsweep::inclusive_scan(queue(), x.view(), out.view(), op, {},
                            built_with("-DFIRST_LINE=10\n-DSECOND_LINE(a)=a\t-DUNUSED_ON_LINE\n"));
    CHECK(out.values() == std::vector<std::int32_t>{1, 13, 26});
    CHECK(upsweep::detail::build_options({}, "-DA\n-DB\t-DC").find("-DA -DB -DC") != std::string::npos);
}

TEST_CASE("a file in a folder of build options is included", "[api]") {
    const test::temporary_folder folder;
    std::filesystem::create_directories(folder.path());
    std::ofstream(folder.path() / "upsweep_test_sum.h") << "int sum_of_file(int a, int b) { return a + b + BONUS; }\n";
    const guarded_array<std::int32_t> x(std::vector<std::int32_t>{1, 2, 3});
    const guarded_array<std::int32_t> out(3);
    const auto op =
        upsweep::make_operator<std::int32_t>("return sum_of_file(left, right);", "#include \"upsweep_test_sum.h\"\n");
    upsweep::inclusive_scan(queue(), x.view(), out.view(), op, {},
                            built_with("-I " + folder.path().string() + " -DBONUS=5"));
    CHECK(out.values() == std::vector<std::int32_t>{1, 8, 16});
}

TEST_CASE("macros that are called like words of hooks change nothing, or are refused", "[api]") {
    std::string macros;
    for (const char* word : {"byte", "exponent", "fill_1", "fill_2", "fill_4", "flagged", "fraction", "inverse",
                             "is_small", "key", "mark", "none", "rounds_up", "unique", "view"})
        macros += std::string(" -D") + word + "=10";
    const upsweep::options opts = built_with(macros);
    const upsweep::plus sum;
    using numbers = std::vector<std::int32_t>;
    const guarded_array<std::int32_t> x(numbers{1, 2, 3, 4, 5, 6}), keys(numbers{7, 7, 8, 8, 8, 9}), out(6), unique(6);
    const guarded_array<std::uint32_t> offsets(std::vector<std::uint32_t>{0, 2, 6});
    const guarded_array<std::uint32_t> count(std::vector<std::uint32_t>{3});
    const auto equal = [&](const numbers& expected) {
        const numbers found = out.values();
        CHECK(numbers(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(expected.size())) == expected);
    };
    const auto twice = upsweep::transform<std::int32_t>("a * two", x.view()).with("two", 2);
    upsweep::inclusive_scan(queue(), twice, out.view(), sum, {}, opts);
    equal({2, 6, 12, 20, 30, 42});
    upsweep::reduce(queue(), upsweep::first(x.view(), count.view()), out.view(1), 0, sum, {}, opts);
    equal({6});
    upsweep::inclusive_scan(queue(), upsweep::rows(x.view(), 2, 2, 3), out.view(), sum, {}, opts);
    equal({1, 3, 12, 4, 9}); // and what lies between rows
    upsweep::reduce(queue(), upsweep::rows(twice, 2, 3), out.view(2), 0, sum, {}, opts);
    equal({12, 30});
    upsweep::reduce(queue(), upsweep::segments(x.view(), offsets.view()), out.view(2), 0, sum, {}, opts);
    equal({3, 18});
    upsweep::exclusive_scan(queue(), upsweep::keyed(x.view(), keys.view()), out.view(), 0, sum, {}, opts);
    equal({0, 1, 0, 3, 7, 0});
    upsweep::reduce_by_key(queue(), upsweep::keyed(x.view(), keys.view()), unique.view(), out.view(), count.view(), sum,
                           {}, opts);
    equal({3, 12, 6});
    upsweep::copy_if(queue(), x.view(), out.view(), count.view(), "a % 2 == 0", {}, opts);
    equal({2, 4, 6});
    upsweep::unique(queue(), keys.view(), out.view(), count.view(), "left == right", {}, opts);
    equal({7, 8, 9});
    CHECK(upsweep::min_element(queue(), x.view(), {}, opts).index == 0);
    CHECK(upsweep::minmax_element(queue(), x.view(), {}, opts).largest.value == 6);
    // Storage in 16 bits.
    std::vector<upsweep::half> halves{upsweep::half(1.5F), upsweep::half(2.0F), upsweep::half(1e-7F)};
    const guarded_array<upsweep::half> h(halves), sums(3);
    upsweep::inclusive_scan(queue(), upsweep::widened(h.view()), upsweep::accumulate_in<float>(sums.view()), sum, {},
                            opts);
    CHECK(float(sums.values()[0]) == 1.5F);
    CHECK(float(sums.values()[2]) == 3.5F);
    expect_error("minmax_element", "build_options", "-D of smallest, a word of the library's kernels",
                 [&] { upsweep::minmax_element(queue(), x.view(), {}, built_with("-Dsmallest=0")); });
}

TEST_CASE("build options that could change the library's kernels are refused", "[errors]") {
    const guarded_array<std::int32_t> x(std::vector<std::int32_t>{1, 2, 3});
    const guarded_array<std::int32_t> out(3);
    const std::uint64_t before = upsweep::detail::build_counts::get().from_source;
    const auto refused = [&](const std::string& build_options, const std::string& cause) {
        expect_error("inclusive_scan", "build_options", cause, [&] {
            upsweep::inclusive_scan(queue(), x.view(), out.view(), upsweep::plus{}, {}, built_with(build_options));
        });
    };
    refused("-cl-fast-relaxed-math", "\"-cl-fast-relaxed-math\" is neither -D nor -I");
    refused("-DA=1 -cl-std=CL2.0", "\"-cl-std=CL2.0\" is neither");
    refused("-D A=1 B", "\"B\" is neither");
    refused("-I", "-I has nothing behind it");
    refused("-D -I", "-D has no name behind it");
    refused("-D=1", "-D=1 has no name behind it");
    refused("-DUPSWEEP_ITEMS=3", "-D of UPSWEEP_ITEMS, a word of the library's kernels");
    refused("-D local_id", "-D of local_id, a word of the library's kernels");
    refused("-Dbarrier(x)=", "-D of barrier, a word of the library's kernels");
    refused("-D get_local_id(x)=0", "-D of get_local_id, a word of the library's kernels");
    for (const char* type : {"int", "ulong", "float4", "double16", "bool"})
        refused(std::string("-D ") + type + "=uint",
                std::string("-D of ") + type + ", a word of the library's kernels");
    refused("-D1A=1", "-D1A=1 has no name behind it");
    refused("-D A-B=1", "-D has no name behind it");
    refused("-D \"A=1\"", "-D has no name behind it");
    refused("-I -DA=1", "-I has no folder behind it");
    refused(std::string("-DA=1\0-DB", 9), "the text contains a control character");
    queue().finish();
    CHECK(out.untouched_outside(0));
    CHECK(upsweep::detail::build_counts::get().from_source == before);
}
