// SPDX-License-Identifier: MIT
// Parts of images, whose rows begin and end anywhere: most columns are taken in units all the same.
#include <upsweep/detail/columns/split_columns.hpp>

#include "columns.hpp"
#include "device_fixture.hpp"
#include "internals.hpp"
#include "segmented.hpp"

#include <cstdint>
#include <vector>

namespace detail = upsweep::detail;
using test::column_image;
using test::guarded_array;
using test::queue;
using test::same_bits;

namespace {

/// What a device with NVIDIA's compiler leaves over of columns that begin so many elements behind a unit.
template <class Number>
std::vector<std::uint64_t> left_over(const column_image& size, std::uint64_t in, std::uint64_t out,
                                     bool is_elsewhere = false) {
    detail::columns_request columns;
    columns.offset = in;
    columns.results.offset = out;
    columns.result = detail::columns_result::inclusive_scan;
    columns.height = size.height;
    columns.width = size.width;
    columns.pitch = size.pitch;
    columns.value_size = sizeof(Number);
    columns.run.begins_anywhere = is_elsewhere;
    detail::device_limits limits;
    limits.has_ptx = true;
    const auto text = text_of(detail::view_text<Number, Number>(upsweep::plus{}));
    const detail::columns_split split = detail::split_columns(columns, text, limits);
    return {split.before, split.behind};
}

/// Columns of ones, of an array that begins three elements behind a unit: each result is its row's number.
class columns_of_ones {
public:
    cl::Event start(const cl::CommandQueue& own, const upsweep::wait_list& after) const {
        const auto view = upsweep::columns(in_.view(), size_.height, size_.width, size_.pitch);
        return upsweep::inclusive_scan(own, view, out_.view(), upsweep::plus{}, after);
    }
    void check() const {
        std::vector<std::uint8_t> expected(size_.room());
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (i % size_.pitch < size_.width) expected[i] = static_cast<std::uint8_t>(i / size_.pitch + 1);
        CHECK(same_bits(out_.values(), expected));
        CHECK(out_.untouched_outside(size_.room()));
    }

private:
    column_image size_{62000, 1030, 1032}; ///< as large as it takes
    guarded_array<std::uint8_t> in_{std::vector<std::uint8_t>(size_.room(), 1), 3};
    guarded_array<std::uint8_t> out_{std::vector<std::uint8_t>(size_.room()), 3};
};

} // namespace

TEST_CASE("columns are left over where units do not begin or end with rows", "[columns][unit]") {
    using list = std::vector<std::uint64_t>;
    const column_image bytes{70000, 1030, 2000}, words{70000, 1001, 1002};
    CHECK(left_over<std::uint8_t>(bytes, 0, 0) == list{0, 6});
    CHECK(left_over<std::uint8_t>(bytes, 3, 11) == list{5, 1});
    CHECK(left_over<std::uint8_t>(bytes, 8, 4) == list{0, 2}); // units of 4 bytes
    CHECK(left_over<std::uint8_t>(bytes, 2, 6) == list{2, 0});
    CHECK(left_over<std::uint8_t>(bytes, 1, 2) == list{0, 0});
    CHECK(left_over<std::uint8_t>({70000, 1032, 2000}, 4, 4) == list{0, 0}); // of units of 4 bytes as they are
    CHECK(left_over<std::int16_t>(bytes, 1, 5) == list{3, 3});
    CHECK(left_over<float>(words, 0, 2) == list{0, 1});
    CHECK(left_over<std::int32_t>(words, 1, 1) == list{1, 0});
    CHECK(left_over<std::int32_t>(words, 1, 1, true) == list{0, 0});
    CHECK(left_over<std::int32_t>({70000, 1001, 1001}, 1, 1) == list{0, 0});
    CHECK(left_over<double>(words, 1, 1) == list{0, 0});
    CHECK(left_over<cl_int2>(words, 1, 1) == list{0, 0});
    CHECK(left_over<std::uint8_t>({70000, 999, 2000}, 1, 1) == list{0, 0});
    CHECK(left_over<std::uint8_t>({60000, 1030, 2000}, 1, 1) == list{0, 0});
}

TEST_CASE("columns of a part of an image are scanned, and what lies beside them stays as it is", "[columns]") {
    const columns_of_ones ones;
    ones.start(queue(), {});
    ones.check();
}

TEST_CASE("columns that are left over wait for events, on queues of either order", "[columns]") {
    for (const cl::CommandQueue& own : fixture::queues_of_each_kind(queue())) {
        const columns_of_ones ones;
        cl::UserEvent gate(own.getInfo<CL_QUEUE_CONTEXT>());
        const cl::Event done = ones.start(own, upsweep::after({gate}));
        own.flush();
        CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
        gate.setStatus(CL_COMPLETE);
        done.wait();
        ones.check();
    }
}
