// SPDX-License-Identifier: MIT
// Catch2 v2 has no library, so its main() is compiled here; v3 links Catch2::Catch2WithMain.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include "environment.hpp"

// Tests stay away from the user's own cache of binaries; those of the cache say where theirs is.
static const bool cache_is_off = (test::set_environment("UPSWEEP_CACHE", "off"), true);
// A self-check that runs out of time says nothing of the kernels, and a machine may have other work.
static const bool checks_have_time = (test::set_environment("UPSWEEP_SELF_CHECK_SECONDS", "3600"), true);
