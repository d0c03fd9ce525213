# SPDX-License-Identifier: MIT
# The host code under adversity: OpenCL calls that fail, and handles counted. The programs define OpenCL's functions
# themselves and open the library for the real ones.

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
endif()

file(GLOB fault_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/faults/*.cpp")
list(REMOVE_ITEM fault_sources "${CMAKE_CURRENT_SOURCE_DIR}/faults/exit.cpp")
set(interposed CL_TARGET_OPENCL_VERSION=120 "UPSWEEP_OPENCL_LIBRARY=\"$<TARGET_FILE:OpenCL::OpenCL>\"")

# upsweep_add_fault_tests(<name> <definitions...>)
function(upsweep_add_fault_tests name)
    upsweep_add_tests_library(${name}_library)
    target_compile_definitions(${name}_library PRIVATE ${interposed} ${ARGN})
    add_executable(${name} $<TARGET_OBJECTS:upsweep_tests_main> ${fault_sources})
    target_link_libraries(${name} PRIVATE ${name}_library ${CMAKE_DL_LIBS})
    upsweep_join_sources(${name} ${fault_sources})
    target_compile_definitions(${name} PRIVATE ${interposed} ${ARGN})
    target_compile_options(${name} PRIVATE "$<$<CXX_COMPILER_ID:GNU,Clang>:-O0>")
    # Their macros must come before all headers.
    set_source_files_properties(faults/faults.cpp faults/interposed.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    target_precompile_headers(${name} PRIVATE ${common_headers})
    foreach(tag faults recovery calls self_check)
        add_test(NAME ${name}.${tag} COMMAND ${name} "[${tag}]" ${no_tests_is_failure})
        set_tests_properties(${name}.${tag} PROPERTIES ENVIRONMENT "${UPSWEEP_ANY_DEVICE_PLAIN}" TIMEOUT 1800 COST 200 LABELS faults)
    endforeach()
endfunction()

# upsweep_add_exit_test(<name> <options...>): compiled and linked with these options
function(upsweep_add_exit_test name)
    add_executable(${name} faults/exit.cpp faults/faults.cpp faults/interposed.cpp)
    target_link_libraries(${name} PRIVATE upsweep_developer ${CMAKE_DL_LIBS})
    target_compile_definitions(${name} PRIVATE ${interposed})
    target_compile_options(${name} PRIVATE ${ARGN} -O0)
    target_link_options(${name} PRIVATE ${ARGN})
    foreach(how kept released)
        add_test(NAME ${name}.${how} COMMAND ${name} ${how})
        set_tests_properties(${name}.${how} PROPERTIES TIMEOUT 300 LABELS faults
            ENVIRONMENT "${UPSWEEP_ANY_DEVICE_PLAIN};ASAN_OPTIONS=detect_leaks=0")
    endforeach()
endfunction()

upsweep_add_fault_tests(upsweep_faults)
# The bindings then throw on their own account, and in places where nothing may be thrown.
upsweep_add_fault_tests(upsweep_faults_exceptions CL_HPP_ENABLE_EXCEPTIONS)
# One after the other: PoCL then has the programs of the second in its cache.
foreach(tag faults recovery calls self_check)
    set_tests_properties(upsweep_faults_exceptions.${tag} PROPERTIES DEPENDS upsweep_faults.${tag})
endforeach()

upsweep_add_exit_test(upsweep_exit)
if(TARGET upsweep_tests_sanitized)
    upsweep_add_exit_test(upsweep_exit_sanitized ${sanitizers} ${quiet})
endif()

# A call that the interposer does not know would go uncounted: none may be left for the linker to find elsewhere.
if(CMAKE_NM)
    add_test(NAME upsweep_faults.sees_every_call COMMAND "${CMAKE_COMMAND}" "-DNM=${CMAKE_NM}"
        "-DPROGRAM=$<TARGET_FILE:upsweep_faults>" -P "${CMAKE_CURRENT_SOURCE_DIR}/faults/undefined_calls.cmake")
endif()
