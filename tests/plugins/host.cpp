// SPDX-License-Identifier: MIT
// Loads plugins, each with a type `element` of its own, and runs a scan in each.
//   plugins_host together FILE...    all are loaded at once
//   plugins_host in_turn FILE...     each is unloaded before the next one is loaded, perhaps at the same address
#include <upsweep/upsweep.hpp>

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// Whether the plugin's sum is right.
bool is_right(void* plugin, const char* file) {
    void* const symbol = plugin ? dlsym(plugin, "upsweep_plugin_sum") : nullptr;
    if (!symbol) {
        std::fprintf(stderr, "%s: %s\n", file, dlerror());
        return false;
    }
    const std::uint32_t sum = reinterpret_cast<std::uint32_t (*)()>(symbol)();
    std::printf("%s: %u\n", file, static_cast<unsigned>(sum));
    return sum == 100;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    // The program's own scan: with it, the library's tables are the program's, and outlive the plugins.
    const std::vector<int> in(10, 1);
    std::vector<int> out(in.size());
    upsweep::inclusive_scan(upsweep::default_queue(), in.begin(), in.end(), out.begin());

    const bool in_turn = std::string(argv[1]) == "in_turn";
    bool right = out.back() == 10;
    for (int i = 2; i < argc; ++i) {
        void* const plugin = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        right = is_right(plugin, argv[i]) && right;
        if (in_turn && plugin) dlclose(plugin);
    }
    return right ? 0 : 1;
}
