// SPDX-License-Identifier: MIT
// Every call on structs and vectors whose members share words, against the host. NVIDIA's compiler loses parts of such
// words (GUARANTEES.md), in some kernels and for some structs, so there each call meets each struct.
#include "columns.hpp"
#include "device_fixture.hpp"
#include "families.hpp"
#include "members.hpp"
#include "segmented.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using test::guarded_array;
using test::members;
using test::queue;
using test::rule;
using test::same_members;
using test::segments_on_host;

namespace {

/// One struct with one operator, and what its calls are given.
template <class T>
class member_calls {
public:
    explicit member_calls(rule r)
        : rule_(r) {}

    /// @param all  every kind of call, or half of them for many members, whose programs build for long; else one kind
    void check(bool all) const {
        const std::size_t members = test::layout<T>::all().size(), kind = (sizeof(T) + members) % 4;
        const bool most = all && members < 12;
        CAPTURE(upsweep::type<T>::name, static_cast<int>(rule_));
        if (all || kind == 0) check_arrays();
        if (most || kind == 1) check_computed_and_columns();
        if (all || kind == 2) check_segments();
        if (most || kind == 3) check_results();
    }

    void check_families() const {
        const std::size_t n = 20001;
        const std::vector<T> x = test::random_members<T>(n, 8), expected = scanned(x, whole(n), true);
        for (const upsweep::options& opts : test::families()) {
            CAPTURE(upsweep::type<T>::name, static_cast<int>(opts.strategy), opts.work_items);
            const guarded_array<T> in(x, 1), out(n), sum(1);
            upsweep::exclusive_scan(queue(), in.view(), out.view(), init_, op_, {}, opts);
            CHECK(same_members(out.values(), expected));
            upsweep::reduce(queue(), in.view(), sum.view(), init_, op_, {}, opts);
            CHECK(same_members(sum.values(), {combine_(expected.back(), x.back())}));
        }
    }

private:
    std::vector<T> scanned(const std::vector<T>& x, const std::vector<bool>& heads, bool exclusive) const {
        return segments_on_host<T>(x, heads, combine_, exclusive ? &init_ : nullptr, exclusive);
    }
    static std::vector<bool> whole(std::size_t n) { return test::heads_of_rows(n, n); }

    void check_arrays() const {
        for (const std::size_t n : {1U, 1025U, 70001U}) {
            CAPTURE(n);
            const std::vector<T> x = test::random_members<T>(n, 4);
            const guarded_array<T> in(x, 3), out(n, 5), total(1), sum(1), init(std::vector<T>{init_});
            upsweep::inclusive_scan(queue(), in.view(), out.view(), op_);
            CHECK(same_members(out.values(), scanned(x, whole(n), false)));
            upsweep::exclusive_scan(queue(), in.view(), upsweep::with_total(out.view(), total.view()), init_, op_);
            CHECK(same_members(out.values(), scanned(x, whole(n), true)));
            CHECK(same_members(total.values(), {combine_(init_, scanned(x, whole(n), false).back())}));
            CHECK(out.untouched_outside(n));
            upsweep::reduce(queue(), in.view(), sum.view(), upsweep::no_init, op_);
            CHECK(same_members(sum.values(), {scanned(x, whole(n), false).back()}));
            upsweep::exclusive_scan(queue(), in.view(), in.view(), upsweep::from(init.view()), op_);
            CHECK(same_members(in.values(), scanned(x, whole(n), true)));
            CHECK(in.untouched_outside(n));
        }
    }

    void check_computed_and_columns() const {
        const std::size_t width = 3, height = 5003, n = width * height;
        const std::vector<T> x = test::random_members<T>(n, 5);
        const guarded_array<T> in(x, 1), out(n), sum(1), sums(width);
        const auto computed = upsweep::transform<T>("return a;", in.view());
        upsweep::inclusive_scan(queue(), computed, out.view(), op_);
        CHECK(same_members(out.values(), scanned(x, whole(n), false)));
        upsweep::reduce(queue(), computed, sum.view(), upsweep::no_init, op_);
        CHECK(same_members(sum.values(), {scanned(x, whole(n), false).back()}));
        const auto columns = upsweep::columns(in.view(), height, width);
        upsweep::exclusive_scan(queue(), columns, out.view(), init_, op_);
        const auto expected = [&](test::way what, std::size_t results) {
            return test::columns_on_host<T>(x, {height, width, width}, combine_, &init_, what, std::vector<T>(results));
        };
        CHECK(same_members(out.values(), expected(test::way::exclusive, n)));
        upsweep::reduce(queue(), columns, sums.view(), init_, op_);
        CHECK(same_members(sums.values(), expected(test::way::reduction, width)));
        CHECK(out.untouched_outside(n));
    }

    void check_segments() const {
        const std::size_t n = 40000, width = 100;
        const std::vector<T> x = test::random_members<T>(n, 6);
        const std::vector<bool> heads = test::heads_of(test::lengths(n, "random", 2));
        const guarded_array<std::uint32_t> keys(test::keys_of<std::uint32_t>(heads));
        const std::vector<bool> of_rows = test::heads_of_rows(n, width);
        for (const upsweep::options& opts : test::tilings()) {
            CAPTURE(opts.work_items);
            const guarded_array<T> in(x, 1), out(n);
            const auto keyed = upsweep::keyed(in.view(), keys.view());
            upsweep::inclusive_scan(queue(), keyed, out.view(), op_, {}, opts);
            CHECK(same_members(out.values(), scanned(x, heads, false)));
            upsweep::exclusive_scan(queue(), keyed, out.view(), init_, op_, {}, opts);
            CHECK(same_members(out.values(), scanned(x, heads, true)));
            const auto rows = upsweep::rows(in.view(), n / width, width);
            upsweep::inclusive_scan(queue(), rows, out.view(), op_, {}, opts);
            CHECK(same_members(out.values(), scanned(x, of_rows, false)));
            upsweep::exclusive_scan(queue(), rows, in.view(), init_, op_, {}, opts);
            CHECK(same_members(in.values(), scanned(x, of_rows, true)));
            CHECK(out.untouched_outside(n));
        }
    }

    void check_results() const {
        const std::size_t n = 40000, width = 100;
        const std::vector<T> x = test::random_members<T>(n, 7);
        const std::vector<bool> heads = test::heads_of(test::lengths(n, "giant", 2));
        const auto last_of = [&](const std::vector<bool>& cut) {
            const std::vector<T> all = scanned(x, cut, false);
            std::vector<T> last;
            for (std::size_t i = 0; i < n; ++i)
                if (i + 1 == n || cut[i + 1]) last.push_back(all[i]);
            return last;
        };
        std::vector<std::uint32_t> offsets;
        for (std::uint32_t i = 0; i < n; ++i)
            if (heads[i]) offsets.push_back(i);
        offsets.push_back(n);
        const std::size_t segments = offsets.size() - 1;
        const guarded_array<T> in(x, 1), sums(segments), of_rows(n / width);
        const guarded_array<std::uint32_t> places(offsets), keys(test::keys_of<std::uint32_t>(heads)),
            out_keys(segments), count(1);
        upsweep::reduce(queue(), upsweep::segments(in.view(), places.view()), sums.view(), upsweep::no_init, op_);
        CHECK(same_members(sums.values(), last_of(heads)));
        upsweep::reduce_by_key(queue(), upsweep::keyed(in.view(), keys.view()), out_keys.view(), sums.view(),
                               count.view(), op_);
        CHECK(same_members(sums.values(), last_of(heads)));
        upsweep::reduce(queue(), upsweep::rows(in.view(), n / width, width), of_rows.view(), upsweep::no_init, op_);
        CHECK(same_members(of_rows.values(), last_of(test::heads_of_rows(n, width))));
        check_selections(x, in);
    }

    /// Elements that are chosen by their members, and equal ones that follow one another.
    void check_selections(const std::vector<T>& x, const guarded_array<T>& in) const {
        const test::member last = test::layout<T>::all().back();
        const auto is_chosen = [&](const T& value) { return (test::number_of(value, last) & 1U) != 0; };
        std::vector<T> chosen, runs;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (is_chosen(x[i])) chosen.push_back(x[i]);
            if (i == 0 || is_chosen(x[i]) != is_chosen(x[i - 1])) runs.push_back(x[i]);
        }
        const guarded_array<T> kept(chosen.size()), firsts(runs.size());
        const guarded_array<std::uint32_t> count(1);
        upsweep::copy_if(queue(), in.view(), kept.view(), count.view(), "a." + last.name + " & 1");
        CHECK(same_members(kept.values(), chosen));
        CHECK(count.values()[0] == chosen.size());
        upsweep::unique(queue(), in.view(), firsts.view(), count.view(),
                        "(left." + last.name + " & 1) == (right." + last.name + " & 1)");
        CHECK(same_members(firsts.values(), runs));
        CHECK(firsts.untouched_outside(runs.size()));
    }

    rule rule_;
    T init_ = test::random_members<T>(1, 9)[0];
    upsweep::custom_operator<T> op_ = test::member_operator<T>(rule_);
    decltype(test::combine_members<T>(rule::sum)) combine_ = test::combine_members<T>(rule_);
};

/// With one operator; on CPUs, whose compilers lose no such members, one kind of call.
template <class T>
void check_calls() {
    const rule r = test::layout<T>::all().size() % 2 == 0 ? rule::mixed : rule::sum;
    member_calls<T>(r).check(test::limits().has_ptx);
}

/// Operators and computed elements with a parameter of such a type, which is the same for all elements.
template <class T>
void check_parameters() {
    const std::size_t width = 100, n = 300 * width;
    const std::vector<T> x = test::random_members<T>(n, 4);
    const T more = test::random_members<T>(1, 7)[0];
    const auto add = test::combine_members<T>(rule::sum);
    const auto add_more = [&](const T& left, const T& right) { return add(add(left, right), more); };
    const auto op = upsweep::make_operator<T>(test::sums_of_members<T>({"left", "right", "more"})).with("more", more);
    CAPTURE(upsweep::type<T>::name);
    const guarded_array<T> in(x, 1), out(n), sum(1);
    const std::vector<T> scanned = segments_on_host<T>(x, test::heads_of_rows(n, n), add_more, nullptr, false);
    upsweep::inclusive_scan(queue(), in.view(), out.view(), op);
    CHECK(same_members(out.values(), scanned));
    upsweep::reduce(queue(), in.view(), sum.view(), upsweep::no_init, op);
    CHECK(same_members(sum.values(), {scanned.back()}));
    upsweep::inclusive_scan(queue(), upsweep::rows(in.view(), n / width, width), out.view(), op);
    CHECK(same_members(out.values(), segments_on_host<T>(x, test::heads_of_rows(n, width), add_more, nullptr, false)));
    std::vector<T> computed;
    for (const T& each : x) computed.push_back(add(each, more));
    const auto elements = upsweep::transform<T>(test::sums_of_members<T>({"a", "more"}), in.view()).with("more", more);
    upsweep::inclusive_scan(queue(), elements, out.view(), test::member_operator<T>(rule::sum));
    CHECK(same_members(out.values(), segments_on_host<T>(computed, test::heads_of_rows(n, n), add, nullptr, false)));
    CHECK(out.untouched_outside(n));
}

using shorts_2 = members<2, 2>;
using shorts_3 = members<2, 2, 2>;
using shorts_4 = members<2, 2, 2, 2>;
using shorts_6 = members<2, 2, 2, 2, 2, 2>;
using shorts_7 = members<2, 2, 2, 2, 2, 2, 2>;
using shorts_15 = members<2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2>;
using chars_3 = members<1, 1, 1>;
using chars_4 = members<1, 1, 1, 1>;
using chars_5 = members<1, 1, 1, 1, 1>;
using chars_12 = members<1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>;
using int_and_shorts = members<4, 2, 2>;
using shorts_and_int = members<2, 2, 4>;
using shorts_around_int = members<2, 2, 4, 2, 2>;
using int_and_short = members<4, 2>;
using ints_and_shorts = members<4, 4, 2, 2>;
using char_and_short = members<1, 2>;
using chars_and_short = members<1, 1, 2>;
using char_and_int = members<1, 4>;
using int_chars_short = members<4, 1, 1, 2>;
using long_and_shorts = members<8, 2, 2>;
using short_and_long = members<2, 8>;
using of_each_size = members<8, 1, 1, 2, 4>;

} // namespace

TEMPLATE_TEST_CASE("structs whose members share words", "[canonical]", shorts_2, shorts_3, shorts_4, shorts_6, shorts_7,
                   shorts_15, chars_3, chars_4, chars_5, chars_12, int_and_shorts, shorts_and_int, shorts_around_int,
                   int_and_short, ints_and_shorts, char_and_short, chars_and_short, char_and_int, int_chars_short,
                   long_and_shorts, short_and_long, of_each_size) {
    check_calls<TestType>();
}

TEMPLATE_TEST_CASE("vectors of small numbers with operators of one's own", "[canonical]", cl_ushort2, cl_uchar4,
                   cl_ushort4, cl_uchar8, cl_ushort8, cl_uchar16) {
    check_calls<TestType>();
}

TEST_CASE("each kernel family on structs whose members share words", "[operators]") {
    member_calls<shorts_3>(rule::sum).check_families();
    member_calls<shorts_4>(rule::sum).check_families();
    member_calls<int_and_shorts>(rule::mixed).check_families();
}

TEST_CASE("parameters whose members share words", "[canonical]") {
    check_parameters<shorts_3>();
    check_parameters<cl_ushort4>();
}
