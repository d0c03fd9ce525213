// SPDX-License-Identifier: MIT
// A plugin with a type of its own, `element`, which other plugins have as well, with other members. The build defines
// UPSWEEP_PLUGIN_MEMBERS; one of them is `sum`.
#include <upsweep/upsweep.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

#define UPSWEEP_PLUGIN_TEXT_OF(...) #__VA_ARGS__
#define UPSWEEP_PLUGIN_TEXT(...) UPSWEEP_PLUGIN_TEXT_OF(__VA_ARGS__)

using uint = std::uint32_t;

struct element {
    UPSWEEP_PLUGIN_MEMBERS
};

template <>
struct upsweep::type<element> {
    static constexpr const char* name = "element";
    static constexpr const char* definition =
        "typedef struct { " UPSWEEP_PLUGIN_TEXT(UPSWEEP_PLUGIN_MEMBERS) " } element;";
};

/// The sum of 100 ones, by a scan of elements; 0 where it fails. The operator's text is the same in all plugins.
extern "C" std::uint32_t upsweep_plugin_sum() {
    try {
        element one{};
        one.sum = 1;
        const std::vector<element> in(100, one);
        std::vector<element> out(in.size());
        upsweep::inclusive_scan(upsweep::default_queue(), in.begin(), in.end(), out.begin(),
                                upsweep::make_operator<element>("left.sum += right.sum;\nreturn left;"));
        return out.back().sum;
    } catch (const upsweep::error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 0;
    }
}
