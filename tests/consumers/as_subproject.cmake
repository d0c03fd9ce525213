# SPDX-License-Identifier: MIT
# As a part of someone's project upsweep brings its library and nothing else.
foreach(ours upsweep_tests upsweep_warnings run_demo)
    if(TARGET ${ours})
        message(FATAL_ERROR "${ours} must not be part of a user's build")
    endif()
endforeach()

get_target_property(options upsweep INTERFACE_COMPILE_OPTIONS)
if(options)
    message(FATAL_ERROR "upsweep puts compile options on its users: ${options}")
endif()
