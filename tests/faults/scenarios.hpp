// SPDX-License-Identifier: MIT
// What is tried with every OpenCL call failing in turn: each way into the library once.
#pragma once

#include "../device_fixture.hpp"
#include "../support.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace faults {

/// One call of the library on arrays of its own.
struct trial {
    std::function<void()> call;
    std::function<bool()> right;     ///< whether the result is as it should be; once the queue has finished
    std::function<bool()> contained; ///< whether nothing was written outside the output, whatever the call did
};

struct scenario {
    std::string name;
    std::vector<std::string> functions; ///< that an error may name
    std::function<trial(const cl::CommandQueue&)> prepare;
};

/// Whether this is the program whose bindings throw. What costs most it tries in fewer ways: that they throw is the
/// same in all.
#if defined(CL_HPP_ENABLE_EXCEPTIONS)
constexpr bool bindings_throw = true;
#else
constexpr bool bindings_throw = false;
#endif

constexpr std::size_t elements = 600; ///< 25 tiles of 24, so that their sums need a second level

/// A trial that runs `start(input, output)` on device memory.
template <class In, class Out, class Start>
trial on_device(const cl::CommandQueue& queue, const std::vector<In>& input, const std::vector<Out>& expected,
                const Start& start) {
    const auto in = std::make_shared<fixture::guarded_array<In>>(queue, input);
    const auto out = std::make_shared<fixture::guarded_array<Out>>(queue, expected.size());
    return {[=] { start(in->input(), out->view()); }, [=] { return out->values() == expected; },
            [=] { return in->values() == input && in->guards_intact() && out->guards_intact(); }};
}

/// A trial that runs `start(output)` on host memory.
template <class Out, class Start>
trial on_host(const std::vector<Out>& expected, const Start& start) {
    constexpr std::size_t guard = 8;
    const Out untouched = static_cast<Out>(0x5a5a5a5a);
    const auto out = std::make_shared<std::vector<Out>>(expected.size() + 2 * guard, untouched);
    const auto begin = [=] { return out->begin() + guard; };
    return {[=] { start(begin()); }, [=] { return std::equal(expected.begin(), expected.end(), begin()); },
            [=] {
                for (std::size_t i = 0; i < guard; ++i)
                    if ((*out)[i] != untouched || (*out)[out->size() - 1 - i] != untouched) return false;
                return true;
            }};
}

/// Scans and reductions of device memory by free functions and plans, also after an event and with scratch of the
/// caller's own.
std::vector<scenario> device_scenarios(const std::vector<upsweep::strategy>& strategies);
/// Host ranges in pieces, with nothing kept from an earlier call but programs.
std::vector<scenario> streamed_scenarios();
/// Host ranges and calls without elements.
std::vector<scenario> other_scenarios();
/// Of all of these, calls that build and allocate in different ways; in the first three: two programs, a plan whose
/// scratch is cleared, and one that reduces.
std::vector<scenario> first_scenarios();

} // namespace faults
