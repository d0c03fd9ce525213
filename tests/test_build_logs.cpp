// SPDX-License-Identifier: MIT
// No kernel makes a compiler warn: the build log of every kernel family is read. To see the logs of a device:
//   upsweep_tests "[build_logs]" --success
#include "device_fixture.hpp"
#include "environment.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

using namespace fixture;
using upsweep::strategy;
using upsweep::tile_algorithm;

namespace {

struct three_words {
    std::uint32_t word[3];
};

struct logs {
    std::mutex lock;
    std::vector<std::string> all;

    static logs& get() {
        static logs found;
        return found;
    }
};

/// Reads the log of every program that is built in its scope; none comes from the disk, and no self-check runs.
class log_reader {
public:
    log_reader() {
        logs::get().all.clear();
        upsweep::use_self_check(false);
        detail::build_log_observer() = [](const std::string& log) {
            const std::lock_guard<std::mutex> guard(logs::get().lock);
            logs::get().all.push_back(log);
        };
    }
    ~log_reader() {
        detail::build_log_observer() = nullptr;
        upsweep::use_self_check(true);
        upsweep::release_cached(own.context());
    }
    log_reader(const log_reader&) = delete;
    log_reader& operator=(const log_reader&) = delete;

    const test::environment_variable no_cache{"UPSWEEP_CACHE", "off"};
    const own_context own;
};

/// One of each kernel family and tile algorithm; the first is what the library chooses.
std::vector<upsweep::options> all_families() {
    std::vector<upsweep::options> all = few_kernels(4);
    all.insert(all.begin(), upsweep::options{});
    for (const std::uint32_t work_items : {1U, 64U}) all.push_back(small_tiles(strategy::look_back, work_items, 4));
    all.emplace_back();
    all.back().algorithm = tile_algorithm::sub_group;
    all.push_back(all.back());
    all.back().strategy = strategy::look_back;
    all.back().run_packs = 2;
    return all;
}

/// Builds the programs of scans and reductions, where the device can run them.
template <class In, class Out, class Op>
void build_all(const cl::CommandQueue& queue, const std::vector<upsweep::options>& all, const Op& op) {
    for (const upsweep::options& opts : all)
        for (const std::size_t n : {std::size_t{1000}, std::size_t{1} << 24}) {
            try {
                upsweep::scan_plan<In, Out, Op>(queue, n, op, opts);
                upsweep::reduce_plan<In, Out, Op>(queue, n, op, opts);
            } catch (const upsweep::error& e) {
                INFO(e.what());
                CHECK(e.status() == CL_SUCCESS); // not the compiler's, but for what the device lacks
            }
        }
}

} // namespace

template <>
struct upsweep::type<three_words> {
    static constexpr const char* name = "three_words";
    static constexpr const char* definition = "typedef struct { uint word[3]; } three_words;";
};

TEST_CASE("no kernel makes the device's compiler warn", "[errors][build_logs]") {
    const log_reader reader;
    const cl::CommandQueue& queue = reader.own.queue;
    const std::vector<upsweep::options> all = all_families();
    build_all<float, float>(queue, all, upsweep::plus{});
    build_all<std::int32_t, std::int32_t>(queue, all, upsweep::maximum{});
    build_all<three_words, three_words>(
        queue, all, upsweep::make_operator<three_words>("left.word[0] += right.word[2];\nreturn left;"));
    build_all<std::uint8_t, std::uint64_t>(queue, {upsweep::options{}}, upsweep::plus{});
    build_all<cl_float4, cl_float4>(queue, {upsweep::options{}}, upsweep::plus{});

    const std::vector<std::string> found = logs::get().all;
    CHECK(found.size() > 10);
    for (const std::string& log : found) CHECK(log.find("warning") == std::string::npos);
}
