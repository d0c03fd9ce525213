// SPDX-License-Identifier: MIT
// Draws a recording as a tree, time running downwards: a box per slot and step, a line from every operand to its
// result.
#pragma once

#include "trace_text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace trace {

/// Slot `to` of a step was made from slot `from` of the step before.
struct edge {
    enum class kind { kept, copied, left_operand, right_operand };

    std::size_t from = 0;
    std::size_t to = 0;
    kind what = kind::kept;
};

namespace drawing {

/// The slot that holds the inputs first .. last, the nearest one to `here` where there are several.
inline std::optional<std::size_t> find_span(const step& in, std::int32_t first, std::int32_t last, std::size_t here) {
    std::optional<std::size_t> best;
    const auto distance = [here](std::size_t i) { return i > here ? i - here : here - i; };
    for (std::size_t i = 0; i < in.slots.size(); ++i) {
        const bool same = in.slots[i].first == first && in.slots[i].last == last;
        if (same && (!best || distance(i) < distance(*best))) best = i;
    }
    return best;
}

/// The two operands of `result`: the slot itself with its neighbour on either side.
inline std::vector<edge> find_operands(const step& before, const slot& result, std::size_t to) {
    const slot& own = before.slots[to];
    const bool own_is_left = own.first == result.first && own.last < result.last;
    const bool own_is_right = own.last == result.last && own.first > result.first;
    if (own.first < 0 || own_is_left == own_is_right) return {};
    const auto other = own_is_left ? find_span(before, own.last + 1, result.last, to)
                                   : find_span(before, result.first, own.first - 1, to);
    if (!other) return {};
    const std::size_t left = own_is_left ? to : *other;
    const std::size_t right = own_is_left ? *other : to;
    return {{left, to, edge::kind::left_operand}, {right, to, edge::kind::right_operand}};
}

} // namespace drawing

/// Where everything in `after` came from. Found from the spans alone: the kernels are not asked.
inline std::vector<edge> edges(const step& before, const step& after) {
    std::vector<edge> all;
    for (std::size_t to = 0; to < after.slots.size(); ++to) {
        const slot& now = after.slots[to];
        if (now == before.slots[to]) {
            all.push_back({to, to, edge::kind::kept});
            continue;
        }
        const std::vector<edge> operands = drawing::find_operands(before, now, to);
        all.insert(all.end(), operands.begin(), operands.end());
        const auto source = drawing::find_span(before, now.first, now.last, to);
        if (operands.empty() && source) all.push_back({*source, to, edge::kind::copied});
    }
    return all;
}

/// How often the operator was applied.
inline std::size_t count_operations(const recording& r) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < r.steps.size(); ++i)
        for (const edge& e : edges(r.steps[i - 1], r.steps[i])) count += e.what == edge::kind::left_operand ? 1 : 0;
    return count;
}

namespace drawing {

// Eight slots are 400 pixels wide, with text of the size of the page's around them.
constexpr std::size_t column = 40, row = 64, box_width = 37, box_height = 32, margin_left = 76, margin_top = 40;
constexpr std::size_t symbol_length = 6; ///< characters that fit a box

inline std::string number(std::size_t x) {
    return std::to_string(x);
}
inline std::size_t middle(std::size_t slot) {
    return margin_left + slot * column + column / 2;
}
inline std::size_t top(std::size_t step) {
    return margin_top + step * row;
}

inline std::string label(std::size_t x, std::size_t y, const std::string& style, const std::string& content) {
    return "<text class=\"" + style + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" + content + "</text>\n";
}

inline std::string line(const edge& e, std::size_t step) {
    const bool operand = e.what == edge::kind::left_operand || e.what == edge::kind::right_operand;
    const char* style = operand ? "operand" : e.what == edge::kind::copied ? "copied" : "kept";
    return std::string("<line class=\"") + style + "\" x1=\"" + number(middle(e.from)) + "\" y1=\"" +
           number(top(step - 1) + box_height) + "\" x2=\"" + number(middle(e.to)) + "\" y2=\"" + number(top(step)) +
           "\"/>\n";
}

inline std::string box(const slot& s, std::size_t column_index, std::size_t step, const std::string& style) {
    const std::size_t x = middle(column_index);
    const std::size_t y = top(step);
    std::string out = "<rect class=\"" + style + "\" x=\"" + number(x - box_width / 2) + "\" y=\"" + number(y) +
                      "\" width=\"" + number(box_width) + "\" height=\"" + number(box_height) + "\" rx=\"4\"/>\n";
    const std::string formula = symbol(s);
    const std::string squeezed = formula.size() > symbol_length
                                     ? "\" textLength=\"" + number(box_width - 3) + "\" lengthAdjust=\"spacingAndGlyphs"
                                     : "";
    out += label(x, y + 13, "formula " + style + squeezed, formula);
    if (s.first >= 0) out += label(x, y + 27, "value " + style, std::to_string(s.value));
    return out;
}

constexpr const char* style_sheet = R"(<style>
text { font-family: -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 11px; text-anchor: middle; }
text.title { font-size: 13px; font-weight: bold; text-anchor: start; }
text.step { text-anchor: start; }
text.plus { font-size: 12px; font-weight: bold; }
line.operand { stroke-width: 1.6; }
line.copied { stroke-dasharray: 4 3; }
text { fill: #1c2733; }
text.value { fill: #57606a; }
text.idle { fill: #818b98; }
text.plus { fill: #ffffff; }
rect.page { fill: #ffffff; }
rect.idle { fill: #f7f9fb; stroke: #d5dde5; }
rect.loaded { fill: #ffffff; stroke: #5b6b7b; }
rect.combined { fill: #dcebfb; stroke: #1f6fbf; }
rect.copied { fill: #fdf1dc; stroke: #c98a1b; }
line.operand { stroke: #1f6fbf; }
line.copied { stroke: #c98a1b; }
line.kept { stroke: #d5dde5; }
circle { fill: #1f6fbf; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
text.value { fill: #9da7b3; }
text.idle { fill: #7d8590; }
text.plus { fill: #0d1117; }
rect.page { fill: #0d1117; }
rect.idle { fill: #151b23; stroke: #30363d; }
rect.loaded { fill: #0d1117; stroke: #8b949e; }
rect.combined { fill: #12304f; stroke: #79c0ff; }
rect.copied { fill: #3a2a0c; stroke: #e3b341; }
line.operand { stroke: #79c0ff; }
line.copied { stroke: #e3b341; }
line.kept { stroke: #30363d; }
circle { fill: #79c0ff; }
}
</style>
)";

/// Lines into one step, its boxes, and a plus where the operator was applied.
inline std::string draw_step(const recording& r, std::size_t i) {
    std::vector<std::string> styles(r.steps[i].slots.size(), i == 0 ? "loaded" : "copied");
    std::string lines;
    std::string pluses;
    const std::vector<edge> all = i == 0 ? std::vector<edge>{} : edges(r.steps[i - 1], r.steps[i]);
    for (const edge::kind layer :
         {edge::kind::kept, edge::kind::copied, edge::kind::left_operand, edge::kind::right_operand}) {
        for (const edge& e : all) {
            if (e.what != layer) continue;
            lines += line(e, i);
            if (layer == edge::kind::kept) styles[e.to] = "idle";
            if (layer != edge::kind::right_operand) continue;
            styles[e.to] = "combined";
            pluses += "<circle cx=\"" + number(middle(e.to)) + "\" cy=\"" + number(top(i) - 4) + "\" r=\"6\"/>\n" +
                      label(middle(e.to), top(i), "plus", "+");
        }
    }
    std::string boxes = label(4, top(i) + 20, "step", r.steps[i].name);
    for (std::size_t j = 0; j < styles.size(); ++j) boxes += box(r.steps[i].slots[j], j, i, styles[j]);
    return lines + boxes + pluses;
}

} // namespace drawing

/// The whole picture, as the text of an SVG file.
inline std::string svg(const recording& r) {
    using drawing::number;
    const std::size_t columns = r.steps.empty() ? 0 : r.steps[0].slots.size();
    const std::string width = number(std::max<std::size_t>(drawing::margin_left + columns * drawing::column + 4, 400));
    const std::string height = number(drawing::top(r.steps.size()) - drawing::row + drawing::box_height + 8);
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                      "\" viewBox=\"0 0 " + width + ' ' + height + "\">\n" + drawing::style_sheet +
                      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
    out += drawing::label(4, 20, "title",
                          std::string(to_string(r.algorithm)) + ", " + "n = " + number(r.input.size()) + ", " +
                              number(count_operations(r)) + " operations");
    for (std::size_t i = 0; i < r.steps.size(); ++i) out += drawing::draw_step(r, i);
    return out + "</svg>\n";
}

} // namespace trace
