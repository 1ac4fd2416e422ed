"""A CSV file is read whatever saved it, filled cell by cell, and otherwise stays byte for byte."""

import contextlib
import csv
import io
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.course.saving import save_whole
from autograder.course.sheets import (
    Sheet,
    escaped,
    number_in,
    read_table,
    table_bytes,
    unescaped,
)
from autograder.errors import CourseError

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
HOSTILE = st.builds(
    str.__add__, st.sampled_from(["=", "+", "-", "@", "\t", "\r", " =", "＝"]), TEXT
)


@given(st.lists(st.lists(TEXT, min_size=1, max_size=5), min_size=1), st.sampled_from(",;\t"))
def test_a_table_that_nobody_changes_stays_as_it_is(rows: list[list[str]], delimiter: str) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows([["a", "b"], *rows])
    raw = file.getvalue().encode()
    assert Sheet.parse(raw).to_bytes() == raw


@given(TEXT.filter(str.strip), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_whatever_text_it_is_it_stays_or_is_refused(text: str, encoding: str) -> None:
    raw = text.encode(encoding)
    with contextlib.suppress(CourseError):
        assert Sheet.parse(raw).to_bytes() == raw


def cells_of(raw: bytes) -> Iterator[str]:
    """Whatever any spreadsheet can take for a cell: of any separator, minding quotes or not."""
    text = raw.decode()
    yield from re.split(r"[,;|\t\r\n]", text)
    for separator in ",;|\t":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            yield from row


def is_obeyed(cell: str) -> bool:
    """Whether a spreadsheet calculates a cell; blanks, and what nobody sees, don't stop it."""
    shown = "".join(c for c in cell if unicodedata.category(c) not in ("Cf", "Zl", "Zp"))
    bare = unicodedata.normalize("NFKC", shown).strip(' "\t\r\n\x0b\x0c\x1c\x1d\x1e\x1f\x85')
    is_harmless = bare == "-" or number_in(bare) is not None
    return bare.startswith(("=", "+", "-", "@")) and not is_harmless


NASTY = st.text(st.sampled_from("=+-@＝﹣⁺,;|\t\r\n \"\u200b\xa0'a1."), max_size=9)


@given(st.lists(HOSTILE | NASTY, min_size=2, max_size=3), st.sampled_from(",;\t"))
@example(["Ada;=1+1", "Bo\n=1+1"], ",")
@example(["Ada,=1+1", '"=1+1'], ";")
@example(["a;\u200b\xa0\uff1d1+1", "a|@x"], "\t")
@example(["\r", "-", "=\r"], "\t")
def test_no_cell_that_is_written_is_a_formula_in_any_country(
    texts: list[str], delimiter: str
) -> None:
    sheet = Sheet(delimiter=delimiter)
    row = ["s01", *texts]
    sheet.add_row(row)
    obeyed = [cell for cell in cells_of(sheet.to_bytes()) if is_obeyed(cell)]
    obeyed += [cell for cell in cells_of(table_bytes(row, [row])) if is_obeyed(cell)]
    assert obeyed == []


SPREADSHEET = shutil.which("soffice")


def formulas_in(raw: bytes, separator: str, folder: Path) -> list[str]:
    """What LibreOffice calculates of a CSV file, told to take every cell for what it says."""
    (folder / "table.csv").write_bytes(raw)
    # separator, quotation mark, UTF-8, first row, …, detect numbers, …, evaluate formulas
    options = f"CSV:{ord(separator)},34,76,1,,0,false,true,false,false,false,0,true"
    subprocess.run(
        [str(SPREADSHEET), f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless",
         f"--infilter={options}", "--convert-to", "fods", "--outdir", folder, folder / "table.csv"],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    return re.findall(r'table:formula="([^"]*)"', (folder / "table.fods").read_text("utf-8"))


@pytest.mark.skipif(SPREADSHEET is None, reason="LibreOffice isn't installed")
@pytest.mark.parametrize("separator", ",;\t")
def test_libreoffice_calculates_nothing_that_is_written(tmp_path: Path, separator: str) -> None:
    starts = [*"=+-@\t", " =", "\u200b=", "＝", '"=', '";=', *(f"x{end}=" for end in ",;\t\n\r")]
    texts = [f"{start}1+1{end}" for start in starts for end in ("", ",x", ";x", "\tx", '"', '"";')]
    assert formulas_in(b"x\n=1+1\n", separator, tmp_path) == ["of:=1+1"]
    raw = table_bytes(["who", "says"], [["s01", text] for text in texts])
    assert formulas_in(raw, separator, tmp_path) == []


@given(HOSTILE | NASTY.filter(lambda text: "'" not in text))
def test_what_was_escaped_is_read_as_it_was(hostile: str) -> None:
    assert unescaped(escaped(hostile)).strip() == hostile.strip()


@pytest.mark.parametrize("text", ["-3", "+5,5", "-", "3 = 4", "O'Neil, Ann", "a-b", "x@y"])
def test_numbers_names_and_emails_stay_as_they_are(text: str) -> None:
    assert escaped(text) == text


def test_a_cell_keeps_its_quotation_marks_and_the_others_keep_everything() -> None:
    raw = b'\xef\xbb\xbf"a" ,b\r\n"",1.0\r\n  x,"O""Brien, Ada"'
    sheet = Sheet.parse(raw)
    sheet.put(1, 0, "7")
    sheet.put(2, 0, "8.5")
    assert sheet.to_bytes() == b'\xef\xbb\xbf"a" ,b\r\n"7",1.0\r\n8.5,"O""Brien, Ada"'
    assert sheet.value(2, 1) == 'O"Brien, Ada'


def test_lines_of_a_new_table_end_as_those_of_other_files_here_do() -> None:
    assert table_bytes(["who"], [["ada"], ["bo"]]) == b"who\nada\nbo\n"


def test_a_text_that_would_break_the_table_is_quoted() -> None:
    sheet = Sheet.parse(b"a;b\n1;\n")
    sheet.put(1, 1, 'one; "two"\nthree')
    assert sheet.to_bytes() == b'a;b\n1;"one; ""two""\nthree"\n'


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \r\n", "is empty"),
        (b'a,b\n"c,d\n', "row 2: a quotation mark is never closed"),
        (b"PK\x03\x04\0\0", "can't be read as CSV"),
        (b"\xff\xfea", "can't be read as CSV"),
    ],
)
def test_what_is_no_table_is_refused_in_a_sentence(raw: bytes, said: str) -> None:
    with pytest.raises(CourseError, match=said):
        Sheet.parse(raw)


def test_a_text_beyond_the_files_own_encoding_is_not_lost() -> None:
    sheet = Sheet.parse("Ä,b\n1,\n".encode("cp1252"))
    sheet.put(1, 1, "梅")
    assert sheet.to_bytes() == "Ä,b\n1,梅\n".encode("utf-8-sig")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_table_is_read_whatever_saved_it(tmp_path: Path, encoding: str, delimiter: str) -> None:
    path = tmp_path / "table.csv"
    text = f'name{delimiter} note\r\nÖzlem{delimiter}"1, 2; 3\t""4""\n5"\r\n{delimiter}\r\n'
    path.write_bytes(text.encode(encoding))
    table = read_table(path)

    assert table == [{"name": "Özlem", "note": '1, 2; 3\t"4"\n5'}]


def test_a_file_is_written_through_no_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("untouched")
    (tmp_path / "link.csv").symlink_to(tmp_path / "elsewhere")
    save_whole(b"new", tmp_path / "link.csv")
    assert (tmp_path / "elsewhere").read_text() == "untouched"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "link.csv"]
