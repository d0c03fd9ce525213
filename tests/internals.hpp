// SPDX-License-Identifier: MIT
// What tests call of the library's own functions. With upsweep::compiled the public headers do not include it.
#pragma once

#include <upsweep/detail/call/checked_call.hpp>
#include <upsweep/detail/call/streamed_call.hpp>
#include <upsweep/detail/group/fold.hpp>
#include <upsweep/detail/opencl/create_queue.hpp>
#include <upsweep/detail/opencl/event_keeper.hpp>
#include <upsweep/detail/opencl/read_limits.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/program/program.hpp>
#include <upsweep/detail/run/mark_ends.hpp>
#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/detail/run/workspace.hpp>
#include <upsweep/detail/selection/marks_check.hpp>
#include <upsweep/detail/selection/select_text.hpp>
#include <upsweep/detail/source/segment_text.hpp>
#include <upsweep/detail/source/source.hpp>
#include <upsweep/detail/source/store_text.hpp>
#include <upsweep/detail/source/transform_text.hpp>
#include <upsweep/detail/streamed/in_host_memory.hpp>
#include <upsweep/detail/streamed/pipeline.hpp>
#include <upsweep/detail/streamed/staging.hpp>
#include <upsweep/detail/tuning/kernel_constants.hpp>
#include <upsweep/detail/tuning/loaded_tuning.hpp>
#include <upsweep/detail/tuning/powers_of_two.hpp>
#include <upsweep/detail/values/environment.hpp>
