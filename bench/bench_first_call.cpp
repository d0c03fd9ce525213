// What the first call costs, which builds its program, against a warm one:
//
//   process     the very first call of this process, whatever is cached on disk
//   new_text    an operator that nobody has built before: the whole build
//   forgotten   the library's cache emptied: the build as far as the driver does not cache it
//   warm        every call after the first

#include "common/upsweep_side.hpp"

#include <atomic>
#include <random>

namespace {

using namespace bench;
constexpr std::uint64_t count = 1 << 10;

double timed(const std::function<void()>& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return seconds_since(start);
}

/// One blocking call of the free function, as a user makes the first one.
template <class Op>
void scan_once(const Op& op) {
    const auto in = arrays<std::int32_t>(count).input_span(count);
    const auto out = arrays<std::int32_t>(count).output_span(count);
    upsweep::exclusive_scan(target().queue, in, out, 0, op);
    check(target().queue.finish(), "clFinish");
}

/// Addition under a text that no cache has seen.
upsweep::custom_operator<std::int32_t> fresh_operator() {
    static std::atomic<unsigned> number{std::random_device{}()};
    return upsweep::make_operator<std::int32_t>("/* " + std::to_string(number++) + " */ return left + right;");
}

void add(const char* variant, benchmark::IterationCount iterations, std::function<double()> seconds) {
    auto* row = add_row(row_name("first_call", "upsweep", variant, "int32", count), 0, [=] {
        prepared_call prepared;
        prepared.poison = [] { arrays<std::int32_t>(count).poison_output(count); };
        // A call that is measured is the call that is checked: the first must not be spent before the clock runs.
        prepared.run = [] {};
        prepared.check = [] { return std::string(); };
        prepared.seconds = [=] {
            const double elapsed = seconds();
            const std::string wrong =
                check_scan<std::int32_t, sum>(count, true, arrays<std::int32_t>(count).read_output());
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
    add("process", 1, [] { return timed([] { scan_once(upsweep::plus{}); }); });
    add("new_text", 5, [] {
        const auto op = fresh_operator();
        return timed([&] { scan_once(op); });
    });
    add("forgotten", 5, [] {
        upsweep::release_cached(target().context());
        return timed([] { scan_once(upsweep::plus{}); });
    });
    add("warm", 0, [] { return timed([] { scan_once(upsweep::plus{}); }); });
    return run_rows(argc, argv);
}
