// SPDX-License-Identifier: MIT
// Selections, copy_if, partition, unique, unique_by_key and run_length_encode, against the host, for tests.
#pragma once

#include "canonical.hpp"
#include "device_fixture.hpp"

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace test {

struct keyed_triple {
    std::int32_t key;
    std::int32_t place;
    float rest;
};

/// Structs of so many words, the first of which is the key.
template <std::size_t words>
struct keyed_words {
    std::int32_t word[words];
};

constexpr int first_not_chosen = 64;

/// Text for elements of each type, and how they are made.
template <class T>
struct elements_of {
    static constexpr const char* predicate = "a < 64";
    static constexpr const char* equal = "left == right";
    static T make(int key, std::size_t) { return static_cast<T>(key); }
};
/// Vectors, and structs of words.
template <class T, class Number>
struct elements_of_numbers {
    static T make(int key, std::size_t i) {
        T element;
        Number numbers[sizeof(T) / sizeof(Number)];
        for (Number& x : numbers) x = static_cast<Number>(i);
        numbers[0] = static_cast<Number>(key);
        std::memcpy(&element, numbers, sizeof element);
        return element;
    }
};
template <class T, class Number>
struct elements_of_vector : elements_of_numbers<T, Number> {
    static constexpr const char* predicate = "a.x < 64";
    static constexpr const char* equal = "left.x == right.x";
};
template <>
struct elements_of<cl_uchar2> : elements_of_vector<cl_uchar2, std::uint8_t> {};
template <>
struct elements_of<cl_uchar4> : elements_of_vector<cl_uchar4, std::uint8_t> {};
template <>
struct elements_of<cl_short4> : elements_of_vector<cl_short4, std::int16_t> {};
template <>
struct elements_of<cl_uchar16> : elements_of_vector<cl_uchar16, std::uint8_t> {};
template <>
struct elements_of<cl_float4> : elements_of_vector<cl_float4, float> {};
template <std::size_t words>
struct elements_of<keyed_words<words>> : elements_of_numbers<keyed_words<words>, std::int32_t> {
    static constexpr const char* predicate = "a.word[0] < 64";
    static constexpr const char* equal = "left.word[0] == right.word[0]";
};
template <>
struct elements_of<keyed_triple> {
    static constexpr const char* predicate = "if (a.key < 64)\n  return true;\nreturn false;";
    static constexpr const char* equal = "left.key == right.key";
    static keyed_triple make(int key, std::size_t i) {
        return {key, static_cast<std::int32_t>(i), static_cast<float>(key) / 2};
    }
};

/// Which elements are chosen, or begin a run: none, all, every second one, or so many of a hundred.
inline std::vector<bool> marks_of(std::size_t n, int percent) {
    std::mt19937 random(static_cast<std::uint32_t>(n) + static_cast<std::uint32_t>(percent));
    std::vector<bool> marks(n);
    for (std::size_t i = 0; i < n; ++i)
        marks[i] = percent < 0 ? i % 2 == 0 : static_cast<int>(random() % 100) < percent;
    return marks;
}
constexpr int every_second = -1;
constexpr int selection_patterns[] = {0, 100, every_second, 10, 50, 90};
constexpr std::size_t selection_sizes[] = {0, 1, 2, 127, 128, 129, 513, 8195};

/// The count, and what lies behind it.
template <class Count>
std::size_t count_of(const guarded_array<Count>& count) {
    CHECK(count.untouched_outside(1));
    return static_cast<std::size_t>(count.values()[0]);
}

/// Elements of which `marks` says which are chosen, by the subject's text and by flags; and the host's selections.
template <class T>
struct host_choices {
    explicit host_choices(const std::vector<bool>& marks) {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            const int low = static_cast<int>(i % 63);
            input.push_back(elements_of<T>::make(marks[i] ? low : first_not_chosen + low, i));
            flags.push_back(marks[i] ? static_cast<std::int16_t>(-low - 1) : std::int16_t{0});
            (marks[i] ? chosen : others).push_back(input.back());
        }
    }
    std::vector<T> input, chosen, others;
    std::vector<std::int16_t> flags;
};

template <class T>
void check_copy_if(const std::vector<bool>& marks, const upsweep::options& opts) {
    const host_choices<T> host(marks);
    const guarded_array<T> in(host.input, 5);
    const guarded_array<T> out(marks.size());
    const guarded_array<std::uint32_t> count(1);
    upsweep::copy_if(queue(), in.view(), out.view(), count.view(), elements_of<T>::predicate, {}, opts);
    CHECK(count_of(count) == host.chosen.size());
    check_begins(out, host.chosen);
    CHECK(test::same_bits(in.values(), host.input));
}

template <class T>
void check_flags(const std::vector<bool>& marks, const upsweep::options& opts) {
    const host_choices<T> host(marks);
    const guarded_array<T> in(host.input, 5);
    const guarded_array<std::int16_t> flags(host.flags);
    const guarded_array<T> out(marks.size());
    const guarded_array<std::uint64_t> count(1);
    upsweep::copy_if(queue(), in.view(), out.view(), count.view(), flags.view(), {}, opts);
    CHECK(count_of(count) == host.chosen.size());
    check_begins(out, host.chosen);
}

template <class T>
void check_partition(const std::vector<bool>& marks, const upsweep::options& opts) {
    host_choices<T> host(marks);
    const guarded_array<T> in(host.input, 5);
    const guarded_array<T> out(marks.size());
    const guarded_array<std::uint32_t> count(1);
    upsweep::partition(queue(), in.view(), out.view(), count.view(), elements_of<T>::predicate, {}, opts);
    CHECK(count_of(count) == host.chosen.size());
    host.chosen.insert(host.chosen.end(), host.others.begin(), host.others.end());
    check_begins(out, host.chosen);
}

/// Elements of which `heads` says where runs begin; and what the host makes of the runs.
template <class T>
struct host_runs {
    explicit host_runs(const std::vector<bool>& heads) {
        int key = 0;
        for (std::size_t i = 0; i < heads.size(); ++i) {
            const bool begins = i == 0 || heads[i];
            key += begins ? 1 : 0;
            input.push_back(elements_of<T>::make(key % 100, i));
            values.push_back(static_cast<std::int16_t>(i));
            if (begins) {
                firsts.push_back(input.back());
                first_values.push_back(values.back());
                lengths.push_back(0);
            }
            ++lengths.back();
        }
    }
    std::vector<T> input, firsts;
    std::vector<std::int16_t> values, first_values;
    std::vector<std::uint32_t> lengths;
};

template <class T>
void check_unique(const std::vector<bool>& heads, const upsweep::options& opts) {
    const host_runs<T> host(heads);
    const guarded_array<T> in(host.input, 3);
    const guarded_array<T> out(heads.size());
    const guarded_array<std::uint32_t> count(1);
    upsweep::unique(queue(), in.view(), out.view(), count.view(), elements_of<T>::equal, {}, opts);
    CHECK(count_of(count) == host.firsts.size());
    check_begins(out, host.firsts);
}

template <class T>
void check_unique_by_key(const std::vector<bool>& heads, const upsweep::options& opts) {
    const host_runs<T> host(heads);
    const guarded_array<T> in(host.input, 3);
    const guarded_array<std::int16_t> values(host.values);
    const guarded_array<T> out(heads.size());
    const guarded_array<std::int16_t> out_values(heads.size());
    const guarded_array<std::uint32_t> count(1);
    upsweep::unique_by_key(queue(), in.view(), values.view(), out.view(), out_values.view(), count.view(),
                           elements_of<T>::equal, {}, opts);
    CHECK(count_of(count) == host.firsts.size());
    check_begins(out, host.firsts);
    check_begins(out_values, host.first_values);
}

template <class T>
void check_lengths(const std::vector<bool>& heads, const upsweep::options& opts) {
    const host_runs<T> host(heads);
    const guarded_array<T> in(host.input, 3);
    const guarded_array<T> out(heads.size());
    const guarded_array<std::uint32_t> lengths(heads.size());
    const guarded_array<std::uint32_t> count(1);
    upsweep::run_length_encode(queue(), in.view(), out.view(), lengths.view(), count.view(), elements_of<T>::equal, {},
                               opts);
    CHECK(count_of(count) == host.firsts.size());
    check_begins(out, host.firsts);
    check_begins(lengths, host.lengths);
}

using selection_check = void (*)(const std::vector<bool>& marks, const upsweep::options& opts);

template <class T>
void run_selections(const std::vector<selection_check>& checks, const upsweep::options& opts) {
    if (!test::has_type<T>()) return;
    for (const selection_check each : checks)
        for (const std::size_t n : selection_sizes)
            for (const int percent : selection_patterns) {
                CAPTURE(upsweep::type<T>::name, n, percent, static_cast<int>(opts.strategy), opts.work_items);
                each(marks_of(n, percent), opts);
            }
}

/// All calls but those that another one has in it.
template <class T>
void check_selections_of() {
    run_selections<T>({check_copy_if<T>, check_partition<T>, check_unique_by_key<T>, check_lengths<T>}, {});
}

} // namespace test

template <>
struct upsweep::type<test::keyed_triple> {
    static constexpr const char* name = "keyed_triple";
    static constexpr const char* definition = "typedef struct { int key, place; float rest; } keyed_triple;";
};
template <std::size_t words>
struct upsweep::type<test::keyed_words<words>> {
    static constexpr const char* name = words == 2 ? "keyed_2" : words == 4 ? "keyed_4" : "keyed_6";
    static constexpr const char* definition = words == 2   ? "typedef struct { int word[2]; } keyed_2;"
                                              : words == 4 ? "typedef struct { int word[4]; } keyed_4;"
                                                           : "typedef struct { int word[6]; } keyed_6;";
};
