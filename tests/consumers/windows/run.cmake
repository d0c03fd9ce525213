# SPDX-License-Identifier: MIT
# cmake -DCOMPILER=x86_64-w64-mingw32-g++ -DDLLTOOL=... -DWINE=... -DOPENCL_INCLUDE_DIR=... -DINCLUDE_DIRS="a|b" -DSOURCES="a|b"
#       -DWORK_DIR=... -P run.cmake
# Compiles library and program for Windows, without a warning, and runs the program in Wine (empty: compiles only). Wine's
# opencl.dll hands all calls to the OpenCL of this system.

file(REMOVE_RECURSE "${WORK_DIR}")
# A folder with these headers only: those beside them are of another system.
file(COPY "${OPENCL_INCLUDE_DIR}/CL" DESTINATION "${WORK_DIR}/opencl" FOLLOW_SYMLINK_CHAIN)

# The functions of OpenCL 1.2, as the linker is to know them.
file(READ "${OPENCL_INCLUDE_DIR}/CL/cl.h" header)
string(REGEX MATCHALL "CL_API_CALL[ \n]+cl[A-Za-z0-9]+\\(" names "${header}")
list(TRANSFORM names REPLACE "CL_API_CALL[ \n]+(cl[A-Za-z0-9]+)." "\\1")
list(REMOVE_DUPLICATES names)
list(JOIN names "\n" names)
file(WRITE "${WORK_DIR}/OpenCL.def" "LIBRARY OpenCL.dll\nEXPORTS\n${names}\n")
execute_process(COMMAND "${DLLTOOL}" -d OpenCL.def -l libOpenCL.a WORKING_DIRECTORY "${WORK_DIR}"
    COMMAND_ERROR_IS_FATAL ANY)

string(REPLACE "|" ";" include_flags "${INCLUDE_DIRS}")
list(TRANSFORM include_flags PREPEND -I)
string(REPLACE "|" ";" sources "${SOURCES}")
execute_process(
    COMMAND "${COMPILER}" -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
        -DUPSWEEP_COMPILED -DCL_HPP_TARGET_OPENCL_VERSION=120 -DCL_HPP_MINIMUM_OPENCL_VERSION=120
        ${include_flags} -isystem "${WORK_DIR}/opencl" ${sources} -o consumer.exe "-L${WORK_DIR}" -lOpenCL -static
    WORKING_DIRECTORY "${WORK_DIR}" COMMAND_ERROR_IS_FATAL ANY)

if(WINE)
    set(ENV{WINEPREFIX} "${WORK_DIR}/wine")
    set(ENV{WINEDEBUG} -all)
    execute_process(COMMAND "${WINE}" consumer.exe WORKING_DIRECTORY "${WORK_DIR}" COMMAND_ERROR_IS_FATAL ANY)
endif()
