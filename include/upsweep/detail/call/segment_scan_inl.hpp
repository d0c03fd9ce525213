// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/call/segment_arrays_inl.hpp>
#include <upsweep/detail/call/segment_tiling_inl.hpp>
#include <upsweep/detail/run/mark_ends.hpp>
#include <upsweep/detail/source/segment_text.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/text_memo.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::detail {

UPSWEEP_INLINE head_text make_heads(const segmented_input& in) {
    switch (in.cut) {
    case segment_cut::keys:
        return heads_of_keys(in.type, as_it_is("#line 1 \"keys\"\n" + in.equality));
    case segment_cut::flags:
        return heads_of_flags(in.type);
    case segment_cut::offsets:
        return heads_of_offsets(in.type);
    case segment_cut::rows:
    case segment_cut::columns: // which are not scanned
        break;
    }
    return heads_of_rows(in.pitch != in.width);
}

/// The texts of a scan of segments.
struct segment_texts {
    head_text heads;
    head_text searched; ///< the same with what is searched
    flagged_type flagged;
    program_text program;
    std::uint64_t number = new_number_of_hooks();
};

/// Whether the results are those of rows without elements.
UPSWEEP_INLINE bool has_empty_rows(const segment_arguments& a) {
    return a.results == segment_results::per_segment && a.in->cut == segment_cut::rows && a.in->size() == 0;
}

/// A scan of segments as one of flagged values: its texts, and what they refer to.
class segment_scan {
public:
    /// @param tiling  what hooks have for tiles of segments, if values are such that these take them
    UPSWEEP_INLINE segment_scan(const segment_arguments& a, const call_types& types, const queue_facts& queue,
                                segment_tiling tiling)
        : a_(a)
        , types_(types)
        , value_(text_of(types.text.value))
        , given_(has_empty_rows(a) ? a.init_or_empty() : a.init)
        , limits_(limits_of(a.function, queue.device))
        , form_(form_of(tiling))
        , counts_(reduces(a.results) && must_count(a.in->cut))
        , texts_(made_once<segment_texts>(key_of_texts(), [this] { return make_texts(); })) {
        if (a.init_on_device)
            init_ = a.init_place;
        else if (form_.init == segment_init::memory)
            init_ = upload_init(queue);
        if (form_.init == segment_init::number) init_bits_ = bits_of(given_, value_.size);
        output_ = make_output(texts_->searched);
    }
    segment_scan(const segment_scan&) = delete;
    segment_scan& operator=(const segment_scan&) = delete;

    /// The call that the engine makes. Kernels want an initial value where there is nothing before the first element;
    /// none of it reaches a result.
    UPSWEEP_INLINE call_arguments arguments() const {
        call_arguments call;
        call.function = a_.function;
        call.queue = a_.queue;
        const bool has_results = a_.in->size() > 0 || a_.in->count() > 0 || a_.results == segment_results::per_key;
        call.in.size = a_.in->size() + (reduces(a_.results) && has_results ? 1 : 0);
        call.out.buffer = any_buffer();
        call.computed = &a_.in->elements;
        call.out.size = call.in.size;
        call.out.element_size = texts_->flagged.type.size;
        call.stored = &output_;
        call.exclusive = call.has_init = a_.results != segment_results::inclusive;
        call.init = nothing_.data();
        call.after = a_.after;
        return call;
    }

    bool is_in_tiles() const { return form_.in_tiles; }
    /// Whether such tiles read what precedes them in their row.
    bool reads_row() const { return form_.reads_row; }
    bool moves_words() const { return form_.in_words; }
    bool has_init() const { return form_.init != segment_init::none; }
    /// The type of values without marks.
    const type_text& value() const { return value_; }
    /// Whether marks are numbers of segments.
    bool counts() const { return counts_; }
    /// Whose tiles are checked in place of these: of the same kernels, but for how heads are found.
    UPSWEEP_INLINE segment_cut cut_to_check() const {
        if (must_count(a_.in->cut)) return segment_cut::keys;
        return a_.in->cut == segment_cut::offsets ? segment_cut::offsets : segment_cut::rows;
    }
    /// The type of keys there: of 4 bytes where tiles list keys, else of 8.
    UPSWEEP_INLINE type_text key_to_check() const {
        const bool is_large = a_.results == segment_results::per_key && !are_listed(a_.in->type);
        return is_large ? describe_type<std::uint64_t>() : describe_type<std::uint32_t>();
    }
    bool is_exact() const { return detail::is_exact(types_); }

    /// Valid as long as the object is.
    UPSWEEP_INLINE call_types types() const {
        const flagged_type& flagged = texts_->flagged;
        call_types own;
        own.text = view_of(texts_->program);
        own.text.hooks.number = texts_->number;
        own.element = own.value = {flagged.is_integer ? number_kind::integer : number_kind::other, flagged.type.size};
        own.alignment = flagged.alignment;
        own.own_operator = !is_exact();
        own.stores_once = true;
        if (form_.in_tiles) own.segments = tiles_of(a_.results, counts_);
        own.segment_size = value_.size;
        own.reads_row = form_.reads_row;
        own.operands = types_.operands;
        return own;
    }

    /// What kernels are given of the input.
    UPSWEEP_INLINE view_buffers input() const {
        view_buffers buffers = arrays_of(a_.in->elements, any_buffer());
        if (!texts_->heads.arrays.empty())
            buffers.push_back(a_.in->array.buffer ? location_of(a_.in->array) : location{any_buffer(), 0});
        if (form_.init == segment_init::memory) buffers.push_back(location_of(init_));
        for (const location& number : numbers_of(a_.in->elements)) buffers.push_back(number);
        for (const computed_output::number& number : output_.numbers)
            if (number.name != "room" && number.name != "count" && (number.name != "end" || reduces(a_.results)))
                buffers.push_back({nullptr, number.value});
        return buffers;
    }

    /// What is marked before the scan, of segments by offsets.
    UPSWEEP_INLINE marks_request marks(const queue_facts& queue, const options& opts) const {
        marks_request r;
        r.function = a_.function;
        r.queue = queue;
        r.n = a_.in->size();
        r.offsets = location_of(a_.in->array);
        r.segments = a_.in->count();
        r.offset = a_.in->type;
        r.value = value_;
        r.reduces = reduces(a_.results);
        r.results = location_of(a_.out);
        r.init = a_.init_or_empty();
        if (a_.init_on_device) r.init_place = location_of(a_.init_place);
        r.build_options = opts.build_options;
        r.after = a_.after;
        r.kept = a_.kept;
        return r;
    }
    /// Gives the marks to kernels.
    UPSWEEP_INLINE void use_marks(const segment_marks& marks, checked_call& call) const {
        call.in_view[arrays_of(a_.in->elements, any_buffer()).size()] = marks.marks();
        for (std::size_t i = 0; i < output_.parts.size(); ++i) {
            if (output_.parts[i].name == "marks") call.out_view[i] = marks.marks();
            if (output_.parts[i].name == "gaps") call.out_view[i] = marks.gaps();
            if (output_.parts[i].name == "firsts") call.out_view[i] = marks.firsts();
        }
    }

private:
    UPSWEEP_INLINE segment_form form_of(segment_tiling tiling) const {
        segment_form form;
        form.results = a_.results;
        form.init = a_.init_on_device ? segment_init::memory : init_of_segments(value_, given_ != nullptr);
        form.is_empty = reduces(a_.results) && a_.in->size() == 0;
        form.in_tiles =
            tiling != segment_tiling::none && a_.in->size() > 0 && fit_segment_tiles(value_, limits_.has_ptx);
        form.reads_row =
            form.in_tiles && tiling == segment_tiling::any && reads_row_before(a_, value_, is_exact(), limits_);
        form.in_words = form.in_tiles && are_moved_as_words(a_, value_);
        return form;
    }

    /// For arrays without elements, which may come without buffers.
    cl_mem any_buffer() const { return a_.out.buffer ? a_.out.buffer : a_.total.buffer; }

    UPSWEEP_INLINE untyped_span upload_init(const queue_facts& queue) {
        cl_int status = CL_SUCCESS;
        init_buffer_ = owned<cl_mem>(clCreateBuffer(queue.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, value_.size,
                                                    const_cast<void*>(given_), &status));
        check_status(status, a_.function, "clCreateBuffer (initial value)");
        return {init_buffer_(), 1, 0, value_.size};
    }

    /// What is stored, less the text. Numbers that the input has as well are in the order of segment_view.
    UPSWEEP_INLINE computed_output make_output(const head_text& searched) const {
        const segmented_input& in = *a_.in;
        computed_output output;
        output.parts.reserve(searched.arrays.size() + 4);
        output.numbers.reserve(8);
        const auto add_array = [&](const char* name, const char* argument, const untyped_span& array,
                                   std::uint64_t needed, const type_text& type, access use) {
            output.parts.push_back({name, argument, array, needed, type, use, false, {}});
        };
        output.parts.push_back(part_of_results(a_, types_, value_));
        for (const hook_array& array : searched.arrays) {
            const bool is_scratch = array.name != "offsets" && in.cut == segment_cut::offsets; // which is there later
            add_array(array.name.c_str(), name_of(in.cut), is_scratch ? untyped_span() : in.array, 0,
                      is_scratch ? type_text{array.type, {}, 1} : in.type, access::input);
        }
        if (form_.init == segment_init::memory) add_array("init", "initial value", init_, 1, value_, access::input);
        if (a_.results == segment_results::per_key) {
            add_array("upsweep_unique", "unique keys", a_.unique, 0, in.type, access::output);
            const bool is_wide = a_.total.element_size == sizeof(std::uint64_t);
            add_array("total", "count", a_.total, 1, {is_wide ? "ulong" : "uint", {}, a_.total.element_size},
                      access::output);
        }
        const std::uint64_t inverse = in.width == 0 ? 0 : ~std::uint64_t{0} / in.width + 1;
        auto& numbers = output.numbers;
        if (in.cut == segment_cut::rows) numbers = {{"width", in.width}, {"upsweep_inverse", inverse}};
        if (in.cut == segment_cut::rows && in.pitch != in.width) numbers.push_back({"gap", in.pitch - in.width});
        if (in.cut == segment_cut::offsets) numbers = {{"count", in.array.size}};
        if (form_.init == segment_init::number) numbers.push_back({"init", init_bits_});
        if (a_.results != segment_results::inclusive) numbers.push_back({"end", in.size()});
        if (reduces(a_.results)) numbers.push_back({"room", room()});
        return output;
    }

    /// Results that may be written.
    UPSWEEP_INLINE std::uint64_t room() const {
        if (!must_count(a_.in->cut)) return a_.in->count();
        return a_.results == segment_results::per_key ? (std::min)(a_.out.size, a_.unique.size) : a_.out.size;
    }

    /// All that the texts are made of.
    UPSWEEP_INLINE text_key key_of_texts() const {
        const segmented_input& in = *a_.in;
        text_key key("segments", in.cut, in.type, in.equality, in.pitch != in.width, in.elements.part_types(),
                     in.elements.stages);
        key.add(value_, types_.alignment, text_of(types_.text.op), is_exact(), form_, a_.total.element_size,
                limits_.has_ptx);
        return key;
    }

    UPSWEEP_INLINE segment_texts make_texts() const {
        segment_texts texts;
        texts.heads = make_heads(*a_.in);
        texts.searched = with_search(texts.heads);
        texts.flagged = flagged_of(value_, types_.alignment, counts_, limits_.has_ptx);
        program_text& program = texts.program;
        program.element = program.value = texts.flagged.type;
        program.scan = kind_of(operation::scan, a_.results != segment_results::inclusive);
        program.op = segmented_operator(texts.flagged, value_, text_of(types_.text.op), counts_, is_exact());
        program.hooks = {load_text(texts), store_text(texts)};
        return texts;
    }

    UPSWEEP_INLINE std::string load_text(const segment_texts& texts) const {
        const computed_input& elements = a_.in->elements;
        const std::string text = segment_load_text(elements.part_types(), elements.stages, texts.heads, value_, form_);
        // So that a work-item sums its chunk from the last head on only. PoCL 3.1, 2 busy cores, in turns, medians,
        // 2^22 int32, scans of rows of 1024 and by key, runs of 64: 9.9 and 16.8 ms without it, 6.3 and 5.8 with it.
        const std::string begins = counts_ ? "" : "#define UPSWEEP_BEGINS_ANEW(value) upsweep_has_head(value)\n";
        return texts.flagged.macros + begins +
               (form_.in_tiles ? segment_tiles_macros(value_, counts_, is_exact()) + text : text);
    }

    UPSWEEP_INLINE std::string store_text(const segment_texts& texts) const {
        const head_text& heads = texts.heads;
        computed_output output = make_output(texts.searched);
        output.reads = segment_store_reads(heads, form_);
        output.chosen = segment_store_chosen(heads, form_);
        output.body = segment_store_body(heads, value_, form_);
        std::string text = detail::store_text(output);
        if (!form_.in_tiles) return text;
        if (!reduces(form_.results)) text += inner_store_text(heads, value_, form_);
        if (heads.cut == segment_cut::offsets && reduces(form_.results)) text += numbered_store_text(heads, value_);
        if (counts_) text += counted_store_text(heads, value_, form_);
        return text;
    }

    const segment_arguments& a_;
    const call_types& types_;
    type_text value_;
    const void* given_; ///< the initial value; where rows have no elements, what takes its place
    const device_limits& limits_;
    segment_form form_;
    bool counts_;
    owned<cl_mem> init_buffer_;
    untyped_span init_; ///< where it is in memory
    std::uint64_t init_bits_ = 0;
    std::shared_ptr<const segment_texts> texts_;
    computed_output output_;
    std::vector<unsigned char> nothing_ = std::vector<unsigned char>(texts_->flagged.type.size);
};

} // namespace upsweep::detail
