# SPDX-License-Identifier: MIT
"""Conan 2 recipe of the tree that it lies in: conan create cmake/packages/conan"""

import pathlib
import re

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class Upsweep(ConanFile):
    name = "upsweep"
    description = "Scan (prefix sum) and reduce for OpenCL devices"
    license = "MIT"
    topics = ("opencl", "gpu", "scan", "prefix-sum", "reduce", "header-only")
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "compiled": [True, False],  # the library of upsweep::compiled as well
        "shared": [True, False],
        "fPIC": [True, False],
        "system_opencl": [True, False],  # loader and headers of the system, not Conan's
    }
    default_options = {"compiled": False, "shared": False, "fPIC": True, "system_opencl": False}

    @property
    def _root(self):
        return pathlib.Path(self.recipe_folder).parents[2]

    def set_version(self):
        text = load(self, self._root / "include" / "upsweep" / "version.hpp")
        numbers = re.findall(r"^#define UPSWEEP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.MULTILINE)
        if len(numbers) != 3:
            raise ConanException("version.hpp: no version found")
        self.version = ".".join(numbers)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "kernels/*"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def configure(self):
        if not self.options.compiled:
            self.options.rm_safe("shared")
        if not self.options.compiled or self.options.get_safe("shared"):
            self.options.rm_safe("fPIC")
        self.package_type = ("header-library" if not self.options.compiled
                             else "shared-library" if self.options.shared else "static-library")

    def requirements(self):
        if not self.options.system_opencl:
            for part in ("headers", "clhpp-headers", "icd-loader"):
                self.requires(f"opencl-{part}/2023.04.17", transitive_headers=True, transitive_libs=True)

    def package_id(self):
        if not self.info.options.compiled:
            self.info.settings.clear()

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 17)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCHMARKS", "FETCH_DEPENDENCIES"):
            toolchain.cache_variables[f"UPSWEEP_{name}"] = False
        toolchain.cache_variables["UPSWEEP_INSTALL_COMPILED"] = bool(self.options.compiled)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")
        CMake(self).install()
        # Conan writes its own for the generators that a user chooses.
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, pathlib.Path(self.package_folder) / folder)

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "upsweep")
        headers = self.cpp_info.components["headers"]
        headers.set_property("cmake_target_name", "upsweep::upsweep")
        headers.set_property("pkg_config_name", "upsweep")
        headers.bindirs = headers.libdirs = []
        if self.options.system_opencl:
            headers.system_libs = ["OpenCL"]
        else:
            headers.requires = [f"opencl-{part}::opencl-{part}" for part in ("headers", "clhpp-headers", "icd-loader")]
        if self.settings.os == "Linux":
            headers.system_libs.append("pthread")
        if self.options.compiled:
            compiled = self.cpp_info.components["compiled"]
            compiled.set_property("cmake_target_name", "upsweep::compiled")
            compiled.set_property("pkg_config_name", "upsweep-compiled")
            compiled.requires = ["headers"]
            compiled.libs = ["upsweep_compiled"]
            compiled.defines = ["UPSWEEP_COMPILED"]
