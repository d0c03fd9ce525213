// SPDX-License-Identifier: MIT
// Scans and reductions of computed elements.
#include "family.hpp"

#include <functional>
#include <string>
#include <vector>

namespace fuzz {

namespace {

/// A view, its elements, and an array that it reads, in which results may be stored.
template <class T>
struct drawn_view {
    upsweep::transform_view<T> view;
    std::vector<T> elements;
    upsweep::span<T> source;
};

/// n elements, each of its place.
template <class T, class Element>
std::vector<T> elements_of(std::size_t n, const Element& element) {
    std::vector<T> result(n);
    for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<T>(element(i));
    return result;
}

constexpr int view_kinds = 6;
const char* const view_names[view_kinds] = {"places",          "a copy",     "a product",
                                            "with parameters", "two stages", "eight arrays"};

template <class T>
drawn_view<T> draw_view(family_case& c, int kind) {
    const std::string name = upsweep::type<T>::name;
    const std::size_t n = c.n;
    if (kind == 0 && std::is_integral<T>::value)
        return {upsweep::counting<T>(n), elements_of<T>(n, [](std::size_t i) { return i; }), {}};
    if (kind == 0)
        return {upsweep::transform<T>("i % 9", n), elements_of<T>(n, [](std::size_t i) { return i % 9; }), {}};
    const std::vector<T> x = c.values<T>(n);
    const auto source = c.memory.put(x);
    if (kind == 1) return {upsweep::transform<T>("a", source), x, source};
    const std::vector<T> y = c.values<T>(n);
    const auto second = c.memory.put(y);
    if (kind == 2)
        return {upsweep::transform<T>("a * b", source, second),
                elements_of<T>(n, [&](std::size_t i) { return x[i] * y[i]; }), source};
    if (kind == 3) {
        const T scale = c.value<T>();
        const std::vector<T> table = c.values<T>(4);
        return {upsweep::transform<T>("a * scale + table[i % 4] - b", source, second)
                    .with("table", c.memory.put(table))
                    .with("scale", scale),
                elements_of<T>(n, [&](std::size_t i) { return x[i] * scale + table[i % 4] - y[i]; }), source};
    }
    if (kind == 4) {
        const std::vector<std::uint8_t> z = c.values<std::uint8_t>(n);
        const auto sum = upsweep::transform<T>("a - b + (" + name + ")c", source, second, c.memory.put(z));
        return {upsweep::transform<T>("a * (" + name + ")(i % 3)", sum),
                elements_of<T>(n,
                               [&](std::size_t i) {
                                   const T first = x[i] - y[i] + static_cast<T>(z[i]);
                                   return first * static_cast<T>(i % 3);
                               }),
                source};
    }
    const auto& s = source;
    const auto& t = second;
    return {upsweep::transform<T>("a + b - c + d - e + f - g + h", s, t, s, t, s, t, t, s),
            elements_of<T>(n, [&](std::size_t i) { return x[i] + y[i] - x[i] + y[i] - x[i] + y[i] - y[i] + x[i]; }),
            source};
}

enum class scan_call { inclusive, inclusive_init, exclusive, reduce, reduce_init, reduce_to_host };

struct scan_kinds {
    int view;
    scan_call call;
    bool counted, with_total, converted, init_on_device, has_parameter = false;
};

scan_kinds draw_scan(dice& d, std::string& description) {
    scan_kinds k{d.between(0, view_kinds - 1),
                 static_cast<scan_call>(d.between(0, 5)),
                 d.once_in(4),
                 false,
                 false,
                 d.once_in(3)};
    const bool scans = k.call <= scan_call::exclusive;
    if (scans) (d.once_in(3) ? k.with_total : k.converted) = d.once_in(2);
    k.init_on_device = k.init_on_device && (k.call != scan_call::inclusive && k.call != scan_call::reduce &&
                                            k.call != scan_call::reduce_to_host);
    static const char* const names[] = {"inclusive", "inclusive with init", "exclusive",
                                        "reduce",    "reduce with init",    "reduce to the host"};
    description += std::string(", ") + names[static_cast<int>(k.call)] + " of " + view_names[k.view] +
                   (k.counted ? ", counted" : "") + (k.with_total ? ", with total" : "") +
                   (k.converted ? ", converted" : "") + (k.init_on_device ? ", init on the device" : "");
    return k;
}

using upsweep::detail::initial_value;

/// An initial value from the host, or from a buffer.
template <class T>
initial_value<T> draw_init(family_case& c, bool on_device, T init) {
    if (!on_device) return init;
    return upsweep::from(c.memory.put(std::vector<T>{init}));
}

/// What a scan gives in the canonical order.
template <class T, class Combine>
std::vector<T> scanned_on_host(const std::vector<T>& x, scan_call call, T init, const Combine& combine) {
    std::vector<T> out(x.size());
    if (call == scan_call::inclusive)
        upsweep::reference::inclusive_scan(x.begin(), x.end(), out.begin(), combine);
    else if (call == scan_call::inclusive_init)
        upsweep::reference::inclusive_scan(x.begin(), x.end(), out.begin(), combine, init);
    else
        upsweep::reference::exclusive_scan(x.begin(), x.end(), out.begin(), init, combine);
    return out;
}

template <class T, class Combine>
T reduced_on_host(const std::vector<T>& x, bool has_init, T init, const Combine& combine) {
    if (has_init) return upsweep::reference::reduce(x.begin(), x.end(), init, combine);
    return upsweep::reference::reduce(x.begin(), x.end(), upsweep::no_init, combine);
}

/// One scan to `out`: a span, one with a total, or one that converts.
template <class T, class Out, class Value, class Op>
void scan(family_case& c, scan_call call, const upsweep::transform_view<T>& view, const Out& out,
          const initial_value<Value>& init, const Op& op) {
    if (call == scan_call::inclusive)
        upsweep::inclusive_scan(c.queue, view, out, op, {}, c.opts);
    else if (call == scan_call::inclusive_init)
        upsweep::inclusive_scan(c.queue, view, out, op, init, {}, c.opts);
    else
        upsweep::exclusive_scan(c.queue, view, out, init, op, {}, c.opts);
}

/// Where results go: an array of their own, or one that the view reads.
template <class T>
upsweep::span<T> draw_output(family_case& c, const drawn_view<T>& in) {
    if (in.source.size() == 0 || !c.d.once_in(3)) return c.memory.room<T>(c.n);
    c.note("in place");
    return in.source;
}

template <class T, class Op, class Combine>
outcome run_scan(family_case& c, const scan_kinds& k, const drawn_view<T>& in, const Op& op, const Combine& combine) {
    const auto out = draw_output(c, in);
    const auto total = c.memory.room<T>(k.with_total ? 1 : 0);
    const T init = c.value<T>();
    const initial_value<T> given = draw_init(c, k.init_on_device, init);
    const bool ran = c.runs([&] {
        if (k.with_total)
            scan(c, k.call, in.view, upsweep::with_total(out, total), given, op);
        else
            scan(c, k.call, in.view, out, given, op);
    });
    if (!ran) return outcome::refused;
    if (k.with_total)
        c.memory.expect(total, {reduced_on_host(in.elements, k.call != scan_call::inclusive, init, combine)});
    c.memory.expect(out, scanned_on_host(in.elements, k.call, init, combine));
    return outcome::right;
}

/// Combined in Value, stored in T.
template <class Value, class T>
outcome run_converted(family_case& c, const scan_kinds& k, const drawn_view<T>& in) {
    const auto out = draw_output(c, in);
    const Value init = static_cast<Value>(c.value<T>());
    const initial_value<Value> given = draw_init(c, k.init_on_device, init);
    const auto to = upsweep::accumulate_in<Value>(out);
    const bool is_double = std::is_same<Value, double>::value;
    const verdict v = is_double && !c.env.limits->has_double ? verdict::refused : c.expected;
    if (!c.runs([&] { scan(c, k.call, in.view, to, given, upsweep::plus{}); }, v)) return outcome::refused;
    const std::vector<Value> widened(in.elements.begin(), in.elements.end());
    const std::vector<Value> sums = scanned_on_host(widened, k.call, init, std::plus<>{});
    c.memory.expect(out, elements_of<T>(sums.size(), [&](std::size_t i) { return static_cast<T>(sums[i]); }));
    return outcome::right;
}

template <class T, class Op, class Combine>
outcome run_reduce(family_case& c, const scan_kinds& k, const drawn_view<T>& in, const Op& op, const Combine& combine) {
    const bool has_init = k.call != scan_call::reduce;
    const T init = c.value<T>();
    const initial_value<T> given = draw_init(c, k.init_on_device, init);
    const T expected = reduced_on_host(in.elements, has_init, init, combine);
    const auto result = c.memory.room<T>(1);
    T on_host{};
    const bool ran = c.runs([&] {
        if (k.call == scan_call::reduce_to_host)
            on_host = upsweep::reduce(c.queue, in.view, init, op, {}, c.opts);
        else if (k.call == scan_call::reduce)
            upsweep::reduce(c.queue, in.view, result, upsweep::no_init, op, {}, c.opts);
        else
            upsweep::reduce(c.queue, in.view, result, given, op, {}, c.opts);
    });
    if (!ran) return outcome::refused;
    if (k.call != scan_call::reduce_to_host)
        c.memory.expect(result, {expected});
    else if (std::memcmp(&on_host, &expected, sizeof expected) != 0)
        throw failure("the result on the host has the bytes " + hex(on_host) + ", should have " + hex(expected));
    return outcome::right;
}

template <class T>
drawn_view<T> draw_cut_view(family_case& c, int kind, bool counted) {
    drawn_view<T> in = draw_view<T>(c, kind);
    if (!counted) return in;
    const std::uint64_t few = c.d.once_in(9) ? ~std::uint64_t{0} : c.d.below(c.n + c.n / 4 + 2);
    c.note("first " + std::to_string(few));
    in.view = upsweep::first(in.view, c.memory.put(std::vector<std::uint64_t>{few}));
    if (few < c.n) in.elements.resize(static_cast<std::size_t>(few));
    return in;
}

/// Combines with an operator of one's own that does not commute, or with the library's.
template <class T, class Value, bool Own>
family_call draw_scan_of(dice& d, std::string& description) {
    scan_kinds k = draw_scan(d, description);
    k.has_parameter = Own && d.once_in(2);
    if (k.has_parameter) description += ", parameter of the operator";
    return [k](family_case& c) {
        const drawn_view<T> in = draw_cut_view<T>(c, k.view, k.counted);
        if (k.converted && !Own) return run_converted<Value>(c, k, in);
        const auto calls = [&](const auto& op, const auto& combine) {
            return k.call <= scan_call::exclusive ? run_scan(c, k, in, op, combine) : run_reduce(c, k, in, op, combine);
        };
        if constexpr (Own) {
            const last_set<T> combine{k.has_parameter ? c.value<T>() : T{}};
            return calls(combine.on_device(k.has_parameter), combine);
        } else
            return calls(upsweep::plus{}, std::plus<>{});
    };
}

} // namespace

void add_views(std::vector<family_member>& all) {
    all.push_back({"view of uint, plus", draw_scan_of<std::uint32_t, std::uint64_t, false>});
    all.push_back({"view of uint, last set", draw_scan_of<std::uint32_t, std::uint64_t, true>});
    all.push_back({"view of float, plus", draw_scan_of<float, double, false>});
}

} // namespace fuzz
