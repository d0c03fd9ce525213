// SPDX-License-Identifier: MIT
// Selections of vectors and structs.
#include "selections.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

// Sub-groups list such elements as integers of as many bytes.
TEST_CASE("vectors and structs of any size are selected", "[select]") {
    test::run_selections<cl_uchar2>({test::check_copy_if<cl_uchar2>, test::check_lengths<cl_uchar2>}, {});
    test::run_selections<cl_uchar4>({test::check_partition<cl_uchar4>, test::check_lengths<cl_uchar4>}, {});
    test::run_selections<cl_short4>({test::check_copy_if<cl_short4>}, {});
    test::run_selections<test::keyed_words<2>>({test::check_partition<test::keyed_words<2>>}, {});
    test::run_selections<cl_uchar16>({test::check_copy_if<cl_uchar16>, test::check_unique<cl_uchar16>}, {});
    test::run_selections<cl_float4>({test::check_partition<cl_float4>}, {});
    test::run_selections<test::keyed_words<4>>(
        {test::check_copy_if<test::keyed_words<4>>, test::check_unique<test::keyed_words<4>>}, {});
    test::run_selections<test::keyed_words<6>>({test::check_copy_if<test::keyed_words<6>>}, {}); // as they are
}

TEST_CASE("neighbouring vectors are equal if all their numbers are", "[select]") {
    std::vector<cl_uchar4> pixels(3000);
    std::vector<cl_float2> points(pixels.size());
    std::size_t colours = 1, places = 1;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = {{1, 2, 3, static_cast<cl_uchar>(i / 7)}};
        points[i] = {{i % 5 == 4 ? -0.0F : 0.0F, i % 10 == 9 ? NAN : 1.0F}};
        colours += i > 0 && i % 7 == 0;
        places += i > 0 && (i % 10 == 9 || i % 10 == 0); // a NaN is equal to nothing
    }
    const test::guarded_array<cl_uchar4> in(pixels, 1), out(pixels.size());
    const test::guarded_array<cl_float2> in_points(points, 1), out_points(points.size());
    const test::guarded_array<std::uint32_t> count(1), count_points(1);
    upsweep::unique(test::queue(), in.view(), out.view(), count.view());
    CHECK(test::count_of(count) == colours);
    upsweep::unique(test::queue(), in_points.view(), out_points.view(), count_points.view());
    CHECK(test::count_of(count_points) == places);
}
