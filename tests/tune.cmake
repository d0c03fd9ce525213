# SPDX-License-Identifier: MIT
# A search of a few seconds by upsweep_tune, whose file is loaded again, by the program itself and by others.

include("${PROJECT_SOURCE_DIR}/bench/tune.cmake")
if(NOT UPSWEEP_BUILD_BENCHMARKS)
    target_compile_options(upsweep_tune PRIVATE "${not_optimised}") # no time is compared here
endif()
add_test(NAME tune.short_search COMMAND "${CMAKE_COMMAND}"
    "-DTUNE=$<TARGET_FILE:upsweep_tune>" "-DFUZZ=$<TARGET_FILE:upsweep_fuzz>"
    "-DFILE=${CMAKE_CURRENT_BINARY_DIR}/tuning.txt" "-DSAMPLE=${PROJECT_SOURCE_DIR}/bench/results/pocl_tuning.txt"
    -P "${CMAKE_CURRENT_SOURCE_DIR}/tune_smoke.cmake")
set_tests_properties(tune.short_search PROPERTIES ENVIRONMENT "${UPSWEEP_ANY_DEVICE}" TIMEOUT 900)
