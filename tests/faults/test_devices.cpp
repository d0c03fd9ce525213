// SPDX-License-Identifier: MIT
// What the library makes of devices that are not here: questions to the one that is are answered in its place.
#include "first_uses.hpp"
#include "scenarios.hpp"

#include <string>

namespace {

/// An answer, until the end of the scope.
class answered {
public:
    template <class T>
    answered(cl_device_info what, const T& value)
        : answered(what, std::string(reinterpret_cast<const char*>(&value), sizeof value)) {}
    answered(cl_device_info what, const std::string& bytes)
        : what_(what) {
        faults::answer(what, bytes);
    }
    ~answered() { faults::answer(what_, {}); }
    answered(const answered&) = delete;
    answered& operator=(const answered&) = delete;

private:
    cl_device_info what_;
};

std::string error_of_default_device() {
    try {
        upsweep::default_device();
    } catch (const upsweep::error& e) {
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("a device that is not available, or has no compiler, is not chosen", "[faults]") {
    CHECK(error_of_default_device() == "none");
    for (const cl_device_info what : {CL_DEVICE_AVAILABLE, CL_DEVICE_COMPILER_AVAILABLE}) {
        const answered lacking(what, cl_bool{CL_FALSE});
        const std::string message = error_of_default_device();
        CAPTURE(message);
        CHECK(message.find("OpenCL devices") != std::string::npos);
        CHECK(message.find(", not available") != std::string::npos);
        CHECK_FALSE(upsweep::devices().empty());
    }
}

TEST_CASE("PTX is for NVIDIA devices of compute capability 7.0 and up, with addresses of 64 bits", "[faults]") {
    const cl_device_id device = upsweep::default_device().device();
    const auto takes_ptx = [&] { return upsweep::detail::read_limits("test", device).has_ptx; };
    CHECK_FALSE(takes_ptx());
    const std::string extensions = std::string("cl_khr_fp64 cl_nv_device_attribute_query") + '\0';
    const answered names(CL_DEVICE_EXTENSIONS, extensions);
    for (const cl_uint bits : {64U, 32U}) {
        const answered addresses(CL_DEVICE_ADDRESS_BITS, bits);
        for (const cl_uint capability : {52U, 61U, 70U, 75U, 90U, 103U}) {
            const answered major(0x4000, cl_uint{capability / 10});
            const answered minor(0x4001, cl_uint{capability % 10});
            CAPTURE(bits, capability);
            CHECK(takes_ptx() == (capability >= 70 && bits == 64));
        }
    }
}

TEST_CASE("kernels that take fewer work-items than the device give way to some that run", "[faults]") {
    upsweep::options opts;
    opts.strategy = upsweep::strategy::reduce_then_scan;
    opts.work_items = 128;
    opts.items = 4;
    const std::vector<int> in = test::make_input<int>(20011, 8);
    const std::vector<int> expected = test::reference_scan<int>(in, false, std::optional<int>(), upsweep::plus{});
    for (const std::size_t most : {64U, 32U, 1U}) {
        CAPTURE(most);
        faults::first_uses first;
        faults::limit_work_groups(most);
        std::vector<int> out(in.size());
        upsweep::inclusive_scan(first.queue, in.begin(), in.end(), out.begin(), upsweep::plus{}, opts);
        const int sum = upsweep::reduce(first.queue, in.begin(), in.end(), upsweep::no_init, upsweep::plus{}, opts);
        faults::limit_work_groups(faults::never);
        CHECK(out == expected);
        CHECK(sum == expected.back());
        REQUIRE(first.reports.size() == 2);
        for (const upsweep::self_check_report& r : first.reports)
            CHECK(r.wrong.find("work-groups") != std::string::npos);
    }
}
