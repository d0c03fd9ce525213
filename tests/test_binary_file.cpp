// SPDX-License-Identifier: MIT
// The files of the binary cache without a device: format, damage, places, concurrent writers, limits.
#include <upsweep/cache.hpp>
#include <upsweep/detail/program/binary_file.hpp>

#include "catch.hpp"
#include "environment.hpp"
#include "internals.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace detail = upsweep::detail;
namespace fs = std::filesystem;
using test::environment_variable;

namespace {

/// Every byte value, so that nothing is taken for text.
std::string all_bytes() {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
    return bytes;
}

const std::string key = "a key\nof two lines";
const detail::program_binary binary{"first;second;", all_bytes()};

} // namespace

TEST_CASE("a cache file gives back what was put in", "[unit]") {
    const auto back = detail::decode(detail::encode(key, binary), key);
    REQUIRE(back);
    CHECK(back->kernels == binary.kernels);
    CHECK(back->bytes == binary.bytes);
    const auto nothing = detail::decode(detail::encode("", {"", ""}), "");
    REQUIRE(nothing);
    CHECK(nothing->bytes.empty());
}

TEST_CASE("a cache file of another key is a miss, whatever its name", "[unit]") {
    const std::string content = detail::encode(key, binary);
    for (const char* other : {"", "a key", "a key\nof two linet", "a key\nof two lines "}) {
        INFO(other);
        CHECK_FALSE(detail::decode(content, other));
    }
}

TEST_CASE("a damaged cache file is a miss: cut anywhere, any byte changed, bytes added", "[unit]") {
    const std::string content = detail::encode(key, binary);
    for (std::size_t length = 0; length < content.size(); ++length)
        if (detail::decode(content.substr(0, length), key)) FAIL_CHECK("cut to " << length << " bytes");
    for (std::size_t at = 0; at < content.size(); ++at)
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string changed = content;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1U << bit));
            if (detail::decode(changed, key)) FAIL_CHECK("bit " << bit << " of byte " << at);
        }
    CHECK_FALSE(detail::decode(content + '\0', key));
    CHECK_FALSE(detail::decode(content + content, key));
}

TEST_CASE("a cache file whose lengths lie is a miss even with the right checksum", "[unit]") {
    const auto sealed = [](std::string content) {
        detail::append_number(content, detail::fnv1a(content));
        return content;
    };
    const std::string mark(detail::binary_file_mark);
    std::string head = mark;
    detail::append_field(head, key);
    detail::append_field(head, binary.kernels);
    const auto with_length = [&](std::uint64_t length) {
        std::string content = head;
        detail::append_number(content, length);
        return sealed(content + "12345678");
    };
    CHECK(detail::decode(with_length(8), key));
    for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{9}, ~std::uint64_t{0}})
        CHECK_FALSE(detail::decode(with_length(length), key));
    CHECK_FALSE(detail::decode(sealed(""), key));
    CHECK_FALSE(detail::decode(sealed(mark), key));
    CHECK_FALSE(detail::decode(sealed(head), key));
    std::string newer = detail::encode(key, binary);
    newer.resize(newer.size() - 8);
    newer[mark.size() - 2] = '2';
    CHECK_FALSE(detail::decode(sealed(newer), key));
}

TEST_CASE("readers never see half a cache file while threads write it", "[unit]") {
    const test::temporary_folder folder;
    const detail::program_binary large{"kernel;", std::string(300000, 'x')};
    const std::string content = detail::encode(key, large);
    const std::string name = detail::binary_file_name(key);
    REQUIRE(detail::write_file(folder.path(), name, content));
    std::atomic<int> failed{0};
    std::atomic<int> half{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 60; ++i) failed += !detail::write_file(folder.path(), name, content);
        });
    std::atomic<bool> done{false};
    std::thread reader([&] {
        while (!done) {
            const auto read = detail::read_file(folder.path() / name);
            failed += !read;
            half += read && !detail::decode(*read, key);
        }
    });
    for (std::thread& thread : threads) thread.join();
    done = true;
    reader.join();
    CHECK(half == 0);
#if !defined(_WIN32) // there a file that is open is not replaced, and one that is being replaced not opened
    CHECK(failed == 0);
#endif
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a writer never touches the half-written file of another", "[unit]") {
    const test::temporary_folder folder;
    fs::create_directories(folder.path());
    const fs::path path = folder.path() / "other";
    std::ofstream(path) << "half";
    CHECK_FALSE(detail::write_new_file(path, "whole"));
    CHECK(detail::read_file(path) == "half");
    fs::remove(path);
    CHECK(detail::write_new_file(path, "whole"));
    CHECK(detail::read_file(path) == "whole");
}

TEST_CASE("cache files that are too large are neither written nor read", "[unit]") {
    const test::temporary_folder folder;
    const std::string content(detail::binary_file_limit + 1, 'x');
    CHECK_FALSE(detail::write_file(folder.path(), "large.upsweep-binary", content));
    CHECK_FALSE(fs::exists(folder.path()));
    fs::create_directories(folder.path());
    std::ofstream(folder.path() / "large", std::ios::binary) << content;
    CHECK_FALSE(detail::read_file(folder.path() / "large"));
    CHECK_FALSE(detail::read_file(folder.path()));
    CHECK_FALSE(detail::read_file(folder.path() / "none"));
}

TEST_CASE("beyond the folder's limit the oldest cache files go, and nothing else does", "[unit]") {
    const test::temporary_folder folder;
    const auto now = fs::file_time_type::clock::now();
    for (int i = 0; i < 6; ++i) {
        const std::string name = std::to_string(i) + detail::binary_file_suffix;
        REQUIRE(detail::write_file(folder.path(), name, std::string(100, 'x')));
        // The names' order is not the order of age.
        fs::last_write_time(folder.path() / name, now - std::chrono::hours(i * 5 % 6));
    }
    std::ofstream(folder.path() / "notes.txt") << std::string(1000, 'x');
    fs::last_write_time(folder.path() / "notes.txt", now - std::chrono::hours(100));
    const auto left = [&] {
        std::string names;
        for (int i = 0; i < 6; ++i)
            if (fs::exists(folder.path() / (std::to_string(i) + detail::binary_file_suffix)))
                names += std::to_string(i);
        return names;
    };
    detail::limit_folder(folder.path(), 600);
    CHECK(left() == "012345");
    detail::limit_folder(folder.path(), 599); // hours ago, from 0: 0 5 4 3 2 1
    CHECK(left() == "02345");
    detail::limit_folder(folder.path(), 250);
    CHECK(left() == "05");
    CHECK(fs::exists(folder.path() / "notes.txt"));
    detail::limit_folder(folder.path() / "none", 0);
}

TEST_CASE("where cache files are kept, and what turns the cache off", "[unit]") {
    const environment_variable on("UPSWEEP_CACHE", "");
    const environment_variable chosen("UPSWEEP_CACHE_DIR", "my/folder");
    CHECK(upsweep::binary_cache_folder() == fs::path("my/folder"));
    for (const char* off : {"off", "0"}) {
        const environment_variable variable("UPSWEEP_CACHE", off);
        CHECK(upsweep::binary_cache_folder().empty());
        upsweep::use_binary_cache(true); // the environment has the last word
        CHECK(upsweep::binary_cache_folder().empty());
    }
    upsweep::use_binary_cache(false);
    CHECK(upsweep::binary_cache_folder().empty());
    upsweep::use_binary_cache(true);
    CHECK(upsweep::binary_cache_folder() == fs::path("my/folder"));
}

#if !defined(_WIN32)
TEST_CASE("a folder made for cache files is for its owner only; a given one stays as it is", "[unit]") {
    const test::temporary_folder folder;
    const auto permissions = [](const fs::path& path) { return fs::status(path).permissions(); };
    const fs::path made = folder.path() / "made";
    REQUIRE(detail::write_file(made, "a", "content"));
    CHECK(permissions(made) == fs::perms::owner_all);
    const fs::perms open = fs::perms::owner_all | fs::perms::group_all;
    fs::permissions(made, open);
    REQUIRE(detail::write_file(made, "b", "content"));
    CHECK(permissions(made) == open);
}

TEST_CASE("without a folder of one's own, cache files go to the user's cache folder", "[unit]") {
    const environment_variable on("UPSWEEP_CACHE", "");
    const environment_variable none_chosen("UPSWEEP_CACHE_DIR", "");
    const environment_variable home("HOME", "/home/somebody");
    const environment_variable xdg("XDG_CACHE_HOME", "/some/cache");
    CHECK(upsweep::binary_cache_folder() == fs::path("/some/cache/upsweep"));
    const environment_variable relative("XDG_CACHE_HOME", "some/cache");
    const fs::path below_home = upsweep::binary_cache_folder();
    CHECK(below_home.filename() == "upsweep");
    CHECK(below_home.string().rfind("/home/somebody/", 0) == 0);
    const environment_variable unset("XDG_CACHE_HOME", "");
    CHECK(upsweep::binary_cache_folder() == below_home);
    const environment_variable homeless("HOME", "");
    CHECK(upsweep::binary_cache_folder().empty());
}
#endif
