# Every kernel file alone through clang: valid OpenCL C 1.2, no warnings.

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
    -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter -Wno-missing-prototypes)

function(upsweep_add_syntax_test variant kernel_file)
    list(TRANSFORM upsweep_kernel_macros_${variant} PREPEND -D OUTPUT_VARIABLE macros)
    get_filename_component(name "${kernel_file}" NAME_WE)
    add_test(NAME kernels_syntax.${variant}.${name}
        COMMAND "${UPSWEEP_CLANG}" ${flags} ${ARGN} ${macros} "${kernel_file}")
endfunction()

file(GLOB kernel_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/*.cl")
foreach(kernel_file IN LISTS kernel_files)
    get_filename_component(name "${kernel_file}" NAME_WE)
    if(name IN_LIST upsweep_kernels_of_lanes)
        # What inline assembly may contain is the target's business.
        foreach(variant IN LISTS upsweep_kernel_variants_of_lanes)
            upsweep_add_syntax_test(${variant} "${kernel_file}" --target=nvptx64)
        endforeach()
    else()
        foreach(variant IN LISTS upsweep_kernel_variants)
            upsweep_add_syntax_test(${variant} "${kernel_file}")
        endforeach()
    endif()
endforeach()
