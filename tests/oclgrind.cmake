# SPDX-License-Identifier: MIT
# The tests tagged [oclgrind] in Oclgrind's simulator, which sees data races, uninitialised and out-of-bounds accesses
# and diverged barriers. Any line it writes is a failure.

find_program(UPSWEEP_OCLGRIND oclgrind)
mark_as_advanced(UPSWEEP_OCLGRIND)
if(NOT UPSWEEP_OCLGRIND)
    message(STATUS "upsweep: no oclgrind, so no race detection in the tests")
    return()
endif()

# Self-checks are milliseconds of a device's work and hours of a simulator's.
set(oclgrind_environment "UPSWEEP_DEVICE=Oclgrind" "UPSWEEP_SELF_CHECK=off")

# upsweep_add_oclgrind_test(<name> <target> [arguments...])
function(upsweep_add_oclgrind_test name target)
    string(REPLACE ";" "|" arguments "${ARGN}")
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}"
        "-DOCLGRIND=${UPSWEEP_OCLGRIND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DARGUMENTS=${arguments}"
        "-DLOG=${CMAKE_CURRENT_BINARY_DIR}/${name}.log"
        -P "${CMAKE_CURRENT_SOURCE_DIR}/run_oclgrind.cmake")
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${oclgrind_environment}" TIMEOUT 1800 COST 100)
endfunction()

# Two processes: Oclgrind 21 takes what it knew of a released buffer for the next one at its address, and found elements of
# tests that follow those of selections uninitialised.
upsweep_add_oclgrind_test(oclgrind upsweep_tests "[oclgrind]~selections*" ${no_tests_is_failure})
upsweep_add_oclgrind_test(oclgrind_selections upsweep_tests "selections touch no memory*" ${no_tests_is_failure})

# The fuzzer, for races and accesses out of bounds. Not for uninitialised memory: there Oclgrind 21 stops at copies of
# larger structs (llvm.memmove), does not see what clEnqueueFillBuffer writes, and mixes up buffers, as above.
add_test(NAME oclgrind_fuzz COMMAND "${CMAKE_COMMAND}"
    "-DOCLGRIND=${UPSWEEP_OCLGRIND}" "-DPROGRAM=$<TARGET_FILE:upsweep_fuzz>"
    "-DARGUMENTS=--seed|1|--cases|2400|--largest|300" "-DCHECKS=--data-races"
    "-DLOG=${CMAKE_CURRENT_BINARY_DIR}/oclgrind_fuzz.log" -P "${CMAKE_CURRENT_SOURCE_DIR}/run_oclgrind.cmake")
set_tests_properties(oclgrind_fuzz PROPERTIES ENVIRONMENT "${oclgrind_environment}" TIMEOUT 1800)

# The canonical order's bits. Not for uninitialised memory, for the same reason.
add_test(NAME oclgrind_hash COMMAND "${CMAKE_COMMAND}"
    "-DOCLGRIND=${UPSWEEP_OCLGRIND}" "-DPROGRAM=$<TARGET_FILE:upsweep_tests>"
    "-DARGUMENTS=[simulated]" "-DCHECKS=--data-races"
    "-DLOG=${CMAKE_CURRENT_BINARY_DIR}/oclgrind_hash.log" -P "${CMAKE_CURRENT_SOURCE_DIR}/run_oclgrind.cmake")
set_tests_properties(oclgrind_hash PROPERTIES ENVIRONMENT "${oclgrind_environment}" TIMEOUT 1800)

# The alarm is tested too: kernels with one deliberate mistake each must make the entry fail.
add_executable(oclgrind_alarm oclgrind_alarm.cpp)
target_link_libraries(oclgrind_alarm PRIVATE OpenCL::OpenCL upsweep_warnings)
upsweep_add_oclgrind_test(oclgrind_alarm.silent_on_clean oclgrind_alarm clean)
foreach(mistake race uninitialised out_of_bounds divergence)
    upsweep_add_oclgrind_test(oclgrind_alarm.${mistake} oclgrind_alarm ${mistake})
    # Its own text, not just any failure: a program that could not start would fail as well.
    set_tests_properties(oclgrind_alarm.${mistake} PROPERTIES
        PASS_REGULAR_EXPRESSION "Oclgrind found mistakes in the kernels")
endforeach()
