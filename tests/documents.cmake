# SPDX-License-Identifier: MIT
# The pages for readers: links lead somewhere, and each C++ block compiles and runs.

find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_Interpreter_FOUND)
    message(STATUS "upsweep: no Python, so no checks of the pages")
    return()
endif()

set(check_documents "${CMAKE_CURRENT_SOURCE_DIR}/check_documents.py")
add_test(NAME documents COMMAND "${Python3_EXECUTABLE}" "${check_documents}")

set(programs_folder "${CMAKE_CURRENT_BINARY_DIR}/documents")
execute_process(COMMAND "${Python3_EXECUTABLE}" "${check_documents}" --programs "${programs_folder}"
    OUTPUT_VARIABLE programs OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pages CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/documents/*.hpp" "${PROJECT_SOURCE_DIR}/*.md"
    "${PROJECT_SOURCE_DIR}/*/README.md" "${PROJECT_SOURCE_DIR}/*/*/README.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages} "${check_documents}")
string(REPLACE "\n" ";" programs "${programs}")
foreach(program IN LISTS programs)
    add_executable(${program} "${programs_folder}/${program}.cpp")
    target_link_libraries(${program} PRIVATE upsweep::upsweep)
    if(NOT program MATCHES "_main_") # a whole program is built as its page says
        target_link_libraries(${program} PRIVATE upsweep::compiled)
    endif()
    target_compile_definitions(${program} PRIVATE # else the bindings print a note
        CL_HPP_TARGET_OPENCL_VERSION=120 CL_HPP_MINIMUM_OPENCL_VERSION=120)
    add_test(NAME ${program} COMMAND ${program})
    # Many calls of one page: the self-checks would take longer than they do.
    set_tests_properties(${program} PROPERTIES ENVIRONMENT "${UPSWEEP_ANY_DEVICE};UPSWEEP_SELF_CHECK=off")
endforeach()
# The README says in a comment what its first program prints.
set_tests_properties(document_readme_main_1 PROPERTIES PASS_REGULAR_EXPRESSION "3 4 11 11 15 16 22 25 sum 25")

# Python blocks, with what they load; not under sanitizers, which Python itself would have to be linked with.
if(UNIX AND NOT APPLE AND NOT CMAKE_CROSSCOMPILING AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    execute_process(COMMAND "${Python3_EXECUTABLE}" "${check_documents}" --python "${programs_folder}"
        OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" names "${names}")
    foreach(name IN LISTS names)
        add_library(${name} MODULE "${programs_folder}/${name}.cpp")
        target_link_libraries(${name} PRIVATE upsweep::upsweep)
        target_compile_options(${name} PRIVATE "${not_optimised}")
        target_compile_definitions(${name} PRIVATE
            CL_HPP_TARGET_OPENCL_VERSION=120 CL_HPP_MINIMUM_OPENCL_VERSION=120)
        set_target_properties(${name} PROPERTIES OUTPUT_NAME scan LIBRARY_OUTPUT_DIRECTORY "${programs_folder}/${name}")
        add_test(NAME ${name} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/documents/python_blocks.py"
            "${programs_folder}/${name}.py" WORKING_DIRECTORY "${programs_folder}/${name}")
        set_tests_properties(${name} PROPERTIES ENVIRONMENT "${UPSWEEP_ANY_DEVICE};UPSWEEP_SELF_CHECK=off")
    endforeach()
endif()

# CMake blocks, against the installed package.
if(UPSWEEP_INSTALL)
    execute_process(COMMAND "${Python3_EXECUTABLE}" "${check_documents}" --projects "${programs_folder}"
        OUTPUT_VARIABLE projects OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" projects "${projects}")
    foreach(project IN LISTS projects)
        add_test(NAME ${project} COMMAND "${CMAKE_CTEST_COMMAND}"
            --build-and-test "${programs_folder}/${project}" "${programs_folder}/${project}/build"
            --build-generator "${CMAKE_GENERATOR}"
            --build-options "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
                "-DCMAKE_PREFIX_PATH=${CMAKE_CURRENT_BINARY_DIR}/consumers/prefix"
            --test-command app)
        set_tests_properties(${project} PROPERTIES FIXTURES_REQUIRED upsweep_installed)
    endforeach()
endif()
