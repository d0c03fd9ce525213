// SPDX-License-Identifier: MIT
// Selections, runs, keys, segments and rows of int32, and what they are compared with: the plain scan, the plain
// reduction and the device's copy. cub_family.cu has the same rows of CUB.

#include "common/device_rows.hpp"
#include "common/family_rows.hpp"
#include "common/upsweep_calls.hpp"

namespace {

using namespace bench;

/// What only int32 has rows of.
struct upsweep_side : upsweep_calls<std::int32_t> {
    using extremum = upsweep::extremum<std::int32_t, std::uint32_t>;

    static call reduce(const arrays& a, std::uint64_t n) {
        return [x = values(a, n), to = out(a, 1)] { upsweep::reduce(queue(), x, to); };
    }
    static call min_element(const arrays& a, std::uint64_t n) {
        const upsweep::span<extremum> found(a.out, 1);
        return [=, x = values(a, n)] { upsweep::min_element(queue(), x, found); };
    }
    static std::pair<std::int32_t, std::uint64_t> found_element(const arrays& a) {
        extremum found;
        opencl_memory::read(a.out, 0, sizeof found, &found);
        return {found.value, found.index};
    }
    static call sum_of_squares(const arrays& a, std::uint64_t n) {
        return [x = values(a, n), to = out(a, 1)] {
            upsweep::transform_reduce(queue(), x, to, 0, upsweep::plus{}, "a * a");
        };
    }
    static call dot_product(const arrays& a, std::uint64_t n) {
        return [x = values(a, n), y = view<const std::int32_t>(a.others, n), to = out(a, 1)] {
            upsweep::transform_reduce(queue(), x, y, to, 0);
        };
    }
    static call copy_flagged(const arrays& a, std::uint64_t n) {
        const auto flags = view<const std::uint8_t>(a.flags, n);
        return [=, x = values(a, n), to = out(a, n), number = count(a)] {
            upsweep::copy_if(queue(), x, to, number, flags);
        };
    }
    static call run_length_encode(arrays& a, std::uint64_t n, const std::string& kind) {
        return [x = keys(a, n, kind), to = out(a, n), lengths = view<std::int32_t>(a.more, n), number = count(a)] {
            upsweep::run_length_encode(queue(), x, to, lengths, number);
        };
    }
    static call reduce_rows(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return [in = rows(a, n, width), to = out(a, n / width)] { upsweep::reduce(queue(), in, to, 0); };
    }

    static constexpr bool has_columns = true;
    static upsweep::segmented_view<std::int32_t> columns(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return upsweep::columns(values(a, n), static_cast<std::size_t>(n / width), static_cast<std::size_t>(width));
    }
    static call scan_columns(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return [in = columns(a, n, width), to = out(a, n)] { upsweep::inclusive_scan(queue(), in, to); };
    }
    static call reduce_columns(const arrays& a, std::uint64_t n, std::uint64_t width) {
        return [in = columns(a, n, width), to = out(a, width)] { upsweep::reduce(queue(), in, to, 0); };
    }
};

} // namespace

int main(int argc, char** argv) {
    describe_target();
    family_rows<upsweep_side>::add_all();
    return run_rows(argc, argv);
}
