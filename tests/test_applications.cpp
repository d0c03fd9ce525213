// SPDX-License-Identifier: MIT
// How often the operator is applied to each element by the kernels that costly operators are given. On a CPU device,
// whose kernels run in this process, the operator counts itself.

#include "environment.hpp"
#include "forced_tuning.hpp"
#include "support.hpp"

#include <atomic>
#include <fstream>
#include <string>

using upsweep::detail::operation;

namespace {

std::atomic<std::uint32_t> applications{0};

struct numbers_16 {
    std::uint32_t x[4];
};
struct numbers_32 {
    std::uint32_t x[8];
};

/// Adds, after it has counted.
template <class T>
auto counted(const std::string& sum) {
    // The offset is 0. Intel's compiler crashes where it knows the address.
    const std::string address = std::to_string(reinterpret_cast<std::uintptr_t>(&applications));
    return upsweep::make_operator<T>("atomic_inc((volatile __global uint*)(" + address +
                                     "ul + get_global_offset(0)));" + sum + "return left;");
}

/// A tuning, and whom it is for.
struct subject {
    const char* device;
    operation what;
    std::optional<upsweep::tuning> tuning;
};

/// What is chosen for an NVIDIA device, as this one can run it; with `own`, for this one, too.
std::vector<subject> subjects(upsweep::detail::problem_size problem, bool own) {
    std::vector<subject> all;
    const auto add = [&](const char* name, const upsweep::detail::device_limits& device) {
        all.push_back({name, problem.op, upsweep::detail::resolve_options("test", {}, device, problem)});
        all.back().tuning = fixture::adapted(*all.back().tuning, test::limits());
        // No fallback, which applies the operator again, depending on timing.
        if (all.back().tuning) all.back().tuning->max_polls = ~0U >> 1U;
    };
    for (const operation what : {operation::scan, operation::reduce}) {
        problem.op = what;
        add("NVIDIA", fixture::large_nvidia_gpu());
        if (own) add("this", test::limits());
    }
    return all;
}

/// Appends a row to the file that UPSWEEP_APPLICATIONS names, if it names one.
void record(const subject& s, const char* cost, bool exclusive, std::size_t n, std::size_t size, double per_element) {
    const std::string path(upsweep::detail::environment("UPSWEEP_APPLICATIONS"));
    if (path.empty()) return;
    const upsweep::tuning& t = *s.tuning;
    const bool scans = s.what == operation::scan;
    std::ofstream(path, std::ios::app) << "{\"chosen for\": \"" << s.device << "\", \"counted on\": \""
                                       << test::limits().name << "\", \"operator\": \"" << cost << "\", \"call\": \""
                                       << (scans ? exclusive ? "exclusive scan" : "inclusive scan" : "reduction")
                                       << "\", \"bytes\": " << size << ", \"n\": " << n << ", \"kernels\": \""
                                       << upsweep::detail::kernel_family(t, s.what)
                                       << (t.lanes == upsweep::detail::lanes_backend::none ? "" : ", sub-groups")
                                       << "\", \"work_items\": " << t.work_items << ", \"items\": " << t.items
                                       << ", \"applications\": " << per_element << "}\n";
}

/// Applications per element, of which one is shared by the results that it is counted for.
template <class T, class Op>
double count(const subject& s, bool exclusive, std::size_t n, const Op& op) {
    const std::vector<T> input(n);
    const T init{};
    applications = 0;
    fixture::run_tuned(test::queue(), s.what, input, exclusive ? &init : nullptr, op, *s.tuning,
                       {exclusive, false, false, 64});
    return applications.load() / static_cast<double>(n);
}

template <class T>
void check(std::size_t n, const std::string& sum, bool costly, bool own = false, bool is_long = false) {
    const auto op = counted<T>(sum);
    upsweep::detail::problem_size problem;
    problem.n = std::uint64_t{1} << 28; // as for large inputs
    problem.value_size = sizeof(T);
    problem.exact_operator = false;
    problem.costly_operator = costly;
    problem.long_operator = is_long;
    for (const subject& s : subjects(problem, own)) {
        const bool scans = s.what == operation::scan;
        if (!s.tuning || (is_long && scans)) continue;
        INFO(sizeof(T) << " bytes, " << s.device << ", " << *s.tuning);
        for (const bool exclusive : {false, true}) {
            if (exclusive && !scans) continue;
            const double per_element = count<T>(s, exclusive, n, op);
            record(s, is_long ? "long" : costly ? "costly" : "cheap", exclusive, n, sizeof(T), per_element);
            // Values of more than 8 bytes are packs of their own: 36 applications for 32 of them.
            const double most = scans ? 2.5 : is_long || sizeof(T) > 8 ? 1.15 : 1.1;
            if (costly && (s.device != std::string("this") || !scans)) CHECK(per_element <= most);
            CHECK(per_element >= 0.99); // else it was not counted
        }
    }
}

/// Whether kernels can write to this process's memory.
bool shares_memory() {
    const std::string& name = test::limits().name;
    const bool does = test::limits().is_cpu && test::limits().rusticl.empty() && name.find("Oclgrind") == name.npos;
    if (!does) test::skip("applications are counted on CPU devices");
    return does;
}

const char* const each_of_4 = "for (int i = 0; i < 4; ++i) left.x[i] += right.x[i];";
const char* const each_of_8 = "for (int i = 0; i < 8; ++i) left.x[i] += right.x[i];";

} // namespace

template <>
struct upsweep::type<numbers_16> {
    static constexpr const char* name = "numbers_16";
    static constexpr const char* definition = "typedef struct { uint x[4]; } numbers_16;";
};
template <>
struct upsweep::type<numbers_32> {
    static constexpr const char* name = "numbers_32";
    static constexpr const char* definition = "typedef struct { uint x[8]; } numbers_32;";
};

TEST_CASE("a costly operator is applied twice per element by scans, once by reductions", "[operators]") {
    if (!shares_memory()) return;
    check<std::uint32_t>((1 << 17) + 5, "left += right;", true);
}

TEST_CASE("applications per element of every size", "[.][applications]") {
    if (!shares_memory()) return;
    check<std::uint32_t>((1 << 20) + 5, "left += right;", true, true);
    check<std::uint64_t>((1 << 20) + 5, "left += right;", true, true);
    check<numbers_16>((1 << 19) + 5, each_of_4, true, true);
    check<numbers_32>((1 << 18) + 5, each_of_8, true, true);
    check<numbers_16>((1 << 19) + 5, each_of_4, true, false, true);
    check<numbers_32>((1 << 18) + 5, each_of_8, true, false, true);
}

TEST_CASE("applications per element by each kernel family", "[.][applications]") {
    if (!shares_memory()) return;
    const auto op = counted<std::uint32_t>("left += right;");
    upsweep::detail::problem_size problem;
    problem.n = (1 << 20) + 5;
    problem.exact_operator = false;
    using upsweep::strategy;
    for (const strategy way :
         {strategy::reduce_then_scan, strategy::scan_then_propagate, strategy::look_back, strategy::chunked})
        for (const auto algorithm : {upsweep::tile_algorithm::blelloch, upsweep::tile_algorithm::brent_kung,
                                     upsweep::tile_algorithm::hillis_steele})
            for (const operation what : {operation::scan, operation::reduce}) {
                if (what == operation::reduce && algorithm != upsweep::tile_algorithm::blelloch) continue;
                upsweep::options o = fixture::small_tiles(way, 256, 16);
                o.algorithm = algorithm;
                problem.op = what;
                subject s{"options", what, upsweep::detail::resolve_options("test", o, test::limits(), problem)};
                s.tuning->max_polls = ~0U >> 1U;
                const auto n = static_cast<std::size_t>(problem.n);
                record(s, "cheap", false, n, 4, count<std::uint32_t>(s, false, n, op));
            }
}

// Apart, because Intel's compiler crashes for some.
TEST_CASE("applications per element by the kernels of cheap operators", "[.][applications]") {
    if (!shares_memory()) return;
    check<std::uint32_t>((1 << 20) + 5, "left += right;", false);
    check<numbers_16>((1 << 19) + 5, each_of_4, false);
    check<numbers_32>((1 << 18) + 5, each_of_8, false);
}

TEST_CASE("what an operator costs is estimated by its text, or said", "[unit]") {
    const auto is_costly = [](const std::string& body, const std::string& helpers = {}) {
        return upsweep::make_operator<float>(body, helpers).costly;
    };
    CHECK(is_costly("float m = fmax(left, right); return m + log(exp(left - m) + exp(right - m));"));
    CHECK(is_costly("for (int i = 0; i < count; ++i) left += right; return left;"));
    CHECK(is_costly("return f(left, right);", "float f(float a, float b) { return pow(a, b); }"));
    CHECK(is_costly("return (left % 7 + right % 7) % 7;"));
    const std::string remainder = "int rest(int a, int b) { return (int)((long)a * b % 998244353); }";
    CHECK(is_costly("return rest(left, rest(left, right)) + rest(right, 3);", remainder));
    CHECK(!is_costly("return rest(left, right);", remainder));
    CHECK(!is_costly("return rest(left, right) + arrest(left) + est(right) + rest;", remainder));
    CHECK(!is_costly("return left / right;"));
    CHECK(!is_costly("return right.scale * left.shift + right.shift;"));
    CHECK(!is_costly("return left + right; // exp(left), for all that a comment says"));
    CHECK(!is_costly("return left /* for % % % */ + right;"));
    CHECK(!is_costly("/* a */ /* b */ /* c */ /* d */ return left /**/ + right; /* e */"));
    CHECK(!is_costly("return explicit_sum(left, right) + native_exp(left);"));
    CHECK(!is_costly("return left + right; /* log"));
    // Loops count as often as they run.
    CHECK(!is_costly("words r; for (int i = 0; i < 8; ++i) r.w[i] = left.w[i] + right.w[i]; return r;"));
    CHECK(is_costly("words r; for (int i = 0; i < 32; ++i) r.w[i] = left.w[i] + right.w[i]; return r;"));
    CHECK(!is_costly("words r; for(uint i = 0u; i < 31u; i++) { r.w[i] = left.w[i] + right.w[i]; } return r;"));
    CHECK(is_costly("words r; for (int i = 0; i <= 31; i++) { r.w[i] = left.w[i] + right.w[i]; } return r;"));
    const std::string square = "for (int i = 0; i < 2; ++i) for (int k = 0; k < 2; ++k) r.m[i][k] = left.m[i][0] * "
                               "right.m[0][k] + left.m[i][1] * right.m[1][k];";
    CHECK(!is_costly("matrix r; " + square + " return r;"));
    CHECK(!is_costly("matrix r; " + square + " r.a = left.a - right.a; return r;"));
    CHECK(is_costly("matrix r; " + square + square + square + " return r;"));
    CHECK(is_costly("for (int i = 0; i < 3; ++i) { for (int k = 1; k < 5; ++k) { r += k * i - 1; } } return r;"));
    CHECK(is_costly("for (int i = 0; i < 2; ++i) r.a[i] = exp(left.a[i]); return r;"));
    CHECK(!is_costly("for (int i = 0; i < 2; ++i) r.a[i] = left.a[i]; return r;"));
    for (const char* head : {"int i = 0; i < count; ++i", "int i = 0; i < 8; i += 2", "int i = 7; i >= 0; --i", ";;",
                             "int i = start; i < 8; ++i", "int i = 9; i < 8; ++i", "int i = 0; i < 99999; ++i"})
        CHECK(is_costly("for (" + std::string(head) + ") r.a[i] = left.a[i]; return r;"));
    CHECK(is_costly("for (int i = 0; i < 8; ++i"));
    CHECK(is_costly("for (int i = 0; i < 8; ++i)"));
    CHECK(is_costly("for (int i = 0; i < 8; ++i) for (;;) ++r; return r;"));
    CHECK(is_costly("for"));
    CHECK(
        is_costly("for (int i = 0; i < 9999; ++i) for (int k = 0; k < 9999; ++k) for (int j = 0; j < 9999; ++j) ++r;"));
    using upsweep::operator_cost;
    CHECK(upsweep::make_operator<float>("return left + right;", {}, operator_cost::costly).costly);
    CHECK(!upsweep::make_operator<float>("return log(exp(left));", {}, operator_cost::cheap).costly);
    CHECK(upsweep::make_operator<float>("return log(exp(left));", {}, operator_cost::cheap).has_long_text);
    CHECK(upsweep::make_operator<double>("return log(exp(left));").has_long_text);
    CHECK(!upsweep::make_operator<float>("return exp(left);").has_long_text);
    CHECK(!upsweep::make_operator<numbers_16>("return log(exp(left));").has_long_text);
    CHECK(upsweep::make_operator<numbers_16>("return log(exp(log(exp(left))));").has_long_text);
    CHECK(!upsweep::make_operator<float>("return exp(left) + right;", {}, operator_cost::cheap).costly);
    CHECK(upsweep::detail::describe_operator<float>(upsweep::make_operator<float>("return exp(left);")).traits.costly);
    CHECK(!upsweep::detail::describe_operator<float>(upsweep::plus{}).traits.costly);
}

TEST_CASE("the cost of a text is found for any number of loops and calls", "[unit]") {
    const auto repeated = [](const std::string& text, std::size_t times) {
        std::string all;
        for (std::size_t i = 0; i < times; ++i) all += text;
        return all;
    };
    const auto is_costly = [](const std::string& body, const std::string& helpers = {}) {
        return upsweep::make_operator<float>(body, helpers).costly;
    };
    constexpr std::size_t most = 60000;
    const std::string once = "for (int i = 0; i < 1; ++i) ", sum = "left += right; ", end = "return left;";
    CHECK(is_costly(repeated("for (;;) ", most) + sum + end));
    CHECK(is_costly(repeated(once, most) + sum + end));
    CHECK(is_costly(repeated(once + "{ ", most) + sum + repeated("}", most) + end));
    CHECK(is_costly(repeated(once + "{ ", most) + sum + end));
    CHECK(!is_costly(repeated(once, 64) + sum + end));
    CHECK(!is_costly(repeated(once + sum, 20) + end)); // one behind another
    // As many calls of so much that 32 bits do not count them.
    const std::string costly = "float f(float a) { for (int i = 0; i < 9999; ++i) a = exp(a); return a; }";
    CHECK(is_costly(repeated("left = f(left); ", 1 << 16) + end, costly));
}
