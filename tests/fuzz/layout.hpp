// SPDX-License-Identifier: MIT
// Where a case's input and output lie: in buffers of random bytes, at random elements, apart, side by side in one
// buffer, at the same place, or overlapping, which must be refused.
#pragma once

#include "../device_image.hpp"
#include "../internals.hpp"
#include "draw.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace fuzz {

enum class alias { separate, side_by_side, in_place, overlapping };

inline const char* to_string(alias a) {
    switch (a) {
    case alias::separate:
        return "separate buffers";
    case alias::side_by_side:
        return "side by side in one buffer";
    case alias::in_place:
        return "in place";
    case alias::overlapping:
        return "overlapping";
    }
    return "?";
}

/// Byte offsets of the input and the output, and the sizes of the buffers that they are in; one buffer has output size
/// 0.
struct layout {
    alias kind = alias::separate;
    std::size_t in_at = 0, out_at = 0;
    std::size_t in_buffer = 0, out_buffer = 0;
};

struct extent {
    std::size_t count, size;
    std::size_t bytes() const { return count * size; }
};

inline std::size_t round_up(std::size_t x, std::size_t multiple) {
    return (x + multiple - 1) / multiple * multiple;
}

/// @param may_be_in_place  input and output have the same type and length
inline layout draw_layout(dice& d, extent in, extent out, bool may_be_in_place) {
    layout l;
    const bool aligned = d.once_in(4); // everything, as most callers' arrays are
    const auto gap = [&](std::size_t size) { return aligned || d.once_in(3) ? 0 : d.below(71) * size; };
    l.kind = d.pick({alias::separate, alias::separate, alias::in_place, alias::in_place, alias::side_by_side});
    if (l.kind == alias::in_place && !may_be_in_place) l.kind = alias::separate;
    if (d.once_in(60) && in.count > 1) l.kind = alias::overlapping;
    l.in_at = gap(in.size);
    if (l.kind == alias::separate) {
        l.out_at = gap(out.size);
        l.in_buffer = l.in_at + in.bytes() + gap(in.size);
        l.out_buffer = l.out_at + out.bytes() + gap(out.size);
        return l;
    }
    l.out_at = l.in_at;
    if (l.kind == alias::overlapping) { // begins somewhere within the input, after its first byte
        l.out_at = round_up(l.in_at + 1 + d.below(in.bytes() - 1), out.size);
        if (l.out_at >= l.in_at + in.bytes()) l.out_at = (l.in_at + in.bytes() - 1) / out.size * out.size;
    } else if (l.kind == alias::side_by_side && d.once_in(2)) { // the output first
        l.out_at = round_up(l.in_at, out.size);
        l.in_at = round_up(l.out_at + out.bytes() + gap(1), in.size);
    } else if (l.kind == alias::side_by_side) {
        l.out_at = round_up(l.in_at + in.bytes() + gap(1), out.size);
    }
    l.in_buffer = std::max(l.in_at + in.bytes(), l.out_at + out.bytes()) + gap(in.size);
    return l;
}

/// Whether the two overlap without being the same elements.
inline bool must_refuse(const layout& l, extent in, extent out) {
    return l.kind == alias::overlapping && l.in_at < l.out_at + out.bytes() && l.out_at < l.in_at + in.bytes();
}

/// The buffers of a case.
class memory {
public:
    /// @param around  the input with what stands around it: `margin` bytes before, and as many as there are after
    memory(dice& d, const environment& env, cl_command_queue queue, const layout& l, extent in,
           const std::vector<unsigned char>& around, std::size_t margin)
        : layout_(l) {
        std::vector<unsigned char> bytes = random_bytes(d, l.in_buffer);
        // Half of the time other elements of the same kind stand before and after the input, which only an exact reader
        // tells from it; else garbage.
        const bool alike = d.once_in(2) && l.kind == alias::separate;
        const std::size_t before = alike ? std::min(margin, l.in_at) : 0;
        const std::size_t after =
            alike ? std::min(around.size() - margin - in.bytes(), l.in_buffer - l.in_at - in.bytes()) : 0;
        const std::size_t count = before + in.bytes() + after;
        if (count > 0) std::memcpy(&bytes[l.in_at - before], &around[margin - before], count);
        in_ = std::make_unique<test::device_image>(env.context, queue, std::move(bytes));
        if (l.kind == alias::separate)
            out_ = std::make_unique<test::device_image>(env.context, queue, random_bytes(d, l.out_buffer));
    }

    test::device_image& in() { return *in_; }
    test::device_image& out() { return out_ ? *out_ : *in_; }
    const layout& where() const { return layout_; }

    /// The first byte that was written and should not have been, or the other way round; empty when there is none.
    std::string difference() const {
        const std::ptrdiff_t in = in_->first_difference();
        const std::ptrdiff_t out = out_ ? out_->first_difference() : -1;
        if (out >= 0) return "byte " + std::to_string(out) + " of the output's buffer is wrong";
        if (in < 0) return {};
        return "byte " + std::to_string(in) + (out_ ? " of the input's buffer was written" : " of the buffer is wrong");
    }

    static std::vector<unsigned char> random_bytes(dice& d, std::size_t count) {
        std::vector<unsigned char> bytes(count);
        std::size_t i = 0;
        for (; i + 8 <= count; i += 8) {
            const std::uint64_t eight = d.bits();
            std::memcpy(&bytes[i], &eight, 8);
        }
        for (; i < count; ++i) bytes[i] = static_cast<unsigned char>(d.bits());
        return bytes;
    }

private:
    layout layout_;
    std::unique_ptr<test::device_image> in_;
    std::unique_ptr<test::device_image> out_;
};

} // namespace fuzz
