# SPDX-License-Identifier: MIT
"""Which OpenCL implementations this machine has, and under which settings each is worth testing."""

import ctypes
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROBE_SECONDS = 120
INTEL = "Intel CPU runtime"


@dataclasses.dataclass
class Implementation:
    """One row of the table: an OpenCL device under one setting."""

    name: str
    version: str = ""
    device: str = ""
    environment: dict = dataclasses.field(default_factory=dict)
    simulator: bool = False
    missing: str = ""  # why it cannot be run here, if so


# Ways in which PoCL runs a work-group's work-items on one CPU thread, each with the first version that has it. A method
# that PoCL does not know would quietly be replaced by the default.
POCL_METHODS = (("loopvec", 1), ("cbs", 4))

# Intel's runtime with the compiler's vectoriser and without: what fails with it alone is the vectoriser's. Without it,
# kernels with sub-groups do not build.
INTEL_MODES = (("", {}), (" not vectorised", {"CL_CONFIG_CPU_VECTORIZER_MODE": "1", "UPSWEEP_SUB_GROUPS": "none"}))

# Implementations that the loader shows only when asked: name, part of the platform's name, what to set, how to install.
ON_REQUEST = (("rusticl", "rusticl", {"RUSTICL_ENABLE": "llvmpipe"}, "Debian and Ubuntu: mesa-opencl-icd"),)

# Expected everywhere it can be had; a machine without them shows why their rows are missing.
WANTED = (
    ("PoCL", "Debian and Ubuntu: pocl-opencl-icd"),
    (INTEL, "see tests/GUARANTEES.md"),
    ("NVIDIA", "NVIDIA's driver"),
)


def opencl_library():
    """The loader, or what a wrapper such as Oclgrind's put in front of it."""
    everything = ctypes.CDLL(None)
    return everything if hasattr(everything, "clGetPlatformIDs") else ctypes.CDLL("libOpenCL.so.1")


def probe():
    """Every device that the loader shows, as dictionaries. Runs in a process of its own: drivers may crash."""
    library = opencl_library()

    def numbers(function, *arguments):
        count = ctypes.c_uint(0)
        if function(*arguments, 0, None, ctypes.byref(count)) != 0 or count.value == 0:
            return []
        handles = (ctypes.c_void_p * count.value)()
        function(*arguments, count.value, handles, None)
        return [ctypes.c_void_p(handle) for handle in handles]

    def text(function, handle, what):
        buffer = ctypes.create_string_buffer(65536)
        failed = function(handle, ctypes.c_uint(what), ctypes.c_size_t(len(buffer)), buffer, None)
        return "" if failed else buffer.value.decode(errors="replace").strip()

    devices = []
    for platform in numbers(library.clGetPlatformIDs):
        for device in numbers(library.clGetDeviceIDs, platform, ctypes.c_uint64(0xFFFFFFFF)):
            devices.append({
                "platform": text(library.clGetPlatformInfo, platform, 0x0902),
                "platform_version": text(library.clGetPlatformInfo, platform, 0x0901),
                "device": text(library.clGetDeviceInfo, device, 0x102B),
                "driver": text(library.clGetDeviceInfo, device, 0x102D),
            })
    return devices


def devices_under(environment, wrapper=(), problems=None):
    """What `probe` finds with these variables set. When that crashes or hangs: nothing, and why goes to `problems`."""
    command = [*wrapper, sys.executable, str(pathlib.Path(__file__).resolve())]
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True,
                              timeout=PROBE_SECONDS)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        why = f"no end after {PROBE_SECONDS} s"
    except (json.JSONDecodeError, IndexError):
        why = f"exit status {done.returncode}: {' '.join(done.stderr.split())[-200:]}"
    if problems is not None:
        problems.append(why)
    return []


def pocl_rows(found, caches):
    version = re.search(r"PoCL (\S+)", found["platform_version"])
    version = version.group(1) if version else found["driver"]
    major = re.match(r"\d+", version)
    for method, since in POCL_METHODS:
        row = Implementation(f"PoCL {method}", version, found["device"])
        if major and int(major.group()) < since:
            row.missing = f"PoCL {version} does not have this method (4.0 and later do)"
        # PoCL's kernel cache does not tell the methods apart, so each has its own.
        cache = pathlib.Path(caches) / f"pocl_{method}"
        cache.mkdir(parents=True, exist_ok=True)
        row.environment = {"POCL_WORK_GROUP_METHOD": method, "POCL_CACHE_DIR": str(cache)}
        yield row


def name_of(found):
    for name, part in ((INTEL, "Intel(R) OpenCL"), ("NVIDIA", "NVIDIA"), ("Clover", "Clover")):
        if part in found["platform"]:
            return name
    return found["platform"]


def rows_of(found, all_found, caches):
    """The rows of one device. A platform with several devices is chosen from by the device's name."""
    siblings = [other for other in all_found if other["platform"] == found["platform"]]
    choice = {"UPSWEEP_DEVICE": found["platform"] if len(siblings) == 1 else found["device"]}
    if "Portable Computing Language" in found["platform"]:
        rows = list(pocl_rows(found, caches))
    else:
        name = name_of(found)
        modes = INTEL_MODES if name == INTEL else (("", {}),)
        rows = [Implementation(name + mode, found["driver"], found["device"], dict(setting)) for mode, setting in modes]
    for row in rows:
        row.environment = {**choice, **row.environment}
        yield row


def without_doubles(found):
    """Several equal devices, such as the GPUs of one machine, are one implementation."""
    return list({tuple(sorted(one.items())): one for one in found}.values())


def oclgrind_row():
    wrapper = shutil.which("oclgrind")
    if not wrapper:
        return Implementation("Oclgrind", missing="not installed (Debian and Ubuntu: oclgrind)")
    problems = []
    found = devices_under({}, (wrapper,), problems)
    if not found:
        return Implementation("Oclgrind", missing=f"installed, but shows no device {' '.join(problems)}".strip())
    version = re.search(r"[\d.]+", found[0]["driver"] + " " + found[0]["platform_version"])
    return Implementation("Oclgrind", version.group() if version else "", found[0]["device"],
                          {"UPSWEEP_DEVICE": "Oclgrind", "UPSWEEP_SELF_CHECK": "off"}, simulator=True)


def discover(caches, vendors=None):
    """All rows of this machine, also those that are missing here.

    vendors: a folder with .icd files of implementations that are not registered with the system.
    """
    extra = {"OCL_ICD_VENDORS": str(vendors)} if vendors else {}
    rows, problems = [], []
    for environment in [{}] + ([extra] if vendors else []):
        found = without_doubles(devices_under(environment, problems=problems))
        for one in found:
            rows += [with_environment(row, environment) for row in rows_of(one, found, caches)]
        for name, part, setting, how in ON_REQUEST:
            shown = devices_under({**environment, **setting}, problems=problems)
            asked = [one for one in shown if part in one["platform"]]
            for one in without_doubles(asked):
                if not any(row.name == name for row in rows):
                    rows.append(Implementation(name, one["driver"], one["device"],
                                               {**environment, **setting, "UPSWEEP_DEVICE": part}))
    rows.append(oclgrind_row())
    # A driver that breaks the loader hides all others.
    rows += [Implementation("list of devices", missing=f"failed: {why}") for why in dict.fromkeys(problems)]
    for name, how in (*WANTED, *((name, how) for name, _, _, how in ON_REQUEST)):
        if not any(row.name.startswith(name) for row in rows):
            rows.append(Implementation(name, missing=f"not found ({how})"))
    return rows


def with_environment(row, environment):
    row.environment = {**environment, **row.environment}
    return row


if __name__ == "__main__":
    print(json.dumps(probe()))
