// SPDX-License-Identifier: MIT
#include "scenarios.hpp"

#include <upsweep/device_group.hpp>

#include <list>
#include <numeric>

namespace faults {
namespace {

using upsweep::span;
using upsweep::strategy;

const upsweep::plus plus;

std::vector<int> input() {
    return test::make_input<int>(elements, 11);
}
std::vector<int> scanned(bool exclusive) {
    return test::reference_scan<int>(input(), exclusive, exclusive ? std::optional<int>(7) : std::nullopt, plus);
}
std::vector<int> total() {
    return {scanned(false).back()};
}

/// Big tiles for the one strategy that has only one.
upsweep::options options_for(strategy s) {
    return s == strategy::single_tile ? fixture::small_tiles(s, 64, 16) : fixture::small_tiles(s);
}

/// An event that is complete, made while nobody watches.
std::shared_ptr<upsweep::wait_list> events_of(const cl::CommandQueue& queue, bool some, std::vector<cl::Event>& keep) {
    if (!some) return std::make_shared<upsweep::wait_list>();
    cl::Event done;
    queue.enqueueMarkerWithWaitList(nullptr, &done);
    done.wait();
    keep.push_back(done);
    return std::make_shared<upsweep::wait_list>(keep);
}

void add_free_functions(std::vector<scenario>& all, strategy s, bool waits) {
    const upsweep::options opts = options_for(s);
    const std::string how = std::string(", ") + to_string(s) + (waits ? ", after an event" : "");
    all.push_back({"inclusive_scan" + how, {"inclusive_scan"}, [=](const cl::CommandQueue& queue) {
                       std::vector<cl::Event> keep;
                       const auto after = events_of(queue, waits, keep);
                       return on_device(queue, input(), scanned(false), [=](auto in, auto out) {
                           (void)keep;
                           upsweep::inclusive_scan(queue, in, out, plus, *after, opts);
                       });
                   }});
    if (s == strategy::single_tile && waits) return;
    all.push_back({"reduce" + how, {"reduce"}, [=](const cl::CommandQueue& queue) {
                       std::vector<cl::Event> keep;
                       const auto after = events_of(queue, waits, keep);
                       return on_device(queue, input(), total(), [=](auto in, auto out) {
                           (void)keep;
                           upsweep::reduce(queue, in, out, upsweep::no_init, plus, *after, opts);
                       });
                   }});
}

void add_plans(std::vector<scenario>& all, strategy s, bool own_workspace) {
    const upsweep::options opts = options_for(s);
    const std::string how = std::string(", ") + to_string(s) + (own_workspace ? ", own workspace" : "");
    all.push_back({"scan_plan" + how, {"scan_plan", "exclusive_scan"}, [=](const cl::CommandQueue& queue) {
                       const auto room = std::make_shared<cl::Buffer>(fixture::poisoned_buffer(queue, 1 << 16));
                       return on_device(queue, input(), scanned(true), [=](auto in, auto out) {
                           const upsweep::scan_plan<int> plan(queue, elements, plus, opts);
                           plan.exclusive_scan(queue, in, out, 7, {},
                                               own_workspace ? span<unsigned char>(*room, 1 << 16)
                                                             : span<unsigned char>());
                       });
                   }});
    all.push_back({"reduce_plan" + how, {"reduce_plan", "reduce"}, [=](const cl::CommandQueue& queue) {
                       const auto room = std::make_shared<cl::Buffer>(fixture::poisoned_buffer(queue, 1 << 16));
                       return on_device(queue, input(), total(), [=](auto in, auto out) {
                           const upsweep::reduce_plan<int> plan(queue, elements, plus, opts);
                           plan.reduce(queue, in, out, upsweep::no_init, {},
                                       own_workspace ? span<unsigned char>(*room, 1 << 16) : span<unsigned char>());
                       });
                   }});
}

/// Host ranges in three pieces: where they are, as CPU devices can, or through device memory.
void add_streamed(std::vector<scenario>& all, bool in_host_memory) {
    const auto forced = [=](const cl::CommandQueue& queue) {
        upsweep::detail::staging_pool::get().release(queue.getInfo<CL_QUEUE_CONTEXT>()()); // so that it is made anew
        auto& settings = upsweep::detail::stream_settings::in_use();
        settings.threads = 1;
        settings.stage_slots = 2;
        return std::make_shared<test::disguise>([=](auto& limits) { limits.uses_host_memory = in_host_memory; });
    };
    upsweep::options opts;
    opts.device_memory = 256 * sizeof(float) * (in_host_memory ? 1 : 2);
    const std::string how = in_host_memory ? ", streamed in host memory" : ", streamed through the device";
    // Whole numbers, so that no order shows, but of a type whose order is kept.
    const std::vector<float> in = test::make_input<float>(elements, 13);
    const std::vector<float> sums = test::reference_scan<float>(in, false, std::optional<float>(), plus);
    all.push_back({"inclusive_scan" + how, {"inclusive_scan"}, [=](const cl::CommandQueue& queue) {
                       return on_host(sums, [=, way = forced(queue)](auto out) {
                           (void)way;
                           upsweep::inclusive_scan(queue, in.begin(), in.end(), out, plus, opts);
                       });
                   }});
    all.push_back({"reduce" + how, {"reduce"}, [=](const cl::CommandQueue& queue) {
                       return on_host(std::vector<float>{sums.back()}, [=, way = forced(queue)](auto out) {
                           (void)way;
                           *out = upsweep::reduce(queue, in.begin(), in.end(), 0.0F, plus, opts);
                       });
                   }});
}

} // namespace

std::vector<scenario> device_scenarios(const std::vector<strategy>& strategies) {
    std::vector<scenario> all;
    for (const strategy s : strategies)
        for (const bool extra : {false, true}) {
            add_free_functions(all, s, extra);
            add_plans(all, s, extra);
        }
    return all;
}

std::vector<scenario> streamed_scenarios() {
    std::vector<scenario> all;
    for (const bool in_host_memory : {true, false}) add_streamed(all, in_host_memory);
    return all;
}

/// Parts on two queues, so odd that values are folded and last results replaced. Without scratch: how many buffers of
/// it two queues leave in the pool is a matter of time.
void add_group(std::vector<scenario>& all) {
    const upsweep::options opts = options_for(strategy::single_tile);
    const auto group_of = [](const cl::CommandQueue& queue) {
        const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
        const cl_device_id device = fixture::device_of(queue)();
        const cl::CommandQueue second(upsweep::detail::create_queue("test", context(), device, 0));
        return upsweep::device_group({queue, second});
    };
    const auto parts_of = [](auto view) {
        constexpr std::size_t first = 250;
        const std::size_t size = sizeof(typename decltype(view)::value_type);
        return std::vector<decltype(view)>{{view.buffer(), first, view.byte_offset()},
                                           {view.buffer(), elements - first, view.byte_offset() + first * size}};
    };
    all.push_back({"inclusive_scan by a group", {"inclusive_scan"}, [=](const cl::CommandQueue& queue) {
                       const upsweep::device_group group = group_of(queue);
                       trial t = on_device(queue, input(), scanned(false), [=](auto in, auto out) {
                           upsweep::inclusive_scan(group, parts_of(in), parts_of(out), plus, {}, opts);
                       });
                       const auto contained = t.contained;
                       t.contained = [=] { return group.queue(1).finish() == CL_SUCCESS && contained(); };
                       return t;
                   }});
    all.push_back({"reduce on the host by a group", {"reduce"}, [=](const cl::CommandQueue& queue) {
                       return on_host(total(), [=, in = input(), group = group_of(queue)](auto out) {
                           *out = upsweep::reduce(group, in.begin(), in.end(), 0, plus, opts);
                       });
                   }});
}

void add_bytes(std::vector<scenario>& all, const upsweep::options& opts) {
    // Elements and sums of different types: two programs, and an output of its own.
    const std::vector<signed char> bytes = test::make_input<signed char>(elements, 12);
    const std::vector<int> sums = test::reference_scan<int>(bytes, false, std::optional<int>(7), plus);
    all.push_back({"inclusive_scan of bytes on the host", {"inclusive_scan"}, [=](const cl::CommandQueue& queue) {
                       return on_host(sums, [=](auto out) {
                           upsweep::inclusive_scan(queue, bytes.begin(), bytes.end(), out, plus, 7, opts);
                       });
                   }});
}

void add_sum_on_host(std::vector<scenario>& all, const upsweep::options& opts) {
    all.push_back({"reduce on the host", {"reduce"}, [=](const cl::CommandQueue& queue) {
                       return on_host(total(), [=, in = input()](auto out) {
                           *out = upsweep::reduce(queue, in.begin(), in.end(), 0, plus, opts);
                       });
                   }});
}

std::vector<scenario> other_scenarios() {
    std::vector<scenario> all;
    const upsweep::options opts = options_for(strategy::reduce_then_scan);
    add_group(all);
    add_bytes(all, opts);
    add_sum_on_host(all, opts);
    all.push_back({"exclusive_scan of a list", {"exclusive_scan"}, [=](const cl::CommandQueue& queue) {
                       const std::vector<int> in = input();
                       return on_host(scanned(true), [=, list = std::list<int>(in.begin(), in.end())](auto out) {
                           upsweep::exclusive_scan(queue, list.begin(), list.end(), out, 7, plus, opts);
                       });
                   }});
    all.push_back({"inclusive_scan of nothing", {"inclusive_scan"}, [=](const cl::CommandQueue& queue) {
                       return on_device(queue, std::vector<int>(), std::vector<int>(), [=](auto in, auto out) {
                           upsweep::inclusive_scan(queue, in, out, plus, {}, opts);
                       });
                   }});
    all.push_back({"reduce of nothing", {"reduce"}, [=](const cl::CommandQueue& queue) {
                       return on_device(queue, std::vector<int>(), std::vector<int>{5},
                                        [=](auto in, auto out) { upsweep::reduce(queue, in, out, 5, plus, {}, opts); });
                   }});
    return all;
}

std::vector<scenario> first_scenarios() {
    std::vector<scenario> all;
    const upsweep::options opts = options_for(strategy::reduce_then_scan);
    add_bytes(all, opts);
    add_plans(all, strategy::look_back, false);
    add_free_functions(all, strategy::reduce_then_scan, false);
    add_sum_on_host(all, opts);
    add_group(all);
    all.pop_back(); // its reduction does what the scan does
    return all;
}

} // namespace faults
