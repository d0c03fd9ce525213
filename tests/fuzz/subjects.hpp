// SPDX-License-Identifier: MIT
// The list of everything that is fuzzed: types with operators.
#pragma once

#include "batch.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fuzz {

struct subject {
    std::string name;
    need needs;
    std::size_t value_size;
    std::unique_ptr<any_batch> (*make)(const environment&, const batch_draw&, dice&);
};

template <class Subject>
void add(std::vector<subject>& all) {
    all.push_back({Subject::name(), Subject::needs, sizeof(typename Subject::out),
                   [](const environment& env, const batch_draw& draw, dice& d) {
                       return std::unique_ptr<any_batch>(std::make_unique<batch<Subject>>(env, draw, d));
                   }});
}

/// Split over several files, because each subject takes the compiler a while.
void add_integers(std::vector<subject>& all);
void add_wide_integers(std::vector<subject>& all);
void add_floats(std::vector<subject>& all);
void add_mixed(std::vector<subject>& all);
void add_own(std::vector<subject>& all);

} // namespace fuzz
