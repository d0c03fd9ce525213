// SPDX-License-Identifier: MIT
// The hooks of a program's text: what a user wrote in one is named in build logs, with its own lines.
#include "device_fixture.hpp"
#include "support.hpp"

#include <string>
#include <vector>

using namespace fixture;
using upsweep::detail::hook_text;

namespace {

/// An input whose element i is what `body` makes of i.
std::string load_of(const std::string& body) {
    return "typedef ulong upsweep_input;\n"
           "#define UPSWEEP_INPUT_PARAMETERS ulong upsweep_from\n"
           "#define UPSWEEP_INPUT(offset) (upsweep_from + (offset))\n"
           "#define UPSWEEP_INPUT_AT(in, offset) ((in) + (offset))\n"
           "#define UPSWEEP_LOAD(in, i) upsweep_load((in) + (i))\n"
           "upsweep_element upsweep_load(ulong i)\n{\n#line 1 \"load\"\n" +
           body + "\n}\n";
}

/// An output that `body` is asked to write `value` to, as its element i.
std::string store_of(const std::string& body) {
    return "typedef __global upsweep_value* upsweep_output;\n"
           "#define UPSWEEP_OUTPUT_PARAMETERS __global upsweep_value* upsweep_out\n"
           "#define UPSWEEP_OUTPUT(offset) (upsweep_out + (offset))\n"
           "#define UPSWEEP_OUTPUT_AT(out, offset) ((out) + (offset))\n"
           "#define UPSWEEP_STORE(out, i, value) upsweep_store(out, i, value)\n"
           "#define UPSWEEP_STORED(out, i) ((out)[i])\n"
           "#define UPSWEEP_STORE_WIDE(out, i, values) vstore16(values, i, out)\n"
           "void upsweep_store(upsweep_output out, ulong i, upsweep_value value)\n{\n#line 1 \"store\"\n" +
           body + "\n}\n";
}

/// Builds the program of a small scan or reduction of int with these hooks.
void build(const hook_text& hooks, detail::operation what, const upsweep::options& opts) {
    const cl::CommandQueue queue = upsweep::default_queue();
    const detail::queue_facts facts = detail::inspect_queue("f", queue);
    detail::call_types types = detail::types_of<int, int>(upsweep::plus{});
    types.text.hooks = view_of(hooks);
    detail::make_engine("f", facts, what, 1000, types, opts);
}

/// What a look-back of one work-item, tiles and, where there are any, sub-groups are built with.
std::vector<upsweep::options> families() {
    std::vector<upsweep::options> all{upsweep::options{}, small_tiles(upsweep::strategy::reduce_then_scan)};
    if (test::has_lanes()) {
        all.emplace_back();
        all.back().algorithm = upsweep::tile_algorithm::sub_group;
    }
    return all;
}

} // namespace

TEST_CASE("what a user wrote in a hook is named in the build log, with its line", "[errors][hooks]") {
    using detail::operation;
    for (const upsweep::options& opts : families()) {
        for (const operation what : {operation::scan, operation::reduce})
            expect_error("f", "input", "load:2", [&] {
                build({load_of("int x = 1;\nreturn mistake + x;"), ""}, what, opts);
            });
        expect_error("f", "output", "store:3", [&] {
            build({"", store_of("int x = 1;\n\nout[i] = value + mistake;")}, operation::scan, opts);
        });
        CHECK_NOTHROW(build({load_of("int x = 1;\nreturn x;"), store_of("out[i] = value;")}, operation::scan, opts));
    }
}
