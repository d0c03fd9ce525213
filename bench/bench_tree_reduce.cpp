// SPDX-License-Identifier: MIT
// The reduce ladder, rung by rung, with the same work-groups: what each of the textbook's steps buys.
//
//   interleaved  every 2s-th work-item adds its neighbour at distance s: the others of its warp idle
//   compacted    the same additions by the first work-items: no divergence, but strided local memory
//   sequential   neighbouring work-items read neighbouring addresses
//   serial       each work-item first adds a run of elements in registers: fewer tiles, less tree

#include "common/device_rows.hpp"
#include "common/upsweep_side.hpp"

int main(int argc, char** argv) {
    using namespace bench;
    using upsweep::tree_reduce;
    describe_target();
    for (const unsigned exponent : {16U, 20U, 24U, 28U}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        if (target().is_cpu && exponent > 24) continue;
        for (const std::uint32_t work_items : {64U, 256U, 1024U})
            for (const auto rung :
                 {tree_reduce::interleaved, tree_reduce::compacted, tree_reduce::sequential, tree_reduce::serial}) {
                if (work_items > target().info.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()) continue;
                upsweep::options options;
                options.reduction = rung;
                options.strategy = upsweep::strategy::reduce_then_scan;
                options.work_items = work_items;
                const std::string variant = std::string(to_string(rung)) + ".work_items_" + std::to_string(work_items);
                add_row(row_name("tree_reduce", "upsweep", variant, "int32", n), n * sizeof(std::int32_t),
                        [=] { return upsweep_reduce<std::int32_t, sum>(n, options); });
            }
    }
    return run_rows(argc, argv);
}
