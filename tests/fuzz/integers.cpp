// SPDX-License-Identifier: MIT
#include "subjects.hpp"

namespace fuzz {

void add_integers(std::vector<subject>& all) {
    add<exact_numbers<std::int8_t, std::int8_t, upsweep::plus>>(all);
    add<exact_numbers<std::int8_t, std::int8_t, upsweep::minimum>>(all);
    add<exact_numbers<std::int8_t, std::int8_t, upsweep::logical_and>>(all);
    add<exact_numbers<std::uint8_t, std::uint8_t, upsweep::plus>>(all);
    add<exact_numbers<std::uint8_t, std::uint8_t, upsweep::bit_xor>>(all);
    add<exact_numbers<std::uint8_t, std::uint8_t, upsweep::multiplies>>(all);
    add<exact_numbers<std::int16_t, std::int16_t, upsweep::plus>>(all);
    add<exact_numbers<std::int16_t, std::int16_t, upsweep::maximum>>(all);
    add<exact_numbers<std::uint16_t, std::uint16_t, upsweep::plus>>(all);
    add<exact_numbers<std::uint16_t, std::uint16_t, upsweep::bit_or>>(all);
}

} // namespace fuzz
