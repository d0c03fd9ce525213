// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/cache.hpp>
#include <upsweep/detail/opencl/pocl.hpp>
#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/program/binary_file.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>
#include <upsweep/version.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// Everything that decides what a program compiles to. Fields carry their length, so that no two lists of fields make
/// the same key.
UPSWEEP_INLINE std::string binary_key(cl_device_id device, std::string_view options, std::string_view source) {
    const char* function = "binary_key";
    std::string key;
    const auto append = [&](const char* name, std::string_view value) {
        key.append(name).append(" ").append(std::to_string(value.size())).append(": ").append(value).append("\n");
    };
    const auto of_device = [&](cl_uint what) {
        return get_string(function, "clGetDeviceInfo", clGetDeviceInfo, device, what);
    };
    const auto platform =
        get_info<cl_platform_id>(function, "clGetDeviceInfo", clGetDeviceInfo, device, CL_DEVICE_PLATFORM);
    const auto of_platform = [&](cl_uint what) {
        return get_string(function, "clGetPlatformInfo", clGetPlatformInfo, platform, what);
    };
    append("upsweep", UPSWEEP_VERSION_STRING);
    append("device", of_device(CL_DEVICE_NAME));
    append("device version", of_device(CL_DEVICE_VERSION));
    append("driver", of_device(CL_DRIVER_VERSION));
    // A machine may have 32-bit and 64-bit programs, and drivers for both.
    append("address bits", std::to_string(get_info<cl_uint>(function, "clGetDeviceInfo", clGetDeviceInfo, device,
                                                            CL_DEVICE_ADDRESS_BITS)));
    append("platform", of_platform(CL_PLATFORM_NAME));
    append("platform version", of_platform(CL_PLATFORM_VERSION));
    append("options", options);
    append("source", source);
    return key;
}

/// The names of a program's kernels, sorted: the order is the driver's affair. None where the driver does not say:
/// NVIDIA's does only if the program was built for the first device of its context (580.159.04).
UPSWEEP_INLINE std::string kernel_names(cl_program program) {
    std::string rest;
    try {
        rest = get_string("kernel_names", "clGetProgramInfo", clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES) + ';';
    } catch (const error&) {
        return {};
    }
    std::vector<std::string> names;
    for (std::size_t end = 0; (end = rest.find(';')) != std::string::npos; rest.erase(0, end + 1))
        names.push_back(rest.substr(0, end));
    std::sort(names.begin(), names.end());
    std::string sorted;
    for (const std::string& name : names) sorted += name + ';';
    return sorted;
}

/// A list that a program has one entry per device of.
template <class T>
std::vector<T> list_of(cl_program program, cl_program_info what) {
    std::size_t bytes = 0;
    check_status(clGetProgramInfo(program, what, 0, nullptr, &bytes), "list_of", "clGetProgramInfo");
    std::vector<T> list(bytes / sizeof(T));
    check_status(clGetProgramInfo(program, what, bytes, list.data(), nullptr), "list_of", "clGetProgramInfo");
    return list;
}

/// What a driver gives out of a program that was built for one of its devices; none when it gives nothing.
UPSWEEP_INLINE maybe<program_binary> binary_of(cl_program program, cl_device_id device) {
    const auto devices = list_of<cl_device_id>(program, CL_PROGRAM_DEVICES);
    const auto sizes = list_of<std::size_t>(program, CL_PROGRAM_BINARY_SIZES);
    // PoCL 3.1 lists the binaries of the devices that were built for, and no others.
    const auto index = std::find(devices.begin(), devices.end(), device) - devices.begin();
    const std::size_t at = sizes.size() == 1 ? 0 : static_cast<std::size_t>(index);
    if (at >= sizes.size() || sizes[at] == 0 || sizes[at] > binary_file_limit) return {};
    program_binary binary{kernel_names(program), std::string(sizes[at], '\0')};
    std::vector<unsigned char*> places(sizes.size(), nullptr); // nullptr: not wanted
    places[at] = reinterpret_cast<unsigned char*>(binary.bytes.data());
    check_status(
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, places.size() * sizeof places[0], places.data(), nullptr),
        "binary_of", "clGetProgramInfo");
    return binary;
}

/// A built program from a binary; an empty handle when the driver refuses it or makes other kernels of it.
UPSWEEP_INLINE cl::Program program_of(cl_context context, cl_device_id device, const std::string& options,
                                      const program_binary& binary) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.bytes.data());
    const std::size_t size = binary.bytes.size();
    cl_int accepted = CL_SUCCESS;
    cl_int status = CL_SUCCESS;
    cl::Program program(clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &accepted, &status));
    if (status != CL_SUCCESS || accepted != CL_SUCCESS) return {};
    if (clBuildProgram(program(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) return {};
    const std::string names = kernel_names(program());
    if (!names.empty() && !binary.kernels.empty() && names != binary.kernels) return {};
    return program;
}

/// Does what is no error of a call when it fails.
template <class Step>
void quietly(Step&& step) {
    try {
        step();
    } catch (const std::exception&) { // nothing to report
    }
}

/// A place in the cache on disk. Whatever goes wrong here is no error of the call: what was to be read there is made
/// anew.
class cache_entry {
public:
    /// No place: never read, never written.
    cache_entry() = default;

    UPSWEEP_INLINE cache_entry(cl_device_id device, std::string_view options, std::string_view source) {
        quietly([&] {
            folder_ = binary_cache_folder();
            if (!folder_.empty()) key_ = binary_key(device, options, source);
        });
    }

    bool has_place() const { return !key_.empty(); }

    /// What `write` was given; none when it is not there, or not whole.
    UPSWEEP_INLINE maybe<program_binary> read() const {
        maybe<program_binary> found;
        quietly([&] {
            if (!has_place()) return;
            if (const auto content = read_file(path_in(folder_, binary_file_name(key_))))
                found = decode(*content, key_);
        });
        return found;
    }

    /// Whether a file can be made there.
    UPSWEEP_INLINE bool can_write() const {
        if (!has_place()) return false;
        const std::string name = temporary_file_name();
        if (!write_file(folder_, name, "a file to try")) return false;
        std::remove(path_in(folder_, name).c_str());
        return true;
    }

    /// Replaces what is there.
    UPSWEEP_INLINE void write(const program_binary& binary) const {
        quietly([&] {
            if (has_place() && write_file(folder_, binary_file_name(key_), encode(key_, binary)))
                limit_folder(folder_, binary_folder_limit);
        });
    }

private:
    std::string folder_;
    std::string key_; ///< empty: no place
};

/// One program in the cache on disk.
class cached_program {
public:
    /// Never loaded, never stored.
    cached_program() = default;

    UPSWEEP_INLINE cached_program(cl_device_id device, const std::string& options, std::string_view source)
        : device_(device)
        , options_(options)
        , entry_(device, options, source) {}

    /// An empty handle when there is no usable binary.
    UPSWEEP_INLINE cl::Program load(cl_context context) const {
        cl::Program program;
        const maybe<program_binary> binary = entry_.read();
        quietly([&] {
            if (binary) program = program_of(context, device_, options_, *binary);
        });
        return program;
    }

    /// The source as it must be built for `store`. PoCL keeps what it compiles in files, under a hash of the text. To
    /// give a binary it reads them all, and the process ends (3.1: in readdir) where another thread or process adds
    /// files meanwhile. So the text becomes one that nobody else builds.
    UPSWEEP_INLINE std::string own_text(const std::string& source) const {
        std::string text = source;
        quietly([&] {
            if (!entry_.has_place() || !is_pocl(platform_of("own_text", device_)) || !entry_.can_write()) return;
            std::string name = temporary_file_name();
            for (char& c : name)
                if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
            text += "\ntypedef int upsweep_" + name + ";\n";
        });
        return text;
    }

    /// Replaces what is there, which `load` has found unusable.
    UPSWEEP_INLINE void store(cl_program program) const {
        if (!entry_.has_place()) return;
        quietly([&] {
            if (const auto binary = binary_of(program, device_)) entry_.write(*binary);
        });
    }

private:
    cl_device_id device_ = nullptr;
    std::string options_;
    cache_entry entry_;
};

} // namespace upsweep::detail
