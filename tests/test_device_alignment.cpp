// SPDX-License-Identifier: MIT
// Types that a device aligns to more than the host does, in segments.
#include <upsweep/detail/source/read_text.hpp>

#include "device_fixture.hpp"
#include "segmented.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using test::guarded_array;
using test::queue;

namespace {

/// Words that the device aligns to more than the host does: as a vector, by a number of 64 bits, by an attribute, by
/// what is said elsewhere, by a macro around packed structs, and to the most that is useful. The last is not: it is
/// packed.
template <int kind, std::size_t words>
struct aligned_on_device {
    std::uint32_t x[words];

    friend aligned_on_device operator+(aligned_on_device left, const aligned_on_device& right) {
        for (std::size_t i = 0; i < words; ++i) left.x[i] += right.x[i];
        return left;
    }
    friend bool operator==(const aligned_on_device& a, const aligned_on_device& b) {
        return std::equal(a.x, a.x + words, b.x);
    }
};
using as_vector = aligned_on_device<0, 4>;
using with_long = aligned_on_device<1, 4>;
using by_attribute = aligned_on_device<2, 8>;
using said_elsewhere = aligned_on_device<3, 16>;
using by_macro = aligned_on_device<4, 4>;
using to_the_most = aligned_on_device<5, 4>;
using packed_longs = aligned_on_device<6, 4>;

/// Three floats, which OpenCL C's float3 is not.
struct wider_vector {
    float x, y, z;
};

} // namespace

template <>
struct upsweep::type<wider_vector> {
    static constexpr const char* name = "wider_vector";
    static constexpr const char* definition = "typedef float3 wider_vector;";
};
template <>
struct upsweep::type<as_vector> {
    static constexpr const char* name = "as_vector";
    static constexpr const char* definition = "typedef uint4 as_vector;";
};
template <>
struct upsweep::type<with_long> {
    static constexpr const char* name = "with_long";
    static constexpr const char* definition = "typedef struct { uint a, b; ulong c; } with_long;";
};
template <>
struct upsweep::type<by_attribute> {
    static constexpr const char* name = "by_attribute";
    static constexpr const char* definition =
        "typedef struct __attribute__((aligned(32))) { uint x[8]; } by_attribute;";
};
template <>
struct upsweep::type<said_elsewhere> {
    static constexpr const char* name = "said_elsewhere";
    static constexpr const char* definition = "typedef WORDS said_elsewhere;";
};
template <>
struct upsweep::type<by_macro> {
    static constexpr const char* name = "by_macro";
    static constexpr const char* definition =
        "#define FOUR_WORDS 16\ntypedef struct __attribute__((packed)) { uint a, b; } packed_words;\n"
        "typedef struct __attribute__((aligned(FOUR_WORDS))) { packed_words x[2]; } by_macro;";
};
template <>
struct upsweep::type<to_the_most> {
    static constexpr const char* name = "to_the_most";
    static constexpr const char* definition = "typedef struct __attribute__((aligned)) { uint x[4]; } to_the_most;";
};
template <>
struct upsweep::type<packed_longs> {
    static constexpr const char* name = "packed_longs";
    static constexpr const char* definition =
        "typedef struct __attribute__((packed)) { ulong a; uint b, c; } packed_longs;";
};

namespace {

/// Scans and reductions of segments whose values are aligned on the device alone.
template <class T>
void check_segments_of(const char* body) {
    const std::size_t n = 1500;
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < sizeof(T) / 4; ++k) x[i].x[k] = static_cast<std::uint32_t>(i % 1000 + k);
    const std::vector<bool> heads = test::heads_of(test::lengths(n, "random", 7));
    const guarded_array<T> in(x, 1), out(n);
    const guarded_array<std::uint32_t> keys(test::keys_of<std::uint32_t>(heads)), unique(n), count(1);
    const auto op = upsweep::make_operator<T>(body);
    const T init = x[10];
    const auto view = upsweep::keyed(in.view(), keys.view());
    upsweep::inclusive_scan(queue(), view, out.view(), op);
    const std::vector<T> sums = test::segments_on_host<T>(x, heads, std::plus<>{}, nullptr, false);
    CHECK(out.values() == sums);
    upsweep::exclusive_scan(queue(), view, out.view(), init, op);
    CHECK(out.values() == test::segments_on_host<T>(x, heads, std::plus<>{}, &init, true));
    CHECK(out.untouched_outside(n));
    upsweep::reduce_by_key(queue(), view, unique.view(), out.view(), count.view(), op);
    std::vector<T> ends;
    for (std::size_t i = 0; i < n; ++i)
        if (i + 1 == n || heads[i + 1]) ends.push_back(sums[i]);
    CHECK(count.values()[0] == ends.size());
    CHECK(std::equal(ends.begin(), ends.end(), out.values().begin()));
    const guarded_array<T> scanned(n);
    std::vector<bool> rows(n);
    for (std::size_t i = 0; i < n; i += 30) rows[i] = true;
    upsweep::inclusive_scan(queue(), upsweep::rows(in.view(), n / 30, 30), scanned.view(), op);
    CHECK(scanned.values() == test::segments_on_host<T>(x, rows, std::plus<>{}, nullptr, false));
    CHECK(scanned.untouched_outside(n));
}

} // namespace

TEST_CASE("values that are aligned on the device alone are scanned in segments, or named", "[views]") {
    check_segments_of<as_vector>("return left + right;");
    check_segments_of<with_long>("with_long r = {left.a + right.a, left.b + right.b, as_ulong(as_uint2(left.c) + "
                                 "as_uint2(right.c))};\nreturn r;");
    check_segments_of<by_attribute>("for (int i = 0; i < 8; ++i) left.x[i] += right.x[i];\nreturn left;");
    check_segments_of<by_macro>("for (int i = 0; i < 2; ++i) {\nleft.x[i].a += right.x[i].a;\nleft.x[i].b += "
                                "right.x[i].b;\n}\nreturn left;");
    check_segments_of<to_the_most>("for (int i = 0; i < 4; ++i) left.x[i] += right.x[i];\nreturn left;");
    check_segments_of<packed_longs>("packed_longs r = {as_ulong(as_uint2(left.a) + as_uint2(right.a)), left.b + "
                                    "right.b, left.c + right.c};\nreturn r;");
    const guarded_array<said_elsewhere> x(100), y(100);
    const guarded_array<wider_vector> z(100), w(100);
    const guarded_array<int> keys(100);
    upsweep::options opts;
    opts.build_options = "-DWORDS=uint16";
    fixture::expect_error("inclusive_scan", "type said_elsewhere", "its alignment in a struct", [&] {
        upsweep::inclusive_scan(queue(), upsweep::keyed(x.view(), keys.view()), y.view(),
                                upsweep::make_operator<said_elsewhere>("return left + right;"), {}, opts);
    });
    fixture::expect_error("inclusive_scan", "type wider_vector", "its size", [&] {
        upsweep::inclusive_scan(queue(), upsweep::keyed(z.view(), keys.view()), w.view(),
                                upsweep::make_operator<wider_vector>("return left + right;"));
    });
    CHECK(y.untouched_outside(0));
    CHECK(w.untouched_outside(0));
}

TEST_CASE("the alignment of a type on the device is read from its text", "[unit]") {
    const auto alignment = [](const char* name, const char* definition, std::size_t size) {
        return upsweep::detail::alignment_on_device({name, definition, size});
    };
    CHECK(alignment("float4", "", 16) == 16);
    CHECK(alignment("double", "", 8) == 8);
    CHECK(alignment("a", "typedef struct { char x[3]; } a;", 3) == 1);
    CHECK(alignment("a", "typedef struct { short x; half y; } a;", 4) == 2);
    CHECK(alignment("a", "typedef struct { float x; uint y; } a;", 8) == 4);
    CHECK(alignment("a", "typedef struct { char3 x; uint y; } a;", 8) == 4);
    CHECK(alignment("a", "#define PAIR double2\ntypedef struct { PAIR x; } a;", 16) == 16);
    CHECK(alignment("a", "typedef struct { float x; /* no float4 */ } a;", 4) == 4);
    CHECK(alignment("a", "typedef struct { uint x[16]; } __attribute__((__aligned__(64))) a;", 64) == 64);
    CHECK(alignment("a", "typedef struct __attribute__((packed)) { double x; uint y, z; } a;", 16) == 8);
    CHECK(alignment("a", "typedef struct { float2 packed; } a;", 8) == 8);
    CHECK(alignment("a", "typedef struct { size_t x; } a;", 8) == 8);
    CHECK(alignment("a", "typedef struct { float x; int float32; } a;", 8) == 4);
    CHECK(alignment("a", "typedef struct { long16 x; } a;", 128) == 128);
    CHECK(alignment("a", "typedef struct { uint x, y, z; } a; void f(float4 x);", 12) == 4);
}

TEST_CASE("alignments are read in any spelling, and taken for the largest where they cannot be", "[unit]") {
    const auto alignment = [](const std::string& attribute, std::size_t size) {
        const std::string definition =
            "typedef struct " + attribute + " { uint x[" + std::to_string(size / 4) + "]; } a;";
        return upsweep::detail::alignment_on_device({"a", definition, size});
    };
    for (const char* bytes : {"32", "0x20", "0X20UL", "040", "32u", " ( 32 ) ", "32 /* bytes */", "\\\n32"})
        CHECK(alignment("__attribute__((aligned(" + std::string(bytes) + ")))", 256) == 32);
    CHECK(alignment("__attribute__((aligned(1024)))", 2048) == 1024);
    CHECK(alignment("__attribute__((packed, __aligned__\n(16)))", 256) == 16);
    CHECK(alignment("_Alignas(16)", 256) == 16);
    for (const char* spelling :
         {"aligned", "aligned()", "aligned(BYTES)", "aligned(16 * 2)", "aligned(sizeof(float4))", "aligned(0b1000)",
          "aligned(12)", "aligned(99999999999999999999)", "ext_vector_type(8)"}) {
        CAPTURE(spelling);
        CHECK(alignment("__attribute__((" + std::string(spelling) + "))", 256) == 128);
        CHECK(alignment("__attribute__((" + std::string(spelling) + "))", 48) == 16);
    }
    CHECK(alignment("/* aligned */ // aligned\n", 256) == 4);
    CHECK(alignment("#define WIDTH 4\n#define JOIN(x, y) x##y\n", 256) == 128);
    CHECK(alignment("#define ALIGNED(x) __attribute__((aligned(x)))\nALIGNED(32)", 256) == 128);
}
