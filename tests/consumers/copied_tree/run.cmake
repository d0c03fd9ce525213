# SPDX-License-Identifier: MIT
# cmake -DCOMPILER=... -DINCLUDE_DIR=... -DSOURCE=... -DWORK_DIR=... -P run.cmake
# No CMake project at all: a compiler, an include folder, the OpenCL library.

file(REMOVE_RECURSE "${WORK_DIR}")
# A copy elsewhere, so that a header that reaches outside its folder is noticed.
file(COPY "${INCLUDE_DIR}/" DESTINATION "${WORK_DIR}/include")

# compile_and_run(<more arguments of the compiler...>)
function(compile_and_run)
    execute_process(
        COMMAND "${COMPILER}" -std=c++17 -I "${WORK_DIR}/include" "${SOURCE}" ${ARGN} -o "${WORK_DIR}/consumer"
            -lOpenCL -pthread
        RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "does not compile: ${result}")
    endif()

    execute_process(COMMAND "${WORK_DIR}/consumer" RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "the program failed: ${result}")
    endif()
endfunction()

compile_and_run()
# The one amalgamated header has no such file.
if(EXISTS "${WORK_DIR}/include/upsweep/compiled.cpp")
    compile_and_run(-DUPSWEEP_COMPILED "${WORK_DIR}/include/upsweep/compiled.cpp")
endif()
