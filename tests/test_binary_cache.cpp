// SPDX-License-Identifier: MIT
// Program binaries on disk: a second build comes from there; whatever is wrong with the files, results are right.
#include "device_fixture.hpp"
#include "environment.hpp"
#include "fresh_cache.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace fixture;

namespace {

constexpr int sum_to_1000 = 500500;

std::pair<std::uint64_t, std::uint64_t> builds() {
    const auto& counts = detail::build_counts::get();
    return {counts.from_source, counts.from_binary};
}

/// A sum as the first call of its kind: right, and built so many times from source and from binaries.
void check_sum(const fresh_cache& cache, std::uint64_t from_source, std::uint64_t from_binary) {
    const auto before = builds();
    CHECK(cache.first_reduce() == sum_to_1000);
    CHECK(builds().first - before.first == from_source);
    CHECK(builds().second - before.second == from_binary);
}

std::string content_of(const fs::path& path) {
    const auto content = detail::read_file(path);
    REQUIRE(content);
    return *content;
}

void overwrite(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

std::string key_of(const std::string& content) {
    std::string_view rest = content;
    rest.remove_prefix(detail::binary_file_mark.size());
    const auto key = detail::take_field(rest);
    REQUIRE(key);
    return std::string(*key);
}

/// With this in the file's place the program is built from source and the file is as before; then it is used again.
void check_healed(const fresh_cache& cache, const fs::path& path, const std::string& bad) {
    overwrite(path, bad);
    check_sum(cache, 1, 0);
    const std::string content = content_of(path);
    CHECK(detail::decode(content, key_of(content)));
    CHECK(cache.files().size() == 1);
    check_sum(cache, 0, 1);
}

} // namespace

TEST_CASE("a program is built from source once, then from the binary on disk", "[api]") {
    const fresh_cache cache;
    check_sum(cache, 1, 0);
    const fs::path file = cache.only_file();
    CHECK(file.extension() == detail::binary_file_suffix);
    check_sum(cache, 0, 1);
    check_sum(cache, 0, 1);

    // What runs is what the file says: with another operator's binary in it, the sum is that operator's.
    const std::string plus = content_of(file);
    fs::remove(file);
    CHECK(cache.first_reduce(upsweep::maximum{}) == 1000);
    const std::string maximum = content_of(cache.only_file());
    overwrite(file, detail::encode(key_of(plus), *detail::decode(maximum, key_of(maximum))));
    CHECK(cache.first_reduce() == 1000);
}

TEST_CASE("programs of different texts, options or devices have keys of their own", "[api]") {
    const fresh_cache cache;
    const cl_device_id device = device_of(cache.queue)();
    const std::string key = detail::binary_key(device, "-a", "text");
    CHECK(key == detail::binary_key(device, "-a", "text"));
    CHECK(key != detail::binary_key(device, "-b", "text"));
    CHECK(key != detail::binary_key(device, "-a", "texT"));
    CHECK(detail::binary_key(device, "a", "b\nsource : c") != detail::binary_key(device, "a\nsource : b", "c"));
    const auto has = [&](const std::string& name, cl_uint what) {
        const std::string value = detail::get_string("test", "", clGetDeviceInfo, device, what);
        return key.find(name + ' ' + std::to_string(value.size()) + ": " + value + '\n') != std::string::npos;
    };
    CHECK(has("device", CL_DEVICE_NAME));
    CHECK(has("device version", CL_DEVICE_VERSION));
    CHECK(has("driver", CL_DRIVER_VERSION));
    CHECK(key.find(UPSWEEP_VERSION_STRING) != std::string::npos);

    CHECK(cache.first_reduce() == sum_to_1000);
    CHECK(cache.first_reduce(upsweep::make_operator<int>("return left + right;")) == sum_to_1000);
    CHECK(cache.first_reduce(upsweep::make_operator<int>("return left + right + 0;")) == sum_to_1000);
    CHECK(cache.files().size() == 3);
}

TEST_CASE("a text with an include is not kept: another file decides what it means", "[api]") {
    const fresh_cache cache;
    CHECK(cache.first_reduce(upsweep::make_operator<int>(
              "\n#if 0\n#include \"other.h\"\n#endif\nreturn left + right;")) == sum_to_1000);
    CHECK(cache.files().empty());
}

TEST_CASE("a damaged file is as none, and is replaced", "[api]") {
    const fresh_cache cache;
    check_sum(cache, 1, 0);
    const fs::path file = cache.only_file();
    const std::string good = content_of(file);
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, good.size() / 2, good.size() - 1}) {
        INFO("cut to " << length << " of " << good.size());
        check_healed(cache, file, good.substr(0, length));
    }
    for (const std::size_t at : {std::size_t{0}, good.size() / 3, good.size() * 2 / 3, good.size() - 1}) {
        INFO("byte " << at << " of " << good.size());
        std::string changed = good;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        check_healed(cache, file, changed);
    }
}

TEST_CASE("a binary of another key, or one that the driver refuses, is as none, and is replaced", "[api]") {
    const fresh_cache cache;
    check_sum(cache, 1, 0);
    const fs::path file = cache.only_file();
    const std::string good = content_of(file);
    const std::string key = key_of(good);
    detail::program_binary binary = *detail::decode(good, key);
    check_healed(cache, file, detail::encode(key + "?", binary));
    check_healed(cache, file, detail::encode(key, {binary.kernels, "garbage"}));
    check_healed(cache, file, detail::encode(key, {binary.kernels, std::string(binary.bytes.size(), '\xA5')}));
    check_healed(cache, file, detail::encode(key, {binary.kernels, ""}));
    check_healed(cache, file, detail::encode(key, {binary.kernels + "one_more;", binary.bytes}));
}

TEST_CASE("a new file makes room by deleting the oldest", "[api]") {
    const fresh_cache cache;
    const fs::path old = cache.folder.path() / (std::string("old") + detail::binary_file_suffix);
    fs::create_directories(cache.folder.path());
    overwrite(old, "");
    fs::resize_file(old, detail::binary_folder_limit); // of no blocks on disk
    check_sum(cache, 1, 0);
    CHECK_FALSE(fs::exists(old));
    check_sum(cache, 0, 1);
}

TEST_CASE("where no file can be read or written, programs are built from source", "[api]") {
    const fresh_cache cache;
    SECTION("a folder in the file's place stays there") {
        check_sum(cache, 1, 0);
        const fs::path file = cache.only_file();
        fs::remove(file);
        fs::create_directories(file / "within");
        check_sum(cache, 1, 0);
        check_sum(cache, 1, 0);
        CHECK(fs::exists(file / "within"));
        CHECK(cache.files().size() == 1);
    }
    SECTION("a file in the folder's place stays there") {
        overwrite(cache.folder.path(), "mine");
        check_sum(cache, 1, 0);
        check_sum(cache, 1, 0);
        CHECK(content_of(cache.folder.path()) == "mine");
    }
    SECTION("a folder below a file") {
        overwrite(cache.folder.path(), "mine");
        const environment_variable below("UPSWEEP_CACHE_DIR", (cache.folder.path() / "below").string());
        check_sum(cache, 1, 0);
        check_sum(cache, 1, 0);
    }
}

TEST_CASE("OpenCL calls that fail for the cache's sake are no errors", "[api]") {
    const fresh_cache cache;
    const detail::cached_program of_no_device(nullptr, "", "text");
    CHECK_FALSE(of_no_device.load(nullptr)());
    of_no_device.store(nullptr);
    const detail::cached_program of_no_program(device_of(cache.queue)(), "", "text");
    of_no_program.store(nullptr);
    CHECK(cache.files().empty());

    const std::string key = detail::binary_key(device_of(cache.queue)(), "", "text");
    detail::write_file(cache.folder.path(), detail::binary_file_name(key), detail::encode(key, {"kernel;", "bytes"}));
    CHECK_FALSE(of_no_program.load(nullptr)());
}

TEST_CASE("turned off, the cache neither reads nor writes", "[api]") {
    const fresh_cache cache;
    const auto check_off = [&] {
        check_sum(cache, 1, 0);
        CHECK_FALSE(fs::exists(cache.folder.path()));
    };
    {
        const environment_variable off("UPSWEEP_CACHE", "off");
        check_off();
    }
    upsweep::use_binary_cache(false);
    check_off();
    upsweep::use_binary_cache(true);
    check_sum(cache, 1, 0);
    check_sum(cache, 0, 1);
    {
        const environment_variable off("UPSWEEP_CACHE", "off");
        check_sum(cache, 1, 0);
    }
    upsweep::use_binary_cache(false);
    check_sum(cache, 1, 0);
    upsweep::use_binary_cache(true);
    check_sum(cache, 0, 1);
}

TEST_CASE("a context of several devices keeps the binary of the device in use", "[api]") {
    const fresh_cache cache;
    const cl_device_id device = device_of(cache.queue)();
    const auto platform = detail::get_info<cl_platform_id>("test", "", clGetDeviceInfo, device, CL_DEVICE_PLATFORM);
    cl_uint count = 0;
    REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) == CL_SUCCESS);
    std::vector<cl_device_id> devices(count);
    REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) == CL_SUCCESS);
    cl_int status = CL_SUCCESS;
    const cl::Context context(clCreateContext(nullptr, count, devices.data(), nullptr, nullptr, &status));
    REQUIRE(status == CL_SUCCESS);
    const auto before = builds();
    std::set<std::string> keys; // devices of one make share what is theirs
    for (const cl_device_id each : devices) {
        const cl::CommandQueue queue(detail::create_queue("test", context(), each, 0));
        for (int round = 0; round < 2; ++round) {
            upsweep::release_cached(context());
            CHECK(upsweep::reduce(queue, cache.input.begin(), cache.input.end()) == sum_to_1000);
        }
        keys.insert(detail::binary_key(each, "", ""));
    }
    CHECK(builds().first - before.first == keys.size());
    CHECK(builds().second - before.second == 2 * count - keys.size());
    CHECK(cache.files().size() == keys.size());
    upsweep::release_cached(context());
}

TEST_CASE("PoCL is given a text of its own for each binary", "[api]") {
    const fresh_cache cache;
    const cl_device_id device = device_of(cache.queue)();
    const std::string text = "__kernel void f(__global int* x) { *x = 1; }";
    const detail::cached_program program(device, "", text);
    const std::string first = program.own_text(text), second = program.own_text(text);
    const bool is_pocl = detail::is_pocl(detail::platform_of("test", device));
    CHECK((first != second) == is_pocl);
    CHECK((first == text) == !is_pocl);
    CHECK(first.rfind(text, 0) == 0);
    CHECK(second.rfind(text, 0) == 0);
    CHECK(cache.files().empty());
    CHECK(detail::cached_program().own_text(text) == text);
    upsweep::use_binary_cache(false);
    CHECK(detail::cached_program(device, "", text).own_text(text) == text);
    upsweep::use_binary_cache(true);
}

TEST_CASE("a second process starts from binaries; several at once disturb none", "[api]") {
    const fresh_cache cache;
    const auto run = [](const std::string& arguments) {
        return std::system(("\"" UPSWEEP_CACHE_PROCESS "\" " + arguments).c_str());
    };
    const auto run_three = [&](const std::string& arguments) {
        std::vector<int> results(3, -1);
        std::vector<std::thread> processes;
        for (int& result : results) processes.emplace_back([&] { result = run(arguments); });
        for (std::thread& process : processes) process.join();
        return results == std::vector<int>(3, 0);
    };
    CHECK(run("source") == 0);
    CHECK(run("binary") == 0);
    fs::remove(cache.only_file());
    CHECK(run_three("rounds 10"));
    CHECK(cache.files().size() == 1);
    CHECK(run("binary") == 0);
    CHECK(run_three("files 50"));
    CHECK(cache.files().size() == 2);
}
