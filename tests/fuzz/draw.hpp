// SPDX-License-Identifier: MIT
// What is drawn: options, sizes, places in memory; and what a draw must lead to.
#pragma once

#include <upsweep/upsweep.hpp>

#include "dice.hpp"

#include <algorithm>
#include <string>

namespace fuzz {

/// Where everything runs.
struct environment {
    cl::CommandQueue in_order;
    cl::CommandQueue out_of_order; ///< null where the device has none
    cl_context context = nullptr;
    const upsweep::detail::device_limits* limits = nullptr;
    std::size_t largest = std::size_t{1} << 22; ///< elements
    bool simulator = false;                     ///< Oclgrind
};

/// Whether a draw must run, must be refused with upsweep::error, or may be either.
enum class verdict { runs, refused, either };

/// What a subject needs of a device.
enum class need { nothing, half, double_precision };

inline bool lacks(const environment& env, need n) {
    return (n == need::half && !env.limits->has_half) || (n == need::double_precision && !env.limits->has_double);
}

/// Mostly reasonable; now and then something that cannot be run.
inline upsweep::options draw_options(dice& d, const environment& env) {
    using upsweep::strategy;
    using upsweep::tile_algorithm;
    using upsweep::tile_loading;
    using upsweep::tree_reduce;
    upsweep::options o;
    // What sub-groups are chosen for by default has more forms, by type and size, than what options ask for.
    if (d.once_in(env.limits->lanes != upsweep::detail::lanes_backend::none ? 3 : 8)) return o;
    o.strategy = d.pick({strategy::automatic, strategy::single_tile, strategy::scan_then_propagate,
                         strategy::reduce_then_scan, strategy::look_back, strategy::chunked});
    o.algorithm = d.pick({tile_algorithm::automatic, tile_algorithm::blelloch, tile_algorithm::hillis_steele,
                          tile_algorithm::brent_kung});
    if (d.once_in(env.limits->lanes != upsweep::detail::lanes_backend::none ? 3 : 50))
        o.algorithm = tile_algorithm::sub_group;
    o.reduction = d.pick({tree_reduce::automatic, tree_reduce::interleaved, tree_reduce::compacted,
                          tree_reduce::sequential, tree_reduce::serial});
    o.loading = d.pick({tile_loading::automatic, tile_loading::direct, tile_loading::staged});
    o.bank_padding = !d.once_in(4);
    o.reproducible = !d.once_in(8);
    if (!d.once_in(5)) o.work_items = 1U << d.below(d.once_in(3) ? 9 : 6);
    if (!d.once_in(5)) o.items = d.pick({1U, 2U, 3U, 4U, 5U, 7U, 8U, 16U, 33U});
    o.work_groups = d.pick({0U, 0U, 1U, 2U, 3U, 7U, 64U});
    if (o.algorithm == tile_algorithm::sub_group) {
        o.strategy = d.pick({strategy::automatic, strategy::look_back});
        o.work_items = d.pick({0U, 32U, 64U, 128U});
        o.items = d.pick({0U, 4U, 8U, 16U, 32U, 64U, 48U});
        o.run_packs = d.pick({0U, 1U, 2U, 4U});
    }
    // Oclgrind 21 makes an intrinsic function of reversing two bits, which it then does not know.
    if (env.simulator && o.work_items == 4) o.work_items = 8;
    if (d.once_in(40)) o.work_items = d.pick({3U, 48U, 1U << 20});
    if (d.once_in(40)) o.items = 5000;
    return o;
}

/// Whether n elements with these options must run. `value_size`: of the output's type.
inline verdict judge(const environment& env, const upsweep::options& o, need n_of_type, std::size_t n,
                     std::size_t value_size) {
    using upsweep::strategy;
    const bool power = (o.work_items & (o.work_items - 1)) == 0;
    if (lacks(env, n_of_type) || !power || o.work_items > env.limits->max_work_group_size) return verdict::refused;
    if (o.work_items == 2 && env.limits->aborts_on_pairs) return verdict::either;
    if (o.algorithm == upsweep::tile_algorithm::sub_group)
        return env.limits->lanes != upsweep::detail::lanes_backend::none ? verdict::either : verdict::refused;
    if (o.strategy == strategy::look_back && !env.limits->has_atomics64) return verdict::either;
    const std::uint64_t work_items = o.work_items != 0 ? o.work_items : 256;
    const std::uint64_t tile = std::uint64_t{o.work_items} * o.items; // 0: the library chooses
    if (tile == 1) return verdict::either;                            // sums would never get fewer
    if (o.strategy == strategy::single_tile && n > 1) {
        if (tile == 0) return verdict::either;
        if (n > tile) return verdict::refused;
    }
    const std::uint64_t slots = std::max(work_items * std::max(o.items, 1U), 2 * work_items);
    const bool fits = (slots + slots / 32 + 1) * value_size <= env.limits->local_memory_bytes;
    return fits && o.items <= 64 ? verdict::runs : verdict::either;
}

/// An edge, half of the time, or up to two less or more.
inline std::size_t near_edge(dice& d, std::size_t edge) {
    return d.once_in(2) ? edge : edge + d.below(5) - std::min<std::size_t>(edge, 2);
}

/// Mostly around the edges of tiles, of levels of tiles and of chunks; half of those at the edge itself, where tiles
/// are full. `tile` is that of large inputs; small ones may have others, which are a few times a power of two.
inline std::size_t draw_size(dice& d, std::size_t tile, std::size_t largest) {
    const auto near = [&](std::size_t edge) { return near_edge(d, edge); };
    std::size_t n = 0;
    switch (d.below(10)) {
    case 0:
        n = d.below(4);
        break;
    case 1:
        n = near((1 + d.below(3)) << d.below(17));
        break;
    case 2:
        n = near(std::size_t{4096} * (1 + d.below(9))); // the smallest chunk
        break;
    case 3:
    case 4:
        n = d.below(40 * tile);
        break;
    case 5:
        n = near(tile * d.pick<std::size_t>({tile, 31, 32, 33, 1023, 1024, 1025, 1056}));
        break;
    default:
        n = near(tile * (1 + d.below(5)));
    }
    if (d.once_in(80)) n = d.below(largest);
    // So many tiles are enough, and take a CPU long enough.
    return n % (std::min(largest, tile * 20000) + 1);
}

/// Half of the time host ranges are streamed in small pieces, whatever their size. So many elements of a piece; 0: they
/// go as the library likes.
template <class In, class Out>
std::size_t draw_piece(dice& d) {
    auto& settings = upsweep::detail::stream_settings::in_use();
    settings = {};
    if (d.once_in(2)) return 0;
    const std::size_t elements = std::size_t{1} << d.below(14);
    settings.piece_bytes = settings.host_piece_bytes = elements * std::max(sizeof(In), sizeof(Out));
    settings.worthwhile_bytes = 1;
    settings.chunk_bytes = 1000;
    settings.threads = 2;
    return elements;
}

inline std::string describe(const upsweep::options& o) {
    std::string text = std::string(to_string(o.strategy)) + ", " + to_string(o.algorithm) + ", tree " +
                       to_string(o.reduction) + ", " + std::to_string(o.work_items) + " x " + std::to_string(o.items);
    text += o.loading == upsweep::tile_loading::staged   ? ", staged"
            : o.loading == upsweep::tile_loading::direct ? ", direct"
                                                         : ", loading automatic";
    if (!o.bank_padding) text += ", not padded";
    if (o.work_groups != 0) text += ", " + std::to_string(o.work_groups) + " work-groups";
    if (o.run_packs != 0) text += ", runs of " + std::to_string(o.run_packs) + " packs";
    return text;
}

} // namespace fuzz
