// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace upsweep::detail {

/// How a program reads its input and writes its output where these are no plain arrays: OpenCL C that defines what
/// tile/load.cl or tile/store.cl says, in the place of that file. Empty: a plain array. The part that a user wrote
/// stands behind `#line 1 "load"` or `#line 1 "store"`, so that build logs name it.
struct hook_text {
    std::string load;
    std::string store;
};

/// A `hook_text` that lies elsewhere. Made anew by every call, so it must not allocate.
struct hook_view {
    std::string_view load;
    std::string_view store;
};

inline hook_text text_of(const hook_view& hooks) {
    return {std::string(hooks.load), std::string(hooks.store)};
}
/// The view is valid as long as the text is, and stays where it is.
inline hook_view view_of(const hook_text& hooks) {
    return {hooks.load, hooks.store};
}

} // namespace upsweep::detail
