# Turns every kernel file of a folder into a string constant of one generated header:
#
#     upsweep::detail::kernels::tile_blelloch == the exact text of tile_blelloch.cl
#     upsweep::detail::kernels::all == these texts, in the order of the files' names
#
# The header also has the project's version, as upsweep::detail::library_version.
#
# This happens when CMake configures; a kernel that changes or is added makes the next build configure again.

function(upsweep_embed_kernels folder header)
    file(GLOB kernel_files CONFIGURE_DEPENDS "${folder}/*.cl")
    list(SORT kernel_files)
    if(NOT kernel_files)
        message(FATAL_ERROR "upsweep: no kernel files in ${folder}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel_files})

    set(text "// Generated from kernels/*.cl. Edit those files, not this one.\n")
    string(APPEND text "#pragma once\n\n#include <array>\n#include <string_view>\n\nnamespace upsweep::detail::kernels {\n")
    set(names "")
    set(separator "")
    foreach(kernel_file IN LISTS kernel_files)
        get_filename_component(name "${kernel_file}" NAME_WE)
        # Always quoted, never a list: `;`, brackets and backslashes then pass through unchanged.
        file(READ "${kernel_file}" source)
        string(FIND "${source}" ")upsweep\"" terminator)
        if(NOT terminator EQUAL -1)
            message(FATAL_ERROR "upsweep: ${kernel_file} contains the end mark of its own string literal")
        endif()
        string(APPEND text "\ninline constexpr std::string_view ${name} = R\"upsweep(${source})upsweep\";\n")
        string(APPEND names "${separator}${name}")
        set(separator ", ")
    endforeach()
    list(LENGTH kernel_files count)
    string(APPEND text "\ninline constexpr std::array<std::string_view, ${count}> all{${names}};\n")
    string(APPEND text "\n} // namespace upsweep::detail::kernels\n")
    string(APPEND text "\nnamespace upsweep::detail {\n\n"
        "inline constexpr std::string_view library_version = \"${PROJECT_VERSION}\";\n"
        "\n} // namespace upsweep::detail\n")

    # A header that did not change keeps its time stamp, so nothing is compiled again for it.
    set(previous "")
    if(EXISTS "${header}")
        file(READ "${header}" previous)
    endif()
    if(NOT "${previous}" STREQUAL "${text}")
        file(WRITE "${header}" "${text}")
    endif()
endfunction()
