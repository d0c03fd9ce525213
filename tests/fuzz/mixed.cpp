// SPDX-License-Identifier: MIT
#include "subjects.hpp"

namespace fuzz {

void add_mixed(std::vector<subject>& all) {
    add<exact_numbers<std::uint8_t, std::uint64_t, upsweep::plus>>(all);
    add<exact_numbers<std::int8_t, std::int32_t, upsweep::multiplies>>(all);
    add<exact_numbers<std::int16_t, std::int64_t, upsweep::maximum>>(all);
    add<exact_numbers<std::int64_t, std::uint8_t, upsweep::plus>>(all);
    add<exact_numbers<std::uint16_t, float, upsweep::plus>>(all);
    add<exact_numbers<std::int32_t, double, upsweep::plus>>(all);
    add<exact_numbers<float, double, upsweep::multiplies>>(all);
    add<exact_numbers<float, std::int32_t, upsweep::plus>>(all);
    add<exact_numbers<upsweep::half, float, upsweep::plus>>(all);
}

} // namespace fuzz
