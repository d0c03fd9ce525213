// SPDX-License-Identifier: MIT
// Segments: how arrays are cut, and what the host knows of them.
#pragma once

#include "family.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace fuzz {

enum class cut { keys, equal_keys, flags, offsets, wide_offsets, rows, columns };
constexpr int cuts = 7;
const char* const cut_names[cuts] = {"keys", "keys by a text", "flags", "offsets", "wide offsets", "rows", "columns"};

enum class call_kind { inclusive, inclusive_init, exclusive, reduce, reduce_init };

struct segment_kinds {
    cut by;
    call_kind call;
    bool computed, init_on_device, has_parameter = false;
};

/// Elements that are cut, as the device has them and as the host computes with them.
template <class T>
struct drawn_segments {
    upsweep::segmented_view<T> view;
    std::vector<T> elements;         ///< segment after segment
    std::vector<bool> heads;         ///< where segments begin that have elements
    std::vector<std::size_t> places; ///< where each element lies, of the array
    std::vector<std::size_t> ends;   ///< elements before the end of each segment, of empty ones, too
    upsweep::span<T> source;         ///< in which results may be stored
    std::size_t size = 0;            ///< elements of the array
    bool are_alone = false;          ///< each is combined as if there were no others
};

/// Lengths of segments of n elements together.
inline std::vector<std::size_t> draw_lengths(dice& d, std::size_t n, bool may_be_empty) {
    const std::size_t longest = d.pick<std::size_t>({1, 3, 20, 200, 5000, 100000});
    const std::size_t giant = d.once_in(3) ? d.below(n + 1) : 0;
    const std::size_t empty = may_be_empty ? d.pick<std::size_t>({1000000, 3, 2}) : 0;
    std::vector<std::size_t> lengths;
    for (std::size_t left = n; left > 0;) {
        std::size_t length = lengths.size() == 3 && giant > 0 ? giant : 1 + d.below(longest);
        if (may_be_empty && d.once_in(empty)) length = 0;
        length = std::min(length, left);
        lengths.push_back(length);
        left -= length;
    }
    for (std::size_t more = may_be_empty && d.once_in(2) ? d.below(300) : 0; more > 0; --more) lengths.push_back(0);
    return lengths;
}

template <class T>
void fill_segments(drawn_segments<T>& s, const std::vector<std::size_t>& lengths) {
    s.heads.assign(s.elements.size(), false);
    std::size_t end = 0;
    for (const std::size_t length : lengths) {
        if (length > 0) s.heads[end] = true;
        s.ends.push_back(end += length);
    }
}

/// Keys of segments: neighbours differ, others may be equal; by a text those of a group of four are equal.
inline std::vector<std::uint16_t> draw_keys(dice& d, const std::vector<bool>& heads, bool by_text) {
    std::vector<std::uint16_t> keys(heads.size());
    unsigned key = static_cast<unsigned>(d.below(7));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (heads[i]) key = (key + 1 + static_cast<unsigned>(d.below(5))) % 7;
        keys[i] = static_cast<std::uint16_t>(by_text ? 4 * key + d.below(4) : key);
    }
    return keys;
}

/// The view of `x`, a span or computed elements.
template <class T, class Elements>
upsweep::segmented_view<T> cut_elements(family_case& c, cut by, const Elements& x, const drawn_segments<T>& s) {
    if (by == cut::keys || by == cut::equal_keys) {
        const auto keys = c.memory.put(draw_keys(c.d, s.heads, by == cut::equal_keys));
        return by == cut::keys ? upsweep::keyed(x, keys) : upsweep::keyed(x, keys, "left / 4 == right / 4");
    }
    if (by == cut::flags) {
        std::vector<std::uint8_t> flags(s.heads.size());
        for (std::size_t i = 0; i < flags.size(); ++i)
            flags[i] = s.heads[i] ? static_cast<std::uint8_t>(1 + c.d.below(255)) : 0;
        if (!flags.empty() && c.d.once_in(2)) flags[0] = 0; // a segment begins there in any case
        return upsweep::flagged(x, c.memory.put(flags));
    }
    if (by == cut::offsets) {
        std::vector<std::uint32_t> offsets{0};
        for (const std::size_t end : s.ends) offsets.push_back(static_cast<std::uint32_t>(end));
        return upsweep::segments(x, c.memory.put(offsets));
    }
    std::vector<std::uint64_t> offsets{0};
    for (const std::size_t end : s.ends) offsets.push_back(end);
    return upsweep::segments(x, c.memory.put(offsets));
}

/// The array's elements, in memory or computed of two arrays.
template <class T>
struct drawn_elements {
    std::vector<T> values;
    upsweep::span<T> first, second;
};

template <class T>
drawn_elements<T> draw_elements(family_case& c, std::size_t n, bool computed) {
    drawn_elements<T> e;
    const std::vector<T> x = c.values<T>(n), y = c.values<T>(computed ? n : 0);
    e.first = c.memory.put(x);
    e.second = c.memory.put(y);
    e.values = x;
    for (std::size_t i = 0; i < y.size(); ++i) e.values[i] = x[i] * y[i];
    return e;
}

/// Rows or columns of an array with a pitch.
template <class T>
drawn_segments<T> draw_grid(family_case& c, const segment_kinds& k) {
    std::size_t width = 1 + c.d.below(c.d.pick<std::size_t>({1, 3, 40, 3000}));
    const std::size_t height = c.n / width;
    if (c.d.once_in(30)) width = 0;
    const std::size_t pitch = width + (c.d.once_in(2) ? c.d.below(5) : 0);
    c.note(std::to_string(height) + " x " + std::to_string(width) + ", pitch " + std::to_string(pitch));
    drawn_segments<T> s{upsweep::segmented_view<T>({}), {}, {}, {}, {}, {}, 0};
    s.size = height == 0 ? 0 : (height - 1) * pitch + width;
    const drawn_elements<T> e = draw_elements<T>(c, s.size, k.computed);
    s.source = e.first;
    const bool rows = k.by == cut::rows;
    s.are_alone = !rows;
    const auto cut_all = [&](const auto& x) {
        return rows ? upsweep::rows(x, height, width, pitch) : upsweep::columns(x, height, width, pitch);
    };
    s.view = k.computed ? cut_all(upsweep::transform<T>("a * b", e.first, e.second)) : cut_all(e.first);
    for (std::size_t outer = 0; outer < (rows ? height : width); ++outer) {
        for (std::size_t inner = 0; inner < (rows ? width : height); ++inner) {
            s.places.push_back(rows ? outer * pitch + inner : inner * pitch + outer);
            s.elements.push_back(e.values[s.places.back()]);
            s.heads.push_back(inner == 0);
        }
        s.ends.push_back(s.elements.size());
    }
    return s;
}

template <class T>
drawn_segments<T> draw_segments(family_case& c, const segment_kinds& k) {
    if (k.by == cut::rows || k.by == cut::columns) return draw_grid<T>(c, k);
    drawn_segments<T> s{upsweep::segmented_view<T>({}), {}, {}, {}, {}, {}, c.n};
    const drawn_elements<T> e = draw_elements<T>(c, c.n, k.computed);
    s.source = e.first;
    s.elements = e.values;
    for (std::size_t i = 0; i < c.n; ++i) s.places.push_back(i);
    const std::vector<std::size_t> lengths = draw_lengths(c.d, c.n, k.by == cut::offsets || k.by == cut::wide_offsets);
    c.note(std::to_string(lengths.size()) + " segments");
    fill_segments(s, lengths);
    s.view = k.computed ? cut_elements(c, k.by, upsweep::transform<T>("a * b", e.first, e.second), s)
                        : cut_elements(c, k.by, e.first, s);
    return s;
}

} // namespace fuzz
