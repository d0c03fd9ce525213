// SPDX-License-Identifier: MIT
// A cache of program binaries for one test.
#pragma once

#include "device_fixture.hpp"
#include "environment.hpp"

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <vector>

namespace fixture {

namespace fs = std::filesystem;
using test::environment_variable;

/// A cache of its own, empty at first, and a context whose programs nobody else uses.
struct fresh_cache {
    test::temporary_folder folder;
    environment_variable on{"UPSWEEP_CACHE", ""};
    environment_variable place{"UPSWEEP_CACHE_DIR", folder.path().string()};
    own_context own;
    cl::CommandQueue queue = own.queue;
    std::vector<int> input = std::vector<int>(1000);

    /// Without self-checks, which build programs and leave files of their own.
    fresh_cache() {
        std::iota(input.begin(), input.end(), 1);
        upsweep::use_self_check(false);
    }
    ~fresh_cache() {
        upsweep::use_self_check(true);
        forget();
    }

    void forget() const { upsweep::release_cached(queue.getInfo<CL_QUEUE_CONTEXT>()()); }

    template <class Op = upsweep::plus>
    int first_reduce(const Op& op = {}) const {
        forget();
        return upsweep::reduce(queue, input.begin(), input.end(), 0, op);
    }

    std::vector<fs::path> files() const {
        std::vector<fs::path> all;
        if (!fs::exists(folder.path())) return all;
        for (const auto& entry : fs::directory_iterator(folder.path())) all.push_back(entry.path());
        return all;
    }
    fs::path only_file() const {
        const std::vector<fs::path> all = files();
        REQUIRE(all.size() == 1);
        return all[0];
    }
};

} // namespace fixture
