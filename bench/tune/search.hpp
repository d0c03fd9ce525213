// SPDX-License-Identifier: MIT
#pragma once

// The search for one row: an operation on one type over one range of sizes.

#include "candidates.hpp"
#include "measure.hpp"
#include "progress.hpp"

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune {

using upsweep::tuning;
using upsweep::detail::device_limits;
using upsweep::detail::problem_size;
using upsweep::detail::size_range;

/// What a search found.
struct finding {
    upsweep::options choices;
    duel last;           ///< head to head with the default, measured anew
    std::string why_not; ///< empty: better by the gain that was asked for
    int checked = 0;     ///< candidates with right results
    int wrong = 0;       ///< candidates with wrong results
};

/// In the middle of a range, on the scale of its exponents.
inline std::uint64_t middle_of(size_range n) {
    const std::uint64_t least = std::uint64_t{1} << n.from;
    return n.to - n.from >= 2 ? least << (n.to - n.from) / 2 : least + least / 2;
}
inline std::uint64_t least_of(size_range n) {
    return std::uint64_t{1} << n.from;
}
inline std::uint64_t most_of(size_range n) {
    return (std::uint64_t{1} << n.to) - 1;
}

/// Choices as in a tuning file.
inline std::string describe(const upsweep::options& choices) {
    upsweep::detail::tuning_entry e;
    e.choices = choices;
    const std::string line = to_line(e);
    const std::string before = "n=2^0..2^0 ";
    return line.substr(std::min(line.size(), line.find(before) + before.size()));
}

template <class T>
class row_search {
public:
    /// @param part_done  called often, with the part of the time that is over and the best ratio; tells whether to go
    /// on
    row_search(operation op, size_range n, const device_limits& device, double gain, std::function<bool(double)> go_on)
        : op_(op)
        , n_(n)
        , device_(device)
        , gain_(gain)
        , go_on_(std::move(go_on))
        , default_(prepare_checked<T>(op, middle_of(n), {})) {
        tried_.push_back({resolve({}, middle_of(n)), 1});
    }

    finding run() {
        for (const starting_point& start : starting_points(device_, op_, sizeof(T))) descend(start);
        std::sort(good_.begin(), good_.end(), [](const candidate& a, const candidate& b) { return a.ratio > b.ratio; });
        finding found;
        for (std::size_t i = 0; i < good_.size() && i < 3; ++i) {
            const duel d = head_to_head(good_[i].choices, middle_of(n_), 11);
            if (!found.last.ratios.empty() && d.sure_ratio() <= found.last.sure_ratio()) continue;
            found.last = d;
            found.choices = good_[i].choices;
        }
        found.checked = checked_;
        found.wrong = wrong_;
        if (found.last.ratios.empty())
            found.why_not = "none is faster";
        else if (found.last.sure_ratio() < gain_)
            found.why_not = "not sure enough";
        else if (!holds_at_ends(found.choices))
            found.why_not = "slower at an end of the range";
        return found;
    }

private:
    struct candidate {
        upsweep::options choices;
        double ratio = 0;
    };
    struct trial {
        tuning what;
        double ratio; ///< 0: cannot run, or not right
    };

    problem_size problem(std::uint64_t n) const { return {op_, n, sizeof(T), std::is_integral<T>::value, sizeof(T)}; }
    tuning resolve(const upsweep::options& choices, std::uint64_t n) const {
        return upsweep::detail::resolve_options("upsweep_tune", choices, device_, problem(n));
    }

    /// Goes along one dimension after the other, each time on from the best, until nothing helps.
    void descend(const starting_point& start) {
        if (!go_on_(best_ratio_)) return;
        candidate best{start.choices, 0};
        attempt(best);
        for (bool moved = true; moved;) {
            moved = false;
            for (const dimension& changes : start.dimensions) {
                const upsweep::options from = best.choices;
                for (const change& apply : changes) {
                    if (!go_on_(best_ratio_)) return;
                    candidate next{from, 0};
                    apply(next.choices);
                    attempt(next);
                    // Where the start itself cannot run, anything that can is better.
                    if (next.ratio <= best.ratio * 1.01) continue;
                    best = next;
                    moved = true;
                }
            }
        }
    }

    /// Checks and measures a candidate, unless its like was tried before; one that cannot run has the ratio 0.
    void attempt(candidate& c) {
        if (!fits(c.choices)) return;
        const tuning t = resolve(c.choices, middle_of(n_));
        const auto known = std::find_if(tried_.begin(), tried_.end(), [&](const trial& x) { return x.what == t; });
        if (known == tried_.end()) {
            tried_.push_back({t, measure(c.choices)});
            c.ratio = tried_.back().ratio;
            if (c.ratio > std::min(1.0, gain_)) good_.push_back(c);
        } else {
            c.ratio = known->ratio;
        }
        best_ratio_ = std::max(best_ratio_, c.ratio);
    }

    double measure(const upsweep::options& choices) {
        try {
            const bench::prepared_call call = prepare_checked<T>(op_, middle_of(n_), choices);
            ++checked_;
            return measure_in_turn(default_, call, middle_of(n_), 3).ratio();
        } catch (const wrong_result& e) {
            ++wrong_;
            std::fprintf(stderr, "\n%s, with %s\n", e.what(), describe(choices).c_str());
        } catch (const upsweep::error&) { // too many registers for a work-group, say: no candidate
        }
        return 0;
    }

    /// Whether choices fit the device for all sizes of the range, and keep the order that is promised.
    bool fits(const upsweep::options& choices) const {
        using upsweep::detail::keeps_canonical_order;
        try {
            for (const std::uint64_t n : {least_of(n_), middle_of(n_), most_of(n_)}) resolve(choices, n);
        } catch (const upsweep::error&) {
            return false;
        }
        return std::is_integral<T>::value || keeps_canonical_order(resolve(choices, middle_of(n_)), op_) ||
               !keeps_canonical_order(tried_[0].what, op_);
    }

    /// Prepared and checked anew.
    duel head_to_head(const upsweep::options& choices, std::uint64_t n, int pairs) const {
        const bench::prepared_call usual = prepare_checked<T>(op_, n, {});
        return measure_in_turn(usual, prepare_checked<T>(op_, n, choices), n, pairs);
    }

    /// At both ends of its range a tuning need not gain anything, but must not lose as much as it has to gain.
    bool holds_at_ends(const upsweep::options& choices) const {
        const double least = std::min(2 - gain_, gain_);
        return head_to_head(choices, least_of(n_), 9).ratio() >= least &&
               head_to_head(choices, most_of(n_), 9).ratio() >= least;
    }

    operation op_;
    size_range n_;
    const device_limits& device_;
    double gain_;
    std::function<bool(double)> go_on_;
    bench::prepared_call default_;
    std::vector<trial> tried_; ///< the first is the default
    std::vector<candidate> good_;
    double best_ratio_ = 0;
    int checked_ = 0;
    int wrong_ = 0;
};

} // namespace tune
