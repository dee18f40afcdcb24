"""The mask against the rules: what it offers is accepted, what it does not is refused."""

import numpy as np
import pytest
from play import MAPS, lively, matrix
from reference import Reference

from solwaris_env.duel.batch import Buffers, Mode
from solwaris_env.duel.codec import ACTIONS, FORFEIT, GO, PASS, to_text
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.content.schema import CELLS
from solwaris_env.duel.engine.state import HEROES, Phase
from solwaris_env.duel.game import Duel, IllegalAction
from solwaris_env.duel.view import json_view

AT_ONCE = 512
REFUSED = 12
COPIED = ("states", "known", "mask")
EVERY = 25  # decisions between two looks at the whole outcome of every action


def words(array: np.ndarray) -> np.ndarray:
    """The bytes of records, (n, k), as words: NumPy copies records one field at a time."""
    kind = np.uint16 if array[0].nbytes % 2 == 0 else np.uint8
    return array.view(kind).reshape(len(array), -1)


class Copies:
    """Copies of one decision, each carried on by another action, in one call."""

    def __init__(self) -> None:
        self.buffers = Buffers(AT_ONCE, observe=False)
        self.words = {name: words(getattr(self.buffers, name)) for name in COPIED}

    def play(self, duel: Duel, actions: np.ndarray) -> tuple[int, np.ndarray]:
        """Number of refused actions, and which of the copies have changed."""
        b, n = self.buffers, len(actions)
        for name, copies in self.words.items():
            copies[:n] = words(getattr(duel.buffers, name))
        b.actions[:n] = actions
        b.where[:] = False
        b.where[:n] = True
        refused = b.advance(Mode.ACT, duel.rules, 0)
        before = words(duel.buffers.states)
        return refused, (self.words["states"][:n] != before).any(axis=1)


def sound(states: np.ndarray, playable: np.ndarray) -> None:
    """What holds in every state: (n,) STATE."""
    entity = states["entity"]
    there = (entity["kind"] != 0) & (entity["cell"] >= 0)
    assert (entity["ap"] >= 0).all()
    assert (entity["mp"] >= 0).all()
    assert (entity["hp"] <= entity["max_hp"]).all()
    assert (entity["hp"][there] > 0).all()
    assert (entity["ap_lost"] <= 4).all()
    assert (entity["mp_lost"] <= 4).all()
    rows, indices = np.nonzero(there)
    cells = entity["cell"][rows, indices]
    assert playable[cells].all()
    assert (states["occupant"][rows, cells] == indices).all()
    assert ((states["occupant"] >= 0).sum(axis=1) == there.sum(axis=1)).all()
    for row, state in enumerate(states):
        traps = state["trap"][: state["trap_count"]]
        centres = list(zip(traps["camp"].tolist(), traps["cell"].tolist(), strict=True))
        assert len(set(centres)) == len(centres), row
        assert (traps["turns"] > 0).all()
        bonus = state["bonus"][state["bonus"]["kind"] != 0]
        assert len(set(bonus["kind"].tolist())) == len(bonus)


def offers_hold(duel: Duel, copies: Copies, rng: np.random.Generator, closely: bool) -> None:
    """Each action of the mask changes the state, others are refused and change nothing."""
    mask = duel.mask()
    legal = np.flatnonzero(mask)
    assert len(legal)
    playable = duel.rules[0].maps[int(duel.state.map)].playable
    for start in range(0, len(legal), AT_ONCE):
        part = legal[start : start + AT_ONCE]
        refused, changed = copies.play(duel, part)
        assert refused == 0
        assert changed.all(), part[~changed]
        if closely:
            sound(copies.buffers.states[: len(part)], playable)
            spent(duel, copies.buffers.states[: len(part)], part)
    wrong = rng.integers(-5, ACTIONS + 5, REFUSED)
    # near misses: the same cells with other slots
    wrong[: REFUSED // 2] = (legal[rng.integers(len(legal), size=REFUSED // 2)] + CELLS) % ACTIONS
    inside = (wrong >= 0) & (wrong < ACTIONS)
    wrong = wrong[~inside | (mask[np.clip(wrong, 0, ACTIONS - 1)] == 0)]
    refused, changed = copies.play(duel, wrong)
    assert refused == len(wrong)
    assert not changed.any()


def spent(duel: Duel, after: np.ndarray, actions: np.ndarray) -> None:
    """Going costs a point a step at most, casting costs the spell's (T2, M1)."""
    if duel.state.phase != Phase.FIGHT:
        return
    actor = int(duel.state.actor)
    before = duel.state.entity[actor]
    same = (after["actor"] == actor) & (after["turn"] == duel.state.turn)
    goes = same & (actions >= GO) & (actions < PASS)
    assert (after["entity"]["mp"][goes, actor] < before.mp + 3).all()
    if actor >= HEROES:
        return
    for slot in range(8):
        spell = content().spells[int(duel.state.hero[actor].spell[slot])]
        casts = same & (actions // CELLS == slot)
        used = after["hero"]["used"][casts, actor, slot]
        assert (used == duel.state.hero[actor].used[slot] + 1).all()
        cooldown = after["hero"]["cooldown"][casts, actor, slot]
        assert ((cooldown == spell.cooldown) | (cooldown == spell.cooldown + 1)).all()


def try_duels(seeds: range) -> int:
    copies = Copies()
    tried = 0
    for seed in seeds:
        duel = Duel.new(seed, allow_forfeit=False)
        rng = np.random.default_rng(seed)
        while duel.seat >= 0:
            offers_hold(duel, copies, rng, closely=tried % EVERY == 0)
            duel.apply(lively(duel.mask(), rng))
            tried += 1
        assert not duel.mask().any()
    return tried


@pytest.mark.parametrize("part", range(5))
def test_every_offer_is_accepted_and_nothing_else(part):
    assert try_duels(range(20 * part, 20 * part + 20)) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_every_offer_of_two_thousand_duels(part):
    assert try_duels(range(1000 + 100 * part, 1100 + 100 * part)) > 5000


def follow(duel: Duel, rng: np.random.Generator, share: float) -> int:
    """Play a duel; at a share of its decisions hold the mask against the reference."""
    home, turn, compared = None, None, 0
    while duel.seat >= 0:
        if (int(duel.state.turn), int(duel.state.actor)) != turn:
            turn = (int(duel.state.turn), int(duel.state.actor))
            cell = int(duel.state.entity[duel.state.actor].cell)
            home = divmod(cell, 28) if duel.state.phase == Phase.FIGHT else None
        if rng.random() < share:
            view = json_view(duel, duel.seat)
            expected = Reference(view, home).actions()
            found = set(np.flatnonzero(duel.mask()).tolist()) - {FORFEIT}
            assert found == expected, (
                f"seed {duel.state.rng}: wrongly offered {sorted(found - expected)[:5]}, "
                f"missing {sorted(expected - found)[:5]}"
            )
            compared += 1
        duel.apply(lively(duel.mask(), rng))
    return compared


@pytest.mark.parametrize("name", MAPS)
def test_the_mask_is_the_rules(name):
    compared = 0
    for size in (1, 2):
        for number, options in enumerate(matrix(size)):
            if options["map"] == name and number // 9 < 2:
                rng = np.random.default_rng(number)
                duel = Duel.new(number, allow_forfeit=False, **options)
                compared += follow(duel, rng, 0.3)
    assert compared > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_the_mask_is_the_rules_in_many_duels(seed):
    duel = Duel.new(5000 + seed, allow_forfeit=False)
    follow(duel, np.random.default_rng(seed), 0.5)


def test_refusal_by_one_duel():
    duel = Duel.new(3, allow_forfeit=False)
    rng = np.random.default_rng(3)
    for _ in range(120):
        before = duel.save()
        board, mask = duel.buffers.board.copy(), duel.mask().copy()
        for action in rng.choice(np.flatnonzero(mask == 0), 5):
            text = to_text(int(action), duel.placing)
            with pytest.raises(IllegalAction, match=rf"^{text} is not legal for seat {duel.seat} "):
                duel.apply(int(action))
        assert duel.save() == before
        assert np.array_equal(duel.buffers.board, board)
        assert np.array_equal(duel.mask(), mask)
        duel.apply(lively(mask, rng))


def test_forfeit_is_offered_only_where_allowed():
    for allowed in (True, False):
        duel = Duel.new(5, allow_forfeit=allowed)
        rng = np.random.default_rng(0)
        for _ in range(60):
            assert duel.mask()[FORFEIT] == allowed
            duel.apply(lively(duel.mask()[:FORFEIT], rng))


def test_one_seat_acts_and_the_others_have_no_mask():
    duel = Duel.new(8, team_size=2, allow_forfeit=True)
    rng = np.random.default_rng(0)
    for _ in range(80):
        for seat in range(4):
            mask = duel.view(seat).action_mask
            assert mask.any() == (seat == duel.seat)
            if seat == duel.seat:
                assert np.array_equal(mask, duel.mask())
        duel.apply(lively(duel.mask()[:FORFEIT], rng))


def test_every_class_is_among_the_compared():
    assert {name for size in (1, 2) for o in matrix(size)[:18] for name in o["classes"]} == {
        sheet.id for sheet in content().classes
    }
