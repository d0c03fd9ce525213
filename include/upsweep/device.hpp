// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/version.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace upsweep {

/// A device as listed by `devices()`.
struct device_info {
    cl::Device device;       ///< the handle
    std::string name;        ///< CL_DEVICE_NAME
    std::string platform;    ///< CL_PLATFORM_NAME
    std::string driver;      ///< CL_DRIVER_VERSION
    cl_device_type type = 0; ///< CL_DEVICE_TYPE: such as CL_DEVICE_TYPE_GPU
};

inline namespace UPSWEEP_VERSION_NAMESPACE {

/// Prints name, platform, driver and kind on one line.
UPSWEEP_DECLARED std::ostream& operator<<(std::ostream& out, const device_info& d);

/// Every OpenCL device of the machine; empty when there is none. A platform that cannot list its devices is left out.
/// @throws upsweep::error when the platforms cannot be listed, or a device cannot say its name
UPSWEEP_DECLARED std::vector<device_info> devices();

/// The device `default_queue` uses: the first GPU, else the first accelerator, else the first CPU, of those that are
/// available and have a compiler. The environment variable `UPSWEEP_DEVICE`, when set, narrows the choice to devices
/// whose name or platform contains its text.
/// @throws upsweep::error when there is none; the error lists the devices that there are
UPSWEEP_DECLARED device_info default_device();

/// A new in-order queue on the default device. All such queues share one context, which lives as long as the process.
/// @param properties  OpenCL queue properties, such as CL_QUEUE_PROFILING_ENABLE
/// @throws upsweep::error when there is no device
UPSWEEP_DECLARED cl::CommandQueue default_queue(cl_command_queue_properties properties = 0);

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep

#if !defined(UPSWEEP_COMPILED)
#include <upsweep/detail/opencl/device_inl.hpp>
#endif
