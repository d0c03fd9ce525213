// SPDX-License-Identifier: MIT
// Texts for kernels of one's own: scans, reductions and broadcasts of a work-group, twice in a row, against the host.
#include <upsweep/vector_types.hpp>
#include <upsweep/work_group_source.hpp>

#include "catch.hpp"
#include "device_fixture.hpp"
#include "support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;
using fixture::expect_error;
using upsweep::tile_algorithm;
using upsweep::tree_reduce;

constexpr std::size_t functions = 6; ///< that the kernel calls, in each of two rounds
constexpr std::size_t rounds = 2;

/// Calls every function of a text of the name "own" with values of type VALUE. What they return is written one after
/// another, each for all work-items.
constexpr const char* calls_of_all = R"(
__kernel __attribute__((reqd_work_group_size(OWN_WORK_GROUP_SIZE, 1, 1)))
void call_all(__global const VALUE* in, __global const uint* counts, __global VALUE* out,
              uint guard)
{
    __local VALUE memory[OWN_MEMORY];
    const uint local_id = get_local_id(0), group = get_group_id(0), all = get_global_size(0);
    in += group * OWN_WORK_GROUP_SIZE + local_id;
    out += guard + group * OWN_WORK_GROUP_SIZE + local_id;
    const VALUE init = in[2 * all - group * OWN_WORK_GROUP_SIZE - local_id];
    for (uint round = 0; round < 2; ++round) {
        const uint count = counts[2 * group + round];
        const VALUE value = in[round * all];
        VALUE total;
        out[0] = own_inclusive_scan(local_id, value, count, memory);
        out[2 * all] = own_exclusive_scan_from(local_id, init, value, count, memory);
        out[all] = own_scan_with_total(local_id, value, count, memory, &total);
        out[3 * all] = total;
        out[4 * all] = own_reduce(local_id, value, count, memory);
        out[5 * all] = own_broadcast(local_id, value, count - 1, memory);
        out += 6 * all;
    }
}
)";

cl::Program build_own(const cl::CommandQueue& queue, const std::string& text, const char* options = "-cl-std=CL1.2") {
    cl_int status = CL_SUCCESS;
    cl::Program program(queue.getInfo<CL_QUEUE_CONTEXT>(), text, false, &status);
    REQUIRE(status == CL_SUCCESS);
    status = program.build(options);
    INFO(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(fixture::device_of(queue)));
    REQUIRE(status == CL_SUCCESS);
    return program;
}

/// What the functions return for one work-group in one round.
template <class T, class Op>
std::vector<std::vector<T>> expected_of(const std::vector<T>& values, std::size_t count, const Op& op) {
    const std::vector<T> used(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    const auto behind = [&](std::vector<T> scan) { // work-items without a value keep what they passed
        scan.insert(scan.end(), values.begin() + static_cast<std::ptrdiff_t>(count), values.end());
        return scan;
    };
    const std::vector<T> inclusive = test::reference_scan<T>(used, false, std::optional<T>(), op);
    std::vector<T> exclusive{values[0]};
    exclusive.insert(exclusive.end(), inclusive.begin(), inclusive.end() - 1);
    const std::vector<T> from = test::reference_scan<T>(used, true, std::optional<T>(test::make_init<T>()), op);
    const std::vector<T> total(values.size(), inclusive.back());
    const std::vector<T> broadcast(values.size(), used.back());
    return {behind(inclusive), behind(exclusive), behind(from), total, total, broadcast};
}

/// @param optimised  else a program takes PoCL a third of the time to build
template <class T>
void check_functions(std::uint32_t work_items, tile_algorithm algorithm, tree_reduce reduction, bool optimised) {
    CAPTURE(work_items, upsweep::to_string(algorithm), upsweep::to_string(reduction), upsweep::type<T>::name);
    const cl::CommandQueue& queue = test::queue();
    const auto op = test::natural_operator<T>();
    const std::string text = upsweep::work_group_source<T>(op, work_items, algorithm, "own", reduction) +
                             "#define VALUE " + upsweep::type<T>::name + calls_of_all;
    cl::Kernel kernel(build_own(queue, text, optimised ? "-cl-std=CL1.2" : "-cl-std=CL1.2 -cl-opt-disable"),
                      "call_all");

    // Of each group a count for each round: all, one, and what is between them.
    const std::vector<std::uint32_t> counts{work_items, work_items, 1, work_items, work_items / 2 + 1, work_items};
    const std::size_t groups = counts.size() / rounds;
    std::vector<T> in;
    std::vector<std::vector<T>> expected(functions * rounds);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::size_t round = i / groups, group = i % groups;
        const std::vector<T> values = test::make_input<T>(work_items, static_cast<std::uint32_t>(i));
        in.insert(in.end(), values.begin(), values.end());
        const auto results = expected_of(values, counts[rounds * group + round], op);
        for (std::size_t f = 0; f < functions; ++f) {
            std::vector<T>& all = expected[round * functions + f];
            all.insert(all.end(), results[f].begin(), results[f].end());
        }
    }
    in.push_back(test::make_init<T>());

    const fixture::guarded_array<T> values(queue, in, 0);
    const fixture::guarded_array<std::uint32_t> numbers(queue, counts, 0);
    const fixture::guarded_array<T> out(queue, (in.size() - 1) * functions);
    kernel.setArg(0, values.buffer());
    kernel.setArg(1, numbers.buffer());
    const std::size_t all = groups * work_items;
    kernel.setArg(2, out.buffer());
    kernel.setArg(3, static_cast<cl_uint>(out.guard()));
    REQUIRE(queue.enqueueNDRangeKernel(kernel, cl::NullRange, all, work_items) == CL_SUCCESS);
    const std::vector<T> got = out.values();
    for (std::size_t f = 0; f < expected.size(); ++f) {
        const auto begin = got.begin() + static_cast<std::ptrdiff_t>(f * all);
        CAPTURE(f);
        CHECK(std::equal(expected[f].begin(), expected[f].end(), begin));
    }
    CHECK(out.guards_intact());
}

} // namespace

// Each size with each algorithm, each type and each tree; one algorithm with one type.
TEST_CASE("a work-group scans, reduces and broadcasts in a kernel of one's own, by every algorithm, of every size",
          "[api]") {
    const std::vector<tile_algorithm> algorithms{tile_algorithm::blelloch, tile_algorithm::hillis_steele,
                                                 tile_algorithm::brent_kung};
    const std::vector<tree_reduce> trees{tree_reduce::interleaved, tree_reduce::compacted, tree_reduce::sequential};
    std::size_t k = 0;
    for (const std::uint32_t work_items : {1U, 2U, 3U, 31U, 32U, 33U, 64U, 100U, 256U}) {
        if (work_items > test::limits().max_work_group_size) break;
        check_functions<std::int32_t>(work_items, algorithms[k % 3], trees[k / 3], false);
        check_functions<float>(work_items, algorithms[(k + 1) % 3], trees[(k / 3 + 1) % 3], false);
        check_functions<test::segment>(work_items, algorithms[(k + 2) % 3], trees[(k / 3 + 2) % 3], false);
        ++k;
    }
}

TEST_CASE("a work-group's functions have no races and touch no memory but their own", "[api][simulated]") {
    check_functions<test::segment>(5, tile_algorithm::blelloch, tree_reduce::interleaved, true);
    check_functions<std::int32_t>(8, tile_algorithm::hillis_steele, tree_reduce::compacted, true);
    check_functions<float>(11, tile_algorithm::brent_kung, tree_reduce::sequential, true);
}

namespace {

/// Calls every function of a text of sub-groups, by work-groups of two.
constexpr const char* calls_of_lanes = R"(
__kernel OWN_ASK_SUB_GROUP void call_lanes(__global const VALUE* in, __global VALUE* out)
{
    const uint i = get_group_id(0) * 64 + own_sub_group() * 32 + own_lane(), all = get_global_size(0);
    VALUE total;
    out[i] = own_lanes_inclusive_scan(in[i]);
    out[i + all] = own_lanes_scan_with_total(in[i], &total);
    out[i + 2 * all] = total;
    out[i + 3 * all] = own_lanes_exclusive_scan(in[i]);
    out[i + 4 * all] = own_lanes_reduce(in[i]);
    out[i + 5 * all] = own_lanes_broadcast(in[i], 31);
}
)";

template <class T>
void check_lanes() {
    CAPTURE(upsweep::type<T>::name);
    const cl::CommandQueue& queue = test::queue();
    const cl_device_id device = fixture::device_of(queue)();
    const auto op = test::natural_operator<T>();
    const upsweep::sub_group_text sums = upsweep::sub_group_source<T>(device, op, "own");
    CHECK(sums.text.empty() == (test::limits().lanes == upsweep::detail::lanes_backend::none));
    if (sums.text.empty()) return;
    const std::string text = sums.text + "#define VALUE " + upsweep::type<T>::name + calls_of_lanes;
    cl::Kernel kernel(build_own(queue, text, sums.options.c_str()), "call_lanes");
    CHECK_FALSE(upsweep::has_sub_groups(kernel(), device, 48));
    if (!upsweep::has_sub_groups(kernel(), device, 64)) return;

    constexpr std::size_t lanes = 32, all = 3 * 64;
    std::vector<T> in;
    std::vector<std::vector<T>> expected(functions);
    for (std::size_t begin = 0; begin < all; begin += lanes) {
        const std::vector<T> values = test::make_input<T>(lanes, static_cast<std::uint32_t>(begin));
        in.insert(in.end(), values.begin(), values.end());
        std::vector<std::vector<T>> results = expected_of(values, lanes, op);
        const auto take = [&](std::size_t to, std::size_t from) {
            expected[to].insert(expected[to].end(), results[from].begin(), results[from].end());
        };
        take(0, 0);
        take(1, 1);
        take(2, 3);
        take(3, 1);
        take(4, 4);
        take(5, 5);
    }
    const fixture::guarded_array<T> values(queue, in, 0), out(queue, functions * all, 0);
    kernel.setArg(0, values.buffer());
    kernel.setArg(1, out.buffer());
    REQUIRE(queue.enqueueNDRangeKernel(kernel, cl::NullRange, all, 64) == CL_SUCCESS);
    const std::vector<T> got = out.values();
    for (std::size_t f = 0; f < functions; ++f) {
        CAPTURE(f);
        CHECK(std::equal(expected[f].begin(), expected[f].end(), got.begin() + static_cast<std::ptrdiff_t>(f * all)));
    }
}

} // namespace

TEST_CASE("a sub-group scans, reduces and broadcasts in a kernel of one's own, where the device has such", "[api]") {
    check_lanes<std::int32_t>();
    check_lanes<float>();
    check_lanes<test::segment>();
}

TEST_CASE("texts of several names, types and operators stand in one program, and a type's definition without them",
          "[api]") {
    const auto joined = upsweep::make_operator<test::segment>("return join(left, right);",
                                                              "segment join(segment a, segment b)\n"
                                                              "{ segment c = {a.first, b.last, 0}; return c; }");
    const std::string kernel = R"(
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void use(__global ushort* out)
{
    __local ushort memory[UPSWEEP_MEMORY];
    __local segment segments[ONE_MEMORY];
    const uint i = get_local_id(0);
    const ushort most = upsweep_reduce(i, (ushort)(7 * i % 5), 8, memory);
    const segment own = {i, i, 1};
    const segment all = one_reduce(i, own, 8, segments);
    out[i] = most + 10 * all.last + 100 * two_combine(own, all).first;
}
)";
    const cl::CommandQueue& queue = test::queue();
    cl::Kernel use(build_own(queue, upsweep::work_group_source<test::segment>(joined, 8, {}, "one") +
                                        upsweep::work_group_source<test::segment>(joined, 4, tile_algorithm::brent_kung,
                                                                                  "two", tree_reduce::interleaved) +
                                        upsweep::work_group_source<std::uint16_t>(upsweep::maximum{}, 8) + kernel),
                   "use");
    const fixture::guarded_array<std::uint16_t> out(queue, 8, 0);
    use.setArg(0, out.buffer());
    REQUIRE(queue.enqueueNDRangeKernel(use, cl::NullRange, 8, 8) == CL_SUCCESS);
    CHECK(out.values() == std::vector<std::uint16_t>{74, 174, 274, 374, 474, 574, 674, 774});

    const std::string size = "__kernel void size(__global uint* out) { out[0] = sizeof(segment); }";
    build_own(queue, upsweep::type<test::segment>::definition + size);
}

TEST_CASE("a text of a name that the program has, and mistakes in an operator, are named in the build log", "[api]") {
    const auto log_of = [](const std::string& text) {
        cl::Program program(test::queue().getInfo<CL_QUEUE_CONTEXT>(), text, false);
        CHECK(program.build("-cl-std=CL1.2") != CL_SUCCESS);
        return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(fixture::device_of(test::queue()));
    };
    const auto source = [](const char* body) {
        return upsweep::work_group_source<int>(upsweep::make_operator<int>(body), 4, {}, "sums");
    };
    const std::string good = source("return left + right;");
    CHECK_THAT(log_of(good + good), ContainsSubstring("two texts of the library have the name sums"));
    if (test::limits().has_ptx) return test::skip("NVIDIA's compiler counts the lines of the whole text");
    CHECK_THAT(log_of(source("int sum = left;\nreturn sum + nonsense;")), ContainsSubstring("operator:2"));
    CHECK_THAT(log_of(good + "\n\n__kernel void use() { nonsense(); }"), ContainsSubstring("kernel:3"));
}

TEST_CASE("NVIDIA's compiler is given operands of kernels of one's own that it takes apart rightly", "[unit]") {
    const char* operand = "OWN_OPERAND_OF_LANE(second.words[0])";
    const auto add = upsweep::make_operator<cl_ushort4>("return left + right;");
    CHECK_THAT(upsweep::work_group_source<cl_ushort4>(add, 8, tile_algorithm::automatic, "own"),
               ContainsSubstring("#ifdef __NV_CL_C_VERSION\n#undef own_combine\n") && ContainsSubstring(operand));
    const std::string of_bytes = "return as_int(as_uchar4(left) + as_uchar4(right));";
    CHECK_THAT(upsweep::work_group_source<int>(upsweep::make_operator<int>(of_bytes), 8, {}, "own"),
               ContainsSubstring(operand));
    CHECK_THAT(upsweep::work_group_source<int>(upsweep::plus{}, 8, {}, "own"), !ContainsSubstring("own_members"));
}

TEST_CASE("mistakes in the arguments of work_group_source are named", "[unit]") {
    const auto source = [](std::uint32_t work_items, tile_algorithm algorithm, const char* name,
                           const char* body = "return left;") {
        return [=] { upsweep::work_group_source<int>(upsweep::make_operator<int>(body), work_items, algorithm, name); };
    };
    const char* function = "work_group_source";
    const tile_algorithm any = tile_algorithm::automatic;
    expect_error(function, "work_items", "0 is not from 1 to 2^20", source(0, any, "a"));
    expect_error(function, "work_items", "1048577 is not from 1 to 2^20", source((1U << 20) + 1, any, "a"));
    expect_error(function, "algorithm", "sub_group is not among", source(8, tile_algorithm::sub_group, "a"));
    expect_error(function, "algorithm", "is no enumerator", source(8, static_cast<tile_algorithm>(99), "a"));
    for (const char* name : {"", "1a", "a b", "a-b"})
        expect_error(function, "name", "is no identifier", source(8, any, name));
    expect_error(function, "name", "functions of its own that begin with work_group_", source(8, any, "work_group"));
    expect_error(function, "operator", "the text has no return statement", source(8, any, "a", "left;"));
    expect_error(function, "operator", "closes nothing", source(8, any, "a", "return left;}"));
}
