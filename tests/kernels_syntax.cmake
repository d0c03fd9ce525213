# SPDX-License-Identifier: MIT
# Every kernel file alone through clang: valid OpenCL C 1.2, no warnings. With sub-groups also 3.0.

find_program(UPSWEEP_CLANG NAMES clang clang-18 clang-17 clang-16 clang-15 clang-14)
mark_as_advanced(UPSWEEP_CLANG)
if(NOT UPSWEEP_CLANG)
    message(STATUS "upsweep: no clang, so no syntax check of the kernels")
    return()
endif()

include(kernel_macros.cmake)

# A file that another one includes has functions that nobody calls here, none has prototypes, and the interface that
# the tile files share has parameters that some of them do not need.
set(flags -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only
    "-I${PROJECT_SOURCE_DIR}/kernels"
    -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter -Wno-missing-prototypes)

function(upsweep_add_syntax_test prefix variant kernel_file)
    set(macros ${upsweep_kernel_macros_${variant}} ${upsweep_kernel_constants})
    list(TRANSFORM macros PREPEND -D)
    get_filename_component(name "${kernel_file}" NAME_WE)
    add_test(NAME kernels_syntax.${prefix}${variant}.${name}
        COMMAND "${UPSWEEP_CLANG}" ${flags} ${ARGN} ${macros} "${kernel_file}")
endfunction()

# Without -cl-no-stdinc clang declares built-in functions from a table that has none of Intel's.
# What inline assembly and sub-group functions there are is the target's business.
set(flags_of_ptx --target=nvptx64)
set(flags_of_khr --target=spir64 -cl-std=CL3.0)
set(flags_of_intel --target=spir64 -cl-no-stdinc -include "${PROJECT_SOURCE_DIR}/kernels/sub_group/lanes_intel.cl")

file(GLOB_RECURSE kernel_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/*.cl")
foreach(kernel_file IN LISTS kernel_files)
    get_filename_component(name "${kernel_file}" NAME_WE)
    set(backends "")
    if(name IN_LIST upsweep_kernels_of_lanes)
        set(backends ptx khr intel)
    elseif(name MATCHES "^lanes_(ptx|khr|intel)$")
        set(backends ${CMAKE_MATCH_1})
    else()
        foreach(variant IN LISTS upsweep_kernel_variants)
            upsweep_add_syntax_test("" ${variant} "${kernel_file}")
        endforeach()
    endif()
    foreach(backend IN LISTS backends)
        foreach(variant IN LISTS upsweep_kernel_variants_of_${backend})
            upsweep_add_syntax_test(${backend}. ${variant} "${kernel_file}" ${flags_of_${backend}})
        endforeach()
    endforeach()
endforeach()
