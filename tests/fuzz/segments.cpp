// SPDX-License-Identifier: MIT
// Scans and reductions of segments: by keys, flags, offsets, of rows and of columns; and reduce_by_key.
#include "segment_data.hpp"

#include <functional>
#include <string>
#include <vector>

namespace fuzz {

namespace {

/// The inclusive scan of each segment alone.
template <class T, class Combine>
std::vector<T> scanned_alone(const drawn_segments<T>& s, const T* init, const Combine& combine) {
    std::vector<T> out(s.elements.size());
    std::size_t begin = 0;
    for (const std::size_t end : s.ends) {
        const auto first = s.elements.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = s.elements.begin() + static_cast<std::ptrdiff_t>(end);
        const auto to = out.begin() + static_cast<std::ptrdiff_t>(begin);
        if (init)
            upsweep::reference::inclusive_scan(first, last, to, combine, *init);
        else
            upsweep::reference::inclusive_scan(first, last, to, combine);
        begin = end;
    }
    return out;
}

/// The inclusive scan of segments by its definition (segments.hpp): the one of the flagged operator, but of columns.
template <class T, class Combine>
std::vector<T> scanned_segments(const drawn_segments<T>& s, const T* init, const Combine& combine) {
    if (s.are_alone) return scanned_alone(s, init, combine);
    struct flagged {
        T value;
        bool head;
    };
    std::vector<flagged> in, out(s.elements.size());
    for (std::size_t i = 0; i < s.elements.size(); ++i)
        in.push_back({init && s.heads[i] ? combine(*init, s.elements[i]) : s.elements[i], s.heads[i]});
    upsweep::reference::inclusive_scan(in.begin(), in.end(), out.begin(), [&](flagged left, flagged right) {
        return right.head ? right : flagged{combine(left.value, right.value), left.head};
    });
    std::vector<T> values;
    for (const flagged& f : out) values.push_back(f.value);
    return values;
}

template <class T>
upsweep::detail::initial_value<T> draw_segment_init(family_case& c, bool on_device, T init) {
    if (!on_device) return init;
    return upsweep::from(c.memory.put(std::vector<T>{init}));
}

template <class T, class Op, class Combine>
outcome run_segment_scan(family_case& c, const segment_kinds& k, const drawn_segments<T>& s, const Op& op,
                         const Combine& combine) {
    const bool in_place = c.d.once_in(3);
    if (in_place) c.note("in place");
    const auto out = in_place ? s.source : c.memory.room<T>(s.size);
    const T init = c.value<T>();
    const auto given = draw_segment_init(c, k.init_on_device, init);
    const bool by_plan = !k.has_parameter && c.draws_plan();
    const bool ran = c.runs([&] {
        if (by_plan) {
            const auto plan = upsweep::make_scan_plan(c.queue, s.view, op, c.opts);
            if (k.call == call_kind::inclusive)
                plan.inclusive_scan(c.queue, s.view, out);
            else if (k.call == call_kind::inclusive_init)
                plan.inclusive_scan(c.queue, s.view, out, given);
            else
                plan.exclusive_scan(c.queue, s.view, out, given);
        } else if (k.call == call_kind::inclusive)
            upsweep::inclusive_scan(c.queue, s.view, out, op, {}, c.opts);
        else if (k.call == call_kind::inclusive_init)
            upsweep::inclusive_scan(c.queue, s.view, out, op, given, {}, c.opts);
        else
            upsweep::exclusive_scan(c.queue, s.view, out, given, op, {}, c.opts);
    });
    if (!ran) return outcome::refused;
    const auto sums = scanned_segments(s, k.call == call_kind::inclusive ? nullptr : &init, combine);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const T value = k.call != call_kind::exclusive ? sums[i] : s.heads[i] ? init : sums[i - 1];
        c.memory.expect(upsweep::span<T>(out.buffer(), 1, out.byte_offset() + s.places[i] * sizeof(T)),
                        std::vector<T>{value});
    }
    return outcome::right;
}

template <class T, class Op, class Combine>
outcome run_segment_reduce(family_case& c, const segment_kinds& k, const drawn_segments<T>& s, const Op& op,
                           const Combine& combine) {
    const bool number_is_known = k.by > cut::flags;
    const std::size_t room =
        !number_is_known && c.d.once_in(3) ? c.d.below(s.ends.size() + 2) : s.ends.size() + c.d.below(3);
    const auto out = c.memory.room<T>(room);
    const T init = c.value<T>();
    const auto given = draw_segment_init(c, k.init_on_device, init);
    const bool has_init = k.call == call_kind::reduce_init;
    const bool by_plan = !k.has_parameter && c.draws_plan();
    const bool ran = c.runs([&] {
        if (by_plan) {
            const auto plan = upsweep::make_reduce_plan(c.queue, s.view, op, c.opts);
            has_init ? plan.reduce(c.queue, s.view, out, given) : plan.reduce(c.queue, s.view, out);
        } else if (has_init)
            upsweep::reduce(c.queue, s.view, out, given, op, {}, c.opts);
        else
            upsweep::reduce(c.queue, s.view, out, upsweep::no_init, op, {}, c.opts);
    });
    if (!ran) return outcome::refused;
    const auto sums = scanned_segments(s, has_init ? &init : nullptr, combine);
    std::vector<T> expected;
    std::size_t begin = 0;
    for (const std::size_t end : s.ends) {
        expected.push_back(end > begin ? sums[end - 1] : has_init ? init : T{});
        begin = end;
    }
    expected.resize(std::min(expected.size(), room));
    c.memory.expect(out, expected);
    return outcome::right;
}

segment_kinds draw_segment_kinds(dice& d, std::string& description) {
    segment_kinds k{static_cast<cut>(d.below(cuts)), static_cast<call_kind>(d.below(5)), d.once_in(3), d.once_in(3)};
    if (k.call == call_kind::inclusive || k.call == call_kind::reduce) k.init_on_device = false;
    static const char* const names[] = {"inclusive", "inclusive with init", "exclusive", "reduce", "reduce with init"};
    description += std::string(", ") + names[static_cast<int>(k.call)] + " by " + cut_names[static_cast<int>(k.by)] +
                   (k.computed ? ", computed" : "") + (k.init_on_device ? ", init on the device" : "");
    return k;
}

/// Combines with an operator of one's own that does not commute, or with the library's.
template <class T, bool Own>
family_call draw_segment_call(dice& d, std::string& description) {
    segment_kinds k = draw_segment_kinds(d, description);
    k.has_parameter = Own && d.once_in(2);
    if (k.has_parameter) description += ", parameter of the operator";
    return [k](family_case& c) {
        const drawn_segments<T> s = draw_segments<T>(c, k);
        const auto calls = [&](const auto& op, const auto& combine) {
            return k.call <= call_kind::exclusive ? run_segment_scan(c, k, s, op, combine)
                                                  : run_segment_reduce(c, k, s, op, combine);
        };
        if constexpr (Own) {
            const last_set<T> combine{k.has_parameter ? c.value<T>() : T{}};
            return calls(combine.on_device(k.has_parameter), combine);
        } else
            return calls(upsweep::plus{}, std::plus<>{});
    };
}

outcome run_by_key(family_case& c, bool computed) {
    using number = std::uint32_t;
    drawn_segments<number> s{upsweep::segmented_view<number>({}), {}, {}, {}, {}, {}, c.n};
    const drawn_elements<number> e = draw_elements<number>(c, c.n, computed);
    s.elements = e.values;
    fill_segments(s, draw_lengths(c.d, c.n, false));
    const std::vector<std::uint16_t> keys = draw_keys(c.d, s.heads, false);
    const auto in = c.memory.put(keys);
    const auto view = computed ? upsweep::keyed(upsweep::transform<number>("a * b", e.first, e.second), in)
                               : upsweep::keyed(e.first, in);
    const auto room = [&] { return c.d.once_in(3) ? c.d.below(s.ends.size() + 1) : s.ends.size(); };
    const auto unique = c.memory.room<std::uint16_t>(room());
    const auto sums = c.memory.room<number>(room());
    const auto count = c.memory.room<std::uint32_t>(1);
    const bool by_plan = c.draws_plan();
    const bool ran = c.runs([&] {
        if (by_plan)
            upsweep::make_reduce_by_key_plan(c.queue, view, upsweep::plus{}, c.opts)
                .reduce_by_key(c.queue, view, unique, sums, count);
        else
            upsweep::reduce_by_key(c.queue, view, unique, sums, count, upsweep::plus{}, {}, c.opts);
    });
    if (!ran) return outcome::refused;
    const std::vector<number> scanned = scanned_segments<number>(s, nullptr, std::plus<>{});
    std::vector<std::uint16_t> kept;
    std::vector<number> totals;
    for (const std::size_t end : s.ends) {
        kept.push_back(keys[end - 1]);
        totals.push_back(scanned[end - 1]);
    }
    c.memory.expect(count, {static_cast<std::uint32_t>(kept.size())});
    const std::size_t written = std::min({kept.size(), unique.size(), sums.size()});
    kept.resize(written);
    totals.resize(written);
    c.memory.expect(unique, kept);
    c.memory.expect(sums, totals);
    return outcome::right;
}

family_call draw_by_key(dice& d, std::string& description) {
    const bool computed = d.once_in(2);
    description += computed ? ", computed" : "";
    return [computed](family_case& c) { return run_by_key(c, computed); };
}

} // namespace

void add_segments(std::vector<family_member>& all) {
    all.push_back({"segments of uint, plus", draw_segment_call<std::uint32_t, false>});
    all.push_back({"segments of float, plus", draw_segment_call<float, false>});
    all.push_back({"segments of short, last set", draw_segment_call<std::int16_t, true>});
    all.push_back({"reduce_by_key", draw_by_key});
}

} // namespace fuzz
