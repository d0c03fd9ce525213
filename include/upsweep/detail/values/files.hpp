// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>
#include <upsweep/detail/values/maybe.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>

#include <filesystem>
#include <system_error>
#else
#include <dirent.h>
#include <sys/stat.h>
#endif

// Files and folders. Elsewhere than on Windows without <filesystem>, which costs a compiler a fifth of what the OpenCL
// bindings cost it.

namespace upsweep::detail {

/// What is at a path; links are followed.
struct file_facts {
    bool exists = false;
    bool is_regular = false;
    std::uintmax_t size = 0;  ///< bytes of a regular file
    std::int64_t written = 0; ///< larger is later
};

UPSWEEP_INLINE std::string path_in(const std::string& folder, const std::string& name) {
#if defined(_WIN32)
    return (std::filesystem::path(folder) / name).string();
#else
    return !folder.empty() && folder.back() == '/' ? folder + name : folder + '/' + name;
#endif
}

#if defined(_WIN32)

UPSWEEP_INLINE file_facts facts_of(const std::string& path) {
    file_facts facts;
    std::error_code failure;
    facts.exists = std::filesystem::exists(path, failure);
    facts.is_regular = std::filesystem::is_regular_file(path, failure);
    if (!facts.is_regular) return facts;
    facts.written = std::filesystem::last_write_time(path, failure).time_since_epoch().count();
    facts.size = std::filesystem::file_size(path, failure);
    if (failure) return {};
    return facts;
}

/// Makes a folder, and those that it is in. What it makes is this user's alone, in the end.
UPSWEEP_INLINE void make_folder(const std::string& path) {
    std::error_code failure;
    if (std::filesystem::create_directories(path, failure))
        std::filesystem::permissions(path, std::filesystem::perms::owner_all, failure);
}

UPSWEEP_INLINE bool replace_file(const std::string& from, const std::string& to) {
    std::error_code failure;
    std::filesystem::rename(from, to, failure);
    return !failure;
}

/// Calls visit(name) for everything in a folder.
template <class Visit>
void for_each_name(const std::string& folder, const Visit& visit) {
    std::error_code failure;
    for (std::filesystem::directory_iterator i(folder, failure), end; !failure && i != end; i.increment(failure))
        visit(i->path().filename().string());
}

/// Opens a file to read; null where that is impossible.
UPSWEEP_INLINE std::FILE* open_file(const std::string& path) {
    return _fsopen(path.c_str(), "rb", _SH_DENYNO);
}

/// Opens a new file to write to; null where there is one of that name.
UPSWEEP_INLINE std::FILE* open_new_file(const std::string& path) {
    int descriptor = -1; // some runtime libraries there have no mode x
    if (_sopen_s(&descriptor, path.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _SH_DENYNO,
                 _S_IREAD | _S_IWRITE) != 0)
        return nullptr;
    return _fdopen(descriptor, "wb");
}

#else

UPSWEEP_INLINE file_facts facts_of(const std::string& path) {
    struct stat found;
    file_facts facts;
    if (stat(path.c_str(), &found) != 0) return facts;
    facts.exists = true;
    facts.is_regular = S_ISREG(found.st_mode);
    facts.size = facts.is_regular ? static_cast<std::uintmax_t>(found.st_size) : 0;
#if defined(__APPLE__)
    const struct timespec& time = found.st_mtimespec;
#else
    const struct timespec& time = found.st_mtim;
#endif
    facts.written = std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
    return facts;
}

/// Makes a folder, and those that it is in. What it makes is this user's alone, in the end.
UPSWEEP_INLINE void make_folder(const std::string& folder) {
    const std::string path = folder.substr(0, folder.find_last_not_of('/') + 1);
    for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
        mkdir(path.substr(0, end).c_str(), 0777); // less what the user's mask forbids
    if (mkdir(path.c_str(), 0700) == 0) chmod(path.c_str(), 0700);
}

UPSWEEP_INLINE bool replace_file(const std::string& from, const std::string& to) {
    return std::rename(from.c_str(), to.c_str()) == 0;
}

/// Calls visit(name) for everything in a folder.
template <class Visit>
void for_each_name(const std::string& folder, const Visit& visit) {
    struct closing {
        DIR* opened;
        ~closing() {
            if (opened) closedir(opened);
        }
    };
    const closing list{opendir(folder.c_str())};
    if (!list.opened) return;
    while (const dirent* entry = readdir(list.opened)) visit(std::string(entry->d_name));
}

/// Opens a file to read; null where that is impossible.
UPSWEEP_INLINE std::FILE* open_file(const std::string& path) {
    return std::fopen(path.c_str(), "rb");
}

/// Opens a new file to write to; null where there is one of that name.
UPSWEEP_INLINE std::FILE* open_new_file(const std::string& path) {
    return std::fopen(path.c_str(), "wbx");
}

#endif

/// What is in an open file, which is closed then; none where reading fails.
UPSWEEP_INLINE maybe<std::string> read_and_close(std::FILE* file) {
    struct closing {
        std::FILE* opened;
        ~closing() { std::fclose(opened); }
    };
    const closing whole{file};
    std::string text;
    char part[4096];
    while (const std::size_t size = std::fread(part, 1, sizeof part, file)) text.append(part, size);
    if (std::ferror(file) != 0) return {};
    return text;
}

} // namespace upsweep::detail
