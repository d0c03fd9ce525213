// SPDX-License-Identifier: MIT
// Bad views, handles and wait lists: every call names function, argument and cause, and enqueues nothing.
#include "device_fixture.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace fixture;
using upsweep::span;

namespace {

/// What both scans, as free function and through a plan, must say about these views.
template <class In, class Out>
void scans_reject(upsweep::queue_handle queue, span<const In> in, span<Out> out, const std::string& argument,
                  const std::string& phrase, const upsweep::wait_list& after = {}) {
    const upsweep::scan_plan<In, Out> plan(upsweep::default_queue(), std::numeric_limits<std::uint32_t>::max());
    const Out init{};
    expect_error("inclusive_scan", argument, phrase,
                 [&] { upsweep::inclusive_scan(queue, in, out, upsweep::plus{}, after); });
    expect_error("inclusive_scan", argument, phrase,
                 [&] { upsweep::inclusive_scan(queue, in, out, upsweep::plus{}, init, after); });
    expect_error("exclusive_scan", argument, phrase,
                 [&] { upsweep::exclusive_scan(queue, in, out, init, upsweep::plus{}, after); });
    expect_error("inclusive_scan", argument, phrase, [&] { plan.inclusive_scan(queue, in, out, after); });
    expect_error("inclusive_scan", argument, phrase, [&] { plan.inclusive_scan(queue, in, out, init, after); });
    expect_error("exclusive_scan", argument, phrase, [&] { plan.exclusive_scan(queue, in, out, init, after); });
}

template <class In, class Out>
void reduces_reject(upsweep::queue_handle queue, span<const In> in, span<Out> result, const std::string& argument,
                    const std::string& phrase, const upsweep::wait_list& after = {}) {
    const upsweep::reduce_plan<In, Out> plan(upsweep::default_queue(), std::numeric_limits<std::uint32_t>::max());
    const Out init{};
    const upsweep::no_init_t none;
    expect_error("reduce", argument, phrase, [&] { upsweep::reduce(queue, in, result, none, upsweep::plus{}, after); });
    expect_error("reduce", argument, phrase, [&] { upsweep::reduce(queue, in, result, init, upsweep::plus{}, after); });
    expect_error("reduce", argument, phrase, [&] { plan.reduce(queue, in, result, none, after); });
    expect_error("reduce", argument, phrase, [&] { plan.reduce(queue, in, result, init, after); });
}

template <class In, class Out>
void all_reject_input(upsweep::queue_handle queue, span<const In> in, span<Out> out, const std::string& phrase) {
    scans_reject(queue, in, out, "input", phrase);
    reduces_reject(queue, in, out, "input", phrase);
}

template <class In, class Out>
void all_reject_output(upsweep::queue_handle queue, span<const In> in, span<Out> out, const std::string& phrase) {
    scans_reject(queue, in, out, "output", phrase);
    reduces_reject(queue, in, out, "result", phrase);
}

cl::Buffer sub_buffer(const cl::Buffer& parent, std::size_t origin, std::size_t size,
                      cl_mem_flags flags = CL_MEM_READ_WRITE) {
    const cl_buffer_region region{origin, size};
    cl_int status = CL_SUCCESS;
    cl::Buffer sub(clCreateSubBuffer(parent(), flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
    REQUIRE(status == CL_SUCCESS);
    return sub;
}

/// Where sub-buffers may begin: a multiple of the device's alignment.
std::size_t sub_buffer_step(const cl::CommandQueue& queue) {
    return device_of(queue).getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
}

} // namespace

TEST_CASE("a view larger than its buffer is rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> in(queue, ten, 0);
    const guarded_array<int> out(queue, 10, 0);
    const char* phrase = "is larger than its buffer of 40 bytes";

    all_reject_input(queue, span<const int>(in.buffer(), 11), out.view(), phrase);
    all_reject_input(queue, span<const int>(in.buffer(), 10, 4), out.view(), phrase);
    all_reject_input(queue, span<const int>(in.buffer(), 0, 44), out.view(), phrase);
    scans_reject(queue, in.input(), span<int>(out.buffer(), 10, 4), "output", phrase);
    // Of a result, one element counts.
    reduces_reject(queue, in.input(), span<int>(out.buffer(), 1, 40), "result", phrase);

    // Counts and offsets whose product or sum with something wraps around to a small number.
    for (const std::size_t shift : {62U, 63U})
        for (const std::size_t more : {0U, 1U, 10U}) {
            const std::size_t n = (std::size_t{1} << shift) + more;
            expect_error("inclusive_scan", "input", phrase, [&] {
                upsweep::inclusive_scan(queue, span<const int>(in.buffer(), n), span<int>(out.buffer(), n));
            });
            expect_error("reduce", "input", phrase,
                         [&] { upsweep::reduce(queue, span<const int>(in.buffer(), n), out.view()); });
        }
    const std::size_t end = std::numeric_limits<std::size_t>::max() - 3;
    all_reject_input(queue, span<const int>(in.buffer(), 5, end), out.view(), phrase);
    all_reject_output(queue, in.input(), span<int>(out.buffer(), 10, end), phrase);
    CHECK(out.untouched());
}

TEST_CASE("a view is measured against its sub-buffer, not the parent", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::size_t step = sub_buffer_step(queue);
    const guarded_array<int> parent(queue, step, 0); // 4 * step bytes
    const cl::Buffer first = sub_buffer(parent.buffer(), 0, 40);
    const cl::Buffer second = sub_buffer(parent.buffer(), step, 40);
    const char* phrase = "is larger than its buffer of 40 bytes";
    all_reject_input(queue, span<const int>(first, 11), span<int>(second, 10), phrase);
    scans_reject(queue, span<const int>(first, 10), span<int>(second, 10, 4), "output", phrase);
    CHECK(parent.untouched());
}

TEST_CASE("an offset that is not a multiple of the element is rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> in(queue, ten);
    const guarded_array<int> out(queue, 10);
    for (const std::size_t offset : {1U, 2U, 3U, 5U}) {
        const std::string phrase =
            "offset of " + std::to_string(offset) + " bytes is not a multiple of the element's 4";
        all_reject_input(queue, span<const int>(in.buffer(), 3, offset), out.view(), phrase);
        all_reject_output(queue, span<const int>(in.buffer(), 3), span<int>(out.buffer(), 3, offset), phrase);
    }
    CHECK(out.untouched());
}

TEST_CASE("an output that is too short is rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> in(queue, ten);
    const guarded_array<int> out(queue, 10);
    scans_reject(queue, in.input(), span<int>(out.buffer(), 9), "output", "9 elements are fewer than the input's 10");
    scans_reject(queue, in.input(), span<int>(), "output", "0 elements are fewer than the input's 10");
    reduces_reject(queue, in.input(), span<int>(out.buffer(), 0), "result", "must have room for one element");
    reduces_reject(queue, in.input(), span<int>(), "result", "must have room for one element");
    reduces_reject(queue, span<const int>(), span<int>(), "result", "must have room for one element");
    CHECK(out.untouched());
}

TEST_CASE("input and output that overlap without being the same elements are rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const std::size_t step = sub_buffer_step(queue);
    const guarded_array<int> all(queue, 4 * step, 0);
    const cl::Buffer& buffer = all.buffer();
    const char* phrase = "overlaps the input without being the same elements";
    const auto in = [&](std::size_t n, std::size_t first) { return span<const int>(buffer, n, first * 4); };
    const auto out = [&](std::size_t n, std::size_t first) { return span<int>(buffer, n, first * 4); };

    scans_reject(queue, in(10, 0), out(10, 1), "output", phrase);
    scans_reject(queue, in(10, 1), out(10, 0), "output", phrase);
    scans_reject(queue, in(10, 0), out(10, 9), "output", phrase);
    scans_reject(queue, in(10, 9), out(20, 0), "output", phrase);
    reduces_reject(queue, in(10, 5), out(1, 5), "result", "overlaps the input");
    reduces_reject(queue, in(10, 5), out(1, 14), "result", "overlaps the input");

    // Through two sub-buffers of one parent, and through a sub-buffer and its parent.
    const cl::Buffer low = sub_buffer(buffer, 0, 2 * step);
    const cl::Buffer high = sub_buffer(buffer, step, 2 * step);
    const std::size_t n = step / 2; // elements in 2 * step bytes
    scans_reject(queue, span<const int>(low, n), span<int>(high, n), "output", phrase);
    scans_reject(queue, span<const int>(high, n), span<int>(low, n), "output", phrase);
    scans_reject(queue, span<const int>(high, n), out(n, 0), "output", phrase);
    scans_reject(queue, in(n, 0), span<int>(high, n), "output", phrase);
    reduces_reject(queue, span<const int>(low, n), span<int>(high, 1), "result", "overlaps the input");
    CHECK(all.untouched());
}

TEST_CASE("in place needs one type", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> all(queue, 10);
    const span<const int> in(all.buffer(), 10);
    const char* phrase = "in place needs input and output of the same type";
    scans_reject(queue, in, span<float>(all.buffer(), 10), "output", phrase);
    scans_reject(queue, in, span<unsigned>(all.buffer(), 10), "output", phrase);
    scans_reject(queue, span<const short>(all.buffer(), 10), span<int>(all.buffer(), 10), "output", "overlaps");
    CHECK(all.untouched());
}

TEST_CASE("null handles are rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> in(queue, ten);
    const guarded_array<int> out(queue, 10);
    const cl::CommandQueue no_queue;
    const cl::Buffer no_buffer;
    scans_reject(no_queue, in.input(), out.view(), "queue", "null handle");
    reduces_reject(no_queue, in.input(), out.view(), "queue", "null handle");
    expect_error("scan_plan", "queue", "null handle", [&] { upsweep::scan_plan<int>(no_queue, 10); });
    expect_error("reduce_plan", "queue", "null handle", [&] { upsweep::reduce_plan<int>(no_queue, 10); });
    std::vector<int> host = ten;
    expect_error("inclusive_scan", "queue", "null handle",
                 [&] { upsweep::inclusive_scan(no_queue, ten.begin(), ten.end(), host.begin()); });
    expect_error("exclusive_scan", "queue", "null handle",
                 [&] { upsweep::exclusive_scan(no_queue, ten.begin(), ten.end(), host.begin(), 0); });
    expect_error("reduce", "queue", "null handle", [&] { upsweep::reduce(no_queue, ten.begin(), ten.end()); });
    CHECK(host == ten);

    all_reject_input(queue, span<const int>(no_buffer, 10), out.view(), "null handle");
    all_reject_output(queue, in.input(), span<int>(no_buffer, 10), "null handle");

    const upsweep::wait_list after = upsweep::after(std::vector<cl_event>{nullptr});
    scans_reject(queue, in.input(), out.view(), "after", "null event", after);
    reduces_reject(queue, in.input(), out.view(), "after", "null event", after);
    const upsweep::wait_list after_default = upsweep::after({cl::Event()});
    scans_reject(queue, in.input(), out.view(), "after", "null event", after_default);
    queue.finish();
    CHECK(out.untouched());
    CHECK(in.values() == ten);
}

TEST_CASE("buffers of another context are rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const own_context another(queue);
    const cl::CommandQueue& other = another.queue;
    const guarded_array<int> in(queue, ten);
    const guarded_array<int> out(queue, 10);
    const guarded_array<int> foreign(other, 10);
    const char* phrase = "the buffer belongs to another context than the queue";
    all_reject_input(queue, foreign.input(), out.view(), phrase);
    all_reject_output(queue, in.input(), foreign.view(), phrase);
    CHECK(out.untouched());
    CHECK(foreign.untouched());
}

TEST_CASE("read-only outputs and write-only inputs are rejected", "[errors]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const guarded_array<int> in(queue, ten, 0);
    const guarded_array<int> out(queue, 10, 0);
    const guarded_array<int> read_only(queue, 10, 0, CL_MEM_READ_ONLY);
    const guarded_array<int> write_only(queue, 10, 0, CL_MEM_WRITE_ONLY);
    all_reject_output(queue, in.input(), read_only.view(), "the buffer is read-only for kernels");
    all_reject_input(queue, write_only.input(), out.view(), "the buffer is write-only for kernels");
    // What a sub-buffer was made with counts, whatever the parent allows.
    const cl::Buffer read_only_part = sub_buffer(out.buffer(), 0, 40, CL_MEM_READ_ONLY);
    all_reject_output(queue, in.input(), span<int>(read_only_part, 10), "the buffer is read-only for kernels");
    const cl::Buffer inherited = sub_buffer(read_only.buffer(), 0, 40, 0);
    all_reject_output(queue, in.input(), span<int>(inherited, 10), "the buffer is read-only for kernels");
    CHECK(out.untouched());
    CHECK(read_only.untouched());
}
