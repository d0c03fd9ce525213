# SPDX-License-Identifier: MIT
# What bench/floats/README.md promises of rounding errors, and its tables.

include("${PROJECT_SOURCE_DIR}/bench/floats.cmake")
add_test(NAME floats.bounds COMMAND upsweep_floats 100003)
set_tests_properties(floats.bounds PROPERTIES
    ENVIRONMENT "${UPSWEEP_ANY_DEVICE};UPSWEEP_SELF_CHECK=off;UPSWEEP_CACHE=off" TIMEOUT 300)
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND)
    add_test(NAME floats.tables COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/bench/floats/tables.py")
endif()
