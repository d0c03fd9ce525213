#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the version of version.hpp is the one that the changelog and the recipes of packages have.

    python3 tests/check_versions.py

Recipes that can read the header do; these cannot. Also, the Debian package of the library is named after the library.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "cmake" / "packages"


def first(pattern, path):
    """What the group of the pattern is at its first match in a file; "none" without a match."""
    found = re.search(pattern, path.read_text(), re.MULTILINE)
    return found[1] if found else "none"


def main():
    numbers = re.findall(r"^#define UPSWEEP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$",
                         (ROOT / "include" / "upsweep" / "version.hpp").read_text(), re.MULTILINE)
    version = ".".join(numbers)
    in_library = ".".join(numbers[:2])
    port = PACKAGES / "vcpkg" / "upsweep" / "vcpkg.json"
    found = {
        "CHANGELOG.md": first(r"^## \[(\d[^\]]*)\]", ROOT / "CHANGELOG.md"),
        "debian/changelog": first(r"^upsweep \(([^)]*)\)", ROOT / "debian" / "changelog"),
        "vcpkg.json": json.loads(port.read_text()).get("version", "none"),
        "Spack's package.py": first(r'^    version\("([^"]*)"', PACKAGES / "spack/packages/upsweep/package.py"),
    }
    wrong = [f"{name}: {text}, but version.hpp: {version}" for name, text in found.items() if text != version]
    package = first(r"^Package: libupsweep-compiled(.*)$", ROOT / "debian" / "control")
    if package != in_library:
        wrong.append(f"debian/control: a library of version {package}, but version.hpp: {version}")
    if len(numbers) != 3:
        wrong.append("version.hpp: no three numbers")
    print("\n".join(wrong) if wrong else f"version {version} everywhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
