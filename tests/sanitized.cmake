# SPDX-License-Identifier: MIT
# The same tests with the host code under AddressSanitizer and UndefinedBehaviorSanitizer.

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" OR WIN32)
    return()
endif()

include(CheckCXXSourceCompiles)
set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
# GCC's flow analysis sees through instrumented code badly and warns inside the standard library.
set(quiet "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
set(CMAKE_REQUIRED_FLAGS "-fsanitize=address,undefined")
check_cxx_source_compiles("int main() { return 0; }" UPSWEEP_HAS_SANITIZERS)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT UPSWEEP_HAS_SANITIZERS)
    message(STATUS "upsweep: the compiler has no sanitizer runtime, so no sanitized tests")
    return()
endif()

# Files with none of these tags would only take time to compile.
set(sanitized_tags errors api unit)
list(JOIN sanitized_tags "|" any_tag)
set(sanitized_sources "")
foreach(source IN LISTS test_sources)
    file(STRINGS "${source}" found REGEX "\\[(${any_tag})\\]" LIMIT_COUNT 1)
    if(found)
        list(APPEND sanitized_sources "${source}")
    endif()
endforeach()
# Without debug information, which takes long to write: the preset `asan` shows the line of what is found.
upsweep_add_tests_library(upsweep_tests_library_sanitized ${sanitizers} ${quiet})
add_executable(upsweep_tests_sanitized $<TARGET_OBJECTS:upsweep_tests_main> ${sanitized_sources})
target_link_libraries(upsweep_tests_sanitized PRIVATE upsweep_tests_library_sanitized)
upsweep_join_sources(upsweep_tests_sanitized ${sanitized_sources})
add_dependencies(upsweep_tests_sanitized binary_cache_process)
target_compile_options(upsweep_tests_sanitized PRIVATE ${sanitizers} ${quiet} -O0)
target_precompile_headers(upsweep_tests_sanitized PRIVATE ${common_headers})
target_link_options(upsweep_tests_sanitized PRIVATE ${sanitizers})

# Tags joined by a comma: tests that have any of them.
list(JOIN sanitized_tags "],[" tags_of_tests)
add_test(NAME sanitized COMMAND upsweep_tests_sanitized "[${tags_of_tests}]" ${no_tests_is_failure})
# After the same tests without sanitizers: PoCL then has their programs in its cache.
if(UPSWEEP_HAS_POCL)
    list(TRANSFORM sanitized_tags PREPEND "pocl_loopvec." OUTPUT_VARIABLE same_tests)
    set_tests_properties(${same_tests} PROPERTIES COST 500)
    set_tests_properties(sanitized PROPERTIES DEPENDS "${same_tests}")
endif()
# Drivers keep what they allocated until the process ends; leaks of theirs would drown ours.
set_tests_properties(sanitized PROPERTIES TIMEOUT 1800 COST 300
    ENVIRONMENT "${UPSWEEP_ANY_DEVICE_PLAIN};ASAN_OPTIONS=detect_leaks=0;UBSAN_OPTIONS=print_stacktrace=1")
