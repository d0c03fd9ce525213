# SPDX-License-Identifier: MIT
# The differential fuzzer: a short run with a seed that is always the same and one with a seed that is made up and
# printed; `upsweep_fuzz --seconds 3600` for a long one.

file(GLOB fuzz_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*.cpp")
find_package(Threads REQUIRED)
add_executable(upsweep_fuzz fuzz.cpp ${fuzz_sources})
set_target_properties(upsweep_fuzz PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 3)
target_link_libraries(upsweep_fuzz PRIVATE upsweep_developer upsweep::compiled Threads::Threads)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(upsweep_fuzz PRIVATE "$<$<CONFIG:Release>:-O1>")
endif()

add_test(NAME fuzz.same_seed COMMAND upsweep_fuzz --seed 1 --seconds 10)
add_test(NAME fuzz.random_seed COMMAND upsweep_fuzz --seconds 10)
set_tests_properties(fuzz.same_seed fuzz.random_seed PROPERTIES ENVIRONMENT "${UPSWEEP_ANY_DEVICE}" TIMEOUT 1800)
