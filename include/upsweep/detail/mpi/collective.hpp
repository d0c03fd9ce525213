// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/error.hpp>

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::detail {

/// Where an MPI call returns an error, which the communicator's error handler decides.
inline void check_mpi(const char* function, const char* call, int status) {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    if (MPI_Error_string(status, text, &length) != MPI_SUCCESS) length = 0;
    throw error(function, call, length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "failed", status);
}

/// What went wrong on a rank, to be sent to the others.
struct failure {
    std::string function;
    std::string argument;
    std::string cause;
    int status = 0;
};

/// Does something on one rank. What it throws is kept until all ranks know.
template <class Action>
std::optional<failure> failure_of(const char* function, const Action& action) {
    try {
        action();
        return std::nullopt;
    } catch (const error& e) {
        return failure{e.function(), e.argument(), e.cause(), e.status()};
    } catch (const std::bad_alloc&) {
        return failure{function, "host memory", "exhausted", 0};
    } catch (const std::exception& e) {
        return failure{function, "exception", e.what(), 0};
    } catch (...) {
        return failure{function, "exception", "of an unknown type", 0};
    }
}

/// A collective call of one rank. No rank throws on its own between two communications: others would wait for it.
class collective {
public:
    /// @throws upsweep::error where MPI is not running or there is no communicator
    collective(const char* function, MPI_Comm communicator)
        : function_(function)
        , communicator_(communicator) {
        int is_initialized = 0;
        int is_finalized = 0;
        check(MPI_Initialized(&is_initialized), "MPI_Initialized");
        check(MPI_Finalized(&is_finalized), "MPI_Finalized");
        if (!is_initialized || is_finalized) throw error(function, "communicator", "MPI is not initialized");
        if (communicator == MPI_COMM_NULL) throw error(function, "communicator", "null");
        check(MPI_Comm_rank(communicator, &rank_), "MPI_Comm_rank");
        check(MPI_Comm_size(communicator, &size_), "MPI_Comm_size");
    }

    const char* function() const { return function_; }
    int rank() const { return rank_; }
    int size() const { return size_; }

    /// The same number of numbers of each rank, one rank's behind another's.
    std::vector<std::uint64_t> gather(const std::vector<std::uint64_t>& own) const {
        std::vector<std::uint64_t> all(own.size() * static_cast<std::size_t>(size_));
        const int count = static_cast<int>(own.size());
        check(MPI_Allgather(own.data(), count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, communicator_),
              "MPI_Allgather");
        return all;
    }

    /// Values of each rank, one rank's behind another's.
    /// @param counts  values of each rank, whose sum is at most INT_MAX
    std::vector<unsigned char> gather_values(const std::vector<unsigned char>& own, const std::vector<int>& counts,
                                             std::size_t value_size) const {
        std::vector<int> places;
        int values = 0;
        for (int count : counts) {
            places.push_back(values);
            values += count;
        }
        std::vector<unsigned char> all(static_cast<std::size_t>(values) * value_size);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        check(MPI_Type_contiguous(static_cast<int>(value_size), MPI_BYTE, &type), "MPI_Type_contiguous");
        check(MPI_Type_commit(&type), "MPI_Type_commit");
        const int status = MPI_Allgatherv(own.data(), counts[static_cast<std::size_t>(rank_)], type, all.data(),
                                          counts.data(), places.data(), type, communicator_);
        MPI_Type_free(&type);
        check(status, "MPI_Allgatherv");
        return all;
    }

    /// Where a rank has failed, all throw the error of the first of them. Costs an MPI_Allreduce.
    void agree(const std::optional<failure>& own) const {
        const int mine = own ? rank_ : size_;
        int first = size_;
        check(MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, communicator_), "MPI_Allreduce");
        if (first < size_) throw_failure_of(first, own);
    }

    /// Throws the error of a rank that has failed, as all know. Collective.
    [[noreturn]] void throw_failure_of(int rank, const std::optional<failure>& own) const {
        failure its;
        if (rank == rank_) its = *own;
        for (std::string* text : {&its.function, &its.argument, &its.cause}) broadcast(rank, *text);
        check(MPI_Bcast(&its.status, 1, MPI_INT, rank, communicator_), "MPI_Bcast");
        throw error(its.function, "rank " + std::to_string(rank) + ": " + its.argument, its.cause, its.status);
    }

private:
    void check(int status, const char* call) const { check_mpi(function_, call, status); }

    void broadcast(int from, std::string& text) const {
        std::uint64_t length = text.size();
        check(MPI_Bcast(&length, 1, MPI_UINT64_T, from, communicator_), "MPI_Bcast");
        text.resize(static_cast<std::size_t>(length));
        check(MPI_Bcast(&text[0], static_cast<int>(length), MPI_CHAR, from, communicator_), "MPI_Bcast");
    }

    const char* function_;
    MPI_Comm communicator_;
    int rank_ = 0;
    int size_ = 1;
};

} // namespace upsweep::detail
