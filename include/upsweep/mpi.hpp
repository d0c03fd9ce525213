// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/group/group_arguments.hpp>
#include <upsweep/detail/mpi/rank_call.hpp>
#include <upsweep/exclusive_scan.hpp>
#include <upsweep/no_init.hpp>
#include <upsweep/operator.hpp>
#include <upsweep/options.hpp>
#include <upsweep/span.hpp>

#include <mpi.h>

#include <cstddef>
#include <type_traits>

/// Scans and reductions of one array whose parts lie on the devices of MPI's ranks, in the order of the ranks.
/// Link upsweep::mpi and `#include <upsweep/mpi.hpp>`, which no other header includes.
///
/// All functions are collective: every rank of the communicator calls them, with the same operator and types, and with
/// or without an initial value. A rank may have any number of elements, also none, but has a queue. Results have the
/// bits of one device (reference.hpp), for any number of ranks and any sizes of parts.
///
/// Where one rank fails, all throw the same upsweep::error, whose argument begins with the number of the first rank
/// that did, and none waits for another. (An MPI call that fails is for the communicator's error handler, which by
/// default ends all ranks.) Values travel from device to host to MPI: it need not know of devices. Ranks must have
/// values of the same layout.
namespace upsweep::mpi {

/// @cond
namespace detail {

using namespace upsweep::detail;

template <class In, class Out, class Op>
cl::Event scan_of_rank(const char* function, MPI_Comm communicator, queue_handle queue, span<In> in, span<Out> out,
                       bool exclusive, const given_value<Out>& init, const Op& op, const wait_list& after,
                       const options& opts) {
    if constexpr (check_types<std::remove_const_t<In>, Out, Op>()) {
        const collective all(function, communicator);
        const Out any{};
        rank_arguments a;
        a.part = part_arguments(function, operation::scan, queue.get(), in, out, exclusive, any, after);
        a.call = exclusive ? parts_call::exclusive : parts_call::inclusive;
        a.init = init.value;
        a.init_on_device = init.on_device;
        const call_types types = types_of<std::remove_const_t<In>, Out>(op);
        return cl::Event(rank_call(all, a, types, opts).run());
    } else {
        return {};
    }
}

template <class In, class T, class Op>
T reduction_of_rank(const char* function, MPI_Comm communicator, int root, queue_handle queue, span<In> in,
                    const T* init, const Op& op, const wait_list& after, const options& opts) {
    if constexpr (check_types<std::remove_const_t<In>, T, Op>()) {
        const collective all(function, communicator);
        T result{};
        rank_arguments a;
        a.part = part_arguments(function, operation::reduce, queue.get(), in, span<T>(), false, result, after);
        a.call = parts_call::reduce;
        a.init = init;
        a.root = root;
        a.result = &result;
        const call_types types = types_of<std::remove_const_t<In>, T>(op);
        rank_call(all, a, types, opts).run();
        return result;
    } else {
        return no_result<T>();
    }
}

/// Any rank, but not the number that stands for all.
inline int rank_number(int root) {
    return root < 0 ? INT_MAX : root;
}

} // namespace detail
/// @endcond

/// Inclusive scan of the parts of all ranks: out[i] combines all elements of the ranks before with this rank's up to i.
/// Blocks until the ranks' sums are there; the rank's scan is then enqueued.
///
/// @param communicator  of the ranks that share the array
/// @param queue  of the context that the buffers belong to
/// @param in     the rank's part; may be empty
/// @param out    at least in.size() elements; may be the same elements as the input
/// @param op     associative, the same on all ranks
/// @param after  events to wait for
/// @param opts   what is not left to the library
/// @return the event of the rank's last command
/// @throws upsweep::error on all ranks, as #upsweep::inclusive_scan does on one; where ranks call different functions,
///         or with types of different sizes; on one rank only where MPI is not running, or there is no communicator
///
/// @par Launches and elements moved
/// As a part of `device_group`: 3n elements, 2n on the last rank; one launch combines the sums that the rank needs, or
/// the host, as there.
///
/// @par Source
/// As #upsweep::device_group.
///
/// @par Messages
/// MPI_Allgather of 48 bytes, MPI_Allgatherv of the sums of each rank's aligned blocks (one where parts are of equal
/// powers of two, at most 2 log2 n), MPI_Allreduce of one number.
template <class In, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event inclusive_scan(MPI_Comm communicator, queue_handle queue, span<In> in, span<Out> out, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    const detail::given_value<Out> none(nullptr);
    return detail::scan_of_rank("mpi::inclusive_scan", communicator, queue, in, out, false, none, op, after, opts);
}

/// Inclusive scan with an initial value, which stands before the elements of rank 0; that of rank 0 counts. It
/// comes from the host.
template <class In, class Out, class Op, class = detail::require_operator<Op>>
cl::Event inclusive_scan(MPI_Comm communicator, queue_handle queue, span<In> in, span<Out> out, const Op& op,
                         const detail::identity_t<detail::initial_value<Out>>& init, const wait_list& after = {},
                         const options& opts = {}) {
    return detail::scan_of_rank("mpi::inclusive_scan", communicator, queue, in, out, false, init.get(), op, after,
                                opts);
}

/// Exclusive scan of the parts of all ranks; the initial value of rank 0 counts. Otherwise as #inclusive_scan.
template <class In, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event exclusive_scan(MPI_Comm communicator, queue_handle queue, span<In> in, span<Out> out,
                         const detail::identity_t<detail::initial_value<Out>>& init, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return detail::scan_of_rank("mpi::exclusive_scan", communicator, queue, in, out, true, init.get(), op, after, opts);
}

/// Exclusive scan of the parts of all ranks from the identity of one of the library's operators (`identity_of`).
template <class In, class Out, class Op = plus, class = detail::require_operator<Op>>
cl::Event exclusive_scan(MPI_Comm communicator, queue_handle queue, span<In> in, span<Out> out, const Op& op = {},
                         const wait_list& after = {}, const options& opts = {}) {
    return upsweep::mpi::exclusive_scan(communicator, queue, in, out, upsweep::detail::first_of_scan<Out>(op), op,
                                        after, opts);
}

/// Reduces the parts of all ranks, in the type of the initial value (that of rank 0 counts), and returns the result on
/// all. Otherwise as #inclusive_scan; each element is read once.
template <class In, class T, class Op = plus, class = detail::require_operator<Op>,
          class = detail::require_value_for_operator<T>>
T all_reduce(MPI_Comm communicator, queue_handle queue, span<In> in, T init, const Op& op = {},
             const wait_list& after = {}, const options& opts = {}) {
    return detail::reduction_of_rank("mpi::all_reduce", communicator, -1, queue, in, &init, op, after, opts);
}

/// Reduces without an initial value, in the elements' type; T{} where no rank has any.
template <class In, class Op = plus, class T = std::remove_const_t<In>, class = detail::require_operator<Op>>
T all_reduce(MPI_Comm communicator, queue_handle queue, span<In> in, no_init_t = no_init, const Op& op = {},
             const wait_list& after = {}, const options& opts = {}) {
    const T* const none = nullptr;
    return detail::reduction_of_rank("mpi::all_reduce", communicator, -1, queue, in, none, op, after, opts);
}

/// Reduces as #all_reduce, but returns the result on rank `root`, the same on all ranks; others get T{}.
/// @throws upsweep::error also where there is no such rank
template <class In, class T, class Op = plus, class = detail::require_operator<Op>,
          class = detail::require_value_for_operator<T>>
T reduce(MPI_Comm communicator, int root, queue_handle queue, span<In> in, T init, const Op& op = {},
         const wait_list& after = {}, const options& opts = {}) {
    return detail::reduction_of_rank("mpi::reduce", communicator, detail::rank_number(root), queue, in, &init, op,
                                     after, opts);
}

/// Reduces without an initial value; otherwise as the one with one.
template <class In, class Op = plus, class T = std::remove_const_t<In>, class = detail::require_operator<Op>>
T reduce(MPI_Comm communicator, int root, queue_handle queue, span<In> in, no_init_t = no_init, const Op& op = {},
         const wait_list& after = {}, const options& opts = {}) {
    const T* const none = nullptr;
    return detail::reduction_of_rank("mpi::reduce", communicator, detail::rank_number(root), queue, in, none, op, after,
                                     opts);
}

} // namespace upsweep::mpi
