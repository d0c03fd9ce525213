# SPDX-License-Identifier: MIT
# For our own tests, examples and benchmarks only: warnings never reach a user's build.

add_library(upsweep_warnings INTERFACE)
if(UPSWEEP_WARNINGS)
    set(gnu_like "$<CXX_COMPILER_ID:GNU,Clang,AppleClang>")
    target_compile_options(upsweep_warnings INTERFACE
        "$<${gnu_like}:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow>"
        "$<$<CXX_COMPILER_ID:MSVC>:/W4>")
    if(UPSWEEP_WARNINGS_AS_ERRORS)
        target_compile_options(upsweep_warnings INTERFACE
            "$<${gnu_like}:-Werror>" "$<$<CXX_COMPILER_ID:MSVC>:/WX>")
    endif()
endif()

# Everything of ours is compiled for the oldest OpenCL the library supports, unless a test says otherwise.
add_library(upsweep_developer INTERFACE)
target_link_libraries(upsweep_developer INTERFACE upsweep::upsweep upsweep_warnings)
target_compile_definitions(upsweep_developer INTERFACE
    CL_HPP_TARGET_OPENCL_VERSION=120 CL_HPP_MINIMUM_OPENCL_VERSION=120)
target_compile_definitions(upsweep_compiled PRIVATE # else the bindings print a note
    CL_HPP_TARGET_OPENCL_VERSION=120 CL_HPP_MINIMUM_OPENCL_VERSION=120)

# Boost.Compute, where its headers are installed.
find_path(UPSWEEP_BOOST_COMPUTE_DIR boost/compute.hpp DOC "Folder that contains boost/compute.hpp")
mark_as_advanced(UPSWEEP_BOOST_COMPUTE_DIR)
if(UPSWEEP_BOOST_COMPUTE_DIR)
    add_library(upsweep_boost_compute INTERFACE)
    target_include_directories(upsweep_boost_compute SYSTEM INTERFACE "${UPSWEEP_BOOST_COMPUTE_DIR}")
endif()

# Fetches a tool of the tests or benchmarks, if the user lets us; <name>_FETCHED says whether it is there now.
macro(upsweep_fetch_tool name url tag)
    set(${name}_FETCHED FALSE)
    if(UPSWEEP_FETCH_DEPENDENCIES)
        include(FetchContent)
        message(STATUS "upsweep: fetching ${name} ${tag}")
        FetchContent_Declare(${name} GIT_REPOSITORY ${url} GIT_TAG ${tag} GIT_SHALLOW TRUE)
        FetchContent_MakeAvailable(${name})
        set(${name}_FETCHED TRUE)
    endif()
endmacro()

include("${CMAKE_CURRENT_LIST_DIR}/share_cores.cmake")
