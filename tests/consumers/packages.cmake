# SPDX-License-Identifier: MIT
# Packages for package managers, made, installed and used by these themselves, and a program for Windows. Together they
# take minutes, and write nowhere but into the build folder (and UPSWEEP_TEST_CHROOT).

option(UPSWEEP_TEST_PACKAGES "Make and use the packages for Conan, Debian and vcpkg, and a program for Windows" OFF)
set(UPSWEEP_TEST_CHROOT "" CACHE PATH "Install Debian's packages in the Debian system below this folder, as root")
set(UPSWEEP_TEST_VCPKG_ROOT "" CACHE PATH "A clone of vcpkg")
mark_as_advanced(UPSWEEP_TEST_CHROOT UPSWEEP_TEST_VCPKG_ROOT)
if(NOT UPSWEEP_TEST_PACKAGES)
    message(STATUS "upsweep: UPSWEEP_TEST_PACKAGES is off, so no tests with Conan, dpkg-buildpackage, vcpkg and mingw-w64")
    return()
endif()

# upsweep_add_package_test(<name> <command...>)
function(upsweep_add_package_test name)
    add_test(NAME consumers.${name} COMMAND ${ARGN})
    set_tests_properties(consumers.${name} PROPERTIES ENVIRONMENT "${UPSWEEP_ANY_DEVICE}" TIMEOUT 600)
endfunction()

find_program(UPSWEEP_CONAN conan)
mark_as_advanced(UPSWEEP_CONAN)
if(UPSWEEP_CONAN)
    set(options_headers compiled=False)
    set(options_compiled "compiled=True|shared=True")
    foreach(part headers compiled)
        upsweep_add_package_test(conan_${part} "${CMAKE_COMMAND}" "-DCONAN=${UPSWEEP_CONAN}"
            "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/conan_${part}"
            "-DOPTIONS=${options_${part}}" -P "${CMAKE_CURRENT_SOURCE_DIR}/conan/run.cmake")
    endforeach()
else()
    message(STATUS "upsweep: no conan (pip install conan), so no test of its recipe")
endif()

find_program(UPSWEEP_DPKG_BUILDPACKAGE dpkg-buildpackage)
find_program(UPSWEEP_DH dh) # what debian/rules calls
mark_as_advanced(UPSWEEP_DPKG_BUILDPACKAGE UPSWEEP_DH)
if(UPSWEEP_DPKG_BUILDPACKAGE AND UPSWEEP_DH)
    set(work "${CMAKE_CURRENT_BINARY_DIR}/debian")
    upsweep_add_package_test(debian_build
        sh "${CMAKE_CURRENT_SOURCE_DIR}/debian/build.sh" "${PROJECT_SOURCE_DIR}" "${work}")
    set_tests_properties(consumers.debian_build PROPERTIES FIXTURES_SETUP upsweep_debian_packages)
    if(UPSWEEP_TEST_CHROOT)
        upsweep_add_package_test(debian_install
            sh "${CMAKE_CURRENT_SOURCE_DIR}/debian/install.sh" "${work}" "${UPSWEEP_TEST_CHROOT}")
        set_tests_properties(consumers.debian_install PROPERTIES FIXTURES_REQUIRED upsweep_debian_packages)
    else()
        message(STATUS "upsweep: UPSWEEP_TEST_CHROOT is not set, so Debian's packages are made and not installed")
    endif()
else()
    message(STATUS "upsweep: no dpkg-buildpackage or no debhelper, so no test of Debian's packages")
endif()

if(UPSWEEP_TEST_VCPKG_ROOT)
    foreach(part headers compiled)
        upsweep_add_package_test(vcpkg_${part} "${CMAKE_COMMAND}" "-DVCPKG_ROOT=${UPSWEEP_TEST_VCPKG_ROOT}"
            "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/vcpkg_${part}"
            "-DPART=${part}" -P "${CMAKE_CURRENT_SOURCE_DIR}/vcpkg/run.cmake")
    endforeach()
else()
    message(STATUS "upsweep: UPSWEEP_TEST_VCPKG_ROOT is not set, so no test of vcpkg's port")
endif()

find_program(UPSWEEP_MINGW NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++)
find_program(UPSWEEP_MINGW_DLLTOOL x86_64-w64-mingw32-dlltool)
find_program(UPSWEEP_WINE NAMES wine wine64)
find_path(UPSWEEP_OPENCL_H_DIR CL/cl.h HINTS ${OpenCL_INCLUDE_DIR})
mark_as_advanced(UPSWEEP_MINGW UPSWEEP_MINGW_DLLTOOL UPSWEEP_WINE UPSWEEP_OPENCL_H_DIR)
if(UPSWEEP_MINGW AND UPSWEEP_MINGW_DLLTOOL AND UPSWEEP_OPENCL_H_DIR AND UPSWEEP_OPENCL_H_DIR STREQUAL UPSWEEP_OPENCL_HPP_DIR)
    set(wine "${UPSWEEP_WINE}")
    if(NOT wine)
        set(wine "")
        message(STATUS "upsweep: no Wine, so the program for Windows is compiled and not run")
    endif()
    upsweep_add_package_test(windows "${CMAKE_COMMAND}" "-DCOMPILER=${UPSWEEP_MINGW}"
        "-DDLLTOOL=${UPSWEEP_MINGW_DLLTOOL}" "-DWINE=${wine}" "-DOPENCL_INCLUDE_DIR=${UPSWEEP_OPENCL_H_DIR}"
        "-DINCLUDE_DIRS=${PROJECT_SOURCE_DIR}/include|${UPSWEEP_GENERATED_INCLUDE_DIR}"
        "-DSOURCES=${CMAKE_CURRENT_SOURCE_DIR}/main.cpp|${PROJECT_SOURCE_DIR}/include/upsweep/compiled.cpp"
        "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/windows" -P "${CMAKE_CURRENT_SOURCE_DIR}/windows/run.cmake")
else()
    message(STATUS "upsweep: no mingw-w64, or no OpenCL headers in one folder, so no test of a program for Windows")
endif()
