# SPDX-License-Identifier: MIT
# Installs the headers, the generated one beside the others (so the tree works without CMake), and what finds them: the
# CMake package, with components, and files for pkg-config. All of it may be moved to another prefix.

include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp" PATTERN "compiled.cpp")
install(FILES "${UPSWEEP_GENERATED_INCLUDE_DIR}/upsweep/detail/source/kernels.hpp"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/upsweep/detail/source")

set(upsweep_targets upsweep)
set(upsweep_components "")
set(upsweep_pkg_config_files upsweep)
if(UPSWEEP_INSTALL_COMPILED)
    list(APPEND upsweep_targets upsweep_compiled)
    list(APPEND upsweep_components compiled)
    list(APPEND upsweep_pkg_config_files upsweep-compiled)
    set(upsweep_any_architecture "")
    set(upsweep_finders_dir "${CMAKE_INSTALL_LIBDIR}")
else()
    # Headers only: one package serves 32-bit and 64-bit users.
    set(upsweep_any_architecture ARCH_INDEPENDENT)
    set(upsweep_finders_dir "${CMAKE_INSTALL_DATADIR}")
endif()

set(upsweep_package_dir "${upsweep_finders_dir}/cmake/upsweep")
install(TARGETS ${upsweep_targets} EXPORT upsweepTargets)
install(EXPORT upsweepTargets NAMESPACE upsweep:: DESTINATION "${upsweep_package_dir}")

configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/upsweepConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/upsweepConfig.cmake"
    INSTALL_DESTINATION "${upsweep_package_dir}")
# Before 1.0 a minor version may break its users.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/upsweepConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion ${upsweep_any_architecture})
install(FILES
    "${PROJECT_BINARY_DIR}/upsweepConfig.cmake"
    "${PROJECT_BINARY_DIR}/upsweepConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/find_opencl.cmake"
    DESTINATION "${upsweep_package_dir}")

# Sets `out` to an installation folder as pkg-config files name it: by the file's own place, unless it is absolute.
set(upsweep_pkg_config_dir "${upsweep_finders_dir}/pkgconfig")
function(upsweep_pkg_config_path folder out)
    if(IS_ABSOLUTE "${folder}" OR IS_ABSOLUTE "${upsweep_pkg_config_dir}")
        cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE OUTPUT_VARIABLE path)
    else()
        file(RELATIVE_PATH path "/prefix/${upsweep_pkg_config_dir}" "/prefix/${folder}")
        string(PREPEND path "\${pcfiledir}/")
    endif()
    set(${out} "${path}" PARENT_SCOPE)
endfunction()

upsweep_pkg_config_path("${CMAKE_INSTALL_INCLUDEDIR}" upsweep_pkg_config_includedir)
upsweep_pkg_config_path("${CMAKE_INSTALL_LIBDIR}" upsweep_pkg_config_libdir)
foreach(file IN LISTS upsweep_pkg_config_files)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${file}.pc.in" "${PROJECT_BINARY_DIR}/${file}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${file}.pc" DESTINATION "${upsweep_pkg_config_dir}")
endforeach()
