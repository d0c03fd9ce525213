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
    queue().finish();
    CHECK(out.untouched_outside(0));
    CHECK(upsweep::detail::build_counts::get().from_source == before);
}
