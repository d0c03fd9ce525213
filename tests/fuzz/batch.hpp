// SPDX-License-Identifier: MIT
// One batch: a subject (types and operator), an operation and options, drawn once, because building its programs takes
// the time; and the cases that are run on it.
#pragma once

#include "layout.hpp"
#include "reference.hpp"

#include <memory>
#include <optional>
#include <string>

namespace fuzz {

enum class outcome { right, refused };

class any_batch {
public:
    virtual ~any_batch() = default;
    /// Runs one case. Throws `failure`. `description()` tells of the case as far as it was drawn.
    virtual outcome run(dice& d) = 0;
    virtual const std::string& description() const = 0;
};

struct batch_draw {
    bool reduces = false;
    upsweep::options opts;
};

enum class call_form { plan, free_function, host_range };

template <class Subject>
class batch : public any_batch {
    using in_type = typename Subject::in;
    using out_type = typename Subject::out;
    using op_type = decltype(Subject::op());
    using scan_plan = upsweep::scan_plan<in_type, out_type, op_type>;
    using reduce_plan = upsweep::reduce_plan<in_type, out_type, op_type>;

public:
    batch(const environment& env, const batch_draw& draw, dice& d)
        : env_(env)
        , draw_(draw) {
        what_ = Subject::name() + (draw.reduces ? ", reduce, " : ", scan, ") + fuzz::describe(draw.opts);
        description_ = what_;
        const std::size_t tile = std::size_t{draw.opts.work_items} * draw.opts.items;
        const bool single = draw.opts.strategy == upsweep::strategy::single_tile;
        const std::size_t wanted = std::min(env.largest, d.pick<std::size_t>({5000, 100000, 1U << 22}));
        capacity_ = !single ? wanted : tile > 0 ? tile : 1;
        prepare();
        tile_ = scan_ ? scan_->tuning().tile() : reduce_ ? reduce_->tuning().tile() : std::max<std::size_t>(tile, 1);
    }

    const std::string& description() const override { return description_; }

    outcome run(dice& d) override {
        draw_case(d);
        const std::size_t margin = d.below(9);
        std::vector<in_type> all = Subject::fill(d, margin + n_ + d.below(9));
        const in_type* values = all.data() + margin;
        init_ = Subject::init(d, n_ > 0 ? values : nullptr);
        if (form_ == call_form::host_range) return on_host(std::vector<in_type>(values, values + n_));
        const extent in{n_, sizeof(in_type)};
        const extent out{draw_.reduces ? 1 : n_, sizeof(out_type)};
        constexpr bool same = std::is_same<in_type, out_type>::value;
        const layout l = draw_layout(d, in, out, same && !draw_.reduces);
        description_ += std::string(", ") + to_string(l.kind) + ", input at byte " + std::to_string(l.in_at) +
                        ", output at " + std::to_string(l.out_at);
        std::vector<unsigned char> bytes(all.size() * sizeof(in_type));
        if (!bytes.empty()) std::memcpy(bytes.data(), all.data(), bytes.size());
        const bool other = env_.out_of_order() && d.once_in(3);
        queue_ = other ? env_.out_of_order() : env_.in_order();
        memory m(d, env_, queue_, l, in, bytes, margin * sizeof(in_type));
        return on_device(d, m, std::vector<in_type>(values, values + n_), must_refuse(l, in, out));
    }

private:
    /// Makes the plan; when that is refused, the plan's cases count as refused.
    void prepare() {
        plan_verdict_ = judge(env_, draw_.opts, Subject::needs, capacity_, sizeof(out_type));
        try {
            if (draw_.reduces)
                reduce_.emplace(env_.in_order, capacity_, Subject::op(), draw_.opts);
            else
                scan_.emplace(env_.in_order, capacity_, Subject::op(), draw_.opts);
        } catch (const upsweep::error& e) {
            plan_error_ = e.what();
        }
    }

    void draw_case(dice& d) {
        form_ = d.pick({call_form::plan, call_form::plan, call_form::free_function, call_form::host_range});
        variety_ = d.pick({variety::plain, variety::with_init, variety::exclusive});
        if (draw_.reduces && variety_ == variety::exclusive) variety_ = variety::plain;
        // Without an initial value, a host range is scanned and reduced in its own type.
        constexpr bool same = std::is_same<in_type, out_type>::value;
        if (variety_ == variety::plain && form_ == call_form::host_range && !same) variety_ = variety::with_init;
        const bool single = draw_.opts.strategy == upsweep::strategy::single_tile && !d.once_in(20);
        const std::size_t piece = form_ == call_form::host_range ? draw_piece<in_type, out_type>(d) : 0;
        n_ = piece > 0 && d.once_in(2) ? near_edge(d, piece * (1 + d.below(4))) : draw_size(d, tile_, env_.largest);
        if (piece > 0) n_ %= 200 * piece + 1;
        if (single) n_ %= tile_ + 1;
        if (form_ == call_form::plan && n_ > capacity_ && !d.once_in(10)) n_ %= capacity_ + 1;
        const char* form = form_ == call_form::plan            ? "plan"
                           : form_ == call_form::free_function ? "free function"
                                                               : "host range";
        description_ = what_ + ", n = " + std::to_string(n_) + ", " + to_string(variety_) + ", " + form;
        if (piece > 0) description_ += " in pieces of " + std::to_string(piece) + " elements";
        if (form_ == call_form::plan) description_ += " for " + std::to_string(capacity_);
    }

    verdict expected_verdict() const {
        if (form_ == call_form::plan) {
            if (plan_verdict_ != verdict::runs) return plan_verdict_;
            return n_ > capacity_ ? verdict::refused : verdict::runs;
        }
        return judge(env_, draw_.opts, Subject::needs, n_, sizeof(out_type));
    }

    /// Runs `call`, which may end in upsweep::error if that is what should happen. Returns whether it ran.
    template <class Call>
    bool attempt(verdict expected, Call&& call) const {
        std::string refusal;
        try {
            call();
        } catch (const upsweep::error& e) {
            if (e.function().empty() || e.argument().empty() || e.cause().empty())
                throw failure(std::string("an error that does not say what is wrong: ") + e.what());
            refusal = e.what();
        }
        if (refusal.empty() && expected == verdict::refused) throw failure("should have been refused");
        if (!refusal.empty() && expected == verdict::runs) throw failure("should not have been refused: " + refusal);
        return refusal.empty();
    }

    outcome on_host(const std::vector<in_type>& in) {
        const out_type filler = init_;
        std::vector<out_type> out(draw_.reduces ? 1 : n_ + 2, filler);
        const auto call = [&] {
            if (draw_.reduces)
                out[0] = reduce_host(in);
            else
                scan_host(in, out.begin() + 1);
        };
        if (!attempt(expected_verdict(), call)) return outcome::refused;
        const std::size_t first = draw_.reduces ? 0 : 1;
        std::vector<out_type> actual(out.begin() + static_cast<std::ptrdiff_t>(first),
                                     out.end() - static_cast<std::ptrdiff_t>(first));
        compare(in, actual);
        if (std::memcmp(&out.back(), draw_.reduces ? &out[0] : &filler, sizeof filler) != 0 ||
            std::memcmp(&out.front(), draw_.reduces ? &out[0] : &filler, sizeof filler) != 0)
            throw failure("written outside of the output's range");
        return outcome::right;
    }

    template <class OutputIt>
    void scan_host(const std::vector<in_type>& in, OutputIt out) const {
        const auto op = Subject::op();
        OutputIt end = out;
        if (variety_ == variety::exclusive)
            end = upsweep::exclusive_scan(env_.in_order, in.begin(), in.end(), out, init_, op, draw_.opts);
        else if (variety_ == variety::with_init)
            end = upsweep::inclusive_scan(env_.in_order, in.begin(), in.end(), out, op, init_, draw_.opts);
        else
            end = upsweep::inclusive_scan(env_.in_order, in.begin(), in.end(), out, op, draw_.opts);
        if (end != out + static_cast<std::ptrdiff_t>(n_)) throw failure("the returned end is not the output's");
    }

    out_type reduce_host(const std::vector<in_type>& in) const {
        if constexpr (std::is_same<in_type, out_type>::value)
            if (variety_ == variety::plain)
                return upsweep::reduce(env_.in_order, in.begin(), in.end(), upsweep::no_init, Subject::op(),
                                       draw_.opts);
        return upsweep::reduce(env_.in_order, in.begin(), in.end(), init_, Subject::op(), draw_.opts);
    }

    outcome on_device(dice& d, memory& m, const std::vector<in_type>& in, bool refuse) {
        const upsweep::span<const in_type> from(m.in().buffer(), n_, m.where().in_at);
        const std::size_t count = draw_.reduces ? 1 : n_;
        const upsweep::span<out_type> to(m.out().buffer(), count, m.where().out_at);
        std::optional<test::device_image> scratch;
        upsweep::span<unsigned char> workspace;
        const std::size_t bytes = scan_ ? scan_->workspace_bytes() : reduce_ ? reduce_->workspace_bytes() : 0;
        if (form_ == call_form::plan && bytes > 0 && d.once_in(3)) {
            scratch.emplace(env_.context, queue_, memory::random_bytes(d, bytes + 64));
            workspace = {scratch->buffer(), bytes};
            description_ += ", own workspace";
        }
        const verdict expected = refuse ? verdict::refused : expected_verdict();
        const bool ran = attempt(expected, [&] {
            cl::Event done = form_ == call_form::plan ? run_plan(from, to, workspace) : run_free(from, to);
            const cl_event event = done();
            if (event) upsweep::detail::check_status(clWaitForEvents(1, &event), "fuzz", "clWaitForEvents");
            upsweep::detail::check_status(clFinish(queue_), "fuzz", "clFinish");
        });
        if (ran) {
            const std::vector<unsigned char> bytes_out = m.out().read();
            std::vector<out_type> actual(count);
            if (count > 0) std::memcpy(actual.data(), &bytes_out[m.where().out_at], count * sizeof(out_type));
            compare(in, actual);
            m.out().expect(m.where().out_at, actual.data(), count * sizeof(out_type));
            if (scratch && !beyond_is_untouched(*scratch, bytes)) throw failure("written behind the workspace");
        }
        const std::string difference = m.difference();
        if (!difference.empty()) throw failure((ran ? "" : "refused, but ") + difference);
        return ran ? outcome::right : outcome::refused;
    }

    static bool beyond_is_untouched(test::device_image& scratch, std::size_t bytes) {
        const std::vector<unsigned char> now = scratch.read();
        scratch.expect(0, now.data(), bytes);
        return scratch.first_difference(now) == -1;
    }

    cl::Event run_plan(const upsweep::span<const in_type>& from, const upsweep::span<out_type>& to,
                       upsweep::span<unsigned char> workspace) const {
        if (!scan_ && !reduce_) {
            if (plan_verdict_ == verdict::runs) throw failure("the plan should not have been refused: " + plan_error_);
            throw upsweep::error("plan", "refused", plan_error_);
        }
        if (scan_ && variety_ == variety::exclusive)
            return scan_->exclusive_scan(queue_, from, to, init_, {}, workspace);
        if (scan_ && variety_ == variety::with_init)
            return scan_->inclusive_scan(queue_, from, to, init_, {}, workspace);
        if (scan_) return scan_->inclusive_scan(queue_, from, to, upsweep::wait_list{}, workspace);
        if (variety_ == variety::with_init) return reduce_->reduce(queue_, from, to, init_, {}, workspace);
        return reduce_->reduce(queue_, from, to, upsweep::no_init, {}, workspace);
    }

    cl::Event run_free(const upsweep::span<const in_type>& from, const upsweep::span<out_type>& to) const {
        const auto op = Subject::op();
        if (draw_.reduces && variety_ == variety::with_init)
            return upsweep::reduce(queue_, from, to, init_, op, {}, draw_.opts);
        if (draw_.reduces) return upsweep::reduce(queue_, from, to, upsweep::no_init, op, {}, draw_.opts);
        if (variety_ == variety::exclusive) return upsweep::exclusive_scan(queue_, from, to, init_, op, {}, draw_.opts);
        if (variety_ == variety::with_init) return upsweep::inclusive_scan(queue_, from, to, op, init_, {}, draw_.opts);
        return upsweep::inclusive_scan(queue_, from, to, op, {}, draw_.opts);
    }

    void compare(const std::vector<in_type>& in, const std::vector<out_type>& actual) const {
        check_against_reference<Subject>(in, actual, draw_.reduces, variety_, init_);
        if constexpr (Subject::approximate)
            if (n_ > 0 && runs_in_canonical_order()) check_bits<Subject>(in, actual, draw_.reduces, variety_, init_);
    }

    /// Asks a plan, because a self-check may have chosen otherwise than the options did.
    bool runs_in_canonical_order() const {
        namespace detail = upsweep::detail;
        const std::size_t capacity = form_ == call_form::plan ? capacity_ : n_;
        if (draw_.reduces) {
            const reduce_plan plan(env_.in_order, capacity, Subject::op(), draw_.opts);
            return detail::keeps_canonical_order(plan.tuning(), detail::operation::reduce);
        }
        const scan_plan plan(env_.in_order, capacity, Subject::op(), draw_.opts);
        return detail::keeps_canonical_order(plan.tuning(), detail::operation::scan);
    }

    const environment& env_;
    batch_draw draw_;
    std::string what_, description_, plan_error_;
    std::size_t capacity_ = 0, tile_ = 1, n_ = 0;
    verdict plan_verdict_ = verdict::either;
    std::optional<scan_plan> scan_;
    std::optional<reduce_plan> reduce_;
    call_form form_ = call_form::plan;
    variety variety_ = variety::plain;
    out_type init_{};
    cl_command_queue queue_ = nullptr;
};

} // namespace fuzz
