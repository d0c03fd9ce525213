// SPDX-License-Identifier: MIT
#pragma once

// The C++ bindings of OpenCL, in the version that the user's CL_HPP_* macros choose.
//
// A user's CL_TARGET_OPENCL_VERSION makes the C headers leave out what is newer. The bindings want all of their own
// version, CL_HPP_TARGET_OPENCL_VERSION, by default 3.0. So the C headers are read for that, and the macro is put back.

#if defined(CL_HPP_TARGET_OPENCL_VERSION) && CL_HPP_TARGET_OPENCL_VERSION >= 100 && CL_HPP_TARGET_OPENCL_VERSION < 120
#error "upsweep: it calls functions of OpenCL 1.2. Define CL_HPP_TARGET_OPENCL_VERSION as 120 or more."
// No such file: it ends the compilation.
#include <upsweep: see the error above>
#endif

#if defined(CL_TARGET_OPENCL_VERSION) && !defined(CL_HPP_)
#define UPSWEEP_CL_TARGET_IS_SET
#endif

#if defined(UPSWEEP_CL_TARGET_IS_SET) && defined(__CL_VERSION_H) && !defined(CL_HPP_TARGET_OPENCL_VERSION) &&          \
    CL_TARGET_OPENCL_VERSION < 300
#error                                                                                                                 \
    "upsweep: CL/cl.h was included for an older OpenCL than CL/opencl.hpp is for. Include upsweep first, or define \
CL_HPP_TARGET_OPENCL_VERSION and CL_HPP_MINIMUM_OPENCL_VERSION to the value of CL_TARGET_OPENCL_VERSION."
// No such file: it ends the compilation, since hundreds of errors in the bindings would follow.
#include <upsweep: see the error above>
#endif

#if defined(UPSWEEP_CL_TARGET_IS_SET) && !defined(__CL_VERSION_H)
// As the C headers do for that version: what it has is not deprecated.
#if CL_TARGET_OPENCL_VERSION <= 100 && !defined(CL_USE_DEPRECATED_OPENCL_1_0_APIS)
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#endif
#if CL_TARGET_OPENCL_VERSION <= 110 && !defined(CL_USE_DEPRECATED_OPENCL_1_1_APIS)
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#endif
#if CL_TARGET_OPENCL_VERSION <= 120 && !defined(CL_USE_DEPRECATED_OPENCL_1_2_APIS)
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#if CL_TARGET_OPENCL_VERSION <= 200 && !defined(CL_USE_DEPRECATED_OPENCL_2_0_APIS)
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#endif
#if CL_TARGET_OPENCL_VERSION <= 210 && !defined(CL_USE_DEPRECATED_OPENCL_2_1_APIS)
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#endif
#if CL_TARGET_OPENCL_VERSION <= 220 && !defined(CL_USE_DEPRECATED_OPENCL_2_2_APIS)
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#endif
#pragma push_macro("CL_TARGET_OPENCL_VERSION")
#undef CL_TARGET_OPENCL_VERSION
#define UPSWEEP_CL_TARGET_IS_PUSHED
#endif

#if __has_include(<CL/opencl.hpp>)
#include <CL/opencl.hpp>
#else
#include <CL/cl2.hpp>
#endif

#if defined(UPSWEEP_CL_TARGET_IS_PUSHED)
#undef CL_TARGET_OPENCL_VERSION
#pragma pop_macro("CL_TARGET_OPENCL_VERSION")
#undef UPSWEEP_CL_TARGET_IS_PUSHED
#endif
#undef UPSWEEP_CL_TARGET_IS_SET
