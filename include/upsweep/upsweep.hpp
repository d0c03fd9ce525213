// SPDX-License-Identifier: MIT
#pragma once

/// @mainpage
/// Scan (prefix sum) and reduce for OpenCL devices: any number of elements, any element type, any associative operator.
///
/// @include 01_first.cpp
///
/// | to | use |
/// |---|---|
/// | scan and reduce | #upsweep::inclusive_scan, #upsweep::exclusive_scan, #upsweep::reduce |
/// | name device memory, and what to wait for | upsweep::span, upsweep::after, #upsweep::without_event |
/// | compute elements as they are read | upsweep::transform |
/// | combine or count what is computed | #upsweep::transform_reduce, #upsweep::count_if |
/// | find the smallest or largest element | #upsweep::min_element, #upsweep::max_element, #upsweep::minmax_element |
/// | have the total of a scan as well | upsweep::with_total |
/// | scan each of many segments | upsweep::keyed, upsweep::flagged, upsweep::rows |
/// | use several devices in one call | upsweep::device_group, of <upsweep/device_group.hpp> |
/// | keep some of the elements | #upsweep::copy_if, #upsweep::partition, #upsweep::unique |
/// | have each run of equal elements once | #upsweep::run_length_encode |
/// | prepare once, run often | upsweep::scan_plan, upsweep::reduce_plan, computed_plan.hpp |
/// | the same of segments and selections | segments_plan.hpp, select_plan.hpp |
/// | write an operator | upsweep::make_operator |
/// | use a struct as element | upsweep::type |
/// | scan and reduce inside a kernel of one's own | #upsweep::work_group_source |
/// | choose algorithms and sizes | upsweep::options |
/// | find a device | #upsweep::default_queue, #upsweep::devices |
/// | know what went wrong | upsweep::error |
/// | have the same bits on the host | #upsweep::reference |
///
/// Every call that enqueues something checks all arguments before, and throws upsweep::error with function, argument
/// and cause if one cannot be right.

/// @namespace upsweep
/// Scan (prefix sum) and reduce for OpenCL devices. `#include <upsweep/upsweep.hpp>` declares all of it but device
/// groups and MPI (<upsweep/device_group.hpp>, <upsweep/mpi.hpp>), which few programs need. Start with
/// #inclusive_scan, #exclusive_scan and #reduce.

#include <upsweep/accumulate_in.hpp>
#include <upsweep/bfloat16.hpp>
#include <upsweep/cache.hpp>
#include <upsweep/choice.hpp>
#include <upsweep/computed_plan.hpp>
#include <upsweep/device.hpp>
#include <upsweep/device_value.hpp>
#include <upsweep/error.hpp>
#include <upsweep/exclusive_scan.hpp>
#include <upsweep/extremes.hpp>
#include <upsweep/extremum.hpp>
#include <upsweep/first.hpp>
#include <upsweep/identity.hpp>
#include <upsweep/no_init.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/options.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/reference.hpp>
#include <upsweep/release.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/segmented_view.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/segments_plan.hpp>
#include <upsweep/select.hpp>
#include <upsweep/select_plan.hpp>
#include <upsweep/self_check.hpp>
#include <upsweep/span.hpp>
#include <upsweep/transform_reduce.hpp>
#include <upsweep/tuning.hpp>
#include <upsweep/tuning_file.hpp>
#include <upsweep/type.hpp>
#include <upsweep/vector_types.hpp>
#include <upsweep/version.hpp>
#include <upsweep/views.hpp>
#include <upsweep/work_group_source.hpp>
