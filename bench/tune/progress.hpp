// SPDX-License-Identifier: MIT
#pragma once

// How far the search is, on the error stream: a bar with the time left on a terminal, elsewhere a line per row.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

namespace tune {

class progress {
public:
    explicit progress(double seconds)
        : seconds_(seconds) {}
    ~progress() { clear(); }
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

    /// A row begins: `done` of `rows` are behind.
    void row(int done, int rows, const std::string& name) {
        done_ = done;
        rows_ = rows;
        name_ = name;
        if (!terminal_) std::fprintf(stderr, "%d of %d: %s, %.0f s\n", done + 1, rows, name.c_str(), elapsed());
    }

    /// Within a row.
    /// @param part  of this row that is behind, 0 to 1
    void show(double part, double best_ratio) {
        if (!terminal_) return;
        const double whole = (done_ + std::min(1.0, part)) / rows_;
        const double left = std::min(whole > 0 ? elapsed() / whole - elapsed() : seconds_, seconds_ - elapsed());
        const auto seconds = static_cast<int>(std::max(0.0, left));
        const int full = static_cast<int>(whole * width);
        const std::string bar =
            std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(width - full), '-');
        std::fprintf(stderr, "\r[%s] %3.0f %%  %d:%02d left  %s  best %.2fx\033[K", bar.c_str(), 100 * whole,
                     seconds / 60, seconds % 60, name_.c_str(), best_ratio);
        std::fflush(stderr);
    }

    /// Makes room for a line of text.
    void clear() {
        if (!terminal_) return;
        std::fprintf(stderr, "\r\033[K");
        std::fflush(stderr);
    }

private:
    static constexpr int width = 30;

    static bool is_terminal() {
#if defined(_WIN32)
        return _isatty(2) != 0;
#else
        return isatty(2) != 0;
#endif
    }

    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool terminal_ = is_terminal();
    double seconds_;
    int done_ = 0;
    int rows_ = 1;
    std::string name_;
};

} // namespace tune
