"""What the page foretells of a cast is what the rules do. These tests need Node with npm."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from play import CLASSES, MAPS, lively
from scenario import Board, scenario
from workshop import Workshop

from solwaris_env.duel.codec import FORFEIT
from solwaris_env.duel.content.schema import CELLS, HEIGHT, SLOTS, WIDTH
from solwaris_env.duel.engine import damage
from solwaris_env.duel.engine.scratch import Event
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.server.catalogue import catalogue
from solwaris_env.server.views import cell_of, view_data

pytestmark = pytest.mark.slow

# compiled kernels cannot be called from here: their plain form can, with the same whole numbers
REDUCED = getattr(damage.reduced, "py_func", damage.reduced)
CASES = 3000
BY_HAND = [
    # base, added, boost, resistance, critical, parts: HP
    ([30, 0, 15, 0, False, 1], 35),  # 34.5
    ([30, 0, 15, 0, True, 1], 52),  # 51.75
    ([30, 0, 0, 75, False, 1], 8),  # 7.5
    ([30, 0, 0, 75, True, 1], 11),  # 11.25
    ([20, 6, 30, -50, False, 1], 51),  # 26 x 1.3 x 1.5 = 50.7
    ([20, 30, 100, -100, False, 1], 60),  # three times the number drawn at most (D7)
    ([20, 30, 100, -100, True, 1], 90),  # the critical aside
    ([36, 0, 0, 15, False, 2], 15),  # half a collision: 15.3
    ([25, 0, -120, 0, False, 1], 0),
]
FORMULA = 'export { reduced as answer } from "./src/damage.ts";'
FORECAST = """
import catalogue from "./catalogue.json";
import { expected } from "./src/forecast.ts";
export function answer(view, terrain, spell, aim) {
  const caster = view.entities.find(({ index }) => index === view.actor);
  const told = expected({ catalogue, view, map: { terrain } }, caster, spell, aim);
  return told.map(({ entity, usual, critical }) => ({ index: entity.index, usual, critical }));
}
"""


@pytest.mark.rule("D2", "D3", "D5", "D7", "D8")
def test_the_page_counts_a_hit_as_the_rules_do(workshop: Workshop) -> None:
    rng = np.random.default_rng(2)
    drawn = [
        [
            int(rng.integers(0, 201)),
            int(rng.choice([0, rng.integers(0, 60)])),
            int(rng.integers(-150, 400)),
            int(rng.integers(-150, 76)),
            bool(rng.integers(2)),
            int(rng.choice([1, 2, 100])),
        ]
        for _ in range(CASES)
    ]
    by_hand, expected = map(list, zip(*BY_HAND, strict=True))
    told = workshop.ask(FORMULA, by_hand + drawn)
    assert told[: len(by_hand)] == expected
    assert told == [int(REDUCED(*case)) for case in by_hand + drawn]


def forecasts(workshop: Workshop, cases: list[list[Any]]) -> list[dict[int, dict[str, Any]]]:
    """What the page foretells of each cast (view, terrain, spell, aim), by entity."""
    (workshop.page / "catalogue.json").write_text(json.dumps(catalogue()))
    return [{one["index"]: one for one in told} for told in workshop.ask(FORECAST, cases)]


def spells() -> dict[str, dict[str, Any]]:
    """Every spell of the catalogue by its id."""
    sheets = catalogue()
    found = [spell for sheet in sheets["classes"] for spell in sheet["spells"]]
    found += [sheet["spell"] for sheet in sheets["summons"] if sheet["spell"]]
    return {spell["id"]: spell for spell in found}


def hidden(state: np.record, camp: int) -> bool:
    """Whether traps or fighters of the other camp are hidden from a camp."""
    traps = state.trap[: int(state.trap_count)]
    others = state.entity["invisible"][state.entity["camp"] != camp]
    return bool((traps["camp"] != camp).any() or others.any())


SPELLS = spells()
DUELS, DRAWS = 40, 12


def positions(seed: int) -> Iterator[tuple[Duel, int]]:
    """A duel of random legal actions before each cast for which nothing is hidden."""
    rng = np.random.default_rng(seed)
    teams = 2 if seed % 4 == 0 else 1
    classes = [CLASSES[(seed * (1 + 2 * n) + n) % len(CLASSES)] for n in range(2 * teams)]
    duel = Duel.new(seed, classes=classes, map=MAPS[seed % len(MAPS)], team_size=teams)
    while duel.outcome is None and duel.state.turn < 60:
        mask = duel.mask().copy()
        mask[FORFEIT] = 0
        action = lively(mask, rng)
        casts = duel.state.phase == Phase.FIGHT and action < SLOTS * CELLS
        if casts and not hidden(duel.state, duel.seat % 2):
            yield duel, action
        duel.apply(action)


def outcomes(duel: Duel, action: int, met: Counter[Event]) -> list[Counter[int]]:
    """HP lost, less those regained, by each entity in many draws of a cast; what was met on the
    way is counted."""
    found = []
    for stream in np.random.default_rng(action).integers(2**63, size=DRAWS):
        copy = duel.clone()
        copy.state.rng = stream
        copy.refresh()
        copy.apply(action)
        lost: Counter[int] = Counter()
        for event in copy.events:
            if event["kind"] == Event.TURN_ENDS:
                break
            met[Event(event["kind"])] += 1
            sign = {Event.DAMAGE: 1, Event.HEAL: -1}.get(event["kind"], 0)
            lost[int(event["actor"])] += sign * int(event["value"])
        found.append(lost)
    return found


def case_of(duel: Duel, action: int) -> list[Any]:
    """A cast as the page is asked about it, from what the acting seat sees."""
    view = view_data(duel.look(duel.seat).known, duel.seat)
    actor = next(entity for entity in view["entities"] if entity["index"] == view["actor"])
    slot = action // CELLS
    if actor["kind"] == "hero":
        spell = SPELLS[view["heroes"][actor["index"]]["spells"][slot]]
    else:
        spell = next(s["spell"] for s in catalogue()["summons"] if s["id"] == actor["kind"])
    terrain = next(sheet["terrain"] for sheet in catalogue()["maps"] if sheet["id"] == view["map"])
    return [view, terrain, spell, cell_of(action % CELLS)]


def test_what_comes_of_a_cast_lies_within_its_forecast(workshop: Workshop) -> None:
    met: Counter[Event] = Counter()
    cases, found = [], []
    for seed in range(DUELS):
        for duel, action in positions(seed):
            cases.append(case_of(duel, action))
            found.append(outcomes(duel, action, met))
    for case, draws, told in zip(cases, found, forecasts(workshop, cases), strict=True):
        for entity in case[0]["entities"]:
            index = entity["index"]
            least, most = bounds(told.get(index))
            lost = [draw[index] for draw in draws]
            assert least <= min(lost) and max(lost) <= most, (case[2]["id"], entity)
    for kind in (Event.COLLIDES, Event.EXPLODES, Event.TRAP_SPRUNG, Event.CRITICAL):
        assert met[kind] > 5 * DRAWS, kind


def bounds(forecast: dict[str, Any] | None) -> tuple[int, int]:
    """Least and most HP that a forecast says may be lost; none: nothing happens."""
    if forecast is None:
        return 0, 0
    losses = [loss for loss in (forecast["usual"], forecast["critical"]) if loss]
    return min(loss["least"] for loss in losses), max(loss["most"] for loss in losses)


def board_case(board: Board, spell: dict[str, Any], aim: str) -> list[Any]:
    """A spell of a drawn board's acting hero, as the page is asked about it."""
    seat = board.duel.seat
    view = view_data(board.duel.look(seat).known, seat)
    drawn = board.duel.rules[0].maps[0]
    signs = np.where(drawn.playable != 0, ".", np.where(drawn.obstacle != 0, "W", " "))
    terrain = ["".join(row) for row in signs[:CELLS].reshape(HEIGHT, WIDTH)]
    for trap in view["traps"]:  # of a cross of one; the view's own area is that of the real map
        row, column = trap["cell"]
        steps = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
        trap["area"] = [[row + down, column + right] for down, right in steps]
    return [view, terrain, spell, cell_of(board.at(aim))]


def spell_of(*effects: dict[str, Any], **terms: Any) -> dict[str, Any]:
    """A spell with these effects, so that no change of the sheets moves a number worked by hand."""
    usual = {"id": "essai", "hp_cost": 0, "range": [1, 9], "line": False, "sight": True}
    return {**usual, "area": None, "from_departure": False, "effects": list(effects), **terms}


SHOVE = spell_of(
    {"kind": "damage", "on": "target", "min": 8, "max": 12},
    {"kind": "push", "on": "target", "cells": 3},
)
HEROES = {"A": "ombre p", "b": "horloger p", "C": "ombre p", "d": "horloger p"}


def foretold(
    workshop: Workshop, board: Board, spell: dict[str, Any], aim: str
) -> dict[int, tuple[int, int]]:
    """Least and most HP that entities are to lose, critical hits aside."""
    (told,) = forecasts(workshop, [board_case(board, spell, aim)])
    return {n: (one["usual"]["least"], one["usual"]["most"]) for n, one in told.items()}


@pytest.mark.rule("F2", "F3")
@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        ("C d . . . .\n. A b . . .", {1: (8, 12)}),  # three free cells: no collision
        ("C d . . . .\n. A b # . .", {1: (44, 48)}),  # 3 x 12
        ("C d . . . .\n. A b . # .", {1: (32, 36)}),  # 2 x 12
        ("C d . . . .\n. A b . _ .", {1: (32, 36)}),  # void blocks as a wall does
        ("C . . . . .\n. A b d . .", {1: (44, 48), 3: (18, 18)}),  # half for whom it meets
    ],
)
def test_a_forecast_has_the_collision_of_a_push(
    workshop: Workshop, drawing: str, expected: dict[int, tuple[int, int]]
) -> None:
    board = scenario(drawing, **HEROES)
    assert foretold(workshop, board, SHOVE, "b") == expected


@pytest.mark.rule("F3", "F4", "F6", "D3", "D4")
def test_a_collision_is_a_hit_like_any_other(workshop: Workshop) -> None:
    drawing = "A b # ."
    fracas = scenario(drawing, A="guerrier P", b="horloger p")
    assert foretold(workshop, fracas, SHOVE, "b") == {1: (62, 66)}  # 3 x 18
    own = spell_of({"kind": "push", "on": "target", "cells": 4, "collision": 20})
    assert foretold(workshop, fracas, own, "b") == {1: (80, 80)}
    tough = scenario(drawing, A="ombre p", b="guerrier p")  # Cuirasse: 15 %
    # 6.8 and 10.2, then 30.6
    assert foretold(workshop, tough, SHOVE, "b") == {1: (7 + 31, 10 + 31)}
    case = board_case(tough, SHOVE, "b")
    effect = {"target": 1, "source": 1, "value2": 0, "turns": 1, "until": "turns", "cause": None}
    case[0]["effects"] = [{"kind": "armour", "value": 20, **effect}]
    anchored = board_case(tough, SHOVE, "b")
    anchored[0]["effects"] = [{"kind": "anchor", "value": 0, **effect}]
    armoured, held = forecasts(workshop, [case, anchored])
    assert armoured[1]["usual"] == {"least": 18, "most": 21, "fatal": False}
    # 10.2 and 15.3 for the blow, 45.9 for the wall
    assert armoured[1]["critical"] == {"least": 36, "most": 41, "fatal": False}
    assert held[1]["usual"] == {"least": 7, "most": 10, "fatal": False}


@pytest.mark.rule("F5", "X1")
def test_only_a_trap_that_the_viewer_knows_stops_a_push(workshop: Workshop) -> None:
    drawing = "A b . . # .\n. . . t . ."
    mine, theirs = (scenario(drawing, **HEROES) for _ in range(2))
    mine.lay_trap("piege_a_pointes", "A", "t")
    theirs.lay_trap("piege_a_pointes", "b", "t")
    sheet = next(one for one in catalogue()["traps"] if one["id"] == "piege_a_pointes")
    spikes = sheet["effects"][0]
    told = foretold(workshop, mine, SHOVE, "b")
    assert told == {1: (8 + spikes["min"], 12 + spikes["max"])}  # its cross holds the second cell
    assert foretold(workshop, theirs, SHOVE, "b") == {1: (20, 24)}  # the wall, one cell short


@pytest.mark.rule("I1", "I5")
def test_a_forecast_does_not_know_of_the_unseen(workshop: Workshop) -> None:
    board = scenario("C . . . . .\n. A b d . .", **HEROES)
    board["d"].invisible = 1
    assert foretold(workshop, board, SHOVE, "b") == {1: (8, 12)}


@pytest.mark.rule("N3")
def test_a_forecast_has_the_second_hit_of_a_chain(workshop: Workshop) -> None:
    chain = spell_of(
        {"kind": "chain", "on": "target", "min": 22, "max": 28, "percent": 50, "radius": 3}
    )
    near = scenario("A C b . . d", **HEROES)
    assert foretold(workshop, near, chain, "b") == {1: (22, 28), 3: (11, 14)}
    far = scenario("A C b . . . d", **HEROES)
    assert foretold(workshop, far, chain, "b") == {1: (22, 28)}
    (told,) = forecasts(workshop, [board_case(near, chain, "b")])
    assert told[3]["critical"] == {"least": 17, "most": 21, "fatal": False}  # 16.5


@pytest.mark.rule("N21")
def test_a_forecast_has_the_charges_that_go_off(workshop: Workshop) -> None:
    board = scenario("A x y b . .", A="artificier P", b="horloger p")
    board.cast(1, "x").cast(1, "y")
    sheet = next(one for one in catalogue()["summons"] if one["id"] == "charge_explosive")
    blast, hp = sheet["effects"][0], sheet["hp"]
    first, second = board.summons("charge_explosive")
    detonate = spell_of({"kind": "detonate", "on": "target"})
    once = {0: (blast["min"], blast["max"]), second: (hp, hp)}
    told = foretold(workshop, board, detonate, "x")
    assert told == once | {1: (blast["min"], blast["max"])}  # the second one goes off in turn
    scratch = spell_of({"kind": "damage", "on": "target", "min": 1, "max": hp})
    told = foretold(workshop, board, scratch, "y")
    assert told == {
        second: (1, hp),  # falls, and goes off, only by the most of it
        first: (0, hp),
        1: (0, blast["max"]),
        0: (0, blast["max"]),
    }
