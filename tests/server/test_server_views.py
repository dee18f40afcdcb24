"""The view as JSON: it holds all that mask and observation come from, and nothing more."""

import json
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from play import MAPS
from pydantic import ValidationError

from solwaris_env.duel.codec import FORFEIT, encode
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.server.example import example_view
from solwaris_env.server.fields import View
from solwaris_env.server.rebuild import Looker, ViewError, known_of
from solwaris_env.server.views import legal_data, spectator_known, view_data

CLASSES = ("guerrier", "brute", "arcaniste", "ombre", "horloger", "artificier")
LOOKER = Looker()


def plies(seed: int, most: int = 150) -> Iterator[Duel]:
    """A duel of random legal actions, casts more often than not, before each of them."""
    rng = np.random.default_rng(seed)
    classes = [CLASSES[(seed + i * 2) % 6] for i in range(2 if seed % 3 else 4)]
    duel = Duel.new(seed, classes=classes, map=MAPS[seed % 9], allow_forfeit=False)
    for _ in range(most):
        if duel.outcome is not None:
            return
        yield duel
        legal = np.flatnonzero(duel.mask())
        casts = legal[legal < 4032]
        duel.apply(int(rng.choice(casts if len(casts) and rng.random() < 0.6 else legal)))


def read(data: dict) -> np.ndarray:
    """The known record that a view says, through its JSON."""
    return known_of(View.model_validate_json(json.dumps(data)))


def blank_out(known: np.ndarray) -> dict[str, bytes]:
    """The record without what no rule reads: ghosts of fallen summons, the order of bonuses."""
    known = known.copy()
    ghosts = known["entity"][0]["kind"] == 0
    for field in known["entity"].dtype.names:
        known["entity"][field][0, ghosts] = -1 if field == "cell" else 0
    laid = sorted((int(b["kind"]), int(b["cell"])) for b in known["bonus"][0] if b["kind"])
    known["bonus"]["kind"] = known["bonus"]["cell"] = 0
    known["serial"] = 0
    fields = {name: known[name].tobytes() for name in known.dtype.names}
    return {**fields, "laid": repr(laid).encode()}


@pytest.mark.parametrize("seed", range(9))
def test_a_view_rebuilds_the_known_state_at_every_ply(seed: int) -> None:
    for duel in plies(seed):
        seat = duel.seat
        known = duel.look(seat).known.copy()
        again = read(view_data(known, seat))
        assert blank_out(again) == blank_out(known)
        seen, expected = LOOKER.look(again, seat), duel.view(seat)
        assert np.array_equal(seen.action_mask, expected.action_mask)
        for part, values in expected.observation.items():
            assert np.array_equal(seen.observation[part], values), part


def bare(data: dict) -> dict:
    """A view as a stranger would write it: without what the server computes or can guess."""
    data = json.loads(json.dumps(data))
    for key in ("schema", "version", "rules", "tour", "camp_turns", "next_camp", "first_camp"):
        del data[key]
    for hero in data["heroes"]:
        del hero["spells"], hero["passive"]
    for entity in data["entities"]:
        del entity["shown"], entity["class"], entity["camp"]
        for key in [k for k, v in entity.items() if v == 0 and k not in ("index", "hp", "owner")]:
            del entity[key]
    for trap in data["traps"]:
        del trap["area"]
    return data


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_what_may_be_left_out_is_worked_out(seed: int) -> None:
    for duel in plies(seed):
        seat = duel.seat
        seen = LOOKER.look(read(bare(view_data(duel.look(seat).known, seat))), seat)
        expected = duel.view(seat)
        assert np.array_equal(seen.action_mask, expected.action_mask)
        assert np.array_equal(seen.observation["board"], expected.observation["board"])
        assert np.array_equal(seen.observation["scalars"], expected.observation["scalars"])


def test_what_is_shown_is_what_the_observation_has() -> None:
    for duel in plies(5):
        known = duel.look(duel.seat).known
        data = view_data(known, duel.seat)
        board = duel.view(duel.seat).observation["board"]
        for entity in data["entities"]:
            if entity["cell"] is not None:
                row, column = entity["cell"]
                shown = entity["shown"]
                told = [board[plane, row, column] for plane in (13, 14, 15, 16)]
                assert told[1:3] == [shown["ap"], shown["mp"]], entity
                assert told[0] == min(127, shown["armour"])
                assert told[3] == max(-100, shown["resistance"])


@pytest.mark.rule("D3")
def test_the_resistance_shown_is_capped() -> None:
    view = bare(example_view())
    view["effects"] = [
        {"kind": "resistance", "target": 0, "source": 1, "value": 50, "cause": cause}
        for cause in ("poudre_noire", "peau_de_pierre")
    ]
    assert view_data(read(view), view["seat"])["entities"][0]["shown"]["resistance"] == 75


def test_legal_actions_are_the_mask() -> None:
    for duel in plies(7, 60):
        legal = legal_data(duel.mask(), duel.placing)
        named = [
            {"type": "cast", "slot": s, "cell": c} for s, cs in enumerate(legal["cast"]) for c in cs
        ]
        named += [{"type": "go", "cell": c} for c in legal["go"]]
        named += [{"type": "place", "cell": c} for c in legal["place"]]
        named += [{"type": name} for name in ("pass", "raise") if legal[name]]
        assert sorted(encode(a) for a in named) == np.flatnonzero(duel.mask()).tolist()
        assert not duel.mask()[FORFEIT]


def test_a_spectator_knows_what_both_camps_know() -> None:
    for seed in (3, 9):  # with an Ombre
        for duel in plies(seed):
            known = spectator_known(duel)[0]
            mine = [duel.look(seat).known.copy()[0] for seat in (0, 1)]
            assert known.trap_count == 0 and known.rng == 0
            for index in range(28):
                cells = [int(one.entity[index].cell) for one in mine]
                assert known.entity[index].cell == (-1 if -1 in cells else cells[0])
            if known.phase == Phase.PLACEMENT:
                assert (known.entity["cell"] == -1).all()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda v: v["entities"].pop(0), "missing"),
        (lambda v: v["entities"][0].update(cell=[0, 0]), "stands where nobody can"),
        (lambda v: v["entities"][1].update(cell=v["entities"][0]["cell"]), "another one stands"),
        (lambda v: v["entities"][0].update(hp=0), "is dead"),
        (lambda v: v["entities"][0].update(hp=2000), "more hp than max_hp"),
        (lambda v: v["heroes"].reverse(), "in order"),
        (lambda v: v.update(rules="0.9"), "rules"),
        (lambda v: v.update(actor=None), "who acts"),
        (lambda v: v.update(turn=0), "turn"),
        (lambda v: v["traps"].append({"kind": "pit", "owner": 0, "cell": [5, 5]}), "not one of"),
        (
            lambda v: v["effects"].append({"kind": "poison", "target": 9, "source": 0}),
            "no entity",
        ),
        (
            lambda v: v["effects"].append(
                {"kind": "armour", "target": 0, "source": 0, "cause": "nonsense"}
            ),
            "cause",
        ),
    ],
)
def test_an_impossible_view_is_refused_in_a_sentence(change, told: str) -> None:
    data = json.loads(json.dumps(example_view()))
    change(data)
    with pytest.raises(ViewError, match=told) as fault:
        read(data)
    assert "\n" not in str(fault.value)


def dead(*indices: int) -> Callable[[dict], None]:
    """Let entities of a view be dead."""

    def change(view: dict) -> None:
        for entity in view["entities"]:
            if entity["index"] in indices:
                entity.update(hp=0, cell=None)

    return change


@pytest.mark.rule("E1", "T8")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (dead(0), "entities: .* has no hero with hp, the fight is over"),
        (dead(0, 1), "entities: .* has no hero with hp, the fight is over"),
        (lambda v: v.update(actor=4), "actor: entity 4 is a charge_fumante, which has no turns"),
        (lambda v: v.update(actor=5), "actor: entity 5 is a barricade, which has no turns"),
    ],
)
def test_a_view_of_a_fight_that_cannot_go_on_is_refused(change, told: str) -> None:
    data = json.loads(json.dumps(example_view()))
    assert data["to_act"] == 1
    change(data)
    with pytest.raises(ViewError, match=told):
        read(data)


@pytest.mark.rule("E1")
def test_a_camp_fights_on_with_one_of_its_two_heroes() -> None:
    data = next(d for d in fights(2) if d["to_act"] != 0)
    dead(0)(data)
    LOOKER.look(read(data), data["seat"])
    dead(2)(data)
    with pytest.raises(ViewError, match="no hero with hp"):
        read(data)


def test_nobody_is_dead_before_the_fight() -> None:
    duel = Duel.new(1)
    data = view_data(duel.look(0).known, 0)
    assert data["phase"] == "placement"
    read(data)
    data["entities"][1]["hp"] = 0
    with pytest.raises(ViewError, match="index 1 is dead before the fight"):
        read(data)


def fights(team_size: int) -> Iterator[dict]:
    """Views of the first turns of a fight, the acting seats' own."""
    duel = Duel.new(5, team_size=team_size, allow_forfeit=False)
    while duel.outcome is None:
        if int(duel.state.phase) == Phase.FIGHT:
            yield view_data(duel.look(duel.seat).known, duel.seat)
        duel.apply(int(np.flatnonzero(duel.mask())[-1]))


def test_an_unknown_key_is_no_oversight() -> None:
    with pytest.raises(ValidationError, match="extra"):
        View.model_validate({**example_view(), "secret": 1})


def test_the_example_is_complete_and_in_order() -> None:
    data = example_view()
    assert set(data) == {f.alias or name for name, f in View.model_fields.items()}
    assert data["effects"] and len(data["entities"]) > 2
    LOOKER.look(read(data), data["seat"])
