// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/operator.hpp>
#include <upsweep/options.hpp>
#include <upsweep/type.hpp>
#include <upsweep/version.hpp>

#include <cstdint>
#include <string>

namespace upsweep {

namespace detail {
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// `work_group_source` without its types.
std::string work_group_text(const type_view& value, const operator_view& op, std::uint32_t work_items,
                            tile_algorithm algorithm, const std::string& name, tree_reduce reduction);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace detail

/// OpenCL C text with functions by which a work-group scans, reduces and broadcasts one value of each work-item: to
/// prepend to a kernel of one's own. They are the textbook algorithms of this library's own kernels.
///
/// @code
/// const std::string sums = upsweep::work_group_source<float>(
///     upsweep::plus{}, 256, upsweep::tile_algorithm::blelloch, "sums");
/// cl::Program program(context, sums + R"(
///     __kernel void sum_of_each_group(__global const float* in, __global float* out)
///     {
///         __local float memory[SUMS_MEMORY];
///         const uint local_id = get_local_id(0);
///         const float sum = sums_reduce(local_id, in[get_global_id(0)], SUMS_WORK_GROUP_SIZE, memory);
///         if (local_id == 0) out[get_group_id(0)] = sum;
///     })", true);
/// @endcode
///
/// @tparam T          type of the values; its `type<T>::definition` is in the text
/// @param op          combines two of them; associative; need not commute, needs no identity, sees real values only
/// @param work_items  of the work-groups that run the kernel, 1 to 2^20, a power of two or not
/// @param algorithm   `blelloch`, `hillis_steele` or `brent_kung`, for scans; `automatic` is `blelloch`
/// @param name        what the names begin with, an identifier. Texts of several names, which differ in more than
///                    capitals, can stand in one program; what they have in common, types and helpers, is defined once
/// @param reduction   how `_reduce` finds its operands; with one value per work-item, `serial` is `sequential`
/// @return OpenCL C 1.2. After it, build logs count the lines of "kernel" from 1
/// @throws upsweep::error before anything is returned, for what is no such number, algorithm or name, and for text of
///         operator or type that does not stay within itself
///
/// @par What is defined
/// With `name` in place of `sums`, and the same in capitals in place of `SUMS`:
/// | | |
/// |---|---|
/// | `SUMS_MEMORY` | values of local memory that the functions need: `__local T memory[SUMS_MEMORY];` |
/// | `SUMS_WORK_GROUP_SIZE` | the argument `work_items`, as for `reqd_work_group_size` |
/// | `T sums_inclusive_scan(local_id, value, count, memory)` | the values up to and with this work-item's, combined |
/// | `T sums_exclusive_scan(local_id, value, count, memory)` | those before it; in work-item 0 its own value |
/// | `T sums_exclusive_scan_from(local_id, init, value, count, memory)` | `init` and those before it, combined |
/// | `T sums_scan_with_total(local_id, value, count, memory, &total)` | `sums_exclusive_scan`; all values in `total` |
/// | `T sums_reduce(local_id, value, count, memory)` | all values combined, in every work-item |
/// | `T sums_broadcast(local_id, value, from, memory)` | the value of work-item `from`, in every work-item |
/// | `T sums_combine(left, right)` | the operator |
///
/// `local_id` is the number of the work-item in its group, from 0 to `work_items` - 1, a `uint`: `get_local_id(0)`,
/// asked for once, at the kernel's begin. `count`, the same `uint` in all work-items, from 1 to `work_items`, says how
/// many of them have a value, the first ones. A scan gives each other work-item back what it passed. All names that
/// begin with `name` and an underscore are taken.
///
/// @par Barriers
/// All work-items of the group call a function together. Each writes `memory`, so a barrier must lie between a use of
/// one's own and the call; on return it is free again. With s steps, which is log2 of `work_items` rounded up, a
/// function executes so many barriers of local memory, whatever `count` is:
/// | scans | `_reduce` | `_broadcast` |
/// |---|---|---|
/// | `blelloch` 2 s + 3, `brent_kung` 2 s + 1 (2 where s is 0), `hillis_steele` s + 2 | s + 2 | 2 |
///
/// @par Order of combination
/// Fixed by algorithm, `work_items` and `count`, not that of upsweep::reference. Products and sums in the operator are
/// not fused.
template <class T, class Op>
std::string work_group_source(const Op& op, std::uint32_t work_items,
                              tile_algorithm algorithm = tile_algorithm::automatic, const std::string& name = "upsweep",
                              tree_reduce reduction = tree_reduce::automatic) {
    return detail::work_group_text(detail::view_type<T>(), detail::view_operator<T>(op), work_items, algorithm, name,
                                   reduction);
}

} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/source/work_group_source_inl.hpp>
#endif
