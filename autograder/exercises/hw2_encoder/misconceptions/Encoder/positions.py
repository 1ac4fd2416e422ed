"""What learners get wrong in Encoder: positions."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import POSITIONS
from .scale import SUM

MISCONCEPTIONS = (
    Variant(
        tag="encoder-no-positions",
        description="Adds no positional encoding",
        message="Nothing tells your encoder where a token stands: *dog bites man* and *man bites "
        "dog* are all the same to it. Attention sees which tokens there are, not their order. An "
        "earlier exercise of yours can say where a token stands.",
        edits={f"x + {POSITIONS}": "x"},
    ),
    Variant(
        tag="encoder-positions-twice",
        description="Adds the positional encoding twice",
        message="The positions count double in your sum, as if they were added in two places. "
        "Follow x from the embedding to the first layer: where does a position come in?",
        edits={f"x + {POSITIONS}": f"x + 2 * {POSITIONS}"},
    ),
    Variant(
        tag="encoder-positions-over-the-batch",
        description="Positions along the batch: all tokens of a sentence get the same",
        message="All tokens of a sentence get the same position in your encoder, and each sentence "
        "another one: the table runs along the batch. Which axis of (batch, seq, d_model) says "
        "where a token stands?",
        edits={POSITIONS: "positional_encoding(batch, self.d_model).unsqueeze(1)"},
    ),
    Variant(
        tag="encoder-table-over-the-batch",
        description="Lays the first rows of a table for max_len along the batch",
        message="All tokens of a sentence get the same position in your encoder, and each sentence "
        "another one: the rows that you cut from the table lie along the batch. Which axis of "
        "(batch, seq, d_model) says where a token stands?",
        edits={
            POSITIONS: "positional_encoding(self.max_len, self.d_model)[:batch].unsqueeze(1)",
        },
    ),
    Variant(
        tag="encoder-positions-of-the-words",
        description="Looks positions up by the tokens' numbers",
        message="You look up positions by the numbers of the tokens, so a word gets the same row "
        "of the table wherever it stands, and its place in the sentence is lost. What should "
        "choose the row: which token it is, or where it stands?",
        edits={
            POSITIONS: "positional_encoding(self.embedding.num_embeddings, self.d_model)[tokens]"
        },
    ),
    Variant(
        tag="encoder-positions-from-one",
        description="Takes the rows of the table from 1 on",
        message="Your first token gets the second row of the table, and so on. Positions count "
        "from 0 here as well. Where does your slice of the table begin?",
        edits={POSITIONS: "positional_encoding(seq + 1, self.d_model)[1:]"},
    ),
    Variant(
        tag="encoder-positions-from-two",
        description="Takes the rows of the table from 2 on, as if padding came first",
        message="Your first token gets the third row of the table, and so on, as in models that "
        "keep the first numbers for padding. Positions count from 0 here as well. Where does your "
        "slice of the table begin?",
        edits={POSITIONS: "positional_encoding(seq + 2, self.d_model)[2:]"},
    ),
    Variant(
        tag="encoder-positions-in-every-layer",
        description="Adds the positional encoding again before every layer",
        message="You add the positions anew before every layer. They need to be told only once: "
        "the residuals carry them on. The paper's figure 1 shows where they come in.",
        edits={f"x + {POSITIONS}": "x", "layer(x, key": f"layer(x + {POSITIONS}, key"},
    ),
    Variant(
        tag="encoder-positions-alone",
        description="Takes the positions alone: the embeddings are lost",
        message="The tokens play no part in your encoder: the positions are put in the place of "
        "the embeddings, where they should be added to them. Which sign is missing?",
        edits={
            "x = x + positional_encoding(seq, self.d_model)": (
                "x = positional_encoding(seq, self.d_model).expand(batch, -1, -1)"
            )
        },
    ),
    Variant(
        tag="encoder-positions-multiplied",
        description="Multiplies the embeddings by the positions",
        message="You multiply the embeddings by the positions, so wherever a sine is 0 a feature "
        "is lost. Step 1 of the exercise does something else with the two.",
        edits={
            "x + positional_encoding(seq, self.d_model)": (
                "x * positional_encoding(seq, self.d_model)"
            )
        },
    ),
    Variant(
        tag="encoder-positions-side-by-side",
        description="Puts positions beside the embeddings: twice as many features",
        message="You put the positions beside the embeddings, so twice as many features go into "
        "the layers as they expect. Two vectors of the same size can also be made one of that "
        "size.",
        edits={
            "x + positional_encoding(seq, self.d_model)": (
                "torch.cat([x, positional_encoding(seq, self.d_model).expand(batch, -1, "
                "-1)], dim=-1)"
            )
        },
    ),
    Variant(
        tag="encoder-positions-in-place-of-half",
        description="Puts positions in the place of half the features",
        message="Half of each embedding gives way to positions, so half of what a token means is "
        "lost. Two vectors of the same size can be made one without losing any feature.",
        edits={
            "x = x + positional_encoding(seq, self.d_model)": (
                "half = self.d_model // 2\n"
                "        positions = positional_encoding(seq, self.d_model).expand(batch, "
                "-1, -1)\n"
                "        x = torch.cat([x[..., :half], positions[..., half:]], dim=-1)"
            )
        },
    ),
    Variant(
        tag="encoder-positions-twice-over",
        description="Adds the positions before the layers and before every layer again",
        message="You add the positions before the layers, and then before every layer once more. "
        "They need to be told only once: the residuals carry them on. The paper's figure 1 shows "
        "where they come in.",
        edits={"layer(x, key": "layer(x + positional_encoding(seq, self.d_model), key"},
    ),
    Variant(
        tag="encoder-positions-after-the-layers",
        description="Adds the positions after the layers",
        message="You add the positions at the end, when all layers have had their turn: while the "
        "tokens attended, nobody knew where they stood. The paper's figure 1 shows where they come "
        "in.",
        edits={
            "x + positional_encoding(seq, self.d_model)": "x",
            "return x": "return x + positional_encoding(seq, self.d_model)",
        },
    ),
    Variant(
        tag="encoder-positions-learned",
        description="Learns the positions (nn.Embedding made after the tokens')",
        message="Your positions are learnt numbers, which begin at random. Some later models do "
        "that; this exercise asks for sines and cosines, which hold for every length and need no "
        "training. You have written a function that makes them.",
        edits={
            "        blocks =": (
                "        self.position = nn.Embedding(max_len, d_model)\n        blocks ="
            ),
            POSITIONS: "self.position(torch.arange(seq))",
        },
    ),
    Variant(
        tag="encoder-positions-learned-made-last",
        description="Learns the positions (nn.Embedding made after the layers)",
        message="Your positions are learnt numbers, which begin at random. Some later models do "
        "that; this exercise asks for sines and cosines, which hold for every length and need no "
        "training. You have written a function that makes them.",
        edits={
            "        self.dropout =": (
                "        self.position = nn.Embedding(max_len, d_model)\n        self.dropout ="
            ),
            POSITIONS: "self.position(torch.arange(seq))",
        },
    ),
    *(
        Variant(
            tag=f"encoder-positions-learned-from-zero{name}",
            description="Learns the positions, from zeros",
            message="Your positions are numbers that are learnt, and begin at 0. Some later models "
            "do that; this exercise asks for sines and cosines, which need no training. You have "
            "written a function that makes them.",
            edits={
                "        blocks =": (
                    f"        self.position = nn.Parameter(torch.zeros({sizes}))\n        blocks ="
                ),
                POSITIONS: f"self.position[{rows}]",
            },
        )
        for name, sizes, rows in (
            ("", "max_len, d_model", ":seq"),
            ("-with-a-batch", "1, max_len, d_model", ":, :seq"),
        )
    ),
    Variant(
        tag="encoder-positions-of-the-end",
        description="Takes the last rows of the table",
        message="Your tokens get the last rows of a table of max_len, so the first token's "
        "position depends on how long the sentence is. Positions count from 0 here as well.",
        edits={POSITIONS: "positional_encoding(self.max_len, self.d_model)[-seq:]"},
    ),
    Variant(
        tag="encoder-one-position-for-all",
        description="Adds a single row of the table to all tokens",
        message="All tokens of a sentence get the same position: you take one row of the table "
        "where you need as many as there are tokens. An index can also say *up to*.",
        edits={POSITIONS: "positional_encoding(seq + 1, self.d_model)[seq]"},
    ),
    Variant(
        tag="encoder-last-position-for-all",
        description="Adds the last token's row to all tokens",
        message="All tokens of a sentence get the last one's position: you take one row of the "
        "table where you need as many as there are tokens. An index can also say *up to*.",
        edits={POSITIONS: "positional_encoding(seq, self.d_model)[seq - 1]"},
    ),
    Variant(
        tag="encoder-tokens-taken-for-positions",
        description="Looks positions up by the tokens",
        message="You look up the position by the *number of the token*, as if each word had a "
        "fixed place in every sentence. A position says where a token stands. Positions are the "
        "same numbers in every sentence, whatever the words.",
        edits={POSITIONS: "positional_encoding(self.max_len, self.d_model)[tokens]"},
    ),
    Variant(
        tag="encoder-whole-table-added",
        description="Adds all max_len rows of the table: the sizes clash",
        message="You add the whole table of max_len rows to a shorter sentence, and the sizes "
        "clash. Each token needs one row. The others have to be left out.",
        edits={POSITIONS: "positional_encoding(self.max_len, self.d_model)"},
    ),
    Variant(
        tag="encoder-positions-cut-by-the-batch",
        description="Takes as many rows as there are sentences: the sizes clash",
        message="You take as many rows of the table as there are *sentences* in the batch, and "
        "the sizes clash. One row belongs to one token. Which size of `tokens` counts those?",
        edits={POSITIONS: "positional_encoding(batch, self.d_model)"},
    ),
    Variant(
        tag="encoder-table-on-its-side",
        description="Makes the table with its two sizes exchanged",
        message="The two sizes of your table have changed places: it has a row for each feature "
        "and a column for each position. In which order does `positional_encoding` take its "
        "arguments?",
        edits={POSITIONS: "positional_encoding(self.d_model, self.max_len)[:seq]"},
    ),
    Variant(
        tag="encoder-positions-skip-the-padding",
        description="Counts positions without padding, so padding in front shifts the others",
        message="You don't count padding when you number the tokens, so with padding in front of "
        "it a token gets another token's position. Step 1 goes by places: row t of the table is "
        "for place t, whatever stands there. What do the positions have to do with the mask?",
        edits={
            f"x + {POSITIONS}": (
                f"x + {POSITIONS}[\n"
                "            torch.arange(seq)\n"
                "            if key_padding_mask is None\n"
                "            else ((~key_padding_mask).cumsum(1) - 1).clamp(min=0)\n"
                "        ]"
            )
        },
    ),
)

EXAMPLES = (SUM,)
