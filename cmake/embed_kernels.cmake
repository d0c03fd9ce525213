# Turns every kernel file below a folder into a constant of one generated header:
#
#     upsweep::detail::kernels::blelloch == {"textbook/blelloch.cl", the exact text of that file}
#     upsweep::detail::kernels::all == these constants, in the order of the files' paths
#
# A constant has the name of its file, so no two files may have the same, whatever folder they lie in.
#
# The header also has the project's version, as upsweep::detail::library_version.
#
# This happens when CMake configures; a kernel that changes or is added makes the next build configure again.

function(upsweep_embed_kernels folder header)
    file(GLOB_RECURSE kernel_files CONFIGURE_DEPENDS "${folder}/*.cl")
    list(SORT kernel_files)
    if(NOT kernel_files)
        message(FATAL_ERROR "upsweep: no kernel files in ${folder}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel_files})

    set(text "// Generated from the files below kernels/. Edit those, not this one.\n")
    string(APPEND text "#pragma once\n\n#include <array>\n#include <string_view>\n\nnamespace upsweep::detail {\n\n"
        "struct kernel_file {\n    std::string_view path; ///< in the folder of kernels\n"
        "    std::string_view text;\n};\n\n"
        "} // namespace upsweep::detail\n\nnamespace upsweep::detail::kernels {\n")
    set(names "")
    foreach(kernel_file IN LISTS kernel_files)
        get_filename_component(name "${kernel_file}" NAME_WE)
        file(RELATIVE_PATH path "${folder}" "${kernel_file}")
        if(name IN_LIST names)
            message(FATAL_ERROR "upsweep: two kernel files are named ${name}.cl; one of them is ${path}")
        endif()
        # Always quoted, never a list: `;`, brackets and backslashes then pass through unchanged.
        file(READ "${kernel_file}" source)
        string(FIND "${source}" ")upsweep\"" terminator)
        if(NOT terminator EQUAL -1)
            message(FATAL_ERROR "upsweep: ${kernel_file} contains the end mark of its own string literal")
        endif()
        string(APPEND text
            "\ninline constexpr kernel_file ${name}{\"${path}\", R\"upsweep(${source})upsweep\"};\n")
        list(APPEND names ${name})
    endforeach()
    list(LENGTH kernel_files count)
    list(JOIN names ", " names)
    string(APPEND text "\ninline constexpr std::array<kernel_file, ${count}> all{${names}};\n")
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
