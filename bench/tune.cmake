# SPDX-License-Identifier: MIT
# upsweep_tune, the search for faster tunings on a device at hand; it needs no library but this. Tests and benchmarks
# both want it.

if(TARGET upsweep_tune)
    return()
endif()
find_package(Threads REQUIRED)
add_executable(upsweep_tune "${CMAKE_CURRENT_LIST_DIR}/tune.cpp")
target_link_libraries(upsweep_tune PRIVATE upsweep_developer Threads::Threads)
