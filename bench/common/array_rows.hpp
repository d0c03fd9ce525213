// SPDX-License-Identifier: MIT
#pragma once

// The rows that bench_family, bench_types and their peers have in common, of values of one type. A side offers its
// name, the type, its device (family_arrays.hpp) and functions that return one call each, which enqueues; see
// upsweep_calls.hpp.

#include "family_arrays.hpp"

namespace bench {

/// Arrays of one type at a time. Never destroyed: a driver may be gone when the process ends.
inline only_one& arrays_slot() {
    static auto* const slot = new only_one;
    return *slot;
}

/// @tparam exponent  rows have 2^exponent elements, unless limited
template <class Side, unsigned exponent>
class array_rows {
protected:
    using element = typename Side::element;
    using arrays_type = family_arrays<typename Side::device, element>;
    using check_result = std::function<std::string(std::uint64_t)>;
    using make_call = std::function<std::function<void()>(std::uint64_t)>;

    static std::uint64_t size() { return limited_size(exponent); }
    /// Of so many values, and so many keys or offsets.
    static std::uint64_t bytes(double values, double words = 0) {
        return static_cast<std::uint64_t>(values * sizeof(element) + words * sizeof(std::int32_t));
    }
    static arrays_type& arrays() { return arrays_slot().get<sized_arrays>(); }
    template <class Result>
    static reader<Result> read(const typename arrays_type::array& from) {
        return arrays_type::template read<Result>(from);
    }
    static reader<element> read_out() { return read<element>(arrays().out); }
    static reader<element> read_more() { return read<element>(arrays().more); }

    static void add(const std::string& operation, const std::string& variant, std::uint64_t moved, make_call make,
                    check_result check) {
        const std::string library = operation == "copy" ? Side::copy_library : Side::library;
        const std::string name = row_name(operation, library, variant, type_name<element>(), size());
        add_window_row(name, moved, size(), [=](std::uint64_t n) {
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

    static void add_copy() {
        add(
            "copy", "device", bytes(2 * static_cast<double>(size())), [](auto m) { return Side::copy(arrays(), m); },
            [](auto m) { return check_results<element>(m, read_out(), value_at<element>); });
    }

    template <class Chosen>
    static std::string check_chosen(std::uint64_t n, Chosen chosen) {
        const selection<element> expected = select_values<element>(n, chosen);
        const std::string wrong = check_count(expected.count, read<std::uint32_t>(arrays().count));
        return wrong.empty() ? check_selection(expected, read_out()) : wrong;
    }

    static void add_copy_if(int percent) {
        const element bound = percentile<element>(percent);
        add(
            "copy_if", "kept" + std::to_string(percent), bytes(static_cast<double>(size()) * (1 + percent / 100.0)),
            [=](auto m) { return Side::copy_if(arrays(), m, bound); },
            [=](auto m) { return check_chosen(m, [=](auto i) { return value_at<element>(i) < bound; }); });
    }

    static std::string check_parts(std::uint64_t n, element bound) {
        const auto chosen = select_values<element>(n, [=](auto i) { return value_at<element>(i) < bound; });
        const auto others = select_values<element>(n, [=](auto i) { return value_at<element>(i) >= bound; });
        const std::string wrong = check_count(chosen.count, read<std::uint32_t>(arrays().count));
        if (!wrong.empty()) return wrong;
        return check_partition(n, chosen, others, Side::partitions_backwards, read_out());
    }

    static void add_partition(int percent) {
        const element bound = percentile<element>(percent);
        add(
            "partition", "kept" + std::to_string(percent), bytes(2 * static_cast<double>(size())),
            [=](auto m) { return Side::partition(arrays(), m, bound); }, [=](auto m) { return check_parts(m, bound); });
    }

    /// What runs have in common: their number, their keys and, of each, something more.
    template <class Key, class CheckMore>
    static std::string check_runs(const std::string& kind, std::uint64_t n, CheckMore check_more) {
        const segment_list& runs = arrays().segments(kind, n);
        std::string wrong = check_count(runs.size() - 1, read<std::uint32_t>(arrays().count));
        if (wrong.empty()) wrong = check_run_keys(runs, read<Key>(arrays().out));
        return wrong.empty() ? check_more(runs) : wrong;
    }

    static void add_unique(const std::string& kind) {
        const auto n = static_cast<double>(size());
        add(
            "unique", "runs" + kind, bytes(n + n / std::stod(kind)),
            [=](auto m) { return Side::unique(arrays(), m, kind); },
            [=](auto m) { return check_runs<element>(kind, m, [](const segment_list&) { return std::string(); }); });
    }

    static void add_reduce_by_key(const std::string& kind) {
        const auto n = static_cast<double>(size());
        const double all = n + n / std::stod(kind);
        add(
            "reduce_by_key", "runs" + kind, bytes(all, all),
            [=](auto m) { return Side::reduce_by_key(arrays(), m, kind); },
            [=](auto m) {
                const auto check_sums = [](const segment_list& runs) { return check_segment_sums(runs, read_more()); };
                return check_runs<std::int32_t>(kind, m, check_sums);
            });
    }

    static std::string check_scan(const std::string& kind, std::uint64_t n, bool exclusive) {
        return check_segment_scan(arrays().segments(kind, n), n, exclusive, read_out());
    }

    static void add_scan_by_key(const std::string& kind, bool exclusive) {
        const auto n = static_cast<double>(size());
        add(
            "scan_by_key", (exclusive ? "exclusive" : "inclusive") + kind, bytes(2 * n, n),
            [=](auto m) { return Side::scan_by_key(arrays(), m, kind, exclusive); },
            [=](auto m) { return check_scan(kind, m, exclusive); });
    }

    static void add_scan_rows(const std::string& kind) {
        const std::uint64_t width = std::stoull(kind.substr(4));
        add(
            "scan_rows", kind, bytes(2 * static_cast<double>(size())),
            [=](auto m) { return Side::scan_rows(arrays(), m, width); },
            [=](auto m) { return check_scan(kind, m, false); });
    }

    static std::string check_sums(const std::string& kind, std::uint64_t n) {
        return check_segment_sums(arrays().segments(kind, n), read_out());
    }

    /// @param segments  about how many there are
    static void add_segmented_reduce(const std::string& kind, double segments) {
        add(
            "segmented_reduce", "segments_" + kind, bytes(static_cast<double>(size()) + segments, segments),
            [=](auto m) { return Side::segmented_reduce(arrays(), m, kind); },
            [=](auto m) { return check_sums(kind, m); });
    }

private:
    struct sized_arrays : arrays_type {
        sized_arrays()
            : arrays_type(size()) {}
    };
};

} // namespace bench
