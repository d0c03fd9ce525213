// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// The version of these headers. CMake and the recipes of packages read it here, and it is nowhere else.

/// The first number of the version.
#define UPSWEEP_VERSION_MAJOR 0
/// The second number of the version.
#define UPSWEEP_VERSION_MINOR 2
/// The third number of the version.
#define UPSWEEP_VERSION_PATCH 0

/// The version as a number that grows with it, to compare with while compiling: 0.2.0 is 200, 1.2.3 is 10203.
#define UPSWEEP_VERSION (UPSWEEP_VERSION_MAJOR * 10000 + UPSWEEP_VERSION_MINOR * 100 + UPSWEEP_VERSION_PATCH)

/// The version as a string literal, such as "0.2.0".
#define UPSWEEP_VERSION_STRING                                                                                         \
    UPSWEEP_VERSION_QUOTED(UPSWEEP_VERSION_MAJOR)                                                                      \
    "." UPSWEEP_VERSION_QUOTED(UPSWEEP_VERSION_MINOR) "." UPSWEEP_VERSION_QUOTED(UPSWEEP_VERSION_PATCH)

/// The inline namespace of the functions that the library of `upsweep::compiled` exports, such as v0_2. Headers then do
/// not link with the library of another version, and two versions in one process keep their caches and settings apart.
/// Types are outside of it, so that error messages and forward declarations have no version in them.
#if defined(UPSWEEP_COMPILED) && defined(__GNUC__) && !defined(_WIN32)
// All else in a shared library of upsweep is hidden.
#define UPSWEEP_VERSION_NAMESPACE                                                                                      \
    UPSWEEP_VERSION_JOINED(UPSWEEP_VERSION_MAJOR, UPSWEEP_VERSION_MINOR) __attribute__((visibility("default")))
#else
#define UPSWEEP_VERSION_NAMESPACE UPSWEEP_VERSION_JOINED(UPSWEEP_VERSION_MAJOR, UPSWEEP_VERSION_MINOR)
#endif

/// @cond
// Macros that are arguments are replaced on the way from one of each pair to the other.
#define UPSWEEP_VERSION_QUOTED(number) UPSWEEP_VERSION_QUOTED_AS_IT_IS(number)
#define UPSWEEP_VERSION_QUOTED_AS_IT_IS(number) #number
#define UPSWEEP_VERSION_JOINED(major, minor) UPSWEEP_VERSION_JOINED_AS_THEY_ARE(major, minor)
#define UPSWEEP_VERSION_JOINED_AS_THEY_ARE(major, minor) v##major##_##minor
/// @endcond
