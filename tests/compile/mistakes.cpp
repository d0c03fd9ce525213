// SPDX-License-Identifier: MIT
// Must not compile: a mistake per MISTAKE, each answered by one error that says what belongs there instead.
#include <upsweep/upsweep.hpp>

#include <functional>
#include <vector>

namespace {

struct point {
    int x, y;
};
[[maybe_unused]] int add(int a, int b) {
    return a + b;
}

} // namespace

int main() {
    [[maybe_unused]] cl::CommandQueue queue = upsweep::default_queue();
    [[maybe_unused]] std::vector<int> in(8), out(8);
    [[maybe_unused]] const upsweep::span<const int> x;
    [[maybe_unused]] const upsweep::span<int> y;
    [[maybe_unused]] const auto sum = [](int a, int b) { return a + b; };
    [[maybe_unused]] const upsweep::plus plus;
    [[maybe_unused]] const auto own = upsweep::make_operator<int>("return left;");
    [[maybe_unused]] const upsweep::options opts;
    [[maybe_unused]] const std::vector<point> points(8);
    [[maybe_unused]] const std::vector<bool> flags(8);
    (void)(MISTAKE);
}
