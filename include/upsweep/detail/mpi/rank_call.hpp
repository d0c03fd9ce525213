// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/group/part_call.hpp>
#include <upsweep/detail/mpi/collective.hpp>

#include <climits>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace upsweep::detail {

/// One rank's arguments of a collective call.
struct rank_arguments {
    call_arguments part; ///< without an initial value
    parts_call call = parts_call::inclusive;
    const void* init = nullptr;  ///< null: none. That of rank 0 counts
    bool init_on_device = false; ///< which is an error
    int root = -1;               ///< of a reduction: who gets the result; -1: all
    void* result = nullptr;      ///< of a reduction: written where the rank gets it and there are elements
};

/// What every rank knows of every other's call.
struct rank_facts {
    std::uint64_t count = 0;
    std::uint64_t has_failed = 0;
    std::uint64_t call = 0;
    std::uint64_t value_size = 0;
    std::uint64_t has_init = 0;
    std::uint64_t root = 0;

    static constexpr std::size_t numbers = 6;
    std::vector<std::uint64_t> packed() const { return {count, has_failed, call, value_size, has_init, root}; }
    static rank_facts unpacked(const std::uint64_t* from) {
        return {from[0], from[1], from[2], from[3], from[4], from[5]};
    }
};

/// A collective call of one rank: what it does between communications may fail, and then all ranks learn of it.
class rank_call {
public:
    rank_call(const collective& all, const rank_arguments& a, const call_types& types, const options& opts)
        : all_(all)
        , arguments_(a)
        , types_(types)
        , options_(opts) {}

    /// Null for a reduction.
    cl_event run() {
        exchange_counts();
        exchange_sums();
        cl_event done = nullptr;
        const auto own = failure_of(all_.function(), [&] { done = finish(); });
        try {
            all_.agree(own);
        } catch (...) {
            if (done) clReleaseEvent(done);
            throw;
        }
        return done;
    }

private:
    /// Checks the arguments on all ranks, and that they fit each other.
    void exchange_counts() {
        const auto own = failure_of(all_.function(), [&] {
            if (arguments_.root >= all_.size())
                throw error(all_.function(), "root", "there is no such rank: " + std::to_string(arguments_.root));
            if (arguments_.init_on_device)
                throw error(all_.function(), "initial value", "lies on the device, but must come from the host here");
            part_ = check_part(arguments_.part, arguments_.call, types_, options_);
        });
        rank_facts facts;
        facts.count = own ? 0 : arguments_.part.in.size;
        facts.has_failed = own ? 1 : 0;
        facts.call = static_cast<std::uint64_t>(arguments_.call);
        facts.value_size = types_.value.size;
        facts.has_init = arguments_.init ? 1 : 0;
        facts.root = static_cast<std::uint64_t>(arguments_.root);
        const std::vector<std::uint64_t> numbers = all_.gather(facts.packed());
        std::vector<rank_facts> ranks;
        for (int rank = 0; rank < all_.size(); ++rank)
            ranks.push_back(rank_facts::unpacked(&numbers[static_cast<std::size_t>(rank) * rank_facts::numbers]));
        for (int rank = 0; rank < all_.size(); ++rank)
            if (ranks[static_cast<std::size_t>(rank)].has_failed) all_.throw_failure_of(rank, own);
        check_same(ranks);
        for (const rank_facts& rank : ranks) counts_.push_back(rank.count);
    }

    /// All ranks see the same facts, and so throw the same error.
    void check_same(const std::vector<rank_facts>& ranks) const {
        std::uint64_t n = 0;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const auto refuse = [&](const char* argument, const char* cause) {
                throw error(all_.function(), "rank " + std::to_string(rank) + ": " + argument, cause);
            };
            const rank_facts& a = ranks[0];
            const rank_facts& b = ranks[rank];
            if (a.call != b.call || a.root != b.root)
                refuse("call", "another one, or with another root, than rank 0's");
            if (a.value_size != b.value_size) refuse("type", "of another size than rank 0's");
            if (a.has_init != b.has_init) refuse("init", "rank 0 has one and this rank none, or the other way round");
            n += b.count;
            if (n >> 63 != 0) refuse("input", "2^63 elements or more, with the ranks before");
        }
    }

    bool gets_result() const { return arguments_.root < 0 || arguments_.root == all_.rank(); }

    /// Sums the rank's blocks, and gathers those of all. A rank's message is a value whose first byte says whether it
    /// has failed, and its sums; that of rank 0 ends with the initial value.
    void exchange_sums() {
        const std::size_t size = types_.value.size;
        const auto rank = static_cast<std::size_t>(all_.rank());
        plan_ = plan_parts(counts_, arguments_.call, arguments_.init != nullptr);
        std::vector<int> lengths;
        std::uint64_t values = 0;
        for (const part_plan& part : plan_.parts) {
            const bool has_init = lengths.empty() && arguments_.init;
            lengths.push_back(static_cast<int>(part.sums.size()) + (has_init ? 2 : 1));
            values += static_cast<std::uint64_t>(lengths.back());
        }
        if (values > INT_MAX) throw error(all_.function(), "communicator", "more ranks than one MPI_Allgatherv takes");
        values_.resize(plan_.fold.size() * size);
        const auto own = failure_of(all_.function(), [&] { sum_own(plan_.parts[rank]); });
        std::vector<unsigned char> message(static_cast<std::size_t>(lengths[rank]) * size);
        message[0] = own ? 1 : 0;
        const part_plan& mine = plan_.parts[rank];
        if (!mine.sums.empty()) std::memcpy(&message[size], &values_[mine.first_sum * size], mine.sums.size() * size);
        if (rank == 0 && arguments_.init) std::memcpy(&message[message.size() - size], arguments_.init, size);
        const std::vector<unsigned char> all = all_.gather_values(message, lengths, size);
        const unsigned char* from = all.data();
        for (std::size_t r = 0; r < lengths.size(); from += static_cast<std::size_t>(lengths[r++]) * size) {
            if (*from != 0) all_.throw_failure_of(static_cast<int>(r), own);
            const part_plan& part = plan_.parts[r];
            if (!part.sums.empty()) std::memcpy(&values_[part.first_sum * size], from + size, part.sums.size() * size);
            if (r == 0 && arguments_.init) std::memcpy(values_.data(), from + (part.sums.size() + 1) * size, size);
        }
    }

    void sum_own(const part_plan& mine) {
        std::vector<std::uint32_t> wanted = mine.places();
        if (plan_.total && gets_result()) wanted.push_back(*plan_.total);
        steps_ = steps_for(plan_.fold, wanted);
        build_part(*part_, mine, !steps_.empty());
        start_sums(*part_);
        read_sums(*part_, values_.data());
    }

    /// Folds what this rank needs, and enqueues its scans.
    cl_event finish() {
        fold_values(*part_, steps_, values_.data(), plan_.fold.size());
        if (arguments_.call != parts_call::reduce) return start_scans(*part_, values_.data());
        const std::size_t size = types_.value.size;
        if (plan_.total && gets_result()) std::memcpy(arguments_.result, &values_[*plan_.total * size], size);
        return nullptr;
    }

    const collective& all_;
    const rank_arguments& arguments_;
    const call_types& types_;
    const options& options_;
    std::shared_ptr<part_call> part_;
    std::vector<std::uint64_t> counts_;
    parts_plan plan_;
    std::vector<fold_step> steps_;
    std::vector<unsigned char> values_;
};

} // namespace upsweep::detail
