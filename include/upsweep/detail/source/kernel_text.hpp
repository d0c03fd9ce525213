// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/source/kernels.hpp>
#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::detail {

/// The text of a program while it is put together.
struct program_source {
    std::string text;
    std::vector<std::string_view> files; ///< paths of the kernel files that are in it
};

/// Appends a kernel file, unless it is in the text already, after the files that it includes.
///
/// An `#include` inside an `#if` of its own is not followed: it is the default for a place that several files can fill,
/// and a program gets the file that its tuning asks for, before the one that includes it.
UPSWEEP_INLINE void append_file(program_source& out, const kernel_file& file) {
    if (std::find(out.files.begin(), out.files.end(), file.path) != out.files.end()) return;
    out.files.push_back(file.path);
    for (const std::string_view path : file.includes)
        for (const kernel_file& other : kernels::all)
            if (other.path == path) append_file(out, other);
    out.text.append("#line 1 \"").append(file.path).append("\"\n").append(file.text).append("\n");
}

} // namespace upsweep::detail
