"""Every plane and every scalar, worked out anew from the JSON view; tables and pages against it."""

import math
import re

import numpy as np
import pytest
from play import MAPS, lively, matrix
from reference import SIDES, SPELLS, SUMMONS, Reference, sees

from solwaris_env.duel import aec, observation, single
from solwaris_env.duel.batch import Buffers, Mode, Option
from solwaris_env.duel.codec import ACTIONS
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.engine.state import HEROES, Phase, Timed
from solwaris_env.duel.game import Duel
from solwaris_env.duel.observation import (
    BOARD_SHAPE,
    MARKS,
    PLANES,
    SCALAR_SIZE,
    SCALARS,
    schema_hash,
)
from solwaris_env.duel.vector import VectorDuel
from solwaris_env.duel.view import json_view

KINDS = {"ap": 1, "mp": 2, "heal": 3, "armour": 4, "power": 5, "range": 6}
BLOCKS = ("own", "foe", "ally", "other_foe")  # by how many seats further


def kind_of(entity: dict) -> int:
    if entity["kind"] == "hero":
        return 1 + [sheet.id for sheet in content().classes].index(entity["class"])
    return 8 + SUMMONS[entity["kind"]].number


def points(known: np.record, entity: dict, name: str) -> int:
    """AP or MP in hand in the own turn, otherwise those of the next one."""
    index = entity["index"]
    e = known.entity[index]
    if known.actor == index:
        return int(getattr(e, name))
    sheet = SUMMONS.get(entity["kind"])
    if sheet is None:
        sheet = next(s for s in content().classes if s.id == entity["class"])
    base = getattr(sheet, name)
    if name == "ap" and index < HEROES:
        base += int(known.hero[index].carried) + int(known.hero[index].clockwork)
    return max(0, base + int(getattr(e, f"{name}_gain")) - int(getattr(e, f"{name}_debt")))


def total(entity: dict, kind: str) -> int:
    return sum(effect["value"] for effect in entity["effects"] if effect["kind"] == kind)


def expected_board(view: dict, known: np.record) -> np.ndarray:
    """The planes, from a seat's JSON view."""
    board = np.zeros(BOARD_SHAPE, np.int64)
    plane = {name: board[part.start] for name, part in PLANES.items()}
    camp = view["camp"]
    for row, line in enumerate(view["terrain"]):
        for column, sign in enumerate(line):
            plane["void"][row, column] = sign == " "
            plane["obstacle"][row, column] = sign not in " ."
            zone = view["zones"][row][column]
            plane["own_zone"][row, column] = zone == "12"[camp]
            plane["their_zone"][row, column] = zone == "21"[camp]
    for e in view["entities"]:
        if e["cell"] is None:
            continue
        cell = tuple(e["cell"])
        side = "own" if e["camp"] == camp else "their"
        sheet = SUMMONS.get(e["kind"])
        sort = "hero" if sheet is None else "summon" if sheet.mobile else "inert"
        plane[f"{side}_{sort}"][cell] = 1
        plane["self"][cell] = e["index"] == view["actor"]
        plane["kind"][cell] = kind_of(e)
        plane["hp"][cell] = math.ceil(100 * e["hp"] / e["max_hp"])
        plane["armour"][cell] = min(127, total(e, "armour"))
        plane["ap"][cell] = points(known, e, "ap")
        plane["mp"][cell] = points(known, e, "mp")
        plane["resistance"][cell] = max(-100, e["resistance"])
        plane["power"][cell] = min(127, max(-100, e["power"]))
        plane["unseen"][cell] = e["invisible"]
        plane["anchored"][cell] = any(effect["kind"] == "anchor" for effect in e["effects"])
        plane["poison"][cell] = min(127, total(e, "poison"))
    for trap in view["traps"]:
        number = next(t.number for t in content().traps if t.id == trap["id"])
        plane["trap"][tuple(trap["cell"])] = number
        for cell in trap["area"]:
            plane["trap_area"][tuple(cell)] += 1
    for bonus in view["bonuses"]:
        plane[f"bonus_{bonus['kind']}"][tuple(bonus["cell"])] = 1
    if view["phase"] != "fight":
        return board
    if view["to_act"] == view["viewer"]:
        actor = next(e for e in view["entities"] if e["index"] == view["actor"])
        walk_costs(view, tuple(actor["cell"]), actor["mp"], plane["reach"])
    reference = Reference(view, None)
    for foe in view["entities"]:
        if foe["camp"] == camp or foe["kind"] != "hero" or foe["cell"] is None:
            continue
        at = tuple(foe["cell"])
        for cell in np.ndindex(*plane["sighted"].shape):
            if reference.playable(cell) and sees(reference.terrain, at, cell):
                plane["sighted"][cell] += 1
        cost = np.zeros_like(plane["their_reach"])
        walk_costs(view, at, points(known, foe, "mp"), cost)
        both = (cost > 0) & (plane["their_reach"] > 0)
        np.copyto(
            plane["their_reach"],
            np.where(both, np.minimum(cost, plane["their_reach"]), cost + plane["their_reach"]),
        )
    return board


def walk_costs(view: dict, start: tuple[int, int], mp: int, plane: np.ndarray) -> None:
    """Write the MP that walking to each cell costs, over cells that look free."""
    reference = Reference(view, None)
    met, edge = {start}, [start]
    for steps in range(1, mp + 1):
        near = {(r + dr, c + dc) for r, c in edge for dr, dc in SIDES}
        edge = [cell for cell in near if cell not in met and reference.free(cell)]
        for cell in edge:
            plane[cell] = steps
        met |= set(edge)


def one_hot(index: int, size: int) -> list[int]:
    return [int(i == index) for i in range(size)]


def expected_hero(view: dict, known: np.record, seat: int) -> dict[str, object]:
    hero = view["heroes"][seat]
    e = next(e for e in view["entities"] if e["index"] == seat)
    facts = {
        "present": 1,
        "alive": e["hp"] > 0,
        "class": one_hot(kind_of(e) - 1, 6),
        "variants": hero["variants"],
        "cooldown": [spell["cooldown"] / 5 for spell in hero["spells"]],
        "armour": total(e, "armour") / 50,
        "range": total(e, "range") / 4,
        "anchored": any(effect["kind"] == "anchor" for effect in e["effects"]),
        "poison": total(e, "poison") / 10,
        "delayed": any(effect["kind"] == "delayed" for effect in e["effects"]),
    }
    if e["hp"] > 0:
        facts |= {
            "hp_share": e["hp"] / e["max_hp"],
            "hp": e["hp"] / 300,
            "ap": points(known, e, "ap") / 14,
            "mp": points(known, e, "mp") / 6,
            "ap_lost": e["ap_lost"] / 4,
            "mp_lost": e["mp_lost"] / 4,
            "resistance": e["resistance"] / 100,
            "power": e["power"] / 100,
            "invisible": e["invisible"],
            "forced": int(known.entity[seat].forced),
            "seen": e["cell"] is not None,
        }
        if e["cell"] is not None:
            facts |= {"row": e["cell"][0] / 17, "column": e["cell"][1] / 27}
    return facts


def expected_slots(view: dict) -> dict[str, object]:
    """The blocks of the spells of who acts, or of the own hero."""
    acts = view["to_act"] == view["viewer"] and view["actor"] is not None
    index = view["actor"] if acts else view["viewer"]
    actor = next(e for e in view["entities"] if e["index"] == index)
    usable = set()
    if acts:
        usable = {slot for slot, _ in Reference(view, None).castable(actor)}
    if actor["kind"] == "hero":
        hand = view["heroes"][index]["spells"]
    else:
        name = SUMMONS[actor["kind"]].spell
        hand = [{"slot": 0, "id": name, "cooldown": 0, "used": 0, "per_turn": 0}] if name else []
    found = {}
    for entry in hand:
        spell = SPELLS[entry["id"]]
        left = max(0, spell.per_turn - entry["used"]) / 3 if entry["per_turn"] else 1
        found |= {
            f"slot{entry['slot']}_spell": spell.number + 1,
            f"slot{entry['slot']}_usable": entry["slot"] in usable,
            f"slot{entry['slot']}_cost": spell.cost / 6,
            f"slot{entry['slot']}_cooldown": entry["cooldown"] / 5,
            f"slot{entry['slot']}_casts_left": left,
        }
    return found


def expected_scalars(view: dict, known: np.record) -> dict[str, object]:
    """The scalars by name, from a seat's JSON view; what is missing is zero."""
    camp, auction = view["camp"], view["auction"]
    leads = auction["drawn"] if auction["bidder"] is None else auction["bidder"]
    seats = 2 * view["team_size"]
    found: dict[str, object] = {
        "phase": one_hot(["placement", "auction", "fight"].index(view["phase"]), 3),
        "tour": view["tour"] / 40,
        "two_against_two": view["team_size"] == 2,
        "summon_acts": view["actor"] is not None and view["actor"] >= HEROES,
        "plays_first": leads == camp,
        "drawn_first": auction["drawn"] == camp,
        "price": auction["price"] / 1000,
        "own_purse": auction["purses"][camp] / 1000,
        "their_purse": auction["purses"][1 - camp] / 1000,
        "own_bid": auction["bidder"] == camp,
        "their_bid": auction["bidder"] == 1 - camp,
        "stakes": view["stakes"] / 1000,
        "map": one_hot(MAPS.index(view["map"]["id"]), 9),
    }
    for further in range(seats):
        facts = expected_hero(view, known, (view["viewer"] + further) % seats)
        found |= {f"{BLOCKS[further]}_{name}": value for name, value in facts.items()}
    return found | expected_slots(view)


def compare(duel: Duel, seat: int) -> None:
    view, seen = json_view(duel, seat), duel.view(seat)
    board = expected_board(view, seen.known)
    for name, part in PLANES.items():
        mine, wanted = seen.observation["board"][part.start], board[part.start]
        assert np.array_equal(mine, wanted), (name, seat, np.argwhere(mine != wanted)[:3].tolist())
    scalars = expected_scalars(view, seen.known)
    assert set(scalars) <= set(SCALARS)
    for name, part in SCALARS.items():
        mine = seen.observation["scalars"][part.start : part.start + part.size]
        wanted = np.array(scalars.get(name, [0] * part.size), np.float32).ravel()
        assert np.allclose(mine, wanted, atol=1e-6), (name, seat, mine.tolist(), wanted.tolist())


def test_every_plane_and_scalar_is_what_its_table_says():
    met = np.zeros(BOARD_SHAPE[0], bool)
    ever = np.zeros(SCALAR_SIZE, bool)
    compared = 0
    for number in range(36):
        options = matrix(1 + number % 2)[(7 * number) % 36]
        duel = Duel.new(number, allow_forfeit=False, **options)
        rng = np.random.default_rng(number)
        while duel.seat >= 0:
            if rng.random() < 0.035 or duel.state.phase != Phase.FIGHT:
                seat = duel.seat if rng.random() < 0.7 else int(rng.integers(2 * duel.team_size))
                compare(duel, seat)
                compared += 1
                seen = duel.view(seat).observation
                met |= (seen["board"] != 0).any(axis=(1, 2))
                ever |= seen["scalars"] != 0
            duel.apply(lively(duel.mask(), rng))
    assert compared > 250
    assert met.all(), [name for name, part in PLANES.items() if not met[part.start]]
    silent = [
        name for name, part in SCALARS.items()
        if not ever[part.start : part.start + part.size].any()
    ]  # fmt: skip
    assert len(silent) < 12, silent


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_every_plane_and_scalar_in_many_duels(seed):
    duel = Duel.new(7000 + seed, allow_forfeit=False)
    rng = np.random.default_rng(seed)
    while duel.seat >= 0:
        if rng.random() < 0.5:
            compare(duel, int(rng.integers(2 * duel.team_size)))
        duel.apply(lively(duel.mask(), rng))


def test_the_acting_seats_arrays_are_those_of_its_view():
    duel = Duel.new(3, allow_forfeit=False)
    rng = np.random.default_rng(3)
    while duel.seat >= 0:
        seen = duel.view(duel.seat)
        assert seen.observation["board"].tobytes() == duel.buffers.board[0].tobytes()
        assert seen.observation["scalars"].tobytes() == duel.buffers.scalars[0].tobytes()
        assert seen.action_mask.tobytes() == duel.mask().tobytes()
        duel.apply(lively(duel.mask(), rng))


def shown(buffers: Buffers) -> list[bytes]:
    """Mask, board and scalars, byte by byte."""
    return [part.tobytes() for part in (buffers.mask, buffers.board, buffers.scalars)]


@pytest.mark.parametrize("team_size", [1, 2])
def test_what_is_written_over_an_old_board_is_what_a_new_one_shows(team_size):
    """Only what was marked is blanked: from one duel to others, through all seats' eyes."""
    old = Buffers(1)
    rng = np.random.default_rng(team_size)
    options = int(Option.OBSERVE | Option.ALLOW_FORFEIT)
    for seed in range(4):
        duel = Duel.new(40 + seed, team_size=team_size)
        while duel.seat >= 0:
            viewer = int(rng.integers(-1, 2 * team_size))
            new = Buffers(1)
            for buffers in (old, new):
                buffers.states[:] = duel.buffers.states
                buffers.viewers[:] = viewer
                buffers.advance(Mode.LOOK, duel.rules, options)
            assert shown(old) == shown(new)
            duel.apply(lively(duel.mask(), rng))


def test_more_marks_than_can_be_listed_are_blanked_too():
    """Forty pits, of up to 13 cells each, and then none."""
    duel = Duel.new(1, allow_forfeit=False)
    while duel.placing:
        duel.apply(int(duel.mask().argmax()))
    grid = duel.rules[0].maps[duel.state.map]
    blank = duel.buffers.board.copy()
    traps = duel.buffers.states["trap"][0, :40]
    traps["kind"], traps["camp"], traps["turns"] = 1, duel.seat & 1, 8
    traps["cell"] = grid.playable_cell[:40]
    for count in (40, 0):
        duel.buffers.states["trap_count"] = count
        duel.refresh()
        assert (duel.buffers.board != blank).any() == (count > 0)
        assert (duel.buffers.drawn["marks"][0] == MARKS) == (count > 0)


def test_what_shows_the_engines_own_arrays_is_read_only():
    """Writing there would stay on the board."""
    batch = VectorDuel(2, seed=1, copy=False)
    for array in (batch.board, batch.scalars, batch.action_mask, Duel.new(1).mask()):
        assert not array.flags.writeable
    batch.step(batch.action_mask.argmax(axis=1))
    assert batch.board.any()


def test_values_stay_within_the_space():
    space = aec.observation_space()
    bounds = space["observation"]["scalars"]
    for number in range(8):
        duel = Duel.new(900 + number, purses=[1_000_000] * 4, stakes=1_000_000, allow_forfeit=False)
        rng = np.random.default_rng(number)
        while duel.seat >= 0:
            assert bounds.contains(duel.buffers.scalars[0])
            duel.apply(lively(duel.mask(), rng))


@pytest.mark.parametrize("table", [PLANES, SCALARS])
def test_tables_are_without_gap_and_overlap(table):
    start = 0
    for name, part in table.items():
        assert (part.name, part.start) == (name, start)
        assert part.size > 0
        assert part.meaning
        assert "|" not in part.meaning  # the README's tables are made of it
        start += part.size
    assert start == (BOARD_SHAPE[0] if table is PLANES else SCALAR_SIZE)


@pytest.mark.parametrize(("name", "start", "size"), [("hurt", 0, 0), ("hp", 1, 0), ("hp", 0, 1)])
def test_the_schemas_hash_is_the_layouts(name, start, size):
    first = schema_hash()
    assert re.fullmatch(r"[0-9a-f]{16}", first)
    part = PLANES["hp"]
    PLANES["hp"] = observation.Slice(name, part.start + start, part.size + size, part.meaning)
    try:
        assert schema_hash() != first
    finally:
        PLANES["hp"] = part
    assert schema_hash() == first


def test_timed_kinds_have_their_names():
    assert [kind.name.lower() for kind in Timed] == [
        "none", "armour", "resistance", "power", "range", "poison", "anchor", "delayed",
        "bonus_power",
    ]  # fmt: skip


def test_the_pages_numbers_are_the_codes():
    page = aec.__doc__
    planes, height, width = BOARD_SHAPE
    assert f"`board` int8 ({planes}, {height}, {width})" in page
    assert f"`scalars` float32 ({SCALAR_SIZE},)" in page
    assert f"`action_mask` int8 ({ACTIONS},)" in page
    assert f"`Discrete({ACTIONS})`" in page
    assert f"N = {height} * {width} = {height * width} cells, cell = row * {width} + column" in page
    assert 9 * height * width + 3 == ACTIONS
    for row in ("`9 * N` | pass", "`9 * N + 1` | raise", "`9 * N + 2` | forfeit"):
        assert row in page
    for name in ("map", "classes", "loadouts", "purses", "stakes", "team_size"):
        assert f"| `{name}` |" in page
    page = single.__doc__
    assert f"int8 ({planes}, {height}, {width})" in page
    assert f"float32 ({SCALAR_SIZE},)" in page
    assert f"({ACTIONS},)" in page
    assert f"`Discrete({ACTIONS})`" in page


def test_the_page_has_its_parts_in_order():
    parts = re.findall(r"^## (.+)$", aec.__doc__, re.M)
    assert parts == [
        "Action space", "Observation space", "Rewards", "Starting state", "Episode end",
        "Arguments", "Version history",
    ]  # fmt: skip
    assert re.search(r"^\| Agents \| `player_0` to `player_3`", aec.__doc__, re.M)
    assert "40th tour" in aec.__doc__
