// SPDX-License-Identifier: MIT
// Must not compile: an element without a default constructor. The compiler says so once, and nothing else.
#include <upsweep/device_group.hpp>
#include <upsweep/upsweep.hpp>

#include <cstdint>
#include <vector>

namespace {

struct no_default {
    explicit no_default(int given)
        : x(given) {}
    int x;
};

} // namespace

template <>
struct upsweep::type<no_default> {
    static constexpr const char* name = "no_default";
    static constexpr const char* definition = "typedef struct { int x; } no_default;";
};

int main() {
    using upsweep::no_init;
    const cl::CommandQueue queue = upsweep::default_queue();
    const upsweep::device_group group({queue});
    const upsweep::span<const no_default> x;
    const upsweep::span<no_default> y;
    const upsweep::span<int> keys;
    const upsweep::span<std::uint32_t> count;
    const std::vector<upsweep::span<const no_default>> parts;
    const std::vector<upsweep::span<no_default>> results;
    const no_default init(1);
    const std::vector<no_default> in(3, init);
    std::vector<no_default> out(in);
    const auto op = upsweep::make_operator<no_default>("return left;");
    const auto made = upsweep::transform<no_default>("no_default r = {a};\nreturn r;", keys);

    upsweep::exclusive_scan(queue, x, y, init, op);
    upsweep::reduce(queue, x, y, no_init, op);
    upsweep::reduce(queue, x, init, op);
    upsweep::reduce(queue, x, no_init, op);
    upsweep::reduce(queue, made, init, op);
    upsweep::inclusive_scan(queue, upsweep::keyed(x, keys), y, op);
    upsweep::reduce(queue, upsweep::rows(x, 2, 3), y, no_init, op);
    upsweep::reduce_by_key(queue, upsweep::keyed(x, keys), keys, y, count, op);

    upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), op);
    upsweep::reduce(queue, in.begin(), in.end(), init, op);
    upsweep::reduce(queue, in.begin(), in.end(), no_init, op);
    upsweep::count_if(queue, in.begin(), in.end(), "a.x");
    upsweep::copy_if(queue, in.begin(), in.end(), out.begin(), "a.x");
    upsweep::unique(queue, in.begin(), in.end(), out.begin(), "left.x == right.x");

    upsweep::inclusive_scan(group, parts, results, op);
    upsweep::exclusive_scan(group, parts, results, init, op);
    upsweep::reduce(group, parts, init, op);
    upsweep::reduce(group, parts, no_init, op);
    upsweep::exclusive_scan(group, in.begin(), in.end(), out.begin(), init, op);
    upsweep::reduce(group, in.begin(), in.end(), init, op);
    upsweep::reduce(group, in.begin(), in.end(), no_init, op);
}
