// SPDX-License-Identifier: MIT
// Scans and reductions down the columns of arrays of two dimensions.
#include "device_fixture.hpp"
#include "segmented.hpp"

#include <cstdint>
#include <functional>
#include <vector>

using test::guarded_array;
using test::queue;
using test::same_bits;

namespace {

struct column_image {
    std::size_t height, width, pitch;
};

std::vector<column_image> column_images() {
    return {{0, 5, 5}, {5, 0, 3}, {1, 1, 1}, {1, 300, 301}, {3000, 1, 2}, {127, 31, 31}, {70, 64, 71}, {129, 33, 40}};
}

/// The elements of the columns, one column after another, and where each begins.
template <class T>
std::vector<T> down_columns(const std::vector<T>& all, const column_image& size, std::vector<bool>& heads) {
    std::vector<T> x;
    for (std::size_t c = 0; c < size.width; ++c)
        for (std::size_t r = 0; r < size.height; ++r) {
            x.push_back(all[r * size.pitch + c]);
            heads.push_back(r == 0);
        }
    return x;
}

/// Results in the layout of the array.
template <class T>
std::vector<T> in_layout(std::vector<T> before, const std::vector<T>& results, const column_image& size) {
    for (std::size_t i = 0; i < results.size(); ++i)
        before[i % size.height * size.pitch + i / size.height] = results[i];
    return before;
}

} // namespace

TEST_CASE("columns are scanned in one call, and what lies beside them stays as it is", "[views]") {
    std::vector<upsweep::options> ways{{}};
    if (test::has_lanes()) ways.push_back(test::in_sub_groups());
    for (const upsweep::options& opts : ways)
        for (const column_image& size : column_images()) {
            CAPTURE(size.height, size.width, size.pitch, opts.work_items);
            const std::size_t room = size.height * size.pitch;
            const std::vector<std::uint8_t> all = test::make_input<std::uint8_t>(room, 2);
            std::vector<bool> heads;
            const std::vector<std::uint8_t> x = down_columns(all, size, heads);
            const guarded_array<std::uint8_t> in(all, 3);
            const std::vector<std::uint32_t> before(room, 0xabababab);
            const std::uint32_t init = 1000;
            for (const bool exclusive : {false, true}) {
                const guarded_array<std::uint32_t> out(before);
                const auto view = upsweep::columns(in.view(), size.height, size.width, size.pitch);
                if (exclusive)
                    upsweep::exclusive_scan(queue(), view, out.view(), init, upsweep::plus{}, {}, opts);
                else
                    upsweep::inclusive_scan(queue(), view, out.view(), upsweep::plus{}, {}, opts);
                const std::vector<std::uint32_t> sums = test::segments_on_host<std::uint32_t>(
                    x, heads, std::plus<>{}, exclusive ? &init : nullptr, exclusive);
                CHECK(test::first_difference(out.values(), in_layout(before, sums, size)) == -1);
                CHECK(out.untouched_outside(room));
            }
        }
}

TEST_CASE("columns of transforms, in place, have the bits of the flagged operator on the host", "[views]") {
    const column_image size{300, 37, 41};
    const std::vector<float> all = test::numbers<float>(size.height * size.pitch, 3);
    std::vector<float> squares = all;
    for (float& f : squares) f *= f;
    std::vector<bool> heads;
    const std::vector<float> x = down_columns(squares, size, heads);
    const guarded_array<float> in(all);
    const auto view = upsweep::transform<float>("a * a", in.view());
    const float init = -0.3F;
    const guarded_array<float> results(size.width);
    upsweep::reduce(queue(), upsweep::columns(view, size.height, size.width, size.pitch), results.view(), init);
    upsweep::inclusive_scan(queue(), upsweep::columns(view, size.height, size.width, size.pitch), in.view(),
                            upsweep::plus{}, init);
    const std::vector<float> sums = test::segments_on_host<float>(x, heads, std::plus<>{}, &init, false);
    CHECK(same_bits(in.values(), in_layout(all, sums, size)));
    CHECK(in.untouched_outside(all.size()));
    std::vector<float> last;
    for (std::size_t c = 0; c < size.width; ++c) last.push_back(sums[(c + 1) * size.height - 1]);
    CHECK(same_bits(results.values(), last));
    CHECK(results.untouched_outside(size.width));
}

TEST_CASE("columns are reduced to a value each, with an operator that does not commute", "[views]") {
    using test::affine;
    const auto compose = upsweep::make_operator<affine>(
        "affine r = left; r.a = left.a * right.a; r.b = right.a * left.b + right.b; return r;");
    for (const column_image& size : column_images()) {
        CAPTURE(size.height, size.width, size.pitch);
        std::vector<affine> all;
        for (std::uint32_t i = 0; i < size.height * size.pitch; ++i) all.push_back({2 * i + 3, i * i, 7});
        const guarded_array<affine> in(all);
        const guarded_array<affine> results(size.width);
        upsweep::reduce(queue(), upsweep::columns(in.view(), size.height, size.width, size.pitch), results.view(),
                        affine{1, 2, 7}, compose);
        std::vector<affine> expected(size.width, affine{1, 2, 7});
        for (std::size_t c = 0; c < size.width; ++c)
            for (std::size_t r = 0; r < size.height; ++r) {
                const affine& right = all[r * size.pitch + c];
                expected[c] = {expected[c].a * right.a, right.a * expected[c].b + right.b, 7};
            }
        CHECK(same_bits(results.values(), expected));
        CHECK(results.untouched_outside(size.width));
    }
}

TEST_CASE("columns that are more than the input are named", "[views][errors]") {
    const guarded_array<int> x(100), out(100);
    fixture::expect_error("inclusive_scan", "input", "pitch 9 is less than the width 10",
                          [&] { upsweep::inclusive_scan(queue(), upsweep::columns(x.view(), 10, 10, 9), out.view()); });
    fixture::expect_error("inclusive_scan", "input", "are more than the input's 100 elements",
                          [&] { upsweep::inclusive_scan(queue(), upsweep::columns(x.view(), 11, 10), out.view()); });
    fixture::expect_error("reduce", "results", "9 elements are fewer than the 10 segments",
                          [&] { upsweep::reduce(queue(), upsweep::columns(x.view(), 5, 10), out.view(9), 0); });
    CHECK(out.untouched_outside(0));
}
