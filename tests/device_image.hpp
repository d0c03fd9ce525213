// SPDX-License-Identifier: MIT
// Device memory of which every byte is accounted for.
#pragma once

#include <upsweep/detail/run/transfer.hpp>
#include <upsweep/upsweep.hpp>

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace test {

/// A buffer on the device, with a copy on the host of what it should hold: first what it was filled with, then also
/// what a call should have written. Whatever differs from that was written by mistake, or was not written.
class device_image {
public:
    device_image(cl_context context, cl_command_queue queue, std::vector<unsigned char> bytes)
        : queue_(queue)
        , expected_(std::move(bytes)) {
        cl_int status = CL_SUCCESS;
        const std::size_t size = expected_.empty() ? 1 : expected_.size();
        buffer_ = cl::Buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, size, nullptr, &status));
        upsweep::detail::check_status(status, "device_image", "clCreateBuffer");
        // The whole in one write: otherwise Oclgrind takes memory for uninitialised.
        if (!expected_.empty())
            upsweep::detail::write_bytes("device_image", queue, buffer_(), 0, expected_.data(), expected_.size());
    }

    const cl::Buffer& buffer() const { return buffer_; }
    std::size_t size() const { return expected_.size(); }

    /// From now on these bytes should be there.
    void expect(std::size_t offset, const void* bytes, std::size_t count) {
        if (count > 0) std::memcpy(&expected_[offset], bytes, count);
    }

    std::vector<unsigned char> read() const {
        std::vector<unsigned char> bytes(expected_.size());
        if (!bytes.empty())
            upsweep::detail::check_status(
                clEnqueueReadBuffer(queue_, buffer_(), CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
                "device_image", "clEnqueueReadBuffer");
        return bytes;
    }

    /// The first byte that is not as it should be; -1 when all are.
    std::ptrdiff_t first_difference() const { return first_difference(read()); }
    std::ptrdiff_t first_difference(const std::vector<unsigned char>& actual) const {
        if (expected_.empty() || std::memcmp(actual.data(), expected_.data(), actual.size()) == 0) return -1;
        std::size_t i = 0;
        while (actual[i] == expected_[i]) ++i;
        return static_cast<std::ptrdiff_t>(i);
    }

private:
    cl_command_queue queue_;
    std::vector<unsigned char> expected_;
    cl::Buffer buffer_;
};

} // namespace test
