# SPDX-License-Identifier: MIT
"""A line chart as SVG: throughput against n, n on a logarithmic axis."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 860, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 210, 64, 56
FONT = 'font-family="Helvetica, Arial, sans-serif"'
INK, FAINT = "#24292f", "#d8dee4"
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def round_step(largest, steps=6):
    """A step of 1, 2 or 5 times a power of ten that divides the axis into about `steps` parts."""
    rough = largest / steps
    magnitude = 10 ** math.floor(math.log10(rough))
    return next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= rough)


def text(x, y, content, size=12, anchor="start", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{INK}" {FONT} {extra}>'
            f"{escape(content)}</text>")


def line(x1, y1, x2, y2, colour, extra=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {extra}/>'


def draw(path, title, subtitle, y_label, series):
    """@param series  [(label, colour, dashes, width, [(n, y)])], the first one drawn on top"""
    exponents = [math.log2(n) for *_, points in series for n, _ in points]
    low, high = min(exponents), max(exponents)
    step = round_step(max(y for *_, points in series for _, y in points) * 1.02)
    top_value = step * math.ceil(max(y for *_, points in series for _, y in points) / step)
    span = max(high - low, 1)

    def x_of(n):
        return LEFT + (math.log2(n) - low) / span * (WIDTH - LEFT - RIGHT)

    def y_of(value):
        return HEIGHT - BOTTOM - value / top_value * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
           f'height="{HEIGHT}" role="img">', f"<title>{escape(title)}, {escape(subtitle)}</title>",
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
           text(LEFT, 26, title, 17, extra='font-weight="bold"'), text(LEFT, 45, subtitle, 12)]

    for i in range(round(top_value / step) + 1):
        y = y_of(i * step)
        out.append(line(LEFT, y, WIDTH - RIGHT, y, FAINT if i else INK))
        out.append(text(LEFT - 8, y + 4, f"{i * step:g}", anchor="end"))
    for exponent in range(math.ceil(low), math.floor(high) + 1):
        x = x_of(2**exponent)
        out.append(line(x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 4, INK))
        if (exponent - math.ceil(low)) % 2 == 0:
            out.append(text(x, HEIGHT - BOTTOM + 20, "2" + str(exponent).translate(SUPERSCRIPT), anchor="middle"))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "n, elements", anchor="middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(text(20, middle, y_label, anchor="middle", extra=f'transform="rotate(-90 20 {middle:.1f})"'))

    for _, colour, dashes, width, points in reversed(series):
        path_points = " ".join(f"{x_of(n):.1f},{y_of(y):.1f}" for n, y in points)
        dash = f'stroke-dasharray="{dashes}"' if dashes else ""
        out.append(f'<polyline points="{path_points}" fill="none" stroke="{colour}" stroke-width="{width}" '
                   f'stroke-linejoin="round" {dash}/>')
        out += [f'<circle cx="{x_of(n):.1f}" cy="{y_of(y):.1f}" r="{width:.1f}" fill="{colour}"/>' for n, y in points]

    for index, (label, colour, dashes, width, _) in enumerate(series):
        x, y = WIDTH - RIGHT + 24, TOP + 14 + 24 * index
        dash = f'stroke-dasharray="{dashes}"' if dashes else ""
        out.append(line(x, y, x + 28, y, colour, f'stroke-width="{width}" {dash}'))
        out.append(text(x + 36, y + 4, label, extra='font-weight="bold"' if width > 2 else ""))
    out.append("</svg>")
    path.write_text("\n".join(out) + "\n", encoding="utf-8")
