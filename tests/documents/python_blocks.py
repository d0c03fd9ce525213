#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the Python of a page with the C++ that it loads.

    python3 tests/documents/python_blocks.py PAGE.py      # in the folder of the shared library

The page takes pyopencl's queue and arrays for granted. What it needs of them is made here of OpenCL's C interface, since
pyopencl may not be there: their handles as numbers.
"""

import ctypes
import ctypes.util
import os
import pathlib
import sys
import types

opencl = ctypes.CDLL(ctypes.util.find_library("OpenCL"))
POINTER = ctypes.c_void_p
for made in ("clCreateContext", "clCreateCommandQueue", "clCreateBuffer"):
    getattr(opencl, made).restype = POINTER
CL_DEVICE_TYPE_ALL, CL_DEVICE_NAME, CL_PLATFORM_NAME = 0xFFFFFFFF, 0x102B, 0x0902
CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR = 1, 32
BLOCKING = 1


def handles(call, *before):
    count = ctypes.c_uint(0)
    call(*before, 0, None, ctypes.byref(count))
    found = (POINTER * count.value)()
    call(*before, count, found, None)
    return [POINTER(handle) for handle in found]


def name_of(call, handle, what):
    name = ctypes.create_string_buffer(1000)
    call(handle, what, ctypes.c_size_t(1000), name, None)
    return name.value.decode()


def first_device():
    """As the library chooses: UPSWEEP_DEVICE is a part of a device's or its platform's name."""
    wanted = os.environ.get("UPSWEEP_DEVICE", "")
    for platform in handles(opencl.clGetPlatformIDs):
        for device in handles(opencl.clGetDeviceIDs, platform, ctypes.c_uint64(CL_DEVICE_TYPE_ALL)):
            if (wanted in name_of(opencl.clGetDeviceInfo, device, CL_DEVICE_NAME)
                    or wanted in name_of(opencl.clGetPlatformInfo, platform, CL_PLATFORM_NAME)):
                return device
    sys.exit("no device")


device = first_device()
context = POINTER(opencl.clCreateContext(None, 1, ctypes.byref(device), None, None, None))
raw_queue = POINTER(opencl.clCreateCommandQueue(context, device, ctypes.c_uint64(0), None))


def array(values):
    host = (ctypes.c_float * len(values))(*values)
    flags = ctypes.c_uint64(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR)
    buffer = opencl.clCreateBuffer(context, flags, ctypes.c_size_t(ctypes.sizeof(host)), host, None)
    return types.SimpleNamespace(base_data=types.SimpleNamespace(int_ptr=buffer), size=len(values))


queue = types.SimpleNamespace(int_ptr=raw_queue.value)
x, y = array([3, 1, 7, 0, 4, 1, 6, 3]), array([0] * 8)
page = pathlib.Path(sys.argv[1])
exec(compile(page.read_text(), page, "exec"), {"ctypes": ctypes, "queue": queue, "x": x, "y": y})

result = (ctypes.c_float * 8)()
opencl.clEnqueueReadBuffer(raw_queue, POINTER(y.base_data.int_ptr), BLOCKING, ctypes.c_size_t(0),
                           ctypes.c_size_t(ctypes.sizeof(result)), result, 0, None, None)
print(list(result))
sys.exit(0 if list(result) == [3, 4, 11, 11, 15, 16, 22, 25] else 1)
