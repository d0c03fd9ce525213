// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/files.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>
#include <upsweep/detail/values/shared_value.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The files of the binary cache. No OpenCL in here.

namespace upsweep::detail {

/// What a file keeps of a program.
struct program_binary {
    std::string kernels; ///< the names of its kernels, sorted
    std::string bytes;
};

/// Begins every file. Another layout gets another number, and older files then are misses.
constexpr std::string_view binary_file_mark = "upsweep program binary, format 1\n";

/// Every file of ours ends on it, so that nothing else is ever deleted.
constexpr const char* binary_file_suffix = ".upsweep-binary";

/// Larger files are neither written nor read.
constexpr std::uintmax_t binary_file_limit = std::uintmax_t{16} << 20;

/// When the files together are larger, the oldest go.
constexpr std::uintmax_t binary_folder_limit = std::uintmax_t{128} << 20;

/// FNV-1a, 64 bits: each step maps different states to different ones, so no single changed byte goes unnoticed.
UPSWEEP_INLINE std::uint64_t fnv1a(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

UPSWEEP_INLINE void append_number(std::string& out, std::uint64_t number) {
    for (unsigned shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(number >> shift & 0xffU));
}

UPSWEEP_INLINE void append_field(std::string& out, std::string_view field) {
    append_number(out, field.size());
    out.append(field);
}

/// Takes a number from the front of `rest`, which has at least 8 bytes.
UPSWEEP_INLINE std::uint64_t take_number(std::string_view& rest) {
    std::uint64_t number = 0;
    for (unsigned i = 0; i < 8; ++i) number |= std::uint64_t{static_cast<unsigned char>(rest[i])} << 8 * i;
    rest.remove_prefix(8);
    return number;
}

/// Takes a field from the front of `rest`; none when it is cut short.
UPSWEEP_INLINE maybe<std::string_view> take_field(std::string_view& rest) {
    if (rest.size() < 8) return {};
    const std::uint64_t size = take_number(rest);
    if (size > rest.size()) return {};
    const std::string_view field = rest.substr(0, static_cast<std::size_t>(size));
    rest.remove_prefix(field.size());
    return field;
}

/// The content of a file: mark, key, kernel names, binary, and the checksum of all of it.
UPSWEEP_INLINE std::string encode(std::string_view key, const program_binary& binary) {
    std::string out(binary_file_mark);
    append_field(out, key);
    append_field(out, binary.kernels);
    append_field(out, binary.bytes);
    append_number(out, fnv1a(out));
    return out;
}

/// What `encode` was given; none when anything is damaged, or the file is that of another key.
UPSWEEP_INLINE maybe<program_binary> decode(std::string_view content, std::string_view key) {
    if (content.size() < binary_file_mark.size() + 8) return {};
    std::string_view checksum = content.substr(content.size() - 8);
    std::string_view rest = content.substr(0, content.size() - 8);
    if (fnv1a(rest) != take_number(checksum)) return {};
    if (rest.substr(0, binary_file_mark.size()) != binary_file_mark) return {};
    rest.remove_prefix(binary_file_mark.size());
    if (take_field(rest) != key) return {};
    const auto kernels = take_field(rest);
    const auto bytes = take_field(rest);
    if (!kernels || !bytes || !rest.empty()) return {};
    return program_binary{std::string(*kernels), std::string(*bytes)};
}

UPSWEEP_INLINE std::string hexadecimal(std::uint64_t number) {
    std::string out;
    for (unsigned shift = 64; shift > 0; shift -= 4) out.push_back("0123456789abcdef"[number >> (shift - 4) & 15U]);
    return out;
}

/// Two keys may share a name; the key inside the file decides.
UPSWEEP_INLINE std::string binary_file_name(std::string_view key) {
    return hexadecimal(fnv1a(key)) + binary_file_suffix;
}

/// The whole of a regular file of acceptable size. Pipes and devices are not touched: reading them could block.
UPSWEEP_INLINE maybe<std::string> read_file(const std::string& path) {
    const file_facts facts = facts_of(path);
    if (!facts.is_regular || facts.size > binary_file_limit) return {};
    std::FILE* const file = open_file(path);
    if (!file) return {};
    return read_and_close(file);
}

/// A name that hardly any other writer, thread or process, makes at the same time.
UPSWEEP_INLINE std::string temporary_file_name() {
    static auto* const count = new shared_value<std::uint64_t>(0); // never destroyed: see shared_value
    const std::uint64_t number = (*count)++;
    const auto time = std::chrono::system_clock::now().time_since_epoch().count();
    const auto address = reinterpret_cast<std::uintptr_t>(&number); // most systems place each process elsewhere
    return hexadecimal(fnv1a(std::to_string(time) + ' ' + std::to_string(address))) + '-' + std::to_string(number) +
           binary_file_suffix;
}

/// Writes a new file, whole or not at all. False also where there is one of that name: half-written files must not
/// meet.
UPSWEEP_INLINE bool write_new_file(const std::string& path, std::string_view content) {
    std::FILE* const file = open_new_file(path);
    if (!file) return false;
    const bool is_written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    if (std::fclose(file) == 0 && is_written) return true;
    std::remove(path.c_str());
    return false;
}

/// Puts a file in place in one step, so that readers see the old one or the whole new one. Returns whether it is there.
UPSWEEP_INLINE bool write_file(const std::string& folder, const std::string& name, std::string_view content) {
    if (content.size() > binary_file_limit) return false;
    make_folder(folder);
    const std::string temporary = path_in(folder, temporary_file_name());
    if (!write_new_file(temporary, content)) return false;
    if (replace_file(temporary, path_in(folder, name))) return true;
    std::remove(temporary.c_str());
    return false;
}

/// Whether a file is called as ours are.
UPSWEEP_INLINE bool has_our_suffix(std::string_view name) {
    const std::string_view suffix = binary_file_suffix;
    return name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
}

/// Deletes the oldest of our files until the rest are within the limit. Temporary files that a killed process left
/// behind are among them.
UPSWEEP_INLINE void limit_folder(const std::string& folder, std::uintmax_t limit) {
    struct entry {
        std::int64_t written;
        std::uintmax_t size;
        std::string path;
    };
    std::vector<entry> entries;
    std::uintmax_t total = 0;
    for_each_name(folder, [&](const std::string& name) {
        if (!has_our_suffix(name)) return;
        std::string path = path_in(folder, name);
        const file_facts facts = facts_of(path); // another process may delete files at the same time
        if (!facts.is_regular) return;
        total += facts.size;
        entries.push_back({facts.written, facts.size, std::move(path)});
    });
    const auto is_older = [](const entry& a, const entry& b) { return a.written < b.written; };
    while (total > limit && !entries.empty()) { // seldom more than one
        const auto oldest = std::min_element(entries.begin(), entries.end(), is_older);
        std::remove(oldest->path.c_str());
        total -= oldest->size;
        *oldest = std::move(entries.back());
        entries.pop_back();
    }
}

} // namespace upsweep::detail
