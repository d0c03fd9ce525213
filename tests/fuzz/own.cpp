// SPDX-License-Identifier: MIT
#include "structs.hpp"
#include "subjects.hpp"

namespace fuzz {

void add_own(std::vector<subject>& all) {
    add<triangles<std::uint8_t>>(all);
    add<triangles<std::uint64_t>>(all);
    add<affine_maps>(all);
    add<intervals>(all);
    add<matrices>(all);
    add<selection<std::int8_t, true>>(all);
    add<selection<std::uint32_t, false>>(all);
    add<selection<float, false>>(all);
    add<selection<double, true>>(all);
}

} // namespace fuzz
