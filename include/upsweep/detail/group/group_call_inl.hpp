// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/group/group_call.hpp>
#include <upsweep/detail/group/part_call_inl.hpp>
#include <upsweep/detail/parts/split.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/version.hpp>

#include <chrono>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// Does something with a part; errors name it.
template <class Action>
void with_part(std::size_t number, const Action& action) {
    try {
        action();
    } catch (const error& e) {
        throw error(e.function(), "part " + std::to_string(number) + ": " + e.argument(), e.cause(), e.status());
    }
}

/// Checks the arguments of all parts, and how many elements they are together.
UPSWEEP_INLINE std::vector<std::shared_ptr<part_call>> check_parts(const group_arguments& a, const call_types& types,
                                                                   const options& opts) {
    std::vector<std::shared_ptr<part_call>> parts;
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < a.parts.size(); ++i)
        with_part(i, [&] {
            parts.push_back(check_part(a.parts[i], a.call, types, opts));
            n += a.parts[i].in.size;
            if (n >> 63 != 0) throw error(a.function, "input", "2^63 elements or more, with the parts before");
            for (std::size_t other = 0; other < i; ++other)
                if (parts[i]->disturbs(*parts[other]))
                    throw error(a.function, "output",
                                "what one of this part and part " + std::to_string(other) +
                                    " writes overlaps what the other reads or writes");
        });
    return parts;
}

// As in streamed/pipeline.hpp.
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Divides host memory among queues, does something with each part in a thread of its own, and waits for all.
/// @param function  the public function, for errors
/// @param action    takes the part's number and where it begins
UPSWEEP_INLINE void for_parts(const char* function, const std::vector<std::uint64_t>& counts,
                              const std::function<void(std::size_t, std::uint64_t)>& action) {
    std::vector<std::exception_ptr> failures(counts.size() + 1); // the last is that of a thread that does not start
    std::vector<std::thread> threads;
    try {
        threads.reserve(counts.size());
        std::uint64_t begin = 0;
        for (std::size_t i = 0; i < counts.size(); begin += counts[i++])
            if (counts[i] > 0)
                threads.emplace_back([&action, &failures, i, begin] {
                    try {
                        with_part(i, [&] { action(i, begin); });
                    } catch (...) {
                        failures[i] = std::current_exception();
                    }
                });
    } catch (const std::system_error& e) {
        failures.back() = std::make_exception_ptr(error(function, "std::thread", e.what()));
    } catch (...) {
        failures.back() = std::current_exception();
    }
    for (std::thread& thread : threads) thread.join();
    if (failures.back()) std::rethrow_exception(failures.back());
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

} // namespace UPSWEEP_VERSION_NAMESPACE

/// The parts of a host array on their devices.
class uploaded_parts {
public:
    UPSWEEP_INLINE uploaded_parts(const host_arguments& h, const std::vector<cl_command_queue>& queues,
                                  const std::vector<std::uint64_t>& counts, const call_types& types)
        : host_(h)
        , counts_(counts)
        , types_(types)
        , in_(counts.size())
        , out_(counts.size()) {
        for (std::size_t i = 0; i < counts.size(); ++i)
            with_part(i, [&] {
                queues_.push_back(inspect_queue(h.function, queues[i]));
                check_fits(h.function, queues_[i].device, counts[i], types.element.size, types.value.size);
            });
        for_parts(h.function, counts, [&](std::size_t i, std::uint64_t begin) {
            const auto* data = static_cast<const unsigned char*>(h.in) + begin * types_.element.size;
            in_[i] = upload(h.function, queues_[i], data, static_cast<std::size_t>(counts[i]) * types_.element.size);
            if (h.op == operation::scan && !h.same_type)
                out_[i] = make_buffer(h.function, queues_[i], bytes_of_values(i));
        });
    }

    UPSWEEP_INLINE call_arguments arguments(std::size_t i, const wait_list& after) const {
        call_arguments a;
        a.function = host_.function;
        a.op = host_.op;
        a.queue = queues_[i].queue;
        a.in = {in_[i](), counts_[i], 0, types_.element.size};
        if (host_.op == operation::scan) a.out = {results(i), counts_[i], 0, types_.value.size};
        a.same_type = host_.same_type;
        a.exclusive = host_.exclusive;
        a.init = host_.init;
        a.after = &after;
        return a;
    }

    UPSWEEP_INLINE void download_results(const std::vector<cl::Event>& done) const {
        for_parts(host_.function, counts_, [&](std::size_t i, std::uint64_t begin) {
            auto* to = static_cast<unsigned char*>(host_.out) + begin * types_.value.size;
            download(host_.function, queues_[i], results(i), done[i], to, bytes_of_values(i));
        });
    }

private:
    cl_mem results(std::size_t i) const { return host_.same_type ? in_[i]() : out_[i](); }
    UPSWEEP_INLINE std::size_t bytes_of_values(std::size_t i) const {
        return static_cast<std::size_t>(counts_[i]) * types_.value.size;
    }

    const host_arguments& host_;
    const std::vector<std::uint64_t>& counts_;
    const call_types& types_;
    std::vector<queue_facts> queues_;
    std::vector<owned<cl_mem>> in_;
    std::vector<owned<cl_mem>> out_;
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED std::vector<cl_event> call_group(const group_arguments& a, const call_types& types,
                                                 const options& opts) {
    const std::vector<std::shared_ptr<part_call>> parts = check_parts(a, types, opts);
    std::vector<std::uint64_t> counts;
    for (const call_arguments& part : a.parts) counts.push_back(part.in.size);
    const parts_plan plan = plan_parts(counts, a.call, a.init != nullptr);
    // Every program is there before anything is enqueued.
    const auto each = [&](const auto& action) {
        for (std::size_t i = 0; i < parts.size(); ++i) with_part(i, [&] { action(i); });
    };
    each([&](std::size_t i) { build_part(*parts[i], plan.parts[i], i == 0 && !plan.fold.steps.empty()); });

    const std::size_t size = types.value.size;
    std::vector<unsigned char> values(plan.fold.size() * size);
    if (a.init) std::memcpy(values.data(), a.init, size);
    each([&](std::size_t i) { start_sums(*parts[i]); });
    each([&](std::size_t i) { read_sums(*parts[i], values.data()); });
    fold_values(*parts.front(), plan.fold.steps, values.data(), plan.fold.size());
    if (plan.total) std::memcpy(a.result, values.data() + *plan.total * size, size);
    std::vector<cl::Event> done;
    if (a.call != parts_call::reduce)
        each([&](std::size_t i) { done.push_back(cl::Event(start_scans(*parts[i], values.data()))); });
    std::vector<cl_event> result;
    for (cl::Event& event : done) result.push_back(give(std::move(event)));
    return result;
}

UPSWEEP_DEFINED void call_group_on_host(const host_arguments& h, parts_call call,
                                        const std::vector<cl_command_queue>& queues,
                                        const std::vector<std::uint64_t>& counts, const call_types& types,
                                        const options& opts) {
    refuse_operands(h.function, types, groups_and_ranks); // before anything is copied
    const uploaded_parts parts(h, queues, counts, types);
    const wait_list none;
    group_arguments a;
    a.function = h.function;
    a.call = call;
    for (std::size_t i = 0; i < counts.size(); ++i) a.parts.push_back(parts.arguments(i, none));
    a.init = h.has_init ? h.init : nullptr;
    a.result = h.out;
    std::vector<cl::Event> done;
    for (cl_event event : call_group(a, types, opts)) done.push_back(cl::Event(event));
    if (call != parts_call::reduce) parts.download_results(done);
}

UPSWEEP_DEFINED void check_speeds(const std::vector<double>& speeds, std::size_t queues) {
    const auto refuse = [](const char* cause) { throw error("device_group", "speeds", cause); };
    if (speeds.size() != queues) refuse("must be as many as the queues");
    double sum = 0;
    for (double speed : speeds) {
        if (!(speed >= 0.0 && speed <= 1e300)) refuse("must be numbers that are not negative");
        sum += speed;
    }
    if (!(sum > 0)) refuse("must not all be zero");
}

UPSWEEP_DEFINED std::vector<std::size_t> split_elements(std::size_t n, const std::vector<double>& speeds) {
    std::vector<std::size_t> result;
    for (std::uint64_t count : split_by_speed(n, speeds)) result.push_back(static_cast<std::size_t>(count));
    return result;
}

UPSWEEP_DEFINED void check_measured(cl_command_queue queue, std::size_t n) {
    if (n == 0) throw error("device_group", "n", "no elements to measure with");
    const device_limits& limits = limits_of("device_group", device_of("device_group", queue));
    if (n > limits.max_allocation_bytes / sizeof(float))
        throw error("device_group", "n",
                    std::to_string(n) + " floats do not fit a buffer: device " + limits.name + " allocates at most " +
                        std::to_string(limits.max_allocation_bytes) + " bytes");
}

UPSWEEP_DEFINED double seconds_of_scan(cl_command_queue queue, std::size_t n) {
    const std::vector<float> zeros(n);
    using clock = std::chrono::steady_clock;
    double best = 1e300;
    const auto array =
        copied_to_device("device_group", inspect_queue("device_group", queue), zeros.data(), n * sizeof(float));
    const span<float> view{array(), n};
    for (int run = 0; run < 4; ++run) {
        const auto start = clock::now();
        const cl::Event done = inclusive_scan(queue, view, view);
        await_command("device_group", queue, done()); // and no other command of the queue
        const double seconds = std::chrono::duration<double>(clock::now() - start).count();
        if (run > 0 && seconds < best) best = seconds; // the first one builds
    }
    return best > 1e-9 ? best : 1e-9;
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep::detail
