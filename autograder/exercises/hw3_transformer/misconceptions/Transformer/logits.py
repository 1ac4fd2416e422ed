"""What learners get wrong in Transformer: logits."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-probabilities",
        description="Returns probabilities (a softmax at the end)",
        message="All the numbers that you return lie between 0 and 1, as probabilities do. The "
        "loss applies a softmax itself, and a softmax of such numbers is nearly flat, so learning "
        "is slow and poor. The exercise asks for the scores *before* a softmax.",
        edits={"return logits": "return torch.softmax(logits, dim=-1)"},
    ),
    Variant(
        tag="transformer-no-logits",
        description="Returns the decoder's vectors, without the last linear layer",
        message="You return d_model numbers for each position. The last box of figure 1 turns the "
        "features of a position into a score for every token of a vocabulary. Which layer of yours "
        "does that, and is it called?",
        edits={"logits = self.to_logits(y)": "logits = y"},
    ),
    Variant(
        tag="transformer-source-vocabulary",
        description="The last layer has the size of the source's vocabulary",
        message="Each position gets as many logits as the vocabulary of the *source* has tokens. "
        "They should say how likely each token is to be written next.",
        edits={"nn.Linear(d_model, tgt_vocab)": "nn.Linear(d_model, src_vocab)"},
    ),
    Variant(
        tag="transformer-larger-vocabulary",
        description="The last layer has the size of the larger vocabulary",
        message="Where the source has more tokens than the target, each position gets a logit for "
        "each token of the *source*. They should say how likely each token is to be written next. "
        "Which of the two sizes does your last matrix have, and does it depend on the other?",
        edits={"nn.Linear(d_model, tgt_vocab)": "nn.Linear(d_model, max(src_vocab, tgt_vocab))"},
    ),
    Variant(
        tag="transformer-one-embedding",
        description="Looks the target up in the source's embedding",
        message="You look up the target's tokens in the embedding of the source. Where the "
        "vocabularies differ, the same number means different words, or none at all. Where does "
        "your model keep the features of the target's tokens?",
        edits={"self.tgt_embedding(tgt)": "self.src_embedding(tgt)"},
    ),
    Variant(
        tag="transformer-tokens-alike",
        description="Two tokens of the target's vocabulary share their features",
        message="Two tokens of the target's vocabulary are one and the same to your model: "
        "whichever of them stands at a place, the logits agree. The vocabulary of the target may "
        "be larger than that of the source, and each of its tokens is a word of its own. What do "
        "you do to a token's number before it is looked up, and how many rows has the table?",
        edits={
            "self.tgt_embedding(tgt)": "self.tgt_embedding(tgt % self.src_embedding.num_embeddings)"
        },
    ),
    *(
        Variant(
            tag=f"transformer-last-position-{name}",
            description="Returns one row of logits a sequence: those of the last position alone",
            message="You return one row of logits for each sequence. For writing, that of the last "
            "position is all one needs; but training predicts at every position at once. How many "
            "rows of logits does a target of t tokens get?",
            edits={"return logits": f"return logits[:, {last}]"},
        )
        for name, last in (("only", "-1"), ("with-an-axis", "-1:"))
    ),
    Variant(
        tag="transformer-tokens-chosen",
        description="Returns the likeliest token of each position instead of its logits",
        message="You return one token for each position: the choice is made, and how likely the "
        "others were is gone. A loss needs all scores, and no gradient passes through a choice. "
        "Whoever writes a text chooses for himself. What do you do to the logits last?",
        edits={"return logits": "return logits.argmax(dim=-1)"},
    ),
    Variant(
        tag="transformer-target-cut",
        description="Cuts the last token off the target: a row of logits too few",
        message="For a target of t tokens you return t − 1 rows of logits, and the last token is "
        "never read: it is cut off inside your model. In training, the loop does that to what it "
        "hands over; and whoever writes a text wants to know what follows its last token. Where in "
        "your `forward` does the target get shorter?",
        edits={
            "y = self.tgt_embedding(tgt)": "tgt = tgt[:, :-1]\n        y = self.tgt_embedding(tgt)"
        },
    ),
    Variant(
        tag="transformer-axes-exchanged",
        description="Returns (batch, tgt_vocab, t), as F.cross_entropy likes it",
        message="Your logits come as (batch, tgt_vocab, t). `F.cross_entropy` may like that, but "
        "everybody else expects the vocabulary on the last axis. Whose business is it to "
        "rearrange them for the loss?",
        edits={"return logits": "return logits.transpose(1, 2)"},
    ),
    Variant(
        tag="transformer-flattened",
        description="Returns (batch · t, tgt_vocab), as F.cross_entropy likes it",
        message="Your logits come in one long list of rows, (batch · t, tgt_vocab). "
        "`F.cross_entropy` may like that, but whoever writes a text looks for the last row of "
        "*each* sequence. Whose business is it to rearrange them for the loss?",
        edits={"return logits": "return logits.reshape(-1, logits.shape[-1])"},
    ),
    Variant(
        tag="transformer-logits-not-negative",
        description="ReLU on the logits: none is negative",
        message="None of your logits is negative. A score far below zero is how a model says that "
        "a token is out of the question; if no score may be below zero, it can't. What is applied "
        "to the result of the last linear layer?",
        edits={"return logits": "return F.relu(logits)"},
    ),
)
