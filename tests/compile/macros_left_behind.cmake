# SPDX-License-Identifier: MIT
# cmake -DCOMPILER=... -DINCLUDE_DIRS="a|b" -DDEFINITIONS="A=1|B=2" -DWORK_DIR=... -P macros_left_behind.cmake
# Compares the macros after <CL/opencl.hpp> with those after our headers. The OpenCL bindings' configuration
# must be the user's alone, and no macro of ours may outlive its header, but for those of the version and three that almost
# every header of detail/ uses (values/inline.hpp).

string(REPLACE "|" ";" include_flags "${INCLUDE_DIRS}")
string(REPLACE "|" ";" definition_flags "${DEFINITIONS}")
list(TRANSFORM include_flags PREPEND -I)
list(TRANSFORM definition_flags PREPEND -D)
file(MAKE_DIRECTORY "${WORK_DIR}")

# Sets `out` to the sorted "#define"s of interest after including the headers that follow.
function(macros_after out)
    list(TRANSFORM ARGN REPLACE "(.+)" "#include <\\1>\n" OUTPUT_VARIABLE includes)
    string(JOIN "" includes ${includes})
    file(WRITE "${WORK_DIR}/probe.cpp" "${includes}")
    execute_process(
        COMMAND "${COMPILER}" -std=c++17 -dM -E ${include_flags} ${definition_flags} "${WORK_DIR}/probe.cpp"
        OUTPUT_VARIABLE text RESULT_VARIABLE result ERROR_VARIABLE errors)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${ARGN} does not compile:\n${errors}")
    endif()
    string(REGEX MATCHALL "#define (CL_HPP_|CL_TARGET_|UPSWEEP)[A-Za-z0-9_]*[^\n;]*" lines "${text}")
    list(FILTER lines EXCLUDE REGEX "^#define UPSWEEP_VERSION")
    list(FILTER lines EXCLUDE REGEX "^#define UPSWEEP_(INLINE|DECLARED|DEFINED|LATER)( |$)")
    list(SORT lines)
    set(${out} "${lines}" PARENT_SCOPE)
endfunction()

macros_after(before CL/opencl.hpp)
macros_after(after upsweep/device_group.hpp upsweep/upsweep.hpp)
if(NOT before)
    message(FATAL_ERROR "found no macro at all; the comparison would say nothing")
endif()

set(added ${after})
list(REMOVE_ITEM added ${before})
set(removed ${before})
if(after)
    list(REMOVE_ITEM removed ${after})
endif()
if(added OR removed)
    list(JOIN added "\n  " added)
    list(JOIN removed "\n  " removed)
    message(FATAL_ERROR "added by upsweep:\n  ${added}\nmissing or changed after upsweep:\n  ${removed}")
endif()
