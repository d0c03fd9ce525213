// SPDX-License-Identifier: MIT
// Searches for tunings that are faster on this device than the library's own, and writes the best as a tuning file
// (tuning_file.hpp). Every candidate's whole result is checked before it is timed; nothing is written that does not win
// head to head, measured anew, or that would change the order of combination that is promised.

#include "tune/arguments.hpp"
#include "tune/search.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tune;
using upsweep::detail::operator_kind;
using upsweep::detail::tuning_entry;

volatile std::sig_atomic_t stopped = 0;

/// The first Ctrl-C ends the search, a second the process.
void stop(int signal) {
    stopped = 1;
    std::signal(signal, SIG_DFL);
}

void set_environment(const char* name, const std::string& value) {
#if defined(_WIN32)
    _putenv_s(name, value.c_str());
#else
    setenv(name, value.c_str(), 1);
#endif
}

struct row {
    std::string type;
    operation op;
    size_range n;
};

class session {
public:
    explicit session(const arguments& a)
        : arguments_(a)
        , progress_(a.seconds)
        , limits_(upsweep::detail::limits_of("upsweep_tune", bench::target().info.device())) {}

    int run() {
        std::ostringstream device;
        device << bench::target().info;
        std::printf("%s\n", device.str().c_str());
        const std::vector<row> rows = list_rows();
        save();
        for (std::size_t i = 0; i < rows.size() && !stopped; ++i) {
            const double now = progress_.elapsed();
            if (now >= arguments_.seconds) {
                std::printf("%zu rows were not reached in %.0f s\n", rows.size() - i, arguments_.seconds);
                break;
            }
            row_end_ = now + (arguments_.seconds - now) / static_cast<double>(rows.size() - i);
            progress_.row(static_cast<int>(i), static_cast<int>(rows.size()), name_of(rows[i]));
            with_type(rows[i].type, [&](auto zero) { search<decltype(zero)>(rows[i]); });
            upsweep::release_cached(bench::target().context());
            save();
        }
        progress_.clear();
        if (stopped) std::printf("stopped; what was found is kept\n");
        prove();
        return wrong_ == 0 ? 0 : 1;
    }

private:
    template <class Visit>
    static void with_type(const std::string& name, Visit visit) {
        if (name == "int32") visit(std::int32_t{});
        if (name == "float") visit(float{});
        if (name == "int64") visit(std::int64_t{});
        if (name == "double") visit(double{});
        if (name == "uint8") visit(std::uint8_t{});
        if (name == "uint16") visit(std::uint16_t{});
    }

    /// Those that the device has the memory and the types for.
    std::vector<row> list_rows() const {
        std::vector<row> rows;
        for (const std::string& type : arguments_.types) {
            if (type == "double" && !limits_.has_double) continue;
            for (const std::string& op : arguments_.operations)
                for (std::uint32_t from = arguments_.from; from < arguments_.to; from += 2) {
                    const size_range n{from, std::min(from + 2, arguments_.to)};
                    if (fits(type, n)) rows.push_back({type, op == "scan" ? operation::scan : operation::reduce, n});
                }
        }
        return rows;
    }

    static bool fits(const std::string& type, size_range n) {
        std::uint64_t bytes = 0;
        with_type(type, [&](auto zero) { bytes = sizeof(zero) << n.to; });
        return bytes <= bench::target().largest_buffer && bytes <= bench::target().memory / 8 * 3;
    }

    static std::string name_of(const row& r) {
        return std::string(to_string(r.op)) + ' ' + r.type + " 2^" + std::to_string(r.n.from) + "..2^" +
               std::to_string(r.n.to);
    }

    template <class T>
    void search(const row& r) {
        const double begin = progress_.elapsed();
        // Once for all sizes of the row: growing would take the arrays from under prepared calls.
        bench::arrays<T>(most_of(r.n));
        row_search<T> searching(r.op, r.n, limits_, 1 + arguments_.gain / 100, [&](double best_ratio) {
            const double now = progress_.elapsed();
            progress_.show((now - begin) / (row_end_ - begin), best_ratio);
            return !stopped && now < row_end_;
        });
        const finding found = searching.run();
        wrong_ += found.wrong;
        progress_.clear();
        report(r, found);
        if (!found.why_not.empty()) return;
        tuning_entry e;
        e.device = limits_.name;
        e.driver = bench::target().info.driver;
        e.op = r.op;
        e.kind = std::is_integral<T>::value ? operator_kind::exact : operator_kind::ordered;
        e.size = sizeof(T);
        e.n = r.n;
        e.choices = found.choices;
        e.microseconds = 1e6 * quantile(found.last.seconds, 0.5);
        e.default_microseconds = 1e6 * quantile(found.last.default_seconds, 0.5);
        entries_.push_back(e);
        types_.push_back(r.type);
    }

    static void report(const row& r, const finding& found) {
        std::printf("%-28s  of %3d", name_of(r).c_str(), found.checked);
        if (!found.last.ratios.empty())
            std::printf("  default %10.1f us  best %10.1f us  %.2fx: %s",
                        1e6 * quantile(found.last.default_seconds, 0.5), 1e6 * quantile(found.last.seconds, 0.5),
                        found.last.ratio(), describe(found.choices).c_str());
        std::printf("%s%s\n", found.why_not.empty() ? "" : "; the default stays: ", found.why_not.c_str());
        std::fflush(stdout);
    }

    /// The file as far as it is known, in one step.
    void save() const {
        std::string text =
            std::string(upsweep::detail::tuning_file_head) + "\n# by upsweep_tune " UPSWEEP_VERSION_STRING "\n";
        for (const tuning_entry& e : entries_) text += to_line(e) + '\n';
        const std::filesystem::path path = std::filesystem::absolute(arguments_.output);
        if (!upsweep::detail::write_file(path.parent_path(), path.filename().string(), text))
            throw upsweep::error("upsweep_tune", arguments_.output, "cannot be written");
    }

    /// The file is loaded as a program would, and calls that leave everything open run what it says, and right.
    void prove() const {
        upsweep::load_tuning(arguments_.output);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const tuning_entry& e = entries_[i];
            const std::uint64_t n = middle_of(e.n);
            const upsweep::detail::problem_size problem{e.op, n, e.size, e.kind == operator_kind::exact, e.size};
            if (choose_tuning("upsweep_tune", {}, limits_, problem) !=
                resolve_options("upsweep_tune", e.choices, limits_, problem))
                throw upsweep::error("upsweep_tune", arguments_.output,
                                     "does not have its entry's effect: " + to_line(e));
            with_type(types_[i], [&](auto zero) { prepare_checked<decltype(zero)>(e.op, n, {}); });
        }
        std::printf("%s loads: %zu entries, in effect, with right results\n", arguments_.output.c_str(),
                    entries_.size());
    }

    const arguments& arguments_;
    progress progress_;
    const device_limits& limits_;
    double row_end_ = 0;
    int wrong_ = 0;
    std::vector<tuning_entry> entries_;
    std::vector<std::string> types_; ///< of the entries
};

} // namespace

int main(int argc, char** argv) {
    arguments a;
    try {
        a = parse(argc, argv);
        if (!a.help && std::filesystem::exists(a.output)) throw std::invalid_argument(a.output + " exists already");
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n%s", e.what(), usage);
        return 2;
    }
    if (a.help) {
        std::printf("%s", usage);
        return 0;
    }
    try {
        if (!a.device.empty()) set_environment("UPSWEEP_DEVICE", a.device);
        set_environment("UPSWEEP_TUNING", ""); // against the library's own choices, whatever is loaded elsewhere
        upsweep::use_binary_cache(false);      // hundreds of programs, of which few are wanted again
        std::signal(SIGINT, stop);
        return session(a).run();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
