// SPDX-License-Identifier: MIT
#include "subjects.hpp"

namespace fuzz {

void add_floats(std::vector<subject>& all) {
    add<exact_numbers<float, float, upsweep::plus>>(all);
    add<exact_numbers<float, float, upsweep::multiplies>>(all);
    add<exact_numbers<float, float, upsweep::minimum>>(all);
    add<rounded_numbers<float, upsweep::plus>>(all);
    add<exact_numbers<double, double, upsweep::plus>>(all);
    add<exact_numbers<double, double, upsweep::maximum>>(all);
    add<rounded_numbers<double, upsweep::plus>>(all);
    add<rounded_numbers<double, upsweep::multiplies>>(all);
    add<exact_numbers<upsweep::half, upsweep::half, upsweep::plus>>(all);
    add<exact_numbers<upsweep::half, upsweep::half, upsweep::minimum>>(all);
}

} // namespace fuzz
