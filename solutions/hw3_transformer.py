# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A Transformer that learns
#
# ![Above stands what a model writes, 7 1 2 0 5 EOS, below what it reads, 5 0 2 1 7. Thick lines lead from each digit to the same one below, and cross in the middle: there it looks.](pictures/hw3_transformer.png)
#
# In homework 2 you built the half that reads. Now comes the **decoder**, the half that writes ([Vaswani et al.
# 2017](https://arxiv.org/abs/1706.03762)). The picture shows where a small Transformer looks while it turns 50217
# into 71205: the thicker the line, the harder it looks there. Nobody told it where. In part 6, *yours* learns to.
#
# COLAB_BADGE

# %% setup="imports"
import math
import time
from collections.abc import Iterable

import torch
from torch import nn, optim
from torch.nn import functional as F

# %% [markdown]
# The next two cells are folded: a small language model, pictures, checks. Run them and go on.

# %% folded="Behind the scenes: a small language model" include="shared/text_model.py, shared/torch_text_model.py, shared/english.py"

# %% folded="Behind the scenes: pictures, checks, lending" include="shared/drawing.py, shared/workbench.py, shared/guesses.py, shared/apart.py, shared/dropout.py, shared/texts.py, backstage/hw3_transformer/pictures.py, backstage/hw3_transformer/writing.py, backstage/hw3_transformer/architecture.py, backstage/hw3_transformer/decoding.py, backstage/hw3_transformer/learning.py, backstage/hw3_transformer/heads.py, backstage/hw3_transformer/copying.py, backstage/hw3_transformer/epilogue.py, backstage/hw3_transformer/lending.py, locked notes"

# %% [markdown]
# ## First, something that writes
#
# A tiny language model came with the first folded cell. It has read nothing but Python's own manual. Give it
# a beginning:

# %%
my_words = "When a class"  # write the beginning of any English sentence

# %%
show_writing(my_words)
print(wrapped(text_model.write_on(my_words, n=60)))

# %% [markdown]
# A manual in a dream. Yet behind each frame are only 512 numbers: how likely each token is to come next (a word or a piece of
# one; `·` is a space, `↵` a new line). One is drawn, and the model is asked again. On the first of two evenings, these same
# weights move into **your** block, and it writes; on the second, your model learns. (It takes three to four hours in all. If
# training loops are new to you, take three evenings, with breaks after parts 2 and 4.)

# %% [markdown]
# <details><summary><b>The plan</b>: what you write, points, and minutes</summary>
#
# | part | you write | points | minutes |
# |---|---|--:|--:|
# | 1 Don't look ahead | `causal_mask` | POINTS_OF_causal_mask | 20 |
# | 2 The decoder block | `DecoderBlock` | POINTS_OF_DecoderBlock | 40 |
# | 3 The Transformer | `Transformer`, in two steps | POINTS_OF_Transformer | 30 |
# | *the second evening* | | | |
# | 4 Writing | `greedy_decode`, in two steps | POINTS_OF_greedy_decode | 30 |
# | 5 Learning | `train` | POINTS_OF_train | 40 |
# | 6, 7 The real thing, and its heads | a short text: what do the heads do? | POINTS_OF_read_the_heads | 50 |
# | Epilogue | what you like | | – |
# | | **in all** | **TOTAL_POINTS** | |
#
# </details>

# %% [markdown]
# <details><summary><b>The rules</b>: what is allowed, AI assistants, packages, handing in, and whom to ask</summary>
#
# | | |
# |:--|:--|
# | **You need** | PyTorch and matplotlib; no graphics card. With `ipywidgets` some pictures get sliders |
# | **Allowed** | ALLOWED_TOOLS |
# | **AI assistants** | AI_POLICY |
# | **You may also import** | MORE_PACKAGES |
# | **Hand in** | HAND_IN |
# | **Stuck?** | WHERE_TO_ASK |
#
# </details>

# %% [markdown] include="shared/how_it_works.md"

# %%
BORROW = False  # True: see pictures now, with PyTorch's layers in place of yours (some need yours)

# %% [markdown]
# ## 1. Don't look ahead
#
# A decoder writes from left to right. While it learns, though, the whole **target**, the text that it should write,
# goes through it **at once**. At *cat* of *the cat sat* it should say *sat*, which stands right beside it. So a mask hides
# from each token whatever follows it (§3.2.3 of the paper).
#
# ### Who wrote without a mask?
#
# The model from the top goes on with your words under three masks; what is hatched is hidden. (It matters in
# writing, too: each step reads all tokens again, and only the last has nothing ahead of it.)

# %%
draw_three_masks()

# %% [markdown]
# **Predict first:** which text was written under which mask?

# %%
show_three_texts(my_words)

# %%
guess_of_the_right_mask = None  # "A", "B" or "C"
guess_of_the_mask_the_wrong_way_round = None

# %% [markdown]
# Your ear has an opinion. Now measure it: how many bits does a token of the manual cost under each mask? (A token that got the share p
# costs −log₂ p bits: few if the model saw it coming, 9 for a mere guess among 512.)

# %% folded="The answer: what each mask costs"
text_of_manual = encoded(english_manual())
bits = {letter: bits_of(under(mask), text_of_manual) for letter, mask in IMPOSTORS.items()}
costs_least, costs_most = min(bits, key=bits.get), max(bits, key=bits.get)
compare("The right mask is that of text", costs_least, guess_of_the_right_mask, among=bits)
compare("The wrong way round is", costs_most, guess_of_the_mask_the_wrong_way_round, among=bits)
if None not in (guess_of_the_right_mask, guess_of_the_mask_the_wrong_way_round):
    by_text = {f"text {letter}": number for letter, number in bits.items()}
    show_bars_of(by_text, "Bits a token", left=90, first=TEAL)

# %% [markdown]
# <details><summary><b>After the run:</b> what doesn't your ear hear?</summary>
#
# The wrong way round, the model sees nothing but its last token, and babbles. Without a mask its text often sounds as good
# as with the right one: the answer comes from the last token, which has nothing ahead. The bits are measured at every token of
# a text, and all others see what they never saw in training. **A wrong mask can be one that nobody hears.**
# </details>
#
# ### Exercise: `causal_mask`
#
# Return the first of the three masks for `n` tokens, a boolean tensor of shape `(n, n)`: row *i* says what token *i* may look
# at. Itself, too, since it must predict the one *after*. Row 1 of `causal_mask(3)`, for example, is `[True, True, False]`.
#
# > **In masks that you write, `True` means *may attend*,** as in homework 2.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_causal_mask
#
# </details>


# %% solution="causal_mask"
def causal_mask(n: int) -> torch.Tensor:
    """Return the mask that keeps each of n tokens from looking ahead (Vaswani et al. 2017, §3.2.3).

    Shapes:
        result  (n, n), bool; entry [i, j] is True where token i may attend to token j
    """
    ### BEGIN SOLUTION
    return torch.ones(n, n, dtype=torch.bool).tril()
    ### END SOLUTION


# %% test="causal_mask" folded="Visible checks: causal_mask"
def ideas():
    mask = causal_mask(4)
    yield (
        "a torch tensor comes back",
        isinstance(mask, torch.Tensor),
        f"Yours: {type(mask).__name__}.",
    )
    assert isinstance(mask, torch.Tensor)
    yield "of shape (n, n)", mask.shape == (4, 4), f"Here (4, 4), yours is {tuple(mask.shape)}."
    yield "of booleans", mask.dtype == torch.bool, f"Yours is of {mask.dtype}."
    assert mask.shape == (4, 4) and mask.dtype == torch.bool  # or the others would mislead
    yield "a token may look at itself", mask.diagonal().all(), f"Yours:\n{mask}"
    yield (
        "the last token may look at the first, and not the first at the last",
        mask[3, 0] and not mask[0, 3],
        "Row i says what token i may look at.",
    )
    one_later = mask.diagonal(1)
    yield (
        "no token may look at the one right after it",
        not one_later.any(),
        f"Yours lets tokens {one_later.nonzero().flatten().tolist()} do so:\n{mask}",
    )
    yield "each may look at all before it", mask.tril().sum() == 10, f"Yours:\n{mask}"
    larger = causal_mask(70)
    yield (
        "70 tokens see themselves and what is before them, and nothing else",
        larger.shape == (70, 70) and larger.sum() == larger.tril().sum() == 70 * 71 / 2,
        f"Yours is {tuple(larger.shape)}: {larger.sum():,} entries are True, {larger.triu(1).sum():,} of "
        "them for later tokens. It should be 2,485 and none.",
    )
    alone = causal_mask(1)
    yield (
        "a lone token sees itself",
        torch.equal(alone, torch.tensor([[True]])),
        f"Yours: {alone}",
    )


run_checks("causal_mask", ideas)

# %% [markdown]
# `nn.MultiheadAttention` takes such a mask as `attn_mask`, and reads it the other way round:
#
# > **In every mask of the torch layers used here, `True` means *hidden*. `~mask` turns one convention into the other.**
#
# Now your mask casts its shadow on a sentence.

# %%
torch.manual_seed(1)
sentence = torch.randn(1, 5, 8)  # (batch, t, d_model)
built_in = nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
_, free = built_in(sentence, sentence, sentence)
with needs("causal_mask"):
    mask = causal_mask(5)
    _, masked = built_in(sentence, sentence, sentence, attn_mask=~mask)
    show_shadow(free[0], masked[0], ~mask, ["the", "cat", "sat", "on", "mats"])

# %% [markdown]
# Each row still sums to 1: the mask works before the softmax, and the others share what the hidden ones would have had.

# %% [markdown]
# ## 2. The decoder block
#
# A writer must know what the **source** says, the text that was read. So the decoder's block is the encoder's with one
# more sublayer (§3.1): between self-attention and the feed-forward network it looks at the **memory**, which is what the
# encoder made of the source. In this *cross-attention* the queries come from the target, keys and values from the memory:
#
# $$\mathrm{softmax}\Big(\frac{{\color{#1F6FC8}{Q}}\,{\color{#C4500C}{K}}^\top}{\sqrt{d_k}}\Big)\,{\color{#0B8043}{V}}
# \qquad {\color{#1F6FC8}{Q}} = x\,W_Q \qquad {\color{#C4500C}{K}} = \mathrm{memory}\,W_K \qquad
# {\color{#0B8043}{V}} = \mathrm{memory}\,W_V$$
#
# Around each of the three sublayers there are a residual, dropout and a norm, as you know them.

# %%
draw_decoder_block()

# %% [markdown]
# ### Exercise: `DecoderBlock`
#
# Build the picture, from the bottom up. With these names your weights fit into
# [`nn.TransformerDecoderLayer`](https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerDecoderLayer.html),
# and the check compares the two.
#
# | name | what it is |
# |:--|:--|
# | `self_attn` | an [`nn.MultiheadAttention`](https://docs.pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html) with `batch_first=True`, under your mask |
# | `multihead_attn` | another one, which looks at the whole memory |
# | `linear1`, `linear2` | the feed-forward network, with a ReLU between them |
# | `norm1`, `norm2`, `norm3` | an `nn.LayerNorm(d_model)` each, in the order of the picture |
#
# `forward(x, memory)` then turns `x (32, 7, 128)` and `memory (32, 10, 128)`, for example, into `(32, 7, 128)`. Mind
# three things:
#
# - `nn.MultiheadAttention` returns a pair: the output, and the weights.
# - `memory_key_padding_mask (batch, s)` goes to torch as it is, so here `True` means *ignore this token*.
# - What each sublayer returns goes through `nn.Dropout(dropout)` before it is added to the residual. (Attention weights and hidden features may drop out, too. Sums and norms never do.)
#
# *To think about:* which of `t` and `s` counts the rows of the cross-attention, and which the columns? And why may it
# look at everything?
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_DecoderBlock
#
# </details>


# %% solution="DecoderBlock"
class DecoderBlock(nn.Module):
    """One post-norm block of the Transformer decoder (Vaswani et al. 2017, §3.1, fig. 1).

    Shapes:
        x                        (batch, t, d_model); token i sees the tokens up to i
        memory                   (batch, s, d_model); what the encoder returned
        memory_key_padding_mask  (batch, s) bool, True = ignore it (torch's convention); or None
        result                   (batch, t, d_model)
    """

    def __init__(self, d_model: int = 128, n_heads: int = 8, d_ff: int = 512, dropout: float = 0.1):
        """Create self_attn, multihead_attn, linear1, linear2, norm1, norm2 and norm3."""
        super().__init__()
        ### BEGIN SOLUTION
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        memory_key_padding_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return x after self-attention, cross-attention and feed-forward network."""
        ### BEGIN SOLUTION
        hidden = ~causal_mask(x.shape[1])
        attended, _ = self.self_attn(x, x, x, attn_mask=hidden, need_weights=False)
        x = self.norm1(x + self.dropout(attended))
        found, _ = self.multihead_attn(
            x, memory, memory, key_padding_mask=memory_key_padding_mask, need_weights=False
        )
        x = self.norm2(x + self.dropout(found))
        transformed = self.linear2(F.relu(self.linear1(x)))
        return self.norm3(x + self.dropout(transformed))
        ### END SOLUTION


# %% test="DecoderBlock" folded="Visible checks: DecoderBlock"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    x, memory = torch.randn(32, 7, 128), torch.randn(32, 10, 128)
    block = DecoderBlock().eval()
    theirs = nn.TransformerDecoderLayer(128, nhead=8, dim_feedforward=512, batch_first=True).eval()
    expected, found = theirs.state_dict(), block.state_dict()
    missing = sorted(expected.keys() - found.keys())
    yield "all weights are there, by name", not missing, f"Your block has no {', '.join(missing)}."
    for name, value in block.named_parameters():
        if "norm" in name:  # fresh ones are all alike
            value.add_(0.3 * torch.randn_like(value))
    before = x.clone(), memory.clone()
    output = block(x, memory)
    yield (
        "x (32, 7, 128) goes in, the same shape comes out",
        output.shape == (32, 7, 128),
        f"Yours is {tuple(output.shape)}.",
    )
    kept = torch.equal(x, before[0]) and torch.equal(memory, before[1])
    yield (
        "x and memory stay as they were",
        kept,
        "Your block writes into them, as `+=` and methods whose names end in `_` do. Make a new tensor.",
    )
    assert kept  # or two calls would differ for this reason alone
    finite = output.isfinite().all()
    yield (
        "all of it is finite",
        finite,
        "Yours has nan in it, as comes out where a query may look at nothing. What does True mean in "
        "your mask, and what in the layer's `attn_mask`?",
    )
    calm = torch.allclose(block(x, memory), block(x, memory), rtol=0, atol=0, equal_nan=True)
    yield (
        "in eval mode the answer is always the same",
        calm,
        "Two calls differ, although `.eval()` was called. Does your dropout know the mode?",
    )
    finite = finite and calm
    for scale, idea in (
        (1, "no peeking: another last token changes nothing before it"),
        (40, "nor where scores are large"),
    ):
        one, other = scale * x[:4], scale * x[:4]
        other[:, -1] = scale * torch.randn(4, 128)
        earlier = [block(each, memory[:4])[:, :-1] for each in (one, other)]
        yield (
            idea,
            torch.allclose(*earlier, atol=1e-4),
            "Only the last token of x was changed, and earlier tokens noticed."
            if finite
            else SEE_ABOVE,
        )
    theirs.load_state_dict({name: found[name] for name in expected})
    later = nn.Transformer.generate_square_subsequent_mask(7)  # torch's own causal mask
    alike = torch.allclose(output, theirs(x, memory, tgt_mask=later), atol=1e-4)
    yield (
        "the values are those of nn.TransformerDecoderLayer with your weights",
        alike,
        "It returns other values. Compare your forward with the picture above, arrow by arrow."
        if finite
        else SEE_ABOVE,
    )
    padding = torch.zeros(32, 10, dtype=torch.bool)
    padding[::2, 8:] = True  # the last two tokens of every other source are filler
    masked = block(x, memory, memory_key_padding_mask=padding)[:4]
    hidden, short = masked[::2], memory[:4:2, :8]
    hides = torch.allclose(hidden, block(x[:4:2], short), atol=1e-4)
    yield (
        "no token looks at padding in the memory",
        hides,
        SEE_ABOVE
        if not finite
        else "Yours looks at nothing but padding. In torch's `key_padding_mask`, True means *ignore*, and so "
        "it does in the mask that you are given."
        if torch.allclose(hidden, block(x[:4:2], memory[:4:2, 8:]), atol=1e-4)
        else "The last two tokens of the memory are padding, but they still make a difference.",
    )
    yield (
        "and a memory without padding is read to its end",
        torch.allclose(masked[1::2], block(x[:4], memory[:4])[1::2], atol=1e-4),
        "Every other memory has no padding, but beside those that have some, its target gets other "
        "results. Whose mask does each sentence meet?"
        if hides
        else SEE_ABOVE,
    )
    with torch.enable_grad():
        known = memory[:4].clone().requires_grad_()
        (block(x[:4], known) * torch.randn(4, 7, 128)).sum().backward()
    yield (
        "gradients reach the memory, and so whatever made it",
        known.grad is not None and known.grad.any(),
        "None arrives there. What cuts it off?",
    )
    small = DecoderBlock(d_model=12, n_heads=3, d_ff=20, dropout=0.0)
    sizes = (small.self_attn.num_heads, small.multihead_attn.num_heads, small.linear1.out_features)
    yield (
        "n_heads and d_ff are used",
        sizes == (3, 3, 20),
        f"3, 3 and 20 were asked for; yours are {sizes}.",
    )
    for length in (4, 600):
        long = torch.randn(1, length, 12)
        shape = tuple(small(long, long).shape)
        yield (
            f"another length works: {length} tokens",
            shape == (1, length, 12),
            f"Yours is {shape}.",
        )
    block.train()
    differ = not torch.equal(block(x[:4], memory[:4]), block(x[:4], memory[:4]))
    yield "in train mode something drops out", differ, "Two calls are equal."
    ends = "self_attn.out_proj.bias", "multihead_attn.out_proj.bias", "linear2.bias"
    for made, rate, idea in (
        (
            DecoderBlock(dropout=0.5),
            0.5,
            "half of what each sublayer adds is lost, the rest doubled",
        ),
        (DecoderBlock(), 0.1, "if nothing is said about dropout, a tenth is lost"),
    ):
        fault = fault_of_sublayers(made, rate, ends, x[:4], memory[:4]) if alike else SEE_ABOVE
        yield idea, not fault, fault
    x, memory = torch.randn(2, 5, 12), torch.randn(2, 4, 12)
    modes = small.train()(x, memory), small.eval()(x, memory)
    yield (
        "with dropout=0.0 nothing is",
        torch.allclose(*modes, atol=1e-5, equal_nan=True),
        "Train mode and eval mode differ. Does every part get `dropout`, the share that is lost?",
    )


run_checks("DecoderBlock", ideas)

# %% [markdown]
# ### Your block writes
#
# The model from the top has two blocks without a memory. Here two of **yours** take their places, and their cross-attention
# adds nothing. They write twice: with their random numbers, and with those that have learned. Give them
# a beginning:

# %%
my_beginning = "An error"  # in letters from A to Z: they know no others

with needs("DecoderBlock"):
    show_my_blocks(DecoderBlock, my_beginning)

# %% [markdown]
# Between the two, only 99,968 numbers have changed, those of the blocks. (Embedding and last layer had learned both times:
# hence the babble's real words.) You have built half of a translator, and nearly the whole of a GPT.
#
# ### Does it know an order?
#
# One token of the target looks at a memory of *dog bites man*. Then the memory is turned round, *man bites
# dog*; then it is said twice. **Predict first:** at which of the two does the token's output move?

# %%
guess_of_what_moves_them = None  # "backwards", "twice", "both" or "neither"

# %% folded="Read backwards, and said twice"
torch.manual_seed(12)
with needs("DecoderBlock"), torch.no_grad():
    block = DecoderBlock(d_model=8, n_heads=1, d_ff=32).eval()
    words, x, vectors = ["dog", "bites", "man"], torch.randn(1, 1, 8), 3 * torch.randn(1, 3, 8)
    orders = {"dog bites man": [0, 1, 2], "backwards": [2, 1, 0], "twice": [0, 1, 2] * 2}
    seen = {}  # the words, how much each is looked at, and the output
    for title, order in orders.items():
        read = x, vectors[:, order]
        looks = [each[0, 0] for each in weights_of(block, "multihead_attn", *read)]
        seen[title] = [words[number] for number in order], *looks, block(*read)[0, 0]
    *_, before = seen["dog bites man"]
    if not before.isfinite().all():
        raise ValueError("the block's output holds nan")
    moving = [
        title
        for title, (*_, output) in seen.items()
        if not torch.allclose(before, output, atol=1e-5)
    ]
    found = "both" if len(moving) == 2 else "".join(moving) or "neither"
    among = ["backwards", "twice", "both", "neither"]
    compare("The output moves at", found, guess_of_what_moves_them, among=among)
    if guess_of_what_moves_them is not None and looks:
        show_shuffled(seen)

# %% [markdown]
# <details><summary><b>After the run:</b> why?</summary>
#
# Each word keeps its share wherever it stands; said twice, it gets half of it twice. An average knows no order. If *dog
# bites man* and *man bites dog* are to differ, the words themselves must say where they stand.
# </details>

# %% [markdown]
# ## 3. The Transformer
#
# Now the whole, which turns one sequence into another: the **encoder** reads the source; the **decoder** reads what is
# written of the target and looks at the memory; a last linear layer says at every position how likely each token is to
# come **next**. (You have already written what is marked 1 and 2.)

# %%
draw_map()

# %% [markdown]
# ### A step on the way: `read_source`
#
# First the left half of the map. Embed the tokens, add to each its row of `positions (max_len, d_model)`, and send them
# through the layers, one after the other: out comes the memory. For example, without layers `[[7, 7]]`
# becomes the vector of 7 plus row 0 of `positions`, and the same vector plus row 1. (Checked, but not graded; you may call it
# in `Transformer`, or copy its lines.)


# %%
def read_source(src, embedding, positions, layers):
    """Turn the tokens src (batch, s) into the memory, (batch, s, d_model)."""
    raise NotImplementedError("read_source: your turn")


# %% folded="Checks of read_source"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    src = torch.tensor([[7, 7, 3], [0, 5, 7]])
    embedding, positions = nn.Embedding(9, 4), torch.randn(6, 4)
    memory, right = read_source(src, embedding, positions, []), embedding(src) + positions[:3]
    yield (
        "the memory is (batch, s, d_model)",
        memory.shape == (2, 3, 4),
        f"Here that is (2, 3, 4), yours is {tuple(memory.shape)}.",
    )
    yield (
        "the same token at two places is read as two things",
        not torch.allclose(memory[0, 0], memory[0, 1]),
        "The source begins with 7, 7, and yours are alike. Which rows of `positions` do they get?",
    )
    yield (
        "without layers it is what they are plus where they stand",
        torch.allclose(memory, right, atol=1e-5)
        or torch.allclose(memory, right + embedding(src), atol=1e-5),  # scaled by √d_model
        f"Of the second sentence, the 7 should be {right[1, 2].numpy().round(2)}, and yours is "
        f"{memory[1, 2].numpy().round(2)}.",
    )
    one, other = nn.Linear(4, 4), nn.Linear(4, 4)
    yield (
        "each layer gets what the one before it made",
        torch.allclose(
            read_source(src, embedding, positions, [one, other]), other(one(memory)), atol=1e-5
        ),
        "Here there are two layers. Which input does the second one get, and what do you return?",
    )


try_ideas("read_source", ideas)


# %% setup="positional_encoding"
def positional_encoding(seq_len: int, d_model: int) -> torch.Tensor:
    """Return the sinusoidal table of positions, (seq_len, d_model) (Vaswani et al. 2017, §3.5)."""
    positions = torch.arange(seq_len, dtype=torch.float32).unsqueeze(1)
    even_columns = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = positions / 10000 ** (even_columns / d_model)
    table = torch.empty(seq_len, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : d_model // 2]
    return table


# %% [markdown]
# ### Exercise: `Transformer`
#
# Put the map together. `forward(src, tgt)` takes two `int64` tensors, `src (batch, s)` and `tgt (batch, t)`, and returns
# **logits**, the scores *before* a softmax, `(batch, t, tgt_vocab)`: `Transformer(src_vocab=11, tgt_vocab=9)` turns
# `src (3, 6)` and `tgt (3, 5)` into `(3, 5, 9)`.
#
# On the right, the target goes the same way, but each layer gets the memory as well. How you build it is up to you: there is
# your `DecoderBlock`, and for the encoder
# [`nn.TransformerEncoderLayer`](https://docs.pytorch.org/docs/stable/generated/torch.nn.TransformerEncoderLayer.html)
# with `batch_first=True`, or your own block from homework 2. What counts is how it behaves:
#
# - **It doesn't peek.** The logits at position *i* depend on the target's tokens up to *i* only, not even on how many
#   follow.
# - **It knows the order**, on both sides. So both need positions, computed or learned (homework 2's function stands above).
# - **It is as deep as asked**: `n_layers` layers on each side, each with weights of its own. `n_heads` and `dropout` do
#   what they do in `DecoderBlock`. (Embeddings may drop out as well.)
# - **All of it learns**: a gradient reaches every parameter. Any reasonable initialisation will do.
# - **It takes any size**: of vocabularies and batch, and `s` and `t` up to `max_len`. There is no padding, so no token of
#   the source is special, not even 0.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_Transformer
#
# </details>


# %% solution="Transformer"
class Transformer(nn.Module):
    """Encoder and decoder (Vaswani et al. 2017, fig. 1).

    Shapes:
        src     (batch, s) int64, tokens of the source, s at most max_len
        tgt     (batch, t) int64, tokens of the target so far, t at most max_len
        result  (batch, t, tgt_vocab); logits of the token that follows each target position
    """

    def __init__(
        self,
        src_vocab: int,
        tgt_vocab: int,
        d_model: int = 64,
        n_heads: int = 4,
        d_ff: int = 128,
        n_layers: int = 2,
        max_len: int = 64,
        dropout: float = 0.0,
    ):
        """Create what you need: embeddings, positions, layers, and a way to the logits."""
        super().__init__()
        ### BEGIN SOLUTION
        self.src_embedding = nn.Embedding(src_vocab, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab, d_model)
        self.register_buffer("positions", positional_encoding(max_len, d_model))
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout, batch_first=True)
            for _ in range(n_layers)
        )
        self.decoder = nn.ModuleList(
            DecoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)
        )
        self.to_logits = nn.Linear(d_model, tgt_vocab)
        ### END SOLUTION

    def forward(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        """Return the logits of the token that follows each position of tgt."""
        ### BEGIN SOLUTION
        memory = self.src_embedding(src) + self.positions[: src.shape[1]]
        for layer in self.encoder:
            memory = layer(memory)
        x = self.tgt_embedding(tgt) + self.positions[: tgt.shape[1]]
        for layer in self.decoder:
            x = layer(x, memory)
        return self.to_logits(x)
        ### END SOLUTION


# %% test="Transformer" folded="Visible checks: Transformer"
def ideas():
    torch.manual_seed(0)

    @torch.no_grad()
    def made(**sizes):
        model = Transformer(src_vocab=11, tgt_vocab=9, **sizes).eval()
        for value in model.parameters():  # some may begin at 0
            value.add_(0.05 * torch.randn_like(value))
        return model

    model, src, tgt = made(), torch.randint(11, (3, 6)), torch.randint(9, (3, 5))
    logits = model(src, tgt).detach()
    yield (
        "the logits are (batch, t, tgt_vocab)",
        logits.shape == (3, 5, 9),
        f"Here that is (3, 5, 9), yours are {tuple(logits.shape)}.",
    )
    yield "they are numbers with decimals", logits.is_floating_point(), f"Yours: {logits.dtype}."
    tiny = 1e-5 * logits.std()  # what changes by less doesn't change
    finite = logits.isfinite().all()
    yield (
        "all of them are finite",
        finite,
        "Yours has nan in it, as comes out where a query may look at nothing. What does True mean in "
        "each mask, and what in the layer that gets it?",
    )
    assert finite  # or nothing could be said of what moves
    yield (
        "they are logits, before any softmax",
        not torch.allclose(logits.sum(dim=-1), torch.ones(3, 5), atol=1e-3),
        "Your rows sum to 1, as proportions do.",
    )
    with torch.no_grad():
        yield (
            "a sentence gets the same alone and beside others",
            torch.allclose(model(src[:1], tgt[:1]), logits[:1], atol=1e-4),
            "The first one doesn't. Which axis counts the sentences, and does every layer know it?",
        )
        changed = tgt.clone()
        changed[:, 3] = (tgt[:, 3] + 1) % 9
        difference = (model(src, changed) - logits).abs().amax(dim=(0, 2))  # one per position
        yield (
            "no peeking ahead",
            difference[:3].max() < 1e-4,
            "We changed the target's token 3, and logits before it moved.",
        )
        yield (
            "each position reads its own token",
            difference[3] > tiny,
            "Token 3 changed, but its logits didn't.",
        )
        changed = src.clone()
        changed[:, 0] = (src[:, 0] + 1) % 11
        noticed = (model(changed, tgt) - logits).abs().amax(dim=(0, 2)).min() > tiny
        yield (
            "the source matters, everywhere",
            noticed,
            "Its first token changed, and some logits didn't.",
        )
        turned = (model(src.flip(1), tgt) - logits).abs().max() < tiny
        yield (
            "the order of the source matters",
            not turned,
            "We reversed the source, and nothing changed. Are positions added?"
            if noticed
            else SEE_ABOVE,
        )
        shallow = made(n_layers=1)
        swapped = tgt[:, [1, 0, 2, 3, 4]]
        last = shallow(src, tgt)[:, -1]
        same = (shallow(src, swapped)[:, -1] - last).abs().max() < 1e-5 * last.std()
        yield (
            "the order of the target matters",
            not same,
            "Two earlier tokens of the target changed places, and the last one didn't notice.",
        )
        short = Transformer(src_vocab=11, tgt_vocab=9, max_len=6).eval()
        try:
            shape = tuple(short(src, tgt).shape)
        except Exception as error:
            shape = type(error).__name__
        yield (
            "exactly max_len tokens are allowed",
            shape == (3, 5, 9),
            f"With max_len=6, six tokens gave {shape}.",
        )
        two, three = (
            sum(value.numel() for value in Transformer(11, 9, n_layers=n).parameters())
            for n in (2, 3)
        )
        least = 12 * 64**2 + 4 * 64 * 128  # the matrices of one encoder and one decoder layer
        yield (
            "one layer more is one more on both sides, with numbers of its own",
            three - two >= least,
            f"A third layer adds {three - two:,} numbers, and the matrices of an encoder layer and a "
            f"decoder layer alone have {least:,}. Is each layer made anew, and does PyTorch see it?",
        )
        trained_mode = model.train()(src, tgt)
        model.eval()
        yield (
            "with dropout=0.0, train mode and eval mode agree",
            torch.allclose(trained_mode, logits, atol=1e-4),
            "They differ. Do the layers on both sides get `dropout`?",
        )
    src, tgt, read = torch.arange(11)[None], torch.arange(9)[None], {}  # every token there is

    def note(table, asked, _):
        if torch.equal(asked[0], src) or torch.equal(asked[0], tgt):  # not places, or distances
            read[table] = asked[0][0].tolist()

    for module in model.modules():
        if isinstance(module, nn.Embedding):
            module.register_forward_hook(note)
    F.cross_entropy(model(src, tgt).flatten(0, 1), tgt.flatten()).backward()
    needed = [(name, value) for name, value in model.named_parameters() if value.requires_grad]
    idle = [name for name, value in needed if value.grad is None]
    yield (
        "everything learns",
        not idle,
        f"No gradient reaches {', '.join(idle[:3])}{' and others' if idle[3:] else ''}. Does `forward` use "
        "them, and does any step stop gradients?",
    )
    forgotten = [
        row
        for table, asked in read.items()
        if table.weight.grad is not None
        for row in asked
        if not table.weight.grad[row].any()
    ]
    yield (
        "and every token does",
        not forgotten,
        f"Token {forgotten[0]} was read, and no gradient reaches its embedding: it never learns. Is it special here?"
        if forgotten
        else "",
    )


run_checks("Transformer", ideas)

# %% [markdown]
# **From here on, one task: write five digits backwards.** Its language has twelve tokens, the digits, `BOS` (begin) and
# `EOS` (end).

# %% setup="strings"
BOS, EOS, VOCAB = 10, 11, 12  # the digits are the tokens 0 to 9


def digits(numbers: torch.Tensor, length: int = 5) -> torch.Tensor:
    """Write (batch,) whole numbers as strings of digits, (batch, length): 42 → 0 0 0 4 2."""
    return numbers.unsqueeze(1) // 10 ** torch.arange(length - 1, -1, -1) % 10


def backwards(src: torch.Tensor) -> torch.Tensor:
    """Return the targets (batch, length + 2): BOS, the string from its end, EOS."""
    begin, end = src.new_full((len(src), 1), BOS), src.new_full((len(src), 1), EOS)
    return torch.cat([begin, src.flip(1), end], dim=1)


# %% [markdown]
# **Can one do worse than knowing nothing?** Who knows nothing gives each of the twelve tokens the same share: the right
# one costs log₂ 12 ≈ 3.6 bits. Your Transformer has learned nothing yet, either. **Predict first:** how many
# bits does the right token cost it, on average over 1,000 strings: fewer, the same, or more?

# %%
guess_of_the_untrained_bits = None  # "fewer", "the same" or "more"

# %% folded="A Transformer that has learned nothing"
torch.manual_seed(3)
with needs("Transformer"):
    untrained, nothing_known = Transformer(VOCAB, VOCAB), math.log2(VOCAB)
    bits = bits_of_strings(untrained, digits(torch.randint(100_000, (1_000,))))
    found = "fewer" if bits < nothing_known - 0.02 else "more"
    found = "the same" if abs(bits - nothing_known) <= 0.02 else found
    among = ["fewer", "the same", "more"]
    compare("Bits that it pays:", found, guess_of_the_untrained_bits, among=among)
    if guess_of_the_untrained_bits is not None:
        print(f"{bits:.2f} bits; to know nothing costs {nothing_known:.2f}.")
        title = "50217 was read, 712 is written: what comes next, in %"
        show_opinions({title: opinions_of(untrained)}, right=0)

# %% [markdown]
# <details><summary><b>After the run:</b> where do its opinions come from?</summary>
#
# Here 5 0 2 1 7 is the source, and 7 1 2 of its reverse are written. It has favourites, for no reason but the random
# numbers that it was made of: and favourites for no reason cost more than none.
# </details>

# %% [markdown]
# **A taste of what comes.** On the second evening you write the loop that teaches it. Here a borrowed one does so, for
# 30 batches of 64 strings: the same picture, as a film.

# %% folded="A second of learning"
torch.manual_seed(3)
with needs("Transformer"):
    taster = Transformer(VOCAB, VOCAB)
    opinions = taste_of_learning(taster)
    bits = bits_of_strings(taster, digits(torch.randint(100_000, (1_000,))))
    show_opinions(opinions, right=0)
    print(f"The right token costs it {bits:.2f} bits now,\non average over 1,000 strings.")

# %% [markdown]
# Here ends the first evening: your block writes, and your Transformer has begun to learn. When you come back, run all cells
# up to here; `progress()` says where you stand.

# %% [markdown]
# ## 4. Writing
#
# A model that says what comes next can write: start with a token that means *begin* (`bos`), ask what follows, append
# it, ask again, until a token that means *end* (`eos`). Always taking the likeliest is called **greedy** decoding.
#
# ### A step on the way: `next_token`
#
# Ask a model once: which token does it find likeliest to come next, in each row of `tgt (batch, t)`? `model(src, tgt)` returns
# logits `(batch, t, vocab)`, since it answers at every position at once. Which of its answers is new? For example, a model
# that counts down reads 3, 2 and answers 2, 1: here 1 comes next. (Checked, but not graded; you may call it in
# `greedy_decode`, or copy its line there.)


# %%
def next_token(model, src, tgt):
    """Return the token likeliest to come next in each row, (batch,) int64: tgt is (batch, t)."""
    raise NotImplementedError("next_token: your turn")


# %% folded="Checks of next_token"
class Answers(nn.Module):
    """A model that always has the same answers: for two rows of two tokens, of three that there are."""

    logits = torch.tensor([[[9.0, 1, 2], [1, 3, 8]], [[0, 4, 1], [6, 5, 2]]])

    def forward(self, src, tgt):
        return self.logits


def ideas():
    two = torch.zeros(2, 2, dtype=torch.int64)
    found = next_token(Answers(), two, two)
    yield (
        "one token for each row comes back",
        found.shape == (2,),
        f"Here that is (2,), yours is {tuple(found.shape)}.",
    )
    yield "of int64", found.dtype == torch.int64, f"Yours is {found.dtype}."
    yield (
        "the likeliest after all that stands there",
        found.tolist() == [2, 0],
        f"The logits are\n{Answers.logits}\nYours: {found.tolist()}. "
        + (
            "These are scores: which tokens have them?"
            if found.is_floating_point()
            else "Which answers are about a token that stands there already?"
        ),
    )


try_ideas("next_token", ideas)

# %% [markdown]
# ### Exercise: `greedy_decode`
#
# Here is what should come back for two sources, from a model that counts down, with `bos = 10` and `eos = 11`:

# %%
draw_what_to_write()

# %% [markdown]
# - **Ask**: rely on nothing but `model(src, tgt)`, with `src (batch, s)`. Call `model.eval()` first, so that nothing drops out.
# - **Write**: an `int64` tensor `(batch, width)`. Each row begins with `bos`, goes on with what the model finds likeliest,
#   and after its first `eos` holds nothing but `eos`, while the others go on.
# - **Stop** when every row has its `eos`, or at `max_len`; `bos` counts, so the model reads at most `max_len - 1` target
#   tokens. (Going on with `eos` up to `max_len` is right as well.)
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_greedy_decode
#
# </details>


# %% solution="greedy_decode"
@torch.no_grad()
def greedy_decode(
    model: nn.Module, src: torch.Tensor, bos: int, eos: int, max_len: int
) -> torch.Tensor:
    """Write a target for each source, always the likeliest token.

    Shapes:
        src     (batch, s) int64
        result  (batch, width) int64, width at most max_len; from bos on, after eos only eos

    `model(src, tgt)` returns logits (batch, t, vocab) and reads at most max_len - 1 target tokens.
    """
    ### BEGIN SOLUTION
    model.eval()
    tokens = torch.full((src.shape[0], 1), bos)
    ended = torch.zeros(src.shape[0], dtype=torch.bool)
    while tokens.shape[1] < max_len and not ended.all():
        likeliest = model(src, tokens)[:, -1].argmax(dim=-1)
        likeliest[ended] = eos
        ended |= likeliest == eos
        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)
    return tokens
    ### END SOLUTION


# %% test="greedy_decode" folded="Visible checks: greedy_decode"
class Countdown(nn.Module):
    """A model that needs no training: counts down from the source's first token, then ends.

    After 3 comes 2, after 0 comes eos, and after eos it talks nonsense, as it does of texts that don't
    begin with bos.
    """

    def __init__(self, bos=10, eos=11):
        super().__init__()
        self.bos, self.eos = bos, eos
        self.unused = nn.Parameter(torch.zeros(1))  # some ask a model's parameters for their device

    def forward(self, src, tgt):
        following = torch.where(tgt == self.bos, src[:, :1], (tgt - 1).clamp(min=0))
        following = torch.where(tgt == 0, self.eos, following)
        following = torch.where(tgt[:, :1] == self.bos, following, 9)
        return F.one_hot(following, 12).float()


def ideas():
    sources = torch.tensor([[3, 7], [1, 7]])
    tokens = greedy_decode(Countdown(), sources, bos=10, eos=11, max_len=9)
    width = tokens.shape[-1]
    yield "int64 tokens come back", tokens.dtype == torch.int64, f"Yours are {tokens.dtype}."
    yield (
        "a row for each source, and room for the longest",
        tokens.shape[0] == 2 and 6 <= tokens.shape[1] <= 9,
        f"Here 2 rows of 6 tokens, or with eos up to max_len = 9; yours are {tuple(tokens.shape)}.",
    )
    yield "each row begins with bos", (tokens[:, 0] == 10).all(), f"Yours: {tokens.tolist()}"
    yield (
        "each token follows from those before it",
        tokens[0, :6].tolist() == [10, 3, 2, 1, 0, 11][:width],
        f"The first row should be bos, 3, 2, 1, 0, eos. Yours: {tokens[0].tolist()}",
    )
    second = tokens[1, :4].tolist() == [10, 1, 0, 11]
    yield (
        "each row follows its own source",
        second,
        f"The second row should begin with bos, 1, 0, eos. Yours: {tokens[1].tolist()}",
    )
    yield (
        "after eos comes nothing but eos",
        (tokens[1, 3:] == 11).all(),
        f"After bos, 1, 0 and eos, the second row goes on with {tokens[1, 4:].tolist()}."
        if second
        else SEE_ABOVE,
    )
    alone = greedy_decode(Countdown(), torch.tensor([[1]]), bos=10, eos=11, max_len=4).tolist()
    yield (
        "a single source works, too",
        alone == [[10, 1, 0, 11]],
        f"Of [[1]] should come [[10, 1, 0, 11]]. Yours: {alone}",
    )
    tokens = greedy_decode(Countdown(), torch.tensor([[8], [7]]), bos=10, eos=11, max_len=4)
    yield (
        "max_len counts bos, too",
        tokens.shape == (2, 4),
        f"With max_len=4 there is room for bos and three more. Yours are {tuple(tokens.shape)}.",
    )
    tokens = greedy_decode(
        Countdown(bos=11, eos=10), torch.tensor([[4], [1]]), bos=11, eos=10, max_len=9
    )
    text, filled = tokens[1, :4].tolist(), tokens[1, 4:]
    yield (
        "bos and eos are those that are passed in",
        text == [11, 1, 0, 10],
        f"With bos=11 and eos=10 the second row should begin with 11, 1, 0, 10. Yours: {text}",
    )
    yield (
        "where eos is 10, it fills the rows as well",
        (filled == 10).all(),
        f"After its first eos, the second row goes on with {filled.tolist()}."
        if text[-1] == 10
        else SEE_ABOVE,
    )


run_checks("greedy_decode", ideas)


# %% [markdown]
# Now your decoder at work, with a model that counts down from the source's first digit. Each picture is one question; a
# box marks the only answer that is new.

# %% folded="Your decoder at work, a frame a question"
with needs(own="greedy_decode"):
    show_decoding(greedy_decode, Countdown(), torch.tensor([[4], [1]]))

# %% [markdown]
# **Is the likeliest token always the best?** Your decoder can drive the model from the top, too. Two rivals *draw* each
# token by its share instead, at the temperatures 1.0 (the model's own shares) and 0.4 (more careful; near 0 the likeliest
# always wins). Each writes five texts of 300 tokens. **Predict first:** which repeats itself most? (We count the runs of
# five tokens that stood in the text before, and take the middle one of five counts.)

# %%
guess_of_who_repeats_most = None  # "always the likeliest", "drawn at 0.4" or "drawn at 1.0"

# %% folded="The likeliest against the drawn: some seconds"
beginnings = [my_words, "The function", "Once upon a time", "To write", "A module"]
with needs(own="greedy_decode"):
    texts = {
        "always the likeliest": [likeliest_text(greedy_decode, words) for words in beginnings],
        "drawn at 0.4": [write_on(ready, words, n=300) for words in beginnings],
        "drawn at 1.0": [write_on(ready, words, n=300, temperature=1.0) for words in beginnings],
    }
    shares = {name: round(100 * sorted(map(repeats, each))[2]) for name, each in texts.items()}
    most = max(shares, key=shares.get)
    compare("Repeats itself most:", most, guess_of_who_repeats_most, among=shares)
    if guess_of_who_repeats_most is not None:
        show_repeats(texts, beginnings)


# %% folded="Play: the temperature"
def draw_with_chance(temperature=1.5):
    show_texts({f"at {temperature}": write_on(ready, my_words, temperature=temperature)})


play(draw_with_chance, temperature=(0.1, 2.0))

# %% [markdown]
# <details><summary><b>After the run:</b> and which is best?</summary>
#
# The likeliest leads back to the same phrases. At 1.0 hardly anything comes back, and little makes sense. So models
# that talk to people draw, at a temperature in between ([Holtzman et al. 2020](https://arxiv.org/abs/1904.09751)). For our
# strings there is one right answer, so greedy is right.
# </details>

# %% [markdown]
# ## 5. Learning
#
# Now a loop of your own. **A training loop** has the same few lines for every model, even for a line $y = wx + b$ and
# four points on $y = 2x + 1$. Each round computes what the model says, and how wrong it is (the *loss*); `backward()`
# finds for each number how the loss would change with it (its *gradient*); the optimiser takes a step downhill.

# %%
x = torch.tensor([0.0, 1.0, 2.0, 3.0])
y = torch.tensor([1.0, 3.0, 5.0, 7.0])
line = nn.Linear(1, 1)
optimiser = optim.Adam(line.parameters(), lr=0.1)
for turn in range(301):
    loss = ((line(x.unsqueeze(1)).squeeze(1) - y) ** 2).mean()
    optimiser.zero_grad()  # forget the gradients of the round before
    loss.backward()
    optimiser.step()
    keep_for_the_film(turn, loss, line)
show_line(x, y)

# %% [markdown]
# <details><summary><b>Test yourself:</b> what happens without the line with <code>zero_grad()</code>?
# Leave it out and see.</summary>
#
# <code>backward()</code> **adds** to the gradients that are there. So each step follows those of all rounds so far,
# shoots past the goal and swings back, in the end further and further.
# </details>
#
# ### Teacher forcing
#
# For sequences we show the model the right beginning and ask for the next token, at every position at once, even where
# it would have gone wrong earlier. Read the two lower lines column by column:

# %%
string = [5, 0, 2, 1, 7]  # which we follow from here on
source = torch.tensor([string])
show_teacher_forcing(string)

# %% [markdown]
# Nobody predicts `BOS`; `EOS` has to be learned like any other token.
#
# The loss is the **cross-entropy** (§5.4 without smoothing): minus the logarithm of the probability that the model gave
# to the right token, averaged over all predicted tokens of the batch.
# [`F.cross_entropy`](https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.cross_entropy.html) takes
# **logits**, since the softmax is inside it, and wants the classes on axis 1: flatten batch and positions into one
# axis, in logits and targets alike.
#
# Your `train` is tried on a small model first, here and in the hidden tests. `TinyModel`, folded below, has the interface
# of a Transformer and none of its cleverness.


# %% setup="TinyModel" folded="A tiny model, to try your loop on"
class TinyModel(nn.Module):
    """logits[b, i] = Σ_j look[i, j] · word[src[b, j]]  +  last[tgt[b, i]]  +  place[i].

    Shapes:
        src     (batch, s) int64, s at most max_len
        tgt     (batch, t) int64, t at most max_len
        result  (batch, t, vocab_size)
    """

    def __init__(self, vocab_size: int, max_len: int = 8, dropout: float = 0.0):
        super().__init__()
        self.look = nn.Parameter(torch.randn(max_len, max_len) / max_len)
        self.word = nn.Parameter(torch.randn(vocab_size, vocab_size) / vocab_size)
        self.last = nn.Parameter(torch.zeros(vocab_size, vocab_size))
        self.place = nn.Parameter(torch.zeros(max_len, vocab_size))
        self.dropout = nn.Dropout(dropout)

    def forward(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        s, t = src.shape[1], tgt.shape[1]
        found = self.look[:t, :s] @ self.dropout(self.word[src])
        return found + self.last[tgt] + self.place[:t]


# %% [markdown]
# ### Exercise: `train`
#
# The loop that found the line, for a model that writes:
#
# - **Go once through `batches`**, a list or a generator of pairs `(src, tgt)`, where `tgt` runs from `BOS` to `EOS`, as
#   above. Each batch is one step of the optimiser.
# - **Return a list** with one `float` per batch: its loss *before* the step, over all predicted tokens.
# - Take an optimiser from `torch.optim`, with `lr`; each call makes its own. The learning rates below suit
#   [`Adam`](https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html); plain SGD won't learn part 6 in time.
# - Begin with `model.train()`, in case someone left the model in eval mode. You may set a seed inside.
#
# For example, a model that finds all 12 tokens equally likely has a loss of log 12 ≈ 2.485 (the 3.6 bits of
# part 3, in natural logarithms). With `lr=0` nothing moves,
# and three batches give `[2.485, 2.485, 2.485]`.
#
# <details><summary><b>What earns points</b></summary>
#
# IDEAS_OF_train
#
# </details>


# %% solution="train"
def train(
    model: nn.Module, batches: Iterable[tuple[torch.Tensor, torch.Tensor]], lr: float = 1e-3
) -> list[float]:
    """Train the model once through the batches, by teacher forcing with cross-entropy.

    Shapes:
        batches  pairs of src (batch, s) and tgt (batch, t) int64, tgt from bos to eos, no padding
        result   one loss per batch: the mean over its predicted tokens, before the step
    """
    ### BEGIN SOLUTION
    model.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses
    ### END SOLUTION


# %% test="train" folded="Visible checks: train"
def silent_model():
    """A TinyModel whose logits are all 0, so that it finds every token equally likely."""
    model = TinyModel(VOCAB)
    for parameter in model.parameters():
        nn.init.zeros_(parameter)
    return model


class Listener(TinyModel):
    """A TinyModel that remembers which target it read last."""

    def forward(self, src, tgt):
        self.read = tgt
        return super().forward(src, tgt)


def ideas():
    torch.manual_seed(0)
    src, guessing = digits(torch.tensor([12345, 90210])), math.log(VOCAB)
    batch = (src.clone(), backwards(src))
    losses = train(silent_model(), [batch, batch, batch], lr=0.0)
    yield (
        "a list with one loss per batch comes back",
        isinstance(losses, list) and len(losses) == 3,
        f"For three batches yours is {losses}.",
    )
    kinds = sorted({type(loss).__name__ for loss in losses})
    yield (
        "each loss is a float",
        all(isinstance(loss, float) for loss in losses),
        f"Yours: {kinds}.",
    )
    is_mean = all(abs(loss - guessing) < 1e-4 for loss in losses)
    yield (
        "the loss is the cross-entropy, the mean over all predicted tokens",
        is_mean,
        f"Where all {VOCAB} tokens are equally likely it is log({VOCAB}) = {guessing:.4f}, and with lr=0 "
        f"it stays; yours: {losses}",
    )
    parrot = silent_model()
    nn.init.eye_(parrot.last).data.mul_(20)  # sure that each token is followed by itself
    loss, softened = train(parrot, [batch], lr=0.0)[0], math.log(math.e + VOCAB - 1)
    yield (
        "each position predicts the token after the one it reads",
        abs(loss - 20) < 0.1,
        SEE_ABOVE
        if not is_mean
        else f"This model repeats what it reads and is always wrong, by 20 each time, but your loss is {loss:.4f}."
        + (
            " That comes out of proportions; `cross_entropy` takes logits."
            if abs(loss - softened) < 0.1
            else " Does each row of your logits stand beside its own target, of the same sentence and place?"
            if 1 < loss < 19
            else ""
        ),
    )
    model = Listener(VOCAB)
    train(model, [batch], lr=0.0)
    yield (
        "the model reads the target's tokens, from BOS on",
        torch.equal(model.read[:, :6], batch[1][:, :6]),
        f"As target it should read {batch[1][0, :6].tolist()}, and yours reads "
        f"{model.read[0, :6].tolist()}.",
    )
    zeros = torch.zeros(1, 5, dtype=torch.int64)
    loss = train(parrot, [(zeros, backwards(zeros))], lr=0.0)[0]
    yield (
        "the loss is the mean over all predicted tokens, EOS and the digit 0 among them",
        abs(loss - 40 / 6) < 0.01,
        "Of 00000 and EOS, this model gets four right, and it misses the first 0 and EOS by 20 each: 40 / 6 "
        f"= 6.6667, yours is {loss:.4f}.",
    )
    both = train(parrot, [batch, (zeros, backwards(zeros))], lr=0.0)
    alone = train(parrot, [batch], lr=0.0) + train(parrot, [(zeros, backwards(zeros))], lr=0.0)
    yield (
        "each loss is of its own batch alone",
        max(abs(one - other) for one, other in zip(both, alone, strict=True)) < 1e-3,
        f"With lr=0 and a batch at a time, the losses are {alone}; with both batches in one call, {both}.",
    )
    yield (
        "the batches are as they were",
        torch.equal(batch[0], src) and torch.equal(batch[1], backwards(src)),
        f"The first target was {backwards(src)[0].tolist()}, and now is {batch[1][0].tolist()}.",
    )
    first, *_, last = train(silent_model(), (batch for _ in range(4)), lr=0.1)
    yield (
        "a batch's loss is measured before the step",
        abs(first - losses[0]) < 1e-4,
        f"With lr=0, the first loss is {losses[0]:.4f}, and with lr=0.1 it is {first:.4f}.",
    )
    yield (
        "three steps make the same batch's loss smaller",
        last < first,
        f"{first:.4f} became {last:.4f}."
        + " Nothing has moved: what makes the gradients, and what takes the step?"
        * bool(first == last),
    )
    # With lr=0 nothing moves, so three equal batches have the same gradient three times.
    sizes = []
    for rounds in (1, 3):
        torch.manual_seed(1)
        model = TinyModel(VOCAB)
        train(model, [batch] * rounds, lr=0.0)
        grads = [value.grad.norm() for value in model.parameters() if value.grad is not None]
        sizes.append(sum(grads).item() if grads else 0.0)
    yield (
        "each batch has gradients of its own",
        sizes[1] < 1.5 * sizes[0] or sizes[0] == 0,
        f"After three equal batches they are {sizes[1] / max(sizes[0], 1e-9):.1f} times as large as after "
        "one. What does `backward()` do with gradients that are already there?",
    )
    runs = []
    for options in ({}, {"lr": 1e-3}):
        torch.manual_seed(2)
        runs.append(train(TinyModel(VOCAB), [batch] * 3, **options))
    yield (
        "without `lr`, the learning rate is 1e-3",
        abs(runs[0][-1] - runs[1][-1]) < 1e-5,
        f"After two steps the loss is {runs[0][-1]:.5f} without it, and {runs[1][-1]:.5f} with lr=1e-3.",
    )
    torch.manual_seed(0)
    model, losses, modes = TinyModel(VOCAB).eval(), [], set()
    model.register_forward_pre_hook(lambda model, _: modes.add(model.training))
    sources = [digits(torch.randint(100_000, (64,))) for _ in range(10)]
    for _ in range(40):
        losses += train(model, [(src, backwards(src)) for src in sources], lr=0.05)
    yield (
        "the model is in train mode while it learns",
        False not in modes,
        "It came in eval mode, and was still in it when your loop asked it.",
    )
    first, last = sum(losses[:10]) / 10, sum(losses[-10:]) / 10
    yield (
        "TinyModel gets better in 400 steps",
        last < first,
        f"Over ten batches the loss is {first:.3f} on average at first, and {last:.3f} at last.",
    )


run_checks("train", ideas)

# %% [markdown]
# ## 6. The real thing
#
# Your own model now learns to write strings backwards. First a warning.
#
# ### A race: with the mask, and without
#
# Two Transformers, made of PyTorch's parts, learn in your loop, 200 batches each. The decoder of one has no causal mask:
# it may look ahead. Afterwards both must write, where nothing stands ahead. **Predict first:** what share of 500
# unseen strings does each get right, in %?

# %%
guess_of_the_share_with_a_mask = None  # 0 to 100
guess_of_the_share_without = None  # the same

# %% folded="The race"
torch.manual_seed(0)
with needs("greedy_decode", "train"):
    race, alone, written = {}, {}, []
    order = torch.randperm(100_000)
    some, others = digits(order[:500]), digits(order[500:])
    for name, peeks in (("with the mask", False), ("looks ahead", True)):
        torch.manual_seed(0)
        runner = Runner(peeks)
        drawn = (others[torch.randint(len(others), (64,))] for _ in range(200))
        race[name] = train(runner, ((src, backwards(src)) for src in drawn))
        alone[name] = share_alone(runner, some, backwards)
        three = torch.cat([source, some[:2]])[: 3 if peeks else 1]
        said, right = greedy_decode(runner, three, BOS, EOS, 7)[:, 1:], backwards(three)[:, 1:]
        written += zip([name, "", ""], three, said, right, strict=False)
    show_curves(race, level=math.log(VOCAB))
    compare(
        "With the mask, % right:",
        round(100 * alone["with the mask"]),
        guess_of_the_share_with_a_mask,
        among=(0, 100),
    )
    share = round(100 * alone["looks ahead"])
    compare("Without, % right:", share, guess_of_the_share_without, among=(0, 100))
    if None not in (guess_of_the_share_with_a_mask, guess_of_the_share_without):
        show_strings(written)

# %% [markdown]
# <details><summary><b>After the race:</b> what did the second one learn?</summary>
#
# Some digits it finds in the source all the same. To say the others, it learned to **read** what comes next, and when it
# writes, that isn't there. No training loss shows it. Only the last position had nothing ahead of it, and
# there `EOS` was always right. In writing, every step is the last: so it often ends too soon.
# </details>
#
# ### Yours
#
# Of all 100,000 strings of five digits, 500 are kept back. Your model learns from the others, in your `train`, until 99%
# of those 500 come out right; then a little more, in smaller steps. Meanwhile we compare what it says in training with what
# it writes when it sees the beginning alone, and you hear of it if they differ. **Where training looks better than writing, it is too good to be true.**
#
# (It takes some seconds; a minute or two if you multiply embeddings by √d_model, which is as right, but lets words drown
# positions at first.) **Predict first:** what share of the other strings must it meet, in %, before 99% of those 500 come out right?

# %%
guess_of_the_share_met = None  # in %

# %%
torch.manual_seed(0)
shuffled = torch.randperm(100_000)
kept_back, for_training = digits(shuffled[:500]), digits(shuffled[500:])

model = None  # until it has learned
with needs("Transformer", "train"):
    model = learn_until_right(Transformer(VOCAB, VOCAB), train, guess_of_the_share_met)

# %% [markdown]
# Above is what it writes, and lines to where its last layer looks. It had met none of the strings kept back: it has learned
# what to *do* with a string.
#
# <details><summary>The last points of <code>train</code> are given for this: <b>how does the grader try it?</b></summary>
#
# It lets your `train` teach a `Transformer(12, 12)` of yours, as above, until strings that it hasn't met come out
# right, or for 1,700 batches. Then a decoder of the grader's writes 500 others. The digits of the sources are renamed:
# 3 may stand for 8, everywhere, which takes no longer to learn. **Full points from 95% of the strings right; below
# that, in proportion.** It gives you four minutes.
# </details>
#
# ### A rule of yours
#
# Nothing in it knows of "backwards". Teach another one a rule of your own, perhaps one that no Transformer has ever met: a
# function that turns five digits into a list of digits, always of the same length. (Or steal one. No points; a hundred
# batches take about three seconds.)


# %%
def my_rule(digits):
    return sorted(digits)
    # or [(digit + place) % 10 for place, digit in enumerate(digits)]: a secret code
    # or [abs(a - b) for a, b in zip(digits, digits[1:])]: from neighbour to neighbour
    # or [int(digit == max(digits)) for digit in digits]: where is the largest?


my_string, my_batches = "50217", 300
my_model = None  # until it has learned

# %%
with needs("Transformer", own="train"):
    torch.manual_seed(0)
    my_model, film = taught(Transformer(VOCAB, VOCAB), train, my_rule, my_batches, my_string)
    show_rule(film, my_rule, my_string)

# %% [markdown]
# ## 7. Into the heads
#
# The film ends in a cross: to write each digit, the last layer (layer 1) looks where it stands in 50217. One string may be a
# coincidence. So take the average over the 500 strings kept back, in which any digit may stand anywhere.
# **Predict first:** what becomes of the cross?

# %%
guess_of_the_cross = None  # "stays", "blurs" or "goes"

# %% folded="Each head, on average"
with needs("Transformer", "train"):
    if cross_attention(trained(), source):  # or there is nothing to look at
        fate, among = fate_of_the_cross(trained()), ["stays", "blurs", "goes"]
        if fate is None:
            print("There is no cross yet: this model\nhasn't learned the task.")
        else:
            compare("In the last layer, the average cross", fate, guess_of_the_cross, among=among)
        if guess_of_the_cross is not None:
            show_average_heads(trained(), kept_back)

# %% [markdown]
# (Lines that cross are a stripe here. If your `multihead_attn` has another name, plot its
# weights yourself.)
#
# **Frozen.** Now the weights depend on the string no more: for all 500, each head keeps those of the picture above. (A
# third run, for comparison, gives all places the same weight.) **Predict first:** what share still comes out right, in %, with frozen heads?

# %%
guess_of_the_share_frozen = None  # in %

# %% folded="Frozen heads"
with needs("Transformer", "train"):
    if cross_attention(trained(), source):  # or there is nothing to freeze
        right = backwards(source)

        def writes(model):
            return share_alone(model, kept_back, backwards), said_alone(model, source, right)[0]

        found = {
            "learned": writes(trained()),
            "frozen": frozen(trained(), kept_back, backwards, writes),
            "all alike": frozen(trained(), kept_back, backwards, writes, alike=True),
        }
        share = round(100 * found["frozen"][0])
        compare("Frozen, % right:", share, guess_of_the_share_frozen, among=(0, 100))
        if guess_of_the_share_frozen is not None:
            own, average = (
                cross_attention(trained(), src)[-1].mean(dim=0) for src in (source, kept_back)
            )
            looks = own, average, torch.full_like(own, 1 / own.shape[1])
            panels = {
                f"{name}: {share:.0%}": (weights, said)
                for (name, (share, said)), weights in zip(found.items(), looks, strict=True)
            }
            show_under_weights(panels, string, right[0, 1:])

# %% [markdown]
# **Other lengths.** In training, all strings had five digits. **Predict first:** what does it write for 5251? What share
# of all strings with four digits will it get right, in %? And with six?

# %%
guess_of_what_it_writes = None  # for 5251, such as "1525"
guess_of_four_digits = None  # in %
guess_of_six_digits = None  # in %

# %% folded="Other lengths"
with needs("Transformer", "train", "greedy_decode"):
    rows, found = [], {}
    for length in (4, 5, 6):
        src = kept_back if length == 5 else digits(torch.randint(10**length, (500,)), length)
        found[length] = share_alone(trained(), src, backwards)
        shown = torch.tensor([[5, 2, 5, 1]]) if length == 4 else src[:1]
        _, *written = greedy_decode(trained(), shown, BOS, EOS, 8)[0].tolist()
        title = f"{length} digits: {found[length]:.1%}"
        rows.append((title, shown[0], written, backwards(shown)[0, 1:]))
    said = "".join(named(token) for token in rows[0][2] if token != EOS)
    guess = guess_of_what_it_writes
    compare("For 5251 it writes", said, guess if guess is None else str(guess))
    compare("Four digits, % right:", round(100 * found[4]), guess_of_four_digits, among=(0, 100))
    compare("Six digits, % right:", round(100 * found[6]), guess_of_six_digits, among=(0, 100))
    if None not in (guess_of_what_it_writes, guess_of_four_digits, guess_of_six_digits):
        show_strings(rows)

# %% [markdown]
# ### Written answer: `read_the_heads`
#
# Look at the heads on average, and at the two experiments. What has your model learned?
#
# 1. Which pattern does the task call for, and which heads show it?
# 2. What do the heads share, and where do they, or the layers, differ? And the last row, which has to say `EOS`?
# 3. Take a head that shows the pattern. What decides where it looks: the digits of the string, or their places alone?
#    Say what tells you.
# 4. Use the other lengths: what has the model *not* learned?
#
# Six to ten sentences.

# %% [markdown] written="read_the_heads" points=4
# (The heads differ from run to run; this is what ours looked like.)
#
# **Pattern.** To write the reverse, step *i* needs the digit at place 4 − *i*: the row of `BOS`
# should look at the last column, the next row at the one before it, and so on, a stripe from the
# upper right to the lower left. All our heads share it, those of layer 1 show it most sharply.
#
# **Where they differ, and the last row.** In layer 0 the stripe is blurred: its heads look at the
# neighbours as well. In layer 1 it is sharper: head 2 has 79% of its weight on the right digit, head 1
# has 71%. The blur does no harm: most of the weight is in the right place, several heads find the same
# digit, and the residual carries on what both layers have found. The last row, which has to say `EOS`,
# has no digit left to fetch, so it doesn't matter where it looks; ours mostly stays where the row above
# it looked.
#
# **Places alone.** The average over 500 strings of different digits shows the same stripe. If the
# digits decided, the head would look elsewhere in each string, and the average would be flat. So
# queries and keys compare places: "I write step *i*" meets "I stand at 4 − *i*". The digit is only
# what is fetched there: the value. And frozen, with the same weights for every string, the model
# loses nothing; all places alike, it loses everything.
#
# **Not learned.** Strings of four or six digits go wrong: of six it writes the first five backwards
# and ends. The model has learned "step *i* fetches place 4 − *i*, and after five digits comes
# `EOS`", not "begin at the end", since no string in training told the two apart.
#
# **Rubric**
#
# - 1 point: describes the stripe (step *i* looks at place 4 − *i*) and says which heads show it (all, if all do).
# - 1 point: describes where a head or a row differs (another pattern, diffuse, the row of `EOS`) and
#   says why that does no harm.
# - 1 point: the places alone, since the average over many strings keeps the stripe, which digits
#   would blur (or: frozen to these weights, it writes as well as before; or: the same for strings with
#   equal digits). That the value fetched is a digit may be added. Of a head whose stripe is blurred in the average, "the digits, too" is right, if the answer says so.
# - 1 point: other lengths fail; what was learned holds for five places and is no general rule of
#   reversing.

# %% [markdown]
# ### A head is born
#
# Now songs without sense: 6 to 12 random letters, over and over, and now and then some are skipped. No place is the right one
# in all of them. Two of your `DecoderBlock`s, with a single head each and nothing to translate, learn to say what comes next;
# so does one block alone. **Predict first:** in the end, what share of the repeated letters does each foresee, in %?

# %%
guess_of_two_blocks = None  # in %
guess_of_one_block = None  # in %
my_song = "TRIANGLES"  # 6 to 12 different letters: PLANET, SUNFLOWER, BLACKSMITH, …

# %% folded="Two blocks learn to copy, and one: a quarter of a minute"
copier = None  # until it has learned
torch.manual_seed(0)
with needs("DecoderBlock"):
    song = as_song(my_song)
    copier, single = Copier(DecoderBlock, 2), Copier(DecoderBlock, 1)
    two, one = learn_to_copy(copier, song), learn_to_copy(single, song, steps=330)
    for name, film, guess in (
        ("Two blocks foresee, in %:", two, guess_of_two_blocks),
        ("One block, in %:", one, guess_of_one_block),
    ):
        compare(name, round(100 * film[-1][1]), guess, among=(0, 100))
    if None not in (guess_of_two_blocks, guess_of_one_block):
        show_birth(two, one, song)

# %% [markdown]
# <details><summary><b>After the run:</b> what can two blocks do that one can't?</summary>
#
# For a long time nearly nothing happens; then two heads find each other. In the first block, a letter takes in a trace of
# those before it. In the second it asks "who came right after me, last time?" With one block, a key knows its own letter and
# place, and not who stood before it: it can guess among the letters of the song: one in eight, if there are eight.
# </details>

# %% [markdown]
# Large language models have such **induction heads**, too: they go on with a name that they have met only once
# ([Olsson et al. 2022](https://arxiv.org/abs/2209.11895)).
#
# Here is the picture from the top, to keep and to show: by *your* model, of five digits that mean something to you, and
# of your song.

# %%
my_digits, my_name = "50217", ""  # your name stands above it

# %%
with needs("Transformer", "train"):
    show_keepsake(my_digits, my_name, song if copier else None)

# %% [markdown]
# **That is the homework.** Before you hand in: restart the kernel, run all cells, and see that every visible check
# passes. (Set `BORROW` back to `False` first.)

# %% [markdown]
# ## Epilogue
#
# No points, and no need to do it all. **Ten minutes?** Play B: break your model. **Half an hour?** Let it add in A, and look
# into the head that was born in E. **An evening?** C and D lead to a GPT of your own. And F hunts mistakes.

# %% [markdown]
# ### A. Your rule, frozen, and sums (15 minutes)
#
# **Does your rule need attention?** Freeze the heads of `my_model`, too, as in part 7. **Predict first:** what share of the
# strings stays right, in %?

# %%
guess_of_my_rule_frozen = None  # in %

# %% folded="Your rule with frozen heads"
with needs("Transformer", own="train"):
    if has_heads(my_model):
        targets = targets_of(my_rule)
        share = frozen(
            my_model, kept_back, targets, lambda model: share_alone(model, kept_back, targets)
        )
        compare(
            "Frozen, by your rule, % right:",
            round(100 * share),
            guess_of_my_rule_frozen,
            among=(0, 100),
        )
        if guess_of_my_rule_frozen is not None:
            one, other = ((my_model, targets, src) for src in kept_back[:2])
            show_crossings({"one string": one, "another": other})

# %% [markdown]
# <details><summary><b>After the run:</b> what does it say beside the number of part 7?</summary>
#
# Backwards loses nothing: each step looks at the same place in every string, as in any rule that goes by places. A sorter
# loses most: its heads look elsewhere in each string, so where to look is read from the string itself. *That* is what queries
# and keys are for.
# </details>

# %% [markdown]
# **Can it add?** One model should say the **last digit of the sum**: 5 0 2 1 7 → 5. Another should say **all the sums on the
# way**, each without its tens: → 5 5 7 8 5. That is five times as much to get right, and the last digit is the same.
# **Predict first:** after equally many batches (400, or more where it learns slowly), what share of unseen strings does each
# get right, in %?


# %%
def last_digit(digits):
    return [sum(digits) % 10]


def on_the_way(digits):
    return [sum(digits[: place + 1]) % 10 for place in range(5)]


guess_of_the_last_digit_alone = None  # in %
guess_of_all_sums_on_the_way = None  # in %

# %% folded="Two models learn to add: half a minute"
with needs("Transformer", own="train"):
    for batches in (400, 1_200):
        adders = two_adders(batches, (last_digit, on_the_way))
        shares = {rule: list(film.values())[-1][2] for rule, (_, film) in adders.items()}
        if shares[on_the_way] > 0.9:
            break
        print(f"{batches:,} batches: neither has learned it yet.")
    curves, looks = {}, {}
    for rule, guess in (
        (last_digit, guess_of_the_last_digit_alone),
        (on_the_way, guess_of_all_sums_on_the_way),
    ):
        (adder, film), share = adders[rule], shares[rule]
        compare(f"{rule.__name__}, % right:", round(100 * share), guess, among=(0, 100))
        curves[f"{rule.__name__}: {share:.0%}"] = [(n, right) for n, (*_, right) in film.items()]
        looks[rule.__name__] = adder, targets_of(rule), source[0]
    if None not in (guess_of_the_last_digit_alone, guess_of_all_sums_on_the_way):
        show_shares(curves)
        if cross_attention(adder, source):
            show_crossings(looks)

# %% [markdown]
# <details><summary><b>After the run:</b> why so?</summary>
#
# Each step on the way needs two digits: the last sum, which stands there already, and one more of the source. (The first
# layer looks, too; the picture shows the last.) For the sum at once, all five must be added inside. **What is written down can be read again.** Large models, too, do better
# when they "think step by step" ([Kojima et al. 2022](https://arxiv.org/abs/2205.11916)).
# </details>

# %% [markdown]
# ### B. A game: break it with as few heads as you can (10 minutes)
#
# We take away what some heads hand over (their columns of `out_proj`, your `W_O` of hw2). The model is broken when more
# than one in ten of the unseen strings goes wrong. It has two layers of four heads. **Predict first:** how many must go,
# at least? And which layer is easier to spare?

# %%
guess_of_the_fewest_heads = None  # 1 to 8
guess_of_the_layer_it_can_spare = None  # 0 or 1
switched_off = [(1, 0)]  # pairs (layer, head), as many as you like: play with them


# %% folded="The game: your choice"
with needs("Transformer", "train"):
    if has_heads(model := trained()):
        heads = [
            (layer, head)
            for layer, part in enumerate(cross_attention(model, source))
            for head in range(len(part))
        ]
        three, right = kept_back[:3], backwards(kept_back[:3])
        switched_off = among_heads(switched_off, heads)
        said = without(model, switched_off, lambda model: said_alone(model, three, right))
        rows = list(zip(three, said, right[:, 1:], strict=True))
        show_switches(heads, switched_off, share_without(model, switched_off), rows)

# %% [markdown]
# The next cell tries all sets, in some seconds.

# %% folded="The answer: all sets of heads, the small ones first"
with needs("Transformer", "train"):
    if has_heads(model := trained()):
        tried = {}
        for count in range(1, len(heads) + 1):
            shares = {
                off: share_without(model, off) for off in itertools.combinations(heads, count)
            }
            breaking = min(shares, key=shares.get)
            tried[f"at worst, {count} off"] = heads, breaking, shares[breaking]
            if shares[breaking] < 0.9 or count == 4:
                break
        fewest = count if shares[breaking] < 0.9 else "more than 4"
        compare("Fewest heads that break it:", fewest, guess_of_the_fewest_heads, among=(1, 8))
        layers = {
            layer: share_without(model, [each for each in heads if each[0] == layer])
            for layer in sorted({layer for layer, _ in heads})
        }
        spared = max(layers, key=layers.get)
        compare(
            "It does better without layer", spared, guess_of_the_layer_it_can_spare, among=layers
        )
        if None not in (guess_of_the_fewest_heads, guess_of_the_layer_it_can_spare):
            for layer, share in layers.items():
                off = [each for each in heads if each[0] == layer]
                tried[f"no layer {layer}"] = heads, off, share
            show_sets_off(tried)

# %% [markdown]
# One that isn't missed needn't be idle: where several do the same work, each of them can be spared
# ([Michel et al. 2019](https://arxiv.org/abs/1905.10650)).

# %% [markdown]
# ### C. From your block to GPT (15 minutes)
#
# In part 2 your block wrote with a cross-attention that added nothing. GPT leaves it out. `CausalBlock` inherits what you
# built; what is left is self-attention with `norm1`, and the feed-forward network with `norm2`. Write its `forward`: yours,
# without a third of it. (Leave the dropout in: part D needs it.)


# %%
class CausalBlock(DecoderBlock):
    """A decoder block without a memory: x (batch, t, d_model) → the same shape."""

    def __init__(self, d_model=64, n_heads=4, d_ff=256, dropout=0.0):
        super().__init__(d_model, n_heads, d_ff, dropout)
        del self.multihead_attn, self.norm3

    def forward(self, x):
        raise NotImplementedError("CausalBlock: your turn")


# %% folded="Checks of CausalBlock"
@torch.no_grad()
def ideas():
    torch.manual_seed(0)
    x, block = torch.randn(2, 9, 64), CausalBlock().eval()
    for value in block.parameters():
        value.add_(0.1 * torch.randn_like(value))
    output = block(x)
    yield (
        "the shape stays",
        output.shape == x.shape,
        f"{tuple(x.shape)} went in, {tuple(output.shape)} came out.",
    )
    changed = x.clone()
    changed[:, 5] += 1
    moved = (block(changed) - output).abs().amax(dim=(0, 2))
    yield (
        "no token sees a later one",
        moved[:5].max() < 1e-5,
        f"Token 5 was changed, and tokens {moved[:5].gt(1e-5).nonzero().flatten().tolist()} noticed.",
    )
    yield (
        "each later one sees it",
        moved[5:].min() > 1e-6,
        "Token 5 was changed, and some token after it didn't notice.",
    )
    theirs = nn.TransformerEncoderLayer(64, 4, 256, dropout=0.0, batch_first=True).eval()
    theirs.load_state_dict({name: block.state_dict()[name] for name in theirs.state_dict()})
    later = nn.Transformer.generate_square_subsequent_mask(9)
    yield (
        "the values are those of nn.TransformerEncoderLayer under a causal mask",
        torch.allclose(output, theirs(x, src_mask=later), atol=1e-4),
        "Two sublayers, and after each of them: add, then its norm. Which differs?",
    )


try_ideas("CausalBlock", ideas)


# %%
class LanguageModel(nn.Module):
    """Says which token comes next: tokens (batch, t) → logits (batch, t, vocab)."""

    def __init__(self, vocab=512, d_model=64, n_heads=4, d_ff=256, n_layers=2, dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocab, d_model)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)  # or it drowns the positions
        sizes = (d_model, n_heads, d_ff, dropout)
        self.layers = nn.ModuleList(CausalBlock(*sizes) for _ in range(n_layers))
        self.head = nn.Linear(d_model, vocab)

    def forward(self, tokens):
        d_model = self.embedding.embedding_dim
        x = self.embedding(tokens) * math.sqrt(d_model)
        x = x + positional_encoding(tokens.shape[1], d_model)
        for block in self.layers:
            x = block(x)
        return self.head(x)


# %% [markdown]
# The model from the top has the names that yours has, so its 166,016 numbers fit. How much smaller have the blocks become, and
# what is lost?

# %%
with needs("CausalBlock"):
    mine = LanguageModel().eval()
    mine.load_state_dict(text_weights())
    show_what_is_spared(mine, my_beginning)

# %% [markdown]
# ### D. Train one yourself (5 minutes, and some to wait)
#
# Your blocks can learn such weights from nothing, **in your own `train`**: from Python's manual, or from any English
# text of yours of 100 kB or more. With `steps = 600` it takes about a minute and begins to spell; with 2,000 it
# takes a few minutes and learns to write. (The model from the top took 9,000.)

# %%
my_file = None  # the path of a text file of yours, such as "poems.txt"
steps = 600  # 2_000 takes a few minutes

# %%
text = english_manual() if my_file is None else Path(my_file).read_text("utf-8")
with needs("CausalBlock", own="train"):
    wait_for("CausalBlock", "DecoderBlock", "causal_mask", "train")
    torch.manual_seed(0)
    own_model = learn_to_write(LanguageModel(dropout=0.1), train, text, steps, my_words)

# %% [markdown]
# ### E. The head that copies, by hand (10 minutes)
#
# After … *the cat* … *the*, an induction head looks at *cat*. Write down where an ideal one looks: row *i* has a 1 at each
# place up to *i* whose **predecessor** is the same token as token *i*. In `[7, 4, 5, 7]`, for example, the last row is
# 0 1 0 0: the token before place 1 is also a 7.


# %%
def induce(tokens):
    """Return where an ideal induction head looks, (n, n), for integer tokens (n,)."""
    raise NotImplementedError("induce: your turn")


# %% folded="Checks of induce"
def ideas():
    looks = induce(torch.tensor([7, 4, 5, 7]))
    yield (
        "the shape is (n, n)",
        looks.shape == (4, 4),
        f"Here (4, 4), yours is {tuple(looks.shape)}.",
    )
    yield (
        "the second 7 looks at what followed the first",
        looks[3].tolist() == [0, 1, 0, 0],
        f"{looks[3]}",
    )
    yield "a new token looks nowhere", looks[:3].sum() == 0, f"{looks[:3]}"
    torch.manual_seed(0)
    half = torch.randperm(20)
    looks = induce(torch.cat([half, half]))
    yield "no token looks ahead", looks.triu(1).sum() == 0, "Some token looks at a later one."
    following = looks[20:39].float().argmax(dim=1)
    right = torch.equal(torch.cat([half, half])[following], half[1:])
    yield (
        "what was said once can be said again",
        right,
        f"The second half looks at {following.tolist()}.",
    )


try_ideas("induce", ideas)

# %% [markdown]
# Does the head of part 7 look where your `induce` does? (In the first half there is nothing to find: see where it rests.
# Homework 4 has a name for it.) And what is left without it, or without its partner?

# %% folded="The ideal head beside the one that was learned"
with needs("DecoderBlock", own="induce"):
    wait_for("DecoderBlock", "causal_mask", "induce")
    if copier is None:
        raise NotYet("○ Run the cell of part 7 first, in which two blocks learn to copy.")
    looks, ideal = weights_of(copier, "self_attn", song)[1][0], induce(song[0]).float()
    show_grids(
        {"your ideal head": ideal, "the second block's": looks},
        letters(song),
        letters(song),
        says="Where an ideal induction head looks, and that of the second block; weights in hundredths.",
        looks="who reads",
        seen="who is looked at",
    )
    share = (looks * ideal)[song.shape[1] // 2 :].sum(dim=1).mean()
    print(wrapped(f"In the second half, {share:.0%} of its weight lies where yours looks."))
    left = {
        "both heads": copier,
        "without this one": without_attention(copier, 1),
        "without its partner": without_attention(copier, 0),
    }
    foreseen_by = {name: 100 * foreseen(model) for name, model in left.items()}
    show_bars_of(foreseen_by, "Repeated letters foreseen", unit="%", say="{:.0f}".format, full=100)

# %% [markdown]
# Here much of today's research begins: heads in pairs, designed by nobody, that do together what none can do alone.

# %% [markdown]
# ### F. Two hunts (10 and 30 minutes)
#
# **Catch wrong masks.** Write three examples for somebody else's `causal_mask`, each a number of tokens and a function
# that says whether a mask for that many tokens could be right. This one says that the second of two tokens may look at the
# first, and lets a mask pass that hides nothing:
#
# ```python
# (2, lambda mask: bool(mask[1, 0]))
# ```
#
# `.all()` and `.any()` reduce several entries to one; `torch.equal` compares two tensors. A mask should be a **boolean
# tensor of shape `(n, n)`**, and no other kind. The grader runs right masks, which must pass, and ten wrong ones. How
# many do you catch?
#
# IDEAS_OF_causal_mask_examples


# %% solution="causal_mask_examples"
def causal_mask_examples():
    """Return three examples for a causal mask: a list of pairs (n, holds).

    n: how many tokens there are, from 1 to 32.
    holds: a function that takes what somebody's causal_mask(n) returns, a boolean tensor (n, n) if
    it is right, and returns True if it may be right and False if it can't be.
    """
    ### BEGIN SOLUTION
    three = [[True, False, False], [True, True, False], [True, True, True]]
    return [
        (3, lambda mask: mask.dtype == torch.bool and mask.tolist() == three),
        (1, lambda mask: mask.shape == (1, 1)),
        (6, lambda mask: mask.shape == (6, 6) and mask.sum() == 21),
    ]
    ### END SOLUTION


# %% test="causal_mask_examples" folded="Visible checks: causal_mask_examples"
from itertools import pairwise
from numbers import Integral


def ideas():
    wrong = {
        "that hides nothing": lambda n: torch.ones(n, n, dtype=torch.bool),
        "in which each sees itself alone": lambda n: torch.eye(n, dtype=torch.bool),
        "in which each sees what comes later": lambda n: torch.ones(n, n).triu().bool(),
    }
    examples = causal_mask_examples()
    are_pairs = isinstance(examples, (list, tuple)) and all(
        isinstance(each, (list, tuple)) and len(each) == 2 for each in examples
    )
    yield (
        "three pairs come back",
        are_pairs and len(examples) == 3,
        "Return a list of three pairs, [(n, holds), …]: you return "
        f"{type(examples).__name__}{f' of {len(examples)}' if are_pairs else ''}.",
    )
    if not are_pairs:
        return
    for number, (n, holds) in enumerate(examples, 1):
        is_size = isinstance(n, Integral) and 1 <= n <= 32
        yield (
            f"example {number}: a number of tokens and a function",
            is_size and callable(holds),
            "The first part should be a whole number from 1 to 32, the second a function, such as "
            f"`lambda mask: …`. Yours are {n!r} and {type(holds).__name__}.",
        )
        if not (is_size and callable(holds)):
            return
        try:
            answer = holds(torch.ones(n, n, dtype=torch.bool))
        except AssertionError:  # another way to say no
            answer = False
        is_single = str(getattr(answer, "dtype", "")) in ("bool", "torch.bool") and answer.ndim == 0
        says = isinstance(answer, bool) or is_single
        yield (
            f"example {number}: the function says True or False",
            says,
            f"It returns {answer!r}. Is there a `return`? And of several entries, `.all()` and `.any()` "
            "make one.",
        )
        if not says:
            return

    def passes(make_mask, n, holds):
        try:
            return bool(holds(make_mask(n)))
        except Exception:
            return False

    for words, make_mask in wrong.items():
        catching = [n for n, e in enumerate(examples, 1) if not passes(make_mask, *e)]
        yield (
            f"a mask {words} is caught" + (f" by {catching}" if catching else ""),
            bool(catching),
            "All your examples let it pass. Draw the right mask for three tokens: which entry differs?",
        )
    if "causal_mask" in globals() and not is_unsolved("causal_mask"):
        failing = [n for n, e in enumerate(examples, 1) if not passes(causal_mask, *e)]
        codes = [getattr(holds, "__code__", holds) for _, holds in examples]
        is_looped = any(code is other for code, other in pairwise(codes))
        yield (
            "your own mask passes your examples",
            not failing,
            f"It doesn't pass {failing}. One of the two is wrong, your example or your mask: which?"
            + " (A function that is made in a loop sees the last `n` of the loop.)" * is_looped,
        )


run_checks("causal_mask_examples", ideas, graded=False)

# %% [markdown]
# **Find another bug.** Below is somebody's multi-head attention with one mistake, chosen by your id. **Find
# an input on which it shows**: for which inputs does the wrong line change nothing? Choose one that is none of these.

# %% setup="bugs" folded="Behind the scenes: everybody's bug" include="bugs of find_another_bug"

# %%
my_bug("")  # your id between the quotes: the one that you hand in with

# %% [markdown]
# Return your id, an input `(n_heads, query, key, value, mask)` on which your bug returns something else than it should,
# and a sentence that says what is wrong (for you: nobody grades it). `n_heads` divides `d_model`; each query may attend
# to some key (`True` = *may attend*); weights are random, and a difference of less than a thousandth could be rounding.
#
# For example, `("ada", (1, x, x, x, None), "It forgets …")` with `x = torch.zeros(1, 2, 4)` has the right form, but
# hardly any bug shows there. The last check says whether yours does.
#
# IDEAS_OF_find_another_bug


# %% solution="find_another_bug"
def find_another_bug() -> tuple[str, tuple, str]:
    """Return (student_id, (n_heads, query, key, value, mask), sentence): there, the bug shows.

    query: (batch, n_q, d_model).  key, value: (batch, n_k, d_model). Sizes up to 16, entries up to
    100 in size.  mask: None, or bool, broadcastable to (batch, n_heads, n_q, n_k).
    The sentence says in your words what is wrong.
    """
    ### BEGIN SOLUTION
    draw = torch.Generator().manual_seed(0)
    query, key, value = (20 * torch.randn(2, n, 8, generator=draw) for n in (3, 5, 5))
    mask = torch.tensor([[1, 0, 0, 0, 0], [1, 1, 0, 0, 1], [0, 1, 1, 1, 0]], dtype=torch.bool)
    why = "What it is depends on the id; on this input, each of them shows."
    return "instructor", (2, query, key, value, mask), why
    ### END SOLUTION


# %% test="find_another_bug" folded="Visible checks: find_another_bug"
def ideas():
    found = find_another_bug()
    yield (
        "three things come back",
        isinstance(found, (tuple, list)) and len(found) == 3,
        "They should be your id, the input, and a sentence.",
    )
    student_id, given, sentence = found
    yield (
        "your id is a text",
        isinstance(student_id, str) and bool(student_id.strip()),
        f"Yours is {student_id!r}. It should be the one that you gave to `my_bug`.",
    )
    yield (
        "there is a sentence",
        isinstance(sentence, str) and bool(sentence.strip()),
        "Say in your own words what is wrong.",
    )
    five = isinstance(given, (tuple, list)) and len(given) == 5
    yield (
        "the input has five parts",
        five,
        "They should be (n_heads, query, key, value, mask); the mask may be None.",
    )
    if not five:
        return
    n_heads, query, key, value, mask = given
    are_tensors = all(
        isinstance(each, torch.Tensor) and each.dim() == 3 for each in (query, key, value)
    )
    yield (
        "query, key and value are tensors with three axes",
        are_tensors,
        f"Yours are {[type(each).__name__ for each in (query, key, value)]}.",
    )
    if not are_tensors:
        return
    shapes = [tuple(each.shape) for each in (query, key, value)]
    yield (
        "they share batch and d_model, each key has a value, and no size is above 16",
        shapes[1] == shapes[2]
        and shapes[0][::2] == shapes[1][::2]
        and all(1 <= size <= 16 for shape in shapes for size in shape),
        f"Yours are {shapes}.",
    )
    yield (
        "all entries are numbers from -100 to 100",
        all((each.abs() <= 100).all() for each in (query, key, value)),
        "Even the largest need no more.",
    )
    yield (
        "n_heads divides d_model",
        isinstance(n_heads, int) and n_heads > 0 and query.shape[2] % n_heads == 0,
        f"Yours are {n_heads} and {query.shape[2]}.",
    )
    is_mask = isinstance(mask, torch.Tensor) and mask.dtype == torch.bool and mask.dim() >= 2
    if mask is not None:
        yield "the mask is a tensor of booleans", is_mask, "It needs two axes at least, or be None."
    if is_mask:
        wanted = (query.shape[0], n_heads, query.shape[1], key.shape[1])
        try:
            fits = torch.broadcast_shapes(mask.shape, wanted) == wanted
        except RuntimeError:
            fits = False
        yield "it broadcasts", fits, f"{tuple(mask.shape)} doesn't broadcast to {wanted}."
        yield (
            "each query may attend to some key",
            mask.any(dim=-1).all(),
            "Row i is what i may see.",
        )
    off = how_far_off(bug_of(student_id), n_heads, query.float(), key.float(), value.float(), mask)
    yield (
        "on this input, your bug and a right attention differ",
        off >= 1e-3,
        f"They differ by {off:.2g}: not yet. For which inputs does the wrong line change nothing?",
    )


run_checks("find_another_bug", ideas, graded=False)

# %% [markdown]
# ## Sources
#
# What is linked above; A. Vaswani et al., *Attention Is All You Need*, 2017,
# [arXiv:1706.03762](https://arxiv.org/abs/1706.03762): §3.1 and fig. 1 (decoder), §3.2.3 (masks, cross-attention), §3.4
# (embeddings, logits), §3.5 (positions), §5.3, §5.4 (training); R. J. Williams, D. Zipser, 1989,
# [doi:10.1162/neco.1989.1.2.270](https://doi.org/10.1162/neco.1989.1.2.270): teacher forcing; D. P. Kingma, J. Ba,
# 2015, [arXiv:1412.6980](https://arxiv.org/abs/1412.6980): Adam; A. Radford et al., *Language Models are Unsupervised
# Multitask Learners*, 2019: GPT-2.
