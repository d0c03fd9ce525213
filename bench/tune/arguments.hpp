// SPDX-License-Identifier: MIT
#pragma once

// The command line of upsweep_tune.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune {

constexpr const char* usage =
    "usage: upsweep_tune [options]\n"
    "Searches for tunings that are faster on this device than the library's own, checks every result, and writes a "
    "tuning\n"
    "file: run programs with UPSWEEP_TUNING=<file>, or call upsweep::load_tuning.\n"
    "  --device TEXT       part of a device's or platform's name; default: UPSWEEP_DEVICE, or the first GPU\n"
    "  --operations LIST   of scan,reduce; default: both\n"
    "  --types LIST        of int32,float,int64,double,uint8,uint16; default: the first four\n"
    "  --from 2^16         the least number of elements\n"
    "  --to 2^26           the end of the largest range; sizes are taken in ranges of a factor of 4\n"
    "  --seconds 600       about how long the search may take, checks included\n"
    "  --gain 3            percent by which a tuning must be faster to be written\n"
    "  --output FILE       default: upsweep_tuning.txt; must not exist\n"
    "Ctrl-C ends the search and keeps what was found. Join files with cat: of several entries that apply the last "
    "counts.\n";

struct arguments {
    std::string device;
    std::vector<std::string> operations{"scan", "reduce"};
    std::vector<std::string> types{"int32", "float", "int64", "double"};
    std::uint32_t from = 16;
    std::uint32_t to = 26;
    double seconds = 600;
    double gain = 3;
    std::string output = "upsweep_tuning.txt";
    bool help = false;
};

inline std::vector<std::string> split(const std::string& list, const std::vector<std::string>& known) {
    std::vector<std::string> words;
    std::istringstream in(list);
    for (std::string word; std::getline(in, word, ',');) {
        if (std::find(known.begin(), known.end(), word) == known.end())
            throw std::invalid_argument("unknown word \"" + word + '"');
        words.push_back(word);
    }
    if (words.empty()) throw std::invalid_argument("an empty list");
    return words;
}

inline double number(const std::string& text) {
    std::size_t used = 0;
    const double value = std::stod(text, &used);
    if (used != text.size()) throw std::invalid_argument("\"" + text + "\" is no number");
    return value;
}

inline std::uint32_t exponent(const std::string& text) {
    if (text.compare(0, 2, "2^") != 0) throw std::invalid_argument("\"" + text + "\" is no power of two such as 2^16");
    const double value = number(text.substr(2));
    if (!(value >= 0 && value <= 40)) throw std::invalid_argument("2^0 to 2^40 are possible");
    return static_cast<std::uint32_t>(value);
}

/// @throws std::exception saying what is wrong
inline arguments parse(int argc, char** argv) {
    arguments a;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--help" || name == "-h") {
            a.help = true;
            return a;
        }
        if (i + 1 == argc) throw std::invalid_argument(name + ": unknown, or without its value");
        const std::string value = argv[++i];
        try {
            if (name == "--device")
                a.device = value;
            else if (name == "--operations")
                a.operations = split(value, {"scan", "reduce"});
            else if (name == "--types")
                a.types = split(value, {"int32", "float", "int64", "double", "uint8", "uint16"});
            else if (name == "--from")
                a.from = exponent(value);
            else if (name == "--to")
                a.to = exponent(value);
            else if (name == "--seconds")
                a.seconds = number(value);
            else if (name == "--gain")
                a.gain = number(value);
            else if (name == "--output")
                a.output = value;
            else
                throw std::invalid_argument("unknown option");
        } catch (const std::exception& e) {
            throw std::invalid_argument(name + ": " + e.what());
        }
    }
    if (a.from >= a.to) throw std::invalid_argument("--to: must be more than --from");
    return a;
}

} // namespace tune
