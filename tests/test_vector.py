"""Duels in lock step are single duels, side by side."""

import numpy as np
import pytest
from play import MAPS, any_action

from solwaris_env.agents.base import pick_uniform
from solwaris_env.duel.batch import Buffers, Mode
from solwaris_env.duel.codec import ACTIONS, PASS
from solwaris_env.duel.engine.state import HEROES, Phase, Termination
from solwaris_env.duel.game import Duel
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE
from solwaris_env.duel.vector import VectorDuel
from solwaris_env.errors import SolwarisError

HANDED_OUT = ("board", "scalars", "action_mask", "known", "seat", "reward", "done")


def seeds_of(batch: VectorDuel) -> list[int]:
    return [int(s) for s in batch._buffers.setups["seed"]]


def same_decision(batch: VectorDuel, row: int, duel: Duel) -> None:
    """A row shows the same decision as a single duel, to the last byte."""
    assert batch.state_bytes(row) == duel.buffers.states[0].tobytes()
    assert batch.seat[row] == duel.seat
    assert batch.board[row].tobytes() == duel.buffers.board[0].tobytes()
    assert batch.scalars[row].tobytes() == duel.buffers.scalars[0].tobytes()
    assert batch.action_mask[row].tobytes() == duel.mask().tobytes()
    assert batch.known[row].tobytes() == duel.known(duel.seat).tobytes()


def test_shapes():
    batch = VectorDuel(5, seed=1)
    assert (batch.board.shape, batch.board.dtype) == ((5, *BOARD_SHAPE), np.int8)
    assert (batch.scalars.shape, batch.scalars.dtype) == ((5, SCALAR_SIZE), np.float32)
    assert (batch.action_mask.shape, batch.action_mask.dtype) == ((5, ACTIONS), np.bool_)
    assert (batch.seat.shape, batch.seat.dtype) == ((5,), np.int8)
    assert batch.known.shape == (5,)
    assert (batch.reward.shape, batch.reward.dtype) == ((5, HEROES), np.float32)
    assert (batch.done.shape, batch.done.dtype) == ((5,), np.bool_)
    for name in ("winner", "termination", "tours", "map", "team_size"):
        assert getattr(batch, name).shape == (5,)
    assert batch.classes.shape == (5, HEROES)


@pytest.mark.parametrize("auto_reset", [True, False])
@pytest.mark.parametrize("copy", [True, False])
def test_lock_step_equals_single_duels(auto_reset, copy):
    rows = 12
    batch = VectorDuel(rows, seed=11, auto_reset=auto_reset, copy=copy)
    duels = [Duel.new(seed, allow_forfeit=False) for seed in seeds_of(batch)]
    rng = np.random.default_rng(5)
    ended = 0
    for _ in range(900):
        playing = np.array([duel.seat >= 0 for duel in duels])
        if not playing.any():
            break
        actions = np.zeros(rows, np.int64)
        actions[playing] = pick_uniform(batch.action_mask[playing], rng)
        batch.step(actions, None if auto_reset else playing)
        for row, duel in enumerate(duels):
            if not playing[row]:
                assert not batch.done[row]
                continue
            duel.apply(int(actions[row]))
            outcome = duel.outcome
            assert batch.done[row] == (outcome is not None)
            if outcome is None:
                assert not batch.reward[row].any()
            else:
                ended += 1
                same_outcome(batch, row, duel)
                if auto_reset:
                    duel = duels[row] = Duel.new(seeds_of(batch)[row], allow_forfeit=False)
            if duel.seat >= 0:
                same_decision(batch, row, duel)
    assert ended >= 8


def same_outcome(batch: VectorDuel, row: int, duel: Duel) -> None:
    outcome = duel.outcome
    size = 2 * duel.team_size
    assert batch.winner[row] == (-1 if outcome.winner is None else outcome.winner)
    assert Termination(batch.termination[row]).name.lower() == outcome.termination
    assert batch.tours[row] == outcome.tours
    assert batch.team_size[row] == duel.team_size
    assert batch.map[row] == duel.state.map
    assert [int(c) for c in batch.classes[row][:size]] == [
        int(duel.state.hero[seat].cls) for seat in range(size)
    ]
    assert tuple(batch.reward[row][:size]) == outcome.rewards
    assert not batch.reward[row][size:].any()


def test_rewards_are_zero_sum_and_only_at_the_end():
    batch = VectorDuel(64, seed=2, map="caveau")
    rng = np.random.default_rng(1)
    won = 0
    for _ in range(700):
        batch.step(pick_uniform(batch.action_mask, rng))
        assert not batch.reward.sum(axis=1).any()
        assert not batch.reward[~batch.done].any()
        decided = batch.done & (batch.winner >= 0)
        won += int(decided.sum())
        assert (np.abs(batch.reward[decided]).sum(axis=1) == 2 * batch.team_size[decided]).all()
        assert (batch.reward[decided, batch.winner[decided]] == 1).all()
    assert won > 10


def test_where_leaves_the_others_alone():
    batch = VectorDuel(6, seed=3)
    where = np.array([True, False, True, False, False, True])
    for _ in range(40):
        before = [batch.state_bytes(row) for row in range(6)]
        seen = {name: getattr(batch, name).copy() for name in ("board", "scalars", "action_mask")}
        actions = np.where(where, batch.action_mask.argmax(axis=1), -7)
        batch.step(actions, where)
        for row in range(6):
            assert (batch.state_bytes(row) == before[row]) != where[row]
        for name, old in seen.items():
            assert np.array_equal(getattr(batch, name)[~where], old[~where])
        assert not batch.done[~where].any()


def test_where_hides_the_end_of_an_earlier_step():
    batch = VectorDuel(2, seed=4, auto_reset=False)
    rng = np.random.default_rng(0)
    while not batch.done[0]:
        batch.step(np.append(pick_uniform(batch.action_mask[:1], rng), 0), np.array([True, False]))
    batch.step(batch.action_mask.argmax(axis=1), np.array([False, True]))
    assert not batch.done[0]
    assert not batch.reward[0].any()


def test_copies_do_not_change_under_the_callers_hands():
    batch = VectorDuel(4, seed=5, copy=True)
    kept = {name: getattr(batch, name) for name in HANDED_OUT}
    frozen = {name: array.copy() for name, array in kept.items()}
    for _ in range(30):
        batch.step(batch.action_mask.argmax(axis=1))
    for name, array in kept.items():
        assert array.tobytes() == frozen[name].tobytes(), name
        assert not np.shares_memory(array, getattr(batch, name)), name


def test_writing_to_a_copy_does_not_reach_the_duels():
    batch, other = VectorDuel(3, seed=6), VectorDuel(3, seed=6)
    for name in HANDED_OUT:
        getattr(batch, name).view(np.uint8)[:] = 0
    actions = other.action_mask.argmax(axis=1)
    batch.step(actions)
    other.step(actions)
    for name in HANDED_OUT:
        assert getattr(batch, name).tobytes() == getattr(other, name).tobytes(), name


def test_without_copy_the_arrays_stay_the_same():
    batch = VectorDuel(4, seed=5, copy=False)
    kept = {name: getattr(batch, name) for name in ("board", "scalars", "action_mask", "known")}
    before = kept["board"].copy()
    for _ in range(30):
        batch.step(batch.action_mask.argmax(axis=1))
    for name, array in kept.items():
        assert np.shares_memory(array, getattr(batch, name)), name
    assert not np.array_equal(before, kept["board"])


@pytest.mark.parametrize("illegal", [-1, ACTIONS, 10**9, PASS])
def test_one_illegal_action_is_named_and_stops_nobody_else(illegal):
    batch, other = VectorDuel(5, seed=7), VectorDuel(5, seed=7)
    legal = batch.action_mask.argmax(axis=1).astype(np.int64)
    actions = legal.copy()
    actions[2] = illegal
    before = batch.state_bytes(2)
    seen = batch.board[2].copy()
    with pytest.raises(SolwarisError, match=rf"actions\[2\]: {illegal} is not legal for seat 0 of"):
        batch.step(actions)
    assert batch.state_bytes(2) == before
    assert np.array_equal(batch.board[2], seen)
    assert not batch.done[2]
    other.step(legal)
    for row in (0, 1, 3, 4):
        assert batch.state_bytes(row) == other.state_bytes(row)
        assert batch.board[row].tobytes() == other.board[row].tobytes()
    # the refused duel goes on from where it was
    batch.step(legal, np.arange(5) == 2)
    assert batch.state_bytes(2) == other.state_bytes(2)


def test_several_illegal_actions_are_counted():
    batch = VectorDuel(4, seed=8)
    with pytest.raises(SolwarisError, match=r"actions\[0\]: -1 is not legal .* \(and 3 more\)"):
        batch.step(np.full(4, -1))


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(3, np.int64),
        np.zeros((4, 1), np.int64),
        np.zeros(4),
        np.full(4, np.nan),
        np.ones(4, bool),
        ["a"] * 4,
        0,
        None,
    ],
)
def test_actions_of_another_shape_or_kind_are_refused(actions):
    batch = VectorDuel(4, seed=9)
    before = [batch.state_bytes(row) for row in range(4)]
    with pytest.raises(SolwarisError, match=r"^actions: expected whole numbers of shape \(4,\)"):
        batch.step(actions)
    assert [batch.state_bytes(row) for row in range(4)] == before


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.uint16, np.int64, np.uint64])
def test_any_whole_number_type_will_do(kind):
    batch, other = VectorDuel(4, seed=9, map="canal"), VectorDuel(4, seed=9, map="canal")
    for _ in range(6):
        actions = other.action_mask.argmax(axis=1)
        if actions.max() > np.iinfo(kind).max:
            break
        batch.step(actions.astype(kind))
        other.step(actions)
        assert batch.board.tobytes() == other.board.tobytes()


@pytest.mark.parametrize(
    "where", [[True, False], np.ones((4, 1), bool), np.array([0, 1, 2, 5]), "1011", 3.5]
)
def test_where_of_another_shape_or_kind_is_refused(where):
    batch = VectorDuel(4, seed=9)
    before = [batch.state_bytes(row) for row in range(4)]
    with pytest.raises(SolwarisError, match=r"^where: expected truth values of shape \(4,\)"):
        batch.step(batch.action_mask.argmax(axis=1), where)
    assert [batch.state_bytes(row) for row in range(4)] == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_envs": 0}, "num_envs: 0 is not a whole number above 0"),
        ({"num_envs": True}, "num_envs: True is not a whole number above 0"),
        ({"num_envs": 2.0}, "num_envs: 2.0 is not a whole number above 0"),
        ({"seed": -1}, "seed: -1 is not between"),
        ({"seed": "x"}, "seed: 'x' is not a whole number"),
        ({"map": "nowhere"}, "option map: 'nowhere' is not one of"),
        ({"team_size": 3}, "option team_size: 3 is not between 1 and 2"),
        ({"classes": ["ombre"]}, "option classes: 1 entries"),
    ],
)
def test_wrong_arguments_are_named(arguments, words):
    with pytest.raises(SolwarisError, match=words):
        VectorDuel(**{"num_envs": 2, **arguments})


def test_seeds_decide_and_streams_go_on():
    def played(batch: VectorDuel) -> bytes:
        rng = np.random.default_rng(0)
        for _ in range(50):
            batch.step(pick_uniform(batch.action_mask, rng))
        return batch.board.tobytes() + batch._buffers.states.tobytes()

    first, second, third = VectorDuel(8, seed=1), VectorDuel(8, seed=1), VectorDuel(8, seed=2)
    assert played(first) == played(second) != played(third)
    first.reset()
    second.reset()
    assert played(first) == played(second)
    before = first._buffers.states.tobytes()
    first.reset(1)
    third.reset(1)
    assert first._buffers.states.tobytes() == third._buffers.states.tobytes() != before


def test_rows_differ_and_every_class_and_map_occurs():
    batch = VectorDuel(512, seed=1)
    states = batch._buffers.states
    assert len({states[row].tobytes() for row in range(512)}) == 512
    assert set(states["map"].tolist()) == set(range(9))
    assert set(states["team_size"].tolist()) == {1, 2}
    assert set(states["hero"]["cls"][:, :2].ravel().tolist()) == set(range(6))


def test_options_hold_for_every_duel():
    batch = VectorDuel(8, seed=1, team_size=2, map="canal", classes=["ombre", None, "brute", 0])
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(1500):
        batch.step(pick_uniform(batch.action_mask, rng))
        ended += int(batch.done.sum())
        assert (batch._buffers.states["hero"]["cls"][:, [0, 2, 3]] == [3, 1, 0]).all()
        assert (batch._buffers.states["team_size"] == 2).all()
        assert (batch._buffers.states["map"] == MAPS.index("canal")).all()
    assert ended > 0


def test_views_are_the_chosen_rows():
    batch = VectorDuel(6, seed=3)
    rows = np.array([4, 1])
    views = batch.views(rows)
    assert len(views) == 2
    assert np.array_equal(views.seat, batch.seat[rows])
    assert np.array_equal(views.action_mask, batch.action_mask[rows])
    assert np.array_equal(views.observation["board"], batch.board[rows])
    assert np.array_equal(views.observation["scalars"], batch.scalars[rows])
    assert views.known.tobytes() == batch.known[rows].tobytes()


def test_memory_of_a_duel():
    """At most 32 KiB each besides the observation; what a batch shares does not grow with it."""

    def size(n: int) -> int:
        arrays = vars(Buffers(n)).items()
        return sum(a.nbytes for name, a in arrays if name not in ("board", "scalars"))

    assert (size(65) - size(1)) / 64 <= 32 * 1024


def test_a_finished_row_waits_for_reset():
    batch = VectorDuel(1, seed=4, auto_reset=False, team_size=1)
    rng = np.random.default_rng(3)
    while not batch.done[0]:
        batch.step(pick_uniform(batch.action_mask, rng))
    assert batch._buffers.states["phase"][0] == Phase.OVER
    assert batch.seat[0] == -1
    assert not batch.action_mask[0].any()
    before = batch.state_bytes(0)
    with pytest.raises(SolwarisError, match="is not legal"):
        batch.step(np.array([PASS]))
    assert batch.state_bytes(0) == before
    batch.reset()
    assert batch.seat[0] == 0
    assert not batch.done[0]


def test_time_up_carries_every_duel_on():
    buffers = VectorDuel(16, seed=2)._buffers
    rules = VectorDuel(1, seed=0).rules
    for _ in range(60):
        before = buffers.states.tobytes()
        assert buffers.advance(Mode.TIME_UP, rules, 0) == 0
        assert buffers.states.tobytes() != before
    assert (buffers.states["phase"] >= Phase.FIGHT).all()


def test_random_play_comes_to_an_end():
    duel = Duel.new(7, allow_forfeit=False)
    rng = np.random.default_rng(7)
    while duel.outcome is None:
        duel.apply(any_action(duel.mask(), rng))
    assert duel.outcome.termination in ("knockout", "double_knockout", "tour_limit")
