# SPDX-License-Identifier: MIT
# cmake -DVCPKG_ROOT=... -DSOURCE_DIR=... -DWORK_DIR=... -DPART=headers|compiled -P run.cmake
# Installs the port into a folder of its own, and builds and runs a program with it. OpenCL is the system's.

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/cache")
set(ENV{VCPKG_DISABLE_METRICS} 1)
set(ENV{VCPKG_FORCE_SYSTEM_BINARIES} 1)
set(ENV{VCPKG_DEFAULT_BINARY_CACHE} "${WORK_DIR}/cache")

set(port upsweep)
set(consumer "${SOURCE_DIR}/tests/consumers/find_package")
if(PART STREQUAL "compiled")
    set(port "upsweep[compiled]")
    set(consumer "${SOURCE_DIR}/tests/consumers/compiled")
endif()
execute_process(
    COMMAND "${VCPKG_ROOT}/vcpkg" install "${port}" "--vcpkg-root=${VCPKG_ROOT}"
        "--overlay-ports=${SOURCE_DIR}/cmake/packages/vcpkg" "--overlay-ports=${CMAKE_CURRENT_LIST_DIR}"
        "--x-install-root=${WORK_DIR}/installed" "--x-buildtrees-root=${WORK_DIR}/trees"
        "--x-packages-root=${WORK_DIR}/packages" --binarysource=clear
    WORKING_DIRECTORY "${WORK_DIR}" OUTPUT_VARIABLE output RESULT_VARIABLE result ECHO_OUTPUT_VARIABLE)
if(NOT result EQUAL 0 OR output MATCHES "warning:")
    message(FATAL_ERROR "vcpkg gave ${result}, or warned of the port")
endif()

file(GLOB triplet "${WORK_DIR}/installed/*/share/upsweep")
get_filename_component(triplet "${triplet}/../.." ABSOLUTE)
foreach(step
        "-S|${consumer}|-B|${WORK_DIR}/consumer|-DCMAKE_BUILD_TYPE=Debug|-DCMAKE_PREFIX_PATH=${triplet}"
        "--build|${WORK_DIR}/consumer")
    string(REPLACE "|" ";" step "${step}")
    execute_process(COMMAND "${CMAKE_COMMAND}" ${step} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND "${WORK_DIR}/consumer/consumer" COMMAND_ERROR_IS_FATAL ANY)
