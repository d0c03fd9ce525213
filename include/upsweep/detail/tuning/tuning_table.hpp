// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/device_limits.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/options.hpp>

#include <cstddef>
#include <cstdint>

/// What the library chooses by itself: by class of device, operation, size of an element and bytes of input,
/// each with the measurement behind it, or the word "guess". `upsweep_tune` (bench/) searches for better ones on a
/// device at hand; what it finds is loaded by tuning_file.hpp and comes before this table.
namespace upsweep::detail {

/// What the defaults for a device depend on.
enum class device_class {
    nvidia,    ///< takes PTX: sub-groups are warps
    other_gpu, ///< everything else that is no CPU; in the table of sub-groups: whatever else has them
    cpu        ///< and devices whose work-groups have a single work-item
};

UPSWEEP_INLINE device_class class_of(const device_limits& device) {
    if (device.has_ptx) return device_class::nvidia;
    return device.is_cpu || device.max_work_group_size == 1 ? device_class::cpu : device_class::other_gpu;
}

constexpr std::uint64_t mebibytes(std::uint64_t x) {
    return x << 20;
}
/// As an upper end: without one.
constexpr std::uint64_t unlimited = ~std::uint64_t{0};

/// Larger elements are no packs of several, but where these are 16 bytes.
constexpr std::uint64_t most_packed_size = 32;

/// The sizes of a tile for sub-groups (tile_blocks.cl), or of a reduction by sub-groups (reduce_lanes.cl).
struct sub_group_config {
    std::uint32_t work_items;
    std::uint32_t packs;         ///< per work-item; for reductions as `run_packs`
    std::uint32_t run_packs;     ///< packs per run; divides `packs`
    std::uint32_t registers;     ///< per work-item, 0: not limited
    std::uint32_t direct_groups; ///< for scans: see look_back_lanes.cl
    std::uint32_t unit_groups;   ///< for reductions: work-groups per compute unit
    std::uint32_t pause = 0;     ///< for scans, on NVIDIA devices: nanoseconds, see look_back_lanes.cl
};

/// Elements of `size` bytes that a lane moves at once, as a pack: 16 bytes where `size` divides 16, else as few as are
/// whole words of 4 bytes. Larger elements are packs, each of its own, lest lanes have too much in registers.
constexpr std::uint32_t elements_per_pack(std::uint64_t size) {
    if (size <= 16 && 16 % size == 0) return static_cast<std::uint32_t>(16 / size);
    return size > most_packed_size || size % 4 == 0 ? 1 : size % 2 == 0 ? 2 : 4;
}

/// The same for reductions. H100, 256 MiB of structs of 3, 5, 6, 7 and 10 bytes, us, with packs of one element 308,
/// 301, 136, 322 and 139, with the above 234, 355, 112, 394 and 123: bytes of words take a register each.
constexpr std::uint32_t reduced_per_pack(std::uint64_t size) {
    return size > 4 && size % 2 != 0 ? 1 : elements_per_pack(size);
}

/// Those of them that the counts of packs in the table below take for one: where a pack is larger than 28 bytes, each
/// element counts.
constexpr std::uint32_t counted_per_pack(std::uint64_t size) {
    return size < 8 || 16 % size == 0 ? elements_per_pack(size) : 1;
}

/// Where a configuration applies. Of the entries that do, the first counts.
struct sub_group_entry {
    device_class device;
    operation op;
    std::uint64_t least_size, most_size; ///< bytes of an element, or of a value where that is larger
    std::uint64_t most_bytes;            ///< of input
    sub_group_config config;
    std::uint64_t tile_memory = 0; ///< local memory that the device must have: device_limits::tile_memory_bytes
};

/// Scans of so many bytes are planned for a single tile.
constexpr std::uint64_t one_tile_bytes = 8192;

/// Measured on an NVIDIA H200 (driver 580.159). Scans: exclusive, ratio to the device's copy of the same bytes. What
/// holds them back is how long after its predecessors' sums a tile knows its prefix, so latency counts as much as bytes
/// under way. Tiles partly in registers came to 0.62 (the compiler spills, and loads wait for one another), tiles read
/// twice, the second time from cache, to 0.73. Where a pause is named (look_back_lanes.cl), what stands before it was
/// measured without one; "by 4" and the like are direct groups.
inline constexpr sub_group_entry sub_group_table[] = {
    // Structs of 32-bit words, inclusive, us; sizes between those named are guesses. 2^25 of 24 bytes (CUB 1668): 64
    // x 32 in runs of 8 699, 128 x 16 738, 64 x 16 849 and without a limit of registers 919, 128 x 8 1122, 64 x 8
    // 1580; runs of 1, 64 x 4 2960. H100, 512 MiB, no direct group and one, 581 and 536, with 200 registers 560. In
    // another run 592, with a pause of 2000 and of 3000 580 and 609, with that and 3 direct groups 619.
    {device_class::nvidia, operation::scan, 17, 24, unlimited, {64, 32, 8, 168, 1, 0, 2000}, 54 << 10},
    // 2^25 of 32 bytes (CUB 3672): 128 x 16 in runs of 8 968, 64 x 16 1208 and without a limit of registers 1093,
    // 128 x 8 1344, 64 x 8 1967; runs of 4, 64 x 16 1234. H100, 512 MiB of structs, and of double4: 128 x 16 574 and
    // 501; 64 x 32 with one direct group and 168, 200, 255 registers 561, 511, 519 and 503, 471, 466, with none 536
    // and 492 (255), in runs of 4 538 and 480; 128 x 32 634 and 612. In another run 822, with a pause of 2000 and of
    // 3000 808 and 850, with that and 3 direct groups 930.
    {device_class::nvidia, operation::scan, 25, 32, unlimited, {64, 32, 8, 200, 1, 0, 2000}, 70 << 10},
    {device_class::nvidia, operation::scan, 17, 32, unlimited, {64, 16, 8, 0, 0, 0}},
    // 2^24 of 48 bytes: 64 x 8 in runs of 4 1803, without a limit of registers 1901.
    {device_class::nvidia, operation::scan, 33, 48, unlimited, {64, 8, 4, 168, 0, 0}},
    // 2^22 of 64 bytes (CUB 1067): 64 x 8 in runs of 4 645, with 168 registers 807, in runs of 2 699; 128 x 4 814;
    // 32 x 16 847; 64 x 4 1099. H100, with one fallback (find_past_silent.cl): with no limit of registers, of which the
    // compiler then takes 168, 880, with 176 700, 208 686, 240 673, 255 670.
    {device_class::nvidia, operation::scan, 49, 64, unlimited, {64, 8, 4, 255, 0, 0}},
    // 2^21 of 128 bytes: 64 x 4 in runs of 1 1814, of 2 1940.
    {device_class::nvidia, operation::scan, 65, unlimited, unlimited, {64, 4, 1, 0, 0, 0}},
    // A single tile, with the fewest packs that hold it. Not compared with others; 2^10 int32, one call and its finish:
    // 9.8 us, where an empty kernel takes 7.8.
    {device_class::nvidia, operation::scan, 1, 16, 2048, {128, 1, 1, 0, 0, 0}},
    {device_class::nvidia, operation::scan, 1, 16, 4096, {128, 2, 1, 0, 0, 0}},
    {device_class::nvidia, operation::scan, 1, 16, one_tile_bytes, {128, 4, 1, 0, 0, 0}},
    // So that more work-groups take part than with larger tiles. Not compared with others; 2^16 int32, one call and its
    // finish: 11.7 us.
    {device_class::nvidia, operation::scan, 1, 1, mebibytes(2), {128, 8, 2, 0, 2, 0}},
    {device_class::nvidia, operation::scan, 2, 16, mebibytes(2), {128, 8, 4, 0, 2, 0}},
    // Not compared with others; 2^20 int32: 0.79 of a copy, 13.6 us per call and its finish.
    {device_class::nvidia, operation::scan, 1, 1, mebibytes(16), {128, 16, 2, 80, 2, 0}},
    {device_class::nvidia, operation::scan, 2, 16, mebibytes(16), {128, 16, 4, 80, 2, 0}},
    // 2^28 uint8: 128 x 16 in runs of 2 0.741, runs of 1 0.709, runs of 4 0.46; 64 x 32 0.69. With a pause, by 4,
    // 0.80, and with blocks that are awaited in pairs (stage_blocks.cl) 0.81; then runs of 4 0.77, 256 x 8 0.68.
    {device_class::nvidia, operation::scan, 1, 1, unlimited, {128, 16, 2, 80, 4, 0, 3000}},
    // 2^28 uint16: 128 x 16 in runs of 4 0.867, runs of 2 0.850; 64 x 32 0.83. With a pause 0.90, by 4 0.92.
    {device_class::nvidia, operation::scan, 2, 2, unlimited, {128, 16, 4, 80, 4, 0, 3000}},
    // 2^28 int32: 64 x 32 in runs of 8, 4 direct groups, 0.898, with 112 registers 0.873; 128 x 32 0.898; 128 x 16 in
    // runs of 4 0.865, runs of 2 0.84; 256 x 8 0.68; tiles of half the bytes 0.65 to 0.81. float: as int32.
    // With a pause, 128 x 16 in runs of 4, by 6 and 5 0.937 (float 0.930), by 4 0.93 (0.928); in runs of 8 0.92; 64 x
    // 32, 96 registers, 0.93 (0.92); 128 x 32 by 4 0.94, by 6 0.92; 256 x 16 0.90; tiles of half the bytes 0.85.
    {device_class::nvidia, operation::scan, 4, 4, unlimited, {128, 16, 4, 80, 6, 0, 3000}},
    // 2^27 int64: tiles of 64 KiB, 128 x 32 in runs of 8, 0.889 (double 0.891); 64 x 32 0.838; 128 x 16 in runs of 4
    // 0.830; tiles of 128 KiB 0.58.
    // With a pause, by 3, with 128 registers 0.941 (double 0.924), 96 0.937 (0.921), 168 0.936 (0.922); by 2 and 4 0.91
    // (0.90); 256 x 16 with 80 0.926 (0.923); double in tiles of half the bytes 0.88. Inclusive, double, 0.896, with
    // 112 to 168 registers and by 2 the same, by 4 0.87, with a pause of 2000 0.87, of 5000 0.76. Affine maps of pairs
    // of float, us, by 2, 3 and 4 614, 611 and 626.
    {device_class::nvidia, operation::scan, 8, 8, unlimited, {128, 32, 8, 128, 3, 0, 3000}, 68 << 10},
    {device_class::nvidia, operation::scan, 8, 8, unlimited, {64, 32, 8, 144, 4, 0}}, // not measured with a pause
    // H100, 512 MiB of float4 and of a struct of 16 bytes, 64 x 32 in runs of 4 with 144 registers 437 and 503. 128 x
    // 32 with 168 registers, in runs of 8 389 and 439, of 4 388 and 462, with 144 388 and 457, with 3 and 1 direct
    // groups 396, 393 and 483, 456. 128 x 64 603 and 682; 256 x 16 431 and 519. A copy 365. 256 MiB of structs of 12
    // bytes, with conflicts of banks 244, without, in runs of 4 with 144 registers 225, of 8 with 168 214; of 10 bytes,
    // with packs of one element 423, with these 302. 2^26 structs of 12 and 16 bytes without a pause 486 and 683, with
    // one of 2000 474 and 661, of 3000 483 and 656, by 3 515 and 676, by 4 529 and 702.
    {device_class::nvidia, operation::scan, 9, 15, unlimited, {128, 32, 8, 168, 2, 0, 2000}, 68 << 10},
    {device_class::nvidia, operation::scan, 16, 16, unlimited, {128, 32, 8, 168, 2, 0, 2000}, 68 << 10},
    // Structs of 3, 5, 6 and 7 bytes. H100, 256 MiB, us, with packs of one element 692, 720, 419 and 849. Of 3 bytes,
    // elements, 128 x 128 in runs of 4 packs 273, of 2 344; 64 x 128 290; 128 x 64 316; 256 x 64 314. Of 5, 128 x 64
    // 336, in runs of 2 385, 64 x 128 358. Of 6, 128 x 64 in runs of 4 243, of 8 247; 64 x 64 256; 128 x 128 289; 256 x
    // 32 265. Of 7, 128 x 64 369. A copy 188.
    {device_class::nvidia, operation::scan, 3, 3, unlimited, {128, 32, 4, 128, 1, 0}, 68 << 10},
    {device_class::nvidia, operation::scan, 6, 6, unlimited, {128, 32, 4, 128, 1, 0}, 68 << 10},
    {device_class::nvidia, operation::scan, 5, 7, unlimited, {128, 16, 4, 168, 1, 0}, 68 << 10},
    {device_class::nvidia, operation::scan, 3, 16, unlimited, {64, 32, 4, 144, 1, 0}}, // guess: less local memory

    // Structs of 32-bit words, us; sizes between those named are guesses. 2^25 of 24 and 32 bytes (CUB 188 and 276):
    // 256 with 8 packs 207 and 271, one work-group per compute unit 213 and 274; with 4 packs, 80 registers, 216 and
    // 292, 64 232 and 323; 512 with 4 packs 232 and 327. In other runs, 2^25 of 24 bytes, 256 with 8 packs 204 and 209,
    // with 112 registers 204, with 96 215; 512, one work-group per compute unit, 201 and 206, with 112 registers 202.
    {device_class::nvidia, operation::reduce, 17, 24, unlimited, {512, 8, 8, 112, 0, 1}},
    {device_class::nvidia, operation::reduce, 25, 32, unlimited, {256, 8, 8, 128, 0, 2}},
    // 2^22 of 64 bytes (CUB 161): 256 with 4 packs 138, one work-group per compute unit 136; 128 with 4 152; 256 with 2
    // 145, 64 registers 192; 512 with 2 186. 2^24 of 48 bytes: 230.
    {device_class::nvidia, operation::reduce, 33, 64, unlimited, {256, 4, 4, 128, 0, 2}},
    // Not compared with others; 2^21 of 128 bytes: 281 us.
    {device_class::nvidia, operation::reduce, 65, unlimited, unlimited, {256, 2, 2, 128, 0, 2}},
    // 2^10 int32, one call and its finish: 256 work-items with 2 packs each 9.2 us, with 4 9.3, with 8 10.2; an empty
    // kernel takes 7.6.
    {device_class::nvidia, operation::reduce, 1, 16, 8192, {256, 2, 2, 64, 0, 4}},
    // 2^16, 2^18 and 2^20 int32, in turn with CUB in one process: 256 with 4 packs 12.1, 12.0 and 12.5 us, with 2 11.9,
    // 12.0 and 13.0, with 8 12.2, 12.3 and 12.6; 512 with 4 12.1, 12.2 and 12.6; 1024 with 4 12.7, 12.9 and 13.1. (CUB:
    // 13.6, 13.2 and 13.2.)
    {device_class::nvidia, operation::reduce, 1, 16, mebibytes(4), {256, 4, 4, 64, 0, 4}},
    // 2^21 int32, the same: 512 with 4 packs 13.3 us, with 8 13.4; 256 with 4 13.7, with 8 13.2, at 2^22 again slower
    // than 512. (CUB: 13.5.)
    {device_class::nvidia, operation::reduce, 1, 16, mebibytes(8), {512, 4, 4, 64, 0, 2}},
    // 2^28 uint8: with 4 packs 70 us, with 8 84.
    {device_class::nvidia, operation::reduce, 1, 1, unlimited, {512, 4, 4, 64, 0, 2}},
    // 2^28 float: with 8 packs 243 us, with 4 245; 256 work-items, 4 work-groups per compute unit, 244; 3 work-groups
    // of 512 with 40 registers 245. 2^22: 512 with 8 packs 13.6 us, 256 14.1. (CUB: 245.5, 13.9.)
    {device_class::nvidia, operation::reduce, 2, 4, unlimited, {512, 8, 8, 64, 0, 2}},
    // H100, 256 MiB of structs of 3 bytes, us: 256 with 2 packs 234, with 128 registers 259, with 4 packs 348 and 297.
    // H200: 256 with 2 packs 316, four times on a compute unit 230, 512 twice 220, in another run 243. Packs of 16, as
    // three vectors, 209.
    {device_class::nvidia, operation::reduce, 3, 3, unlimited, {512, 2, 2, 64, 0, 2}},
    // 2^26 of 12 bytes (CUB 186): 512 with 8 packs and 64 registers 193, 256 with 128 196, with 64, four times on a
    // compute unit, 200. 3 * 2^24 of 16 bytes: 256 with 8 packs and 128, 112 and 96 registers 194, 191 and 192; three
    // times with 80 192; 512 with 4 packs 195.
    {device_class::nvidia, operation::reduce, 12, 12, unlimited, {512, 8, 8, 64, 0, 2}},
    {device_class::nvidia, operation::reduce, 16, 16, unlimited, {256, 8, 8, 112, 0, 2}},
    // 2^27 int64, on two cards: 256 with 8 packs 240.8 and 244.0 us, 512 with 4 241.7 and 248.5, 512 with 8, one
    // work-group per compute unit, 240.2 and 245.8; 2^23: 23.8, 24.4, 24.8. double: as int64.
    {device_class::nvidia, operation::reduce, 3, 16, unlimited, {256, 8, 8, 128, 0, 2}},

    // Guesses, for sub-groups: no GPU but NVIDIA's was at hand. Few packs, because registers may be few.
    {device_class::other_gpu, operation::scan, 17, unlimited, unlimited, {64, 4, 1, 0, 0, 0}},
    {device_class::other_gpu, operation::scan, 1, 16, one_tile_bytes, {128, 1, 1, 0, 1, 0}},
    {device_class::other_gpu, operation::scan, 1, 16, unlimited, {128, 4, 2, 0, 1, 0}},
    {device_class::other_gpu, operation::reduce, 1, unlimited, unlimited, {256, 2, 2, 0, 0, 2}},
};

/// The table's configuration of sub-groups for `bytes` of elements of `size` bytes.
/// @param is_nvidia  sub-groups are warps
UPSWEEP_INLINE const sub_group_config& choose_sub_group_config(bool is_nvidia, operation op, std::uint64_t bytes,
                                                               std::uint64_t size, std::uint64_t tile_memory) {
    const device_class device = is_nvidia ? device_class::nvidia : device_class::other_gpu;
    const sub_group_entry* entry = sub_group_table;
    while (entry->device != device || entry->op != op || size < entry->least_size || size > entry->most_size ||
           bytes > entry->most_bytes || tile_memory < entry->tile_memory)
        ++entry;
    return entry->config;
}

/// Bytes of a work-item's elements in a staged tile: of scans in passes, of scans that stream their tiles or look back,
/// of reductions and single tiles. NVIDIA H100, 2^24 int32, 256 work-items, us, with 64, 32 and 16: in passes blelloch
/// 246, 170, 143, hillis_steele 215, 180, 127, brent_kung 221, 183, 139; by propagation 258, 182, 147, 230, 198, 130,
/// 230, 200, 141; chunked 156, 142, 161, 191, 132, 148, 150, 163, 153; look_back 426, 274, 360, 797, 329, 344, 800,
/// 330, 346. Reductions, and single tiles, are a guess.
constexpr std::size_t passed_item_bytes = 16;
constexpr std::size_t streamed_item_bytes = 32;
constexpr std::size_t most_item_bytes = 64;

/// Elements per work-item of a tile that is not staged.
constexpr std::uint32_t direct_items = 16;

/// A CPU's look-back tile, in bytes, about: read twice, so it should stay in a core's second-level cache with its
/// output.
constexpr std::size_t look_back_cpu_bytes = 1 << 18;

/// Elements that a CPU's work-item combines as a tree in registers, where the order of combination shows.
constexpr std::uint32_t cpu_tree_run = longest_tree;

/// Work-items of a CPU's work-group if the caller asks for a strategy that needs more than one.
constexpr std::uint32_t cpu_group_work_items = 256;

/// What a run without sub-groups is configured with; its items follow from the constants above.
struct tile_config {
    upsweep::strategy strategy; ///< where the caller leaves that and the work-group open
    std::uint32_t work_items;
    bool staged;
    std::uint32_t unit_groups; ///< for `chunked`: chunks per compute unit
};

struct tile_entry {
    device_class device;
    operation op;
    bool exact_operator; ///< as problem_size::exact_operator
    tile_config config;
};

/// One line per class, operation and kind of operator. NVIDIA's devices come here as `other_gpu`, for values above 128
/// bytes.
inline constexpr tile_entry tile_table[] = {
    // Guess: no GPU but NVIDIA's was at hand. Work-groups of 256 are what such devices are documented to take.
    {device_class::other_gpu, operation::scan, true, {strategy::reduce_then_scan, 256, true, 4}},
    {device_class::other_gpu, operation::scan, false, {strategy::reduce_then_scan, 256, true, 4}},
    {device_class::other_gpu, operation::reduce, true, {strategy::reduce_then_scan, 256, true, 4}},
    {device_class::other_gpu, operation::reduce, false, {strategy::reduce_then_scan, 256, true, 4}},
    // PoCL 3.1 on two cores, scan of 2^26, copy 23.8 ms: int32 chunked 27.3 ms, look_back 29.2; float 72 and 36. Eight
    // chunks per core against one, in turn: 2^22 2.25 ms and 2.69, reduction 0.66 and 0.76; 2^26 42.3 and 42.8, and
    // beside other work 53.8 and 59.3.
    {device_class::cpu, operation::scan, true, {strategy::chunked, 1, false, 8}},
    // Without 64-bit atomics chunked: of a power of two, so that few would leave half of the cores without work. Guess.
    {device_class::cpu, operation::scan, false, {strategy::look_back, 1, false, 8}},
    {device_class::cpu, operation::reduce, true, {strategy::chunked, 1, false, 8}},
    {device_class::cpu, operation::reduce, false, {strategy::chunked, 1, false, 1}},
};

/// The table's configuration of tiles.
UPSWEEP_INLINE const tile_config& choose_tile_config(device_class device, operation op, bool exact_operator) {
    if (device == device_class::nvidia) device = device_class::other_gpu;
    const tile_entry* entry = tile_table;
    while (entry->device != device || entry->op != op || entry->exact_operator != exact_operator) ++entry;
    return entry->config;
}

} // namespace upsweep::detail
