// SPDX-License-Identifier: MIT
// The list of a tuning's fields, from which equality, program keys and programs' macros derive: no device is touched.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace upsweep::detail;
using upsweep::tile_algorithm;
using upsweep::tuning;

namespace {

struct anything {
    template <class T>
    operator T() const;
};

template <std::size_t>
using anything_for = anything;

template <class T, std::size_t... I>
auto takes(std::index_sequence<I...>) -> decltype(T{anything_for<I>{}...}, std::true_type());
template <class T>
std::false_type takes(...);

/// The members of an aggregate: one value more could not initialise it.
template <class T, std::size_t Count = 1>
constexpr std::size_t count_members() {
    if constexpr (decltype(takes<T>(std::make_index_sequence<Count + 1>()))::value)
        return count_members<T, Count + 1>();
    else
        return Count;
}

template <class T>
T another(T value) {
    if constexpr (std::is_same<T, bool>::value)
        return !value;
    else
        return static_cast<T>(static_cast<std::uint32_t>(value) + 1);
}

program_key key_with(const tuning& t) {
    program_key key;
    key.tuning = t;
    return key;
}

bool is_one_program(const tuning& a, const tuning& b) {
    return key_with(a) == key_with(b);
}

program_text floats() {
    program_text text;
    text.element = text.value = {"float", "", 4};
    text.op.body = upsweep::plus::body;
    return text;
}

/// Options and texts of all programs with a tuning.
std::string programs_of(const tuning& t) {
    std::string all = build_options(t);
    for (const family kind : {family::multi_pass, family::chunked, family::look_back, family::reduce})
        all += build_source(floats(), t, kind, false);
    return all;
}

/// Between them, each field has something to decide.
std::vector<tuning> some_tunings() {
    tuning lanes;
    lanes.algorithm = tile_algorithm::sub_group;
    lanes.lanes = lanes_backend::khr;
    lanes.reduction = upsweep::tree_reduce::interleaved;
    return {tuning{}, lanes};
}

} // namespace

TEST_CASE("every field of a tuning is visited once", "[unit]") {
    const tuning t;
    std::set<std::string> names;
    std::set<const void*> members;
    std::size_t visits = 0;
    for_each_tuning_field([&](const char* name, auto member, field_use) {
        ++visits;
        names.insert(name);
        members.insert(&(t.*member));
    });
    CHECK(visits == count_members<tuning>());
    CHECK(names.size() == visits);
    CHECK(members.size() == visits);
}

TEST_CASE("tunings are equal when every field is", "[unit]") {
    CHECK(tuning{} == tuning{});
    CHECK_FALSE(tuning{} != tuning{});
    for_each_tuning_field([](const char* name, auto member, field_use) {
        CAPTURE(name);
        tuning other;
        other.*member = another(other.*member);
        CHECK(other != tuning{});
        CHECK_FALSE(other == tuning{});
    });
}

TEST_CASE("the fields that change a program are those in its key", "[unit]") {
    for_each_tuning_field([](const char* name, auto member, field_use use) {
        CAPTURE(name);
        bool changes_program = false;
        for (const tuning& base : some_tunings()) {
            tuning other = base;
            other.*member = another(other.*member);
            CHECK(is_one_program(base, other) == !use.decides_program);
            changes_program = changes_program || programs_of(base) != programs_of(other);
        }
        CHECK(changes_program == use.decides_program);
    });
}

TEST_CASE("a field with a macro is its value in every program", "[unit]") {
    for_each_tuning_field([](const char* name, auto member, field_use use) {
        if constexpr (!std::is_enum<std::decay_t<decltype(tuning().*member)>>::value) {
            if (!use.macro) return;
            CAPTURE(name);
            CHECK(use.decides_program);
            tuning t;
            t.*member = another(t.*member);
            const std::string text = build_source(floats(), t, family::multi_pass, false);
            const std::uint32_t value = t.*member;
            CHECK_THAT(text, Catch::Matchers::ContainsSubstring(std::string("#define ") + use.macro + ' ' +
                                                                std::to_string(value) + '\n'));
        } else {
            CHECK(use.macro == nullptr); // its value would be no number
        }
    });
}
