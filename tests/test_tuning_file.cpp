// SPDX-License-Identifier: MIT
// Tuning files as text: what is written is read again, and every bad line is refused by its number. No device is
// touched.
#include <upsweep/upsweep.hpp>

#include "device_fixture.hpp"
#include "tuning_fixture.hpp"

#if !defined(_WIN32)
#include <sys/stat.h>
#endif

#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace upsweep::detail;
using fixture::expect_error;
using test::clean_tuning;
using test::usual;
using upsweep::options;
using upsweep::strategy;
using upsweep::tile_algorithm;

namespace {

std::vector<tuning_entry> read(const std::string& text, const std::string& name = "f") {
    std::vector<tuning_entry> entries;
    for (const auto& entry : read_tuning(text, name)) entries.push_back(*entry);
    return entries;
}

} // namespace

TEST_CASE("a tuning entry that is written is read again, field by field", "[unit]") {
    tuning_entry e;
    e.device = "a \"quoted\" name \\ with a backslash";
    e.driver = "580.159.03";
    e.op = operation::reduce;
    e.kind = operator_kind::ordered;
    e.size = 8;
    e.n = {3, 64};
    e.choices.strategy = strategy::look_back;
    e.choices.algorithm = tile_algorithm::sub_group;
    e.choices.reduction = upsweep::tree_reduce::compacted;
    e.choices.loading = upsweep::tile_loading::staged;
    e.choices.work_items = 64;
    e.choices.items = 32;
    e.choices.work_groups = 7;
    e.choices.run_packs = 8;
    e.choices.registers = 112;
    e.choices.bank_padding = false;
    e.microseconds = 12.25;
    e.default_microseconds = 1234567.5;
    const std::string text = std::string(tuning_file_head) + "\n" + to_line(e) + "\n";
    const auto entries = read(text, "name");
    REQUIRE(entries.size() == 1);
    const tuning_entry& r = entries[0];
    CHECK(r.device == e.device);
    CHECK(r.driver == e.driver);
    CHECK(r.op == e.op);
    CHECK(r.kind == e.kind);
    CHECK(r.size == e.size);
    CHECK(r.n == e.n);
    CHECK(r.choices == e.choices);
    // Equality goes by the list that reading and writing go by. A new member does not compile here.
    const auto& [algorithm, reduction, strategy, work_items, items, work_groups, run_packs, registers, loading,
                 bank_padding, reproducible, device_memory, progress, build_options] = r.choices;
    CHECK((device_memory == 0 && !progress && build_options.empty())); // no part of a tuning
    CHECK((algorithm == e.choices.algorithm && reduction == e.choices.reduction && strategy == e.choices.strategy));
    CHECK((work_items == 64 && items == 32 && work_groups == 7 && run_packs == 8 && registers == 112));
    CHECK((loading == e.choices.loading && !bank_padding && reproducible));
    CHECK(r.microseconds == e.microseconds);
    CHECK(r.default_microseconds == e.default_microseconds);
    CHECK(r.place == "name:2");
    CHECK(to_line(r) == to_line(e));
}

TEST_CASE("every value of a choice can be written and read", "[unit]") {
    std::vector<std::pair<std::string, std::function<bool(const options&)>>> lines;
    const auto add = [&](const std::string& name, auto member, auto last) {
        for (int i = 1; i <= static_cast<int>(last); ++i) {
            const auto value = static_cast<decltype(last)>(i);
            lines.emplace_back(name + '=' + to_string(value), [=](const options& o) { return o.*member == value; });
        }
    };
    add("strategy", &options::strategy, strategy::chunked);
    add("algorithm", &options::algorithm, tile_algorithm::brent_kung);
    add("reduction", &options::reduction, upsweep::tree_reduce::serial);
    add("loading", &options::loading, upsweep::tile_loading::staged);
    CHECK(lines.size() == 15);
    for (const auto& [text, holds] : lines) {
        const auto entries = read("upsweep tuning 1\ndevice=d operation=scan operator=exact size=4 n=2^0..2^1 " + text);
        CAPTURE(text);
        REQUIRE(entries.size() == 1);
        CHECK(holds(entries[0].choices));
        CHECK(to_line(entries[0]).find(" " + text) != std::string::npos);
    }
}

TEST_CASE("comments, empty lines, line ends of either kind and quotation marks are read", "[unit]") {
    CHECK(read("# made by hand\r\n\r\nupsweep tuning 1\r\n   \n#" + usual + "\n" + usual + "\r\n").size() == 1);
    CHECK(read("upsweep tuning 1\n").empty());
    CHECK(read("upsweep tuning 1\n" + usual + "\nupsweep tuning 1\n" + usual + "\n").size() == 2); // joined files
    const auto entries = read("upsweep tuning 1\n  device=\"a \\\"b\\\" c\"\toperation=\"scan\" operator=exact size=4 "
                              "n=2^0..2^64 items=2  ");
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].device == "a \"b\" c");
}

TEST_CASE("a bad line is refused, with its number and what is wrong", "[unit]") {
    const clean_tuning clean;
    const auto count = [] { return tuning_registry::get().size(); };
    const std::string start = "device=gpu operation=scan operator=exact size=4 n=2^16..2^24 ";
    const std::vector<std::pair<std::string, std::string>> lines{
        {"operation=scan operator=exact size=4 n=2^16..2^24 items=4", "device is missing"},
        {"device=gpu operator=exact size=4 n=2^16..2^24 items=4", "operation is missing"},
        {"device=gpu operation=scan size=4 n=2^16..2^24 items=4", "operator is missing"},
        {"device=gpu operation=scan operator=exact n=2^16..2^24 items=4", "size is missing"},
        {"device=gpu operation=scan operator=exact size=4 items=4", "n is missing"},
        {start, "no choice"},
        {start + "driver=1 microseconds=3", "no choice"},
        {start + "items=4 wrok_items=3", "unknown field \"wrok_items\""},
        {start + "items=4 items=4", "field \"items\" is given twice"},
        {start + "items", "\"items\" is no field"},
        {start + "items = 4", "\"items\" is no field"},
        {start + "=4", "\"=4\" is no field"},
        {start + "items=", "items: no value"},
        {start + "items=\"\"", "items: no value"},
        {start + "items=4\"", "a quotation mark within"},
        {start + "driver=\"unfinished", "the closing quotation mark is missing"},
        {start + "driver=\"unfinished\\", "the closing quotation mark is missing"},
        {start + "driver=\"a\"items=4", "text follows the closing quotation mark"},
        {start + "items=0", "must be a whole number from 1"},
        {start + "items=-4", "must be a whole number from 1"},
        {start + "items=4.5", "must be a whole number from 1"},
        {start + "items=0x4", "must be a whole number from 1"},
        {start + "items=4294967296", "must be a whole number from 1"},
        {start + "strategy=automatic", "must be one of single_tile, scan_then_propagate"},
        {start + "strategy=lookback", "must be one of single_tile, scan_then_propagate"},
        {start + "algorithm=automatic", "must be one of blelloch"},
        {start + "reduction=Serial", "must be one of interleaved"},
        {start + "loading=fast", "must be one of direct, staged"},
        {start + "bank_padding=no", "must be true or false"},
        {start + "items=4 microseconds=fast", "must be a number such as 12.5"},
        {start + "items=4 microseconds=1.2.3", "must be a number such as 12.5"},
        {start + "items=4 microseconds=-1", "must be a number such as 12.5"},
        {"device=gpu operation=sort operator=exact size=4 n=2^16..2^24 items=4", "must be one of scan, reduce"},
        {"device=gpu operation=scan operator=plus size=4 n=2^16..2^24 items=4", "must be one of exact, ordered"},
        {"device=gpu operation=scan operator=exact size=0 n=2^16..2^24 items=4", "must be a whole number from 1"},
    };
    for (const auto& [line, phrase] : lines) {
        INFO(line);
        expect_error("load_tuning", "my.txt:5", phrase,
                     [&, text = "# one\nupsweep tuning 1\n\n" + usual + "\n" + line + "\n" + usual] {
                         std::istringstream in(text);
                         upsweep::load_tuning(in, "my.txt");
                     });
        CHECK(count() == 0); // not even the good lines
    }
    for (const char* n : {"65536", "2^16", "2^16..", "..2^24", "2^24..2^16", "2^16..2^16", "2^16..2^65", "2^-1..2^4",
                          "2^16..2^24x", "16..24", "2^16...2^24"}) {
        INFO(n);
        expect_error("load_tuning", "f:2", "must be a range such as 2^16..2^20", [&] {
            read(std::string("upsweep tuning 1\ndevice=gpu operation=scan operator=exact size=4 items=4 n=") + n);
        });
    }
}

TEST_CASE("what is no tuning file of this version is refused", "[unit]") {
    expect_error("load_tuning", "f:1", "where \"upsweep tuning 1\" is expected", [] { read("upsweep tuning 2\n"); });
    expect_error("load_tuning", "f:1", "where \"upsweep tuning 1\" is expected", [] { read(usual + "\n"); });
    expect_error("load_tuning", "f:2", "where \"upsweep tuning 1\" is expected",
                 [] { read("#\nupsweep tuning 1 \n"); });
    expect_error("load_tuning", "f", "has no line \"upsweep tuning 1\"", [] { read("# nothing\n"); });
    expect_error("load_tuning", "f", "has no line \"upsweep tuning 1\"", [] { read(""); });
    const test::temporary_folder folder;
    const std::string path = folder.path().string();
    expect_error("load_tuning", path, "cannot be opened", [&] { upsweep::load_tuning(path); });
    std::filesystem::create_directories(folder.path());
    expect_error("load_tuning", path, "is no regular file", [&] { upsweep::load_tuning(path); });
#if !defined(_WIN32)
    expect_error("load_tuning", "/dev/null", "is no regular file", [] { upsweep::load_tuning("/dev/null"); });
    const std::string fifo = (folder.path() / "fifo").string(); // to open one waits for a writer
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    expect_error("load_tuning", fifo, "is no regular file", [&] { upsweep::load_tuning(fifo); });
#endif
}
