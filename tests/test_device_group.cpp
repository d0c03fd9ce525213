// SPDX-License-Identifier: MIT
// One array on several queues: of one context, and of several. Whatever the split, the bits are those of one device.

#include <upsweep/detail/parts/split.hpp>
#include <upsweep/device_group.hpp>

#include "canonical.hpp"
#include "device_fixture.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

using test::numbers;
using test::same_bits;

namespace {

/// x -> scale * x + shift: associative up to rounding, not commutative.
struct group_map {
    float scale;
    float shift;
};

group_map compose(const group_map& left, const group_map& right) {
    const float product = right.scale * left.shift; // rounded by itself: no fused multiply-add
    return {right.scale * left.scale, product + right.shift};
}

cl::CommandQueue queue_of_another_context(cl_command_queue_properties properties = 0) {
    // Never released: of a context that only its queues hold, Intel's CPU runtime makes no buffers.
    static auto* const contexts = new std::vector<cl::Context>;
    const cl::Device device = upsweep::default_device().device;
    contexts->emplace_back(device);
    return cl::CommandQueue(contexts->back(), device, properties);
}

/// Never released, as `test::queue`; so that programs are built once.
upsweep::device_group three_queues() {
    static const auto* const group = new upsweep::device_group(
        {test::queue(), queue_of_another_context(), queue_of_another_context(fixture::out_of_order_of(test::queue()))});
    return *group;
}

upsweep::device_group two_queues() {
    const upsweep::device_group three = three_queues();
    return upsweep::device_group({three.queue(0), three.queue(1)});
}

/// Parts of an array, each between guards of poisoned bytes on its own queue's device.
template <class T>
class parts_of {
public:
    /// @param guard  elements on either side; of 4, arrays begin at multiples of 16 bytes, as kernels like best
    parts_of(const upsweep::device_group& group, const std::vector<T>& values, const std::vector<std::size_t>& counts,
             std::size_t guard = 3)
        : group_(group)
        , guard_(guard) {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < counts.size(); begin += counts[i++]) {
            std::vector<unsigned char> bytes((counts[i] + 2 * guard) * sizeof(T), 0xA5);
            if (counts[i] > 0) std::memcpy(&bytes[guard * sizeof(T)], values.data() + begin, counts[i] * sizeof(T));
            buffers_.emplace_back(group.queue(i).template getInfo<CL_QUEUE_CONTEXT>(),
                                  CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data());
            views_.emplace_back(buffers_.back(), counts[i], guard * sizeof(T));
        }
    }

    const std::vector<upsweep::span<T>>& views() const { return views_; }

    /// The values, once the events are complete; none where a guard was written to.
    std::vector<T> values(const std::vector<cl::Event>& done) const {
        std::vector<T> result;
        for (std::size_t i = 0; i < views_.size(); ++i) {
            const std::size_t n = views_[i].size();
            std::vector<unsigned char> bytes((n + 2 * guard_) * sizeof(T));
            const cl_event event = done[i]();
            clEnqueueReadBuffer(group_.queue(i)(), buffers_[i](), CL_TRUE, 0, bytes.size(), bytes.data(), 1, &event,
                                nullptr);
            for (std::size_t b = 0; b < guard_ * sizeof(T); ++b)
                if (bytes[b] != 0xA5 || bytes[bytes.size() - 1 - b] != 0xA5) return {};
            const std::size_t before = result.size();
            result.resize(before + n);
            if (n > 0) std::memcpy(result.data() + before, &bytes[guard_ * sizeof(T)], n * sizeof(T));
        }
        return result;
    }

private:
    const upsweep::device_group& group_;
    std::size_t guard_;
    std::vector<cl::Buffer> buffers_;
    std::vector<upsweep::span<T>> views_;
};

/// Before the given splits, all elements on one queue. PoCL before 6.0 may abort (as in test_plans_and_queues.cpp)
/// unless kernels are launched at their largest size while no smaller launch of them is running.
std::vector<std::vector<std::size_t>> after_largest(std::vector<std::vector<std::size_t>> splits) {
    std::size_t n = 0;
    for (const auto& split : splits) n = (std::max)(n, std::accumulate(split.begin(), split.end(), std::size_t{0}));
    splits.insert(splits.begin(), {{n, 0, 0}, {1, n - 1, 0}});
    return splits;
}

template <class T, class Op, class Combine>
void check_group(const upsweep::device_group& group, const std::vector<T>& input, const std::vector<std::size_t>& split,
                 const T& init, const Op& op, const Combine& combine) {
    std::string name;
    for (std::size_t count : split) name += " " + std::to_string(count);
    INFO("parts of" << name);
    const parts_of<T> in(group, input, split, 4);
    const parts_of<T> out(group, std::vector<T>(input.size()), split, 4);
    const parts_of<T> both(group, input, split);
    std::vector<T> expected(input.size());
    namespace reference = upsweep::reference;

    reference::exclusive_scan(input.begin(), input.end(), expected.begin(), init, combine);
    CHECK(same_bits(out.values(upsweep::exclusive_scan(group, in.views(), out.views(), init, op)), expected));
    reference::inclusive_scan(input.begin(), input.end(), expected.begin(), combine);
    CHECK(same_bits(out.values(upsweep::inclusive_scan(group, in.views(), out.views(), op)), expected));
    reference::inclusive_scan(input.begin(), input.end(), expected.begin(), combine, init);
    CHECK(same_bits(both.values(upsweep::inclusive_scan(group, both.views(), both.views(), op, init)), expected));

    const T sum = reference::reduce(input.begin(), input.end(), init, combine);
    CHECK(same_bits<T>({upsweep::reduce(group, in.views(), init, op)}, {sum}));
    const T without = reference::reduce(input.begin(), input.end(), upsweep::no_init, combine);
    CHECK(same_bits<T>({upsweep::reduce(group, in.views(), upsweep::no_init, op)}, {without}));
}

template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const upsweep::error& e) {
        return e.what();
    }
    return "no error";
}

} // namespace

template <>
struct upsweep::type<group_map> {
    static constexpr const char* name = "group_map";
    static constexpr const char* definition = "typedef struct { float scale; float shift; } group_map;";
};

TEST_CASE("parts on several queues have the bits of one device, for every split", "[canonical]") {
    const upsweep::device_group group = three_queues();
    for (const std::vector<std::size_t>& split : after_largest(
             {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 1, 1}, {4, 4, 8}, {5, 0, 3}, {1023, 1, 1024}, {4097, 8192, 12289}}))
        check_group(group, numbers<float>(std::accumulate(split.begin(), split.end(), std::size_t{0}), 8), split, 3.0F,
                    upsweep::plus{}, std::plus<>{});
}

TEST_CASE("an operator of one's own on parts, which does not commute", "[canonical]") {
    const auto op = upsweep::make_operator<group_map>("group_map r; r.scale = right.scale * left.scale;"
                                                      "r.shift = right.scale * left.shift + right.shift; return r;");
    const upsweep::device_group group = three_queues();
    for (const std::vector<std::size_t>& split : after_largest({{1, 2, 3}, {700, 0, 325}, {9001, 4095, 4097}})) {
        const std::size_t n = std::accumulate(split.begin(), split.end(), std::size_t{0});
        const std::vector<float> some = numbers<float>(2 * n, n);
        std::vector<group_map> input(n);
        for (std::size_t i = 0; i < n; ++i) input[i] = {1.0F + some[2 * i] / 4096.0F / 65536.0F, some[2 * i + 1]};
        check_group(group, input, split, group_map{1.0F, 0.5F}, op, compose);
    }
}

TEST_CASE("host ranges by a group have the hash of one device", "[canonical]") {
    upsweep::device_group group = three_queues();
    const std::vector<float> input = numbers<float>((1 << 20) + 7, 2026);
    std::vector<float> out(2 * input.size() + 2);
    const auto n = static_cast<std::ptrdiff_t>(input.size());
    for (const std::vector<double>& speeds : // the first two as in after_largest
         std::vector<std::vector<double>>{{1, 0, 0}, {1e-5, 1, 0}, {1, 1, 1}, {3, 0, 1.7}}) {
        group.set_speeds(speeds);
        std::fill(out.begin(), out.end(), -1.0F);
        CHECK(upsweep::exclusive_scan(group, input.begin(), input.end(), out.begin(), 3.0F) == out.begin() + n);
        upsweep::inclusive_scan(group, input.begin(), input.end(), out.begin() + n);
        out[2 * input.size()] = upsweep::reduce(group, input.begin(), input.end(), 5.0F);
        out[2 * input.size() + 1] = upsweep::reduce(group, input.begin(), input.end());
        CHECK(test::hash_of(out.data(), out.size()) == 0xe5e15ef6d5fd1c52); // as in test_canonical
    }
}

TEST_CASE("exclusive scans by a group begin with the identity where there is no initial value", "[api]") {
    const upsweep::device_group group = two_queues();
    const std::vector<int> input{5, -3, 7, 2, 9, -8, 4};
    const parts_of<int> in(group, input, {3, 4});
    const parts_of<int> out(group, std::vector<int>(7), {3, 4});
    CHECK(out.values(upsweep::exclusive_scan(group, in.views(), out.views())) ==
          std::vector<int>{0, 5, 2, 9, 11, 20, 12});
    constexpr int least = std::numeric_limits<int>::min();
    const std::vector<int> maxima{least, 5, 5, 7, 7, 9, 9};
    CHECK(out.values(upsweep::exclusive_scan(group, in.views(), out.views(), upsweep::maximum{})) == maxima);
    std::vector<int> host(7, -1);
    CHECK(upsweep::exclusive_scan(group, input.begin(), input.end(), host.begin(), upsweep::maximum{}) == host.end());
    CHECK(host == maxima);
    CHECK(upsweep::exclusive_scan(group, input.begin(), input.end(), host.begin()) == host.end());
    CHECK(host == std::vector<int>{0, 5, 2, 9, 11, 20, 12});
}

TEST_CASE("elements on a group are combined in the output's type, after events", "[api]") {
    const upsweep::device_group group = two_queues();
    const std::vector<std::uint8_t> input(1000, 200);
    const parts_of<std::uint8_t> in(group, input, {300, 700});
    const parts_of<std::uint64_t> out(group, std::vector<std::uint64_t>(1000), {300, 700});
    cl_int status = CL_SUCCESS;
    cl::UserEvent go(group.queue(1).getInfo<CL_QUEUE_CONTEXT>(), &status);
    clSetUserEventStatus(go(), CL_COMPLETE);
    const std::vector<upsweep::wait_list> after{{}, upsweep::after({go})};
    const auto done = upsweep::inclusive_scan(group, in.views(), out.views(), upsweep::plus{}, after);
    CHECK(out.values(done).back() == 200000);
    CHECK(upsweep::reduce(group, in.views(), std::uint64_t{1}) == 200001);
    std::vector<double> sums;
    upsweep::inclusive_scan(group, input.begin(), input.begin(), std::back_inserter(sums));
    CHECK(sums.empty());
}

TEST_CASE("a group that was moved from is whole", "[api]") {
    const std::vector<float> input(1000, 1.0F);
    upsweep::device_group group = two_queues();
    group.set_speeds({1, 3});
    upsweep::device_group next(std::move(group)), last = two_queues();
    last = std::move(next);
    for (upsweep::device_group* each : {&group, &next, &last}) {
        CHECK(each->size() == 2);
        CHECK(each->speeds() == std::vector<double>{1, 3});
        CHECK(each->split(1000) == last.split(1000));
        CHECK_NOTHROW(each->queue(1));
        CHECK(upsweep::reduce(*each, input.begin(), input.end()) == 1000.0F);
        CHECK_NOTHROW(each->measure_speeds(1000));
    }
}

TEST_CASE("mistakes in calls on a group name the part", "[errors]") {
    CHECK(message_of([] { upsweep::device_group none({}); }) == "device_group: queues: there must be one at least");
    CHECK(message_of([] { upsweep::device_group none({cl::CommandQueue()}); }) == "device_group: queue: null handle");
    upsweep::device_group group = two_queues();
    CHECK(message_of([&] {
              group.set_speeds({1, -1});
          }) == "device_group: speeds: must be numbers that are not negative");
    CHECK(message_of([&] { group.set_speeds({0, 0}); }) == "device_group: speeds: must not all be zero");
    CHECK(message_of([&] { group.set_speeds({1}); }) == "device_group: speeds: must be as many as the queues");
    const parts_of<float> in(group, std::vector<float>(20), {10, 10});
    const parts_of<float> less(group, std::vector<float>(19), {10, 9});
    CHECK(message_of([&] { upsweep::inclusive_scan(group, in.views(), less.views()); }) ==
          "inclusive_scan: part 1: output: 9 elements are fewer than the input's 10");
    CHECK(message_of([&] { upsweep::reduce(group, std::vector<upsweep::span<float>>{in.views()[0]}); }) ==
          "reduce: input: 1 parts, but the group has 2 queues");
    const std::vector<upsweep::span<float>> swapped{in.views()[1], in.views()[0]};
    CHECK(message_of([&] { upsweep::reduce(group, swapped); }) ==
          "reduce: part 0: input: the buffer belongs to another context than the queue");
    const upsweep::device_group twice({test::queue(), test::queue()});
    const std::vector<upsweep::span<float>> one_part{in.views()[0], in.views()[0]};
    CHECK(message_of([&] { upsweep::inclusive_scan(twice, one_part, one_part); }) ==
          "inclusive_scan: part 1: output: what one of this part and part 0 writes overlaps what the other reads or "
          "writes");
    CHECK(message_of([&] {
              upsweep::reduce(group, in.views(), upsweep::no_init, upsweep::make_operator<float>("return left + ;"));
          }).rfind("reduce: part 0: operator: does not compile", 0) == 0);
}

TEST_CASE("a group divides by speed, at multiples of powers of two", "[unit]") {
    using upsweep::detail::split_by_speed;
    const std::uint64_t half = std::uint64_t{1} << 30;
    CHECK(split_by_speed(2 * half, {1, 1}) == std::vector<std::uint64_t>{half, half});
    CHECK(split_by_speed(0, {1, 1}) == std::vector<std::uint64_t>{0, 0});
    CHECK(split_by_speed(3, {1, 1, 1}) == std::vector<std::uint64_t>{1, 1, 1});
    CHECK(split_by_speed(1000, {0, 1, 0}) == std::vector<std::uint64_t>{0, 1000, 0});
    for (const std::uint64_t n : {1001U, 123456789U}) {
        const std::vector<std::uint64_t> counts = split_by_speed(n, {2.9, 1, 0.1});
        CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == n);
        CHECK(std::abs(static_cast<double>(counts[0]) / static_cast<double>(n) - 0.725) < 0.004);
    }
}
