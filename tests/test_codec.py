"""The action layout: every index makes the round trip, and bad words are named."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solwaris_env.duel import codec
from solwaris_env.duel.codec import (
    ACTIONS,
    FORFEIT,
    GO,
    PASS,
    RAISE,
    ActionError,
    cell_name,
    decode,
    encode,
    parse_action,
    parse_cell,
    to_text,
)


def test_layout():
    assert (GO, PASS, RAISE, FORFEIT, ACTIONS) == (4032, 4536, 4537, 4538, 4539)
    assert decode(0) == {"type": "cast", "slot": 0, "cell": [0, 0]}
    assert decode(503) == {"type": "cast", "slot": 0, "cell": [17, 27]}
    assert decode(504) == {"type": "cast", "slot": 1, "cell": [0, 0]}
    assert decode(7 * 504 + 2 * 28 + 5) == {"type": "cast", "slot": 7, "cell": [2, 5]}
    assert decode(4032 + 29) == {"type": "go", "cell": [1, 1]}
    assert decode(4032 + 29, placing=True) == {"type": "place", "cell": [1, 1]}
    assert [decode(i)["type"] for i in (4536, 4537, 4538)] == ["pass", "raise", "forfeit"]


def test_texts():
    # row h is the eighth, column 12 the twelfth
    h12 = 7 * 28 + 11
    assert to_text(2 * 504 + h12) == "cast 3 h12"
    assert to_text(4032 + h12) == "go h12"
    assert to_text(4032 + h12, placing=True) == "place h12"
    assert [to_text(i) for i in (PASS, RAISE, FORFEIT)] == ["pass", "raise", "forfeit"]
    assert cell_name(0) == "a1"
    assert cell_name(503) == "r28"
    assert parse_cell("r28") == 503
    assert parse_cell("H12") == h12
    assert parse_action("  cast   3  h12 ") == 2 * 504 + h12


@pytest.mark.parametrize("placing", [True, False])
def test_every_index_makes_the_round_trip(placing):
    texts = set()
    for index in range(ACTIONS):
        named = decode(index, placing)
        assert encode(named) == index
        text = to_text(index, placing)
        assert parse_action(text) == index
        texts.add(text)
    assert len(texts) == ACTIONS


def test_every_cell_makes_the_round_trip():
    names = [cell_name(cell) for cell in range(504)]
    assert len(set(names)) == 504
    assert [parse_cell(name) for name in names] == list(range(504))


def test_numpy_indices_are_indices():
    assert decode(np.int64(4061)) == {"type": "go", "cell": [1, 1]}
    assert all(type(x) is int for x in decode(np.int16(4061))["cell"])


@pytest.mark.parametrize("index", [-1, ACTIONS, 10**12, float("nan")])
def test_indices_out_of_range(index):
    with pytest.raises(ActionError, match=r"is out of range 0\.\.4538"):
        decode(index)
    with pytest.raises(ActionError, match=r"is out of range 0\.\.4538"):
        to_text(index)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("pass", "an action is an object with a type, not 'pass'"),
        (None, "an action is an object with a type, not None"),
        ({}, "action type None is not one of cast, go, place, pass, raise, forfeit"),
        ({"type": "fly"}, "action type 'fly' is not one of"),
        ({"type": []}, r"action type \[\] is not one of"),
        ({"type": {}}, "action type {} is not one of"),
        ({"type": "go"}, "action 'go' lacks the key 'cell'"),
        ({"type": "cast", "cell": [1, 1]}, "action 'cast' lacks the key 'slot'"),
        ({"type": "pass", "cell": [1, 1]}, "action 'pass' does not take the key 'cell'"),
        ({"type": "go", "cell": [1, 1], "slot": 0}, "action 'go' does not take the key 'slot'"),
        ({"type": "go", "cell": "h12"}, "action cell 'h12' is not"),
        ({"type": "go", "cell": [18, 0]}, r"action cell \[18, 0\] is not \[row 0\.\.17, column"),
        ({"type": "go", "cell": [0, 28]}, "action cell"),
        ({"type": "go", "cell": [-1, 0]}, "action cell"),
        ({"type": "go", "cell": [1.0, 0]}, "action cell"),
        ({"type": "go", "cell": [True, 0]}, "action cell"),
        ({"type": "go", "cell": [1, 2, 3]}, "action cell"),
        ({"type": "go", "cell": None}, "action cell None"),
        ({"type": "cast", "slot": 8, "cell": [0, 0]}, r"action slot 8 is not 0\.\.7"),
        ({"type": "cast", "slot": -1, "cell": [0, 0]}, "action slot -1"),
        ({"type": "cast", "slot": "1", "cell": [0, 0]}, "action slot '1'"),
        ({"type": "cast", "slot": True, "cell": [0, 0]}, "action slot True"),
    ],
)
def test_wrong_named_actions(action, words):
    with pytest.raises(ActionError, match=words) as caught:
        encode(action)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is not an action: expected `cast SLOT CELL`"),
        ("fly h12", "'fly h12' is not an action"),
        ("cast 3", "'cast 3' is not an action"),
        ("pass now", "'pass now' is not an action"),
        ("cast 0 h12", "'0' is not a slot: expected 1 to 8"),
        ("cast 9 h12", "'9' is not a slot"),
        ("cast -1 h12", "'-1' is not a slot"),
        ("cast x h12", "'x' is not a slot"),
        ("cast ² h12", "'²' is not a slot"),
        ("go s1", "'s1' is not a cell: expected .*row letter and .*column, a1 to r28"),
        ("go a0", "'a0' is not a cell"),
        ("go a29", "'a29' is not a cell"),
        ("go 12", "'12' is not a cell"),
        ("go h", "'h' is not a cell"),
        ("go h-1", "'h-1' is not a cell"),
        ("go h٣", "is not a cell"),
        ("go İ1", "is not a cell"),
        ("place h12 now", "is not an action"),
    ],
)
def test_wrong_texts(text, words):
    with pytest.raises(ActionError, match=words):
        parse_action(text)


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text):
    for read in (parse_action, parse_cell):
        try:
            assert 0 <= read(text) < ACTIONS
        except ActionError as error:
            assert str(error)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(["type", "slot", "cell", "x"])
KINDS = st.sampled_from(["cast", "go", "place", "pass", "raise", "forfeit"])


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(KEYS, VALUES | KINDS) | VALUES)
def test_any_value_is_read_or_refused(value):
    try:
        assert 0 <= encode(value) < ACTIONS
    except ActionError as error:
        assert str(error)


def test_the_module_hands_on_what_it_names():
    assert all(hasattr(codec, name) for name in codec.__all__)
