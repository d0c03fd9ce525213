// SPDX-License-Identifier: MIT
#include "subjects.hpp"

namespace fuzz {

void add_wide_integers(std::vector<subject>& all) {
    add<exact_numbers<std::int32_t, std::int32_t, upsweep::plus>>(all);
    add<exact_numbers<std::int32_t, std::int32_t, upsweep::minimum>>(all);
    add<exact_numbers<std::int32_t, std::int32_t, upsweep::multiplies>>(all);
    add<exact_numbers<std::uint32_t, std::uint32_t, upsweep::plus>>(all);
    add<exact_numbers<std::uint32_t, std::uint32_t, upsweep::bit_and>>(all);
    add<exact_numbers<std::uint32_t, std::uint32_t, upsweep::logical_or>>(all);
    add<exact_numbers<std::int64_t, std::int64_t, upsweep::plus>>(all);
    add<exact_numbers<std::int64_t, std::int64_t, upsweep::maximum>>(all);
    add<exact_numbers<std::uint64_t, std::uint64_t, upsweep::plus>>(all);
    add<exact_numbers<std::uint64_t, std::uint64_t, upsweep::bit_xor>>(all);
}

} // namespace fuzz
