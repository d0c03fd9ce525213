// SPDX-License-Identifier: MIT
#pragma once

#if __has_include("detail/source/source.hpp") && !__has_include(<upsweep/detail/source/kernels.hpp>)
#error "upsweep: this is the include folder of a clone, without the kernels. Configure the clone with CMake and link \
upsweep::upsweep, or install it and use the installed headers: cmake/README.md."
#include <upsweep: see the error above>
#endif

#include <stdexcept>
#include <string>
#include <utility>

namespace upsweep {

#if defined(__GNUC__) && !defined(_WIN32)
// The type must be the same in a shared library and in what catches it, though all else may be hidden there.
#pragma GCC visibility push(default)
#endif

/// The one exception type of the library.
///
/// Thrown before anything is enqueued when a call cannot be right, and when an OpenCL call fails. `what()` reads
/// "function: argument: cause"; the parts are available on their own.
class error : public std::runtime_error {
public:
    /// @param function  the public function that was called, such as "exclusive_scan"
    /// @param argument  the argument at fault, or the OpenCL call that failed
    /// @param cause     what was wrong, with the numbers involved
    /// @param status    the OpenCL status code, 0 when no OpenCL call was involved
    error(std::string function, std::string argument, std::string cause, int status = 0)
        : std::runtime_error(function + ": " + argument + ": " + cause)
        , function_(std::move(function))
        , argument_(std::move(argument))
        , cause_(std::move(cause))
        , status_(status) {}

    /// The public function that was called.
    const std::string& function() const noexcept { return function_; }
    /// The argument at fault, or the OpenCL call that failed.
    const std::string& argument() const noexcept { return argument_; }
    /// What was wrong.
    const std::string& cause() const noexcept { return cause_; }
    /// The OpenCL status code, such as CL_INVALID_KERNEL_ARGS; 0 when no OpenCL call was involved.
    int status() const noexcept { return status_; }

private:
    std::string function_;
    std::string argument_;
    std::string cause_;
    int status_;
};

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

} // namespace upsweep
