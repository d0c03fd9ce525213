// SPDX-License-Identifier: MIT
#pragma once

// The rows of bench_family and of its peer. A side offers its name, its device (family_arrays.hpp) and functions that
// return one call each, which enqueues; see bench_family.cpp.

#include "family_arrays.hpp"

namespace bench {

template <class Side>
class family_rows {
public:
    using arrays_type = family_arrays<typename Side::device>;

    static void add_all() {
        add_references();
        add_selections();
        add_sums();
        for (const char* average : {"2", "10", "1000"}) add_runs(average);
        for (const char* average : {"10", "1000"})
            for (const bool exclusive : {false, true}) add_scan_by_key(average, exclusive);
        for (const char* kind : {"2", "10", "1000", "giant", "empty", "empty_together", "short_or_empty"})
            add_segmented_reduce(kind);
        for (const char* kind : {"rows64", "rows1024", "rows4096", "rows65536"}) add_reduce_rows(kind);
        add_scan_rows("rows4096");
    }

private:
    using check_result = std::function<std::string(std::uint64_t)>;
    using make_call = std::function<std::function<void()>(std::uint64_t)>;

    static std::uint64_t size() { return limited_size(28); }
    static std::uint64_t bytes(double words) { return static_cast<std::uint64_t>(4 * words); }
    static arrays_type& arrays() {
        static auto* const one = new arrays_type(size()); // never destroyed: a driver may be gone when the process ends
        return *one;
    }
    template <class T>
    static reader<T> read(const typename arrays_type::array& from) {
        return arrays_type::template read<T>(from);
    }
    static reader<std::int32_t> read_out() { return read<std::int32_t>(arrays().out); }
    static reader<std::int32_t> read_more() { return read<std::int32_t>(arrays().more); }

    static void add(const std::string& operation, const std::string& variant, std::uint64_t moved, make_call make,
                    check_result check) {
        const char* const library = operation == "copy" ? Side::copy_library : Side::library;
        add_window_row(row_name(operation, library, variant, "int32", size()), moved, size(), [=](std::uint64_t n) {
            const std::function<void()> call = make(n);
            prepared_call prepared;
            prepared.poison = [n] { arrays().poison(n); };
            prepared.run = [call] { Side::host_seconds(call, 1); };
            prepared.check = [check, n] { return check(n); };
            prepared.seconds = [call] {
                return seconds_per_call([&call](int calls) { return Side::host_seconds(call, calls); });
            };
            return prepared;
        });
    }

    static void add_references() {
        const auto n = static_cast<double>(size());
        add(
            "copy", "device", bytes(2 * n), [](auto m) { return Side::copy(arrays(), m); },
            [](auto m) { return check_results<std::int32_t>(m, read_out(), value_at); });
        add(
            "plain_scan", "exclusive", bytes(2 * n), [](auto m) { return Side::scan(arrays(), m); },
            [](auto m) {
                return check_segment_scan({0, static_cast<std::uint32_t>(m)}, m, true, read_out());
            });
        add(
            "plain_reduce", "sum", bytes(n), [](auto m) { return Side::reduce(arrays(), m); },
            [](auto m) { return check_sum(m, [](auto i) { return value_at(i); }); });
    }

    template <class Term>
    static std::string check_sum(std::uint64_t n, Term term) {
        const std::uint32_t sum = sum_of_terms(n, [&](auto i) { return static_cast<std::uint32_t>(term(i)); });
        return check_value(static_cast<std::int32_t>(sum), read_out());
    }

    static void add_sums() {
        const auto n = static_cast<double>(size());
        add(
            "min_element", "place", bytes(n), [](auto m) { return Side::min_element(arrays(), m); },
            [](auto m) {
                const std::uint64_t place = place_of_smallest(m);
                const std::pair<std::int32_t, std::uint64_t> found = Side::found_element(arrays());
                return found.first == value_at(place) && found.second == place ? "" : "wrong place";
            });
        add(
            "sum_of_squares", "sum", bytes(n), [](auto m) { return Side::sum_of_squares(arrays(), m); },
            [](auto m) { return check_sum(m, [](auto i) { return value_at(i) * value_at(i); }); });
        add(
            "dot_product", "sum", bytes(2 * n), [](auto m) { return Side::dot_product(arrays(), m); },
            [](auto m) { return check_sum(m, [](auto i) { return value_at(i) * other_at(i); }); });
    }

    template <class Chosen>
    static std::string check_chosen(std::uint64_t n, Chosen chosen) {
        const selection expected = select_values(n, chosen);
        const std::string wrong = check_count(expected.count, read<std::uint32_t>(arrays().count));
        return wrong.empty() ? check_selection(expected, read_out()) : wrong;
    }

    static void add_selections() {
        const auto n = static_cast<double>(size());
        for (const int percent : {10, 50, 90})
            add(
                "copy_if", "kept" + std::to_string(percent), bytes(n * (1 + percent / 100.0)),
                [=](auto m) { return Side::copy_if(arrays(), m, percent); },
                [=](auto m) { return check_chosen(m, [=](auto i) { return value_at(i) < 10 * percent; }); });
        add(
            "copy_if", "flags50", bytes(n * 1.75), [](auto m) { return Side::copy_flagged(arrays(), m); },
            [](auto m) { return check_chosen(m, [](auto i) { return flag_at(i) != 0; }); });
        add(
            "partition", "kept50", bytes(2 * n), [](auto m) { return Side::partition(arrays(), m, 50); },
            [](auto m) {
                const selection chosen = select_values(m, [](auto i) { return value_at(i) < 500; });
                const selection others = select_values(m, [](auto i) { return value_at(i) >= 500; });
                const std::string wrong = check_count(chosen.count, read<std::uint32_t>(arrays().count));
                if (!wrong.empty()) return wrong;
                return check_partition(m, chosen, others, Side::partitions_backwards, read_out());
            });
    }

    /// What runs have in common: their number, their keys and, of each, something more.
    template <class CheckMore>
    static std::string check_runs(const std::string& kind, std::uint64_t n, CheckMore check_more) {
        const segment_list& runs = arrays().segments(kind, n);
        std::string wrong = check_count(runs.size() - 1, read<std::uint32_t>(arrays().count));
        if (wrong.empty()) wrong = check_run_keys(runs, read_out());
        return wrong.empty() ? check_more(runs) : wrong;
    }

    static void add_runs(const std::string& kind) {
        const auto n = static_cast<double>(size());
        const double runs = n / std::stod(kind);
        add(
            "unique", "runs" + kind, bytes(n + runs), [=](auto m) { return Side::unique(arrays(), m, kind); },
            [=](auto m) { return check_runs(kind, m, [](const segment_list&) { return std::string(); }); });
        add(
            "run_length_encode", "runs" + kind, bytes(n + 2 * runs),
            [=](auto m) { return Side::run_length_encode(arrays(), m, kind); },
            [=](auto m) {
                return check_runs(kind, m, [](const segment_list& all) { return check_run_lengths(all, read_more()); });
            });
        add(
            "reduce_by_key", "runs" + kind, bytes(2 * n + 2 * runs),
            [=](auto m) { return Side::reduce_by_key(arrays(), m, kind); },
            [=](auto m) {
                return check_runs(kind, m,
                                  [](const segment_list& all) { return check_segment_sums(all, read_more()); });
            });
    }

    static void add_scan_by_key(const std::string& kind, bool exclusive) {
        add(
            "scan_by_key", (exclusive ? "exclusive" : "inclusive") + kind, bytes(3 * static_cast<double>(size())),
            [=](auto m) { return Side::scan_by_key(arrays(), m, kind, exclusive); },
            [=](auto m) { return check_segment_scan(arrays().segments(kind, m), m, exclusive, read_out()); });
    }

    static std::string check_sums(const std::string& kind, std::uint64_t n) {
        return check_segment_sums(arrays().segments(kind, n), read_out());
    }

    static void add_segmented_reduce(const std::string& kind) {
        const auto n = static_cast<double>(size());
        const double others = kind == "giant"            ? n / 20
                              : kind == "short_or_empty" ? n / 2
                              : kind[0] == 'e'           ? n / 10 + (1 << 20)
                                                         : n / std::stod(kind);
        add(
            "segmented_reduce", "segments_" + kind, bytes(n + 2 * others),
            [=](auto m) { return Side::segmented_reduce(arrays(), m, kind); },
            [=](auto m) { return check_sums(kind, m); });
    }

    static void add_reduce_rows(const std::string& kind) {
        const auto n = static_cast<double>(size());
        const std::uint64_t width = std::stoull(kind.substr(4));
        add(
            "reduce_rows", kind, bytes(n + n / static_cast<double>(width)),
            [=](auto m) { return Side::reduce_rows(arrays(), m, width); }, [=](auto m) { return check_sums(kind, m); });
    }

    static void add_scan_rows(const std::string& kind) {
        const std::uint64_t width = std::stoull(kind.substr(4));
        add(
            "scan_rows", kind, bytes(2 * static_cast<double>(size())),
            [=](auto m) { return Side::scan_rows(arrays(), m, width); },
            [=](auto m) { return check_segment_scan(arrays().segments(kind, m), m, false, read_out()); });
    }
};

} // namespace bench
