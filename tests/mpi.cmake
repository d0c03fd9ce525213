# SPDX-License-Identifier: MIT
# One array on the ranks of MPI, where there is one.

if(NOT TARGET upsweep::mpi OR NOT MPIEXEC_EXECUTABLE)
    return()
endif()

add_executable(upsweep_ranks mpi/ranks.cpp)
target_link_libraries(upsweep_ranks PRIVATE upsweep_developer upsweep::mpi ${catch})
target_compile_options(upsweep_ranks PRIVATE "${not_optimised}")

foreach(ranks 1 2 3 5 8)
    upsweep_mpi_command(command ${ranks})
    add_test(NAME mpi.ranks_${ranks} COMMAND ${command} $<TARGET_FILE:upsweep_ranks> ${MPIEXEC_POSTFLAGS})
    # A rank that waits for ever is what the limit is for.
    set_tests_properties(mpi.ranks_${ranks} PROPERTIES TIMEOUT 300
        ENVIRONMENT "${UPSWEEP_ANY_DEVICE};${UPSWEEP_MPI_ENVIRONMENT};UPSWEEP_SELF_CHECK=off")
    # The first one fills PoCL's cache of kernels for the others.
    if(NOT ranks EQUAL 1)
        set_tests_properties(mpi.ranks_${ranks} PROPERTIES DEPENDS mpi.ranks_1 PROCESSORS 2)
    endif()
endforeach()
