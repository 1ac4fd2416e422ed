import base64
import html
import io
import re

import matplotlib.pyplot as plt

# One colour for each role, in formulas, tables and pictures alike. Each can be told from white and
# from black (contrast 4.5 and 3), and no picture leaves it to colour alone to say what is what.
COLOURS = {
    "query": "#1F6FC8",
    "key": "#C4500C",
    "value": "#0B8043",
    "weights": "#8E44C6",
    "context": "#C2257A",
    "residual": "#7A6A4F",
    "mask": "#5F6B7A",
}
INK, PALE, PAPER = "#1F2328", "#D5D9DE", "#FFFFFF"
# For all that has no role: tokens, lengths, curves that race, which their strokes tell apart as well.
TEAL, GREY = NEUTRALS = "#0B6E78", "#6B6B6B"
NEUTRAL_MAP = plt.matplotlib.colors.LinearSegmentedColormap.from_list(
    "neutral", [PAPER, "#86C5CC", TEAL, "#043A40"]
)
SIGNED_MAP = plt.matplotlib.colors.LinearSegmentedColormap.from_list(
    "signed", ["#454545", "#B9B9B9", PAPER, "#86C5CC", TEAL]
)
plt.rcParams.update(
    {
        "axes.edgecolor": PALE,
        "axes.labelcolor": GREY,
        "axes.prop_cycle": plt.cycler(color=[TEAL, GREY]),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "figure.facecolor": PAPER,
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 10,
        "legend.frameon": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "notebook",
        "text.color": INK,
        "xtick.color": PALE,
        "xtick.labelcolor": GREY,
        "ytick.color": PALE,
        "ytick.labelcolor": GREY,
    }
)


COLUMN = 540  # pixels: a picture of this width is whole, and can be read, on a phone too
LARGER, SMALLER = 1.35, 0.64  # a picture's size, where there is room and where there is little
# Where the notebook is dark, so is the paper: light and dark change places, and hues stay. These are
# the marks of JupyterLab and nbconvert, of VS Code, and of Colab; elsewhere the paper stays white.
AT_NIGHT = (
    "<style>:is([data-jp-theme-light=false],.vscode-dark,[theme=dark]) .on-paper"
    "{filter:invert(1) hue-rotate(180deg);mix-blend-mode:screen!important}</style>"
)
# A shadow at each edge where a picture goes on; a strip of paper that moves along with it hides the
# shadow where it doesn't.
GOES_ON = ",".join(
    f"linear-gradient({turn}deg,{colours}) {edge} 0/{wide}px 100% {moves} no-repeat"
    for colours, wide, moves in (("#FFF 40%,#FFF0", 40, "local"), ("#0005,#0000", 18, "scroll"))
    for turn, edge in ((90, 0), (270, "100%"))
)


def display_svg(svg, alt):
    """Display a picture, at most as wide as the column; `alt` says in words what it shows.

    One that would be too small to be read, on a phone, can be moved sideways: a shadow lies on the
    edge beyond which it goes on.
    """
    width, unit = re.search(r'<svg [^>]*?width="([\d.]+)(pt)?"', svg).groups()
    width = float(width) * (4 / 3 if unit else 1)
    source = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
    style = (
        f"display:block;width:{LARGER * width:.0f}px;min-width:{SMALLER * width:.0f}px;max-width:100%;"
        "height:auto;mix-blend-mode:multiply"
    )
    picture = f'<img alt="{html.escape(alt)}" src="{source}" style="{style}">'
    paper = (
        f"overflow-x:auto;max-width:{LARGER * width:.0f}px;margin:6px 0;clip-path:inset(0 round 6px);"
        f"background:{GOES_ON},{PAPER}"
    )
    shown = f'{AT_NIGHT}<div class="on-paper" style="{paper}">{picture}</div>'
    display({"text/html": shown, "text/plain": alt}, raw=True)


def show(alt):
    """Show the figure that was just drawn; `alt` says in words what it shows."""
    picture = io.StringIO()
    cut = {"bbox_inches": "tight", "pad_inches": 0.04}
    plt.gcf().savefig(picture, format="svg", metadata={"Date": None}, **cut)
    plt.close()
    display_svg(picture.getvalue().replace("'DejaVu Sans'", "system-ui, 'DejaVu Sans'"), alt)


def short(number):
    """Write a number in at most five characters."""
    if number and abs(number) < 0.005:
        return "≈0"
    return f"{number:.0f}" if abs(number) >= 100 or number == round(number) else f"{number:.2f}"[:5]


def tint(colour, share):
    """Return a colour as it looks on paper, where only a share of it is left."""
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - share * (255 - part)):02X}" for part in parts)


def brightness(colour):
    """Return the relative luminance of a colour, from 0 (black) to 1, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def at_night(colour):
    """Return a colour as it looks where the paper is dark (the matrix of hue-rotate is CSS's)."""
    red, green, blue = (255 - int(colour[at : at + 2], 16) for at in (1, 3, 5))
    both = 0.426 * red + 1.43 * green + 0.144 * blue
    turned = both - red, both - green, both - blue
    return "#" + "".join(f"{round(min(max(part, 0), 255)):02X}" for part in turned)


def contrast(one, other):
    """Return the contrast of two colours, from 1 to 21, as WCAG defines it."""
    less, more = sorted((brightness(one) + 0.05, brightness(other) + 0.05))
    return more / less


def ink_on(colour):
    """Return the ink, dark or white, that can be read better on a colour, by day and at night."""

    def worst(ink):
        return min(contrast(ink, colour), contrast(at_night(ink), at_night(colour)))

    return max((INK, PAPER), key=worst)


def draw_look(axes, x, y, share):
    """Draw a line from one token to another, as wide and as dark as the share of attention."""
    axes.plot(
        x,
        y,
        color=COLOURS["weights"],
        alpha=0.15 + 0.85 * share,
        lw=0.5 + 14 * share,
        solid_capstyle="round",
    )


class Drawing:
    """A picture made of boxes, lines and words; lengths are in pixels, y grows downwards."""

    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def box(self, x, y, width, height, colour, *, opacity=1, edge="none", corner=3, hatched=False):
        """Draw a box with its upper left corner at (x, y)."""
        fill = "url(#hatch)" if hatched else colour
        seen = "" if opacity == 1 else f' fill-opacity="{opacity:.3g}"'
        drawn = "" if edge == "none" else f' stroke="{edge}"'
        self.parts.append(
            f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" rx="{corner}" '
            f'fill="{fill}"{seen}{drawn}/>'
        )

    def line(self, *points, colour=INK, width=1.5, opacity=1, dashed=False, arrow=False):
        """Draw a line through points (x, y)."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="4 4"' if dashed else ""
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:.2f}" '
            f'stroke-opacity="{opacity:.3g}" stroke-linecap="round"{dashes}/>'
        )
        if arrow:
            (x0, y0), (x, y) = points[-2:]
            length = max(((x - x0) ** 2 + (y - y0) ** 2) ** 0.5, 1e-9)
            along, size = ((x - x0) / length, (y - y0) / length), 4 + 1.5 * width
            wings = [
                (x - size * (along[0] + side * along[1]), y - size * (along[1] - side * along[0]))
                for side in (0.5, -0.5)
            ]
            self.area((x, y), *wings, colour=colour, opacity=opacity)

    def area(self, *points, colour, opacity=1):
        """Fill the shape whose corners are points (x, y)."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polygon points="{path}" fill="{colour}" fill-opacity="{opacity:.3g}"/>'
        )

    def words(self, x, y, text, *, colour=INK, size=13, bold=False, at="middle", code=False):
        """Write text whose start, middle or end is at x, and its middle height at y."""
        kinds = " ".join(name for name, is_so in (("c", code), ("b", bold)) if is_so)
        kind = f' class="{kinds}"' if kinds else ""
        self.parts.append(
            f'<text x="{x:.4g}" y="{y:.4g}" fill="{colour}" font-size="{size:.3g}" text-anchor="{at}"'
            f"{kind}>{html.escape(str(text))}</text>"
        )

    def slanted(self, x, y, text, *, size=12):
        """Write text that rises to the right from (x, y), above a column."""
        self.parts.append(
            f'<text transform="translate({x:.1f},{y:.1f}) rotate(-50)" fill="{INK}" '
            f'font-size="{size}">{html.escape(str(text))}</text>'
        )

    def grid(self, x, y, matrix, colour, *, cell=34, largest=None, numbers=True, hidden=None):
        """Draw a matrix as cells, the stronger the larger a number is; return its width and height.

        `hidden`, of the same shape, says which cells lie in the shadow of a mask.
        """
        rows = [list(row) for row in matrix]
        largest = largest or max((abs(n) for row in rows for n in row), default=1) or 1
        for i, row in enumerate(rows):
            for j, number in enumerate(row):
                share = min(abs(float(number)) / largest, 1)
                place = (x + j * cell, y + i * cell, cell - 2, cell - 2)
                if hidden is not None and hidden[i][j]:
                    self.box(*place, COLOURS["mask"], hatched=True, edge=COLOURS["mask"])
                    continue
                shade = tint(colour, share)
                self.box(*place, shade, edge=PALE)
                if numbers:
                    at = (place[0] + cell / 2 - 1, place[1] + cell / 2 - 1)
                    written = short(number)
                    size = max(8, cell * (0.34 if len(written) < 4 else 0.31))
                    self.words(*at, written, colour=ink_on(shade), size=size)
        return len(rows[0]) * cell, len(rows) * cell

    def svg(self, inner=None):
        """Return the picture as text."""
        hatch = (
            '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
            'patternTransform="rotate(45)"><rect width="6" height="6" fill="#E9ECEF"/>'
            f'<rect width="2.5" height="6" fill="{COLOURS["mask"]}"/></pattern></defs>'
        )
        style = (
            "<style>text{dominant-baseline:central;font-family:system-ui,sans-serif;white-space:pre}"
            ".b{font-weight:bold}.c{font-family:monospace}</style>"
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}">{style}{hatch}'
            f'<rect width="100%" height="100%" fill="{PAPER}"/>'
            f"{inner or ''.join(self.parts)}</svg>"
        )


def show_drawing(drawing, alt):
    """Show a drawing; `alt` says in words what it shows."""
    display_svg(drawing.svg(), alt)


def show_frames(drawings, alt, seconds=1.2):
    """Show drawings of one size one after the other, three times; the last one stays.

    Readers who asked their system for less motion, and paper, get that one alone.
    """
    # Each is seen a little into the next one's time, so that none is missing, and covers the others.
    n = len(drawings)
    style = (
        f"<style>.f{{visibility:hidden;animation:f {n * seconds:.4f}s step-end 3}}"
        f"@keyframes f{{0%{{visibility:visible}}{100 / n + 0.02:.3f}%{{visibility:hidden}}}}"
        "@media (prefers-reduced-motion:reduce),print{.f{animation:none}}</style>"
    )
    *before, last = ("".join(each.parts) for each in drawings)
    frames = "".join(
        f'<g class="f" style="animation-delay:{i * seconds:.4f}s">'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>{each}</g>'
        for i, each in enumerate(before)
    )
    display_svg(drawings[-1].svg(style + last + frames), alt)


def show_bars_of(numbers, what, *, unit="", say=short, left=None, full=None, first=GREY):
    """Draw a bar for each name in `numbers`: the `first` in grey, to measure the others by.

    `what` is the title; `full` is the number of a bar that fills the row; `say` writes a number.
    """
    left = left or 20 + 7.2 * max(map(len, numbers))
    full, wide, high = full or max(numbers.values()), COLUMN - left - 76, 28
    drawing = Drawing(COLUMN, 38 + high * len(numbers))
    drawing.words(4, 14, what, at="start", bold=True)
    for row, (name, number) in enumerate(numbers.items()):
        y, colour = 36 + high * row, TEAL if row else first
        drawing.words(left - 10, y + 9, name, at="end")
        drawing.box(left, y, wide, 18, PALE, opacity=0.3)
        drawing.box(left, y, max(2 * (number > 0), wide * number / full), 18, colour)
        drawing.words(left + wide + 10, y + 9, f"{say(number)}{unit}", at="start", bold=True)
    told = ", ".join(f"{name} {say(number)}{unit}" for name, number in numbers.items())
    show_drawing(drawing, f"{what}: {told}.")


def show_suspects(panels, *, mask=None):
    """Draw the weights of several functions side by side, and a mask (True = may attend) before them."""
    widths = [*([len(mask[0])] if mask is not None else []), *(len(w[0]) for w in panels.values())]
    cell = min(48, (COLUMN - 6 - 22 * (len(widths) - 1)) // sum(widths))
    rows = max(len(weights) for weights in panels.values())
    drawing, x, told = Drawing(COLUMN, 38 + rows * cell), 4, []
    if mask is not None:
        hidden = [[not seen for seen in row] for row in mask]
        drawing.words(x, 14, "the mask", bold=True, at="start")
        drawing.grid(x, 34, mask, PAPER, cell=cell, numbers=False, hidden=hidden)
        pairs = [(q, k) for q, row in enumerate(hidden) for k, is_so in enumerate(row) if is_so]
        told.append("The mask hides " + ", ".join(f"query {q} key {k}" for q, k in pairs))
        x += len(mask[0]) * cell + 22
    for name, weights in panels.items():
        drawing.words(x, 14, name, bold=True, at="start", size=15)
        drawing.grid(x, 34, weights, COLOURS["weights"], cell=cell, largest=1)
        told.append(f"{name}: " + " | ".join(", ".join(map(short, row)) for row in weights))
        x += len(weights[0]) * cell + 22
    show_drawing(drawing, f"Weights, a row for each query. {'; '.join(told)}.")
