// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/check_tuning.hpp>
#include <upsweep/detail/tuning/tuning_table.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <cstddef>
#include <cstdint>

/// The tiles of segments of flagged values (sub_group_tile/segment_tiles.cl), for the route by sub-groups.
namespace upsweep::detail {

/// Such tiles of large arrays of values of so many bytes.
struct segment_tile_sizes {
    std::size_t least_bytes, most_bytes;
    bool any_operator; ///< else: that gives the same bits in any order
    std::uint32_t work_items;
    std::uint32_t items; ///< elements of each
    std::uint32_t registers;
    std::uint32_t pause = 0;         ///< see sub_group_config
    std::uint32_t direct_groups = 2; ///< likewise
};

/// Reductions by key, which keep keys in local memory and wait for all tiles before. So large tiles pay, of which few
/// have to be looked at. H200, 2^25 to 2^28 elements in runs of 2, 10 and 1000, or of 2 and 1000, us. Sizes that are
/// not named, such as 3, 5 and 24 bytes, have the tiles of other sums of segments, with which they are as fast or
/// faster.
inline constexpr segment_tile_sizes keyed_sums_table[] = {
    // uint8: 128 x 32 with 80 registers 499, 419, 371; 256 x 32 with 80 454, 379, 343, with 72 462, 389, 351, with 64
    // 432, 354, 326; 512 x 32 with 64 460, 381, 352. uint16: 128 x 32 with 80 531, 431, 379; 256 x 32 with 64 475, 373,
    // 341; 512 x 32 with 64 487, 398, 365. Of fewer (most_small_keyed) smaller tiles: uint8 in runs of 10, 2^22 to
    // 2^25, 256 x 32 with 64 and 128 x 32 with 80 20, 44, 69, 109 and 20, 35, 60, 106, of one element less 22, 56, 81,
    // 121 and 21, 37, 62, 109.
    {1, 2, false, 256, 32, 64},
    // int32: 128 x 32 with 80 1119, 891, 797; 256 x 32 with 80 1061, 832, 739, with 72 1079, 840, 749; 512 x 16 with 64
    // 1314, 1099, 1000. With 8 elements loaded at a time, not 16, 1063, 830, 755, with 32 1060, 820, 724; with keys
    // listed behind a branch, for marks among the 16, 1113, 879, 763. float: 128 x 32 with 128 647, 512, 453; 256 x 32
    // with 80 560, 444, 398, with 72 579, 458, 417, with 84 632, 493, 438; 512 x 32 with 64 752, 594, 531. int32, in
    // another run, without a pause 1078, 829, 728, with a pause 1013, 783, 698, with that and 4 direct groups 1040,
    // 805, 718. By 2, 1 and no direct group, in runs of 2 and 1000, 1005, 720 and 995, 716 and 1013, 740.
    {4, 4, true, 256, 32, 80, 2000, 1},
    // 128 x 32 with 224 337, 263, with 128 278, 220; 256 x 32 with 128 308, 236.
    {6, 6, true, 128, 32, 128},
    // int2: 128 x 32 with 128 832, 686, 623; 256 x 32 with 128 797, 639, 558. double: 128 x 32 with 224 1078, 851, 767,
    // with 144 905, 710, 648; 256 x 32 with 128 868, 679, 622, with 112 927, 726, 676; 512 x 32 with 128 1056, 833,
    // 772. In another run, runs of 2 and 1000, by 2, 1 and no direct group, double 899, 678 and 846, 624 and 853, 618;
    // int64 796, 556 and 791, 562 and 789, 561. Runs of 1000 of double, by 1, with a pause of 1500 605, without 599;
    // 128 x 64 with 168 608, with 128 692; 128 x 32 with 144 663; 256 x 64 777.
    {8, 8, true, 256, 32, 128, 0, 1},
    // 64 x 32 with 224 368, 295; 128 x 32 with 128 352, 263, with 168 307, 224, with 224 338, 242; 256 x 32 with 128
    // 412, 294.
    {12, 12, true, 128, 32, 168},
    // int4: 64 x 32 with 200 541, 509, 499; 128 x 32 with 168 472, 411, 390, with 200 448, 385, 362, with 224 439, 384,
    // 359, with 255 439, 383, 366. float4: 64 x 32 with 255 546, 517, 504; 128 x 32 with 168 520, 451, 432, with 224
    // 454, 389, 368, with 255 451, 388, 373.
    {16, 16, true, 128, 32, 224},
    // double4: 64 x 32 with 255 656, 608, 594; 128 x 32 with 255 582, 517, 501; 128 x 16 with 255 726, 665, 650. (24
    // bytes: 64 x 32 with 255 628, 512; 128 x 32 704, 541.)
    {32, 32, true, 128, 32, 255},
};

/// Elements of 1 and 2 bytes, at most, that are reduced by key in smaller tiles.
constexpr std::uint64_t most_small_keyed = std::uint64_t{3} << 24;

/// The tiles of segments of flagged values of `size` bytes: work-items x elements of each, and registers. H200, 2^28
/// int32 in runs of 1000, us, reductions by offsets and by key, inclusive scans by key and of rows: 128 x 32 with 80
/// 510, 730, 843 and 613, 128 x 64 with 96 482, 673, 816 and 572; runs of 2, the first two, 918 and 1161, 911 and 1288.
/// 2^27 float in runs of 1000, reductions by offsets and by key: 128 x 32 with 96 and 128 360, 506 and 362, 470; 128 x
/// 16 with 96 500, 616. H100, reductions by key, int64, 128 x 16 with 128 997, with 96 1073; double, 128 x 16 with 160
/// 1044, 128 x 32 with 168, 200, 224 811, 829, 813. Exclusive scans of values of 4 bytes in any order, 2^27 elements of
/// rows, 2^26 by key, int32, 128 x 32 with 72 430 and 304, 128 x 64 with 96, 112, 128, 144 419, 411, 413, 458 and 325,
/// 316, 304, 313; uchar4 649 and 315; 665, 666, 501, 662 and 358, 335, 320, 317. Small arrays are guesses.
///
/// Reductions by key keep keys in local memory. H100, 2^28 int32 in runs of 2, 10 and 1000, us, with keys read again,
/// 128 x 64 with 96 registers: 1691, 1170 and 833; kept, the same tiles 1335, 1035 and 875, 128 x 32 with 80 1292, 1000
/// and 869, with 64 1347 and 926 (2 and 1000), with 96 1327 and 892.
///
/// Larger values, H100, 512 MiB, scans of rows and by key: structs of 12 bytes, 128 x 16 with 224 registers 426 and
/// 491, 64 x 32 413 and 470, with 200 454 and 506. int4, in any order, 128 x 16 with 128 577 and 626, with 200 585 and
/// 611, 64 x 16 with 255 539 and 544, 64 x 32 with 128, 160, 200, 255 538, 518, 480, 474 and 586, 586, 490, 505.
/// double2, in the canonical order, 128 x 16 with 224 644 and 712, 64 x 16 with 168, 224, 255 853, 604, 523 and 922,
/// 630, 531, 64 x 32 with 224 632 and 676. Structs of 24 bytes, 64 x 16 with 200 and 255 786, 655 and 822, 665; double4
/// 128 x 8, 64 x 16 with 224 and 255 1070, 781, 674 and 1042, 783, 685. Reductions by key, 256 MiB in runs of 64, with
/// 255 registers, 64 x 16, 64 x 32 and 128 x 16: structs of 12 bytes (224 in 64 x 32: 252) 229 in 64 x 32 and 250;
/// float4 482, 326 and 353; of 24 bytes 388, 346 and 343; double4 583, 436 and 448; int8 572, 353 and 375; int4, 64 x
/// 32 with 200 289, with 255 301.
///
/// Since sums wait in local memory (UPSWEEP_SUMS_IN_REGISTERS), where tiles wait, H100, 256 MiB, scans of rows of 2^20,
/// in place, by key, by offsets: float, 128 x 32 with 128 registers 288, 274, 299, 244, 128 x 64 with 112 239, 233,
/// 300, 235; double, 128 x 32 with 224 and 144 299, 279, 255, 246 and 261, 236, 265, 244; float4, 64 x 16 and 64 x 32
/// 437, 297, 286, 277 and 303, 265, 278, 268; structs of 32 bytes 704, 483, 441, 447 and 547, 429, 433, 444; of 5
/// bytes, 128 x 32 with 224 and 128 x 16 with 128 648, 512, 450, 386 and 625, 451, 367, 356; of 6, 128 x 32 with 224
/// and 64 x 32 with 255, exclusive scans by key as well 393, 339, 305, 272, 421 and 414, 349, 293, 263, 404, of rows of
/// 1000 443 and 351. Exclusive scans of rows of 1000 and by key, 128 x 32 with 72 and 128 x 64 with 128: uint8 547, 757
/// and 460, 663, int16 311, 498 and 290, 451. H200, 2^27 double, scans by key, inclusive and exclusive, in one run and
/// in another, 128 x 32 with 144 registers 723, 788 and 744, 810, with 128 712, 744 and 730, 767; with 168 727, 742;
/// with 136, 120 and 112 743, 813, 738, 804 and 777, 824; 256 x 32 with 128 733, 772. 2^27 int64, by 2 direct groups
/// and by 1, inclusive and exclusive scans by key, inclusive ones of rows of 1000 and of 2^20: 681, 754, 566, 730 and
/// 678, 710, 565, 725; of 2^28 int32 820, 867, 557, 675 and 821, 889, 566, 673.
UPSWEEP_INLINE sub_group_config choose_segments_config(const problem_size& problem, std::uint64_t size) {
    const bool is_large = problem.n * size > mebibytes(16);
    const bool is_exact = problem.exact_operator;
    const bool is_exclusive = problem.segments == segment_tiles::exclusive;
    const bool are_keyed = problem.segments == segment_tiles::keyed_sums;
    const bool are_scans = is_exclusive || problem.segments == segment_tiles::inclusive;
    const bool wait_in_order = are_scans && !problem.reads_row && !is_exact && !problem.costly_operator && is_large;
    const std::size_t bytes = problem.segment_size;
    const std::uint32_t items = is_large ? 32 : 16;
    const auto tiles = [&](std::uint32_t work_items, std::uint32_t of_each, std::uint32_t registers,
                           std::uint32_t pause = 0, std::uint32_t direct_groups = 2) {
        return sub_group_config{work_items, of_each / counted_per_pack(size), 4, registers, direct_groups, 0, pause};
    };
    if (are_keyed && is_large && !problem.costly_operator)
        for (const segment_tile_sizes& sizes : keyed_sums_table)
            if (sizes.least_bytes <= bytes && bytes <= sizes.most_bytes && (sizes.any_operator || is_exact) &&
                (bytes > 2 || problem.n > most_small_keyed))
                return tiles(sizes.work_items, sizes.items, sizes.registers, sizes.pause, sizes.direct_groups);
    if (wait_in_order && bytes == 4) return tiles(128, 64, 112);
    if (wait_in_order && (bytes == 5 || bytes == 7)) return tiles(128, 16, 128);
    if (wait_in_order && bytes == 6) return tiles(64, 32, 255);
    if (wait_in_order && bytes == 8) return tiles(128, 32, 128);
    const bool are_small = size <= 8; // 4 bytes or less, and a mark
    if (are_small && is_exact && is_large && !are_keyed) return tiles(128, 64, is_exclusive ? 128 : 96);
    if (are_small && is_exact) return tiles(128, items, is_exclusive ? 72 : 80);
    if (are_small) return tiles(128, items, 128);
    if (bytes <= 8 && is_exact) return tiles(128, items, 128, 0, are_scans && is_large ? 1 : 2);
    if (bytes <= 8) return tiles(128, items, is_large ? 224 : 160);
    if (bytes < 16) return tiles(64, items, is_exact ? 200 : 224);
    if (bytes == 16 && is_exact) return tiles(64, items, 200);
    const bool are_short = !are_keyed && (!are_scans || (problem.reads_row && bytes == 16));
    return tiles(64, are_short ? 16 : items, 255);
}

} // namespace upsweep::detail
