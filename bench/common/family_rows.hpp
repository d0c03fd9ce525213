// SPDX-License-Identifier: MIT
#pragma once

// The rows of bench_family and of its peer, of int32. What a side offers besides array_rows.hpp: see bench_family.cpp.

#include "array_rows.hpp"

namespace bench {

template <class Side>
class family_rows : array_rows<Side, 28> {
public:
    static void add_all() {
        add_references();
        add_selections();
        add_sums();
        for (const char* average : {"2", "10", "1000"}) {
            rows::add_unique(average);
            add_run_length_encode(average);
            rows::add_reduce_by_key(average);
        }
        for (const char* average : {"10", "1000"})
            for (const bool exclusive : {false, true}) rows::add_scan_by_key(average, exclusive);
        for (const char* kind :
             {"2", "10", "1000", "5000", "20000", "giant", "giant1000", "empty", "empty_together", "short_or_empty"})
            rows::add_segmented_reduce(kind, number_of_segments(kind));
        for (const char* kind : {"rows64", "rows1024", "rows4096", "rows65536", "rows1048576"}) add_reduce_rows(kind);
        rows::add_scan_rows("rows4096");
        if constexpr (Side::has_columns)
            for (const std::uint64_t width : {100, 1000, 4097, 16384, 65536}) add_columns(width);
    }

private:
    using rows = array_rows<Side, 28>;
    using rows::add;
    using rows::arrays;
    using rows::bytes;
    using rows::read_out;
    using rows::size;

    static void add_references() {
        const auto n = static_cast<double>(size());
        rows::add_copy();
        add(
            "plain_scan", "exclusive", bytes(2 * n),
            [](auto m) { return Side::scan(arrays().values, arrays().out, m); },
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

    static void add_selections() {
        for (const int percent : {10, 50, 90}) rows::add_copy_if(percent);
        add(
            "copy_if", "flags50", bytes(static_cast<double>(size()) * 1.75),
            [](auto m) { return Side::copy_flagged(arrays(), m); },
            [](auto m) { return rows::check_chosen(m, [](auto i) { return flag_at(i) != 0; }); });
        rows::add_partition(50);
    }

    static void add_run_length_encode(const std::string& kind) {
        const auto n = static_cast<double>(size());
        add(
            "run_length_encode", "runs" + kind, bytes(n + 2 * n / std::stod(kind)),
            [=](auto m) { return Side::run_length_encode(arrays(), m, kind); },
            [=](auto m) {
                const auto check = [](const segment_list& runs) { return check_run_lengths(runs, rows::read_more()); };
                return rows::template check_runs<std::int32_t>(kind, m, check);
            });
    }

    static double number_of_segments(const std::string& kind) {
        const auto n = static_cast<double>(size());
        return kind == "giant"            ? n / 20
               : kind == "giant1000"      ? n / 2000
               : kind == "short_or_empty" ? n / 2
               : kind[0] == 'e'           ? n / 10 + (1 << 20)
                                          : n / std::stod(kind);
    }

    /// The sum of element i and of those above it in its column, asked for rising i: each element is added once.
    static auto sums_from_top(std::uint64_t width) {
        return [sums = std::vector<std::uint32_t>(static_cast<std::size_t>(width)), width,
                next = std::uint64_t{0}](std::uint64_t i) mutable {
            for (; next <= i; ++next)
                sums[static_cast<std::size_t>(next % width)] += static_cast<std::uint32_t>(value_at(next));
            return static_cast<std::int32_t>(sums[static_cast<std::size_t>(i % width)]);
        };
    }

    static void add_columns(std::uint64_t width) {
        const auto n = static_cast<double>(size());
        if (size() < 4 * width) return;
        const std::string kind = "columns" + std::to_string(width);
        const auto whole = [=](std::uint64_t m) { return m / width * width; };
        add(
            "scan_columns", kind, bytes(2 * n), [=](auto m) { return Side::scan_columns(arrays(), whole(m), width); },
            [=](auto m) { return check_results<std::int32_t>(whole(m), read_out(), sums_from_top(width)); });
        add(
            "reduce_columns", kind, bytes(n), [=](auto m) { return Side::reduce_columns(arrays(), whole(m), width); },
            [=](auto m) {
                return check_results<std::int32_t>(width, read_out(),
                                                   [sum = sums_from_top(width), m = whole(m),
                                                    width](std::uint64_t c) mutable { return sum(m - width + c); });
            });
    }

    static void add_reduce_rows(const std::string& kind) {
        const auto n = static_cast<double>(size());
        const std::uint64_t width = std::stoull(kind.substr(4));
        if (size() < width) return;
        add(
            "reduce_rows", kind, bytes(n + n / static_cast<double>(width)),
            [=](auto m) { return Side::reduce_rows(arrays(), m, width); },
            [=](auto m) { return rows::check_sums(kind, m); });
    }
};

} // namespace bench
