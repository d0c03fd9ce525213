# Installs the headers, the generated one beside the others (so the tree works without CMake), and the CMake package.

include(CMakePackageConfigHelpers)

set(upsweep_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/upsweep")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp" PATTERN "compiled.cpp")
install(FILES "${UPSWEEP_GENERATED_INCLUDE_DIR}/upsweep/detail/source/kernels.hpp"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/upsweep/detail/source")

install(TARGETS upsweep EXPORT upsweepTargets)
set(upsweep_any_architecture ARCH_INDEPENDENT) # headers only: one package serves 32-bit and 64-bit users
if(UPSWEEP_INSTALL_COMPILED)
    install(TARGETS upsweep_compiled EXPORT upsweepTargets)
    set(upsweep_any_architecture "")
endif()
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
