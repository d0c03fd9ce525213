# SPDX-License-Identifier: MIT
# Which OpenCL platforms this machine has decides which entries make sense. Asked at every configure, never remembered:
# drivers come and go.

unset(UPSWEEP_DEVICE_LIST_RAN CACHE)
unset(UPSWEEP_DEVICE_LIST_BUILT CACHE)
get_target_property(opencl_alias OpenCL::OpenCL IMPORTED)
set(UPSWEEP_DEVICE_LIST "")
if(opencl_alias)
    try_run(UPSWEEP_DEVICE_LIST_RAN UPSWEEP_DEVICE_LIST_BUILT
        "${CMAKE_CURRENT_BINARY_DIR}/list_platforms" "${CMAKE_CURRENT_SOURCE_DIR}/list_platforms.cpp"
        LINK_LIBRARIES OpenCL::OpenCL
        RUN_OUTPUT_VARIABLE UPSWEEP_DEVICE_LIST)
endif()
string(STRIP "${UPSWEEP_DEVICE_LIST}" UPSWEEP_DEVICE_LIST)
message(STATUS "upsweep: OpenCL platforms: ${UPSWEEP_DEVICE_LIST}")

set(UPSWEEP_HAS_POCL FALSE)
if(UPSWEEP_DEVICE_LIST MATCHES "Portable Computing Language")
    set(UPSWEEP_HAS_POCL TRUE)
    # Ways to run a work-group's work-items on one CPU thread, which fail on different mistakes: loops around the regions
    # between barriers; and, from PoCL 4 on, continuations. A method that PoCL does not know would quietly be replaced by
    # the default. (The third, workitemrepl, makes PoCL 3.1 abort: "Could not find a dominating alternative variable".)
    set(UPSWEEP_POCL_METHODS loopvec)
    if(UPSWEEP_DEVICE_LIST MATCHES "PoCL ([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 4)
        list(APPEND UPSWEEP_POCL_METHODS cbs)
    endif()
endif()

# upsweep_pocl_environment(<method> <out> [PLAIN]): sets `out` to the environment of a run on PoCL with the given
# work-group method. PLAIN: kernels are compiled without optimisation, which takes half the time. It is for tests that
# try very many kernels, or that are about host code.
function(upsweep_pocl_environment method out)
    set(environment "UPSWEEP_DEVICE=Portable" "POCL_WORK_GROUP_METHOD=${method}")
    set(cache "${PROJECT_BINARY_DIR}/pocl_cache/${method}")
    if("PLAIN" IN_LIST ARGN)
        string(APPEND cache "_plain")
        list(APPEND environment "POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable")
    endif()
    file(MAKE_DIRECTORY "${cache}")
    set(${out} ${environment} "POCL_CACHE_DIR=${cache}" PARENT_SCOPE)
endfunction()

# The environment of the entries that need some device and do not care which. They stay away from the user's own cache
# of binaries.
set(UPSWEEP_ANY_DEVICE "")
set(UPSWEEP_ANY_DEVICE_PLAIN "")
if(UPSWEEP_HAS_POCL)
    upsweep_pocl_environment(loopvec UPSWEEP_ANY_DEVICE)
    upsweep_pocl_environment(loopvec UPSWEEP_ANY_DEVICE_PLAIN PLAIN)
endif()
list(APPEND UPSWEEP_ANY_DEVICE "UPSWEEP_CACHE=off")
list(APPEND UPSWEEP_ANY_DEVICE_PLAIN "UPSWEEP_CACHE=off")
