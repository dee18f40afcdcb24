"""Views whose parts all read but that no duel comes to are refused, each in a sentence."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from play import lively

from solwaris_env.agents.greedy import GreedyAgent
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.server.contradictions import contradictions
from solwaris_env.server.example import example_view
from solwaris_env.server.fields import View
from solwaris_env.server.rebuild import Looker, ViewError, known_of
from solwaris_env.server.views import view_data

Change = Callable[[dict], object]
FREE = [13, 14]  # a cell of the example's map where nothing stands or lies


def read(data: dict) -> np.ndarray:
    """The known record that a view says, through its JSON."""
    return known_of(View.model_validate_json(json.dumps(data)))


def view_in(phase: Phase, team_size: int = 1, decisions: int = 0) -> dict:
    """The acting seat's view some decisions after a phase has begun."""
    duel = Duel.new(3, team_size=team_size, purses=[500] * 2 * team_size, allow_forfeit=False)
    while int(duel.state.phase) != phase:
        duel.apply(int(np.flatnonzero(duel.mask())[0]))
    for _ in range(decisions):
        duel.apply(int(np.flatnonzero(duel.mask())[-1]))
    return view_data(duel.look(duel.seat).known, duel.seat)


def entity(index: int, **values: object) -> Change:
    """Change an entity of a view."""
    return lambda v: next(e for e in v["entities"] if e["index"] == index).update(values)


def hero(seat: int, **values: object) -> Change:
    """Change a hero of a view."""
    return lambda v: v["heroes"][seat].update(values)


def auction(**values: object) -> Change:
    """Change the auction of a view."""
    return lambda v: v["auction"].update(values)


def view(**values: object) -> Change:
    """Change a view itself."""
    return lambda v: v.update(values)


def more(part: str, **values: object) -> Change:
    """Add something to a list of a view."""
    return lambda v: v[part].append(values)


def both(*changes: Change) -> Change:
    """One change after the other."""
    return lambda v: [change(v) for change in changes]


def refuse(data: dict, change: Change, told: str) -> None:
    """Expect a view to be in order before a change, and refused in a sentence after it."""
    read(data)
    data = json.loads(json.dumps(data))
    change(data)
    with pytest.raises(ViewError, match=told) as fault:
        read(data)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (entity(0, ap=3), "index 0 does not act, so its ap in hand is 0"),
        (entity(0, mp=1), "index 0 does not act, so its mp in hand is 0"),
        (entity(4, ap=1), "index 4 does not act"),
        (entity(0, ap_lost=5), "index 0: ap_lost is 4 at most"),
        (entity(0, mp_lost=1, mp_debt=2), "index 0: mp_debt is part of mp_lost"),
        (entity(1, ap_lost=1, ap_debt=1), "index 1 acts: ap_debt was paid"),
        (entity(1, mp_gain=2), "index 1 acts: mp_gain is in hand"),
        (entity(0, owner=1), "index 0: a hero's owner is its own seat"),
        (entity(0, cell=None), "index 0 is seen: it needs its cell"),
        (entity(4, cell=None), "index 4 is seen: it needs its cell"),
        (entity(0, invisible=True), "index 0 is invisible to the viewer: its cell is null"),
        (entity(6, serial=1), "index 6 has the serial of index 4"),
        (entity(4, serial=0), "index 4: the serial of the first summon is 1"),
    ],
)
def test_fighters(change: Change, told: str) -> None:
    refuse(example_view(), change, told)


@pytest.mark.rule("X1", "X3", "X7")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (more("traps", kind="fosse", owner=0, cell=FREE), r"traps\[1\]: the viewer knows of no"),
        (more("traps", kind="fosse", owner=1, cell=[12, 12]), r"has the cell of traps\[0\]"),
        (more("traps", kind="fosse", owner=1, cell=FREE, turns=0), "turns are 1 to 8"),
        (more("traps", kind="fosse", owner=1, cell=FREE, turns=9), "turns are 1 to 8"),
    ],
)
def test_traps(change: Change, told: str) -> None:
    refuse(example_view(), change, told)


@pytest.mark.rule("G1", "G2")
@pytest.mark.parametrize(
    ("bonuses", "told"),
    [
        ([("ap", [3, 9])], r"bonuses\[0\]: index 0 stands on its cell"),
        ([("ap", FREE), ("heal", [6, 7])], r"bonuses\[1\]: index 1 stands on its cell"),
        ([("ap", FREE), ("ap", [12, 8])], r"bonuses\[1\]: there are never two of a kind"),
        ([("ap", FREE), ("mp", FREE)], r"bonuses\[1\] has the cell of bonuses\[0\]"),
    ],
)
def test_bonuses(bonuses: list, told: str) -> None:
    laid = [{"kind": kind, "cell": cell} for kind, cell in bonuses]
    refuse(example_view(), view(bonuses=laid), told)


@pytest.mark.rule("G2")
def test_a_bonus_may_lie_under_what_takes_none() -> None:
    data = json.loads(json.dumps(example_view()))
    data["bonuses"] = [{"kind": "ap", "cell": [10, 8]}]  # the barricade's
    read(data)
    barricade = next(e for e in data["entities"] if e["index"] == 5)
    barricade["kind"] = "automate"
    with pytest.raises(ViewError, match=r"bonuses\[0\]: index 5 stands on its cell"):
        read(data)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (more("effects", kind="armour", target=0, source=0, value=5, turns=0), "it has ended"),
        (more("effects", kind="poison", target=0, source=0), "with value 0 there is no poison"),
        (
            more("effects", kind="delayed", target=0, source=1, value=5, value2=4),
            r"effects\[2\]: value2 is the highest damage",
        ),
        (
            lambda v: v["effects"].append(v["effects"][0]),
            r"effects\[2\] is effects\[0\] again, which would have been renewed",
        ),
    ],
)
def test_effects(change: Change, told: str) -> None:
    refuse(example_view(), change, told)


@pytest.mark.rule("E4")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (more("effects", kind="anchor", target=2, source=1), "target 2 is dead"),
        (more("traps", kind="fosse", owner=2, cell="free"), "its owner is dead"),
        (
            more("entities", index=4, kind="automate", owner=2, cell="free", hp=9),
            "index 4: its hero is dead",
        ),
    ],
)
def test_nothing_is_left_of_the_dead(change: Change, told: str) -> None:
    data = view_in(Phase.FIGHT, 2)
    while data["to_act"] != 0:
        data = view_in(Phase.FIGHT, 2, data["turn"])
    entity(2, hp=0, cell=None)(data)
    data["bonuses"] = []
    legal = Looker().look(read(data), 0).action_mask
    cell = int(np.flatnonzero(legal[4032:4536])[0])

    def put(v: dict) -> None:
        change(v)
        for part in (v["traps"], v["entities"]):
            for one in part:
                if one["cell"] == "free":
                    one["cell"] = [cell // 28, cell % 28]

    refuse(data, put, told)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (view(winner=0), "winner: null as long as the duel is not over"),
        (view(termination="knockout"), "termination: null"),
        (view(quitter=1), "quitter: null"),
        (view(turn=81), "turn: 80 is the last one"),
        (view(turn=8, camp_turns=None), r"turn: .* played first, so turn 8 is .*'s"),
        (view(camp_turns=[4, 3]), r"camp_turns: \[3, 4\] make up the 7 of turn"),
        (view(next_camp=1), "next_camp: camps alternate, so it is 0"),
        (view(first_camp=0), "first_camp: it is 1"),
        (auction(bidder=None), "auction: a bid has both"),
        (auction(price=0), "auction: a bid has both"),
        (auction(price=150), "auction.price: bids rise by 100 coins"),
        (hero(1, placed=False), r"heroes\[1\].placed: .* it is true"),
        (hero(1, turn_start=[0, 0]), r"heroes\[1\].turn_start: cell \[0, 0\] is none"),
        (hero(0, earned_ap=1), r"heroes\[0\].earned_ap: with the passive artilleur it is 0"),
        (hero(1, carried_ap=1), r"heroes\[1\].carried_ap: with the passive soif_de_sang it is 0"),
        (hero(0, used=[0, 0, 3] + [0] * 5), r"heroes\[0\].used: .* can be cast 2 times a turn"),
    ],
)
def test_the_course_of_the_fight(change: Change, told: str) -> None:
    refuse(example_view(), change, told)


@pytest.mark.rule("T5", "N17")
def test_allies_alternate_while_both_live() -> None:
    data = view_in(Phase.FIGHT, 2)
    seat, ally = data["to_act"], (data["to_act"] + 2) % 4
    change = both(
        view(seat=ally, to_act=ally, actor=ally),
        entity(seat, ap=0, mp=0),
        entity(ally, ap=12, mp=6),
    )
    refuse(data, entity(ally, cell=None), f"index {ally} is .*'s own: the viewer knows its cell")
    refuse(data, change, f"to_act: allies alternate, so turn 1 is seat {seat}'s")
    change(data)
    entity(seat, hp=0, cell=None)(data)
    data["effects"] = data["traps"] = []
    read(data)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (entity(4, kind="automate"), "index 4: seat . has no spell that makes its automate"),
        (
            more("traps", kind="piege_a_pointes", owner=1, cell=FREE),
            "seat 1 has no spell that lays",
        ),
        (entity(1, invisible=True), "index 1 is invisible, but its camp has no spell for that"),
        (
            more("effects", kind="power", target=0, source=0, value=10, turns=1, cause="stase"),
            "nobody has taken its cause stase along",
        ),
        (auction(price=200), "Red was asked first, so a price of 200 is not camp 1's"),
        (auction(drawn_camp=1), "Blue was asked first, so a price of 100 is not camp 1's"),
    ],
)
def test_what_is_there_was_made_by_somebody(change: Change, told: str) -> None:
    refuse(example_view(), change, told)


@pytest.mark.rule("A1", "A5", "A6")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda v: view(to_act=1 - v["to_act"], seat=1 - v["seat"])(v), "to_act: in this auction"),
        (lambda v: view(to_act=v["to_act"] + 2, seat=v["seat"] + 2)(v), "to_act: in this auction"),
        (
            lambda v: hero(v["auction"]["bidder"], purse=0)(v),
            "auction.price: seat . has bid more coins than its purse holds",
        ),
        (entity(0, ap_lost=1), "index 0: ap_lost says what cannot be before the fight"),
        (entity(2, forced=True), "index 2: forced says what cannot be"),
        (entity(3, hp=1), "index 3 is hurt before the fight has begun"),
        (entity(1, cell=[9, 13]), "index 1 is not in its camp's start zone"),
        (hero(1, used=[1] + [0] * 7), r"heroes\[1\].used: no turn has begun"),
        (view(actor=0), "actor: null before the fight"),
        (view(turn=1), "turn: no turn has begun before the fight"),
        (view(next_camp=0), "next_camp: null before the fight"),
        (view(camp_turns=[0, 1]), "camp_turns: no turn has begun before"),
        (view(bonuses=[{"kind": "ap", "cell": [9, 13]}]), "bonuses: there are none before"),
    ],
)
def test_the_auction(change: Change, told: str) -> None:
    duel = Duel.new(3, team_size=2, map="grande_plaine", purses=[500] * 4, allow_forfeit=False)
    while duel.placing:
        duel.apply(int(np.flatnonzero(duel.mask())[0]))
    duel.apply(int(np.flatnonzero(duel.mask())[-1]))  # a bid
    data = view_data(duel.look(duel.seat).known, duel.seat)
    assert data["auction"]["bidder"] == data["first_camp"] != data["to_act"]
    refuse(data, change, told)


@pytest.mark.rule("P1", "P3")
def test_the_placement() -> None:
    duel = Duel.new(3, team_size=2, map="grande_plaine", allow_forfeit=False)
    for _ in range(2):
        duel.apply(int(np.flatnonzero(duel.mask())[0]))
    data = view_data(duel.look(2).known, 2)
    cell = [int(c) for c in np.divmod(int(np.flatnonzero(duel.mask())[0]) - 4032, 28)]
    refuse(data, entity(1, cell=cell), "index 1 is hidden, cell null")
    refuse(data, entity(2, cell=cell), "index 2 has no cell before its seat has chosen one")
    refuse(data, entity(0, cell=None), "index 0 is .*'s own: the viewer knows its cell")
    refuse(data, entity(0, cell=[9, 13]), "index 0 is not in its camp's start zone")
    refuse(data, hero(3, placed=True), r"heroes\[3\].placed: seats choose in order.* false")
    refuse(data, hero(1, placed=False), r"heroes\[1\].placed: seats choose in order.* true")
    refuse(data, auction(price=100, bidder=0), "auction: nobody bids before everybody is placed")


def played(seed: int) -> None:
    """Play a duel to its end, every seat's view of its decisions being in order."""
    rng = np.random.default_rng(seed)
    team_size = 1 + seed % 2
    duel = Duel.new(seed, team_size=team_size, purses=[500] * 2 * team_size, allow_forfeit=False)
    agent = GreedyAgent(seed)
    while duel.outcome is None:
        data = view_data(duel.look(duel.seat).known, duel.seat)
        read(data)
        assert next(contradictions(View.model_validate(data)), None) is None
        random = rng.random() < (seed // 2 % 3) / 2
        duel.apply(lively(duel.mask(), rng) if random else agent.act(duel.view(duel.seat)))


@pytest.mark.parametrize("seed", range(6))
def test_no_view_of_a_whole_duel_is_refused(seed: int) -> None:
    played(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6, 200))
def test_no_view_of_many_duels_is_refused(seed: int) -> None:
    played(seed)
