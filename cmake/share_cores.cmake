# SPDX-License-Identifier: MIT
# How many tests ctest runs at once. A preset can only say a fixed number, and its `jobs` is 8; each test that keeps a
# core busy therefore takes so many of the 8 that about as many run as there are cores.

set(UPSWEEP_TEST_CORES "" CACHE STRING "Number of tests to run at once; empty: as many as there are cores")
mark_as_advanced(UPSWEEP_TEST_CORES)
set(upsweep_test_jobs 8)
set(cores "${UPSWEEP_TEST_CORES}")
if(NOT cores)
    # nproc knows about taskset and containers, which CMake does not.
    execute_process(COMMAND nproc OUTPUT_VARIABLE cores OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed EQUAL 0)
        cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    endif()
endif()
math(EXPR upsweep_test_share "(${upsweep_test_jobs} + ${cores} - 1) / ${cores}")

# Gives every test of the current folder its share.
function(upsweep_share_cores)
    get_property(names DIRECTORY PROPERTY TESTS)
    if(names)
        set_tests_properties(${names} PROPERTIES PROCESSORS ${upsweep_test_share})
    endif()
endfunction()
