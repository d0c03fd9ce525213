# SPDX-License-Identifier: MIT
"""Recipe for Spack 1.0 or newer. In a clone: spack repo add cmake/packages/spack; spack dev-build upsweep@0.2.0"""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Upsweep(CMakePackage):
    """Scan (prefix sum) and reduce for OpenCL devices"""

    git = "https://example.org/upsweep.git"

    license("MIT")

    version("0.2.0", tag="v0.2.0")

    variant("compiled", default=False, description="the library of upsweep::compiled as well")
    variant("shared", default=True, when="+compiled", description="that library is shared")

    depends_on("cxx", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("opencl@1.2:")
    depends_on("opencl-c-headers")
    depends_on("opencl-clhpp@2.0.16:")

    def cmake_args(self):
        args = [self.define(f"UPSWEEP_{name}", False)
                for name in ("BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCHMARKS", "FETCH_DEPENDENCIES")]
        args.append(self.define_from_variant("UPSWEEP_INSTALL_COMPILED", "compiled"))
        if self.spec.satisfies("+compiled"):
            args.append(self.define_from_variant("BUILD_SHARED_LIBS", "shared"))
        return args
