// SPDX-License-Identifier: MIT
// Calls with tuning entries loaded, on the device at hand: results, plans, programs, the environment, threads.
#include <upsweep/upsweep.hpp>

#include "device_fixture.hpp"
#include "tuning_fixture.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace fixture;
using test::clean_tuning;
using test::environment_variable;
using test::load;
using upsweep::detail::operation;

namespace {

/// A line for all sizes of n on the device at hand.
std::string line(const std::string& problem, const std::string& choices) {
    detail::tuning_entry e;
    e.device = limits_of(upsweep::default_queue()).name;
    e.choices.items = 1;
    const std::string written = detail::to_line(e);
    return written.substr(0, written.find(" operation=")) + ' ' + problem + " n=2^0..2^64 " + choices + '\n';
}

const std::string scan_of_ints = "operation=scan operator=exact size=4";

/// What 1000 ints are scanned with.
upsweep::tuning chosen() {
    return upsweep::scan_plan<int>(upsweep::default_queue(), 1000).launches().tuning;
}

void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

} // namespace

TEST_CASE("a plan shows what a loaded tuning entry chose, and results are right", "[api]") {
    const clean_tuning clean;
    const cl::CommandQueue queue = upsweep::default_queue();
    std::vector<int> in(1000);
    std::iota(in.begin(), in.end(), -7);
    std::vector<int> sums(in.size());
    std::partial_sum(in.begin(), in.end(), sums.begin());
    const auto check_scan = [&] {
        std::vector<int> out(in.size());
        upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin());
        CHECK(out == sums);
    };
    check_scan();
    const upsweep::scan_plan<int> before(queue, in.size());
    const upsweep::tuning without = before.launches().tuning;
    const bool alone = limits_of(queue).mixes_up_work_items;
    load(line(scan_of_ints, "strategy=scan_then_propagate " +
                                std::string(alone ? "work_items=1 items=48" : "work_items=16 items=3")));
    const upsweep::launch_plan with = upsweep::scan_plan<int>(queue, in.size()).launches();
    CHECK(with.tuning.strategy == upsweep::strategy::scan_then_propagate);
    CHECK(with.tuning.work_items == (alone ? 1 : 16));
    CHECK(with.tuning.items == (alone ? 48 : 3));
    CHECK(with.passes.size() == 3);
    CHECK(before.launches().tuning == without); // plans that exist stay as they are
    check_scan();

    load(line("operation=reduce operator=exact size=4", "strategy=reduce_then_scan work_items=1 items=40"));
    CHECK(upsweep::reduce_plan<int>(queue, in.size()).launches().tuning.tile() == 40);
    CHECK(upsweep::reduce(queue, in.begin(), in.end()) == sums.back());
}

TEST_CASE("tuning entries that differ run programs that differ", "[api]") {
    const clean_tuning clean;
    const environment_variable off("UPSWEEP_CACHE", "off");
    const own_context own;
    const cl::CommandQueue queue = own.queue;
    const std::vector<int> in(100, 3);
    const auto built = [&] {
        const std::uint64_t before = programs_built();
        CHECK(upsweep::reduce(queue, in.begin(), in.end()) == 300);
        return programs_built() - before;
    };
    const std::string ints = "operation=reduce operator=exact size=4";
    load(line(ints, "strategy=reduce_then_scan work_items=1 items=5"));
    CHECK(built() == 1);
    CHECK(built() == 0);
    load(line(ints, "strategy=reduce_then_scan work_items=1 items=6"));
    CHECK(built() == 1);
    load(line(ints, "strategy=reduce_then_scan work_items=1 items=5"));
    CHECK(built() == 0);
    upsweep::release_cached(queue.getInfo<CL_QUEUE_CONTEXT>()());
}

TEST_CASE("what counts as the canonical order gives the bits of the reference", "[canonical]") {
    const cl::CommandQueue queue = upsweep::default_queue();
    const auto& limits = limits_of(queue);
    std::vector<float> in(70000);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = 1.0f / static_cast<float>(1 + (i * 7919) % 1013);
    std::vector<float> expected(in.size());
    upsweep::reference::inclusive_scan(in.begin(), in.end(), expected.begin(), std::plus<>{});
    const float sum = upsweep::reference::reduce(in.begin(), in.end(), upsweep::no_init, std::plus<>{});
    int canonical = 0;
    for (const auto s : {upsweep::strategy::automatic, upsweep::strategy::look_back, upsweep::strategy::chunked,
                         upsweep::strategy::reduce_then_scan})
        for (const std::uint32_t work_items : {0U, 1U, 32U, 64U})
            for (const std::uint32_t items : {0U, 2U, 48U, 64U, 512U})
                for (const auto a : {upsweep::tile_algorithm::automatic, upsweep::tile_algorithm::sub_group}) {
                    upsweep::options opts;
                    opts.strategy = s;
                    opts.work_items = work_items;
                    opts.items = items;
                    opts.algorithm = a;
                    const auto keeps = [&](operation op) {
                        try {
                            const detail::problem_size problem{op, in.size(), 4, false, 4};
                            const auto t = detail::resolve_options("f", opts, limits, problem);
                            return detail::keeps_canonical_order(t, op);
                        } catch (const upsweep::error&) { // not on this device
                            return false;
                        }
                    };
                    CAPTURE(s, work_items, items, a);
                    if (keeps(operation::scan)) {
                        ++canonical;
                        std::vector<float> out(in.size());
                        upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), upsweep::plus{}, opts);
                        const bool same = out == expected; // not printed: these are many
                        CHECK(same);
                    }
                    if (keeps(operation::reduce)) {
                        ++canonical;
                        CHECK(upsweep::reduce(queue, in.begin(), in.end(), upsweep::no_init, upsweep::plus{}, opts) ==
                              sum);
                    }
                }
    if (limits.has_ptx || (limits.is_cpu && limits.has_atomics64)) CHECK(canonical >= 8);
}

TEST_CASE("the environment names a tuning file, which comes before what a program loads", "[api]") {
    const clean_tuning clean;
    const test::temporary_folder folder;
    const auto path = folder.path() / "mine.txt";
    const std::string choices = "strategy=reduce_then_scan work_items=1 items=";
    write(path, "upsweep tuning 1\n" + line(scan_of_ints, choices + "11"));
    const auto without = chosen();
    {
        const environment_variable named("UPSWEEP_TUNING", path.string());
        CHECK(chosen() == without); // it is read once, at the first call
        upsweep::unload_tuning();
        CHECK(chosen().items == 11);
        load(line(scan_of_ints, choices + "12"));
        CHECK(chosen().items == 11);
        std::filesystem::remove(path);
        CHECK(chosen().items == 11);
    }
    CHECK(chosen().items == 11);
    upsweep::unload_tuning();
    CHECK(chosen() == without);
    load(line(scan_of_ints, choices + "12")); // before the environment was ever asked
    CHECK(chosen().items == 12);
}

TEST_CASE("UPSWEEP_TUNING=off turns tuning entries off, whatever a program loads", "[api]") {
    const clean_tuning clean;
    const auto without = chosen();
    const std::string entry = line(scan_of_ints, "strategy=reduce_then_scan work_items=1 items=13");
    for (const char* value : {"off", "0"}) {
        const environment_variable named("UPSWEEP_TUNING", value);
        upsweep::unload_tuning();
        load(entry);
        CHECK(chosen() == without);
        load(entry);
        CHECK(chosen() == without);
    }
    upsweep::unload_tuning();
    load(entry);
    CHECK(chosen().items == 13);
}

TEST_CASE("a tuning file of the environment that cannot be read is an error of every call until it can", "[api]") {
    const clean_tuning clean;
    const test::temporary_folder folder;
    const auto path = folder.path() / "mine.txt";
    const environment_variable named("UPSWEEP_TUNING", path.string());
    upsweep::unload_tuning();
    const auto fails = [&](const std::string& phrase) {
        const std::vector<int> in(10, 1);
        for (int i = 0; i < 2; ++i)
            expect_error("reduce", "UPSWEEP_TUNING", phrase,
                         [&] { upsweep::reduce(upsweep::default_queue(), in.begin(), in.end()); });
    };
    fails("mine.txt: cannot be opened");
    write(path, "upsweep tuning 1\n\nnonsense\n");
    fails("mine.txt:3: \"nonsense\" is no field");
    write(path, "upsweep tuning 1\n" + line(scan_of_ints, "strategy=reduce_then_scan work_items=1 items=11"));
    CHECK(chosen().items == 11);
}

TEST_CASE("a tuning file is loaded by its path", "[api]") {
    const clean_tuning clean;
    const test::temporary_folder folder;
    const auto path = folder.path() / "mine.txt";
    write(path, "upsweep tuning 1\n" + line(scan_of_ints, "strategy=reduce_then_scan work_items=1 items=11"));
    upsweep::load_tuning(path.string());
    CHECK(chosen().items == 11);
}

TEST_CASE("a tuning entry is not for lists of larger elements than what it was measured with", "[api]") {
    const clean_tuning clean;
    const detail::device_limits& limits = limits_of(upsweep::default_queue());
    detail::problem_size problem{operation::scan, 1000, 4, true, 4};
    load(line(scan_of_ints, "strategy=reduce_then_scan work_items=1 items=11"));
    for (const std::size_t listed : {0U, 4U, 16U}) {
        problem.listed_size = listed;
        CHECK((detail::choose_tuning("f", {}, limits, problem).items == 11) == (listed <= 4));
    }
}

TEST_CASE("tuning entries are loaded and forgotten while other threads choose", "[threads]") {
    const clean_tuning clean;
    const cl::CommandQueue queue = upsweep::default_queue();
    const detail::device_limits& limits = limits_of(queue);
    const detail::problem_size problem{operation::scan, 1000, 4, true, 4};
    const auto choose = [&] { return detail::choose_tuning("f", {}, limits, problem); };
    const upsweep::tuning without = choose();
    const std::string entry = line(scan_of_ints, "strategy=reduce_then_scan work_items=1 items=11");
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
    std::atomic<int> applied{0};
    std::vector<std::thread> choosers;
    for (int i = 0; i < 4; ++i)
        choosers.emplace_back([&] {
            while (!stop) {
                const upsweep::tuning t = choose();
                if (t.items == 11 && t.work_items == 1)
                    ++applied;
                else if (t != without)
                    ++wrong;
            }
        });
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (int i = 0; i < 300 || (applied == 0 && std::chrono::steady_clock::now() < end); ++i) {
        load(entry);
        std::this_thread::yield();
        upsweep::unload_tuning();
    }
    stop = true;
    for (std::thread& t : choosers) t.join();
    CHECK(wrong == 0);
    CHECK(applied > 0);
}
