# SPDX-License-Identifier: MIT
# cmake -DCONAN=... -DSOURCE_DIR=... -DWORK_DIR=... -DOPTIONS="compiled=True|shared=True" -P run.cmake
# Makes the Conan package and builds and runs a program with it. Conan's own folder is a new one, and no remote is asked:
# OpenCL is the system's.

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
set(ENV{CONAN_HOME} "${WORK_DIR}/home")
string(REPLACE "|" ";" options "system_opencl=True|${OPTIONS}")
list(TRANSFORM options PREPEND "--options=upsweep/*:")

execute_process(COMMAND "${CONAN}" profile detect COMMAND_ERROR_IS_FATAL ANY)
execute_process(
    COMMAND "${CONAN}" create "${SOURCE_DIR}/cmake/packages/conan" --no-remote --build=upsweep/* ${options}
        --settings=compiler.cppstd=17 --settings=build_type=Debug
        --conf=tools.cmake.cmaketoolchain:user_presets= # a file in the sources
        "--conf=tools.cmake.cmake_layout:test_folder=${WORK_DIR}/consumer"
    COMMAND_ERROR_IS_FATAL ANY)
