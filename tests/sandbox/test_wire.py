"""Only plain data crosses the boundary, and it arrives as it left."""

import contextlib
import json
import struct
import sys
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.sandbox import wire
from tests.sandbox.fuzz import CORPUS, read

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=8,
)

# JSON that looks like a header, with something else here and there
json_scalars = st.none() | st.integers() | st.floats() | st.sampled_from(["<f8", "O", "("])


def json_containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    tables, others = ("frame", "series", "index"), ("dict", "array", "timedelta", "bytes")
    named = ("module", "object", "opaque", "generator", "file")
    kinds = st.sampled_from([*wire._CONTAINERS, *wire._DATES, *tables, *others, *named])
    of = st.sampled_from(["array", "scalar", "tensor"])
    dtypes = st.sampled_from(
        ["<f8", "|b1", "<c16", ">i2", "O", "V8", "f8,f8", "<U3", ">U1", "<M8[D]", "<m8[ns]"]
    )
    sizes = st.lists(st.integers(-1, 4), max_size=3)
    array = st.fixed_dictionaries({"type": kinds, "of": of, "dtype": dtypes, "shape": sizes})
    items = st.fixed_dictionaries({"type": kinds}, optional={"items": st.lists(inner, max_size=3)})
    anything = st.fixed_dictionaries(
        {"type": kinds},
        optional=dict.fromkeys(("keys", "items", "of", "dtype", "shape", "key", "name"), inner),
    )
    return array | items | anything | st.lists(inner, max_size=3)


def there_and_back(value: Any) -> Any:
    return wire.unpack(wire.pack({"value": value}))["value"]


def frame(header: Any, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("!II", len(text), len(body)) + text + body


@given(plain)
def test_plain_data_arrives_as_it_left(value: Any) -> None:
    assert there_and_back(value) == value


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool", "complex64"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3, 4)])
def test_an_array_keeps_its_values_dtype_and_shape(dtype: str, shape: tuple[int, ...]) -> None:
    sent = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    got = there_and_back(sent)
    assert type(got) is np.ndarray
    assert (got.dtype, got.shape) == (sent.dtype, sent.shape)
    assert np.array_equal(got, sent)


def test_a_tensor_arrives_as_a_tensor_and_a_scalar_as_a_scalar() -> None:
    tensor, scalar = there_and_back([torch.ones(2, 3, requires_grad=True), np.float32(1.5)])
    assert isinstance(tensor, torch.Tensor)
    assert tensor.shape == (2, 3)
    assert isinstance(scalar, np.float32)


def test_a_view_with_odd_strides_arrives_in_order() -> None:
    sent = np.arange(12.0).reshape(3, 4).T[::-1]
    assert np.array_equal(there_and_back(sent), sent)


def test_infinities_and_nan_arrive() -> None:
    assert np.isnan(there_and_back(float("nan")))
    assert there_and_back([float("inf"), -float("inf")]) == [float("inf"), -float("inf")]


@pytest.mark.parametrize(
    "value",
    [object(), np.array([object()]), {object(): 1}.keys(), print, 2**70],
    ids=["object", "objects", "view", "function", "long"],
)
def test_what_is_no_plain_data_leaves_only_its_type_name(value: object) -> None:
    assert there_and_back(value) == wire.Opaque(type(value).__name__)


@pytest.mark.parametrize(
    "value",
    [
        {1, "a", 2.5, (1, None), frozenset({True})},
        {1: "one", (0, 1): "pair", date(2026, 2, 27): "day", None: "nothing"},
        [date(2026, 2, 27), datetime(2026, 2, 27, 13, 5), time(13, 5), timedelta(2, 3, 4)],
        [datetime(2026, 2, 27, tzinfo=UTC), b"\x00\xff"],
        [wire.Object("k", "Stack"), wire.Generator("{}"), wire.TextFile("a.csv", "1")],
    ],
    ids=["set", "keys", "dates", "zone and bytes", "by reference"],
)
def test_data_of_other_kinds_arrives_as_it_left(value: Any) -> None:
    got = there_and_back(value)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize("dtype", ["<U5", ">U2", "<M8[D]", "<M8[ns]", "<m8[s]"])
def test_an_array_of_texts_or_times_arrives_as_it_left(dtype: str) -> None:
    sent = np.array([1, 20, 300]).astype(dtype).reshape(3, 1)
    got = there_and_back(sent)
    assert got.dtype == sent.dtype
    assert np.array_equal(got, sent)


def test_what_is_derived_from_a_string_becomes_one() -> None:
    class Same(str):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = str.__hash__

    for text in (Same("no"), np.str_("no")):
        assert type(there_and_back(text)) is str
    texts = there_and_back(np.array(["a", "no"], dtype=object))
    assert texts.tolist() == ["a", "no"]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"group": ["a", None, "c"], "value": [1.0, np.nan, 3.0], "n": [1, 2, 3]}),
        pd.DataFrame({"when": pd.to_datetime(["2026-02-27", "2027-01-01"])}, index=["x", "y"]),
        pd.DataFrame({"g": [*"aab"], "h": [1, 2, 2], "x": [0.1, 0.2, 0.3]})
        .groupby(["g", "h"])
        .sum(),
        pd.DataFrame({"g": [*"aab"], "x": [0.1, 0.2, 0.3]})
        .groupby("g")
        .agg({"x": ["mean", "sum"]}),
        pd.DataFrame([[1, 2]], columns=["twice", "twice"]),
        pd.DataFrame(),
    ],
    ids=["columns", "times", "two indices", "two headings", "one name twice", "empty"],
)
def test_a_table_arrives_as_it_left(table: Any) -> None:
    pd.testing.assert_frame_equal(
        there_and_back(table), table, check_index_type=False, check_column_type=False
    )
    if len(table.columns):
        column = table.iloc[:, 0]
        pd.testing.assert_series_equal(there_and_back(column), column, check_index_type=False)


def test_texts_in_a_table_are_bounded_and_numbers_may_be_many() -> None:
    many = wire.MAX_ITEMS + 1
    with pytest.raises(wire.WireError, match="more than 10,000 texts"):
        wire.pack({"value": pd.DataFrame({"text": ["a"] * many})})
    assert there_and_back(pd.DataFrame({"number": np.arange(many)})).shape == (many, 1)


def test_a_dictionary_or_a_set_of_a_million_is_not_looked_at() -> None:
    for value in (dict.fromkeys(range(10**6)), set(range(10**6))):
        assert there_and_back(value) == wire.Opaque(type(value).__name__)


def test_what_is_nested_ten_thousand_deep_ends_as_opaque() -> None:
    deep: Any = {}
    for _ in range(10_000):
        deep = {"a": deep}
    value, depth = there_and_back(deep), 0
    while isinstance(value, dict):
        value, depth = value["a"], depth + 1
    assert value == wire.Opaque("dict")
    assert depth <= wire.MAX_DEPTH + 1


def test_what_is_sent_on_keeps_the_name_of_its_type() -> None:
    assert there_and_back(wire.Opaque("generator")) == wire.Opaque("generator")


def test_a_list_that_holds_itself_ends_as_opaque() -> None:
    endless: list[Any] = []
    endless.append(endless)
    innermost = there_and_back(endless)
    while isinstance(innermost, list):
        innermost = innermost[0]
    assert innermost == wire.Opaque("list")


ITEMS: dict[str, Any] = {"type": "list", "items": [None]}
FEW = {"type": "list", "items": [ITEMS, ITEMS]}
SERIES = {"type": "series", "items": [None, FEW, ITEMS]}
ARRAY = {"type": "array", "of": "array", "dtype": "<f8", "shape": [1]}


@pytest.mark.parametrize(
    "header",
    [
        b"not json",
        b"[]",
        b"[" * 100_000,
        {"value": {"type": "pickle"}},
        {"value": {"no": "type"}},
        {"value": 2**63},
        {"value": [1]},
        {"value": ARRAY | {"dtype": "|O"}},
        {"value": ARRAY | {"dtype": "no such"}},
        {"value": ARRAY | {"dtype": "<U0"}},
        {"value": ARRAY | {"dtype": "<M8[2D]"}},
        {"value": {"type": "set", "items": [{"type": "list", "items": []}]}},
        {"value": {"type": "dict", "keys": [{"type": "list", "items": []}], "items": [1]}},
        {"value": {"type": "date", "text": "tomorrow"}},
        {"value": {"type": "timedelta", "items": [10**12, 0, 0]}},
        {"value": {"type": "bytes", "length": "many"}},
        {"value": {"type": "frame", "items": [1, 2]}},
        {"value": {"type": "frame", "items": [FEW, FEW, [ITEMS | {"items": [1, 2]}]]}},
        {"value": {"type": "list", "items": [SERIES] * (wire.MAX_TABLES + 1)}},
        {"value": ARRAY | {"shape": [-1]}},
        {"value": ARRAY | {"shape": [2**40, 2**40]}},
        {"value": ARRAY | {"shape": "ab"}},
        {"value": ARRAY | {"dtype": "(1"}},
        {"value": ARRAY | {"dtype": "f8,f8"}},
        {"value": ARRAY | {"shape": [0, 2**62, 2**62]}},
        {"value": ARRAY | {"shape": [1] * 40}},
        {"value": ARRAY | {"shape": [2]}},
        {"first": ARRAY, "second": ARRAY},
        {"value": ARRAY | {"of": "tensor", "dtype": "<f16"}},
        {"value": ARRAY | {"of": "matrix"}},
        {"value": ARRAY | {"dtype": "|b1", "shape": [(16 << 20) + 1]}},
        {"value": {"type": "dict", "keys": ["a", "b"], "items": []}},
    ],
    ids=lambda header: str(header)[:60],
)
def test_a_forged_frame_is_refused(header: Any) -> None:
    with pytest.raises(wire.WireError):
        wire.unpack(frame(header, b"\0" * 8))


def test_a_tensor_is_refused_in_a_course_without_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(wire.WireError, match="no PyTorch"):
        wire.unpack(frame({"value": ARRAY | {"of": "tensor"}}, b"\0" * 8))


@pytest.mark.parametrize("code", [0x110000, 2**32 - 1, 0xD800])
def test_an_array_of_text_holds_nothing_else(code: int) -> None:
    with pytest.raises(wire.WireError, match="holds what is none"):
        wire.unpack(frame({"value": ARRAY | {"dtype": "<U1"}}, struct.pack("<I", code)))


def test_tables_are_counted_together() -> None:
    few = {"type": "list", "items": [SERIES] * wire.MAX_TABLES}
    assert len(wire.unpack(frame({"value": few}))["value"]) == wire.MAX_TABLES


@given(st.binary(max_size=200))
def test_random_bytes_never_raise_anything_but_a_wire_error(noise: bytes) -> None:
    with contextlib.suppress(wire.WireError):
        assert isinstance(wire.unpack(frame(noise)), dict)


@pytest.mark.parametrize("claimed", [(2**31, 2**31), (60 << 20, 0)], ids=["frame", "header"])
def test_what_claims_to_be_too_large_is_refused_before_it_is_read(claimed: tuple[int, int]) -> None:
    read = iter([struct.pack("!II", *claimed)])
    with pytest.raises(wire.WireError, match="too large"):
        wire.Frame.read(lambda size: next(read))


def test_too_much_is_not_sent() -> None:
    for value in (np.zeros(9 << 20), np.zeros(17 << 20, bool), ["x" * 90_000] * 100):
        with pytest.raises(wire.WireError, match="too large to be sent"):
            wire.pack({"value": value})


@pytest.mark.slow
@settings(max_examples=300)
@given(st.recursive(json_scalars, json_containers, max_leaves=12), st.binary(max_size=40))
def test_no_header_does_more_than_to_be_refused(value: Any, body: bytes) -> None:
    with contextlib.suppress(wire.WireError):
        wire.unpack(frame({"value": value}, body))


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_was_found_by_fuzzing_is_read_or_refused(path: Path) -> None:
    read(path.read_bytes())
