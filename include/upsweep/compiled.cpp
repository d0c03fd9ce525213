// SPDX-License-Identifier: MIT
// All of the library that is no template, for programs that are compiled with UPSWEEP_COMPILED. It lies beside the
// headers, so that a copy of the include folder is all of the library either way.
#if !defined(UPSWEEP_COMPILED)
#define UPSWEEP_COMPILED
#endif
#define UPSWEEP_COMPILED_HERE

#include <upsweep/detail/call/calls_inl.hpp>
#include <upsweep/detail/call/segment_call_inl.hpp>
#include <upsweep/detail/call/segment_plan_inl.hpp>
#include <upsweep/detail/group/group_call_inl.hpp>
#include <upsweep/detail/group/part_call_inl.hpp>
#include <upsweep/detail/opencl/device_inl.hpp>
#include <upsweep/detail/plan/launch_plan_inl.hpp>
#include <upsweep/detail/selection/select_calls_inl.hpp>
#include <upsweep/detail/self_check/self_check_inl.hpp>
#include <upsweep/detail/source/work_group_source_inl.hpp>
#include <upsweep/detail/streamed/release_inl.hpp>
#include <upsweep/detail/tuning/tuning_file_inl.hpp>
#include <upsweep/detail/tuning/tuning_inl.hpp>
#include <upsweep/detail/values/cache_inl.hpp>
#include <upsweep/detail/values/options_inl.hpp>

#include <istream>
#include <ostream>
