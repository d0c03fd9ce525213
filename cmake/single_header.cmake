# SPDX-License-Identifier: MIT
# The target upsweep_amalgamated writes <build>/single_include/upsweep.hpp: the whole library in one file.

set(UPSWEEP_SINGLE_INCLUDE_DIR "${PROJECT_BINARY_DIR}/single_include")

file(GLOB_RECURSE upsweep_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/*.hpp")

add_custom_command(
    OUTPUT "${UPSWEEP_SINGLE_INCLUDE_DIR}/upsweep.hpp"
    COMMAND "${CMAKE_COMMAND}"
        "-DINPUTS=upsweep/upsweep.hpp|upsweep/device_group.hpp"
        "-DINCLUDE_DIRS=${PROJECT_SOURCE_DIR}/include|${UPSWEEP_GENERATED_INCLUDE_DIR}"
        "-DOUTPUT=${UPSWEEP_SINGLE_INCLUDE_DIR}/upsweep.hpp"
        "-DVERSION=${PROJECT_VERSION}"
        "-DLICENSE_FILE=${PROJECT_SOURCE_DIR}/LICENSE"
        -P "${PROJECT_SOURCE_DIR}/cmake/amalgamate.cmake"
    DEPENDS
        ${upsweep_headers}
        "${UPSWEEP_GENERATED_INCLUDE_DIR}/upsweep/detail/source/kernels.hpp"
        "${PROJECT_SOURCE_DIR}/LICENSE"
        "${PROJECT_SOURCE_DIR}/cmake/amalgamate.cmake"
    COMMENT "Writing single_include/upsweep.hpp"
    VERBATIM)

set(upsweep_all "")
if(PROJECT_IS_TOP_LEVEL)
    set(upsweep_all ALL)
endif()
add_custom_target(upsweep_amalgamated ${upsweep_all} DEPENDS "${UPSWEEP_SINGLE_INCLUDE_DIR}/upsweep.hpp")
