// SPDX-License-Identifier: MIT
// copy_if, partition, unique, unique_by_key and run_length_encode.
#include "family.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace fuzz {

namespace {

using number = std::int32_t;

/// A selection's input: a view, and its elements.
struct chosen_from {
    upsweep::transform_view<number> view;
    std::vector<number> elements;
};

/// The first of a view or all of it, as a number on the device says; the elements are cut as well.
chosen_from cut(family_case& c, chosen_from all, bool counted) {
    if (!counted) return all;
    const std::uint32_t few = static_cast<std::uint32_t>(c.d.below(c.n + c.n / 4 + 2));
    c.note("first " + std::to_string(few));
    const auto count = c.memory.put(std::vector<std::uint32_t>{few});
    all.elements.resize(std::min<std::size_t>(few, c.n));
    return {upsweep::first(all.view, count), all.elements};
}

/// Elements in memory, computed ones or places.
chosen_from draw_input(family_case& c, int kind) {
    if (kind == 0) {
        std::vector<number> places(c.n);
        for (std::size_t i = 0; i < c.n; ++i) places[i] = static_cast<number>(i);
        return {upsweep::counting<number>(c.n), places};
    }
    const std::vector<number> x = c.values<number>(c.n), y = c.values<number>(c.n);
    const auto first = c.memory.put(x);
    if (kind == 1) return {upsweep::transform<number>("a", first), x};
    chosen_from result{upsweep::transform<number>("a + 2 * b", first, c.memory.put(y)), x};
    for (std::size_t i = 0; i < c.n; ++i) result.elements[i] = x[i] + 2 * y[i];
    return result;
}

/// What chooses, and what it chooses of `elements`.
struct drawn_choice {
    upsweep::choice which;
    std::vector<bool> chosen;
};

drawn_choice draw_choice(family_case& c, int kind, const std::vector<number>& elements) {
    std::vector<bool> chosen(elements.size());
    if (kind == 0) {
        for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = (elements[i] + static_cast<number>(i)) % 3 == 0;
        return {"(a + (int)i) % 3 == 0", chosen};
    }
    std::vector<std::uint8_t> flags(c.n);
    const std::size_t density = c.d.pick<std::size_t>({1, 2, 10, 1000000});
    for (std::uint8_t& flag : flags) flag = c.d.once_in(density) ? static_cast<std::uint8_t>(1 + c.d.below(255)) : 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = flags[i] != 0;
    if (kind == 1) return {c.memory.put(flags), chosen};
    const std::vector<number> other = c.values<number>(c.n);
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = flags[i] != 0 && other[i] > 0;
    return {upsweep::transform<number>("a != 0 && b > 0", c.memory.put(flags), c.memory.put(other)), chosen};
}

/// Where the count goes: of 32 or 64 bits.
struct drawn_count {
    upsweep::span<std::uint32_t> narrow;
    upsweep::span<std::uint64_t> wide;

    drawn_count(family_case& c, bool is_wide) {
        if (is_wide)
            wide = c.memory.room<std::uint64_t>(1);
        else
            narrow = c.memory.room<std::uint32_t>(1);
    }
    template <class Call>
    void with(const Call& call) const {
        wide.size() > 0 ? call(wide) : call(narrow);
    }
    void expect(family_case& c, std::size_t count) const {
        if (wide.size() > 0)
            c.memory.expect(wide, {count});
        else
            c.memory.expect(narrow, {static_cast<std::uint32_t>(count)});
    }
};

/// Room for n results; now and then for fewer.
std::size_t draw_room(family_case& c) {
    const std::size_t room = c.d.once_in(4) ? c.d.below(c.n + 1) : c.n;
    if (room < c.n) c.note("room for " + std::to_string(room));
    return room;
}

template <class T>
void expect_some(family_case& c, const upsweep::span<T>& array, std::vector<T> values, std::size_t room) {
    values.resize(std::min(values.size(), room));
    c.memory.expect(array, values);
}

struct selection_kinds {
    int input, choice;
    bool counted, wide;
};

selection_kinds draw_kinds(dice& d, std::string& description) {
    const selection_kinds k{d.between(0, 2), d.between(0, 2), d.once_in(4), d.once_in(3)};
    description += std::string(k.input == 0   ? ", places"
                               : k.input == 1 ? ", array"
                                              : ", computed") +
                   (k.choice == 0   ? " by a text"
                    : k.choice == 1 ? " by flags"
                                    : " by a stencil") +
                   (k.counted ? ", counted" : "") + (k.wide ? ", wide count" : "");
    return k;
}

outcome run_choice(family_case& c, const selection_kinds& k, bool parts) {
    const chosen_from in = cut(c, draw_input(c, k.input), k.counted);
    const drawn_choice choice = draw_choice(c, k.choice, in.elements);
    std::vector<number> kept, others;
    for (std::size_t i = 0; i < in.elements.size(); ++i) (choice.chosen[i] ? kept : others).push_back(in.elements[i]);
    const auto out = c.memory.room<number>(parts ? c.n : draw_room(c));
    const drawn_count count(c, k.wide);
    const bool by_plan = c.draws_plan();
    const bool ran = c.runs([&] {
        count.with([&](auto place) {
            using count_type = typename decltype(place)::value_type;
            if (by_plan && parts)
                upsweep::partition_plan<number, number, count_type>(c.queue, in.view, choice.which, c.opts)
                    .partition(c.queue, in.view, out, place);
            else if (by_plan)
                upsweep::copy_if_plan<number, number, count_type>(c.queue, in.view, choice.which, c.opts)
                    .copy_if(c.queue, in.view, out, place, choice.which);
            else if (parts)
                upsweep::partition(c.queue, in.view, out, place, choice.which, {}, c.opts);
            else
                upsweep::copy_if(c.queue, in.view, out, place, choice.which, {}, c.opts);
        });
    });
    if (!ran) return outcome::refused;
    count.expect(c, kept.size());
    if (parts) kept.insert(kept.end(), others.begin(), others.end());
    expect_some(c, out, kept, out.size());
    return outcome::right;
}

template <bool Parts>
family_call draw_choosing(dice& d, std::string& description) {
    const selection_kinds k = draw_kinds(d, description);
    return [k](family_case& c) { return run_choice(c, k, Parts); };
}

/// The first of each run, and its length.
struct runs_of {
    std::vector<number> first;
    std::vector<std::size_t> begins;

    template <class Equal>
    runs_of(const std::vector<number>& x, const Equal& equal) {
        for (std::size_t i = 0; i < x.size(); ++i)
            if (i == 0 || !equal(x[i - 1], x[i])) {
                first.push_back(x[i]);
                begins.push_back(i);
            }
    }
    std::vector<std::uint32_t> lengths(std::size_t n) const {
        std::vector<std::uint32_t> result;
        for (std::size_t k = 0; k < begins.size(); ++k)
            result.push_back(static_cast<std::uint32_t>((k + 1 < begins.size() ? begins[k + 1] : n) - begins[k]));
        return result;
    }
};

enum class runs_call { unique, by_key, encode };

template <class Count>
void run_plan(family_case& c, runs_call what, const upsweep::transform_view<number>& in,
              const upsweep::span<float>& values, const upsweep::span<number>& out,
              const upsweep::span<float>& out_values, const upsweep::span<std::uint32_t>& lengths,
              const upsweep::span<Count>& count, const std::string& equal) {
    if (what == runs_call::unique)
        upsweep::unique_plan<number, number, Count>(c.queue, in, equal, c.opts).unique(c.queue, in, out, count);
    else if (what == runs_call::by_key)
        upsweep::unique_by_key_plan<number, float, number, float, Count>(c.queue, in, values, equal, c.opts)
            .unique_by_key(c.queue, in, values, out, out_values, count);
    else
        upsweep::run_length_encode_plan<number, std::uint32_t, number, Count>(c.queue, in, equal, c.opts)
            .run_length_encode(c.queue, in, out, lengths, count);
}

outcome run_runs(family_case& c, const selection_kinds& k, runs_call what) {
    const chosen_from in = cut(c, draw_input(c, k.input), k.counted);
    const bool coarse = k.choice == 0;
    const std::string equal = coarse ? "left / 4 == right / 4" : "left == right";
    const runs_of runs(in.elements, [&](number a, number b) { return coarse ? a / 4 == b / 4 : a == b; });
    const auto out = c.memory.room<number>(draw_room(c));
    const drawn_count count(c, k.wide);
    const std::vector<float> values = c.values<float>(what == runs_call::by_key ? c.n : 0);
    const auto values_in = c.memory.put(values);
    const auto values_out = c.memory.room<float>(what == runs_call::by_key ? draw_room(c) : 0);
    const auto lengths = c.memory.room<std::uint32_t>(what == runs_call::encode ? draw_room(c) : 0);
    const bool by_plan = c.draws_plan();
    const bool ran = c.runs([&] {
        count.with([&](auto place) {
            if (by_plan)
                run_plan(c, what, in.view, values_in, out, values_out, lengths, place, equal);
            else if (what == runs_call::unique)
                upsweep::unique(c.queue, in.view, out, place, equal, {}, c.opts);
            else if (what == runs_call::by_key)
                upsweep::unique_by_key(c.queue, in.view, values_in, out, values_out, place, equal, {}, c.opts);
            else
                upsweep::run_length_encode(c.queue, in.view, out, lengths, place, equal, {}, c.opts);
        });
    });
    if (!ran) return outcome::refused;
    count.expect(c, runs.first.size());
    // The smaller of two outputs says how much is written.
    const std::size_t room = std::min({out.size(), what == runs_call::by_key ? values_out.size() : c.n,
                                       what == runs_call::encode ? lengths.size() : c.n});
    std::vector<float> kept;
    for (const std::size_t at : runs.begins)
        if (what == runs_call::by_key) kept.push_back(values[at]);
    expect_some(c, out, runs.first, room);
    expect_some(c, values_out, kept, room);
    if (what == runs_call::encode) expect_some(c, lengths, runs.lengths(in.elements.size()), room);
    return outcome::right;
}

template <runs_call What>
family_call draw_runs(dice& d, std::string& description) {
    const selection_kinds k = draw_kinds(d, description);
    return [k](family_case& c) { return run_runs(c, k, What); };
}

/// Of host memory, into itself, too.
outcome run_on_host(family_case& c, bool parts) {
    std::vector<number> x = c.values<number>(c.n), kept, others;
    for (const number e : x) (e > 0 ? kept : others).push_back(e);
    const std::size_t count = kept.size();
    std::vector<number> out(c.n, -77);
    const bool in_place = c.d.once_in(2);
    std::vector<number>& to = in_place ? x : out;
    std::size_t end = 0;
    const bool ran = c.runs([&] {
        const auto last = parts ? upsweep::partition(c.env.in_order, x.begin(), x.end(), to.begin(), "a > 0", c.opts)
                                : upsweep::copy_if(c.env.in_order, x.begin(), x.end(), to.begin(), "a > 0", c.opts);
        end = static_cast<std::size_t>(last - to.begin());
    });
    if (!ran) return outcome::refused;
    if (parts) kept.insert(kept.end(), others.begin(), others.end());
    if (end != count) throw failure("the returned end is not the one of what was kept");
    if (!std::equal(kept.begin(), kept.end(), to.begin())) throw failure("other elements than should be kept");
    for (std::size_t i = kept.size(); i < c.n && !in_place; ++i)
        if (out[i] != -77) throw failure("written behind what was kept");
    return outcome::right;
}

family_call draw_on_host(dice& d, std::string& description) {
    const bool parts = d.once_in(2);
    description += parts ? ", partition" : ", copy_if";
    return [parts](family_case& c) { return run_on_host(c, parts); };
}

} // namespace

void add_selections(std::vector<family_member>& all) {
    all.push_back({"copy_if", draw_choosing<false>});
    all.push_back({"partition", draw_choosing<true>});
    all.push_back({"unique", draw_runs<runs_call::unique>});
    all.push_back({"unique_by_key", draw_runs<runs_call::by_key>});
    all.push_back({"run_length_encode", draw_runs<runs_call::encode>});
    all.push_back({"selection of host memory", draw_on_host});
}

} // namespace fuzz
