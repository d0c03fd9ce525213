// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/engine/engine.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/source/store_text.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

/// Scans whose total takes launches of its own.
namespace upsweep::detail {

/// Gives the reference of an event away.
UPSWEEP_INLINE cl_event give(cl::Event event) {
    const cl_event handle = event();
    event() = nullptr;
    return handle;
}

/// A call's types, with what the program must know of a computed input.
UPSWEEP_INLINE call_types with_input(call_types types, const computed_input& in) {
    types.text.hooks.load = in.text;
    types.loads_array = in.is_read_as_array();
    types.read_size = in.read_size();
    types.counter = in.counter_type.name;
    return types;
}

/// A call's types, with the hooks of its views.
UPSWEEP_INLINE call_types with_hooks(const call_arguments& a, const checked_call& call, const call_types& types) {
    call_types own = a.computed ? with_input(types, *a.computed) : types;
    own.text.is_aligned = is_aligned(a, call);
    own.text.init_on_device = a.init_on_device;
    own.text.scan = kind_of(a);
    if (a.stored) own.text.hooks.store = a.stored->text;
    if (a.stored) own.stores_once = a.stored->stores_once;
    own.stores_array = a.wants_total;
    if (a.wants_total)
        own.text.hooks.store = a.exclusive ? std::string_view(shifted_store()) : kernels::store_total.text;
    return own;
}

/// Whether a scan's total can follow it, which reads the last result: it is that or, of an exclusive scan, that
/// combined with the last element, where this gives the bits of the canonical order.
UPSWEEP_INLINE bool may_precede_total(const call_arguments& a, const checked_call& call, const call_types& types) {
    const bool are_arrays = !a.computed && !a.stored && !types.operands && !call.out.is_write_only;
    return a.wants_total && are_arrays && (!a.exclusive || is_exact(types)) &&
           call.n * types.value.size >= total_behind_bytes;
}

/// The last of so many elements.
UPSWEEP_INLINE untyped_span last_of(const untyped_span& array, std::uint64_t n) {
    return {array.buffer, 1, array.byte_offset + (n - 1) * array.element_size, array.element_size};
}

/// The same types, of values as elements.
UPSWEEP_INLINE call_types of_values(call_types types) {
    types.element = types.value;
    types.text.element = types.text.value;
    return types;
}

/// A call of which nothing is enqueued yet.
class waiting_call {
public:
    UPSWEEP_INLINE waiting_call(const call_arguments& a, const queue_facts& queue, const call_types& types,
                                const options& opts)
        : checked_(check_arguments(a, queue))
        , engine_(make_engine(a.function, queue, a.op, a.in.size, with_hooks(a, checked_, types), opts)) {
        check_scratch_of(engine_, checked_);
    }
    UPSWEEP_INLINE cl::Event start(const wait_list& after) {
        checked_.request.after = &after;
        return detail::start(engine_, checked_);
    }

private:
    checked_call checked_;
    engine engine_;
};

/// A scan whose total follows it. Nothing is enqueued before all programs are there.
UPSWEEP_INLINE cl_event scan_before_total(const call_arguments& a, const checked_call& call, const queue_facts& queue,
                                          const call_types& types, const options& opts) {
    call_arguments scan = a;
    scan.wants_total = false;
    call_arguments sum = scan; // of one element
    sum.op = operation::reduce;
    sum.workspace = {};
    sum.exclusive = sum.has_init = sum.init_on_device = false;
    sum.in = last_of(a.exclusive ? a.in : a.out, call.n);
    options of_one; // what else is asked for is meant for the scan
    of_one.build_options = opts.build_options;
    const bool is_replaced = a.exclusive && overlap(call.in, call.out);
    const owned<cl_mem> kept = is_replaced ? make_buffer(a.function, queue, types.value.size) : owned<cl_mem>();
    maybe<waiting_call> keeps; // the last element, while the scan writes to its place
    if (is_replaced) {
        sum.out = {kept(), 1, 0, types.value.size};
        keeps = waiting_call(sum, queue, types, of_one);
        sum.in = sum.out;
    }
    sum.out = a.total;
    sum.has_init = sum.init_on_device = a.exclusive;
    sum.init_place = last_of(a.out, call.n);
    waiting_call scanned(scan, queue, types, opts);
    waiting_call summed(sum, queue, a.exclusive && !is_replaced ? types : of_values(types), of_one);
    const two_runs runs(queue, *a.after);
    const cl::Event is_kept = keeps ? keeps->start(runs.first()) : cl::Event();
    const cl::Event done = scanned.start(keeps ? runs.between(is_kept) : runs.first());
    return give(summed.start(runs.second(done)));
}

/// A scan whose total is reduced before it. Nothing is enqueued before the programs of both are there.
UPSWEEP_INLINE cl_event scan_behind_reduction(const call_arguments& a, const queue_facts& queue,
                                              const call_types& types, const options& opts) {
    call_arguments scan = a;
    scan.wants_total = false;
    waiting_call scanned(scan, queue, types, opts);
    const two_runs runs(queue, *a.after);
    call_arguments sum = scan;
    sum.op = operation::reduce;
    sum.out = a.total;
    sum.after = a.in.size == 0 ? a.after : &runs.first();
    cl::Event summed(call_once(sum, types, opts));
    if (a.in.size == 0) return give(std::move(summed));
    return give(scanned.start(runs.second(summed)));
}

} // namespace upsweep::detail
