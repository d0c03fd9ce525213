// SPDX-License-Identifier: MIT
// Everything that prints by name: OpenCL's statuses, launches, choices, and values that no enumerator has.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "device_fixture.hpp"

#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace upsweep::detail;
using fixture::expect_error;
using upsweep::launch_plan;
using upsweep::pass;

TEST_CASE("OpenCL statuses have their names, others their number", "[unit]") {
#define UPSWEEP_TEST_STATUS(name) CHECK(status_name(name) == #name)
    UPSWEEP_TEST_STATUS(CL_SUCCESS);
    UPSWEEP_TEST_STATUS(CL_DEVICE_NOT_FOUND);
    UPSWEEP_TEST_STATUS(CL_DEVICE_NOT_AVAILABLE);
    UPSWEEP_TEST_STATUS(CL_COMPILER_NOT_AVAILABLE);
    UPSWEEP_TEST_STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    UPSWEEP_TEST_STATUS(CL_OUT_OF_RESOURCES);
    UPSWEEP_TEST_STATUS(CL_OUT_OF_HOST_MEMORY);
    UPSWEEP_TEST_STATUS(CL_PROFILING_INFO_NOT_AVAILABLE);
    UPSWEEP_TEST_STATUS(CL_MEM_COPY_OVERLAP);
    UPSWEEP_TEST_STATUS(CL_IMAGE_FORMAT_MISMATCH);
    UPSWEEP_TEST_STATUS(CL_IMAGE_FORMAT_NOT_SUPPORTED);
    UPSWEEP_TEST_STATUS(CL_BUILD_PROGRAM_FAILURE);
    UPSWEEP_TEST_STATUS(CL_MAP_FAILURE);
    UPSWEEP_TEST_STATUS(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    UPSWEEP_TEST_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    UPSWEEP_TEST_STATUS(CL_COMPILE_PROGRAM_FAILURE);
    UPSWEEP_TEST_STATUS(CL_LINKER_NOT_AVAILABLE);
    UPSWEEP_TEST_STATUS(CL_LINK_PROGRAM_FAILURE);
    UPSWEEP_TEST_STATUS(CL_DEVICE_PARTITION_FAILED);
    UPSWEEP_TEST_STATUS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    UPSWEEP_TEST_STATUS(CL_INVALID_VALUE);
    UPSWEEP_TEST_STATUS(CL_INVALID_DEVICE_TYPE);
    UPSWEEP_TEST_STATUS(CL_INVALID_PLATFORM);
    UPSWEEP_TEST_STATUS(CL_INVALID_DEVICE);
    UPSWEEP_TEST_STATUS(CL_INVALID_CONTEXT);
    UPSWEEP_TEST_STATUS(CL_INVALID_QUEUE_PROPERTIES);
    UPSWEEP_TEST_STATUS(CL_INVALID_COMMAND_QUEUE);
    UPSWEEP_TEST_STATUS(CL_INVALID_HOST_PTR);
    UPSWEEP_TEST_STATUS(CL_INVALID_MEM_OBJECT);
    UPSWEEP_TEST_STATUS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    UPSWEEP_TEST_STATUS(CL_INVALID_IMAGE_SIZE);
    UPSWEEP_TEST_STATUS(CL_INVALID_SAMPLER);
    UPSWEEP_TEST_STATUS(CL_INVALID_BINARY);
    UPSWEEP_TEST_STATUS(CL_INVALID_BUILD_OPTIONS);
    UPSWEEP_TEST_STATUS(CL_INVALID_PROGRAM);
    UPSWEEP_TEST_STATUS(CL_INVALID_PROGRAM_EXECUTABLE);
    UPSWEEP_TEST_STATUS(CL_INVALID_KERNEL_NAME);
    UPSWEEP_TEST_STATUS(CL_INVALID_KERNEL_DEFINITION);
    UPSWEEP_TEST_STATUS(CL_INVALID_KERNEL);
    UPSWEEP_TEST_STATUS(CL_INVALID_ARG_INDEX);
    UPSWEEP_TEST_STATUS(CL_INVALID_ARG_VALUE);
    UPSWEEP_TEST_STATUS(CL_INVALID_ARG_SIZE);
    UPSWEEP_TEST_STATUS(CL_INVALID_KERNEL_ARGS);
    UPSWEEP_TEST_STATUS(CL_INVALID_WORK_DIMENSION);
    UPSWEEP_TEST_STATUS(CL_INVALID_WORK_GROUP_SIZE);
    UPSWEEP_TEST_STATUS(CL_INVALID_WORK_ITEM_SIZE);
    UPSWEEP_TEST_STATUS(CL_INVALID_GLOBAL_OFFSET);
    UPSWEEP_TEST_STATUS(CL_INVALID_EVENT_WAIT_LIST);
    UPSWEEP_TEST_STATUS(CL_INVALID_EVENT);
    UPSWEEP_TEST_STATUS(CL_INVALID_OPERATION);
    UPSWEEP_TEST_STATUS(CL_INVALID_GL_OBJECT);
    UPSWEEP_TEST_STATUS(CL_INVALID_BUFFER_SIZE);
    UPSWEEP_TEST_STATUS(CL_INVALID_MIP_LEVEL);
    UPSWEEP_TEST_STATUS(CL_INVALID_GLOBAL_WORK_SIZE);
    UPSWEEP_TEST_STATUS(CL_INVALID_PROPERTY);
    UPSWEEP_TEST_STATUS(CL_INVALID_IMAGE_DESCRIPTOR);
    UPSWEEP_TEST_STATUS(CL_INVALID_COMPILER_OPTIONS);
    UPSWEEP_TEST_STATUS(CL_INVALID_LINKER_OPTIONS);
    UPSWEEP_TEST_STATUS(CL_INVALID_DEVICE_PARTITION_COUNT);
#undef UPSWEEP_TEST_STATUS
    // Newer than the OpenCL that the tests are compiled for.
    const std::vector<std::pair<cl_int, std::string>> newer{{-69, "CL_INVALID_PIPE_SIZE"},
                                                            {-70, "CL_INVALID_DEVICE_QUEUE"},
                                                            {-71, "CL_INVALID_SPEC_ID"},
                                                            {-72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED"}};
    for (const auto& [status, name] : newer) CHECK(status_name(status) == name);
    for (const cl_int nameless : {1, -20, -29, -73, -9999, std::numeric_limits<cl_int>::min()})
        CHECK(status_name(nameless) == "OpenCL status " + std::to_string(nameless));
}

TEST_CASE("a failed call names itself and its status", "[unit]") {
    check_status(CL_SUCCESS, "f", "clFinish");
    expect_error("f", "clFinish", "CL_OUT_OF_RESOURCES", [] { check_status(CL_OUT_OF_RESOURCES, "f", "clFinish"); });
    try {
        check_status(CL_OUT_OF_RESOURCES, "f", "clFinish");
    } catch (const upsweep::error& e) {
        CHECK(e.status() == CL_OUT_OF_RESOURCES);
    }
}

TEST_CASE("every launch prints by name", "[unit]") {
    using kind = pass::kind;
    const std::vector<std::pair<kind, std::string>> names{
        {kind::scan_tiles, "scan tiles"},
        {kind::propagate_tiles, "propagate sums to tiles"},
        {kind::reduce_tiles, "reduce tiles"},
        {kind::reduce_chunks, "reduce chunks"},
        {kind::scan_chunks, "scan chunks"},
        {kind::look_back, "scan tiles, looking back"},
        {kind::reduce_once, "reduce parts, the last work-group their sums"},
        {kind::reduce_chunks_once, "reduce chunks, the last work-group their sums"},
        {kind::reduce_few, "reduce by one work-group"},
    };
    for (const auto& [what, name] : names) {
        CHECK(to_string(what) == name);
        launch_plan s;
        s.passes.push_back({what, 0, 1000, 3, false, false});
        std::ostringstream out;
        out << s;
        CHECK_THAT(out.str(), Catch::Matchers::ContainsSubstring("launch 1: " + name + ", elements: 1000 = 3"));
    }
}

TEST_CASE("what is no enumerator prints as a question mark", "[unit]") {
    CHECK(std::string("?") == to_string(static_cast<upsweep::tile_algorithm>(99)));
    CHECK(std::string("?") == to_string(static_cast<upsweep::tree_reduce>(99)));
    CHECK(std::string("?") == to_string(static_cast<upsweep::strategy>(99)));
    CHECK(std::string("?") == to_string(static_cast<pass::kind>(99)));
    CHECK(std::string("sub_group") == to_string(upsweep::tile_algorithm::sub_group));
    CHECK(std::string("sequential") == to_string(upsweep::tree_reduce::sequential));
    CHECK(std::string("scan_then_propagate") == to_string(upsweep::strategy::scan_then_propagate));
}

TEST_CASE("more tiles than have numbers, and more scratch than the device has, are refused", "[unit]") {
    device_limits limits;
    limits.name = "doctored";
    limits.max_allocation_bytes = 1000;
    launch_plan s;
    s.n = std::uint64_t{1} << 40;
    s.passes.push_back({pass::kind::look_back, 0, s.n, std::uint64_t{1} << 33, false, false});
    expect_error("f", "n", "more than 2^32 tiles", [&] { check_scratch("f", s, limits); });
    s.passes[0].work_groups = 5;
    s.n = std::uint64_t{1} << 43;
    s.chunk = 4096;
    check_scratch("f", s, limits);
    s.passes[0].what = pass::kind::reduce_once;
    expect_error("f", "n", "more than 2^31 parts", [&] { check_scratch("f", s, limits); });
    s.n -= 1;
    s.scratch_bytes = 1000;
    check_scratch("f", s, limits);
    s.scratch_bytes = 1001;
    expect_error("f", "n", "1001 bytes", [&] { check_scratch("f", s, limits); });
}
