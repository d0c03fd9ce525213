# SPDX-License-Identifier: MIT
# upsweep_floats, which measures rounding errors. Tests want it as well, without Boost.Compute, which takes long to
# compile.

if(TARGET upsweep_floats)
    return()
endif()
add_executable(upsweep_floats "${CMAKE_CURRENT_LIST_DIR}/floats/floats.cpp")
target_link_libraries(upsweep_floats PRIVATE upsweep_developer upsweep::compiled)
if(UPSWEEP_BUILD_BENCHMARKS AND TARGET upsweep_boost_compute)
    target_link_libraries(upsweep_floats PRIVATE upsweep_boost_compute)
    target_compile_definitions(upsweep_floats PRIVATE UPSWEEP_FLOATS_BOOST_COMPUTE)
endif()
