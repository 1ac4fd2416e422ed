"""The encoder that hw2 opens with, and what its notebook does with the reader's own modules."""

import re
from typing import Any

import pytest
import torch
from torch import nn

from autograder.authoring.script import LOCKED_NOTES, Script
from tests.courses import KIT, solved

HW2 = "hw2_encoder"
BEHIND = ("Behind the scenes: a small", "Behind the scenes: pictures")


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """The notebook's names after its imports, its folded cell and the solutions."""
    found: dict[str, Any] = {"__name__": "__main__", "display": lambda *_, **__: None}
    for part in Script.read(KIT, HW2).parts:
        if part.name == "imports" or part.folded.startswith(BEHIND):
            exec(part.cell.source.removesuffix(LOCKED_NOTES), found)
    for source in solved(KIT, HW2).values():
        exec(source, found)
    return found


def own(names: dict[str, Any]) -> Any:
    senses = names["senses"]
    encoder = names["Encoder"](len(senses.words), d_model=32, n_heads=4, d_ff=64, n_layers=2).eval()
    encoder.load_state_dict(senses.weights, strict=False)
    return encoder


def test_a_word_with_two_meanings_is_nearest_to_one_that_means_the_same_there(
    names: dict[str, Any],
) -> None:
    assert names["senses"].quiz() == (151, 151)


@pytest.mark.slow
def test_its_weights_fit_into_the_solution_which_then_returns_its_numbers(
    names: dict[str, Any],
) -> None:
    senses = names["senses"]
    tokens, padding = senses.numbers_of(["the bat flew at night", "she swung the bat"])
    yours = own(names)(tokens, key_padding_mask=padding)
    assert torch.allclose(yours[~padding], senses.read(tokens, padding)[~padding], atol=1e-4)


def test_without_the_root_of_d_model_it_understands_less_than_without_positions_or_mask(
    names: dict[str, Any],
) -> None:
    with torch.no_grad():
        readers = names["broken"](lambda: own(names))
        right = {name: names["senses"].quiz(reader)[0] for name, reader in readers.items()}
    assert right["all of it"] == 151
    assert right["no root"] < 100 < right["no positions"] < right["no mask"]


def test_of_all_that_can_go_residuals_are_missed_most_and_the_network_alone_is_not(
    names: dict[str, Any],
) -> None:
    with torch.no_grad():
        readers = names["broken"](lambda: own(names))
        right = {name: names["senses"].quiz(reader)[0] for name, reader in readers.items()}
    assert min(right, key=lambda name: right[name]) == "no residuals"
    assert [name for name, found in right.items() if found == 151] == ["all of it", "no network"]


def test_the_order_of_words_counts_in_a_blank_with_own_positions_and_not_without(
    names: dict[str, Any],
) -> None:
    senses, reading_with = names["senses"], names["reading_with"]
    blind, sees = reading_with(), reading_with(names["positional_encoding"])
    for one, other in (
        ("the ___ was afraid of the owl", "the owl was afraid of the ___"),
        ("a ___ caught a fly in the dark", "a fly caught a ___ in the dark"),
    ):
        first, second = (senses.vector("___", sentence, blind) for sentence in (one, other))
        assert torch.allclose(first, second, atol=1e-4)
        likeliest = [
            senses.guesses(senses.vector("___", sentence, sees))[0][0] for sentence in (one, other)
        ]
        assert likeliest[0] != likeliest[1]
        read = senses.vector("___", one, sees)
        assert torch.allclose(read, senses.vector("___", one), atol=1e-3)


def test_a_sentence_without_a_blank_is_named_and_none_is_filled(
    names: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise AssertionError("it was read")

    names["show_blanks"](["the cat chased the ___", "the cat slept"], {"newborn": fails})
    assert capsys.readouterr().out == "Put a blank, ___, into 'the cat slept'.\n"


def test_the_notebook_names_the_words_that_have_two_meanings(names: dict[str, Any]) -> None:
    prose = "\n".join(part.cell.source for part in Script.read(KIT, HW2).parts)
    listed = re.search(r"two meanings of \*([^*]+)\* and \*(\w+)\*", prose)
    assert listed is not None
    assert [*re.findall(r"\w+", listed[1]), listed[2]] == names["senses"].ambiguous


def test_own_layers_in_the_places_of_pytorchs_change_no_number(names: dict[str, Any]) -> None:
    senses, encoder = names["senses"], own(names)
    tokens, padding = senses.numbers_of(["the bat flew at night", "she swung the bat"])
    for layer in encoder.layers:
        names["put_attention"](layer, names["MultiHeadAttention"](32, n_heads=4))
        names["put_network"](layer, names["FeedForward"](32, 64))
        assert not isinstance(layer.self_attn, nn.MultiheadAttention)
        assert not isinstance(layer.linear1, nn.Linear)
    yours = encoder(tokens, key_padding_mask=padding)
    assert torch.allclose(yours[~padding], senses.read(tokens, padding)[~padding], atol=1e-4)


def test_borrowed_layers_leave_pytorchs_in_place(names: dict[str, Any]) -> None:
    encoder, lent = own(names), names["LENT"]
    for layer in encoder.layers:
        names["put_attention"](layer, lent["MultiHeadAttention"](32, n_heads=4))
        names["put_network"](layer, lent["FeedForward"](32, 64))
        assert isinstance(layer.self_attn, nn.MultiheadAttention)
        assert isinstance(layer.linear1, nn.Linear)


def test_what_a_missing_network_costs_is_seen_in_bits_alone(names: dict[str, Any]) -> None:
    without = names["without_part"](own(names), "network")
    assert names["senses"].quiz(without) == (151, 151)
    assert names["bits_of_blanks"](without) > 1.2 * names["bits_of_blanks"](own(names))


def test_name_tags_show_the_weights_of_each_head(names: dict[str, Any]) -> None:
    torch.manual_seed(0)
    layer, x = names["MultiHeadAttention"](20, 2), torch.randn(1, 6, 20)
    theirs = nn.MultiheadAttention(20, 2, batch_first=True)
    inward = (layer.W_Q, layer.W_K, layer.W_V)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in inward]))
        theirs.in_proj_bias.copy_(torch.cat([part.bias for part in inward]))
    expected = theirs(x, x, x, average_attn_weights=False)[1][0]
    assert torch.allclose(names["weights_of"](layer, 2, x, x), expected, atol=1e-5)


@pytest.mark.parametrize("seed", range(1, 13))
def test_of_three_outputs_the_impostor_alone_breaks_a_rule_of_attention(
    names: dict[str, Any], seed: int
) -> None:
    shown, mask, wrong, _ = names["impostors"](seed)
    breaks = [
        not torch.allclose(weights.sum(dim=1), torch.ones(3), atol=1e-2)
        or bool((weights[~mask] > 1e-3).any())
        for weights in shown
    ]
    assert breaks == [letter == wrong for letter in "ABC"]


@pytest.mark.slow
def test_pytorch_counts_what_the_formula_says(names: dict[str, Any]) -> None:
    encoder = names["Encoder"](100, d_model=64, n_heads=8, d_ff=256, n_layers=3, dropout=0.0)
    products = 3 * (128 * (4 * 64 * 64 + 2 * 64 * 256) + 2 * 128 * 128 * 64)
    assert names["counted"](encoder, 128) == (156_352, products, 4 * 156_352)


@pytest.mark.parametrize(
    ("word", "sentence", "pair", "turns"),
    [
        ("bat", "she swung the bat in the dark cave at night", ("hawk", "racket"), ["dark"]),
        ("bank", "the bank of the river is out of money", ("beach", "office"), ["river", "out"]),
        ("spring", "the spring in the garden of the clock is broken", ("summer", "wheel"), 2),
        ("bank", "we walked along the river", ("beach", "office"), "There is no 'bank' in"),
        ("bank", "the bank of the river", ("beach", "bat"), "It can't compare with 'bat'"),
    ],
)
def test_a_film_says_at_which_words_a_meaning_turns(
    names: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    word: str,
    sentence: str,
    pair: tuple[str, str],
    turns: list[str] | int | str,
) -> None:
    found, film = names["watch"](word, sentence, *pair)
    film()
    if isinstance(turns, str):
        assert not found
        assert turns in capsys.readouterr().out
    else:
        assert turns in (found, len(found))
