// SPDX-License-Identifier: MIT
// What is built on scan and reduce, on device memory: views, segments, selections, extremes. One batch is one call with
// texts, types and options that are drawn once, because they decide its programs; a case draws the rest.
#pragma once

#include "batch.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

/// A case's arrays: each in a buffer of its own, at a random element, with random bytes before and behind it.
class arrays {
public:
    arrays(dice& d, const environment& env, cl_command_queue queue)
        : dice_(d)
        , env_(env)
        , queue_(queue)
        , aligned_(d.once_in(4)) {}

    /// An array of these elements.
    template <class T>
    upsweep::span<T> put(const std::vector<T>& values) {
        return place(values.size(), sizeof(T), values.data());
    }
    /// Room for results, filled with random bytes.
    template <class T>
    upsweep::span<T> room(std::size_t count) {
        return place(count, sizeof(T), nullptr);
    }
    /// From now on the array should begin with these elements, with all their bytes.
    template <class T>
    void expect(const upsweep::span<T>& array, const std::vector<T>& values) {
        of(array.buffer()).expect(array.byte_offset(), values.data(), values.size() * sizeof(T));
    }
    /// The first of an array, which from now on should be as it is.
    template <class T>
    T first_of(const upsweep::span<T>& array) {
        T value;
        std::memcpy(&value, &of(array.buffer()).read()[array.byte_offset()], sizeof value);
        of(array.buffer()).expect(array.byte_offset(), &value, sizeof value);
        return value;
    }
    /// Throws `failure` where any byte of any buffer is not as it should be.
    void check() const {
        for (std::size_t i = 0; i < images_.size(); ++i) {
            const std::ptrdiff_t at = images_[i].image->first_difference();
            if (at < 0) continue;
            const auto where = at - static_cast<std::ptrdiff_t>(images_[i].begin);
            throw failure("byte " + std::to_string(where) + " of array " + std::to_string(i) + ", of " +
                          std::to_string(images_[i].bytes) + " bytes, is wrong");
        }
    }

private:
    struct placed {
        std::unique_ptr<test::device_image> image;
        std::size_t begin, bytes;
    };
    struct untyped {
        cl_mem buffer;
        std::size_t count, begin;
        template <class T>
        operator upsweep::span<T>() const {
            return {buffer, count, begin};
        }
    };

    untyped place(std::size_t count, std::size_t size, const void* values) {
        const auto gap = [&] { return aligned_ || dice_.once_in(3) ? 0 : dice_.below(71) * size; };
        const std::size_t begin = gap();
        std::vector<unsigned char> bytes = memory::random_bytes(dice_, begin + count * size + gap());
        if (values && count > 0) std::memcpy(&bytes[begin], values, count * size);
        images_.push_back(
            {std::make_unique<test::device_image>(env_.context, queue_, std::move(bytes)), begin, count * size});
        return {images_.back().image->buffer()(), count, begin};
    }
    test::device_image& of(cl_mem buffer) const {
        for (const placed& p : images_)
            if (p.image->buffer()() == buffer) return *p.image;
        throw failure("no array of this case");
    }

    dice& dice_;
    const environment& env_;
    cl_command_queue queue_;
    std::vector<placed> images_;
    bool aligned_; ///< all begin where a buffer does
};

/// What a case of the family runs with.
struct family_case {
    dice& d;
    const environment& env;
    const upsweep::options& opts;
    bool canonical;   ///< the options leave everything to the library, so the bits of rounded values are known
    verdict expected; ///< of a call that is right but for the options
    cl_command_queue queue;
    std::size_t n;
    std::string& description;
    arrays memory;

    /// Makes the call and waits. Whether it ran; throws `failure` where it should have and did not, or the other way.
    template <class Call>
    bool runs(const Call& call) const {
        return runs(call, expected);
    }
    template <class Call>
    bool runs(const Call& call, verdict v) const {
        std::string refusal;
        try {
            call();
            upsweep::detail::check_status(clFinish(queue), "fuzz", "clFinish");
        } catch (const upsweep::error& e) {
            if (e.function().empty() || e.argument().empty() || e.cause().empty())
                throw failure(std::string("an error that does not say what is wrong: ") + e.what());
            refusal = e.what();
        }
        if (refusal.empty() && v == verdict::refused) throw failure("should have been refused");
        // What is combined may be larger than the elements that the options were judged by.
        const bool is_too_large = refusal.find("bytes of local memory") != std::string::npos;
        if (!refusal.empty() && !is_too_large && v == verdict::runs)
            throw failure("should not have been refused: " + refusal);
        return refusal.empty();
    }
    void note(const std::string& text) const { description += ", " + text; }
    /// Whether a call is made by a plan.
    bool draws_plan() const {
        const bool is_drawn = d.once_in(2);
        if (is_drawn) note("by a plan");
        return is_drawn;
    }

    /// Small integers, also as floats, of which sums are exact; with `canonical` floats whose sums are rounded.
    template <class T>
    std::vector<T> values(std::size_t count) const {
        std::vector<T> result(count);
        const std::size_t range = sizeof(T) > 1 && std::is_integral<T>::value ? d.pick<std::size_t>({2, 5, 16, 200})
                                                                              : d.pick<std::size_t>({2, 5});
        for (T& x : result) {
            const auto small = static_cast<std::int64_t>(d.below(range)) - (std::is_unsigned<T>::value ? 0 : 1);
            x = static_cast<T>(small);
            if constexpr (std::is_floating_point<T>::value)
                if (canonical) x = static_cast<T>((d.fraction() - 0.25) * static_cast<double>(1U << d.below(12)));
        }
        return result;
    }
    /// One of them.
    template <class T>
    T value() const {
        return values<T>(1)[0];
    }
};

/// An operator of one's own that does not commute: the last of all that are not `none`.
template <class T>
struct last_set {
    T none;
    T operator()(T left, T right) const { return right != none ? right : left; }

    /// On the device; `none` is 0 as text, or what the call says.
    upsweep::custom_operator<T> on_device(bool has_parameter) const {
        if (!has_parameter) return upsweep::make_operator<T>("return right != 0 ? right : left;");
        return upsweep::make_operator<T>("return right != none ? right : left;").with("none", none);
    }
};

/// Makes the calls of one batch, and compares.
using family_call = std::function<outcome(family_case&)>;

/// Draws a batch of the family. Appends to the description what it drew.
using family_draw = family_call (*)(dice& d, std::string& description);

/// What is left to the library, or a way to run each kernel family; now and then anything.
inline upsweep::options draw_family_options(dice& d, const environment& env, bool& is_any) {
    using upsweep::strategy;
    using upsweep::tile_algorithm;
    upsweep::options o;
    is_any = d.once_in(10);
    if (is_any) return draw_options(d, env);
    const auto tiles = [&](strategy s, std::uint32_t work_items, std::uint32_t items, tile_algorithm algorithm) {
        o.strategy = s;
        o.work_items = work_items;
        o.items = items;
        o.algorithm = algorithm;
    };
    const bool looks_back = env.limits->has_atomics64;
    switch (d.below(env.limits->lanes != upsweep::detail::lanes_backend::none ? 9 : 8)) {
    case 0:
        tiles(strategy::reduce_then_scan, 16, 3, tile_algorithm::hillis_steele);
        break;
    case 1:
        tiles(strategy::reduce_then_scan, 64, 8, tile_algorithm::blelloch);
        break;
    case 2:
        tiles(looks_back ? strategy::look_back : strategy::automatic, 8, 16, tile_algorithm::brent_kung);
        break;
    case 3: // Oclgrind 21 lacks an intrinsic function that its compiler makes of structs in loops of one work-item
        tiles(looks_back ? strategy::look_back : strategy::automatic, env.simulator ? 2 : 1, 16,
              tile_algorithm::automatic);
        break;
    case 4:
        tiles(strategy::single_tile, 256, 8, tile_algorithm::blelloch);
        break;
    case 5:
        o.strategy = strategy::chunked;
        o.work_groups = 3;
        break;
    case 8:
        o.algorithm = tile_algorithm::sub_group;
        break;
    default:
        break;
    }
    return o;
}

class family_batch : public any_batch {
public:
    family_batch(const environment& env, const char* name, family_draw draw, dice& d)
        : env_(env)
        , what_(name) {
        call_ = draw(d, what_);
        opts_ = draw_family_options(d, env, is_any_);
        what_ += ", " + fuzz::describe(opts_);
        description_ = what_;
    }
    const std::string& description() const override { return description_; }

    outcome run(dice& d) override {
        const bool single = opts_.strategy == upsweep::strategy::single_tile;
        const std::size_t tile = std::size_t{opts_.work_items} * opts_.items;
        // Not too many: the host computes all of them once more, element by element.
        std::size_t n = draw_size(d, tile > 0 ? tile : 512, std::min<std::size_t>(env_.largest, 60000));
        if (single) n %= std::max<std::size_t>(tile, 1);
        const bool canonical = opts_.strategy == upsweep::strategy::automatic && opts_.work_items == 0 &&
                               opts_.items == 0 && opts_.reproducible && !is_any_;
        description_ = what_ + ", n = " + std::to_string(n);
        cl_command_queue queue = env_.out_of_order() && d.once_in(3) ? env_.out_of_order() : env_.in_order();
        family_case c{d,
                      env_,
                      opts_,
                      canonical,
                      is_any_ ? verdict::either : verdict::runs,
                      queue,
                      n,
                      description_,
                      arrays(d, env_, queue)};
        const outcome o = call_(c);
        c.memory.check();
        return o;
    }

private:
    const environment& env_;
    std::string what_, description_;
    family_call call_;
    upsweep::options opts_;
    bool is_any_ = false;
};

struct family_member {
    const char* name;
    family_draw draw;
};

void add_views(std::vector<family_member>& all);
void add_extremes(std::vector<family_member>& all);
void add_selections(std::vector<family_member>& all);
void add_segments(std::vector<family_member>& all);

inline void add_family(std::vector<family_member>& all) {
    add_views(all);
    add_extremes(all);
    add_selections(all);
    add_segments(all);
}

inline std::unique_ptr<family_batch> draw_family_batch(const std::vector<family_member>& all, const environment& env,
                                                       dice& d) {
    const family_member& member = all[d.below(all.size())];
    return std::make_unique<family_batch>(env, member.name, member.draw, d);
}

} // namespace fuzz
