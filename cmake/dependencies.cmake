# SPDX-License-Identifier: MIT
# What the library itself needs: taken from the system where it is there, from Khronos at a pinned tag where not.

include("${CMAKE_CURRENT_LIST_DIR}/find_opencl.cmake")

if(upsweep_missing AND NOT UPSWEEP_FETCH_DEPENDENCIES)
    message(FATAL_ERROR "upsweep: not found: ${upsweep_missing}. "
        "Install them (Debian, Ubuntu: sh cmake/bootstrap.sh) or set UPSWEEP_FETCH_DEPENDENCIES=ON.")
endif()

if(upsweep_missing)
    include(FetchContent)
    message(STATUS "upsweep: fetching ${upsweep_missing}")
    set(upsweep_khronos_tag v2024.10.24)

    # The loader compiles against the headers' target. When the system has the headers but not the loader, the pair is
    # fetched together, so that the two cannot disagree.
    if("OpenCL-ICD-Loader" IN_LIST upsweep_missing AND NOT "OpenCL-Headers" IN_LIST upsweep_missing)
        list(PREPEND upsweep_missing OpenCL-Headers)
    endif()

    # Khronos' own tests, examples and documentation are not wanted here. Normal variables, so that a project that
    # includes us keeps its own settings; CMP0077 makes option() respect them.
    set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
    set(OPENCL_HEADERS_BUILD_TESTING OFF)
    set(OPENCL_HEADERS_BUILD_CXX_TESTS OFF)
    set(OPENCL_ICD_LOADER_BUILD_TESTING OFF)
    set(OPENCL_CLHPP_BUILD_TESTING OFF)
    set(BUILD_DOCS OFF)
    set(BUILD_EXAMPLES OFF)

    foreach(repository IN LISTS upsweep_missing)
        FetchContent_Declare(${repository}
            GIT_REPOSITORY https://github.com/KhronosGroup/${repository}.git
            GIT_TAG ${upsweep_khronos_tag}
            GIT_SHALLOW TRUE)
        FetchContent_MakeAvailable(${repository})
    endforeach()

    unset(BUILD_DOCS)
    unset(BUILD_EXAMPLES)
endif()
