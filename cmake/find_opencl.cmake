# SPDX-License-Identifier: MIT
# Finds the OpenCL loader, the C headers and the C++ bindings as OpenCL::OpenCL and OpenCL::HeadersCpp.
# Used by our own build and by the installed package, so both look in the same places.
# Sets upsweep_missing to the Khronos repositories that could not be found.

set(upsweep_missing "")

if(NOT TARGET OpenCL::OpenCL)
    # CMake's own module: the loader and <CL/cl.h> in one imported target, whoever packaged them.
    find_package(OpenCL QUIET MODULE)
    if(TARGET OpenCL::OpenCL)
        # Visible to the whole project even when we are a subdirectory or a find_package inside a function.
        set_target_properties(OpenCL::OpenCL PROPERTIES IMPORTED_GLOBAL TRUE)
    else()
        if(NOT OpenCL_INCLUDE_DIR)
            list(APPEND upsweep_missing OpenCL-Headers)
        endif()
        list(APPEND upsweep_missing OpenCL-ICD-Loader)
    endif()
endif()

if(NOT TARGET OpenCL::HeadersCpp)
    # Searched as a file: the package's own config file would insist on a config file for the C headers too.
    find_path(UPSWEEP_OPENCL_HPP_DIR CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIR} ENV OPENCL_HPP_DIR
        DOC "Folder that contains CL/opencl.hpp")
    mark_as_advanced(UPSWEEP_OPENCL_HPP_DIR)
    if(UPSWEEP_OPENCL_HPP_DIR)
        add_library(OpenCL::HeadersCpp INTERFACE IMPORTED GLOBAL)
        set_target_properties(OpenCL::HeadersCpp PROPERTIES
            INTERFACE_INCLUDE_DIRECTORIES "${UPSWEEP_OPENCL_HPP_DIR}")
    else()
        list(APPEND upsweep_missing OpenCL-CLHPP)
    endif()
endif()
