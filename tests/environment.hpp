// SPDX-License-Identifier: MIT
// Environment variables and folders that last as long as a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <utility>

namespace test {

/// Empty: not set.
inline void set_environment(const std::string& name, const std::string& value) {
#if defined(_WIN32)
    _putenv_s(name.c_str(), value.c_str());
#else
    if (value.empty())
        unsetenv(name.c_str());
    else
        setenv(name.c_str(), value.c_str(), 1);
#endif
}

/// Sets a variable, and sets it back at the end of the scope.
class environment_variable {
public:
    environment_variable(std::string name, const std::string& value)
        : name_(std::move(name)) {
        if (const char* before = std::getenv(name_.c_str())) before_ = before;
        set_environment(name_, value);
    }
    ~environment_variable() { set_environment(name_, before_); }
    environment_variable(const environment_variable&) = delete;
    environment_variable& operator=(const environment_variable&) = delete;

private:
    std::string name_;
    std::string before_;
};

/// The name of a folder that does not exist yet, gone with all its content at the end of the scope.
class temporary_folder {
public:
    temporary_folder()
        : path_(std::filesystem::temp_directory_path() / ("upsweep-test-" + std::to_string(std::random_device()()))) {}
    ~temporary_folder() {
        std::error_code failure;
        std::filesystem::remove_all(path_, failure);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace test
