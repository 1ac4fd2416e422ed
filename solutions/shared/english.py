import re
import zlib


def english_manual():
    """Return the English of Python's own manual: its paragraphs, one a line, mixed."""
    from pydoc_data.topics import topics

    paragraphs = set()
    for paragraph in (part for topic in topics.values() for part in re.split(r"\n\s*\n", topic)):
        if "::=" in paragraph or re.search(r"^ *>>>|^[+|]", paragraph, re.MULTILINE):
            continue  # grammar, examples, tables
        line = re.sub(r"\[\d+\]|[*\"`_\\]|\.\. ", "", " ".join(paragraph.split()))
        line = line.replace("\u2019", "'").encode("ascii", "ignore").decode()
        letters = sum(letter.isalpha() or letter == " " for letter in line)
        if len(line) > 40 and letters > 0.8 * len(line):
            paragraphs.add(line)
    return "\n".join(sorted(paragraphs, key=lambda line: zlib.crc32(line.encode())))
