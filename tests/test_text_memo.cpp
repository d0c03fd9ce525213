// SPDX-License-Identifier: MIT
// Texts are made once, and told apart by all that they are made of.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace detail = upsweep::detail;

namespace {

template <class... Parts>
std::string bytes_of(const Parts&... parts) {
    return std::string(detail::text_key(parts...).bytes());
}

/// The key of `T{}` and those of the same with one member changed at a time: all are different.
template <class T, class... Changes>
void check_members(const Changes&... change) {
    std::set<std::string> keys{bytes_of(T{})};
    const auto add = [&](const auto& one) {
        T changed{};
        one(changed);
        keys.insert(bytes_of(changed));
    };
    (add(change), ...);
    CHECK(keys.size() == 1 + sizeof...(change));
}

} // namespace

TEST_CASE("what texts are made of is told apart, member by member", "[unit]") {
    check_members<detail::type_text>([](auto& t) { t.name = "a"; }, [](auto& t) { t.definition = "a"; },
                                     [](auto& t) { t.size = 1; });
    check_members<detail::stage_parameter>([](auto& p) { p.name = "a"; }, [](auto& p) { p.type.name = "a"; },
                                           [](auto& p) { p.is_array = true; });
    check_members<detail::transform_stage>([](auto& s) { s.body = "a"; }, [](auto& s) { s.result.name = "a"; },
                                           [](auto& s) { s.is_test = true; }, [](auto& s) { s.of_neighbours = true; },
                                           [](auto& s) { s.label = "a"; }, [](auto& s) { s.parameters.push_back({}); },
                                           [](auto& s) { s.is_operands = true; });
    check_members<detail::hook_array>([](auto& a) { a.name = "a"; }, [](auto& a) { a.type = "a"; },
                                      [](auto& a) { a.is_written = true; });
    check_members<detail::hook_read>([](auto& r) { r.type = "a"; }, [](auto& r) { r.name = "a"; },
                                     [](auto& r) { r.text = "a"; });
    check_members<detail::listed_marks>(
        [](auto& m) { m.is_marked = "a"; }, [](auto& m) { m.value = "a"; }, [](auto& m) { m.reads.push_back({}); },
        [](auto& m) { m.body = "a"; }, [](auto& m) { m.end = "a"; }, [](auto& m) { m.stores_all = true; },
        [](auto& m) { m.elements.type = "a"; }, [](auto& m) { m.elements.count = "a"; });
    check_members<detail::operator_text>([](auto& o) { o.name = "a"; }, [](auto& o) { o.body = "a"; },
                                         [](auto& o) { o.helpers = "a"; }, [](auto& o) { o.traits.costly = true; },
                                         [](auto& o) { o.traits.exact = true; }, [](auto& o) { o.operands = "a"; });
    check_members<detail::head_text>(
        [](auto& h) { h.cut = detail::segment_cut::keys; }, [](auto& h) { h.arrays.push_back({}); },
        [](auto& h) { h.numbers = {"a"}; }, [](auto& h) { h.type.name = "a"; }, [](auto& h) { h.functions = "a"; },
        [](auto& h) { h.search_arrays.push_back({}); }, [](auto& h) { h.search_numbers = {"a"}; });
    check_members<detail::segment_form>([](auto& f) { f.results = detail::segment_results::exclusive; },
                                        [](auto& f) { f.init = detail::segment_init::number; },
                                        [](auto& f) { f.is_empty = true; }, [](auto& f) { f.in_tiles = true; });
}

TEST_CASE("parts of a text are told apart by where they end", "[unit]") {
    const std::string a = "a", b = "b", ab = "ab", none;
    const std::set<std::string> keys{bytes_of(a, b),
                                     bytes_of(ab, none),
                                     bytes_of(none, ab),
                                     bytes_of(ab),
                                     bytes_of(std::vector<std::string>{a, b}, none),
                                     bytes_of(std::vector<std::string>{a}, b),
                                     bytes_of(std::vector<std::string>{ab}, none)};
    CHECK(keys.size() == 7);
}

TEST_CASE("keys of any length have all of their parts", "[unit]") {
    for (const std::size_t length : {0U, 1U, 1007U, 1008U, 1009U, 1015U, 1016U, 1017U, 1024U, 1025U, 5000U}) {
        CAPTURE(length);
        const std::string text(length, 'x');
        const std::uint64_t number = 7;
        const auto raw = [](std::uint64_t n) { return std::string(reinterpret_cast<const char*>(&n), sizeof n); };
        CHECK(bytes_of(text, number, "end") == raw(length) + text + raw(7) + raw(3) + "end");
    }
}

TEST_CASE("a text is made once for each key, and again after many others", "[unit]") {
    int made = 0;
    const auto text_of_number = [&](int i) {
        return detail::text_made_once([&] { return ++made, std::to_string(i); }, "test of text_memo", i);
    };
    for (int round = 0; round < 3; ++round) CHECK(text_of_number(7) == "7");
    CHECK(made == 1);
    for (int i = 1000; i < 2000; ++i) CHECK(text_of_number(i) == std::to_string(i));
    CHECK(text_of_number(7) == "7");
}

TEST_CASE("where making a text throws, it is made the next time", "[unit]") {
    const auto fail = []() -> std::string { throw std::runtime_error("no"); };
    CHECK_THROWS_AS(detail::text_made_once(fail, "text that cannot be made"), std::runtime_error);
    CHECK(detail::text_made_once([] { return std::string("now"); }, "text that cannot be made") == "now");
}

TEST_CASE("programs are found by their hooks' texts, or by the number of these", "[unit]") {
    const std::string load = "load", store = "store", other_load = "l0ad", other_store = "st0re";
    const std::uint64_t first = detail::new_number_of_hooks(), second = detail::new_number_of_hooks();
    CHECK(first != 0);
    CHECK(second != 0);
    CHECK(first != second);
    const auto are_one = [](const detail::hook_view& a, const detail::hook_view& b) {
        detail::program_key left, right;
        left.text.hooks = a;
        right.text.hooks = b;
        return left == right;
    };
    CHECK(are_one({load, store, 0}, {std::string("load"), std::string("store"), 0}));
    CHECK(!are_one({load, store, 0}, {other_load, store, 0}));
    CHECK(!are_one({load, store, 0}, {load, other_store, 0}));
    CHECK(!are_one({load, store, 0}, {load, {}, 0}));
    CHECK(are_one({load, store, first}, {load, store, first}));
    CHECK(are_one({load, store, first}, {load, store, second})); // made again
    CHECK(are_one({load, store, first}, {load, store, 0}));
    CHECK(!are_one({load, store, first}, {other_load, store, second}));
    CHECK(!are_one({load, store, first}, {load, other_store, 0}));
}

TEST_CASE("threads that make texts at once get their own", "[unit][threads]") {
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&wrong, t] {
            for (int i = 0; i < 2000; ++i) {
                const int number = i % (100 + 100 * static_cast<int>(t));
                const auto make = [&] { return std::to_string(number); };
                if (detail::text_made_once(make, "text of threads", number) != std::to_string(number)) ++wrong[t];
            }
        });
    for (std::thread& each : threads) each.join();
    CHECK(wrong == std::vector<int>(4, 0));
}
