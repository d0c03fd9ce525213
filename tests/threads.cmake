# SPDX-License-Identifier: MIT
# The tests of threads under ThreadSanitizer, which sees a data race in our headers even when it did no harm.

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" OR CMAKE_CROSSCOMPILING OR WIN32)
    return()
endif()

# Run, not only compiled: older runtimes refuse to start on kernels that spread memory more widely. Nor does it go together
# with the other sanitizers, which a whole build may have.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS "-fsanitize=thread")
check_cxx_source_runs("int main() { return 0; }" UPSWEEP_HAS_THREAD_SANITIZER)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT UPSWEEP_HAS_THREAD_SANITIZER)
    message(STATUS "upsweep: no working ThreadSanitizer, so no detection of data races in the host code")
    return()
endif()

# With a main.cpp of its own: the linker keeps the first of equal template instantiations. From an object that is compiled
# without the sanitizer, it would keep a count of owners (std::shared_ptr) whose order the sanitizer cannot see.
upsweep_add_tests_library(upsweep_threads_library -fsanitize=thread -O1 -g1)
add_executable(upsweep_threads_sanitized main.cpp test_threads.cpp test_tuning_loaded.cpp test_self_check.cpp)
target_link_libraries(upsweep_threads_sanitized PRIVATE upsweep_threads_library)
upsweep_join_sources(upsweep_threads_sanitized)
target_compile_options(upsweep_threads_sanitized PRIVATE -fsanitize=thread -O1 -g1)
target_link_options(upsweep_threads_sanitized PRIVATE -fsanitize=thread)

add_test(NAME threads_sanitized COMMAND upsweep_threads_sanitized "[threads]" ${no_tests_is_failure})
# A driver's locks are ignored like the rest of it: they must not stand in for a lock that ours lack.
string(CONCAT options "ignore_noninstrumented_modules=1 "
    "suppressions='${CMAKE_CURRENT_SOURCE_DIR}/thread_suppressions.txt'")
set_tests_properties(threads_sanitized PROPERTIES TIMEOUT 1800 LABELS threads
    ENVIRONMENT "${UPSWEEP_ANY_DEVICE};TSAN_OPTIONS=${options}")
