// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/shared_value.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
    std::uint64_t number = 0; ///< of the texts (new_number_of_hooks); 0: they have none

    /// Texts of some KB need no comparison where their number is the same.
    UPSWEEP_INLINE friend bool operator==(const hook_view& a, const hook_view& b) {
        return (a.number != 0 && a.number == b.number) || (a.load == b.load && a.store == b.store);
    }
};

/// A number that no texts of this process had yet.
UPSWEEP_INLINE std::uint64_t new_number_of_hooks() {
    static auto* const next = new shared_value<std::uint64_t>(1); // never destroyed: see shared_value
    return (*next)++;
}

UPSWEEP_INLINE hook_text text_of(const hook_view& hooks) {
    return {std::string(hooks.load), std::string(hooks.store)};
}
/// The view is valid as long as the text is, and stays where it is.
UPSWEEP_INLINE hook_view view_of(const hook_text& hooks) {
    return {hooks.load, hooks.store, 0};
}

/// An array that the text of a hook refers to by a name.
struct hook_array {
    std::string name;
    std::string type;
    bool is_written = false;
};

/// Something that a store hook reads before it stores anything: an expression on the place `i`, the arrays and the
/// numbers, which is in scope of the body under a name. It is read for every result, and should have no branch:
/// NVIDIA's compiler makes reads behind branches one after another.
struct hook_read {
    std::string type;
    std::string name;
    std::string text;
};

/// The kind of scan that a program is for.
enum class scan_kind { any, exclusive, inclusive };

/// Elements that kernels list, in place of where they are or with that: of one array that is read as it is.
struct listed_elements {
    std::string type;         ///< in OpenCL C; empty: places are listed, and nothing else
    std::size_t size = 0;     ///< of the type, in bytes
    bool are_words = false;   ///< the type stands for another one of as many bytes, or of 12 and not 16
    std::string input;        ///< the load hook's name of the array
    bool with_places = false; ///< they are what the body reads, and nothing else is. Without, one output stores them:
    std::string output;       ///< the store hook's names: of the array
    std::string room;         ///< of the number of its elements
    std::string count; ///< of the array whose element says how many are marked, where the others are stored behind them
};

/// What a scan of marks stores where kernels list them (sub_group_tile/mark_tiles.cl).
struct listed_marks {
    std::string is_marked;        ///< an expression on a loaded `element`; empty: kernels do not list any
    std::string value;            ///< an expression on `count` and `last`
    std::vector<hook_read> reads; ///< what the body needs
    std::string body;             ///< as a store hook's, with upsweep_mark and upsweep_real, 0 or 1, in scope besides
    std::string end;              ///< the same behind the last element; `value` is the sum through it
    bool stores_all = false;      ///< elements that are not marked as well
    listed_elements elements;     ///< if without places, in place of `reads` and `body`
};

} // namespace upsweep::detail
