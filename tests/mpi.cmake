# SPDX-License-Identifier: MIT
# One array on the ranks of MPI, where there is one.

if(NOT TARGET upsweep::mpi OR NOT MPIEXEC_EXECUTABLE)
    return()
endif()

add_executable(upsweep_ranks mpi/ranks.cpp)
target_link_libraries(upsweep_ranks PRIVATE upsweep_developer upsweep::mpi ${catch})
target_compile_options(upsweep_ranks PRIVATE "${not_optimised}")

# Ranks are processes: the first one builds for all.
set(upsweep_ranks_environment ${UPSWEEP_ANY_DEVICE} ${UPSWEEP_MPI_ENVIRONMENT} "UPSWEEP_SELF_CHECK=off"
    "UPSWEEP_CACHE_DIR=${CMAKE_CURRENT_BINARY_DIR}/ranks_cache")
list(REMOVE_ITEM upsweep_ranks_environment "UPSWEEP_CACHE=off")

foreach(ranks 1 2 3 5 8)
    upsweep_mpi_command(command ${ranks})
    add_test(NAME mpi.ranks_${ranks} COMMAND ${command} $<TARGET_FILE:upsweep_ranks> ${MPIEXEC_POSTFLAGS})
    # A rank that waits for ever is what the limit is for.
    set_tests_properties(mpi.ranks_${ranks} PROPERTIES TIMEOUT 300
        ENVIRONMENT "${upsweep_ranks_environment}")
    if(NOT ranks EQUAL 1)
        set_tests_properties(mpi.ranks_${ranks} PROPERTIES DEPENDS mpi.ranks_1 PROCESSORS 2)
    endif()
endforeach()
