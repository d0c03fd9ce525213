# SPDX-License-Identifier: MIT
# The target docs writes <build>/docs/html/index.html: a page for every public symbol, from the comments in the headers.

find_package(Doxygen QUIET)
find_program(UPSWEEP_SED sed) # takes names of detail/ out of signatures
mark_as_advanced(UPSWEEP_SED)
if(NOT DOXYGEN_FOUND OR NOT UPSWEEP_SED)
    message(STATUS "upsweep: no Doxygen, so no target docs")
    return()
endif()

set(UPSWEEP_DOCS_DIR "${PROJECT_BINARY_DIR}/docs")
file(MAKE_DIRECTORY "${UPSWEEP_DOCS_DIR}")

# Each example is a page; Doxygen links the functions that it uses to it.
file(GLOB examples CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/examples" "${PROJECT_SOURCE_DIR}/examples/[0-9]*.cpp")
set(example_pages "")
foreach(example IN LISTS examples)
    string(APPEND example_pages "/** @example ${example} */\n")
endforeach()
file(GENERATE OUTPUT "${UPSWEEP_DOCS_DIR}/examples.dox" CONTENT "${example_pages}")

configure_file("${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in" "${UPSWEEP_DOCS_DIR}/Doxyfile" @ONLY)
add_custom_target(docs COMMAND Doxygen::doxygen "${UPSWEEP_DOCS_DIR}/Doxyfile"
    COMMENT "Writing ${UPSWEEP_DOCS_DIR}/html/index.html" VERBATIM)
