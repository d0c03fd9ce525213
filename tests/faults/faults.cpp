// SPDX-License-Identifier: MIT
// What is known of the calls that went by, and what the next ones are to do.
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "noted.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

namespace faults {
namespace {

// Never destroyed, because calls may come to the very end.
std::mutex& lock = *new std::mutex;
bool watching = false;
std::size_t fail_at = never;
std::string& fail_name = *new std::string; // empty: any function
std::size_t candidates = 0;                // calls so far of those that fail_at counts
cl_int fail_status = CL_SUCCESS;
std::vector<std::string>& noted = *new std::vector<std::string>;
std::map<const void*, long>* const references = new std::map<const void*, long>[kinds];
long excess = 0;
bool fail_launch_later = false;
bool failure_is_known = false;
std::size_t most_work_items = never;
std::set<cl_event>& failed_later = *new std::set<cl_event>;
std::map<cl_device_info, std::string>& given_answers = *new std::map<cl_device_info, std::string>;
std::set<cl_mem>& given_to_kernels = *new std::set<cl_mem>;
std::map<cl_kernel, std::map<cl_uint, size_t>>& argument_sizes = *new std::map<cl_kernel, std::map<cl_uint, size_t>>;
std::function<std::string(const std::string&)>& rewrite = *new std::function<std::string(const std::string&)>;

} // namespace

cl_int failure_status() {
    return fail_status;
}

bool must_fail(const char* name) {
    const std::lock_guard<std::mutex> guard(lock);
    if (!watching) return false;
    noted.push_back(name);
    return (fail_name.empty() || fail_name == name) && candidates++ == fail_at;
}

void count(kind k, const void* handle, long by) {
    if (!handle) return;
    const std::lock_guard<std::mutex> guard(lock);
    auto& of_kind = references[static_cast<std::size_t>(k)];
    const auto found = of_kind.emplace(handle, 0).first;
    found->second += by;
    if (found->second < 0) {
        ++excess;
        found->second = 0;
    }
    if (found->second == 0) of_kind.erase(found);
}

void note_argument(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
    const std::lock_guard<std::mutex> guard(lock);
    if (!watching) return;
    argument_sizes[kernel][index] = size;
    if (size != sizeof(cl_mem) || !value) return;
    cl_mem argument = nullptr;
    std::memcpy(&argument, value, sizeof argument);
    if (references[static_cast<std::size_t>(kind::memory)].count(argument) > 0) given_to_kernels.insert(argument);
}

/// A new kernel may have the handle of one that is gone.
void forget_arguments(cl_kernel kernel) {
    const std::lock_guard<std::mutex> guard(lock);
    argument_sizes.erase(kernel);
}

bool launch_fails_later(cl_command_queue queue, cl_event* event) {
    {
        const std::lock_guard<std::mutex> guard(lock);
        if (!fail_launch_later) return false;
        fail_launch_later = false;
    }
    if (!event) return true;
    cl_context context = nullptr;
    clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
    *event = clCreateUserEvent(context, nullptr);
    // One reference more, which is never released: the address must not come to mean another event, or that one would
    // seem to have failed.
    real("clRetainEvent", clRetainEvent)(*event);
    const std::lock_guard<std::mutex> guard(lock);
    if (failure_is_known) failed_later.insert(*event);
    return true;
}

bool answers(cl_device_info what, size_t size, void* to, size_t* used) {
    const std::lock_guard<std::mutex> guard(lock);
    const auto found = given_answers.find(what);
    if (found == given_answers.end()) return false;
    const std::string& bytes = found->second;
    if (used) *used = bytes.size();
    if (to) std::memcpy(to, bytes.data(), std::min(size, bytes.size()));
    return true;
}

std::string rewritten(cl_uint n, const char** texts, const size_t* sizes) {
    std::string whole;
    for (cl_uint i = 0; i < n; ++i)
        whole += sizes && sizes[i] > 0 ? std::string(texts[i], sizes[i]) : std::string(texts[i]);
    std::function<std::string(const std::string&)> rewrites;
    {
        const std::lock_guard<std::mutex> guard(lock);
        rewrites = rewrite;
    }
    return rewrites ? rewrites(whole) : whole; // which may wait for calls of other threads
}

bool has_failed(cl_event event) {
    const std::lock_guard<std::mutex> guard(lock);
    return failed_later.count(event) > 0;
}

const char* to_string(kind k) {
    const char* const names[kinds] = {"contexts", "queues", "programs", "kernels", "memory objects", "events"};
    return names[static_cast<std::size_t>(k)];
}

std::string to_string(const balance& b) {
    std::string text;
    for (std::size_t i = 0; i < kinds; ++i)
        text += std::string(i ? ", " : "") + to_string(static_cast<kind>(i)) + ' ' + std::to_string(b.references[i]);
    return text;
}

balance live_handles() {
    const std::lock_guard<std::mutex> guard(lock);
    balance b;
    for (std::size_t i = 0; i < kinds; ++i)
        for (const auto& handle : references[i]) b.references[i] += handle.second;
    return b;
}

long excess_releases() {
    const std::lock_guard<std::mutex> guard(lock);
    return excess;
}

void watch(std::size_t at, cl_int status, const char* name) {
    const std::lock_guard<std::mutex> guard(lock);
    noted.clear();
    given_to_kernels.clear();
    argument_sizes.clear();
    fail_name = name ? name : "";
    candidates = 0;
    fail_at = at;
    fail_status = status;
    watching = true;
}

std::vector<std::string> stop() {
    const std::lock_guard<std::mutex> guard(lock);
    watching = false;
    return noted;
}

std::set<cl_mem> buffers_of_kernels() {
    const std::lock_guard<std::mutex> guard(lock);
    return given_to_kernels;
}

std::size_t largest_arguments() {
    const std::lock_guard<std::mutex> guard(lock);
    std::size_t largest = 0;
    for (const auto& [kernel, sizes] : argument_sizes) {
        std::size_t all = 0;
        for (const auto& [index, size] : sizes) all += size;
        largest = std::max(largest, all);
    }
    return largest;
}

void answer(cl_device_info what, const std::string& bytes) {
    const std::lock_guard<std::mutex> guard(lock);
    if (bytes.empty())
        given_answers.erase(what);
    else
        given_answers[what] = bytes;
}

bool is_refused(const size_t* local) {
    const std::lock_guard<std::mutex> guard(lock);
    return local && *local > most_work_items;
}

void limit_work_groups(std::size_t most) {
    const std::lock_guard<std::mutex> guard(lock);
    most_work_items = most;
}

void rewrite_sources(std::function<std::string(const std::string&)> next) {
    const std::lock_guard<std::mutex> guard(lock);
    rewrite = std::move(next);
}

void fail_next_launch_later(bool is_known) {
    const std::lock_guard<std::mutex> guard(lock);
    fail_launch_later = true;
    failure_is_known = is_known;
}

} // namespace faults
