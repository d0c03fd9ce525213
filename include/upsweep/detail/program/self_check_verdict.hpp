// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/operation.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/tuning.hpp>

#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// What was found of one kernel family, class of types and device.
struct self_check_verdict {
    bool as_chosen = true;   ///< what was chosen gives the right answers
    std::string trouble;     ///< not empty: nothing does, or the device was refused; what an error says of it
    upsweep::tuning instead; ///< unless as chosen: what does
};

struct named_verdict {
    std::string name;
    self_check_verdict verdict;
};

/// All that was found in this process. Never destroyed: programs point here, and code that runs at exit may use them.
/// `checking` is held while a check runs, so that threads with the same first use wait for one check, and those whose
/// kernels were checked wait for none.
struct self_check_table {
    std::mutex checking;
    std::mutex lock; ///< of the lists
    std::vector<std::shared_ptr<const named_verdict>> verdicts;
    std::vector<std::shared_ptr<const named_verdict>> forgotten; ///< kept, because programs point at them

    UPSWEEP_INLINE static self_check_table& get() {
        static auto* const table = new self_check_table;
        return *table;
    }

    /// Forgets everything, for tests. Programs that are still in use keep what they know.
    UPSWEEP_INLINE void forget() {
        const std::lock_guard<std::mutex> guard(lock);
        forgotten.insert(forgotten.end(), verdicts.begin(), verdicts.end());
        verdicts.clear();
    }

    /// The verdict of that name; null where there is none. There are few, and a program asks once for each.
    UPSWEEP_INLINE const self_check_verdict* find(const std::string& name) {
        const std::lock_guard<std::mutex> guard(lock);
        for (const auto& known : verdicts)
            if (known->name == name) return &known->verdict;
        return nullptr;
    }
    UPSWEEP_INLINE const self_check_verdict& add(const std::string& name, self_check_verdict verdict) {
        const std::lock_guard<std::mutex> guard(lock);
        verdicts.push_back(std::shared_ptr<const named_verdict>(new named_verdict{name, std::move(verdict)}));
        return verdicts.back()->verdict;
    }
};

/// The number of a kind of call among those that one program serves.
/// @param is_one_chunk  nothing is combined across chunks
constexpr std::size_t self_check_slot(operation op, strategy s, bool promises_bits, bool is_one_chunk) {
    return (static_cast<std::size_t>(s) * std::size(operation_records) + static_cast<std::size_t>(op)) * 4 +
           (promises_bits ? 2 : 0) + (is_one_chunk ? 1 : 0);
}
/// The number of a check of a program's own (own_check.hpp).
constexpr std::size_t own_slot = names_of(strategy()).size() * std::size(operation_records) * 4;
constexpr std::size_t self_check_slots = own_slot + 1;

} // namespace upsweep::detail
