# SPDX-License-Identifier: MIT
# The target upsweep::mpi: the headers and MPI, for <upsweep/mpi.hpp>. Only where MPI is found.

set(UPSWEEP_MPI AUTO CACHE STRING "Make the target upsweep::mpi: ON, OFF, or AUTO, which looks for MPI in this project only")
set_property(CACHE UPSWEEP_MPI PROPERTY STRINGS AUTO ON OFF)

set(upsweep_looks_for_mpi "${UPSWEEP_MPI}")
if(UPSWEEP_MPI STREQUAL "AUTO")
    set(upsweep_looks_for_mpi "${PROJECT_IS_TOP_LEVEL}")
endif()
if(NOT upsweep_looks_for_mpi)
    return()
endif()

# Of MPI's C++ bindings, which the standard has dropped, nothing is used.
set(MPI_CXX_SKIP_MPICXX ON)
if(UPSWEEP_MPI STREQUAL "AUTO")
    find_package(MPI QUIET COMPONENTS CXX)
else()
    find_package(MPI REQUIRED COMPONENTS CXX)
endif()
if(NOT TARGET MPI::MPI_CXX)
    message(STATUS "upsweep: no MPI, so no target upsweep::mpi")
    return()
endif()

add_library(upsweep_mpi INTERFACE)
add_library(upsweep::mpi ALIAS upsweep_mpi)
set_target_properties(upsweep_mpi PROPERTIES EXPORT_NAME mpi)
target_link_libraries(upsweep_mpi INTERFACE upsweep MPI::MPI_CXX)

# For tests: sets `out` to the beginning of a command line that runs a program on so many ranks.
function(upsweep_mpi_command out ranks)
    set(${out} "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} PARENT_SCOPE)
endfunction()

# For tests: more ranks than cores, which then must not be kept busy by waiting. Of Open MPI; others ignore it.
set(UPSWEEP_MPI_ENVIRONMENT
    "POCL_MAX_PTHREAD_COUNT=1"
    "OMPI_MCA_rmaps_base_oversubscribe=1" "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe"
    "OMPI_MCA_mpi_yield_when_idle=1" "OMPI_MCA_btl_vader_single_copy_mechanism=none"
    "OMPI_ALLOW_RUN_AS_ROOT=1" "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
