# SPDX-License-Identifier: MIT
# What Python scripts do: targets that run the tests in other ways than ctest does, on every OpenCL implementation and
# counting lines; and checks of the sources that need no device.
#   cmake --workflow --preset matrix        cmake --workflow --preset coverage

find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_Interpreter_FOUND)
    message(STATUS "upsweep: no Python, so no targets matrix and coverage, and no checks of the sources")
    return()
endif()

# The page of promises names files and tests; none of them may have gone.
add_test(NAME guarantees COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/check_guarantees.py")

# Each source file names its licence.
add_test(NAME licences COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/check_licences.py")

# Recipes of packages have the version of the headers.
add_test(NAME versions COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/check_versions.py")

# Headers and kernel files include one way only, and each folder holds what belongs there.
add_test(NAME includes COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/check_includes.py")

# Kernels reach the caller's arrays through the hooks only.
add_test(NAME hooks COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/check_hooks.py")

# What the mutations take away must still be there to be taken away.
add_test(NAME mutations_check COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/mutations.py" --check)

# The matrix counts what is skipped as skipped, whichever Catch2 there is.
add_test(NAME matrix_judges COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/check_matrix.py")

# Every public symbol has its text in the API pages.
if(UPSWEEP_DOCS_DIR)
    add_test(NAME api_pages COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/check_api_pages.py"
        "${UPSWEEP_DOCS_DIR}" --doxygen $<TARGET_FILE:Doxygen::doxygen>)
endif()

# Not part of `all`; what it takes beyond this, such as other drivers, the script's own options say.
set(matrix_targets upsweep_tests)
foreach(target IN ITEMS upsweep_faults upsweep_faults_exceptions)
    if(TARGET ${target})
        list(APPEND matrix_targets ${target})
    endif()
endforeach()
list(TRANSFORM matrix_targets REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE matrix_programs)
add_custom_target(matrix
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/matrix.py" ${matrix_programs}
        --json "${PROJECT_BINARY_DIR}/matrix.json" --markdown "${PROJECT_BINARY_DIR}/matrix.md"
    USES_TERMINAL VERBATIM)
add_dependencies(matrix ${matrix_targets})

option(UPSWEEP_COVERAGE "Compile the tests so that they count the lines they execute (GCC only)" OFF)
if(NOT UPSWEEP_COVERAGE)
    return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR "UPSWEEP_COVERAGE needs GCC")
endif()

# Not optimised, so that every line is code of its own; inline functions that nobody calls are kept, and so counted;
# counters are atomic, because some tests have threads. The object files of other targets must not be counted.
foreach(target upsweep_tests upsweep_tests_library)
    target_compile_options(${target} PRIVATE
        --coverage -O0 -g1 -fprofile-abs-path -fprofile-update=atomic -fkeep-inline-functions)
endforeach()
# Of what is kept of other headers, some calls what no library has.
target_link_options(upsweep_tests PRIVATE --coverage -Wl,--gc-sections)

string(REGEX MATCH "^[0-9]+" gcc_major "${CMAKE_CXX_COMPILER_VERSION}")
get_filename_component(compiler_folder "${CMAKE_CXX_COMPILER}" DIRECTORY)
find_program(UPSWEEP_GCOV NAMES gcov-${gcc_major} gcov HINTS "${compiler_folder}" REQUIRED)
mark_as_advanced(UPSWEEP_GCOV)
set(coverage_command "${CMAKE_COMMAND}" -E env ${UPSWEEP_ANY_DEVICE}
    "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/coverage.py" $<TARGET_FILE:upsweep_tests>
    --objects "${CMAKE_CURRENT_BINARY_DIR}" --gcov "${UPSWEEP_GCOV}" --markdown "${PROJECT_BINARY_DIR}/coverage.md")
add_custom_target(coverage COMMAND ${coverage_command} USES_TERMINAL VERBATIM)
add_dependencies(coverage upsweep_tests)
