// SPDX-License-Identifier: MIT
// The parts of the self-check, on the host: what stands in for what, sizes, known answers, the bits that arithmetic is
// asked for.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace detail = upsweep::detail;
using detail::operation;
using upsweep::strategy;
using upsweep::tuning;

namespace {

detail::device_limits some_gpu() {
    detail::device_limits d;
    d.name = "some GPU";
    d.has_atomics64 = d.has_ptx = true;
    d.lanes = detail::lanes_backend::ptx;
    d.compute_units = 100;
    d.max_work_group_size = 1024;
    d.local_memory_bytes = d.tile_memory_bytes = 48 << 10;
    d.max_allocation_bytes = std::uint64_t{1} << 32;
    return d;
}

detail::device_limits some_cpu() {
    detail::device_limits d = some_gpu();
    d.is_cpu = true;
    d.has_ptx = false;
    d.lanes = detail::lanes_backend::none;
    return d;
}

std::vector<std::string> rungs_from(const tuning& chosen, operation op, const detail::device_limits& d) {
    std::vector<std::string> names;
    std::vector<tuning> ladder = detail::ladder_of(chosen, op, d, 4);
    CHECK(ladder.front() == chosen);
    ladder.erase(ladder.begin());
    for (const tuning& t : ladder) {
        detail::check_tuning("test", t, d, {op, 1 << 20, 4, true, 4});
        names.push_back(detail::kernel_family(t, op));
    }
    return names;
}

/// The reference's operator for words, written in another way than the library's.
template <class Word>
Word composed(Word left, Word right) {
    constexpr unsigned bits = 4 * sizeof(Word);
    const auto a = [](Word w) { return static_cast<unsigned>(w) % (1U << bits); };
    const auto b = [](Word w) { return static_cast<unsigned>(w) / (1U << bits); };
    const unsigned range = 1U << bits;
    return static_cast<Word>(a(left) * a(right) % range + (a(right) * b(left) + b(right)) % range * range);
}

} // namespace

TEST_CASE("what is tried in place of wrong kernels", "[unit]") {
    using names = std::vector<std::string>;
    const std::string tiles = "scan, reduce_then_scan, tiles by hillis_steele";
    const std::string in_order = "scan, reduce_then_scan, tiles by blelloch, in the canonical order";
    const std::string one = "scan, chunked, one work-item per work-group, one chunk";
    const std::string one_in_trees = one + ", runs as trees of 128";
    const auto chosen = [](operation op, const detail::device_limits& d, bool exact, const upsweep::options& o = {}) {
        return detail::choose_tuning("test", o, d, {op, 1 << 20, 4, exact, 4});
    };
    CHECK(rungs_from(chosen(operation::scan, some_cpu(), true), operation::scan, some_cpu()) == names{tiles, one});
    CHECK(rungs_from(chosen(operation::scan, some_cpu(), false), operation::scan, some_cpu()) ==
          names{one_in_trees, in_order, tiles});
    CHECK(rungs_from(chosen(operation::scan, some_gpu(), false), operation::scan, some_gpu()) ==
          names{in_order, "scan, look_back, one work-item per work-group, runs as trees of 128", tiles, one_in_trees});
    CHECK(rungs_from(chosen(operation::reduce, some_gpu(), true), operation::reduce, some_gpu()) ==
          names{"reduction, reduce_then_scan, tiles by tree serial, in the canonical order",
                "reduction, chunked, one work-item per work-group, runs as trees of 128",
                "reduction, reduce_then_scan, tiles by tree interleaved",
                "reduction, chunked, one work-item per work-group, one chunk, runs as trees of 128"});
    upsweep::options plainest;
    plainest.strategy = strategy::reduce_then_scan;
    plainest.algorithm = upsweep::tile_algorithm::hillis_steele;
    plainest.loading = upsweep::tile_loading::direct;
    tuning t = chosen(operation::scan, some_gpu(), true, plainest);
    t.ptx = false;
    CHECK(rungs_from(t, operation::scan, some_gpu()) == names{one});
    // Large values and little memory.
    detail::device_limits small = some_gpu();
    small.local_memory_bytes = 2048;
    small.max_work_group_size = 1;
    const std::vector<tuning> ladder = detail::ladder_of(t, operation::scan, small, 1000);
    CHECK(ladder.size() > 1);
    for (std::size_t i = 1; i < ladder.size(); ++i)
        detail::check_tuning("test", ladder[i], small, {operation::scan, 1 << 20, 1000, true, 1000});
}

TEST_CASE("kernels of one family share a check, others do not", "[unit]") {
    tuning a;
    a.work_items = 64;
    tuning b = a;
    b.items = 7;
    b.strategy = strategy::reduce_then_scan; // a single tile is what it ends with
    CHECK(detail::kernel_family(a, operation::scan) == detail::kernel_family(b, operation::scan));
    std::set<std::string> names{detail::kernel_family(a, operation::scan), detail::kernel_family(a, operation::reduce)};
    for (const auto& change : std::vector<std::function<void(tuning&)>>{
             [](tuning& t) { t.strategy = strategy::look_back; }, [](tuning& t) { t.strategy = strategy::chunked; },
             [](tuning& t) { t.strategy = strategy::scan_then_propagate; }, [](tuning& t) { t.staged = true; },
             [](tuning& t) { t.algorithm = upsweep::tile_algorithm::brent_kung; }, [](tuning& t) { t.ptx = true; },
             [](tuning& t) { t.work_items = 1; }, [](tuning& t) { t.canonical = true; },
             [](tuning& t) {
                 t.work_items = 1;
                 t.one_launch = true;
             },
             [](tuning& t) { t.tree_run = 8; }, [](tuning& t) { t.tree_run = 16; },
             [](tuning& t) { t.one_tile = true; }, [](tuning& t) { t.algorithm = upsweep::tile_algorithm::sub_group; },
             [](tuning& t) {
                 t.algorithm = upsweep::tile_algorithm::sub_group;
                 t.items = 64;
             }}) {
        tuning other = a;
        change(other);
        names.insert(detail::kernel_family(other, operation::scan));
    }
    CHECK(names.size() == 16);
}

TEST_CASE("checks run at the edges of tiles, chunks and groups", "[unit]") {
    detail::check_subject s;
    s.element = s.value = detail::class_of<float>();
    tuning t;
    t.strategy = strategy::look_back;
    t.work_items = 128;
    t.items = 16;
    const std::uint64_t tile = t.tile();
    std::vector<std::uint64_t> sizes = detail::sizes_to_check(detail::tuning_to_check(t, operation::scan, 4), s);
    for (const std::uint64_t n :
         {std::uint64_t{1}, tile - 1, tile, tile + 1, 2 * tile + 1, 33 * tile - 1, 33 * tile + 1})
        CHECK(std::count(sizes.begin(), sizes.end(), n) == 1);
    t.direct_groups = 3; // the last of 129 tiles, which begin in order, has four groups before it
    sizes = detail::sizes_to_check(detail::tuning_to_check(t, operation::scan, 4), s);
    CHECK(sizes.back() == 129 * tile - 1);
    CHECK(detail::sizes_of_own_check(t)[0] / tile == 3);   // four tiles: an even number begins with the last
    CHECK(detail::sizes_of_own_check(t)[1] / tile == 130); // an odd number, the last behind four groups
    t.one_tile = true;                                     // a program that has no second tile
    for (const std::uint64_t n : detail::sizes_of_own_check(t)) CHECK(n <= tile);
    sizes = detail::sizes_to_check(detail::tuning_to_check(t, operation::scan, 4), s);
    CHECK(sizes.back() == tile);
    CHECK(std::count(sizes.begin(), sizes.end(), tile - 1) == 1);
    t.one_tile = false;
    t.strategy = strategy::chunked;
    t.work_items = 1;
    t.work_groups = 64;
    for (const operation op : {operation::scan, operation::reduce}) {
        const tuning checked = detail::tuning_to_check(t, op, 4);
        const auto plan = detail::plan_passes(op, detail::sizes_to_check(checked, s).back(), checked, 4);
        CHECK(plan.chunk > 1 << 16); // where some devices end loops
    }
    s.element = s.value = {detail::number_kind::other, 1 << 20}; // of a megabyte each
    CHECK(detail::sizes_to_check(t, s).back() <= 16);
}

TEST_CASE("the program that a check of built-in operators runs is the call's own", "[unit]") {
    detail::call_types types = detail::types_of<float, float>(upsweep::plus{});
    const auto is_shared = [&](const detail::device_limits& device, std::uint64_t n) {
        detail::check_subject s;
        s.element = types.element;
        s.value = types.value;
        s.text = text_of(types.text);
        const tuning t = detail::resolve_options("f", {}, device, {operation::scan, n, 4, false, 4});
        const tuning other = detail::tuning_to_check(t, operation::scan, 4);
        CHECK(t.strategy == strategy::look_back);
        CHECK(t.one_tile == (!device.is_cpu && n == 100));
        CHECK(other.max_polls < t.max_polls);
        const detail::program_text text = detail::check_text_of(s, true);
        detail::program_key own, checked;
        own.text = types.text;
        own.tuning = detail::compiled_tuning(t, detail::family::look_back);
        checked.text = view_of(text);
        checked.tuning = detail::compiled_tuning(other, detail::family::look_back);
        const auto source = [&](const detail::program_key& key) {
            return detail::build_source(text_of(key.text), key.tuning, detail::family::look_back, false);
        };
        return own == checked && source(own) == source(checked);
    };
    for (const detail::scan_kind kind :
         {detail::scan_kind::any, detail::scan_kind::exclusive, detail::scan_kind::inclusive}) {
        types.text.scan = kind;
        for (const std::uint64_t n : {std::uint64_t{100}, std::uint64_t{1} << 16, std::uint64_t{1} << 28}) {
            CHECK(is_shared(some_gpu(), n));
            CHECK(is_shared(some_cpu(), n));
        }
    }
}

TEST_CASE("known answers are the reference's", "[unit]") {
    detail::check_subject s;
    const std::size_t n = 1000;
    SECTION("words") {
        s.element = s.value = {detail::number_kind::other, 6};
        s.own_operator = true;
        const detail::known_answers a = detail::answers_of(s, n, false);
        std::vector<std::uint16_t> in(3 * n), before(3 * n + 3), through(3 * n), init(3);
        std::memcpy(in.data(), a.elements.data(), 6 * n);
        std::memcpy(before.data(), a.before.data(), 6 * n + 6);
        std::memcpy(through.data(), a.through.data(), 6 * n);
        std::memcpy(init.data(), a.before.data(), 6);
        const auto check = [&](const std::uint16_t* left, const std::uint16_t* right, const std::uint16_t* both) {
            REQUIRE(both[0] == static_cast<std::uint16_t>(1U * left[0] * right[0]));
            for (std::size_t w = 1; w < 3; ++w)
                REQUIRE(both[w] == static_cast<std::uint16_t>(1U * left[w] * right[0] + right[w]));
        };
        CHECK(std::equal(init.begin(), init.end(), before.begin()));
        for (std::size_t i = 0; i < n; ++i) {
            REQUIRE(in[3 * i] % 2 == 1); // or an operand could be lost
            check(&before[3 * i], &in[3 * i], &before[3 * i + 3]);
            if (i > 0) check(&through[3 * i - 3], &in[3 * i], &through[3 * i]);
        }
    }
    SECTION("single words, in any order and in the canonical one") {
        s.element = s.value = {detail::number_kind::integer, 4};
        s.own_operator = true;
        for (const bool canonical : {false, true}) {
            const detail::known_answers a = detail::answers_of(s, n, canonical);
            std::vector<std::uint32_t> in(n), through(n), expected(n);
            std::memcpy(in.data(), a.elements.data(), 4 * n);
            std::memcpy(through.data(), a.through.data(), 4 * n);
            upsweep::reference::inclusive_scan(in.begin(), in.end(), expected.begin(),
                                               [&](std::uint32_t left, std::uint32_t right) {
                                                   return canonical ? 31 * left + right : composed(left, right);
                                               });
            CHECK(through == expected);
        }
    }
    SECTION("floats, whose order of combination shows") {
        REQUIRE(detail::host_keeps_bits());
        s.element = s.value = detail::class_of<float>();
        const detail::known_answers a = detail::answers_of(s, n, true);
        std::vector<float> in(n), through(n);
        std::memcpy(in.data(), a.elements.data(), 4 * n);
        std::memcpy(through.data(), a.through.data(), 4 * n);
        float sum = 0;
        std::size_t differ = 0;
        for (std::size_t i = 0; i < n; ++i) {
            sum += in[i];
            differ += sum != through[i] ? 1 : 0;
        }
        CHECK(differ > n / 2);
        for (const std::ptrdiff_t end : {1, 2, 127, 128, 129, 1000})
            CHECK(through[static_cast<std::size_t>(end - 1)] ==
                  upsweep::reference::reduce(in.begin(), in.begin() + end, upsweep::no_init, std::plus<>{}));
    }
    SECTION("bytes into floats, exact in any order") {
        s.element = detail::class_of<std::int8_t>();
        s.value = detail::class_of<float>();
        const detail::known_answers a = detail::answers_of(s, n, false);
        float last = 0;
        std::memcpy(&last, &a.through[4 * n - 4], 4);
        float sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += static_cast<float>(a.elements[i]);
        CHECK(last == sum);
    }
}

TEST_CASE("the arithmetic that is asked for is the host's", "[unit]") {
    const auto check = [](const detail::float_format& format, auto zero, auto bits_of_zero) {
        using T = decltype(zero);
        using bits = decltype(bits_of_zero);
        const auto number = [](std::uint64_t x) {
            const bits part = static_cast<bits>(x);
            T value;
            std::memcpy(&value, &part, sizeof value);
            return value;
        };
        for (const detail::arithmetic_probe& p : detail::arithmetic_probes(format)) {
            const volatile T product = number(p.operands[0]) * number(p.operands[1]);
            const T results[]{number(p.operands[0]) + number(p.operands[2]), product + number(p.operands[2])};
            INFO(p.lack);
            CHECK(results[0] == number(p.results[0]));
            CHECK(results[1] == number(p.results[1]));
        }
    };
    check(detail::float_formats[1], float{}, std::uint32_t{});
    check(detail::float_formats[2], double{}, std::uint64_t{});
    // Of half in float: exact before the last rounding.
    for (const detail::arithmetic_probe& p : detail::arithmetic_probes(detail::float_formats[0])) {
        const auto number = [](std::uint64_t x) {
            upsweep::half h;
            h.bits = static_cast<std::uint16_t>(x);
            return float(h);
        };
        CHECK(upsweep::half(number(p.operands[0]) + number(p.operands[2])).bits == p.results[0]);
    }
}
