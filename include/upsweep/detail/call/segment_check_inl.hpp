// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/check_engine_inl.hpp>
#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/call/segment_marked_inl.hpp>
#include <upsweep/detail/call/segment_scan_inl.hpp>
#include <upsweep/detail/self_check/own_check.hpp>
#include <upsweep/detail/self_check/run.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// The self-check of tiles of segments (sub_group_tile/segment_tiles.cl). A device that fails it scans segments in tiles
// of any values, which are checked as scans are.

namespace upsweep::detail {

/// Segments of small numbers, whose sums are exact in every type: short and long ones of equal keys or by offsets, some
/// of which are empty, or rows.
class segment_answers {
public:
    /// Where values and results begin in their arrays: small ones within a word.
    static constexpr std::uint64_t first = 1;
    /// Of rows: several of them, even where a tile is small.
    static constexpr std::uint64_t width(std::uint64_t n) { return n < 300 ? 7 : 100; }

    UPSWEEP_INLINE segment_answers(segment_results results, value_class type, std::size_t key_size, segment_cut cut,
                                   std::uint64_t n)
        : values(type, n + first)
        , keys({number_kind::integer, key_size}, n)
        , out(type, n + first + 1)
        , unique({number_kind::integer, key_size}, n + 1)
        , reduces_(reduces(results)) {
        std::uint32_t x = 1, key = 0;
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            x = x * 1664525U + 1013904223U;
            const bool may_begin = (i >> 13) % 3 != 1;
            const bool begins =
                cut == segment_cut::rows ? i % width(n) == 0 : i == 0 || (may_begin && (x >> 20) % 4 == 0);
            const std::uint64_t before = begins ? 0 : sum;
            const bool may_be_empty = cut == segment_cut::offsets && (i >> 11) % 2 == 1;
            if (begins && may_be_empty && (x >> 12) % 16 == 0) begin_segment(i); // the next one begins there too
            if (begins) begin_segment(i);
            key += begins ? 1 : 0;
            sum = before + (x >> 29);
            values.put(i + first, x >> 29);
            keys.put(i, key);
            if (begins && reduces_) unique.put(count - 1, key);
            out.put((reduces_ ? count - 1 : i) + first, results == segment_results::exclusive ? before : sum);
        }
        offsets.push_back(static_cast<std::uint32_t>(n));
    }

    scalars values, keys, out, unique;
    std::vector<std::uint32_t> offsets;
    std::uint32_t count = 0; ///< of segments

private:
    UPSWEEP_INLINE void begin_segment(std::uint64_t i) {
        offsets.push_back(static_cast<std::uint32_t>(i));
        if (reduces_) out.put(count + first, 0);
        ++count;
    }

    bool reduces_;
};

/// Whether values are structs that kernels take as they are.
UPSWEEP_INLINE bool is_checked_as_words(const call_types& types) {
    return types.value.kind == number_kind::other && types.packed.empty();
}

UPSWEEP_INLINE value_class class_to_check(const call_types& types) {
    return class_with_members(types.value, types.text.value);
}

/// The same on a device, by kernels like those of a scan. Of sums of an array, whose keys are of the check's type, the
/// program is the call's own: NVIDIA's compiler takes two seconds for another.
class segment_run {
public:
    UPSWEEP_INLINE segment_run(const check_bench& bench, const device_limits& limits, const segment_scan& like,
                               segment_results results, const call_types& types, std::uint64_t n)
        : bench_(bench)
        , limits_(limits)
        , tiling_(like.reads_row() ? segment_tiling::any : segment_tiling::waiting)
        , answers_(results, class_to_check(types), like.key_to_check().size, like.cut_to_check(), n)
        , types_(types)
        , values_(bench.upload(answers_.values.bytes()))
        , keys_(bench.upload(answers_.keys.bytes()))
        , offsets_(bench.upload(answers_.offsets))
        , out_(bench.upload(std::vector<unsigned char>(answers_.out.bytes().size(), scalars::poison)))
        , unique_(bench.upload(std::vector<unsigned char>(answers_.unique.bytes().size(), scalars::poison)))
        , total_(bench.upload(std::vector<unsigned char>(sizeof answers_.count))) {
        operator_.traits.exact = types.text.op.traits.exact;
        if (is_checked_as_words(types)) use_words();
        types_.text.op = view_of(operator_);
        types_.operands = nullptr;
        const type_text value = text_of(types_.text.value), key = like.key_to_check();
        const segment_cut cut = like.cut_to_check();
        const std::size_t begin = segment_answers::first * value.size;
        in_.elements.size = n;
        in_.elements.parts = {{{values_(), n, begin, value.size}, value}};
        // As a view of an array has. Without, small values are not moved as words.
        if (like.moves_words() || value.size % sizeof(std::uint32_t) == 0)
            in_.elements.stages.push_back({"a", value, false, false, "load"});
        in_.cut = cut;
        in_.width = in_.pitch = segment_answers::width(n);
        in_.height = n / in_.width;
        const bool has_offsets = cut == segment_cut::offsets;
        in_.array = {has_offsets ? offsets_() : keys_(), has_offsets ? answers_.offsets.size() : n, 0, key.size};
        in_.type = key;
        in_.equality = "left == right";
        arguments_.function = bench.function();
        arguments_.queue = bench.queue().queue;
        arguments_.in = &in_;
        arguments_.out = {out_(), n, begin, value.size};
        arguments_.results = results;
        arguments_.unique = {unique_(), n, 0, key.size};
        arguments_.total = {total_(), 1, 0, sizeof(std::uint32_t)};
        if (results == segment_results::exclusive || like.has_init()) arguments_.init = zero_.data();
        arguments_.after = &none_;
    }
    segment_run(const segment_run&) = delete;
    segment_run& operator=(const segment_run&) = delete;

    /// Whether the kernels of a tuning give these answers.
    UPSWEEP_INLINE bool is_right(const tuning& t) const {
        const queue_facts queue = bench_.queue();
        segment_scan scan(arguments_, types_, queue, tiling_);
        const call_types flagged = scan.types();
        const call_arguments arguments = scan.arguments();
        const check_engine e(bench_, limits_, flagged, arguments.in.size, t);
        checked_call call = check_arguments(arguments, queue);
        call.in_view = scan.input();
        if (in_.cut == segment_cut::offsets)
            start_marked(scan, queue, {}, t.work_items, call, [&e](checked_call& c) { return e.start(c); });
        else
            const cl::Event done = e.start(call);
        if (!holds(out_(), answers_.out.bytes())) return false;
        if (arguments_.results != segment_results::per_key) return true;
        const std::vector<unsigned char> count = bench_.read(total_(), sizeof answers_.count);
        return holds(unique_(), answers_.unique.bytes()) &&
               std::memcmp(count.data(), &answers_.count, count.size()) == 0;
    }

private:
    /// Puts words in a struct's place.
    UPSWEEP_INLINE void use_words() {
        words_ = words_of(class_to_check(types_));
        types_.text.element = types_.text.value = view_of(words_);
        operator_.body =
            "for (uint i = 0; i < sizeof left / sizeof left.words[0]; ++i) left.words[i] += right.words[i];\n"
            "return left;";
    }

    UPSWEEP_INLINE bool holds(cl_mem buffer, const std::vector<unsigned char>& expected) const {
        return bench_.read(buffer, expected.size()) == expected;
    }

    const check_bench& bench_;
    const device_limits& limits_;
    const segment_tiling tiling_;
    const segment_answers answers_;
    call_types types_;
    type_text words_; ///< of a struct's size
    operator_text operator_{types_.own_operator ? "user operator" : "plus", "return left + right;", {}, {}, {}};
    const owned<cl_mem> values_, keys_, offsets_, out_, unique_, total_;
    segmented_input in_;
    segment_arguments arguments_;
    const std::array<std::uint64_t, most_segment_bytes / 8> zero_ = {};
    const wait_list none_;
};

/// Whether an engine's kernels may scan segments in tiles of their own: checked at the first use of each kind.
UPSWEEP_INLINE bool are_segments_right(const char* function, const engine& e, const queue_facts& queue,
                                       const segment_scan& scan, segment_results results, const call_types& types) {
    const self_check_verdict* known = e.programs.elements->verdict(own_slot);
    if (known || !self_check_wanted()) return !known || known->as_chosen;
    const segment_cut cut = scan.cut_to_check();
    const type_text key = scan.key_to_check();
    const char* form = cut == segment_cut::keys   ? " of "
                       : cut == segment_cut::rows ? " in rows of "
                                                  : " by offsets of ";
    const bool words = is_checked_as_words(types);
    const std::string name =
        "segments " + std::to_string(static_cast<int>(results)) + form +
        (words ? to_string(class_to_check(types)) : scan.value().name) + " by keys of " + std::to_string(key.size) +
        (types.own_operator ? " bytes, own operator, " : " bytes, ") + (types.text.op.traits.exact ? "exact, " : "") +
        (scan.reads_row() ? "rows read again, " : "") + (scan.moves_words() ? "as words, " : "") +
        (scan.has_init() ? "with an initial value, " : "") + kernel_family(e.tuning, operation::scan);
    const own_check segments{name, "segments in tiles of their own", "tiles of any values"};
    const self_check_verdict& verdict =
        own_verdict(function, *e.limits, queue, segments, [&](const check_bench& bench) {
            const tuning t = tuning_to_own_check(e.tuning);
            for (const std::uint64_t n : sizes_of_own_check(t)) {
                const std::uint64_t whole_rows = n - n % segment_answers::width(n);
                if (!segment_run(bench, *e.limits, scan, results, types, whole_rows).is_right(t)) return false;
            }
            return true;
        });
    e.programs.elements->settle(own_slot, verdict);
    return verdict.as_chosen;
}

} // namespace upsweep::detail
