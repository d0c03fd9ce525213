// SPDX-License-Identifier: MIT
// Operators whose text does not return a value, and words that stand only in comments and literals.
#include "device_fixture.hpp"
#include "support.hpp"

#include <cstdint>
#include <string>
#include <vector>

struct with_macros {
    int x;
    int y;
};

template <>
struct upsweep::type<with_macros> {
    static constexpr const char* name = "with_macros";
    static constexpr const char* definition = "typedef struct { int x, y; } with_macros;\n"
                                              "#define GIVE_OF_TYPE(e) return (e)\n#define IS_EVEN(p) ((p).x % 2 == 0)";
};

using namespace fixture;
using upsweep::make_operator;

namespace {

void rejects(const std::string& body, const std::string& helpers, const std::string& phrase) {
    INFO(body);
    INFO(helpers);
    const cl::CommandQueue queue = upsweep::default_queue();
    const auto op = make_operator<int>(body, helpers);
    const guarded_array<int> in(queue, std::vector<int>{1, 2, 3, 4});
    const guarded_array<int> out(queue, 4);
    expect_error("inclusive_scan", "operator", phrase,
                 [&] { upsweep::inclusive_scan(queue, in.input(), out.view(), op); });
    expect_error("reduce", "operator", phrase, [&] { upsweep::reduce(queue, in.input(), out.view(), 0, op); });
    queue.finish();
    CHECK(out.untouched());
}

int sum_of_four(const std::string& body, const std::string& helpers = {}) {
    const std::vector<int> in{1, 2, 3, 4};
    return upsweep::reduce(upsweep::default_queue(), in.begin(), in.end(), 0, make_operator<int>(body, helpers));
}

detail::device_limits plain_device() {
    detail::device_limits limits;
    limits.name = "doctored";
    return limits;
}

detail::program_text text_with(const std::string& body, const std::string& helpers = {}) {
    return {detail::describe_type<int>(), detail::describe_type<int>(), {"op", body, helpers}};
}

} // namespace

TEST_CASE("an operator without a return statement is refused before anything is built", "[errors]") {
    const char* phrase = "no return statement";
    rejects("", "", phrase);
    rejects("left + right;", "", phrase);
    rejects("int sum = left + right;", "", phrase);
    rejects("left + right; // return", "", phrase);
    rejects("/* return */ left + right;", "", phrase);
    rejects("int returned = left; returned += right;", "", phrase);
    rejects("left + right;", "int add(int a, int b) { return a + b; }", phrase);
    rejects("add(left, right);", "int add(int a, int b) { return a + b; }", phrase);
    rejects("left + right;", "#define GIVE return", phrase); // not used
    rejects("#define GIVE return\nleft + right;", "", phrase);
    // Nor where kernels take vectors as integers.
    const test::disguise nvidia([](detail::device_limits& limits) { limits.has_ptx = true; });
    const guarded_array<cl_uchar4> x(test::queue(), 10), y(test::queue(), 10);
    expect_error("inclusive_scan", "operator", phrase, [&] {
        upsweep::inclusive_scan(test::queue(), x.input(), y.view(), make_operator<cl_uchar4>("left + right;"));
    });
    CHECK(y.untouched());
}

TEST_CASE("an operator of which a path lacks a return is refused", "[errors]") {
    rejects("if (left > right) return left;", "", "operator:");
    rejects("switch (left) { case 0: return 1; case 1: return right; }", "", "operator:");
    rejects("return half_of(left) + right;", "int half_of(int a) { if (a > 2) return a / 2; }", "helpers:");
    rejects("#if 0\nreturn left;\n#endif\nleft + right;", "", "operator:");
}

TEST_CASE("a return statement may come from a macro or stand in any form", "[errors]") {
    CHECK(sum_of_four("return left + right;") == 10);
    CHECK(sum_of_four("return(left + right);") == 10);
    CHECK(sum_of_four("re\\\nturn left + right;") == 10);
    CHECK(sum_of_four("GIVE left + right;", "#define GIVE return") == 10);
    CHECK(sum_of_four("PASS(left + right)", "#define GIVE(x) return (x);\n#define PASS(x) GIVE(x)") == 10);
    CHECK(sum_of_four("#define GIVE return\nGIVE left + right;") == 10);
    CHECK(sum_of_four("if (left < 0) { return left + right; } else { return right + left; }") == 10);
    CHECK(sum_of_four("while (1) { if (left >= 0) return left + right; }") == 10);
}

TEST_CASE("a return statement may come from a macro of a type", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<with_macros> in(queue, std::vector<with_macros>{{1, 1}, {2, 1}, {4, 2}, {5, 2}});
    const guarded_array<with_macros> pairs(queue, 4);
    const guarded_array<int> out(queue, 4);
    const guarded_array<cl_uint> count(queue, 1);
    const auto op = make_operator<with_macros>("left.x += right.x;\nGIVE_OF_TYPE(left);");
    upsweep::inclusive_scan(queue, in.input(), pairs.view(), op);
    CHECK(pairs.values().back().x == 12);
    const auto x = upsweep::transform<int>("GIVE_OF_TYPE(a.x);", in.input());
    upsweep::inclusive_scan(queue, upsweep::keyed(x, in.input(), "GIVE_OF_TYPE(left.y == right.y);"), out.view());
    CHECK(out.values() == std::vector<int>{1, 3, 4, 9});
    upsweep::inclusive_scan(queue, upsweep::transform<int>("IS_EVEN(a)", in.input()), out.view());
    CHECK(out.values() == std::vector<int>{0, 1, 2, 2});
    upsweep::copy_if(queue, in.input(), pairs.view(), count.view(), "GIVE_OF_TYPE(IS_EVEN(a));");
    CHECK(count.values()[0] == 2);
    // What an included file defines is not known.
    CHECK(detail::give_text("a.x", {"#include \"of_type.h\""}) == "return\n");
}

TEST_CASE("a return statement may come from a macro of build options", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> in(queue, std::vector<int>{1, 2, 2, 3});
    const guarded_array<int> out(queue, 4);
    const guarded_array<cl_uint> count(queue, 1);
    upsweep::options opts;
    opts.build_options = "-DPASS_ON=GIVE_IT -D GIVE_IT=return -DTWICE(x)=(2*(x))";
    upsweep::inclusive_scan(queue, in.input(), out.view(), make_operator<int>("PASS_ON left + right;"), {}, opts);
    CHECK(out.values() == std::vector<int>{1, 3, 5, 8});
    const auto twice = upsweep::transform<int>("const int b = TWICE(a);\nGIVE_IT b;", in.input());
    const auto keyed = upsweep::keyed(twice, in.input(), "PASS_ON left == right;");
    upsweep::inclusive_scan(queue, keyed, out.view(), upsweep::plus{}, {}, opts);
    CHECK(out.values() == std::vector<int>{2, 4, 8, 6});
    upsweep::inclusive_scan(queue, upsweep::transform<int>("TWICE(a);", in.input()), out.view(), upsweep::plus{}, {},
                            opts);
    CHECK(out.values() == std::vector<int>{2, 6, 10, 16});
    const auto scaled = upsweep::transform<int>("GIVE_IT a * by;", in.input()).with("by", 3);
    const auto plus_one = make_operator<int>("GIVE_IT left + right + one;").with("one", 1);
    upsweep::inclusive_scan(queue, scaled, out.view(), plus_one, {}, opts);
    CHECK(out.values() == std::vector<int>{3, 10, 17, 27});
    upsweep::inclusive_scan(queue, upsweep::rows(scaled, 2, 2), out.view(), plus_one, {}, opts);
    CHECK(out.values() == std::vector<int>{3, 10, 6, 16});
    upsweep::copy_if(queue, in.input(), out.view(), count.view(), "GIVE_IT a > 1;", {}, opts);
    CHECK(count.values()[0] == 3);
    upsweep::unique(queue, in.input(), out.view(), count.view(), "GIVE_IT left == right;", {}, opts);
    CHECK(count.values()[0] == 3);
    opts.build_options = "-DGIVE_IT=1"; // no return
    expect_error("inclusive_scan", "operator", "no return statement", [&] {
        upsweep::inclusive_scan(queue, in.input(), out.view(), make_operator<int>("GIVE_IT + left;"), {}, opts);
    });
    expect_error("inclusive_scan", "operator", "no return statement",
                 [&] { upsweep::inclusive_scan(queue, in.input(), out.view(), plus_one, {}, opts); });
    expect_error("inclusive_scan", "operator", "no return statement", [&] {
        upsweep::inclusive_scan(queue, upsweep::rows(in.input(), 2, 2), out.view(), plus_one, {}, opts);
    });
}

TEST_CASE("macros that stand for one another are read once each, in any order", "[unit]") {
    std::string backwards;
    for (int i = 20000; i > 0; --i)
        backwards += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" + std::to_string(i) + "\n";
    CHECK(!detail::can_return("M20000 left + right;", {backwards}));
    CHECK(detail::can_return("M20000 left + right;", {backwards, "#define M0 return\n"}));
    CHECK(!detail::can_return("M1 left + right;", {backwards, "#define M2 return\n"}));
}

TEST_CASE("the names of types in comments and literals need no extension", "[errors]") {
    const detail::device_limits device = plain_device();
    const auto accepted = [&](const std::string& body, const std::string& helpers = {}) {
        INFO(body);
        CHECK_NOTHROW(detail::check_text("f", text_with(body, helpers), device));
        const std::string source = detail::build_source(text_with(body, helpers), {}, detail::family::reduce, false);
        CHECK(source.find("cl_khr_fp16") == std::string::npos);
        CHECK(source.find("cl_khr_fp64") == std::string::npos);
    };
    accepted("return left + right; // half of double");
    accepted("/* half\n   double */ return left + right;");
    accepted("return left + right;", "// the other half\nint f(int a) { return 2 * a; } /* double2 */");
    accepted("const char c = 'h'; __constant const char* s = \"half double\"; return left;");
    expect_error("f", "type half", "has no half",
                 [&] { detail::check_text("f", text_with("half /* */ h = 0; return left;"), device); });
    expect_error("f", "type double", "has no double",
                 [&] { detail::check_text("f", text_with("return left; // \\\n half\n", "double2 d;"), device); });
    CHECK(sum_of_four("return left + right; // half of what a double holds") == 10);
}

TEST_CASE("options of sub-groups are errors where there are none", "[errors]") {
    const auto rejected = [](detail::device_limits device, upsweep::options opts, const std::string& phrase) {
        device.max_work_group_size = 256;
        device.local_memory_bytes = device.tile_memory_bytes = 32768;
        for (const auto op : {detail::operation::scan, detail::operation::reduce})
            expect_error("f", "options", phrase, [&] { detail::choose_tuning("f", opts, device, {op, 1000, 4}); });
    };
    upsweep::options registers;
    registers.registers = 64;
    upsweep::options packs;
    packs.run_packs = 2;
    detail::device_limits cpu = plain_device();
    cpu.is_cpu = true;
    detail::device_limits nvidia = plain_device();
    nvidia.has_ptx = true;
    nvidia.lanes = detail::lanes_backend::ptx;
    for (const auto& device : {plain_device(), cpu}) {
        rejected(device, registers, "registers: can be limited on NVIDIA devices only");
        rejected(device, packs, "run_packs: only for tile_algorithm sub_group");
    }
    registers.algorithm = packs.algorithm = upsweep::tile_algorithm::blelloch;
    rejected(nvidia, registers, "registers: only for tile_algorithm sub_group");
    rejected(nvidia, packs, "run_packs: only for tile_algorithm sub_group");
}

TEST_CASE("an image is no buffer", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    if (!device_of(queue).getInfo<CL_DEVICE_IMAGE_SUPPORT>()) {
        WARN("skipped: no images");
        return;
    }
    cl_image_format format{CL_RGBA, CL_UNSIGNED_INT32};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 64;
    cl_int status = CL_SUCCESS;
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const cl::Image2D image(clCreateImage(context(), CL_MEM_READ_WRITE, &format, &description, nullptr, &status));
    REQUIRE(status == CL_SUCCESS);
    const guarded_array<int> all(queue, 10);
    const char* phrase = "no buffer";
    expect_error("inclusive_scan", "input", phrase,
                 [&] { upsweep::inclusive_scan(queue, upsweep::span<const int>(image(), 10), all.view()); });
    expect_error("inclusive_scan", "output", phrase,
                 [&] { upsweep::inclusive_scan(queue, all.input(), upsweep::span<int>(image(), 10)); });
    expect_error("reduce", "result", phrase,
                 [&] { upsweep::reduce(queue, all.input(), upsweep::span<int>(image(), 1)); });
    CHECK(all.untouched());
}
