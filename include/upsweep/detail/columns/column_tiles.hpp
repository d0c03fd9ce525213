// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/columns/columns.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// The tiles of a scan of columns in one launch: how many columns and rows a work-group has. A tile is a strip of
// neighbouring columns, of each of which it has a power of two of runs, one below the other; a work-item has a run.

namespace upsweep::detail {

/// For values of up to so many bytes: work-items of a work-group at most, the bytes of a run at most, and the registers
/// of a work-item on NVIDIA devices. Two things decide: elements in flight, which hide the wait for tiles before, and
/// so how many work-groups the registers allow. H100, us, 2^28 int32 one by one in 16, 32, 128, 1000, 4096 columns: 256
/// x 128 bytes with 80 registers 1016, 930, 861, 882, 844, without a limit (128 of them) 1069, 978, 901, 967, 996, with
/// 64 1487, 1363, 1287, 1223, 1162 (they are not enough); 128 x 256 bytes with 112 1092, 968, 898, 860, 812. 2^27
/// double in 16, 32, 100, 1000 columns: 256 x 256 bytes with 128 registers 792, 788, 811, 784, 128 x 256 bytes 822,
/// 802, 837, 795; 256 x 128 bytes with 80, in another run, 1236, 1163, 1219, 1103 where that took 935, 893, 915, 790.
/// 2^26 of 16 bytes in 32, 1000 columns: 256 x 128 bytes with 80 3238, 2458, without a limit 2825, 2076; 128 x 256
/// bytes 2983, 2319.
struct look_back_tuning {
    std::size_t most_bytes;
    std::uint32_t work_items;
    std::size_t run_bytes;
    std::uint32_t registers;
};
constexpr std::array<look_back_tuning, 3> look_back_tunings{{{4, 256, 128, 80}, {8, 256, 256, 128}, {16, 256, 128, 0}}};
constexpr std::size_t look_back_run_rows = 32;

/// The tuning for values of `size` bytes; null: they are too large, and a run would have few.
UPSWEEP_INLINE const look_back_tuning* look_back_tuning_of(std::size_t size) {
    for (const look_back_tuning& tuning : look_back_tunings)
        if (size <= tuning.most_bytes) return &tuning;
    return nullptr;
}

/// Bytes that memory moves at once. Where rows begin anywhere, two work-groups write to one such piece.
constexpr std::uint64_t moved_bytes = 32;
UPSWEEP_INLINE bool are_rows_aligned(const columns_request& columns) {
    return columns.pitch * columns.value_size % moved_bytes == 0;
}

/// Columns of rows that follow one another are narrow up to so many, or so many bytes of a row: a tile goes through
/// local memory as one piece. H100, us, through local memory and not: 2^28 int32 one by one in 3, 9, 19, 33, 41, 59
/// columns 1048, 1117, 1096, 1272, 1143, 1061 and 2130, 1346, 1216, 1339, 1204, 1119; 2^27 double in 3, 4, 5, 6, 9, 12,
/// 18 columns 986, 941, 995, 982, 1039, 952, 982 and 1291, 920, 1036, 930, 972, 868, 928.
constexpr std::uint64_t most_narrow_columns = 64;
constexpr std::uint64_t most_narrow_aligned_columns = 16;
constexpr std::uint64_t most_narrow_row_bytes = 40; ///< of values of 8 bytes
UPSWEEP_INLINE bool are_narrow(const columns_request& columns) {
    if (columns.width != columns.pitch) return false;
    const bool is_aligned = are_rows_aligned(columns);
    if (columns.value_size == 8) return !is_aligned && columns.width * 8 <= most_narrow_row_bytes;
    return columns.width <= (is_aligned || columns.value_size > 8 ? most_narrow_aligned_columns : most_narrow_columns);
}

/// Columns of a strip where rows begin anywhere: more where rows are long, so that two work-groups seldom write to one
/// piece. H100, us, strips of 32 and 64: 2^28 int32 one by one in 101, 301, 1001, 4097 columns 1193, 1125, 1222, 1334
/// and 1217, 1082, 1027, 977; 2^27 double in 101, 250, 301, 1001, 4097 columns 975, 834, 892, 932, 982 and 1003, 879,
/// 915, 878, 872. With 128 columns 1310, 1240, 1102, 1057 and 1090, 956, -, 938, 889.
constexpr std::uint64_t strip_columns = 32;
constexpr std::uint64_t long_strip_columns = 64;
constexpr std::uint64_t least_long_row_bytes = 1024; ///< of values of up to 4 bytes; of larger ones four times as many
/// Strips begin at multiples of so many columns, if that makes no more strips.
constexpr std::uint64_t strip_step = 8;

/// Strips of values of 8 bytes where rows do begin at such pieces: one where it has all columns, else of 8, 16 and 32
/// columns, the more the longer rows are. H100, 2^27 of them, us, strips of 8, 16, 32: in 8, 16, 24, 36, 40 columns
/// 802, 792, 796, 865, 790 and -, 812, 855, 890, 807 and -, -, 892, 982, 911; in 48, 100, 200, 320, 2048, 8192 columns
/// 788, 836, 794, 797, -, - and 784, 811, 778, 778, 797, 854 and 858, 854, 783, 771, 782, 806. One strip of 12, 20, 28
/// columns 872, 863, 864, of 8 955, 936, 897.
UPSWEEP_INLINE std::uint64_t aligned_strip(std::uint64_t width) {
    if (width <= strip_columns && width % strip_step != 0) return width;
    return (std::min)(width, width < 48 ? strip_step : width < 256 ? 2 * strip_step : strip_columns);
}

/// Columns of a tile.
UPSWEEP_INLINE std::uint64_t strip_of_columns(const columns_request& columns) {
    const bool is_aligned = are_rows_aligned(columns);
    if (are_narrow(columns)) return columns.width;
    if (is_aligned && columns.value_size == 8) return aligned_strip(columns.width);
    const std::uint64_t least = columns.value_size <= 4 ? least_long_row_bytes : 4 * least_long_row_bytes;
    const bool is_long = !is_aligned && columns.width * columns.value_size >= least;
    const std::uint64_t most = is_long ? long_strip_columns : strip_columns;
    const std::uint64_t strips = divide_up(columns.width, most);
    const std::uint64_t strip = divide_up(columns.width, strips);
    return strips > 1 ? (std::min)(divide_up(strip, strip_step) * strip_step, most) : strip;
}

/// Columns from which on tiles of 8 bytes are half as large: H100, 2^27 of them in 2048 and 8192 columns, us,
/// work-groups of 128 782 and 806, of 256 783 and 838.
constexpr std::uint64_t least_small_tile_columns = 4096;

/// Work-items of a work-group, at most.
UPSWEEP_INLINE std::uint32_t most_tile_items(const columns_request& columns, const device_limits& device) {
    std::uint32_t items = look_back_tuning_of(columns.value_size)->work_items;
    if (columns.value_size == 8 && columns.width >= least_small_tile_columns) items /= 2;
    return work_items_up_to(device.is_cpu ? columns_cpu_work_items : items, device);
}

/// Work-items of a work-group of which so many have a run. On NVIDIA devices few are idle, because they take registers
/// that another work-group could have. H100, us, with 256 or 128 of them and so: 2^28 int32 one by one in 5, 9, 19, 37
/// columns 1204, 1319, 1318, 1413 and 1074, 1117, 1114, 1203; but 7, 13, 25 columns with 256 1053, 1041, 1082, with 224
/// 1092, 1094, 1102. 2^27 double in 6, 10, 18, 20 columns 1026, 1034, 1233, 1158 and 934, 901, 928, 863.
/// @param used  work-items that have a run
UPSWEEP_INLINE std::uint32_t tile_items(const columns_request& columns, std::uint32_t used, std::uint32_t most,
                                        const device_limits& device) {
    if (!device.has_ptx) return most;
    const auto items = static_cast<std::uint32_t>(divide_up(used, sub_group_lanes)) * sub_group_lanes;
    return columns.value_size <= 4 && 4 * items > 3 * most ? most : items;
}

} // namespace upsweep::detail
