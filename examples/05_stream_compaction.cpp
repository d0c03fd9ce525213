// SPDX-License-Identifier: MIT
// Removes every occurrence of one character from a file: the classic use of an exclusive scan.
//
//   05_stream_compaction [<file> [<character> [<result file>]]]
//
// Flag what stays with 1, scan the flags, and every character that stays knows how many stay before it: its place in
// the result. Without a file a large text is generated; the character is a space by default.
#define CL_HPP_ENABLE_EXCEPTIONS // this program's own OpenCL calls then throw cl::Error
#include <upsweep/upsweep.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// The two kernels that are not the library's. OFFSET is uint or ulong.
constexpr const char* kernel_text = R"(
__kernel void flag_kept(__global const uchar* text, uchar removed, __global uchar* flags)
{
    const size_t i = get_global_id(0);
    flags[i] = text[i] != removed;
}

__kernel void scatter(__global const uchar* text, __global const uchar* flags, __global const OFFSET* places,
                      __global uchar* kept)
{
    const size_t i = get_global_id(0);
    if (flags[i]) kept[places[i]] = text[i];
}
)";

cl::Program build_kernels(const cl::Context& context, const char* offset_type) {
    cl::Program program(context, kernel_text);
    program.build((std::string("-D OFFSET=") + offset_type).c_str());
    return program;
}

/// The text without the character. Offset: an unsigned integer that can count the whole text.
template <class Offset>
std::string remove_on_device(const cl::CommandQueue& queue, const std::string& text, char removed) {
    const std::size_t n = text.size();
    const auto context = queue.getInfo<CL_QUEUE_CONTEXT>();
    const cl::Buffer text_buffer(context, CL_MEM_READ_ONLY, n);
    const cl::Buffer flags(context, CL_MEM_READ_WRITE, n);
    const cl::Buffer places(context, CL_MEM_READ_WRITE, n * sizeof(Offset));
    const cl::Buffer kept(context, CL_MEM_READ_WRITE, n);
    queue.enqueueWriteBuffer(text_buffer, CL_TRUE, 0, n, text.data());

    const cl::Program program = build_kernels(context, upsweep::type<Offset>::name);
    cl::Kernel flag_kept(program, "flag_kept");
    flag_kept.setArg(0, text_buffer);
    flag_kept.setArg(1, static_cast<cl_uchar>(removed));
    flag_kept.setArg(2, flags);
    cl::Kernel scatter(program, "scatter");
    scatter.setArg(0, text_buffer);
    scatter.setArg(1, flags);
    scatter.setArg(2, places);
    scatter.setArg(3, kept);

    // The queue is in order: every step sees what the one before has written. One-byte flags are summed as Offset.
    queue.enqueueNDRangeKernel(flag_kept, cl::NullRange, cl::NDRange(n));
    upsweep::exclusive_scan(queue, upsweep::span<const cl_uchar>(flags, n), upsweep::span<Offset>(places, n),
                            Offset{0});
    queue.enqueueNDRangeKernel(scatter, cl::NullRange, cl::NDRange(n));

    // The last place and the last flag say how many are kept.
    Offset last_place = 0;
    cl_uchar last_flag = 0;
    queue.enqueueReadBuffer(places, CL_TRUE, (n - 1) * sizeof(Offset), sizeof(Offset), &last_place);
    queue.enqueueReadBuffer(flags, CL_TRUE, n - 1, 1, &last_flag);
    std::string result(static_cast<std::size_t>(last_place) + last_flag, '\0');
    if (!result.empty()) queue.enqueueReadBuffer(kept, CL_TRUE, 0, result.size(), &result[0]);
    return result;
}

std::string remove_character(const std::string& text, char removed) {
    if (text.empty()) return {}; // OpenCL has no empty buffers
    const cl::CommandQueue queue = upsweep::default_queue();
    if (text.size() <= std::numeric_limits<cl_uint>::max()) return remove_on_device<cl_uint>(queue, text, removed);
    return remove_on_device<cl_ulong>(queue, text, removed);
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

/// Words of a few letters and lines of a few words.
std::string generate_text(std::size_t size) {
    std::mt19937 random(1);
    std::string text;
    while (text.size() < size) {
        for (std::uint32_t letters = 1 + random() % 8; letters > 0; --letters)
            text += static_cast<char>('a' + random() % 26);
        text += random() % 12 == 0 ? '\n' : ' ';
    }
    return text;
}

/// A file that is gone at the end of its scope.
class temporary_file {
public:
    explicit temporary_file(const std::string& text)
        : path_(std::filesystem::temp_directory_path() /
                ("upsweep_" + std::to_string(std::random_device{}()) + ".txt")) {
        write_file(path_, text);
    }
    ~temporary_file() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

bool process(const std::filesystem::path& path, char removed, const std::string& result_file) {
    const std::string text = read_file(path);
    const std::string result = remove_character(text, removed);
    std::string expected;
    std::remove_copy(text.begin(), text.end(), std::back_inserter(expected), removed);
    const bool correct = result == expected;
    std::cout << path.string() << ": " << text.size() << " bytes, of which " << result.size()
              << " stay; correct: " << (correct ? "yes" : "no") << '\n';
    if (!result_file.empty()) write_file(result_file, result);
    return correct;
}

} // namespace

int main(int argc, char** argv) try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() > 3 || (words.size() > 1 && words[1].size() != 1))
        throw std::invalid_argument("usage: 05_stream_compaction [<file> [<character> [<result file>]]]");
    const char removed = words.size() > 1 ? words[1][0] : ' ';
    if (!words.empty()) return process(words[0], removed, words.size() > 2 ? words[2] : "") ? 0 : 1;
    const temporary_file generated(generate_text(std::size_t{1} << 24));
    return process(generated.path(), removed, "") ? 0 : 1;
} catch (const cl::Error& problem) {
    std::cerr << problem.what() << ": OpenCL status " << problem.err() << '\n';
    return 1;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
