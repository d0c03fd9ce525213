// SPDX-License-Identifier: MIT
// Blelloch's tile scan with and without padding of local memory. The up-sweep reads and writes at distances of powers
// of two; without padding, most of those addresses lie in one of a GPU's (usually 32) memory banks and are served one
// after another. A GPU shows the difference, most of all with few elements per work-item, when the tree is most of the
// work. On a CPU device local memory is ordinary memory without banks: there the two differ little, and padding may
// even cost.

#include "common/device_rows.hpp"
#include "common/upsweep_side.hpp"

int main(int argc, char** argv) {
    using namespace bench;
    describe_target();
    const std::uint64_t n = target().is_cpu ? 1 << 18 : 1 << 24;
    for (const std::uint32_t work_items : {64U, 128U, 256U, 512U, 1024U}) {
        if (work_items > target().info.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()) continue;
        for (const std::uint32_t items : {2U, 8U, 16U}) {
            // Padded, or there would be nothing to compare with.
            const std::uint64_t tile_bytes = std::uint64_t{work_items} * items * sizeof(std::int32_t);
            if (tile_bytes + tile_bytes / 16 > target().info.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>()) continue;
            for (const bool padded : {true, false}) {
                upsweep::options options;
                options.algorithm = upsweep::tile_algorithm::blelloch;
                options.strategy = upsweep::strategy::reduce_then_scan;
                options.work_items = work_items;
                options.items = items;
                options.bank_padding = padded;
                const std::string variant = std::string(padded ? "padded" : "unpadded") + ".work_items_" +
                                            std::to_string(work_items) + ".items_" + std::to_string(items);
                add_row(row_name("bank_conflicts", "upsweep", variant, "int32", n), 2 * n * sizeof(std::int32_t),
                        [=] { return upsweep_scan<std::int32_t, sum>(n, options); });
            }
        }
    }
    return run_rows(argc, argv);
}
