# SPDX-License-Identifier: MIT
# cmake -DSOURCE_DIR=... -DBUILD_DIR=... -DPREFIX=... -DCOMPILER=... -DGENERATOR=... -P install.cmake
# Installs the package with a shared library of upsweep::compiled. Neither optimised nor for a
# debugger: both take longest.

file(REMOVE_RECURSE "${PREFIX}")
foreach(command
        "-S|${SOURCE_DIR}|-B|${BUILD_DIR}|-G|${GENERATOR}|-DCMAKE_CXX_COMPILER=${COMPILER}|-DCMAKE_BUILD_TYPE=None|-DBUILD_SHARED_LIBS=ON|-DUPSWEEP_INSTALL_COMPILED=ON|-DUPSWEEP_BUILD_TESTS=OFF|-DUPSWEEP_BUILD_EXAMPLES=OFF|-DUPSWEEP_BUILD_BENCHMARKS=OFF"
        "--build|${BUILD_DIR}"
        "--install|${BUILD_DIR}|--prefix|${PREFIX}")
    string(REPLACE "|" ";" command "${command}")
    execute_process(COMMAND "${CMAKE_COMMAND}" ${command} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "failed: cmake ${command}")
    endif()
endforeach()
