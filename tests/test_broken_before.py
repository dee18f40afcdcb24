"""Faults that were found once: what is right now, kept so."""

import copy
import pickle
import zlib

import numpy as np
import pytest

from solwaris_env import duel_v0
from solwaris_env.duel.engine.state import STATE, Timed
from solwaris_env.duel.game import SAVE_MAGIC, Duel, SaveError
from solwaris_env.duel.vector import VectorDuel
from tests.scenario import scenario


@pytest.mark.rule("N18")
def test_points_are_in_hand_before_a_delayed_blow_strikes():
    # the Horloger's own Douzième coup fells a charge beside him as his turn begins; its
    # explosion removes 2 MP by tries of 30 % refusal: 1.4 of 5 on average, never none in all
    lost = 0
    for seed in range(30):
        board = scenario("A b .", A="horloger", b="artificier 1", seed=seed)
        board.until("b")
        board.cast(1, (0, 2))
        charge = board.summons("charge_fumante")
        timed = board.state.timed[int(board.state.timed_count)]
        timed.kind, timed.target, timed.source = Timed.DELAYED, charge[0], 0
        timed.turns, timed.value, timed.value2, timed.spell = 1, 40, 50, 0
        board.state.timed_count += 1
        board["A"].cell, board["b"].cell = board.at((0, 1)), board.at((0, 0))
        board.state.occupant[board.at((0, 1))] = 0
        board.state.occupant[board.at((0, 0))] = 1
        board.until("A")
        lost += 5 - int(board["A"].mp)
    assert lost > 0


@pytest.mark.rule("D4")
def test_the_last_of_a_camp_counts_his_effects_down_at_each_of_its_turns():
    # C is alone in his camp: his stock of 3 turns ends after 3 turns of the camp, so a stock of
    # 4 turns that he laid too lasts longer
    board = scenario("A . C . b . d", A="guerrier", C="horloger", b="brute", d="brute")
    board.duel.state.entity[0].hp = 0
    cell = int(board["A"].cell)
    board.state.occupant[cell] = -1
    board["A"].cell = -1
    for turns, value in ((4, 10), (3, 10)):
        timed = board.state.timed[int(board.state.timed_count)]
        timed.kind, timed.target, timed.source = Timed.ARMOUR, 2, 2
        timed.turns, timed.value, timed.spell = turns, value, turns
        board.state.timed_count += 1
    board.until("b")
    board.move("b", (0, 3))
    board.fix("b", 1, 8)
    board.cast(1, "C")
    left = {int(t.spell): int(t.value) for t in board.timed("C", Timed.ARMOUR)}
    assert left[4] == 10
    assert left.get(3, 0) < 10


def test_unseeded_resets_go_on_to_new_duels():
    batch = VectorDuel(2, seed=5, auto_reset=False)
    seen = {batch.state_bytes(0)}
    for _ in range(6):
        batch.reset()
        seen.add(batch.state_bytes(0))
    assert len(seen) == 7


@pytest.mark.parametrize("make", [duel_v0.env, duel_v0.raw_env, duel_v0.single, Duel])
def test_copies_before_the_first_reset(make):
    copy.deepcopy(make())
    pickle.loads(pickle.dumps(make()))


def test_nothing_is_saved_before_the_beginning():
    with pytest.raises(SaveError, match="no duel to save"):
        duel_v0.raw_env().save()


def crafted(duel: Duel, field: str, value: int) -> bytes:
    state = duel.buffers.states.copy()
    part, _, name = field.rpartition(".")
    if part:
        state[part][name][0, 0] = value
    else:
        state[name] = value
    body = state.tobytes()
    digest = np.uint32(zlib.crc32(body)).tobytes()
    return SAVE_MAGIC + duel._header() + digest + body


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("map", 3000),
        ("trap_count", 30000),
        ("timed_count", -1),
        ("entities", 99),
        ("phase", 77),
        ("seat", 9),
        ("actor", 27),
        ("team_size", 0),
        ("hero.cls", 6),
        ("hero.spell", 98),
        ("hero.start_cell", 504),
        ("entity.cell", 30000),
        ("entity.cell", 0),
        ("entity.max_hp", 0),
        ("entity.owner", 3),
        ("bonus.cell", 504),
    ],
)
def test_a_crafted_save_is_refused(field, value):
    duel = Duel.new(1, classes=["ombre", "brute"], allow_forfeit=False)
    while duel.state.phase < 2:
        duel.apply(int(duel.mask().argmax()))
    assert len(duel.buffers.states.tobytes()) == STATE.itemsize
    Duel.load(duel.save())
    with pytest.raises(SaveError, match="impossible"):
        Duel.load(crafted(duel, field, value))


def test_a_mask_written_into_sways_nothing():
    env = duel_v0.env()
    env.reset(seed=3)
    observation = env.observe(env.agent_selection)
    legal = int(np.flatnonzero(observation["action_mask"])[0])
    observation["action_mask"][:] = 0
    env.step(legal)
    assert not any(env.terminations.values())


def test_who_lost_by_an_illegal_action_has_no_legal_one_left():
    env = duel_v0.env(team_size=1)
    env.reset(seed=3)
    agent = env.agent_selection
    env.step(0)
    assert env.terminations[agent]
    assert not env.observe(agent)["action_mask"].any()
    single = duel_v0.single("random")
    single.reset(seed=1)
    single.step(int(np.flatnonzero(~single.action_masks())[0]))
    assert not single.action_masks().any()
