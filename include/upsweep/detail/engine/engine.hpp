// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/engine/check_scratch.hpp>
#include <upsweep/detail/engine/packed_types.hpp>
#include <upsweep/detail/engine/rusticl.hpp>
#include <upsweep/detail/opencl/read_limits.hpp>
#include <upsweep/detail/plan/plan.hpp>
#include <upsweep/detail/run/enqueue.hpp>
#include <upsweep/detail/self_check/self_check.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/tuning/loaded_tuning.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/operator.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace upsweep::detail {

/// Everything that is settled before the data is known: device, tuning, programs. What plans keep, and what a free
/// function looks up per call.
struct engine {
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    const device_limits* limits = nullptr;
    operation op = operation::scan;
    std::size_t value_size = 0;
    upsweep::tuning tuning;
    run_programs programs;
    upsweep::launch_plan full;                 ///< for as many elements as the engine was made for
    std::string counter;                       ///< the type of the number of elements, where that is read on the device
    const transform_stage* operands = nullptr; ///< the operator's parameters; valid while the engine is made
    scan_kind scan = scan_kind::any;           ///< the only kind that the programs make, if not any
    bool counts_marks = false;                 ///< a launch that counts marks comes first, by sub-groups
    bool is_aligned = false;                   ///< the programs are for arrays at multiples of 16 bytes only
};

/// Finds or builds a program; null if it needs sub-groups that the device turns out not to have. Unless the caller
/// asked for sub-groups, a compiler that cannot build them is no error yet: it may build a program without.
/// @param kept  what a plan keeps; null: there is no plan
UPSWEEP_INLINE std::shared_ptr<built_program> find_program_or_null(const char* function, const device_limits& limits,
                                                                   const program_key& key, const options& opts,
                                                                   program_cache<UPSWEEP_LATER>* kept = nullptr) {
    try {
        return find_program(function, limits, key, kept);
    } catch (const error& e) {
        const bool may_fall_back = are_sub_groups(key.tuning.lanes) && opts.algorithm == tile_algorithm::automatic;
        const bool is_compilers = e.status() == CL_BUILD_PROGRAM_FAILURE || e.status() == CL_INVALID_BUILD_OPTIONS;
        if (!may_fall_back || !is_compilers) throw;
        // From now on there is none for this key.
        program_cache<UPSWEEP_LATER>::get().add(key, nullptr);
        if (kept) kept->add(key, nullptr);
        return nullptr;
    }
}

/// What decides a call's programs, less the kernel family and the tuning. Valid as long as the operator is.
UPSWEEP_INLINE program_key key_of(const queue_facts& queue, std::uint64_t n, const program_text_view& text) {
    program_key key;
    key.context = queue.context;
    key.device = queue.device;
    key.text = text;
    key.wide_index = needs_wide_index(n);
    return key;
}

/// Finds or builds the programs of a call; none if they need sub-groups that the device does not have.
/// @param key  of the program that reads the elements
UPSWEEP_INLINE run_programs find_programs(const char* function, const engine& e, const program_key& key,
                                          const options& opts) {
    run_programs programs;
    programs.elements = find_program_or_null(function, *e.limits, key, opts);
    programs.sums = programs.elements;
    if (!key.text.hooks.store.empty() && !shares_state(e.tuning, e.op)) {
        program_key to_sums = key;
        to_sums.text.hooks = {key.text.hooks.load, {}, 0};
        programs.to_sums = find_program(function, *e.limits, to_sums);
    }
    if (needs_program_of_sums(key.text, e.tuning, e.op)) {
        program_key of_sums = key;
        of_sums.text.element = key.text.value;
        const std::string load = sums_text(e.operands, e.counter);
        of_sums.text.hooks = {load, {}, 0};
        programs.sums = find_program(function, *e.limits, of_sums);
    }
    return programs;
}

UPSWEEP_INLINE bool looks_back_in_sub_groups(const tuning& t) {
    return t.strategy == strategy::look_back && t.algorithm == tile_algorithm::sub_group;
}

/// Whether a tuning's kernels list marks: those of sub-groups, and work-items on their own (tile/serial_marks.cl).
UPSWEEP_INLINE bool lists_marks(const tuning& t) {
    return looks_back_in_sub_groups(t) || (t.work_items == 1 && t.tree_run == 1);
}

/// Whether a program for one kind of scan is smaller: where kernels look at UPSWEEP_IS_EXCLUSIVE. (With kept runs
/// PoCL 6.0 ends the process for some.)
UPSWEEP_INLINE bool compiles_kinds_apart(const upsweep::tuning& t) {
    return looks_back_in_sub_groups(t) || (keeps_runs(t) && t.ptx);
}

/// Whether a program for arrays at multiples of 16 bytes is worth building: where sub-groups move packs of 16 bytes.
/// That of a single tile is small, and serves arrays at any place.
UPSWEEP_INLINE bool compiles_places_apart(const program_text_view& text, const upsweep::tuning& t, operation op) {
    if (t.algorithm != tile_algorithm::sub_group || t.one_tile) return false;
    const bool stores = record_of(op).results == result_count::per_element && text.hooks.store.empty();
    const bool loads = text.hooks.load.empty();
    return (loads && packed_bytes % text.element.size == 0) || (stores && packed_bytes % text.value.size == 0);
}

/// Whether where arrays begin changes nothing in a call's program, though it does in one for arrays in place of what
/// hooks load and store: a check then takes the smaller of these.
UPSWEEP_INLINE bool has_no_places(const program_text_view& text, const upsweep::tuning& t, operation op) {
    program_text_view of_arrays = text;
    of_arrays.hooks = {};
    return !compiles_places_apart(text, t, op) && compiles_places_apart(of_arrays, t, op);
}

/// Whether a launch that counts marks comes before the scan.
UPSWEEP_INLINE bool counts_marks_first(const engine& e) {
    return e.counts_marks && looks_back_in_sub_groups(e.tuning);
}

/// The launch plan of a call of `n` elements.
UPSWEEP_INLINE launch_plan launches_of(const engine& e, std::uint64_t n) {
    launch_plan s = plan_passes(e.op, n, e.tuning, e.value_size, !e.counter.empty());
    if (counts_marks_first(e) && n > 0) plan_count_of_marks(s, e.value_size);
    return s;
}

/// Sets the tuning of an engine and of its programs' key, and the launch plan for `n` elements.
/// @throws upsweep::error where that needs more scratch than the device has
UPSWEEP_INLINE void use_tuning(const char* function, engine& e, program_key& key, const upsweep::tuning& t,
                               std::uint64_t n) {
    e.tuning = t;
    key.kind = family_of(e.op, t);
    key.tuning = compiled_tuning(t, key.kind);
    if (!compiles_kinds_apart(t)) key.text.scan = scan_kind::any;
    if (!compiles_places_apart(key.text, t, e.op)) key.text.is_aligned = false;
    e.scan = key.text.scan;
    e.is_aligned = key.text.is_aligned;
    e.full = launches_of(e, n);
    check_scratch(function, e.full, *e.limits);
}

/// Whether the canonical order's bits are what a call promises with this tuning.
UPSWEEP_INLINE bool promises_bits(const upsweep::tuning& t, operation op, const options& opts) {
    return keeps_canonical_order(t, op) && opts.reproducible &&
           (opts.strategy == strategy::automatic || t.algorithm == tile_algorithm::sub_group || keeps_runs(t));
}

/// Whether a call's values are associative to the last bit, so that any order of combination gives the same.
UPSWEEP_INLINE bool is_exact(const call_types& types) {
    return types.text.op.traits.exact || (types.value.kind == number_kind::integer && !types.own_operator);
}

/// Whether a tuning's kernels are tiles of segments, for hooks that have what these need.
UPSWEEP_INLINE bool cuts_segments(const tuning& t) {
    return looks_back_in_sub_groups(t) && t.items <= most_segment_items;
}

/// Whether a tuning's kernels for a call have a check of their own: they list marks (marks_check.hpp), or are tiles of
/// segments (segment_check_inl.hpp).
UPSWEEP_INLINE bool has_own_check(const tuning& t, const call_types& types) {
    return (types.lists_marks && lists_marks(t)) || (types.segments != segment_tiles::none && cuts_segments(t));
}

/// The verdict of a self-check for a call whose programs were not checked yet (self_check.hpp).
UPSWEEP_INLINE const self_check_verdict& check_first_use(const char* function, const engine& e, const call_types& types,
                                                         const program_key& key, bool promises_bits) {
    check_subject subject;
    subject.op = e.op;
    subject.element = class_with_members(types.element, types.text.element);
    subject.value = class_with_members(types.value, types.text.value);
    subject.own_operator = types.own_operator;
    subject.promises_bits = promises_bits && !types.lists_marks; // marks are integers
    subject.has_own_check = has_own_check(e.tuning, types);
    subject.key = key;
    subject.key.tuning = e.tuning;
    subject.text = text_of(key.text);
    subject.text.is_aligned = key.text.is_aligned || has_no_places(key.text, e.tuning, e.op);
    return self_check(function, *e.limits, subject);
}

/// What a tuning is chosen for: values as kernels take them.
UPSWEEP_INLINE problem_size problem_of(operation what, std::uint64_t n, const call_types& types) {
    problem_size problem{what, n, types.value.size, is_exact(types), types.element.size, types.stores_once};
    problem.is_counted = !types.counter.empty();
    problem.lists_marks = types.lists_marks;
    problem.counts_marks = types.counts_marks;
    problem.listed_size = types.listed_size;
    problem.is_computed = !types.text.hooks.load.empty();
    problem.read_size = types.read_size;
    problem.has_operands = types.operands != nullptr;
    problem.segments = types.segments;
    problem.segment_size = types.segment_size;
    problem.reads_row = types.reads_row;
    problem.costly_operator = types.text.op.traits.costly;
    problem.long_operator = types.text.op.traits.has_long_text;
    return problem;
}

/// The same of a scan of which only the options are checked, with the errors of one that is run: there is nothing to
/// do, or other launches do it, with a tuning of their own.
UPSWEEP_INLINE problem_size problem_of_no_run(std::uint64_t n, const call_types& types) {
    problem_size problem = problem_of(operation::scan, n, types);
    problem.stores_once = true;
    return problem;
}

/// The same as `make_engine` of values as kernels take them.
UPSWEEP_INLINE engine make_engine_of(const char* function, const queue_facts& queue, operation what, std::uint64_t n,
                                     const call_types& types, const options& opts) {
    engine e;
    e.context = queue.context;
    e.device = queue.device;
    e.limits = &limits_of(function, queue.device);
    e.op = what;
    e.value_size = types.value.size;
    e.counter = types.counter;
    e.counts_marks = types.counts_marks;
    e.operands = types.operands;
    const problem_size problem = problem_of(what, n, types);
    program_key key = key_of(queue, n, types.text);
    key.text.build_options = opts.build_options;
    const bool is_struct = !key.text.value.definition.empty();
    const bool is_doubtful = is_struct && !e.limits->rusticl.empty();
    key.text.op.traits.copies_operands = is_doubtful;
    const auto slot = [&] {
        return self_check_slot(what, e.tuning.strategy, promises_bits(e.tuning, what, opts), is_one_chunk(e.tuning));
    };
    use_tuning(function, e, key, choose_for_type(function, opts, *e.limits, problem, is_struct), n);
    if (is_doubtful && self_check_wanted() && !was_checked(key, slot()))
        check_rusticl_struct(function, *e.limits, key.text, types.alignment);
    e.programs = find_programs(function, e, key, opts);
    if (!e.programs.elements) { // the sub-groups that it needs are missing
        device_limits without = *e.limits;
        without.lanes = lanes_backend::none;
        use_tuning(function, e, key, choose_for_type(function, opts, without, problem, is_struct), n);
        e.programs = find_programs(function, e, key, opts);
    }

    const self_check_verdict* verdict = e.programs.elements->verdict(slot());
    if (!verdict && self_check_wanted()) {
        verdict = &check_first_use(function, e, types, key, promises_bits(e.tuning, what, opts));
        e.programs.elements->settle(slot(), *verdict);
    }
    if (verdict && !verdict->as_chosen) {
        use_tuning(function, e, key, verdict->instead, n);
        e.programs = find_programs(function, e, key, opts);
    }
    return e;
}

/// Checks the user's own text where what is built is a text around it.
UPSWEEP_INLINE void check_own_text(const char* function, const call_types& types, const device_limits& limits,
                                   const options& opts) {
    if (!types.own_operator && types.text.value.definition.empty()) return;
    program_text text = text_of(types.text);
    text.build_options = opts.build_options;
    check_once([&] { check_text(function, text, limits); }, "own text", reinterpret_cast<std::uintptr_t>(&limits),
               text.element, text.value, text.op, text.build_options);
}

/// Whether arrays of values are arrays of what these are packed into. Structs move as words there (moves_words).
UPSWEEP_INLINE bool packs_arrays(const call_types& types) {
    return types.text.value.definition.empty() && (types.text.hooks.load.empty() || types.loads_array) &&
           (types.text.hooks.store.empty() || types.stores_array);
}

/// Finds or builds what a call of `n` elements needs; nothing is built for one that must fail. The first use of a
/// kernel family is checked, and may lead to another tuning than the chosen one.
UPSWEEP_INLINE engine make_engine(const char* function, const queue_facts& queue, operation what, std::uint64_t n,
                                  const call_types& types, const options& opts) {
    if (packs_arrays(types)) {
        const device_limits& limits = limits_of(function, queue.device);
        const packed_types packed(types, limits);
        if (packed && packed.has_small_numbers()) {
            check_own_text(function, types, limits, opts);
            return make_engine_of(function, queue, what, n, packed.types(), opts);
        }
    }
    return make_engine_of(function, queue, what, n, types, opts);
}

/// A plan's calls are on its device.
/// @param own  a plan's, with `context` and `device`
template <class Own>
void check_same_device(const char* function, const Own& own, const queue_facts& queue) {
    if (queue.context != own.context || queue.device != own.device)
        throw error(function, "queue", "of another context or device than the plan was made for");
}

} // namespace upsweep::detail
