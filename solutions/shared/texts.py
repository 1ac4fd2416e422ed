import html


def show_texts(texts):
    """Show texts by name, one below the other, each beside a line of its own."""
    paragraphs = "".join(
        f'<p style="border-left:3px solid {TEAL};padding-left:14px;margin:14px 4px;max-width:44em">'
        f"<b>{html.escape(name)}</b><br>{html.escape(' '.join(text.split()))}</p>"
        for name, text in texts.items()
    )
    told = "; ".join(f"Text {name}: {text}" for name, text in texts.items())
    display({"text/html": paragraphs, "text/plain": told}, raw=True)
