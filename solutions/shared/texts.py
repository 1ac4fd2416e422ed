import textwrap


def show_texts(texts):
    """Show texts by name, each in a box of its own."""
    left = 32 + 11 * max(map(len, texts))
    wide = int((670 - left) / 7.2)  # characters
    lines = {
        name: textwrap.wrap(" ".join(text.split()), wide) or [""] for name, text in texts.items()
    }
    drawing, y = Drawing(690, 10 + sum(20 + 21 * len(each) for each in lines.values())), 8
    for name, each in lines.items():
        height = 12 + 21 * len(each)
        drawing.box(6, y, 678, height, INK, opacity=0.03, edge=PALE)
        drawing.words(18, y + height / 2, name, bold=True, size=17, at="start")
        for row, line in enumerate(each):
            drawing.words(left, y + 17 + 21 * row, line, at="start", size=14)
        y += height + 8
    show_drawing(drawing, "; ".join(f"Text {name}: {text}" for name, text in texts.items()))
