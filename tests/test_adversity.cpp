// SPDX-License-Identifier: MIT
// Circumstances that a kernel has no right to be spared: operators that take their time, tiles that are handed out in
// any order.

#include "catch.hpp"
#include "small_forms.hpp"

namespace {

using test::describe;
using upsweep::strategy;

/// x -> a * x + b modulo 2^32. `Variant` makes types of their own, with definitions of their own.
template <int Variant>
struct function {
    std::uint32_t a, b;
    friend bool operator==(function x, function y) { return x.a == y.a && x.b == y.b; }
};

/// Variant 0 is plain; the others hand tiles out in an order of their own (see prelude.cl).
constexpr int plain = 0;
constexpr int reversed = 1;
constexpr int shuffled = 2;
constexpr int neighbours_swapped = 3;
constexpr int second_part_first = 4;
constexpr int undeclared = 5;

constexpr const char* order_of(int variant) {
    switch (variant) {
    case reversed:
        return "#define UPSWEEP_TILE_ORDER(ticket, tiles) ((tiles) - 1 - (ticket))\n"
               "typedef struct { uint a; uint b; } function;";
    case shuffled: // a prime that divides no number of tiles here
        return "#define UPSWEEP_TILE_ORDER(ticket, tiles) (((ticket) * 7919u + 5u) % (tiles))\n"
               "typedef struct { uint a; uint b; } function;";
    case neighbours_swapped:
        return "#define UPSWEEP_TILE_ORDER(ticket, tiles) (((ticket) ^ 1) < (tiles) ? (ticket) ^ 1 : (ticket))\n"
               "typedef struct { uint a; uint b; } function;";
    case second_part_first:
        return "#define UPSWEEP_TILE_ORDER(ticket, tiles) (((ticket) + (tiles) / 2) % (tiles))\n"
               "typedef struct { uint a; uint b; } function;";
    case undeclared:
        return "#define UPSWEEP_TILE_ORDER(ticket, tiles) no_such_function(ticket)\n"
               "typedef struct { uint a; uint b; } function;";
    default:
        return "typedef struct { uint a; uint b; } function;";
    }
}

constexpr const char* compose_text = "function f = {right.a * left.a, right.a * left.b + right.b};\nreturn f;";

template <int Variant>
function<Variant> combine(function<Variant> left, function<Variant> right,
                          const upsweep::custom_operator<function<Variant>>&) {
    return {right.a * left.a, right.a * left.b + right.b};
}

template <int Variant>
std::vector<function<Variant>> random_functions(std::size_t n, std::uint32_t seed) {
    std::mt19937 random(static_cast<std::uint32_t>(n) + seed);
    std::vector<function<Variant>> values(n);
    for (auto& f : values) f = {static_cast<std::uint32_t>(random()) | 1U, static_cast<std::uint32_t>(random())};
    return values;
}

template <int Variant>
void check_scan(const upsweep::options& o, std::size_t n, const std::string& body, bool in_place,
                std::uint32_t seed = 0) {
    INFO(describe(o, n) << (in_place ? ", in place" : ""));
    using element = function<Variant>;
    const auto op = upsweep::make_operator<element>(body);
    const std::vector<element> input = random_functions<Variant>(n, seed);
    const test::guarded_array<element> in(input);
    const test::guarded_array<element> separate(in_place ? 0 : n);
    const test::guarded_array<element>& out = in_place ? in : separate;
    upsweep::inclusive_scan(test::queue(), in.view(), out.view(), op, {}, o);
    const auto expected = test::reference_scan<element>(input, false, std::optional<element>(), op);
    CHECK(test::first_difference(out.values(), expected) == -1);
    CHECK(out.untouched_outside(n));
}

template <int Variant>
void check_order() {
    if (test::look_back_forms().empty()) return test::skip("look_back needs cl_khr_int64_base_atomics");
    for (const upsweep::options& o : test::look_back_forms()) {
        const std::size_t tile = std::size_t{o.work_items} * o.items;
        for (std::size_t tiles : {2, 33, 70})
            for (std::size_t n : {tiles * tile - tile + 1, tiles * tile})
                check_scan<Variant>(o, n, compose_text, n % 2 == 0);
    }
    // Groups of groups of tiles; every wait for a silent tile takes its time.
    const upsweep::options o = test::look_back_forms().front();
    if (Variant == reversed || Variant == shuffled)
        check_scan<Variant>(o, std::size_t{o.work_items} * o.items * 1057 - 3, compose_text, true);
}

} // namespace

template <int Variant>
struct upsweep::type<function<Variant>> {
    static constexpr const char* name = "function";
    static constexpr const char* definition = order_of(Variant);
};

TEST_CASE("operators that take their time", "[adversity]") {
    // Mostly short, sometimes longer than another tile waits. Volatile, or the compiler would drop the loop.
    const std::string slow = "const uint dice = (left.b * 2654435761u) ^ right.b;\n"
                             "volatile uint steps = dice % 1021u == 0 ? 100000u : dice % 67u;\n"
                             "while (steps > 0) --steps;\n" +
                             std::string(compose_text);
    for (const upsweep::options& o : test::all_forms()) {
        const std::size_t tile = std::size_t{o.work_items} * o.items;
        if (o.strategy == strategy::single_tile)
            check_scan<plain>(o, tile - 1, slow, false);
        else
            for (std::size_t n : {2 * tile + 1, 70 * tile - 3}) check_scan<plain>(o, n, slow, n % 2 == 0);
        // Launch after launch in one state: what others published before must not be taken for what is to come.
        for (std::uint32_t seed = 1; o.strategy == strategy::look_back && seed < 9; ++seed)
            check_scan<plain>(o, 70 * tile - 3, slow, false, seed);
    }
}

TEST_CASE("tiles in the order of last things first", "[adversity]") {
    check_order<reversed>();
}

TEST_CASE("tiles in shuffled order", "[adversity]") {
    check_order<shuffled>();
    check_order<neighbours_swapped>();
    check_order<second_part_first>();
}

// Were the kernels to ignore the order that the tests above ask for, those would pass without testing anything.
TEST_CASE("the order of tiles is really the one asked for", "[adversity]") {
    if (test::look_back_forms().empty()) return test::skip("look_back needs cl_khr_int64_base_atomics");
    for (const upsweep::options& o : test::look_back_forms())
        CHECK_THROWS_AS(check_scan<undeclared>(o, 5000, compose_text, false), upsweep::error); // more than a tile
}
