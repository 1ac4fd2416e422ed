"""What learners get wrong in positional_encoding: lengths of their own, and lost axes."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    *(
        Variant(
            tag=f"positions-always-{rows}-rows",
            description=f"Returns {rows} rows, whatever seq_len is",
            message=f"Your table has {rows} rows, however many positions are asked for. A model "
            "may keep a long table and cut it, but this function is asked for a certain length. "
            "One of its arguments has no say in that.",
            edits={"    position =": f"    seq_len = {rows}\n    position ="},
        )
        for rows in (64, 512, 1000, 5000)
    ),
    *(
        Variant(
            tag=f"positions-at-most-{rows}-rows",
            description=f"Makes {rows} rows and cuts them to seq_len",
            message=f"Short tables are right, but yours never has more than {rows} rows, however "
            "many positions are asked for. Where does that number come from, and which one should "
            "stand there?",
            edits={"return table": f"return table[:{rows}]"},
        )
        for rows in (512, 1000, 5000)
    ),
    Variant(
        tag="positions-squeezed",
        description="Squeezes the table: axes of length 1 are lost",
        message="A table of one position, or of one column, loses an axis in your code. "
        "`squeeze()` without a number removes every axis of length 1, and here an axis may well "
        "have that length. Which axis did you mean?",
        edits={"return table": "return table.squeeze()"},
    ),
)
