// SPDX-License-Identifier: MIT
// What the first call costs, which builds its program, against a warm one:
//
//   first_call  process     the very first call of this process, whatever is cached on disk
//               new_text    an operator that nobody has built before: the whole build
//               large       the same of 2^24 elements, whose kernels are others
//               one_kernel  not the library: a kernel of one line that nobody has built before, and its launch
//               forgotten   the library's programs forgotten: the build as far as the driver does not cache it
//               warm        every call after the first
//
// and what building the program alone costs, of an operator that is new each time:
//
//   build       source      from source
//               store       from source, its binary then kept on disk
//               binary      from the binary on disk, as a second process does

#include "common/device_rows.hpp"
#include "common/upsweep_side.hpp"
#include "common/windows.hpp"

#include <atomic>
#include <filesystem>
#include <random>

namespace {

using namespace bench;
using custom_plus = upsweep::custom_operator<std::int32_t>;
constexpr std::uint64_t count = 1 << 10;

double timed(const std::function<void()>& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return seconds_since(start);
}

/// One blocking call of the free function, as a user makes the first one.
template <class Op>
void scan_once(const Op& op, std::uint64_t n = count) {
    const auto in = arrays<std::int32_t>(n).input_span(n);
    const auto out = arrays<std::int32_t>(n).output_span(n);
    upsweep::exclusive_scan(target().queue, in, out, 0, op);
    check(target().queue.finish(), "clFinish");
}

unsigned random_number() {
    static std::atomic<unsigned> number{std::random_device{}()};
    return number++;
}

/// Addition under a text that no cache has seen. No comment: PoCL looks up what the preprocessor leaves.
custom_plus fresh_operator() {
    const std::string name = "new_" + std::to_string(random_number());
    return upsweep::make_operator<std::int32_t>("const int " + name + " = 0; return left + right + " + name + ";");
}

/// Builds and runs a kernel that writes one number.
void run_fresh_kernel() {
    const std::string source = "__kernel void write_one(__global int* out) { out[get_global_id(0)] = " +
                               std::to_string(random_number() % 1000000007U) + "; }";
    const cl::Context context(target().context(), true);
    const cl::Program program(context, source);
    check(program.build("-cl-std=CL1.2"), "clBuildProgram");
    cl::Kernel kernel(program, "write_one");
    const cl_mem out = arrays<std::int32_t>(count).output_span(count).buffer();
    check(kernel.setArg(0, sizeof out, &out), "clSetKernelArg");
    check(target().queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1)),
          "clEnqueueNDRangeKernel");
    check(target().queue.finish(), "clFinish");
}

/// Binaries go here, not among the user's own, from the first use to the end of the process.
class temporary_cache {
public:
    static void use() { static const temporary_cache one; }

private:
    temporary_cache()
        : folder_(std::filesystem::temp_directory_path() / ("upsweep-bench-" + std::to_string(random_number()))) {
#if defined(_WIN32)
        _putenv_s("UPSWEEP_CACHE_DIR", folder_.string().c_str());
#else
        setenv("UPSWEEP_CACHE_DIR", folder_.string().c_str(), 1);
#endif
    }
    ~temporary_cache() {
        std::error_code failure;
        std::filesystem::remove_all(folder_, failure);
    }

    std::filesystem::path folder_;
};

/// A plan is what takes the building, and then one scan shows that what was built is right.
double build(const custom_plus& op) {
    const double elapsed = timed(
        [&] { const upsweep::scan_plan<std::int32_t, std::int32_t, custom_plus> plan(target().queue, count, op); });
    scan_once(op);
    return elapsed;
}

/// Builds from the binary that an earlier build has stored.
double build_from_binary() {
    const auto op = fresh_operator();
    build(op);
    upsweep::release_cached(target().context());
    const std::uint64_t before = upsweep::detail::build_counts::get().from_binary;
    const double elapsed = build(op);
    if (upsweep::detail::build_counts::get().from_binary == before)
        throw std::runtime_error("not built from the binary; is UPSWEEP_CACHE off?");
    return elapsed;
}

enum class disk { as_it_is, off, temporary };

void add(const char* operation, const char* variant, disk cache, benchmark::IterationCount iterations,
         std::function<double()> seconds, std::uint64_t n = count) {
    auto* row = add_row(row_name(operation, "upsweep", variant, "int32", n), 0, [=] {
        prepared_call prepared;
        prepared.poison = [=] { arrays<std::int32_t>(n).poison_output(n); };
        // A call that is measured is the call that is checked: the first must not be spent before the clock runs.
        prepared.run = [] {};
        prepared.check = [] { return std::string(); };
        prepared.seconds = [=] {
            if (cache == disk::temporary) temporary_cache::use();
            upsweep::use_binary_cache(cache != disk::off);
            const double elapsed = seconds();
            const std::string wrong = check_scan<std::int32_t, sum>(n, true, arrays<std::int32_t>(n).read_output());
            if (!wrong.empty()) throw std::runtime_error(wrong);
            return elapsed;
        };
        return prepared;
    });
    if (iterations > 0) row->Iterations(iterations)->Repetitions(1);
}

} // namespace

int main(int argc, char** argv) {
    describe_target();
    arrays<std::int32_t>(count).poison_output(count);
    add("first_call", "process", disk::as_it_is, 1, [] { return timed([] { scan_once(upsweep::plus{}); }); });
    add("first_call", "new_text", disk::off, 5, [] {
        const auto op = fresh_operator();
        return timed([&] { scan_once(op); });
    });
    add("first_call", "one_kernel", disk::off, 5, [] {
        const double elapsed = timed(run_fresh_kernel);
        scan_once(upsweep::plus{});
        return elapsed;
    });
    const std::uint64_t large = limited_size(24);
    add(
        "first_call", "large", disk::off, 5,
        [=] {
            const auto op = fresh_operator();
            return timed([&] { scan_once(op, large); });
        },
        large);
    add("first_call", "forgotten", disk::off, 5, [] {
        upsweep::release_cached(target().context());
        return timed([] { scan_once(upsweep::plus{}); });
    });
    add("first_call", "warm", disk::off, 0, [] { return timed([] { scan_once(upsweep::plus{}); }); });
    add("build", "source", disk::off, 3, [] { return build(fresh_operator()); });
    add("build", "store", disk::temporary, 3, [] { return build(fresh_operator()); });
    add("build", "binary", disk::temporary, 3, build_from_binary);
    return run_rows(argc, argv);
}
