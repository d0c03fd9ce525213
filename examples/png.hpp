// SPDX-License-Identifier: MIT
// Writes a picture of grey pixels as a PNG file, not compressed (RFC 2083, RFC 1950, RFC 1951).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

/// Pixels from black to white, row by row.
struct image {
    std::size_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels;

    image(std::size_t w, std::size_t h)
        : width(w)
        , height(h)
        , pixels(w * h) {}
    std::uint8_t& at(std::size_t x, std::size_t y) { return pixels[y * width + x]; }
    std::uint8_t at(std::size_t x, std::size_t y) const { return pixels[y * width + x]; }
};

namespace png {

inline std::string big_endian(std::uint32_t x) {
    return {static_cast<char>(x >> 24), static_cast<char>(x >> 16), static_cast<char>(x >> 8), static_cast<char>(x)};
}
inline std::string little_endian(std::uint32_t x) { // of 16 bits
    return {static_cast<char>(x), static_cast<char>(x >> 8)};
}

inline std::uint32_t crc(const std::string& bytes) {
    std::uint32_t sum = 0xffffffffU;
    for (const char byte : bytes) {
        sum ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ (sum & 1U ? 0xedb88320U : 0U);
    }
    return ~sum;
}

inline std::uint32_t adler(const std::string& bytes) {
    std::uint32_t a = 1, b = 0;
    for (const char byte : bytes) {
        a = (a + static_cast<std::uint8_t>(byte)) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

inline std::string chunk(const std::string& type, const std::string& data) {
    return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(crc(type + data));
}

/// A zlib stream of stored blocks.
inline std::string stored(const std::string& data) {
    constexpr std::size_t most = 65535;
    std::string out = "\x78\x01";
    for (std::size_t begin = 0; begin < data.size(); begin += most) {
        const auto size = static_cast<std::uint32_t>(std::min(most, data.size() - begin));
        out += begin + size == data.size() ? '\1' : '\0';
        out += little_endian(size) + little_endian(~size) + data.substr(begin, size);
    }
    return out + big_endian(adler(data));
}

inline void write(const std::string& path, const image& picture) {
    std::string rows;
    for (std::size_t y = 0; y < picture.height; ++y) {
        rows += '\0'; // no filter
        for (std::size_t x = 0; x < picture.width; ++x) rows += static_cast<char>(picture.at(x, y));
    }
    const std::string header = big_endian(static_cast<std::uint32_t>(picture.width)) +
                               big_endian(static_cast<std::uint32_t>(picture.height)) +
                               std::string("\x08\0\0\0\0", 5); // 8 bits of grey
    std::ofstream file(path, std::ios::binary);
    file << "\x89PNG\r\n\x1a\n" << chunk("IHDR", header) << chunk("IDAT", stored(rows)) << chunk("IEND", "");
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

} // namespace png
