// SPDX-License-Identifier: MIT
// A differential fuzzer: random types, operators, options, sizes, offsets and aliasing, every byte of every buffer
// compared with what a serial scan on the host says. A failure names the command that repeats its case alone.

#include "fuzz/family.hpp"
#include "fuzz/subjects.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace {

using clock_type = std::chrono::steady_clock;

const char* const usage =
    "usage: upsweep_fuzz [--seed S] [--seconds T | --cases N] [--device NAME] [--largest ELEMENTS]\n"
    "                    [--case K [--before B]] [--hang T] [--verbose]\n"
    "  --seed S       where the random draws begin; without it, a seed is made up and printed\n"
    "  --seconds T    how long to run (20)\n"
    "  --cases N      run so many cases instead\n"
    "  --device NAME  part of a device's or platform's name\n"
    "  --largest E    no more elements than this (4194304)\n"
    "  --case K       run case K alone, or with the B cases before it\n"
    "  --hang T       give up when one case takes more seconds than this (300)\n"
    "  --verbose      print every case\n";

struct arguments {
    std::uint64_t seed = 0;
    double seconds = 20;
    std::uint64_t cases = ~std::uint64_t{0};
    std::uint64_t first = 0;
    std::string device;
    std::size_t largest = std::size_t{1} << 22;
    double hang = 300;
    bool verbose = false;
};

/// Cases that share a batch, and so its programs.
constexpr std::uint64_t batch_cases = 32;
/// Programs are forgotten after so many batches, so that a long run does not fill the memory.
constexpr std::uint64_t batches_between_releases = 50;
constexpr std::uint64_t most_failures = 10;

// For the handler of signals and the watchdog: what is running.
std::atomic<std::uint64_t> running_seed{0};
std::atomic<std::uint64_t> running_case{0};
std::string running_batch;

std::string repeat_command(std::uint64_t seed, std::uint64_t number) {
    return "upsweep_fuzz --seed " + std::to_string(seed) + " --case " + std::to_string(number);
}

/// A crash inside a driver would otherwise take its case with it. Writing here is not strictly allowed, but the process
/// is lost anyway.
extern "C" void report_signal(int number) {
    std::fprintf(stderr, "\nsignal %d in: %s\n  %s\n", number, repeat_command(running_seed, running_case).c_str(),
                 running_batch.c_str());
    std::signal(number, SIG_DFL);
    std::raise(number);
}

/// Ends the process when a case hangs.
void watch(double seconds) {
    std::thread([seconds] {
        std::uint64_t seen = ~std::uint64_t{0};
        clock_type::time_point since = clock_type::now();
        for (;;) {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            if (running_case != seen) {
                seen = running_case;
                since = clock_type::now();
            } else if (std::chrono::duration<double>(clock_type::now() - since).count() > seconds) {
                std::fprintf(stderr, "\nhangs: %s\n  %s\n", repeat_command(running_seed, seen).c_str(),
                             running_batch.c_str());
                std::_Exit(3);
            }
        }
    }).detach();
}

arguments parse(int argc, char** argv) {
    arguments a;
    a.seed = std::random_device{}();
    std::uint64_t before = 0;
    bool alone = false;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--verbose") {
            a.verbose = true;
            continue;
        }
        if (i + 1 == argc) throw std::invalid_argument(name + " needs a value, or is not an option");
        const std::string value = argv[++i];
        if (name == "--device") {
            a.device = value;
            continue;
        }
        const double number = std::stod(value);
        if (name == "--seed")
            a.seed = std::stoull(value);
        else if (name == "--seconds")
            a.seconds = number;
        else if (name == "--cases")
            a.cases = std::stoull(value);
        else if (name == "--largest")
            a.largest = std::max<std::size_t>(1, std::stoull(value));
        else if (name == "--hang")
            a.hang = number;
        else if (name == "--before")
            before = std::stoull(value);
        else if (name == "--case") {
            a.first = std::stoull(value);
            alone = true;
        } else
            throw std::invalid_argument("unknown option " + name);
    }
    if (alone) {
        before = std::min(before, a.first);
        a.first -= before;
        a.cases = before + 1;
    }
    if (a.cases != ~std::uint64_t{0}) a.seconds = 1e9;
    return a;
}

fuzz::environment open_device(const arguments& a, std::string& name) {
    upsweep::device_info chosen;
    if (a.device.empty()) {
        chosen = upsweep::default_device();
    } else {
        for (const upsweep::device_info& d : upsweep::devices())
            if (!chosen.device() &&
                (d.name.find(a.device) != std::string::npos || d.platform.find(a.device) != std::string::npos))
                chosen = d;
        if (!chosen.device()) throw std::invalid_argument("no device is called " + a.device);
    }
    name = chosen.name + ", " + chosen.platform;
    fuzz::environment env;
    const cl_device_id device = chosen.device();
    cl_int status = CL_SUCCESS;
    env.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    upsweep::detail::check_status(status, "fuzz", "clCreateContext");
    const auto make_queue = [&](cl_command_queue_properties properties) {
        return cl::CommandQueue(upsweep::detail::create_queue("fuzz", env.context, device, properties));
    };
    env.in_order = make_queue(0);
    if (chosen.device.getInfo<CL_DEVICE_QUEUE_PROPERTIES>() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        env.out_of_order = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    env.limits = &upsweep::detail::limits_of("fuzz", device);
    env.largest = a.largest;
    env.simulator = chosen.platform == "Oclgrind";
    return env;
}

struct totals {
    std::uint64_t cases = 0, right = 0, refused = 0, failed = 0, batches = 0;
};

/// One line, written over and over, where somebody watches.
class progress {
public:
    explicit progress(const arguments& a)
        : arguments_(a) {
#if defined(__unix__) || defined(__APPLE__)
        shown_ = isatty(STDERR_FILENO) != 0;
#endif
    }
    double elapsed() const {
        return std::chrono::duration<double>(clock_type::now() - start_).count();
    }
    void show(const totals& t) {
        if (!shown_ || elapsed() < next_) return;
        next_ = elapsed() + 0.2;
        std::fprintf(stderr, "\r%.0f of %.0f s: %llu cases in %llu batches, %llu refused, %llu failed ", elapsed(),
                     arguments_.seconds, static_cast<unsigned long long>(t.cases),
                     static_cast<unsigned long long>(t.batches), static_cast<unsigned long long>(t.refused),
                     static_cast<unsigned long long>(t.failed));
    }
    void end() const {
        if (shown_) std::fputc('\n', stderr);
    }

private:
    const arguments& arguments_;
    bool shown_ = false;
    double next_ = 0;
    clock_type::time_point start_ = clock_type::now();
};

/// Built-in operators on scalars; and operators of one's own, which notice more: they do not commute.
struct subject_lists {
    std::vector<fuzz::subject> scalars, own;
    std::vector<fuzz::family_member> family; ///< what is built on scan and reduce

    subject_lists() {
        fuzz::add_integers(scalars);
        fuzz::add_wide_integers(scalars);
        fuzz::add_floats(scalars);
        fuzz::add_mixed(scalars);
        fuzz::add_own(own);
        fuzz::add_family(family);
    }
    const fuzz::subject& draw(fuzz::dice& d) const {
        const std::vector<fuzz::subject>& list = d.once_in(2) ? own : scalars;
        return list[d.below(list.size())];
    }
};

std::unique_ptr<fuzz::any_batch> draw_batch(const subject_lists& subjects, const fuzz::environment& env,
                                            std::uint64_t seed, std::uint64_t number) {
    fuzz::dice d(seed, 2 * number);
    if (number % 2 == 0) {
        auto batch = fuzz::draw_family_batch(subjects.family, env, d);
        running_batch = batch->description();
        return batch;
    }
    // What the device lacks is only refused: now and then is enough.
    const fuzz::subject* s = &subjects.draw(d);
    while (fuzz::lacks(env, s->needs) && !d.once_in(20)) s = &subjects.draw(d);
    // Oclgrind 21 stops at integers of 24 bits, as which its compiler moves such a struct.
    while (env.simulator && s->value_size == 3) s = &subjects.draw(d);
    fuzz::batch_draw draw;
    draw.reduces = d.once_in(3);
    draw.opts = fuzz::draw_options(d, env);
    running_batch = s->name + (draw.reduces ? ", reduce, " : ", scan, ") + fuzz::describe(draw.opts);
    return s->make(env, draw, d);
}

void run_case(const std::function<fuzz::any_batch&()>& batch, const arguments& a, std::uint64_t number, totals& t) {
    fuzz::dice d(a.seed, 2 * number + 1);
    ++t.cases;
    std::string description = "while its batch was prepared";
    try {
        fuzz::any_batch& b = batch();
        description = "";
        const fuzz::outcome o = b.run(d);
        ++(o == fuzz::outcome::right ? t.right : t.refused);
        if (a.verbose) std::cout << "case " << number << ": " << b.description() << std::endl;
    } catch (const std::exception& e) {
        ++t.failed;
        if (description.empty()) description = batch().description();
        std::cerr << "\nfailed: " << description << "\n  " << e.what()
                  << "\n  repeat with: " << repeat_command(a.seed, number)
                  << (a.device.empty() ? "" : " --device '" + a.device + "'") << " --largest " << a.largest << "\n";
    }
}

totals run(const arguments& a, const fuzz::environment& env) {
    const subject_lists subjects;
    totals t;
    progress line(a);
    std::unique_ptr<fuzz::any_batch> batch;
    for (std::uint64_t i = 0; i < a.cases && t.failed < most_failures && line.elapsed() < a.seconds; ++i) {
        const std::uint64_t number = a.first + i;
        running_case = number;
        if (number % batch_cases == 0) batch.reset();
        const auto current = [&]() -> fuzz::any_batch& {
            if (!batch) {
                if (++t.batches % batches_between_releases == 0) upsweep::release_cached(env.context);
                batch = draw_batch(subjects, env, a.seed, number / batch_cases);
            }
            return *batch;
        };
        run_case(current, a, number, t);
        line.show(t);
    }
    line.end();
    return t;
}

} // namespace

int main(int argc, char** argv) {
    try {
        const arguments a = parse(argc, argv);
        std::string name;
        const fuzz::environment env = open_device(a, name);
        std::cout << "seed " << a.seed << ", device " << name << std::endl;
        running_seed = a.seed;
        for (int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL}) std::signal(number, report_signal);
        watch(a.hang);
        const totals t = run(a, env);
        std::cout << t.cases << " cases in " << t.batches << " batches: " << t.right << " right, " << t.refused
                  << " refused, " << t.failed << " failed; seed " << a.seed << std::endl;
        // Without destructors of drivers that may be gone.
        std::_Exit(t.failed == 0 && t.right > 0 ? 0 : 1);
    } catch (const std::exception& e) {
        std::cerr << e.what() << '\n' << usage;
        return 2;
    }
}
