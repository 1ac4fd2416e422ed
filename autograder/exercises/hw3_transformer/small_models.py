"""Small models of a student's Transformer: their sizes, inputs and logits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws

DrawTokens = Callable[..., torch.Tensor]

# All three are equal, so that axes which are mixed up cost the points of their own test alone; that
# one, and the one of shapes, have sizes of their own.
BATCH, S, T = 6, 6, 6
SRC, TGT = 23, 29  # the vocabularies are larger than d_model and d_ff: sizes mixed up show
COMMON = min(SRC, TGT)  # tokens that both have: one test alone asks for others
D_MODEL = 16
# in the order of the constructor: one test alone asks for their names
SIZES = {"d_model": D_MODEL, "n_heads": 2, "d_ff": 20, "n_layers": 2, "max_len": 9, "dropout": 0.0}
MANY = 10  # positions: where it is about length alone, they aren't asked for one by one
NOISE = 1e-4  # of the logits' spread: what moves by less has not moved


def returns_something(value: Any) -> None:
    """Require that a value came back from `forward`."""
    says = "Nothing comes back from your `forward`. Every way through it needs a `return`."
    expect.that(value is not None, says, "transformer-nothing-returned")


def small_model(student: Student, src: int = SRC, tgt: int = TGT, **sizes: Any) -> ModuleProxy:
    """Make a student's model with these vocabularies, and small unless told otherwise."""
    model: ModuleProxy = student.Transformer(src, tgt, *(SIZES | sizes).values())
    return model


def logits_of(
    model: ModuleProxy,
    src: torch.Tensor,
    tgt: torch.Tensor,
    *,
    as_long_as_any: bool = False,
    inner: bool = False,
) -> torch.Tensor:
    """Return the model's logits, (batch, t, vocab); they are finite and say something.

    What is the same for every token of the vocabulary says nothing of which is likely. A vocabulary
    of another size, or on axis 1, and logits of the last position alone, of all but the last, or of
    all positions in one long list, are the business of one test; so is a row for each token of the
    source, where logits may be `as_long_as_any`, and the list or array they may come in. Under a
    wrong mask the first token or the last may see nothing: `inner` leaves both out.
    """
    logits: Any = _tensor_in(model(src, tgt))
    returns_something(logits)
    if cuts_the_target(model, src, tgt, logits):
        logits = model(src, torch.cat([tgt, tgt[:, -1:]], dim=1))
    shape = tuple(getattr(logits, "shape", ()))
    if shape == (len(tgt), TGT) or shape == (len(tgt), 1, TGT) != (*tgt.shape, TGT):
        logits = _at_each_position(model, src, tgt)
    elif shape == (tgt.numel(), TGT):
        logits = logits.reshape(*tgt.shape, TGT)
    shape = tuple(getattr(logits, "shape", ()))
    expect.that(
        shape != tgt.shape,
        "You return a single number for each position. The logits are (batch, t, tgt_vocab): one "
        "for each token of the vocabulary.",
        "transformer-tokens-chosen",
    )
    is_turned = shape == (len(tgt), TGT, tgt.shape[1])
    is_of_source = shape[:2] == src.shape != tgt.shape and len(shape) == 3
    expect.that(
        as_long_as_any or not is_of_source,
        "You return a row of logits for each token of the source. The logits are (batch, t, "
        "tgt_vocab): a row for each token of the target.",
        "transformer-rows-of-the-source",
    )
    has_positions = len(shape) == 3 and (is_turned or is_of_source or shape[:2] == tgt.shape)
    wanted = shape if has_positions else (*tgt.shape, TGT)
    expect.array(logits, wanted, "tensor", "The logits are (batch, t, tgt_vocab).")
    logits = logits.transpose(1, 2) if is_turned else logits
    logits = logits[:, 1:-1] if inner else logits
    expect.that(
        bool(logits.isfinite().all()),
        "There are nan or infinities among your logits. Softmax makes nan of a row in which "
        "every score is −∞. Is there a token that may look at nothing?",
        "transformer-not-finite",
    )
    assert logits.std(dim=-1).min() > 1e-6, "At some position all tokens get the same logit."
    found: torch.Tensor = logits
    return found


def is_cut_off_at_zero(logits: torch.Tensor) -> bool:
    """Tell whether no logit is negative and some are 0, as after a ReLU."""
    return bool((logits >= 0).all() and (logits == 0).any())


def cuts_the_target(model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor, logits: Any) -> bool:
    """Tell whether the model cuts off the last token: its row is missing, and nobody reads it."""
    batch, t = tgt.shape
    if tuple(getattr(logits, "shape", ())) != (batch, t - 1, TGT):
        return False
    after: Any = model(src, other_token(tgt, -1))
    return after.shape == logits.shape and not bool(moved(after, logits).any())


def _tensor_in(value: Any) -> Any:
    """Return the logits that came in a NumPy array or in lists; anything else as it is."""
    if not isinstance(value, (np.ndarray, list)):
        return value
    try:
        return torch.as_tensor(np.asarray(value, dtype=np.float32))
    except (TypeError, ValueError):
        return value


def _at_each_position(model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
    """Return the logits of a model that answers for the last position alone: (batch, t, vocab)."""
    lengths = range(1, tgt.shape[1] + 1) if tgt.shape[1] < MANY else [tgt.shape[1]] * tgt.shape[1]
    answers = {length: _tensor_in(model(src, tgt[:, :length])) for length in set(lengths)}
    for length, answer in answers.items():
        if tuple(getattr(answer, "shape", ())) == (len(tgt), 1, TGT):
            answers[length] = answer.squeeze(1)
        expect.array(
            answers[length], (len(tgt), TGT), "tensor", "The logits are (batch, t, tgt_vocab)."
        )
    return torch.stack([answers[length] for length in lengths], dim=1)


def moved(after: torch.Tensor, before: torch.Tensor, least: float = NOISE) -> torch.Tensor:
    """Tell for each sequence and position whether its logits moved: (batch, t) bool.

    They have if one moved by more than `least` times the spread of all.
    """
    return (after - before).abs().amax(dim=-1) > least * before.std()


@dataclass(frozen=True)
class Asked:
    """A model, a source, a target, and the logits that the model returns for them."""

    model: ModuleProxy
    src: torch.Tensor
    tgt: torch.Tensor
    logits: torch.Tensor

    def moved(
        self, src: torch.Tensor | None = None, tgt: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Tell which logits another source or target moves, (batch, t) bool; it may be shorter."""
        source = self.src if src is None else src
        target = self.tgt if tgt is None else tgt
        return moved(logits_of(self.model, source, target), self.logits[:, : target.shape[1]])


def asked(model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor) -> Asked:
    """Ask a model for its logits."""
    return Asked(model, src, tgt, logits_of(model, src, tgt))


def is_steady(model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor) -> None:
    """Require that equal calls agree, where a test goes on to look for logits that don't move."""
    laws.repeats(lambda: logits_of(model, src, tgt, as_long_as_any=True))


def other_token(tokens: torch.Tensor, place: int) -> torch.Tensor:
    """Return a copy with another token at `place`, in every sequence."""
    changed = tokens.clone()
    changed[:, place] = (changed[:, place] + 1) % COMMON
    return changed


def drawn_pair(draw_tokens: DrawTokens) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw a batch of sources and one of targets, of tokens that both vocabularies have."""
    return draw_tokens(BATCH, S, vocab_size=COMMON), draw_tokens(BATCH, T, vocab_size=COMMON)


def every_token(rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw a batch of sources and one of targets in which every token occurs that both have.

    None occurs at the first place or the last alone: what isn't read there is another test's.
    """
    src, tgt = (
        torch.cat(
            [
                torch.from_numpy(rng.permutation(BATCH * number) % COMMON).reshape(BATCH, number)
                for number in (1, length - 2, 1)
            ],
            dim=1,
        )
        for length in (S, T)
    )
    return src, tgt


def are_mixed(
    model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor, *, inner: bool = False
) -> bool:
    """Tell whether the last sequence gets other logits when all the others change.

    Then nothing can be said of what a position sees of its own sequence.
    """
    others = [torch.cat([(tokens[:-1] + 1) % COMMON, tokens[-1:]]) for tokens in (src, tgt)]
    after, before = (logits_of(model, *given, inner=inner)[-1:] for given in (others, (src, tgt)))
    return bool(moved(after, before).any())


def gradient_of_the_loss(
    model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor, draw_tokens: DrawTokens
) -> torch.Tensor:
    """Return the gradient of a summed cross-entropy by the logits, in the shape they came in."""
    logits = logits_of(model, src, tgt)
    following = draw_tokens(*tgt.shape, vocab_size=logits.shape[-1])
    error = torch.softmax(logits, dim=-1) - nn.functional.one_hot(following, logits.shape[-1])
    shape: Any = getattr(model(src, tgt), "shape", error.shape)
    if shape == error.shape:
        return error
    if len(shape) == 2:
        return error[:, -1] if len(tgt) == shape[0] else error.reshape(shape)
    if shape == error[:, 1:].shape:
        return error[:, :-1]
    return error[:, -1:] if shape[1] == 1 else error.transpose(1, 2)


def different_tokens(draw_tokens: DrawTokens, batch: int, length: int) -> torch.Tensor:
    """Draw sequences in which no token comes twice in a row, so that an exchange of two shows."""
    starts = draw_tokens(batch, 1, vocab_size=COMMON)
    return (starts + 2 * torch.arange(length)) % COMMON  # which is odd


def logits_of_either_mode(
    model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor, *, is_train: bool
) -> torch.Tensor:
    """Return the logits in train mode or in eval mode."""
    (model.train if is_train else model.eval)()
    return logits_of(model, src, tgt)
