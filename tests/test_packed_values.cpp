// SPDX-License-Identifier: MIT
// Vectors and structs that kernels take as integers of as many bytes.
#include <upsweep/detail/call/operand_call.hpp>
#include <upsweep/detail/call/segment_packed_inl.hpp>

#include "device_fixture.hpp"
#include "internals.hpp"
#include "packed.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace {

struct pixel {
    std::uint8_t r, g, b;
};
struct move2 {
    std::int16_t a, b;
};
struct shorter {
    std::uint32_t a, b;
};
struct broken {
    std::uint32_t a;
};
struct misnamed {
    std::uint32_t a;
};
struct mixed8 {
    std::uint32_t a;
    std::uint16_t b, c;
};

} // namespace

template <>
struct upsweep::type<pixel> {
    static constexpr const char* name = "pixel";
    static constexpr const char* definition = "typedef struct { uchar r, g, b; } pixel;";
};
template <>
struct upsweep::type<move2> {
    static constexpr const char* name = "move2";
    static constexpr const char* definition = "typedef struct { short a, b; } move2;";
};
template <>
struct upsweep::type<shorter> {
    static constexpr const char* name = "shorter";
    static constexpr const char* definition = "typedef struct { uint a; } shorter;";
};
template <>
struct upsweep::type<broken> {
    static constexpr const char* name = "broken";
    static constexpr const char* definition = "typedef struct { uint a; nothing b; } broken;";
};
template <>
struct upsweep::type<misnamed> {
    static constexpr const char* name = "misnamed";
    static constexpr const char* definition = "typedef struct { uint a; } named;";
};
template <>
struct upsweep::type<mixed8> {
    static constexpr const char* name = "mixed8";
    static constexpr const char* definition = "typedef struct { uint a; ushort b, c; } mixed8;";
};

namespace {

namespace detail = upsweep::detail;
using detail::segment_results;
using test::add_numbers;
using test::each_number;
using test::guarded_array;
using test::larger_number;
using test::queue;
using test::random_values;
using test::same_bits;

/// Calls on segments with values packed as on NVIDIA devices.
template <class T, class Op>
void call_packed(const detail::segment_arguments& a, const Op& op, const char* type) {
    detail::device_limits limits = test::limits();
    limits.has_ptx = true;
    const auto call = [&](const detail::segment_arguments& arguments, const detail::call_types& types) {
        const detail::packed_segments packed(arguments, types, limits);
        REQUIRE(packed);
        CHECK(packed.types().text.value.name == type);
        return detail::call_segments(packed.arguments(), packed.types(), {});
    };
    const detail::call_types types = detail::types_of<T, T>(op);
    cl::Event(types.text.op.parameters ? detail::with_operands(a, types, call) : call(a, types)).wait();
}

/// Scans and reductions of segments of packed values against the definition.
/// @param type  that they are packed into
template <class T, class Op, class Combine>
void check_packed(const Op& op, Combine combine, const char* type) {
    constexpr std::size_t n = 3000;
    CAPTURE(upsweep::type<T>::name, type, n, Op::name);
    const std::vector<T> all = random_values<T>(n, 3);
    const T init = random_values<T>(1, 8)[0];
    const upsweep::wait_list after;
    const std::vector<bool> heads = test::heads_of(test::lengths(n, "tiles", 1));
    const guarded_array<T> in(all), first({init});
    const guarded_array<std::uint32_t> keys(test::keys_of<std::uint32_t>(heads));
    const auto scan = [&](const auto& view, segment_results results, const T* given, const std::vector<bool>& cut,
                          const guarded_array<T>& out) {
        auto a = detail::arguments_of_segments<T, T>("f", queue(), view, out.view(), results, nullptr, after);
        a.init = given;
        call_packed<T>(a, op, type);
        const bool exclusive = results == segment_results::exclusive;
        CHECK(same_bits(out.values(), test::segments_on_host<T>(all, cut, combine, given, exclusive)));
        CHECK(out.untouched_outside(n));
    };
    const auto keyed = upsweep::keyed(in.view(), keys.view());
    scan(keyed, segment_results::inclusive, nullptr, heads, guarded_array<T>(n));
    scan(keyed, segment_results::exclusive, &init, heads, guarded_array<T>(n));
    std::vector<bool> rows(n);
    for (std::size_t i = 0; i < n; i += 1000) rows[i] = true;
    const guarded_array<T> place(all);
    scan(upsweep::rows(place.view(), 3, 1000), segment_results::inclusive, &init, rows, place);

    // A reduction, of which the initial value is on the device.
    const std::vector<std::size_t> lengths = test::lengths(n, "random", 5);
    std::vector<std::uint32_t> offsets{0};
    for (const std::size_t length : lengths) offsets.push_back(offsets.back() + static_cast<std::uint32_t>(length));
    const guarded_array<std::uint32_t> begins(offsets);
    const guarded_array<T> sums(lengths.size());
    const auto cut = upsweep::segments(in.view(), begins.view());
    const T empty{};
    auto a = detail::arguments_of_segments<T, T>("f", queue(), cut, sums.view(), segment_results::per_segment, nullptr,
                                                 after, &empty);
    a.init_on_device = true;
    a.init_place = detail::untyped(first.view());
    call_packed<T>(a, op, type);
    const std::vector<T> scanned = test::segments_on_host<T>(all, test::heads_of(lengths), combine, &init, false);
    std::vector<T> expected;
    for (std::size_t k = 1; k < offsets.size(); ++k) expected.push_back(scanned[offsets[k] - 1]);
    CHECK(same_bits(sums.values(), expected));
    CHECK(sums.untouched_outside(lengths.size()));
}

} // namespace

TEST_CASE("segments of vectors are scanned and reduced as integers", "[segments][bits]") {
    if (!test::limits().rusticl.empty()) return test::skip("rusticl takes minutes for vectors");
    check_packed<cl_uchar4>(upsweep::plus{}, each_number<cl_uchar4, std::uint8_t>(add_numbers), "uint");
    check_packed<cl_short8>(upsweep::plus{}, each_number<cl_short8, std::int16_t>(add_numbers), "ulong2");
    check_packed<cl_char2>(upsweep::maximum{}, each_number<cl_char2, std::int8_t>(larger_number), "ushort");
    check_packed<cl_int2>(upsweep::multiplies{},
                          each_number<cl_int2, std::uint32_t>([](auto a, auto b) { return a * b; }), "ulong");
    const auto compose = upsweep::make_operator<cl_ushort4>("uint m = right.s0 * one; right.s1 += times(left.s1, m); "
                                                            "right.s0 = left.s0 * m; return right;",
                                                            "uint times(uint x, uint m) { return x * m; } // the end");
    const auto on_host = [](cl_ushort4 left, cl_ushort4 right) {
        const cl_uint m = right.s[0];
        right.s[1] = static_cast<cl_ushort>(right.s[1] + left.s[1] * m);
        right.s[0] = static_cast<cl_ushort>(left.s[0] * m);
        return right;
    };
    check_packed<cl_ushort4>(compose.with("one", cl_uint{1}), on_host, "ulong");
}

TEST_CASE("segments of structs are scanned and reduced as integers", "[segments][bits]") {
    const auto move =
        upsweep::make_operator<move2>("move2 r = {helper(left.a * right.a), left.b * right.a + right.b}; "
                                      "return r;",
                                      "#define TWICE 2\nshort helper(int x) { return x; } // without a line's end");
    check_packed<move2>(
        move,
        [](move2 left, move2 right) {
            return move2{static_cast<std::int16_t>(left.a * right.a),
                         static_cast<std::int16_t>(left.b * right.a + right.b)};
        },
        "uint");
    const auto mixed = upsweep::make_operator<mixed8>("left.a *= right.a;\nleft.b = (uint)left.b * right.c + right.b;\n"
                                                      "left.c = (uint)left.c * right.c;\nreturn left;");
    check_packed<mixed8>(
        mixed,
        [](mixed8 left, mixed8 right) {
            return mixed8{left.a * right.a, static_cast<std::uint16_t>(1U * left.b * right.c + right.b),
                          static_cast<std::uint16_t>(1U * left.c * right.c)};
        },
        "ulong");
}

TEST_CASE("mistakes in packed values name what the user wrote", "[errors]") {
    const auto expect_mistake = [](const auto& op, const char* type, const std::string& argument, const char* cause) {
        using T = typename std::decay_t<decltype(op)>::value_type;
        const guarded_array<T> x(100), y(100);
        const upsweep::wait_list after;
        const auto view = upsweep::rows(x.view(), 10, 10);
        const auto a = detail::arguments_of_segments<T, T>("f", queue(), view, y.view(), segment_results::inclusive,
                                                           nullptr, after);
        fixture::expect_error("f", argument, cause, [&] { call_packed<T>(a, op, type); });
        CHECK(y.untouched_outside(0));
    };
    expect_mistake(upsweep::make_operator<shorter>("return left;"), "ulong", "type shorter", "its size on the device");
    expect_mistake(upsweep::make_operator<broken>("return left;"), "uint", "type broken", "its definition");
    expect_mistake(upsweep::make_operator<misnamed>("return left;"), "uint", "type misnamed", "its definition");
    expect_mistake(upsweep::make_operator<cl_int2>("return left + wrong;"), "ulong", "operator", "operator:1");
    expect_mistake(upsweep::make_operator<cl_int2>("return left;", "int f(int x) { return y; } // end"), "ulong",
                   "operator", "helpers:1");
    // Some compilers report an unknown type where the operator mentions it.
    const detail::packed_text packed =
        detail::pack_values(detail::describe_type<misnamed>(), {"user operator", "return left;", "", {}});
    const upsweep::error e = detail::build_error("f", {packed.type, packed.type, packed.op},
                                                 "operator:1:1: error: unknown type name 'misnamed'", 0);
    CHECK(e.argument() == "type misnamed");
}

TEST_CASE("values that no integer has room for stay what they are", "[segments]") {
    detail::device_limits limits = test::limits();
    limits.has_ptx = true;
    const auto name_of_packed = [&](const auto& op, auto value, const detail::device_limits& device) {
        using T = decltype(value);
        const detail::call_types types = detail::types_of<T, T>(op);
        const detail::packed_types packed(types, device);
        return packed ? std::string(packed.types().text.op.name) : "";
    };
    CHECK(name_of_packed(upsweep::make_operator<pixel>("return left;"), pixel{}, limits) == "");
    CHECK(name_of_packed(upsweep::make_operator<test::affine>("return left;"), test::affine{}, limits) == "");
    CHECK(name_of_packed(upsweep::plus{}, cl_int{}, limits) == "");
    const auto left = upsweep::make_operator<move2>("return left;");
    CHECK(name_of_packed(left, move2{}, limits) == "user operator"); // but not where keys define it once more
    const guarded_array<move2> in(10), out(10);
    const guarded_array<std::uint32_t> keys(10);
    const upsweep::wait_list after;
    const auto is_packed_by = [&](const auto& view) {
        const auto a = detail::arguments_of_segments<move2, move2>("f", queue(), view, out.view(),
                                                                   segment_results::inclusive, nullptr, after);
        const detail::call_types types = detail::types_of<move2, move2>(left);
        return bool(detail::packed_segments(a, types, limits));
    };
    CHECK(is_packed_by(upsweep::keyed(in.view(), keys.view())));
    CHECK_FALSE(is_packed_by(upsweep::keyed(in.view(), in.view(), "left.a == right.a")));
    CHECK(name_of_packed(upsweep::plus{}, cl_int4{}, limits) == "plus");
    limits.has_ptx = false;
    limits.is_cpu = true;
    CHECK(name_of_packed(upsweep::plus{}, cl_uchar4{}, limits) == "packed plus"); // which has no differences
    CHECK(name_of_packed(upsweep::maximum{}, cl_uchar4{}, limits) == "");
    CHECK(name_of_packed(upsweep::plus{}, cl_int2{}, limits) == "");
    limits.is_cpu = false;
    CHECK(name_of_packed(upsweep::plus{}, cl_uchar4{}, limits) == "");
}

TEST_CASE("structs that no integer has room for are scanned as they are", "[segments][bits]") {
    const auto affine = upsweep::make_operator<pixel>("pixel r = {left.r * right.r, left.g * right.r + right.g, "
                                                      "left.b + right.b}; return r;");
    const auto combine = [](pixel left, pixel right) {
        return pixel{static_cast<std::uint8_t>(left.r * right.r), static_cast<std::uint8_t>(left.g * right.r + right.g),
                     static_cast<std::uint8_t>(left.b + right.b)};
    };
    test::check_calls<pixel>(affine, combine);
}
