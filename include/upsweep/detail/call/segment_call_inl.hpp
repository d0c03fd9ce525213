// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/call/segment_call.hpp>
#include <upsweep/detail/call/segment_rows_inl.hpp>
#include <upsweep/detail/run/mark_ends.hpp>
#include <upsweep/detail/source/segment_text.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#if defined(UPSWEEP_COMPILED)
#define UPSWEEP_FUNCTION
#else
#define UPSWEEP_FUNCTION inline
#endif

namespace upsweep::detail {

inline head_text text_of_heads(const segmented_input& in) {
    switch (in.cut) {
    case segment_cut::keys:
        return heads_of_keys(in.type, in.equality);
    case segment_cut::flags:
        return heads_of_flags(in.type);
    case segment_cut::offsets:
        return heads_of_offsets(in.type);
    case segment_cut::columns:
        return heads_of_columns();
    case segment_cut::rows:
        break;
    }
    return heads_of_rows(in.pitch != in.width);
}

/// Checks that rows are within the input, so that their extent can be computed.
inline void check_rows(const char* function, const segmented_input& in) {
    const std::uint64_t room = in.elements.size;
    const auto refuse = [&](const std::string& cause) { throw error(function, "input", cause); };
    if (in.pitch < in.width)
        refuse("pitch " + std::to_string(in.pitch) + " is less than the width " + std::to_string(in.width));
    if (in.width == 0 || in.height == 0) return;
    // Without overflow: of the rows before the last, each takes `pitch` of the elements that the last leaves.
    if (in.width > room || in.height - 1 > (room - in.width) / in.pitch)
        refuse(std::to_string(in.height) + " rows of " + std::to_string(in.width) + " elements, " +
               std::to_string(in.pitch) + " from one to the next, are more than the input's " + std::to_string(room) +
               " elements");
}

/// Checks the array of keys, flags or offsets.
inline void check_heads(const char* function, const queue_facts& queue, const segmented_input& in) {
    if (in.elements.is_counted())
        throw error(function, "input", "elements whose number is read on the device cannot be cut into segments");
    if (are_of_one_length(in.cut)) return check_rows(function, in);
    const std::string name = name_of(in.cut);
    check_whole(function, "type " + in.type.name, "type", in.type.definition);
    if (in.cut == segment_cut::keys) {
        if (code_of(in.equality).find_first_not_of(" \t\v\f\r\n") == std::string::npos)
            throw error(function, name, "keys: the text is empty");
        check_whole(function, name, "keys", in.equality);
    }
    if (in.cut == segment_cut::offsets && in.array.size == 0)
        throw error(function, name, "no elements; there is one more than there are segments");
    if (in.cut != segment_cut::offsets && in.array.size != in.size())
        throw error(function, name,
                    std::to_string(in.array.size) + " elements, but the input has " + std::to_string(in.size()));
    check_span(function, name.c_str(), queue, in.array, in.array.size, access::input);
}

/// Checks what is known of a reduction's results.
inline void check_results(const segment_arguments& a) {
    const segmented_input& in = *a.in;
    if (!reduces(a.results)) return;
    if (must_count(in.cut) && in.size() >= std::uint64_t{0xffffffff})
        throw error(a.function, "input", "reductions of 2^32 - 1 and more elements need segments of known places");
    if (a.out.size < in.count())
        throw error(a.function, "results",
                    std::to_string(a.out.size) + " elements are fewer than the " + std::to_string(in.count()) +
                        " segments");
    if (a.results == segment_results::per_key && a.total.size < 1)
        throw error(a.function, "count", "must have room for one element");
}

/// A scan of segments as one of flagged values: its texts, and what they refer to.
class segment_scan {
public:
    segment_scan(const segment_arguments& a, const call_types& types, const queue_facts& queue)
        : a_(a)
        , types_(types)
        , value_(text_of(types.text.value))
        , form_{a.results, a.init_on_device ? segment_init::memory : init_of_segments(value_, a.init != nullptr),
                reduces(a.results) && a.in->size() == 0}
        , heads_(text_of_heads(*a.in))
        , counts_(reduces(a.results) && must_count(a.in->cut))
        , flagged_(flagged_of(value_, types.alignment, counts_)) {
        if (a.init_on_device)
            init_ = a.init_place;
        else if (form_.init == segment_init::memory)
            init_ = upload_init(queue);
        if (form_.init == segment_init::number) init_bits_ = bits_of(a.init, value_.size);
        make_output();
    }
    segment_scan(const segment_scan&) = delete;
    segment_scan& operator=(const segment_scan&) = delete;

    /// The call that the engine makes. Kernels want an initial value where there is nothing before the first element;
    /// none of it reaches a result.
    call_arguments arguments() const {
        call_arguments call;
        call.function = a_.function;
        call.queue = a_.queue;
        const bool has_results = a_.in->size() > 0 || a_.in->count() > 0 || a_.results == segment_results::per_key;
        call.in.size = a_.in->size() + (reduces(a_.results) && has_results ? 1 : 0);
        call.out.buffer = any_buffer();
        call.computed = &a_.in->elements;
        call.out.size = call.in.size;
        call.out.element_size = flagged_.type.size;
        call.stored = &output_;
        call.exclusive = call.has_init = a_.results != segment_results::inclusive;
        call.init = nothing_.data();
        call.after = a_.after;
        return call;
    }

    call_types types() {
        make_texts(); // only now: reductions of rows need none
        call_types own;
        own.text = view_of(text_);
        own.element = own.value = {flagged_.is_integer ? number_kind::integer : number_kind::other, flagged_.type.size};
        own.alignment = flagged_.alignment;
        own.own_operator = !is_exact();
        own.stores_once = true;
        own.operands = types_.operands;
        return own;
    }

    /// What kernels are given of the input.
    view_buffers input() const {
        view_buffers buffers = arrays_of(a_.in->elements, any_buffer());
        if (!heads_.arrays.empty())
            buffers.push_back(a_.in->array.buffer ? location_of(a_.in->array) : location{any_buffer(), 0});
        if (form_.init == segment_init::memory) buffers.push_back(location_of(init_));
        for (const location& number : numbers_of(a_.in->elements)) buffers.push_back(number);
        for (const computed_output::number& number : output_.numbers)
            if (number.name != "room" && number.name != "count" && (number.name != "end" || reduces(a_.results)))
                buffers.push_back({nullptr, number.value});
        return buffers;
    }

    /// What is marked before the scan, of segments by offsets.
    marks_request marks(const queue_facts& queue, const options& opts) const {
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
        r.init = a_.init;
        if (a_.init_on_device) r.init_place = location_of(a_.init_place);
        r.build_options = opts.build_options;
        r.after = a_.after;
        return r;
    }
    /// Gives the marks to kernels.
    void use_marks(const segment_marks& marks, checked_call& call) const {
        call.in_view[arrays_of(a_.in->elements, any_buffer()).size()] = marks.marks();
        for (std::size_t i = 0; i < output_.parts.size(); ++i) {
            if (output_.parts[i].name == "marks") call.out_view[i] = marks.marks();
            if (output_.parts[i].name == "firsts") call.out_view[i] = marks.firsts();
        }
    }

private:
    /// For arrays without elements, which may come without buffers.
    cl_mem any_buffer() const { return a_.out.buffer ? a_.out.buffer : a_.total.buffer; }

    bool is_exact() const { return types_.value.kind == number_kind::integer && !types_.own_operator; }

    untyped_span upload_init(const queue_facts& queue) {
        cl_int status = CL_SUCCESS;
        init_buffer_ = owned<cl_mem>(clCreateBuffer(queue.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, value_.size,
                                                    const_cast<void*>(a_.init), &status));
        check_status(status, a_.function, "clCreateBuffer (initial value)");
        return {init_buffer_(), 1, 0, value_.size};
    }

    void add_array(const char* name, const char* argument, const untyped_span& array, std::uint64_t needed,
                   const type_text& type, access use, bool at_own_place = false) {
        output_.parts.push_back({name, argument, array, needed, type, use, at_own_place});
    }

    /// Numbers that the input has as well are in the order of segment_view.
    void make_output() {
        const segmented_input& in = *a_.in;
        const bool one_each = !reduces(a_.results);
        add_array("out", one_each ? "output" : "results", a_.out, one_each ? in.extent() : in.count(), value_,
                  access::output, one_each);
        const head_text heads = with_search(heads_);
        for (const hook_array& array : heads.arrays) {
            const bool is_scratch = array.name == "marks" || array.name == "firsts"; // which is there later
            add_array(array.name.c_str(), name_of(in.cut), is_scratch ? untyped_span() : in.array, 0,
                      is_scratch ? type_text{array.type, {}, 1} : in.type, access::input);
        }
        if (form_.init == segment_init::memory) add_array("init", "initial value", init_, 1, value_, access::input);
        if (a_.results == segment_results::per_key) {
            add_array("unique", "unique keys", a_.unique, 0, in.type, access::output);
            const bool is_wide = a_.total.element_size == sizeof(std::uint64_t);
            add_array("total", "count", a_.total, 1, {is_wide ? "ulong" : "uint", {}, a_.total.element_size},
                      access::output);
        }
        const std::uint64_t length = in.cut == segment_cut::rows ? in.width : in.height;
        const std::uint64_t inverse = length == 0 ? 0 : ~std::uint64_t{0} / length + 1;
        auto& numbers = output_.numbers;
        if (are_of_one_length(in.cut)) numbers = {{"width", length}, {"inverse", inverse}};
        if (in.cut == segment_cut::columns) numbers.push_back({"stride", in.pitch});
        if (in.cut == segment_cut::columns) numbers.push_back({"gap", 1 - length * in.pitch});
        if (in.cut == segment_cut::rows && in.pitch != length) numbers.push_back({"gap", in.pitch - length});
        if (in.cut == segment_cut::offsets) output_.numbers = {{"count", in.array.size}};
        if (form_.init == segment_init::number) output_.numbers.push_back({"init", init_bits_});
        if (a_.results != segment_results::inclusive) output_.numbers.push_back({"end", in.size()});
        if (!one_each) output_.numbers.push_back({"room", room()});
        output_.reads = segment_store_reads(heads_, form_);
        output_.chosen = segment_store_chosen(heads_, form_);
        output_.body = segment_store_body(heads_, value_, form_);
        output_.kind = a_.results == segment_results::inclusive ? scan_kind::inclusive : scan_kind::exclusive;
    }

    /// Results that may be written.
    std::uint64_t room() const {
        if (!must_count(a_.in->cut)) return a_.in->count();
        return a_.results == segment_results::per_key ? (std::min)(a_.out.size, a_.unique.size) : a_.out.size;
    }

    void make_texts() {
        const computed_input& elements = a_.in->elements;
        text_.element = text_.value = flagged_.type;
        text_.op = segmented_operator(flagged_, value_.name, text_of(types_.text.op), counts_, is_exact());
        std::vector<type_text> inputs;
        for (const computed_input::part& part : elements.parts) inputs.push_back(part.type);
        text_.hooks.load = segment_load_text(inputs, elements.stages, heads_, value_, form_);
        text_.hooks.store = store_text(output_);
    }

    const segment_arguments& a_;
    const call_types& types_;
    type_text value_;
    segment_form form_;
    head_text heads_;
    bool counts_;
    flagged_type flagged_;
    owned<cl_mem> init_buffer_;
    untyped_span init_; ///< where it is in memory
    std::uint64_t init_bits_ = 0;
    computed_output output_;
    program_text text_;
    std::vector<unsigned char> nothing_ = std::vector<unsigned char>(flagged_.type.size);
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_FUNCTION cl_event call_segments(const segment_arguments& a, const call_types& types, const options& opts) {
    if (types.text.op.parameters)
        return with_operands(a, types, [&](const auto& own, const auto& in) { return call_segments(own, in, opts); });
    const queue_facts queue = inspect_queue(a.function, a.queue);
    check_heads(a.function, queue, *a.in);
    check_results(a);
    const device_limits& limits = limits_of(a.function, queue.device);
    // The user's own text; what is built is a text around it.
    if (types.own_operator || !types.text.value.definition.empty()) check_text(a.function, text_of(types.text), limits);
    segment_scan scan(a, types, queue);
    const call_arguments arguments = scan.arguments();
    checked_call call = check_arguments(arguments, queue);
    if (auto done = start_rows(a, types, call.request, opts, limits)) return give(std::move(*done));
    call.in_view = scan.input();
    const bool has_marks = a.in->cut == segment_cut::offsets && arguments.in.size > 0;
    const std::uint64_t mark_bytes = lay_out_marks(a.in->size(), reduces(a.results)).bytes;
    if (has_marks) check_scratch_bytes(a.function, a.in->size(), mark_bytes, limits);
    const engine e = make_engine(a.function, queue, operation::scan, arguments.in.size, scan.types(), opts);
    if (!has_marks) return give(start(e, call));
    const marks_request request = scan.marks(queue, opts);
    segment_marks marks(request, e.tuning.work_items);
    scan.use_marks(marks, call);
    const wait_list marked = marks.start();
    call.request.after = &marked;
    cl::Event scanned = start(e, call);
    marks.used_until(scanned());
    return give(std::move(scanned));
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail

#undef UPSWEEP_FUNCTION
