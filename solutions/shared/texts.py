import textwrap


def show_texts(texts):
    """Show texts by name, one below the other, each beside a line of its own."""
    wide = 66  # characters
    lines = {
        name: textwrap.wrap(" ".join(text.split()), wide) or [""] for name, text in texts.items()
    }
    drawing, y = Drawing(COLUMN, sum(42 + 20 * len(each) for each in lines.values()) - 8), 4
    for name, each in lines.items():
        height = 22 + 20 * len(each)
        drawing.box(4, y, 3, height, TEAL, opacity=0.5, corner=1)
        drawing.words(20, y + 9, name, bold=True, size=12, colour=TEAL, at="start")
        for row, line in enumerate(each):
            drawing.words(20, y + 31 + 20 * row, line, at="start", size=14)
        y += height + 20
    show_drawing(drawing, "; ".join(f"Text {name}: {text}" for name, text in texts.items()))
