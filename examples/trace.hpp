// SPDX-License-Identifier: MIT
// Runs the library's own kernel of one tile algorithm in one work-group and records its local array after every step.
//
// The traced element carries the numbers it covers: its operator adds values and joins spans, so that one run gives
// both the numbers and the formulas of the textbook's picture, and operands that are not neighbours show up.
#pragma once

#include <upsweep/upsweep.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trace {

enum class algorithm { blelloch, hillis_steele, brent_kung, interleaved, compacted, sequential };

constexpr std::array<algorithm, 6> all_algorithms{algorithm::blelloch,   algorithm::hillis_steele,
                                                  algorithm::brent_kung, algorithm::interleaved,
                                                  algorithm::compacted,  algorithm::sequential};

inline const char* to_string(algorithm a) {
    constexpr std::array<const char*, 6> names{"blelloch",    "hillis_steele", "brent_kung",
                                               "interleaved", "compacted",     "sequential"};
    return names[static_cast<std::size_t>(a)];
}

inline bool is_scan(algorithm a) {
    return a == algorithm::blelloch || a == algorithm::hillis_steele || a == algorithm::brent_kung;
}

/// What one slot of the local array holds: the sum of the inputs first .. last, or one of the marks below in `first`.
struct slot {
    std::int32_t value = 0;
    std::int32_t first = 0;
    std::int32_t last = 0;

    friend bool operator==(const slot& a, const slot& b) {
        return a.value == b.value && a.first == b.first && a.last == b.last;
    }
    friend bool operator!=(const slot& a, const slot& b) { return !(a == b); }
};

constexpr std::int32_t never_written = -1;
constexpr std::int32_t out_of_order = -2; ///< the operands were no neighbours
constexpr std::int32_t empty = -3;        ///< counts as empty: an identity would stand here

struct step {
    std::string name;
    std::vector<slot> slots;
};

struct recording {
    trace::algorithm algorithm = algorithm::blelloch;
    std::vector<std::int32_t> input;
    std::vector<step> steps;
    std::vector<slot> prefixes; ///< for scans: what the kernel returns to work-item i, the sum of all before it
    slot total;
};

namespace host {

namespace detail = upsweep::detail;

constexpr const char* function = "trace";

constexpr const char* slot_definition = "typedef struct { int value, first, last; } slot;";

constexpr const char* join = "const bool neighbours = left.first >= 0 && left.last + 1 == right.first;\n"
                             "const slot good = {left.value + right.value, left.first, right.last};\n"
                             "const slot bad = {left.value + right.value, -2, -2};\n"
                             "if (neighbours) return good;\n"
                             "return bad;";

inline upsweep::tuning tuning_of(algorithm a, std::uint32_t work_items) {
    upsweep::tuning t;
    t.algorithm = a == algorithm::hillis_steele ? upsweep::tile_algorithm::hillis_steele
                  : a == algorithm::brent_kung  ? upsweep::tile_algorithm::brent_kung
                                                : upsweep::tile_algorithm::blelloch;
    t.reduction = a == algorithm::interleaved ? upsweep::tree_reduce::interleaved
                  : a == algorithm::compacted ? upsweep::tree_reduce::compacted
                                              : upsweep::tree_reduce::sequential;
    t.work_items = work_items;
    t.bank_padding = false; // slot i is then simply element i of the array
    return t;
}

inline detail::program_text text() {
    const detail::type_text type{"slot", slot_definition, sizeof(slot)};
    return {type, type, {"user operator", join, {}}};
}

/// The program: as the library builds its own, with the hooks in front of the prelude and the trace kernels at the end.
inline std::string source_of(const upsweep::tuning& tuning) {
    detail::program_source out{std::string(slot_definition) + '\n', {}};
    detail::append_defines(out.text, text(), tuning, false);
    detail::append_file(out, detail::kernels::trace_hooks);
    detail::append_file(out, detail::kernels::prelude);
    out.text.append("upsweep_value upsweep_combine(upsweep_value left, upsweep_value right)\n{\n").append(join);
    out.text.append("\n}\n");
    detail::append_file(out, detail::file_of(tuning.algorithm));
    detail::append_file(out, detail::kernels::trace);
    return out.text;
}

inline std::string step_name(algorithm a, std::uint32_t phase, std::uint32_t number) {
    if (phase == 0) return "loaded";
    if (phase == 2) return "root cleared";
    const std::string count = ' ' + std::to_string(number);
    if (a == algorithm::blelloch) return (phase == 1 ? "up-sweep" : "down-sweep") + count;
    if (a == algorithm::brent_kung) return (phase == 1 ? "reduce" : "distribute") + count;
    return "step" + count;
}

/// Turns what the kernel wrote into steps: numbers them per phase and marks the slot that counts as empty.
inline std::vector<step> steps_of(algorithm a, std::size_t work_items, std::size_t count,
                                  const std::vector<slot>& slots, const std::vector<cl_uint>& phases) {
    std::vector<step> steps(count);
    cl_uint previous = 0;
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const cl_uint phase = phases[2 * i];
        number = phase == previous ? number + 1 : 1;
        previous = phase;
        const auto begin = slots.begin() + static_cast<std::ptrdiff_t>(i * work_items);
        steps[i] = {step_name(a, phase, number), {begin, begin + static_cast<std::ptrdiff_t>(work_items)}};
        const cl_uint empty_slot = phases[2 * i + 1];
        if (empty_slot < work_items) steps[i].slots[empty_slot] = {0, empty, empty};
    }
    return steps;
}

using memory = detail::owned<cl_mem>;

template <class T>
memory to_device(const detail::queue_facts& queue, const std::vector<T>& values) {
    return detail::upload(function, queue, values.data(), values.size() * sizeof(T));
}

template <class T>
std::vector<T> to_host(const detail::queue_facts& queue, const memory& buffer, const cl::Event& done, std::size_t n) {
    std::vector<T> values(n);
    detail::download(function, queue, buffer(), done, values.data(), n * sizeof(T));
    return values;
}

/// Buffers in the order of the kernels' parameters.
struct arguments {
    memory in;
    cl_uint count;
    slot blank;
    memory out, slots, steps, step_count;
};

inline cl::Event launch(const detail::queue_facts& queue, const upsweep::tuning& tuning, bool scan,
                        const arguments& a) {
    const cl::Program program = detail::build_program(function, queue.context, queue.device, text(), source_of(tuning),
                                                      detail::build_options(tuning));
    cl_int status = CL_SUCCESS;
    const cl::Kernel kernel(clCreateKernel(program(), scan ? "upsweep_trace_scan" : "upsweep_trace_reduce", &status));
    detail::check_status(status, function, "clCreateKernel");
    cl_uint index = 0;
    const auto bind = [&](const auto& value) {
        detail::check_status(clSetKernelArg(kernel(), index++, sizeof value, &value), function, "clSetKernelArg");
    };
    bind(a.in());
    bind(a.count);
    bind(a.blank);
    for (const memory* buffer : {&a.out, &a.slots, &a.steps, &a.step_count}) bind((*buffer)());
    const std::size_t size = tuning.work_items;
    cl_event done = nullptr;
    detail::check_status(clEnqueueNDRangeKernel(queue.queue, kernel(), 1, nullptr, &size, &size, 0, nullptr, &done),
                         function, "clEnqueueNDRangeKernel");
    return cl::Event(done);
}

} // namespace host

/// Runs one algorithm on `input`, one number per work-item; work-items are rounded up to a power of two.
/// @throws upsweep::error when there is no input or more than one work-group of the device takes
inline recording run(upsweep::queue_handle handle, algorithm what, const std::vector<std::int32_t>& input) {
    namespace detail = upsweep::detail;
    const detail::queue_facts queue = detail::inspect_queue(host::function, handle);
    const std::size_t most = detail::limits_of(host::function, queue.device).max_work_group_size;
    std::uint32_t work_items = 1;
    std::size_t levels = 0;
    while (work_items < input.size() && work_items <= most) {
        work_items *= 2;
        ++levels;
    }
    if (input.empty() || work_items > most)
        throw upsweep::error(host::function, "input",
                             std::to_string(input.size()) + " numbers; must be 1 to " + std::to_string(most));

    std::vector<slot> elements;
    for (std::int32_t x : input) {
        const auto i = static_cast<std::int32_t>(elements.size());
        elements.push_back({x, i, i});
    }
    const std::size_t most_steps = 2 * levels + 2;
    const slot blank{0, never_written, never_written};
    const host::arguments a{host::to_device(queue, elements),
                            static_cast<cl_uint>(input.size()),
                            blank,
                            host::to_device(queue, std::vector<slot>(input.size(), blank)),
                            host::to_device(queue, std::vector<slot>(most_steps * work_items, blank)),
                            host::to_device(queue, std::vector<cl_uint>(2 * most_steps)),
                            host::to_device(queue, std::vector<cl_uint>(1))};
    const cl::Event done = host::launch(queue, host::tuning_of(what, work_items), is_scan(what), a);

    recording r;
    r.algorithm = what;
    r.input = input;
    const std::size_t count = host::to_host<cl_uint>(queue, a.step_count, done, 1)[0];
    r.steps = host::steps_of(what, work_items, count, host::to_host<slot>(queue, a.slots, done, count * work_items),
                             host::to_host<cl_uint>(queue, a.steps, done, 2 * count));
    r.prefixes = host::to_host<slot>(queue, a.out, done, input.size());
    r.total = r.prefixes[0];
    r.prefixes[0] = {0, empty, empty};
    if (!is_scan(what)) r.prefixes.clear();
    return r;
}

/// Whether the kernel's answer is the serial one: every prefix, and the total, in value and in span.
inline bool is_correct(const recording& r) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < r.input.size(); ++i) {
        const auto last = static_cast<std::int32_t>(i) - 1;
        if (i > 0 && is_scan(r.algorithm) && r.prefixes[i] != slot{sum, 0, last}) return false;
        sum += r.input[i];
    }
    return r.total == slot{sum, 0, static_cast<std::int32_t>(r.input.size()) - 1};
}

} // namespace trace
