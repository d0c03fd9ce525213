// SPDX-License-Identifier: MIT
// Text that would reach beyond its own place in the program, by accident or on purpose: an error before anything is
// built. And text that only looks like it, which must work.
#include "device_fixture.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace fixture;
using Catch::Matchers::ContainsSubstring;

namespace {

struct never_closed {
    float a;
};
struct closed_twice {
    float a;
};
struct in_a_comment {
    float a;
};
struct joined {
    float a;
};
struct swallowing {
    float a;
};
struct with_comments {
    float a;
};

constexpr std::size_t megabyte = 1 << 20;

} // namespace

template <>
struct upsweep::type<never_closed> {
    static constexpr const char* name = "never_closed";
    static constexpr const char* definition = "typedef struct {\n  float a; never_closed;";
};
template <>
struct upsweep::type<closed_twice> {
    static constexpr const char* name = "closed_twice";
    static constexpr const char* definition = "typedef struct { float a; } closed_twice; }";
};
template <>
struct upsweep::type<in_a_comment> {
    static constexpr const char* name = "in_a_comment";
    static constexpr const char* definition = "typedef struct { float a; } in_a_comment; /* the end";
};
template <>
struct upsweep::type<joined> {
    static constexpr const char* name = "joined";
    static constexpr const char* definition = "typedef struct { float a; } joined; // \\";
};
template <>
struct upsweep::type<swallowing> {
    static constexpr const char* name = "swallowing";
    static constexpr const char* definition = "typedef struct { float a; } swallowing;\n#define UPSWEEP_ITEMS 1";
};
template <>
struct upsweep::type<with_comments> {
    static constexpr const char* name = "with_comments";
    static constexpr const char* definition = "typedef struct { float a; /* } */ } with_comments; // { \" '";
};

namespace {

/// The error for an operator on int, and that nothing was built for it.
void rejects_text(const std::string& body, const std::string& helpers, const std::string& phrase) {
    CAPTURE(body.substr(0, 200), helpers.substr(0, 200));
    const cl::CommandQueue queue = upsweep::default_queue();
    const auto op = upsweep::make_operator<int>(body, helpers);
    const std::vector<int> in{1, 2, 3};
    std::vector<int> out(3);
    const auto expect = [&](const char* function, const auto& call) {
        try {
            call();
            FAIL_CHECK("no error of " << function);
        } catch (const upsweep::error& e) {
            CHECK(e.function() == function);
            CHECK(e.argument() == "operator");
            CHECK(e.status() == 0); // no OpenCL call was involved, so no build
            CHECK_THAT(e.cause(), ContainsSubstring(phrase));
        }
    };
    expect("inclusive_scan", [&] { upsweep::inclusive_scan(queue, in.begin(), in.end(), out.begin(), op); });
    expect("reduce", [&] { upsweep::reduce(queue, in.begin(), in.end(), 0, op); });
    expect("scan_plan", [&] { upsweep::scan_plan<int, int, upsweep::custom_operator<int>>(queue, 3, op); });
}

template <class T>
void rejects_type(const std::string& phrase) {
    expect_error("scan_plan", std::string("type ") + upsweep::type<T>::name, phrase, [] {
        upsweep::scan_plan<T, T, upsweep::custom_operator<T>>(upsweep::default_queue(), 3,
                                                              upsweep::make_operator<T>("return left;"));
    });
}

void sums(const std::string& body, const std::string& helpers = {}) {
    CAPTURE(body.substr(0, 200), helpers.substr(0, 200));
    const std::vector<int> in{1, 2, 3, 4};
    CHECK(upsweep::reduce(upsweep::default_queue(), in.begin(), in.end(), 0,
                          upsweep::make_operator<int>(body, helpers)) == 10);
}

const std::string sum_text = "return left + right;";

} // namespace

TEST_CASE("brackets that do not match are rejected with their line", "[errors]") {
    rejects_text("{ " + sum_text, "", "operator: line 1: '{' is never closed");
    rejects_text("if (left < right) {\n  return left;\n" + sum_text, "", "line 1: '{' is never closed");
    rejects_text(sum_text + "\n}\nint another(int a)\n{ return a;", "", "line 2: '}' closes nothing");
    rejects_text("\nreturn (left + right;", "", "line 2: '(' is never closed");
    rejects_text("return left + right);", "", "')' closes nothing");
    rejects_text("int a[2};\n" + sum_text, "", "line 1: '}' closes '[' of line 1");
    rejects_text("return (left +\nright];", "", "line 2: ']' closes '(' of line 1");
    rejects_text(sum_text, "int f(int a) {\n  return a;\n", "helpers: line 1: '{' is never closed");
    rejects_text(sum_text, "int f(int a) { return a; } }", "helpers: line 1: '}' closes nothing");
    rejects_type<never_closed>("type: line 1: '{' is never closed");
    rejects_type<closed_twice>("type: line 1: '}' closes nothing");
}

TEST_CASE("comments and literals without an end are rejected", "[errors]") {
    rejects_text(sum_text + " /* the sum", "", "line 1: a comment never ends");
    rejects_text(sum_text + "\n/* one */ /* two\n\n", "", "line 2: a comment never ends");
    rejects_text(sum_text + "/*/", "", "a comment never ends");
    rejects_text(sum_text, "/* no helpers", "helpers: line 1: a comment never ends");
    rejects_text("printf(\"sum);\n" + sum_text, "", "line 1: a string or character literal never ends");
    rejects_text("int c = ';\n" + sum_text, "", "line 1: a string or character literal never ends");
    rejects_text("printf(\"\\\");\n" + sum_text, "", "a string or character literal never ends");
    rejects_type<in_a_comment>("type: line 1: a comment never ends");
}

TEST_CASE("a backslash at the end is rejected", "[errors]") {
    const std::string cause = "ends in a backslash";
    rejects_text(sum_text + "\\", "", cause);
    rejects_text(sum_text + " // the sum \\", "", cause);
    for (const char* blanks : {" \t", "\f", "\v", "\r", " \v\f\r"})
        rejects_text(sum_text + " // the sum \\" + blanks, "", cause);
    rejects_text(sum_text, "// none \\", cause);
    rejects_type<joined>(cause);
}

TEST_CASE("lines end with CR, with LF, or with both", "[errors]") {
    for (const std::string end : {"\r", "\n", "\r\n"}) {
        CAPTURE(end.size(), end[0] == '\r');
        sums("// sum" + end + "return left + right;" + end);
        sums("#define SUM(a, b) \\" + end + " ((a) + \\ \t\f\v" + end + " (b)) // don't" + end +
             "return SUM(left, right);");
        sums("// don't \\" + end + "can't { \\ " + end + "won't" + end + sum_text);
        sums("#if 0" + end + "don't {" + end + "#else" + end + sum_text + end + "#endif");
        rejects_text("// sum" + end + end + "return (left + right;" + end, "", "line 3: '(' is never closed");
        rejects_text("// sum" + end + "#if 1" + end + sum_text, "", "line 2: a conditional has no #endif");
        rejects_text("int c = ';" + end + "c = ';" + end + sum_text, "", "line 1: a string or character literal");
        rejects_text("// sum" + end + "#define local_id 0" + end + sum_text, "", "line 2: #define of local_id");
        rejects_text("// sum \\" + end + sum_text, "", "no return statement");
        const cl::CommandQueue queue = upsweep::default_queue();
        const guarded_array<int> in(queue, std::vector<int>{1, 2, 3, 4});
        CHECK(upsweep::reduce(queue, upsweep::transform<int>("// twice" + end + "a * 2" + end, in.input()), 0) == 20);
    }
}

TEST_CASE("directives that reach beyond the text are rejected", "[errors]") {
    rejects_text("#if 0\n" + sum_text, "", "line 1: a conditional has no #endif");
    rejects_text(sum_text + "\n#ifdef NEVER", "", "line 2: a conditional has no #endif");
    rejects_text(sum_text + "\n # /* so */ ifndef NEVER", "", "line 2: a conditional has no #endif");
    rejects_text("#if 1\n#if 1\n#endif\n" + sum_text, "", "line 1: a conditional has no #endif");
    rejects_text("#i\\\nf 0\n" + sum_text, "", "line 1: a conditional has no #endif");
    rejects_text(sum_text + "\n#endif", "", "line 2: #endif without #if");
    rejects_text("#else\n" + sum_text, "", "line 1: #else without #if");
    rejects_text(sum_text, "#if 0", "helpers: line 1: a conditional has no #endif");
    rejects_text("#define upsweep_combine other\n" + sum_text, "", "line 1: #define of upsweep_combine");
    rejects_text("#define UPSWEEP_ANYTHING 3\n" + sum_text, "", "#define of UPSWEEP_ANYTHING");
    rejects_text(sum_text, "#undef UPSWEEP_ITEMS", "helpers: line 1: #undef of UPSWEEP_ITEMS");
    // Words that the kernels use, be they the language's or their own.
    rejects_text("#define barrier(x)\n" + sum_text, "", "line 1: #define of barrier, a word of the library's kernels");
    rejects_text("#define local_id 0\n" + sum_text, "", "#define of local_id");
    rejects_text(sum_text, "#define if(x) while(x)", "#define of if");
    rejects_type<swallowing>("type: line 2: #define of UPSWEEP_ITEMS");
}

TEST_CASE("directives and brackets in other spellings are seen, too", "[errors]") {
    rejects_text("%:define UPSWEEP_ITEMS 1\n" + sum_text, "", "line 1: #define of UPSWEEP_ITEMS");
    rejects_text("%\\\n:if 0\n" + sum_text, "", "line 1: a conditional has no #endif");
    rejects_text(sum_text + " %> int another(int a) <% return a;", "", "'}' closes nothing");
    rejects_text("int a<:2>;\n" + sum_text, "", "line 1: '[' is never closed");
    rejects_text("?\?=define UPSWEEP_ITEMS 1\n" + sum_text, "", "trigraph");
    rejects_text(sum_text + " // the sum ?\?/", "", "trigraph");
    sums("int a<:1:> = <%0%>; /* %> */ return left + right + a<:0:>; // <%");
}

TEST_CASE("barriers and other calls that work-items make together are rejected", "[errors]") {
    rejects_text("barrier(CLK_LOCAL_MEM_FENCE);\n" + sum_text, "", "line 1: barrier: work-items do not run the text");
    rejects_text("if (left > 3)\n  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n" + sum_text, "", "line 2: work_group_b");
    rejects_text("#define MEET sub_group_barrier(0)\nMEET;\n" + sum_text, "", "line 1: sub_group_barrier");
    rejects_text(sum_text, "void meet(void) { barrier(0); }", "helpers: line 1: barrier");
    rejects_text("return work_group_reduce_add(left + right);", "", "line 1: work_group_reduce_add: work-items do not");
    rejects_text(sum_text, "int f(int a) {\n return sub_group_broadcast (a, 0); }",
                 "helpers: line 2: sub_group_broadcast");
    sums("/* barrier(0); */ int my_barrier = 0; // barrier\nreturn left + right + my_barrier;");
    sums("int work_group_count = 0, barriers = (0);\nreturn left + right + work_group_count + barriers;");
}

TEST_CASE("characters that no text has are rejected", "[errors]") {
    rejects_text(sum_text + std::string(1, '\0'), "", "null character");
    rejects_text("// \1\n" + sum_text, "", "control character");
    rejects_text(sum_text, "\x1b", "control character");
}

TEST_CASE("text that only looks unbalanced works", "[errors]") {
    sums("/* { ( [ */ return left + right; // } ) ] \" '");
    sums("int c = '{' - '{' + '\"' - '\"' + '\\'' - '\\''; return left + right + c;");
    sums("// don't\nreturn left + right; // \"");
    sums("int s = left; s += \\\n right; return s;");
    sums("#define ADD(a, b) ((a) + (b))\nreturn ADD(left, right);");
    sums("#define OPEN {\nif (left > -1) OPEN left += 0; }\n" + sum_text);
    sums("#if 0\nthis isn't code: } ) \"\n#elif 1\nleft += 0;\n#else\n{\n#endif\n" + sum_text);
    sums("#ifdef NEVER\nif (left > 0) {\n#else\nif (left >= 0) {\n#endif\nleft += 0; }\n" + sum_text);
    sums("#ifndef MY_GUARD\n#define MY_GUARD\n#endif\n" + sum_text, "#pragma OPENCL FP_CONTRACT OFF\n\n");
    sums("return twice(left) + right - left;", "int twice(int a)\n{\n  return (a + a); /* } */\n}");
    sums(sum_text + "\r\n\t");
    const std::vector<with_comments> in{{1}, {2}};
    CHECK(upsweep::reduce(upsweep::default_queue(), in.begin(), in.end(), upsweep::no_init,
                          upsweep::make_operator<with_comments>("left.a += right.a; return left;"))
              .a == 3);
}

TEST_CASE("a megabyte of text is taken, or rejected as any other", "[errors]") {
    sums("/*" + std::string(megabyte, 'x') + "*/" + sum_text);
    sums(std::string(megabyte, '\n') + sum_text, "//" + std::string(megabyte, '{'));
    std::string statements;
    while (statements.size() < megabyte / 16) statements += "left += 1; left -= 1;\n";
    sums(statements + sum_text);
    rejects_text(std::string(megabyte, '('), "", "more than 256 deep");
    rejects_text(sum_text + std::string(megabyte, '}'), "", "'}' closes nothing");
    rejects_text("/*" + std::string(megabyte, 'x') + sum_text, "", "a comment never ends");
    std::string conditions;
    while (conditions.size() < megabyte) conditions += "#if 1\n{\n";
    rejects_text(conditions + sum_text, "", "a conditional has no #endif");
    const std::string opening(megabyte / 2, '(');
    rejects_text("return " + opening + "left + right" + std::string(megabyte / 2, ')') + ";", "", "more than 256 deep");
}

TEST_CASE("brackets nest as deep as compilers go", "[errors]") {
    const auto nested = [](std::size_t depth) {
        return "return " + std::string(depth, '(') + "left + right" + std::string(depth, ')') + ";";
    };
    sums(nested(200));
    rejects_text(nested(257), "", "brackets nest more than 256 deep");
    rejects_text(sum_text, std::string(200, '{') + std::string(57, '['), "brackets nest more than 256 deep");
    rejects_text(std::string(256, '('), "", "is never closed");
}
