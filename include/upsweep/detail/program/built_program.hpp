// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/status.hpp>
#include <upsweep/detail/program/self_check_verdict.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/shared_value.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace upsweep::detail {

/// Whether the process is ending, and with it, in an unknown order, the driver. Recorded by an object made when
/// the first program is, so after the driver was loaded: it is destroyed before the driver ends.
template <class>
class process_end_of {
public:
    static void watch() { static const process_end_of mark; }
    static bool has_begun() { return flag(); }

private:
    process_end_of() { flag() = false; }
    ~process_end_of() { flag() = true; }
    UPSWEEP_INLINE static shared_value<bool>& flag() {
        static auto* const begun = new shared_value<bool>(false); // never destroyed: see shared_value
        return *begun;
    }
};

/// A built program with the kernel objects made from it. Kernel objects are lent to one call at a time, because setting
/// arguments and enqueueing are two steps; idle ones are kept, so that a warm call creates none.
template <class Later>
class built_program_of {
public:
    UPSWEEP_INLINE explicit built_program_of(cl::Program program)
        : program_(std::move(program)) {
        process_end_of<Later>::watch();
    }
    /// A plan in a static object may be the last to let go of its program: then there may be no driver to tell.
    ~built_program_of() {
        if (!process_end_of<Later>::has_begun()) return;
        program_() = nullptr;
        for (kernel_object& object : idle_) object.kernel() = nullptr;
    }
    built_program_of(const built_program_of&) = delete;
    built_program_of& operator=(const built_program_of&) = delete;

    struct kernel_object {
        const char* name = ""; ///< a literal
        cl::Kernel kernel;
        std::vector<unsigned char> kept_arguments;
    };

    /// A kernel object on loan, given back at the end of its scope.
    template <class>
    class loan_of {
    public:
        /// @param name  a literal
        loan_of(built_program_of& owner, const char* name, const char* function)
            : owner_(owner)
            , lent_(owner.take(name, function)) {}
        ~loan_of() { owner_.put(std::move(lent_)); }
        loan_of(const loan_of&) = delete;
        loan_of& operator=(const loan_of&) = delete;
        cl_kernel operator()() const { return lent_.kernel(); }
        /// The bytes of the arguments that need not be set again while they stay the same. Empty at first.
        std::vector<unsigned char>& kept_arguments() { return lent_.kept_arguments; }

    private:
        built_program_of& owner_;
        kernel_object lent_;
    };
    using loan = loan_of<void>;

    /// A new object of a kernel.
    UPSWEEP_INLINE cl::Kernel make_kernel(const char* kernel, const char* function) const {
        cl_int status = CL_SUCCESS;
        cl::Kernel result(clCreateKernel(program_(), kernel, &status));
        check_status(status, function, "clCreateKernel");
        return result;
    }

    /// What self-checks found of this program's kernels for one kind of call (self_check_slot); null: not checked.
    UPSWEEP_INLINE const self_check_verdict* verdict(std::size_t slot) {
        const std::lock_guard<std::mutex> guard(lock_);
        return verdicts_[slot];
    }
    UPSWEEP_INLINE void settle(std::size_t slot, const self_check_verdict& v) {
        const std::lock_guard<std::mutex> guard(lock_);
        verdicts_[slot] = &v;
    }

private:
    UPSWEEP_INLINE kernel_object take(const char* name, const char* function) {
        {
            const std::lock_guard<std::mutex> guard(lock_);
            for (kernel_object& each : idle_) {
                if (std::strcmp(each.name, name) != 0) continue;
                std::swap(each, idle_.back());
                kernel_object object = std::move(idle_.back());
                idle_.pop_back();
                return object;
            }
        }
        return {name, make_kernel(name, function), {}};
    }
    UPSWEEP_INLINE void put(kernel_object object) {
        try {
            const std::lock_guard<std::mutex> guard(lock_);
            idle_.push_back(std::move(object));
        } catch (const std::bad_alloc&) { // called by a destructor; the next call makes itself another kernel
        }
    }

    cl::Program program_;
    std::mutex lock_; ///< of what follows
    std::vector<kernel_object> idle_;
    std::array<const self_check_verdict*, self_check_slots> verdicts_{};
};
using built_program = built_program_of<void>;

} // namespace upsweep::detail
