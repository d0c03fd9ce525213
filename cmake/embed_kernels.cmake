# SPDX-License-Identifier: MIT
# Turns every kernel file below a folder into a constant of one generated header:
#
#     upsweep::detail::kernels::all == {"textbook/blelloch.cl", {"prelude.cl"}, the text of that file}, and so on, in the
#                                       order of the files' paths
#     upsweep::detail::kernels::blelloch == one of these
#
# The second part names the files that this one includes, by their paths below the folder. Their #include lines are empty
# in the text, so that lines keep their numbers. An #include inside an #if, other than the file's guard, stays in the text
# and is not among them.
#
# A constant has the name of its file, so no two files may have the same, whatever folder they lie in.
#
# This happens when CMake configures; a kernel that changes or is added makes the next build configure again.

# Sets `out` to a text as C++ has it in an aggregate: with its length, which compilers are slow to count.
function(upsweep_counted_literal literal text out)
    string(LENGTH "${text}" length)
    set(${out} "{${literal}, ${length}}" PARENT_SCOPE)
endfunction()

# Reads a kernel file. Sets `out_includes` to the paths of the files that it includes, as literals, and `out_text` to its text
# without these directives.
function(upsweep_read_kernel folder path out_includes out_text)
    # Always quoted, never a list: `;`, brackets and backslashes then pass through unchanged.
    file(READ "${folder}/${path}" text)
    # The header names the licence once; lines keep their numbers.
    string(REGEX REPLACE "^// SPDX[^\n]*" "" text "${text}")
    string(LENGTH "${text}" length)
    if(length GREATER 16380)
        message(FATAL_ERROR "upsweep: ${path} has ${length} characters; Microsoft's compiler takes no literal of more than 16380")
    endif()
    set(found "")
    set(depth 0)
    string(REGEX MATCHALL "\n#(if|endif|include \"[^\"\n]+\")" directives "${text}")
    foreach(directive IN LISTS directives)
        if(directive STREQUAL "\n#if")
            math(EXPR depth "${depth} + 1")
        elseif(directive STREQUAL "\n#endif")
            math(EXPR depth "${depth} - 1")
        else()
            string(REGEX MATCH "\"(.+)\"" quoted "${directive}")
            if(NOT EXISTS "${folder}/${CMAKE_MATCH_1}")
                message(FATAL_ERROR "upsweep: ${path} includes ${quoted}, which is not in ${folder}")
            endif()
            if(depth EQUAL 1)
                upsweep_counted_literal("${quoted}" "${CMAKE_MATCH_1}" counted)
                list(APPEND found "${counted}")
                string(REPLACE "${directive}\n" "\n\n" text "${text}")
            endif()
        endif()
    endforeach()
    list(JOIN found ", " found)
    set(${out_includes} "${found}" PARENT_SCOPE)
    set(${out_text} "${text}" PARENT_SCOPE)
endfunction()

function(upsweep_embed_kernels folder header)
    file(GLOB_RECURSE kernel_files CONFIGURE_DEPENDS "${folder}/*.cl")
    list(SORT kernel_files)
    if(NOT kernel_files)
        message(FATAL_ERROR "upsweep: no kernel files in ${folder}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel_files})

    set(text "// SPDX-License-Identifier: MIT\n// Generated from the files below kernels/. Edit those, not this one.\n")
    string(APPEND text "#pragma once\n\n#include <cstddef>\n#include <string_view>\n\nnamespace upsweep::detail {\n\n"
        "/// A text and its length. No std::string_view: compilers take long to make hundreds of these.\n"
        "struct counted_literal {\n    const char* data;\n    std::size_t size;\n"
        "    constexpr operator std::string_view() const { return {data, size}; }\n};\n\n"
        "struct kernel_file {\n    counted_literal path;        ///< in the folder of kernels\n"
        "    counted_literal includes[4]; ///< the same of the files that it needs; empty after the last\n"
        "    counted_literal text;\n};\n\n"
        "} // namespace upsweep::detail\n\nnamespace upsweep::detail::kernels {\n\n"
        "inline constexpr kernel_file all[] = {\n")
    set(names "")
    set(named "")
    foreach(kernel_file IN LISTS kernel_files)
        get_filename_component(name "${kernel_file}" NAME_WE)
        file(RELATIVE_PATH path "${folder}" "${kernel_file}")
        if(name IN_LIST names)
            message(FATAL_ERROR "upsweep: two kernel files are named ${name}.cl; one of them is ${path}")
        endif()
        upsweep_read_kernel("${folder}" "${path}" includes source)
        string(FIND "${source}" ")upsweep\"" terminator)
        if(NOT terminator EQUAL -1)
            message(FATAL_ERROR "upsweep: ${kernel_file} contains the end mark of its own string literal")
        endif()
        upsweep_counted_literal("\"${path}\"" "${path}" counted_path)
        upsweep_counted_literal("R\"upsweep(${source})upsweep\"" "${source}" counted_source)
        string(APPEND text "{${counted_path}, {${includes}}, ${counted_source}},\n")
        list(LENGTH names place)
        string(APPEND named "inline constexpr const kernel_file& ${name} = all[${place}];\n")
        list(APPEND names ${name})
    endforeach()
    string(APPEND text "};\n\n${named}")
    string(APPEND text "\n} // namespace upsweep::detail::kernels\n")

    # A header that did not change keeps its time stamp, so nothing is compiled again for it.
    set(previous "")
    if(EXISTS "${header}")
        file(READ "${header}" previous)
    endif()
    if(NOT "${previous}" STREQUAL "${text}")
        file(WRITE "${header}" "${text}")
    endif()
endfunction()
