# SPDX-License-Identifier: MIT
# cmake -DPKG_CONFIG=... -DCOMPILER=... -DPREFIX=... -DPACKAGE=upsweep -DSOURCES="a|b" -DWORK_DIR=... -P run.cmake
# What pkg-config says is all that the compiler is told. The installed tree lies in another place than it was made for.

file(REMOVE_RECURSE "${WORK_DIR}")
file(COPY "${PREFIX}/" DESTINATION "${WORK_DIR}/moved")
file(GLOB_RECURSE files "${WORK_DIR}/moved/*/${PACKAGE}.pc")
list(LENGTH files count)
if(NOT count EQUAL 1)
    message(FATAL_ERROR "${count} files ${PACKAGE}.pc in ${PREFIX}")
endif()
get_filename_component(folder "${files}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} "${folder}")

# ask(<variable for the answer> <arguments of pkg-config...>)
function(ask answer)
    execute_process(COMMAND "${PKG_CONFIG}" ${ARGN} "${PACKAGE}"
        OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(text UNIX_COMMAND "${text}")
    set(${answer} "${text}" PARENT_SCOPE)
endfunction()

ask(version --modversion)
ask(flags --cflags)
ask(libraries --libs)
message(STATUS "version ${version}, flags ${flags}, libraries ${libraries}")
string(REPLACE "|" ";" sources "${SOURCES}")
execute_process(COMMAND "${COMPILER}" -std=c++17 ${flags} "-DPACKAGE_VERSION=\"${version}\"" ${sources}
    -o "${WORK_DIR}/consumer" ${libraries} COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE libraries "${WORK_DIR}/moved/*/libupsweep_compiled.so")
if(libraries)
    get_filename_component(folder "${libraries}" DIRECTORY)
    set(ENV{LD_LIBRARY_PATH} "${folder}")
endif()
execute_process(COMMAND "${WORK_DIR}/consumer" COMMAND_ERROR_IS_FATAL ANY)
