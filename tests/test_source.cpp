// SPDX-License-Identifier: MIT
// Text and values on the host side: the assembled source, and the conversions of `half`. No device is touched.
#include <upsweep/detail/program/build_log.hpp>
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace upsweep::detail;
using Catch::Matchers::ContainsSubstring;
using upsweep::half;
using upsweep::tuning;

namespace {

struct point {
    float x, y, z;
};

const program_text sums_of_bytes{describe_type<std::uint8_t>(), describe_type<std::uint64_t>(),
                                 describe_operator<std::uint64_t>(upsweep::plus{})};

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The value of a binary16 from its definition.
double value_of(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int mantissa = bits & 1023;
    const double sign = bits & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31) return mantissa ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(mantissa, -24);
    return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

std::uint16_t bits_of(double x) {
    return half(static_cast<float>(x)).bits;
}

half from_bits(unsigned bits) {
    half h;
    h.bits = static_cast<std::uint16_t>(bits);
    return h;
}

} // namespace

template <>
struct upsweep::type<point> {
    static constexpr const char* name = "point";
    static constexpr const char* definition = "typedef struct { float x, y, z; } point;";
};

TEST_CASE("the source holds types, numbers, kernels and the operator, each under its own name", "[unit]") {
    tuning t;
    t.work_items = 64;
    t.items = 3;
    const auto op = upsweep::make_operator<point>("point sum = helper(left, right);\nreturn sum;",
                                                  "point helper(point a, point b) { a.x += b.x; return a; }");
    const program_text text{describe_type<point>(), describe_type<point>(), describe_operator<point>(op)};
    for (const family kind : {family::multi_pass, family::chunked, family::reduce}) {
        const std::string source = build_source(text, t, kind, false);
        CHECK_THAT(source, ContainsSubstring("#line 1 \"type\"\ntypedef struct { float x, y, z; } point;\n"));
        CHECK_THAT(source, ContainsSubstring("#line 1 \"helpers\"\npoint helper(point a, point b)"));
        CHECK_THAT(source, ContainsSubstring("#line 1 \"operator\"\npoint sum = helper(left, right);\nreturn sum;\n"));
        for (const char* file : {"prelude", "tile/io", "tile/tile_reduce", "textbook/tree_reduce"})
            CHECK_THAT(source, ContainsSubstring(std::string("#line 1 \"") + file + ".cl\"\n"));
        for (const char* define :
             {"#define UPSWEEP_ELEMENT upsweep_type_point\n", "#define UPSWEEP_VALUE upsweep_type_point\n",
              "#define UPSWEEP_ELEMENT_SIZE 12\n", "#define UPSWEEP_WORK_ITEMS 64\n", "#define UPSWEEP_ITEMS 3\n",
              "#define UPSWEEP_INDEX uint\n"})
            CHECK_THAT(source, ContainsSubstring(define));
        // The order matters: type, numbers, prelude, helpers, operator, kernels.
        CHECK(source.find("\"type\"") < source.find("UPSWEEP_ELEMENT"));
        CHECK(source.find("\"prelude.cl\"") < source.find("\"helpers\""));
        CHECK(source.find("\"helpers\"") < source.find("\"operator\""));
        CHECK(source.find("\"operator\"") < source.find("\"tile/io.cl\""));
        CHECK(contains(source, "#line 1 \"launch/scan_multi_pass.cl\"") == (kind == family::multi_pass));
        CHECK(contains(source, "#line 1 \"launch/chunked.cl\"") == (kind == family::chunked));
        CHECK(contains(source, "#line 1 \"launch/reduce.cl\"") == (kind != family::chunked));
        // What a file includes comes before it, once.
        CHECK(source.find("\"tile/io.cl\"") < source.find("\"tile/tile_reduce.cl\""));
        CHECK(source.find("\"tile/tile_reduce.cl\"") < source.find("\"launch/"));
        CHECK(source.find("\"tile/io.cl\"") == source.rfind("\"tile/io.cl\""));
    }
}

TEST_CASE("every program is whole: what a file leaves open was put in before it", "[unit]") {
    using upsweep::detail::lanes_backend;
    device_limits device;
    device.has_atomics64 = true;
    device.max_work_group_size = 1024;
    device.local_memory_bytes = device.tile_memory_bytes = 48 << 10;
    device.compute_units = 100;
    const auto op = upsweep::make_operator<float>("return left + right;");
    const program_text text{describe_type<float>(), describe_type<float>(), describe_operator<float>(op)};
    std::size_t programs = 0;
    for (const lanes_backend lanes :
         {lanes_backend::none, lanes_backend::ptx, lanes_backend::khr, lanes_backend::intel})
        for (const operation what : {operation::scan, operation::reduce})
            for (const bool costly : {false, true})
                for (const std::uint64_t n : {std::uint64_t{100}, std::uint64_t{1} << 26}) {
                    device.lanes = lanes;
                    device.has_ptx = device.has_async_copy = lanes == lanes_backend::ptx;
                    upsweep::detail::problem_size problem{what, n, sizeof(float), false};
                    problem.costly_operator = costly;
                    const tuning t = upsweep::detail::resolve_options("f", {}, device, problem);
                    for (const family kind : {upsweep::detail::family_of(what, t), family::rows}) {
                        if (kind == family::rows && t.algorithm != upsweep::tile_algorithm::sub_group) continue;
                        const std::string source = build_source(text, t, kind, false);
                        CAPTURE(static_cast<int>(lanes), static_cast<int>(what), costly, n, static_cast<int>(kind));
                        // #include stands behind a condition on UPSWEEP_HAS_... only, which was defined before.
                        for (auto at = source.find("\n#include"); at != std::string::npos;
                             at = source.find("\n#include", at + 1)) {
                            const auto begin = source.rfind("UPSWEEP_HAS_", at);
                            REQUIRE(begin != std::string::npos);
                            const auto end = source.find_first_of(")\n", begin);
                            const std::string name = source.substr(begin, end - begin);
                            CAPTURE(name, source.substr(at, 60));
                            if (name == "UPSWEEP_HAS_TILE_SCAN" && !t.canonical) continue; // needs no tiles
                            CHECK(source.find("#define " + name + "\n") < at);
                        }
                        ++programs;
                    }
                }
    CHECK(programs >= 32);
}

TEST_CASE("the textbook's file is what runs for the algorithm of its name, in the canonical order too", "[unit]") {
    using upsweep::tile_algorithm;
    const program_text text{describe_type<float>(), describe_type<float>(), describe_operator<float>(upsweep::plus{})};
    device_limits gpu;
    gpu.max_work_group_size = 256;
    gpu.local_memory_bytes = gpu.tile_memory_bytes = 1 << 15;
    for (const auto& [algorithm, file] :
         std::vector<std::pair<tile_algorithm, std::string>>{{tile_algorithm::blelloch, "blelloch"},
                                                             {tile_algorithm::hillis_steele, "hillis_steele"},
                                                             {tile_algorithm::brent_kung, "brent_kung"}}) {
        for (const bool exact : {false, true}) {
            upsweep::options o;
            o.algorithm = algorithm;
            const tuning t = resolve_options("test", o, gpu, {operation::scan, 1 << 20, 4, exact});
            CHECK(t.canonical == (!exact && algorithm == tile_algorithm::blelloch));
            const std::string source = build_source(text, t, family_of(operation::scan, t), false);
            CHECK(contains(source, "#line 1 \"textbook/" + file + ".cl\""));
        }
    }
}

TEST_CASE("the source follows the tuning and the index width", "[unit]") {
    tuning t;
    const auto source = [&](bool wide) { return build_source(sums_of_bytes, t, family::multi_pass, wide); };
    CHECK_THAT(source(true), ContainsSubstring("#define UPSWEEP_INDEX ulong\n"));
    CHECK_THAT(source(false), ContainsSubstring("#define UPSWEEP_INDEX uint\n"));
    CHECK_THAT(source(false), ContainsSubstring("#define UPSWEEP_ELEMENT uchar\n"));
    CHECK_THAT(source(false), ContainsSubstring("#define UPSWEEP_VALUE ulong\n"));
    CHECK_THAT(source(false), ContainsSubstring("#define UPSWEEP_ELEMENT_SIZE 1\n"));
    CHECK_THAT(source(false), ContainsSubstring("#define UPSWEEP_VALUE_SIZE 8\n"));
    CHECK_FALSE(contains(source(false), "\"helpers\""));
    CHECK_FALSE(contains(source(false), "\"type\""));
    CHECK_FALSE(contains(source(false), "cl_khr_fp64"));

    CHECK(contains(source(false), "#line 1 \"textbook/blelloch.cl\""));
    t.algorithm = upsweep::tile_algorithm::hillis_steele;
    CHECK(contains(source(false), "#line 1 \"textbook/hillis_steele.cl\""));
    CHECK_FALSE(contains(source(false), "#line 1 \"textbook/blelloch.cl\""));
    t.algorithm = upsweep::tile_algorithm::brent_kung;
    CHECK(contains(source(false), "#line 1 \"textbook/brent_kung.cl\""));

    CHECK(contains(source(false), "#define UPSWEEP_BANK_BITS 5\n"));
    t.bank_padding = false;
    CHECK(contains(source(false), "#define UPSWEEP_BANK_BITS 0\n"));
    CHECK(contains(source(false), "#define UPSWEEP_STAGED 0\n"));
    t.staged = true;
    CHECK(contains(source(false), "#define UPSWEEP_STAGED 1\n"));
    for (const auto& [reduction, number] :
         std::vector<std::pair<upsweep::tree_reduce, std::string>>{{upsweep::tree_reduce::interleaved, "0"},
                                                                   {upsweep::tree_reduce::compacted, "1"},
                                                                   {upsweep::tree_reduce::sequential, "2"},
                                                                   {upsweep::tree_reduce::serial, "2"}}) {
        t.reduction = reduction;
        CHECK(contains(source(false), "#define UPSWEEP_RUNG " + number + "\n"));
    }

    const program_text doubles{describe_type<double>(), describe_type<double>(), {"op", "return left;", ""}};
    CHECK(contains(build_source(doubles, t, family::reduce, false), "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"));
    const program_text halves{describe_type<half>(), describe_type<half>(), {"op", "return left;", ""}};
    CHECK(contains(build_source(halves, t, family::reduce, false), "#pragma OPENCL EXTENSION cl_khr_fp16 : enable"));
}

TEST_CASE("only the library's arithmetic on integers is exact", "[unit]") {
    const auto exact = [](const auto& op, auto zero) {
        using T = decltype(zero);
        return is_exact({describe_type<T>(), describe_type<T>(), describe_operator<T>(op)});
    };
    CHECK(exact(upsweep::plus{}, std::int16_t{}));
    CHECK(exact(upsweep::maximum{}, std::uint64_t{}));
    CHECK(!exact(upsweep::plus{}, 0.0F));
    CHECK(!exact(upsweep::plus{}, 0.0));
    CHECK(!exact(upsweep::plus{}, half{}));
    CHECK(!exact(upsweep::make_operator<std::int32_t>("return left - right;"), std::int32_t{}));
}

TEST_CASE("types are named as OpenCL C names them", "[unit]") {
    CHECK(describe_type<signed char>().name == "char");
    CHECK(describe_type<std::int8_t>().name == "char");
    CHECK(describe_type<std::uint8_t>().name == "uchar");
    CHECK(describe_type<std::int16_t>().name == "short");
    CHECK(describe_type<std::uint16_t>().name == "ushort");
    CHECK(describe_type<std::int32_t>().name == "int");
    CHECK(describe_type<std::uint32_t>().name == "uint");
    CHECK(describe_type<std::int64_t>().name == "long");
    CHECK(describe_type<std::uint64_t>().name == "ulong");
    CHECK(describe_type<long>().size == sizeof(long));
    CHECK(describe_type<long>().name == (sizeof(long) == 8 ? "long" : "int"));
    CHECK(describe_type<half>().size == 2);
}

TEST_CASE("mentions finds whole identifiers only", "[unit]") {
    CHECK(mentions("double", "double"));
    CHECK(mentions("(double)x", "double"));
    CHECK(mentions("doubled double", "double"));
    CHECK(mentions("x;double", "double"));
    CHECK_FALSE(mentions("", "double"));
    CHECK_FALSE(mentions("doubles", "double"));
    CHECK_FALSE(mentions("redouble", "double"));
    CHECK_FALSE(mentions("double_", "double"));
    CHECK_FALSE(mentions("_double", "double"));
    CHECK_FALSE(mentions("double2", "double"));
}

TEST_CASE("every half converts to float exactly and back to itself", "[unit]") {
    unsigned wrong = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const half h = from_bits(bits);
        const float f = static_cast<float>(h);
        const double expected = value_of(h.bits);
        if (std::isnan(expected)) {
            wrong += !std::isnan(f) || !std::isnan(static_cast<float>(half(f))) || h == h;
            continue;
        }
        wrong += static_cast<double>(f) != expected || std::signbit(f) != (bits >= 0x8000) || half(f).bits != bits;
    }
    CHECK(wrong == 0);
}

TEST_CASE("float converts to the nearest half, ties to even", "[unit]") {
    // Between every two neighbours: a quarter of the way, the tie, three quarters.
    unsigned wrong = 0;
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
        const double low = value_of(static_cast<std::uint16_t>(bits));
        const double high = bits == 0x7bff ? 65536.0 : value_of(static_cast<std::uint16_t>(bits + 1));
        const unsigned even = bits % 2 == 0 ? bits : bits + 1;
        for (const unsigned sign : {0U, 0x8000U}) {
            const double s = sign ? -1 : 1;
            wrong += bits_of(s * (low + (high - low) / 4)) != (sign | bits);
            wrong += bits_of(s * (low + (high - low) / 2)) != (sign | even);
            wrong += bits_of(s * (low + (high - low) * 3 / 4)) != (sign | (bits + 1));
        }
    }
    CHECK(wrong == 0);
    CHECK(bits_of(65504) == 0x7bff);
    CHECK(bits_of(65519.996) == 0x7bff);
    CHECK(bits_of(65520) == 0x7c00);
    CHECK(bits_of(1e30) == 0x7c00);
    CHECK(bits_of(-1e30) == 0xfc00);
    CHECK(half(std::numeric_limits<float>::infinity()).bits == 0x7c00);
    CHECK(half(-std::numeric_limits<float>::infinity()).bits == 0xfc00);
    CHECK(bits_of(std::ldexp(1.0, -25)) == 0);
    CHECK(half(std::nextafter(std::ldexp(1.0F, -25), 1.0F)).bits == 1);
    CHECK(bits_of(std::ldexp(1.0, -149)) == 0);
    CHECK(bits_of(-std::ldexp(1.0, -149)) == 0x8000);
    CHECK(half(-0.0F).bits == 0x8000);
    CHECK(half(-0.0F) == half(0.0F));
    CHECK(half(1.0F) != half(2.0F));
    // NaNs stay NaNs, whatever their payload, also one that lies in the dropped bits only.
    for (const std::uint32_t bits : {0x7fc00000U, 0x7f800001U, 0xffffffffU, 0xff800001U}) {
        float nan = 0;
        std::memcpy(&nan, &bits, sizeof nan);
        CHECK(std::isnan(static_cast<float>(half(nan))));
    }
}

TEST_CASE("a log that ignores #line is given the places it means", "[unit]") {
    const std::string source = "#define A\n#line 1 \"prelude.cl\"\nx\ny\nf() {\n#line 1 \"operator\"\nsum = left;\n"
                               "sum = summ;\n}\n";
    CHECK(upsweep::detail::translate_log("<kernel>:8:7: error\n<kernel>:4: note\n", source) ==
          "operator:2:7: error\nprelude.cl:2: note\n");
    CHECK(upsweep::detail::translate_log("<kernel>:99: far\n<kernel>: none\noperator:2: done", source) ==
          "<kernel>:99: far\n<kernel>: none\noperator:2: done");
}
