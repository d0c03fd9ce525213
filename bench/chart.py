# SPDX-License-Identifier: MIT
"""A line chart as SVG: a quantity against n, n on a logarithmic axis. It is drawn for a width of 400 pixels, where its text
is as large as that around it, and follows the reader's choice of a light or a dark page."""

import math
from xml.sax.saxutils import escape

WIDTH, PLOT_HEIGHT = 400, 210
LEFT, RIGHT, TOP, AXIS = 44, 12, 44, 40
LEGEND_ROW = 17
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

# (on a light page, on a dark one) for each class
COLOURS = {
    "paper": ("#ffffff", "#0d1117"), "ink": ("#24292f", "#e6edf3"), "faint": ("#d8dee4", "#30363d"),
    "red": ("#cf222e", "#ff7b72"), "green": ("#1a7f37", "#56d364"), "grey": ("#57606a", "#8b949e"),
    "brown": ("#9a6700", "#e3b341"), "blue": ("#0969da", "#79c0ff"), "violet": ("#8250df", "#d2a8ff"),
    "pink": ("#bf3989", "#ff9bce"),
}


def style():
    def rules(scheme):
        drawn = [f".{name}{{stroke:{pair[scheme]}}} .fill-{name}{{fill:{pair[scheme]};stroke:none}}"
                 for name, pair in COLOURS.items()]
        return "\n".join([*drawn, f"text{{fill:{COLOURS['ink'][scheme]}}}"])

    return ('<style>text{font-family:-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;font-size:12px}\n'
            f"{rules(0)}\n@media (prefers-color-scheme: dark){{\n{rules(1)}\n}}</style>")


def text(x, y, content, anchor="start", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{escape(content)}</text>'


def line(x1, y1, x2, y2, colour, extra=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{colour}" {extra}/>'


def power(base, exponent):
    return str(base) + str(exponent).translate(SUPERSCRIPT)


def round_step(largest, steps=5):
    """A step of 1, 2 or 5 times a power of ten that divides the axis into about `steps` parts."""
    rough = largest / steps
    magnitude = 10 ** math.floor(math.log10(rough))
    return next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= rough)


class axis:
    """From a value to its part of the axis, 0 to 1; the ticks and their labels."""

    def __init__(self, values, logarithmic):
        self.logarithmic = logarithmic
        if logarithmic:
            self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
            self.ticks = [(10**e, f"{10**e:g}" if -3 <= e <= 3 else power(10, e)) for e in range(self.low, self.high + 1)]
        else:
            step = round_step(max(values) * 1.02)
            self.low, self.high = 0, step * math.ceil(max(values) / step)
            self.ticks = [(step * i, f"{step * i:g}") for i in range(round(self.high / step) + 1)]

    def part(self, value):
        return ((math.log10(value) if self.logarithmic else value) - self.low) / (self.high - self.low)


def draw(path, title, subtitle, y_label, series, logarithmic=False):
    """@param series  [(label, colour, dashes, width, [(n, y)])], the first one drawn on top"""
    exponents = [math.log2(n) for *_, points in series for n, _ in points]
    low, high = min(exponents), max(exponents)
    span = max(high - low, 1)
    ys = axis([y for *_, points in series for _, y in points], logarithmic)
    bottom = TOP + PLOT_HEIGHT
    height = bottom + AXIS + LEGEND_ROW * ((len(series) + 1) // 2) + 6

    def x_of(n):
        return LEFT + (math.log2(n) - low) / span * (WIDTH - LEFT - RIGHT)

    def y_of(value):
        return bottom - ys.part(value) * PLOT_HEIGHT

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
           f'height="{height}" role="img">', f"<title>{escape(title)}, {escape(y_label)}; {escape(subtitle)}</title>",
           style(), f'<rect width="{WIDTH}" height="{height}" class="fill-paper"/>',
           text(8, 18, f"{title}, {y_label}", extra='font-weight="bold"'), text(8, 34, subtitle)]

    for value, label in ys.ticks:
        y = y_of(value)
        out.append(line(LEFT, y, WIDTH - RIGHT, y, "faint"))
        out.append(text(LEFT - 6, y + 4, label, anchor="end"))
    for exponent in range(math.ceil(low), math.floor(high) + 1):
        x = x_of(2**exponent)
        out.append(line(x, bottom, x, bottom + 4, "ink"))
        if (exponent - math.ceil(low)) % 4 == 0:
            out.append(text(x, bottom + 18, power(2, exponent), anchor="middle"))
    out.append(line(LEFT, bottom, WIDTH - RIGHT, bottom, "ink"))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, bottom + 33, "n, elements", anchor="middle"))

    for _, colour, dashes, width, points in reversed(series):
        path_points = " ".join(f"{x_of(n):.1f},{y_of(y):.1f}" for n, y in points)
        dash = f'stroke-dasharray="{dashes}"' if dashes else ""
        out.append(f'<polyline points="{path_points}" fill="none" class="{colour}" stroke-width="{width}" '
                   f'stroke-linejoin="round" {dash}/>')
        out += [f'<circle cx="{x_of(n):.1f}" cy="{y_of(y):.1f}" r="{width:.1f}" class="fill-{colour}"/>'
                for n, y in points]

    for index, (label, colour, dashes, width, _) in enumerate(series):
        x, y = LEFT + index % 2 * 176, bottom + AXIS + 8 + LEGEND_ROW * (index // 2)
        dash = f'stroke-dasharray="{dashes}"' if dashes else ""
        out.append(line(x, y, x + 24, y, colour, f'stroke-width="{width}" {dash}'))
        out.append(text(x + 30, y + 4, label, extra='font-weight="bold"' if width > 2 else ""))
    out.append("</svg>")
    path.write_text("\n".join(out) + "\n", encoding="utf-8")
