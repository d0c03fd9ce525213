# SPDX-License-Identifier: MIT
# An overlay port: it builds the tree that it lies in. In a registry, vcpkg_from_git would stand in the place of this line.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS FEATURES compiled UPSWEEP_INSTALL_COMPILED)
if("compiled" IN_LIST FEATURES)
    set(finders lib)
else()
    set(finders share)
    set(VCPKG_BUILD_TYPE release) # headers are the same for both
endif()

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${FEATURE_OPTIONS}
        -DUPSWEEP_BUILD_TESTS=OFF
        -DUPSWEEP_BUILD_EXAMPLES=OFF
        -DUPSWEEP_BUILD_BENCHMARKS=OFF
        -DUPSWEEP_FETCH_DEPENDENCIES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH "${finders}/cmake/upsweep")
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
