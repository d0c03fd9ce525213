// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/options.hpp>
#include <upsweep/type.hpp>
#include <upsweep/version.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep {

/// What `sub_group_source` gives.
struct sub_group_text {
    std::string text;    ///< to prepend to a kernel; empty: the device has no sub-groups that serve
    std::string options; ///< of `clBuildProgram`, without which it does not compile
};

namespace detail {
inline namespace UPSWEEP_VERSION_NAMESPACE {

/// `work_group_source` without its types.
UPSWEEP_DECLARED std::string work_group_text(const type_view& value, const operator_view& op, std::uint32_t work_items,
                                             tile_algorithm algorithm, const std::string& name, tree_reduce reduction);

/// `sub_group_source` without its types.
UPSWEEP_DECLARED sub_group_text sub_group_functions(cl_device_id device, const type_view& value,
                                                    const operator_view& op, const std::string& name);

/// As upsweep::has_sub_groups.
UPSWEEP_DECLARED bool has_sub_groups(cl_kernel kernel, cl_device_id device, std::size_t work_items);

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
///     })");
/// program.build();
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
///
/// @par Source
/// Of the algorithms: #tile_algorithm; of the trees: #tree_reduce.
template <class T, class Op>
std::string work_group_source(const Op& op, std::uint32_t work_items,
                              tile_algorithm algorithm = tile_algorithm::automatic, const std::string& name = "upsweep",
                              tree_reduce reduction = tree_reduce::automatic) {
    return detail::work_group_text(detail::view_type<T>(), detail::view_operator<T>(op), work_items, algorithm, name,
                                   reduction);
}

/// The same for sub-groups of 32 work-items, which exchange values without local memory and without barriers of the
/// work-group, where the device has them: by NVIDIA's PTX, `cl_khr_subgroup_shuffle` and `_ballot`, or
/// `cl_intel_subgroups`. Wider sub-groups count as several.
///
/// @code
/// const auto sums = upsweep::sub_group_source<float>(device, upsweep::plus{}, "sums");
/// cl::Program program(context, sums.text + R"(
///     __kernel SUMS_ASK_SUB_GROUP void sum_of_each_32(__global const float* in, __global float* out)
///     {
///         const float sum = sums_lanes_reduce(in[get_global_id(0)]);
///         if (sums_lane() == 0) out[get_global_id(0) / 32] = sum;
///     })");
/// program.build(sums.options.c_str());
/// @endcode
///
/// @tparam T      type of the values, as for `work_group_source`
/// @param device  of which the text is made, and on which alone it runs
/// @param op      as for `work_group_source`
/// @param name    likewise; no text of `work_group_source` in the same program has it
/// @return an empty text where the device has no such sub-groups
/// @throws upsweep::error for what is no such name, for text of operator or type that does not stay within itself, and
///         where the device cannot be asked
///
/// @par What is defined
/// With `name` in place of `sums`, and the same in capitals in place of `SUMS`:
/// | | |
/// |---|---|
/// | `SUMS_ASK_SUB_GROUP` | before a kernel's `void`: asks for the sub-group's size, where the device takes that |
/// | `uint sums_lane()` | number of the work-item in its sub-group, 0 to 31 |
/// | `uint sums_sub_group()` | number of the sub-group in the work-group |
/// | `T sums_lanes_inclusive_scan(value)` | the values up to and with this lane's, combined |
/// | `T sums_lanes_exclusive_scan(value)` | those before it; in lane 0 its own value |
/// | `T sums_lanes_scan_with_total(value, &total)` | `sums_lanes_exclusive_scan`; all values in `total` |
/// | `T sums_lanes_reduce(value)` | all values combined, in every lane |
/// | `T sums_lanes_broadcast(value, from)` | the value of lane `from` |
/// | `T sums_combine(left, right)` | the operator |
///
/// All 32 lanes call a function together, each with a value; the sub-groups of a work-group may go different ways.
/// Work-groups are of one dimension and of a multiple of 32 work-items. Whether a built kernel has the sub-groups that
/// it needs says `has_sub_groups`. Values are combined in the canonical order of 32 (upsweep::reference), but for an
/// inclusive scan, which combines what precedes a lane with its value.
template <class T, class Op>
sub_group_text sub_group_source(cl_device_id device, const Op& op, const std::string& name = "upsweep") {
    return detail::sub_group_functions(device, detail::view_type<T>(), detail::view_operator<T>(op), name);
}

/// Whether a kernel with a text of `sub_group_source` may run in work-groups of so many work-items. A compiler may give
/// a kernel other sub-groups than the device has elsewhere.
/// @throws upsweep::error where the device cannot be asked
UPSWEEP_INLINE bool has_sub_groups(cl_kernel kernel, cl_device_id device, std::size_t work_items) {
    return detail::has_sub_groups(kernel, device, work_items);
}

} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/source/work_group_source_inl.hpp>
#endif
