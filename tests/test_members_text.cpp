// SPDX-License-Identifier: MIT
// The texts that keep NVIDIA's compiler from losing parts of words which several members share (GUARANTEES.md), and
// what a self-check puts in the place of such values. No device is touched.
#include <upsweep/detail/source/packed_text.hpp>
#include <upsweep/detail/source/segment_text.hpp>
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <string>

namespace detail = upsweep::detail;
using Catch::Matchers::ContainsSubstring;
using detail::operator_text;
using detail::type_text;

namespace {

const type_text shorts{"shorts", "typedef struct { short a, b, c; } shorts;", 6};
const type_text bytes{"bytes", "typedef struct { int a; uchar b[4]; } bytes;", 8};
const type_text floats{"floats", "typedef struct { float a, b; } floats;", 8};
const operator_text own{"user operator", "return left;", {}, {}, {}};
const operator_text of_halves{"user operator", "return as_uint(as_ushort2(left) + as_ushort2(right));", {}, {}, {}};

/// A program's text, on NVIDIA devices or on others.
std::string source_of(const type_text& value, const operator_text& op, bool has_ptx) {
    upsweep::tuning t;
    t.ptx = has_ptx ? 1 : 0;
    return detail::build_source({value, value, op}, t, detail::family::multi_pass, false);
}

/// Whether the operands of a function on `words` words are a lane's own, all of them.
bool are_of_lane(const std::string& text, int words) {
    for (const char* operand : {"first", "second"})
        for (int i = 0; i <= words; ++i) {
            const std::string word =
                std::string("UPSWEEP_OPERAND_OF_LANE(") + operand + ".words[" + std::to_string(i) + "])";
            if ((text.find(word) != std::string::npos) != (i < words)) return false;
        }
    return true;
}

} // namespace

TEST_CASE("operands that share words are a lane's own where NVIDIA's compiler builds", "[unit]") {
    CHECK(are_of_lane(source_of(shorts, own, true), 2));
    CHECK(are_of_lane(source_of(bytes, own, true), 2));
    CHECK(are_of_lane(source_of({"uint", {}, 4}, of_halves, true), 1));
    CHECK(are_of_lane(source_of({"ushort3", {}, 8}, own, true), 2));
    CHECK(are_of_lane(source_of({"largest", "typedef struct { short a[128]; } largest;", 256}, own, true), 64));
    CHECK(are_of_lane(source_of({"larger", "typedef struct { short a[129]; } larger;", 258}, own, true), 0));
    CHECK(are_of_lane(source_of({"far", "typedef struct { float a[65]; } far;", 260}, of_halves, true), 0));
    CHECK(are_of_lane(source_of(floats, own, true), 0));
    CHECK(are_of_lane(source_of({"uint", {}, 4}, own, true), 0));
    CHECK(are_of_lane(source_of(shorts, own, false), 0));
    // An operand may have been made so where it was read; the compiler takes an exclusive or with the same away.
    CHECK_THAT(source_of(shorts, own, true), ContainsSubstring("(word) |= upsweep_nothing;"));
}

TEST_CASE("operands that integers stand for are a lane's own, and once", "[unit]") {
    const detail::packed_text packed = detail::pack_values(bytes, own);
    CHECK(are_of_lane(packed.op.helpers, 2));
    CHECK(are_of_lane(detail::pack_values({"ushort4", {}, 8}, own).op.helpers, 2));
    CHECK(are_of_lane(detail::pack_values(floats, own).op.helpers, 0));
    CHECK(packed.op.traits.hides_members);
    CHECK(packed.op.traits.divides_words);
    CHECK_FALSE(detail::pack_values(floats, own).op.traits.divides_words);
    const std::string source = source_of(packed.type, packed.op, true);
    CHECK(source.find("OF_LANE(first.words[0])") == source.rfind("OF_LANE(first.words[0])"));
}

TEST_CASE("operands in segments are a lane's own", "[unit]") {
    const auto helpers_of = [](const type_text& value, const operator_text& op, bool has_ptx) {
        return detail::segmented_operator(detail::flagged_of(value, 4, false, has_ptx), value, op, false, false)
            .helpers;
    };
    CHECK(are_of_lane(helpers_of(bytes, own, true), 2));
    CHECK(are_of_lane(helpers_of({"uint", {}, 4}, of_halves, true), 1));
    CHECK(are_of_lane(helpers_of(floats, own, true), 0));
    CHECK(are_of_lane(helpers_of(bytes, own, false), 0));
    CHECK_THAT(helpers_of(shorts, own, true), ContainsSubstring("UPSWEEP_OF_LANE(upsweep_both.words[1])"));
}

TEST_CASE("kernels read values that share words as words", "[unit]") {
    for (const type_text& value : {shorts, bytes, type_text{"short", {}, 2}, type_text{"half4", {}, 8}})
        CHECK_THAT(source_of(value, own, true), ContainsSubstring("#define UPSWEEP_SHARES_WORDS 1\n"));
    const detail::packed_text packed = detail::pack_values(bytes, own);
    CHECK_THAT(source_of(packed.type, packed.op, true), ContainsSubstring("#define UPSWEEP_SHARES_WORDS 1\n"));
    CHECK_THAT(source_of({"uint", {}, 4}, of_halves, true), ContainsSubstring("#define UPSWEEP_SHARES_WORDS 1\n"));
    for (const type_text& value : {floats, type_text{"uint", {}, 4}})
        CHECK_THAT(source_of(value, own, true), ContainsSubstring("#define UPSWEEP_SHARES_WORDS 0\n"));
    CHECK_THAT(source_of(shorts, own, false), ContainsSubstring("#define UPSWEEP_SHARES_WORDS 0\n"));
}

TEST_CASE("operands are a lane's own as they are where sub-groups scan arrays", "[unit]") {
    upsweep::tuning t;
    t.ptx = 1;
    t.algorithm = upsweep::tile_algorithm::sub_group;
    t.lanes = detail::lanes_backend::ptx;
    detail::program_text text{shorts, shorts, own};
    const auto makes_own = [&](detail::family kind) {
        const std::string source = detail::build_source(text, t, kind, false);
        CHECK(are_of_lane(source, 2));
        return source.find("#define UPSWEEP_OPERAND_OF_LANE(word) UPSWEEP_OF_LANE(word)\n") != std::string::npos;
    };
    CHECK_FALSE(makes_own(detail::family::look_back));
    CHECK(makes_own(detail::family::reduce));
    text.hooks.load = "#define UPSWEEP_LOAD(in, i) one_value(in)\n";
    CHECK(makes_own(detail::family::look_back));
    text.hooks.load.clear();
    t.algorithm = upsweep::tile_algorithm::blelloch;
    CHECK(makes_own(detail::family::look_back));
}

TEST_CASE("a self-check's structs are made of numbers as small as the user's", "[unit]") {
    const auto text_of = [](const type_text& value) {
        detail::check_subject s;
        s.own_operator = true;
        s.element = s.value =
            detail::class_with_members({detail::number_kind::other, value.size}, detail::view_of(value));
        s.text.element = s.text.value = value;
        return detail::check_text_of(s, false).value.definition + detail::class_name(s);
    };
    CHECK_THAT(text_of(shorts), ContainsSubstring("ushort words[3]") && ContainsSubstring("6 bytes in parts of 2"));
    CHECK_THAT(text_of(bytes), ContainsSubstring("uchar words[8]") && ContainsSubstring("8 bytes in parts of 1"));
    CHECK_THAT(text_of({"ushort4", {}, 8}), ContainsSubstring("ushort words[4]"));
    CHECK_THAT(text_of(floats), ContainsSubstring("uint words[2]") && !ContainsSubstring("parts"));
}
