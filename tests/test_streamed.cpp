// SPDX-License-Identifier: MIT
// Host ranges that are streamed, because little device memory is allowed: where they are, as CPU devices can, and
// through device memory, as others must.
#include "canonical.hpp"
#include "device_fixture.hpp"

#include <functional>
#include <limits>
#include <list>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using fixture::expect_error;

namespace {

/// The two ways that pieces take.
enum class route { in_host_memory, through_device };

/// Makes the device one of a kind until the end of the scope.
class forced_route {
public:
    explicit forced_route(route way)
        : device_([&](auto& limits) { limits.uses_host_memory = way == route::in_host_memory; }) {
        upsweep::detail::stream_settings::in_use().threads = 2;
        upsweep::detail::stream_settings::in_use().chunk_bytes = 1000; // not a multiple of an element's size
    }
    ~forced_route() { upsweep::detail::stream_settings::in_use() = {}; }
    forced_route(const forced_route&) = delete;
    forced_route& operator=(const forced_route&) = delete;

private:
    const test::disguise device_;
};

/// Pieces of so many elements of so many bytes with results in place.
upsweep::options in_pieces(route way, std::size_t elements, std::size_t bytes) {
    upsweep::options o;
    const unsigned slots = way == route::in_host_memory ? 1 : upsweep::detail::stream_settings::in_use().stage_slots;
    o.device_memory = elements * bytes * slots;
    return o;
}

/// Sizes around pieces of m, among them such as end blocks of several pieces.
std::vector<std::size_t> sizes_around(std::size_t m) {
    return {m + 1, 2 * m - 1, 2 * m, 3 * m, 3 * m + 7, 4 * m, 6 * m - 1, 8 * m, 11 * m + 1};
}

/// Host memory between guards, at an address that is aligned to an element only.
template <class T>
class guarded_range {
public:
    explicit guarded_range(const std::vector<T>& values, T guard)
        : n_(values.size())
        , guard_(guard)
        , all_(n_ + 2 * guards, guard) {
        std::copy(values.begin(), values.end(), begin());
    }
    T* begin() { return all_.data() + guards; }
    T* end() { return begin() + n_; }
    std::vector<T> values() { return {begin(), end()}; }
    bool is_intact() const {
        for (std::size_t i = 0; i < guards; ++i)
            if (!(all_[i] == guard_) || !(all_[all_.size() - 1 - i] == guard_)) return false;
        return true;
    }

private:
    static constexpr std::size_t guards = 3;
    std::size_t n_;
    T guard_;
    std::vector<T> all_;
};

/// Every call on a range must be that of `expect`, which is given a range, an output, whether the scan is exclusive,
/// and an initial value or null.
template <class T, class Op, class Expect>
void check_calls(const std::vector<T>& in, const T& init, const Op& op, const upsweep::options& o,
                 const Expect& expect) {
    const auto& queue = test::queue();
    const std::vector<T> inclusive = expect(in, false, nullptr);
    const std::vector<T> with_init = expect(in, false, &init);
    const std::vector<T> exclusive = expect(in, true, &init);
    const auto same = [](const std::vector<T>& a, const std::vector<T>& b) { return test::same_bits(a, b); };
    guarded_range<T> out(in, init), in_place(in, init);

    CHECK(upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), op, o) == out.end());
    CHECK(same(out.values(), inclusive));
    upsweep::exclusive_scan(queue, in.begin(), in.end(), out.begin(), init, op, o);
    CHECK(same(out.values(), exclusive));
    upsweep::inclusive_scan(queue, in_place.begin(), in_place.end(), in_place.begin(), op, init, o);
    CHECK(same(in_place.values(), with_init));
    std::copy(in.begin(), in.end(), in_place.begin());
    upsweep::exclusive_scan(queue, in_place.begin(), in_place.end(), in_place.begin(), init, op, o);
    CHECK(same(in_place.values(), exclusive));
    CHECK((out.is_intact() && in_place.is_intact()));
    const T sum = upsweep::reduce(queue, in.begin(), in.end(), upsweep::no_init, op, o);
    CHECK(same({sum}, {inclusive.back()}));
    const T more = upsweep::reduce(queue, in.begin(), in.end(), init, op, o);
    CHECK(same({more}, {with_init.back()}));
}

/// What the host's reference makes of it.
template <class T, class Combine>
auto reference_of(const Combine& combine) {
    return [=](const std::vector<T>& in, bool exclusive, const T* init) {
        namespace reference = upsweep::reference;
        std::vector<T> out(in.size());
        if (exclusive)
            reference::exclusive_scan(in.begin(), in.end(), out.begin(), *init, combine);
        else if (init)
            reference::inclusive_scan(in.begin(), in.end(), out.begin(), combine, *init);
        else
            reference::inclusive_scan(in.begin(), in.end(), out.begin(), combine);
        return out;
    };
}

template <class T, class Op, class Combine>
void check_type(route way, std::size_t piece, const Op& op, const Combine& combine,
                const std::function<std::vector<T>(std::size_t)>& make, const T& init) {
    const upsweep::options o = in_pieces(way, piece, sizeof(T));
    for (std::size_t n : sizes_around(piece)) {
        CAPTURE(upsweep::type<T>::name, n, way == route::in_host_memory);
        check_calls(make(n), init, op, o, reference_of<T>(combine));
    }
}

} // namespace

TEST_CASE("streamed ranges of every class of types have the bits of the reference, around every edge", "[streamed]") {
    for (const route way : {route::in_host_memory, route::through_device}) {
        const forced_route forced(way);
        const auto sum = [](auto left, auto right) { return test::combine(left, right, upsweep::plus{}); };
        check_type<std::int32_t>(
            way, 1024, upsweep::plus{}, sum, [](std::size_t n) { return test::make_input<std::int32_t>(n, 3); }, 7);
        check_type<float>(
            way, 1024, upsweep::plus{}, sum, [](std::size_t n) { return test::numbers<float>(n, 4); }, 0.1F);
        const auto join = test::join_segments();
        check_type<test::segment>(
            way, 512, join, [&](auto left, auto right) { return test::combine(left, right, join); },
            [](std::size_t n) { return test::make_input<test::segment>(n, 5); }, test::make_init<test::segment>());
    }
}

TEST_CASE("streamed ranges of 64 KiB pieces, and an operator of one's own", "[streamed]") {
    // Rounded, so that the order shows.
    const auto own = upsweep::make_operator<float>("return left + right * 0.5f + left * 0.25f;");
    for (const route way : {route::in_host_memory, route::through_device}) {
        const forced_route forced(way);
        const auto combine = [](float left, float right) { return left + right * 0.5F + left * 0.25F; };
        (void)combine;
        const std::vector<float> in = test::numbers<float>((std::size_t{5} << 14) + 77, 9);
        const std::vector<float> whole = test::on_device(in);
        CHECK(test::same_bits(test::on_device(in, in_pieces(way, std::size_t{1} << 14, sizeof(float))), whole));
        std::vector<float> out(in.size()), streamed(in.size());
        upsweep::inclusive_scan(test::queue(), in.begin(), in.end(), out.begin(), own);
        upsweep::inclusive_scan(test::queue(), in.begin(), in.end(), streamed.begin(), own,
                                in_pieces(way, std::size_t{1} << 14, sizeof(float)));
        CHECK(test::same_bits(out, streamed));
    }
}

TEST_CASE("ranges that are streamed because that is faster, of one piece and of few", "[streamed]") {
    if (test::limits().mixes_up_work_items) return test::skip("no work-groups of several work-items");
    const forced_route forced(route::through_device);
    const test::disguise gpu([](auto& limits) { limits.is_cpu = false; }); // on CPUs it is not faster
    constexpr std::size_t piece = 1024;
    auto& settings = upsweep::detail::stream_settings::in_use();
    settings.worthwhile_bytes = 1;
    settings.piece_bytes = piece * sizeof(float);
    const auto sum = [](auto left, auto right) { return test::combine(left, right, upsweep::plus{}); };
    for (const std::size_t n : {std::size_t{1}, piece - 1, piece, piece + 1, 2 * piece, 3 * piece, 4 * piece}) {
        CAPTURE(n);
        check_calls(test::numbers<float>(n, 6), 0.1F, upsweep::plus{}, {}, reference_of<float>(sum));
        check_calls(test::make_input<std::int32_t>(n, 7), 5, upsweep::plus{}, {}, reference_of<std::int32_t>(sum));
    }
}

TEST_CASE("streamed ranges are combined in the type of the initial value, whatever their iterators", "[streamed]") {
    for (const route way : {route::in_host_memory, route::through_device}) {
        const forced_route forced(way);
        upsweep::options o;
        o.device_memory = 1 << 14;
        const std::vector<std::int32_t> large(20000, 1 << 30);
        std::vector<std::int64_t> out(large.size()), expected(large.size());
        upsweep::exclusive_scan(test::queue(), large.begin(), large.end(), out.begin(), std::int64_t{5}, {}, o);
        std::exclusive_scan(large.begin(), large.end(), expected.begin(), std::int64_t{5});
        CHECK(out == expected);
        const std::list<std::int32_t> list(large.begin(), large.end());
        std::list<std::int64_t> results(large.size());
        CHECK(upsweep::inclusive_scan(test::queue(), list.begin(), list.end(), results.begin(), upsweep::plus{},
                                      std::int64_t{5}, o) == results.end());
        CHECK(results.back() == expected.back() + (1 << 30));
        CHECK(upsweep::reduce(test::queue(), list.begin(), list.end(), std::int64_t{0}, upsweep::plus{}, o) ==
              std::int64_t{20000} << 30);
    }
}

TEST_CASE("progress of a streamed range is told, and the call is cancelled between pieces", "[streamed]") {
    for (const route way : {route::in_host_memory, route::through_device}) {
        const forced_route forced(way);
        const std::vector<int> in(10240, 1);
        upsweep::options o = in_pieces(way, 1024, sizeof(int));
        std::vector<std::uint64_t> told;
        std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
        o.progress = [&](std::uint64_t done, std::uint64_t total) {
            CHECK(total == in.size());
            told.push_back(done);
            return done < end;
        };
        std::vector<int> out(in.size(), -1);
        upsweep::inclusive_scan(test::queue(), in.begin(), in.end(), out.begin(), upsweep::plus{}, o);
        REQUIRE_FALSE(told.empty());
        CHECK(std::is_sorted(told.begin(), told.end()));
        CHECK(told.back() == in.size());
        told.clear();
        CHECK(upsweep::reduce(test::queue(), in.begin(), in.end(), 0, upsweep::plus{}, o) == 10240);
        CHECK(told.back() == in.size());

        end = 1; // the first piece is the last
        told.clear();
        std::fill(out.begin(), out.end(), -1);
        const auto scan = [&] {
            upsweep::inclusive_scan(test::queue(), in.begin(), in.end(), out.begin(), upsweep::plus{}, o);
        };
        if (way == route::in_host_memory) {
            expect_error("inclusive_scan", "options: progress", "the call was cancelled after 1024 of 10240 elements",
                         scan);
            CHECK(out[1023] == 1024);
            CHECK(out[1024] == -1);
        } else {
            expect_error("inclusive_scan", "options: progress", " of 10240 elements", scan);
        }
        CHECK(told.size() == 1);
        o.progress = [](std::uint64_t, std::uint64_t) -> bool { throw std::runtime_error("of the caller"); };
        CHECK_THROWS_WITH(scan(), "of the caller");
        o.progress = {};
        scan();
        CHECK(out.back() == 10240);
    }
}

TEST_CASE("ranges that fit tell their progress once", "[streamed]") {
    upsweep::options o;
    int calls = 0;
    o.progress = [&](std::uint64_t done, std::uint64_t total) {
        ++calls;
        return done == 10 && total == 10 && false;
    };
    std::vector<int> out(10);
    upsweep::inclusive_scan(test::queue(), fixture::ten.begin(), fixture::ten.end(), out.begin(), upsweep::plus{}, o);
    CHECK(calls == 1);
    CHECK(out.back() == 55);
    o.progress = [&](std::uint64_t done, std::uint64_t total) {
        ++calls;
        return done == 0 && total == 0;
    };
    upsweep::inclusive_scan(test::queue(), out.begin(), out.begin(), out.begin(), upsweep::plus{}, o);
    CHECK(calls == 2);
}

TEST_CASE("what cannot be streamed is refused before anything is built", "[streamed]") {
    const auto broken = upsweep::make_operator<int>("return no_such_name_of_a_streamed_range;");
    std::vector<int> memory(3000, 1);
    upsweep::options o;
    o.device_memory = 1000;
    int* const in = memory.data();
    expect_error("inclusive_scan", "output", "overlaps the input in part, and both do not fit the device",
                 [&] { upsweep::inclusive_scan(test::queue(), in, in + 2000, in + 1, broken, o); });
    o.device_memory = 3;
    expect_error("reduce", "options: device_memory", "no room for ",
                 [&] { upsweep::reduce(test::queue(), in, in + 2000, 0, broken, o); });
    CHECK(memory == std::vector<int>(3000, 1));
    // What overlaps in part and fits is right, as if all were read first.
    o.device_memory = 0;
    upsweep::inclusive_scan(test::queue(), in, in + 2000, in + 1, upsweep::plus{}, o);
    CHECK((memory[0] == 1 && memory[1] == 1 && memory[2000] == 2000 && memory[2001] == 1));
}
