# SPDX-License-Identifier: MIT
# bench_cub, bench_cub_cliffs, bench_cub_family, bench_cub_types: the rows of NVIDIA's CUB. Without a working nvcc there
# are none, and nothing fails unless they were asked for.

set(UPSWEEP_BENCH_CUDA_ARCHITECTURES 90 CACHE STRING "GPU architectures to compile bench_cub for")
mark_as_advanced(UPSWEEP_BENCH_CUDA_ARCHITECTURES)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "${UPSWEEP_BENCH_CUDA_ARCHITECTURES}")
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
    if(NOT UPSWEEP_BENCH_CUB STREQUAL "AUTO")
        message(FATAL_ERROR "upsweep: UPSWEEP_BENCH_CUB is ON, but no working CUDA compiler was found")
    endif()
    message(STATUS "upsweep: no CUDA compiler, so no bench_cub")
    return()
endif()

enable_language(CUDA)
# CUB takes minutes to compile: `cmake --build <dir> --target bench_cub`, which bench/run.py does when it can.
foreach(peer peer cliffs family types)
    set(name bench_cub_${peer})
    if(peer STREQUAL "peer")
        set(name bench_cub)
    endif()
    add_executable(${name} EXCLUDE_FROM_ALL cub_${peer}.cu)
    target_compile_features(${name} PRIVATE cuda_std_17)
    target_compile_options(${name} PRIVATE "SHELL:-Xcompiler -Wall,-Wextra")
    target_link_libraries(${name} PRIVATE upsweep_bench_rows)
endforeach()
