"""What a seat may not know does not reach it: hidden facts are swapped, nothing it sees changes.

Hidden are the other camp's traps (X1), the cells of its unseen fighters (I1), its placements
before all are placed (P3), and the generator.
"""

import json
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest
from play import MAPS, lively

from solwaris_env.agents import make_agent
from solwaris_env.duel.aec import raw_env
from solwaris_env.duel.codec import GO, PASS
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.content.schema import CELLS, Kind
from solwaris_env.duel.engine.scratch import Event
from solwaris_env.duel.engine.state import HEROES, Phase
from solwaris_env.duel.game import Duel
from solwaris_env.duel.observation import PLANES
from solwaris_env.duel.view import json_view
from solwaris_env.render.text import render_text

# every class, and the Ombre with her traps and her veil more often than the others
CLASHES = [
    ["ombre", "ombre"], ["ombre", "guerrier"], ["brute", "ombre"], ["ombre", "arcaniste"],
    ["horloger", "ombre"], ["ombre", "artificier"], ["brute", "brute"],
    ["ombre", "artificier", "brute", "ombre"], ["horloger", "ombre", "ombre", "arcaniste"],
]  # fmt: skip


def clash(seed: int) -> Duel:
    """A duel in which much is hidden."""
    rng = np.random.default_rng(seed)
    classes = CLASHES[seed % len(CLASHES)]
    # slot 2 of the Ombre holds Invisibilité or Linceul, slots 3 to 5 her traps
    loadouts = [int(rng.integers(512)) & ~0b110000 for _ in classes]
    return Duel.new(
        seed, classes=classes, loadouts=loadouts, map=MAPS[seed % 9], allow_forfeit=False
    )


def hidden_traps(state: np.record, camp: int) -> list[int]:
    return np.flatnonzero(state.trap["camp"][: int(state.trap_count)] != camp).tolist()


def unseen(state: np.record, camp: int) -> list[int]:
    entity = state.entity
    there = (entity["camp"] != camp) & (entity["cell"] >= 0)
    return np.flatnonzero(there & (entity["invisible"] != 0)).tolist()


def placements(state: np.record, camp: int) -> list[int]:
    placing = state.phase == Phase.PLACEMENT
    return [i for i in range(HEROES) if placing and i % 2 != camp and state.entity[i].cell >= 0]


@dataclass
class Swap:
    """A copy of a duel in which some facts hidden from a camp are others."""

    duel: Duel
    kinds: list[str] = field(default_factory=list)
    moved: dict[int, tuple[int, int]] = field(default_factory=dict)  # entity: from, to


def move(state: np.record, entity: int, cell: int) -> None:
    state.occupant[state.entity[entity].cell] = -1
    state.occupant[cell] = entity
    state.entity[entity].cell = cell


def swap_traps(state: np.record, camp: int, playable: np.ndarray, rng: np.random.Generator) -> None:
    """Move, change, remove or double the other camp's traps."""
    for i in hidden_traps(state, camp):
        centres = {int(state.trap[k].cell) for k in hidden_traps(state, camp)}
        elsewhere = [c for c in np.flatnonzero(playable).tolist() if c not in centres]
        state.trap[i].cell = rng.choice(elsewhere)
        state.trap[i].turns = rng.integers(1, 9)
        state.trap[i].kind = rng.integers(1, 6)
    if rng.random() < 0.3:
        last = int(state.trap_count) - 1
        if state.trap[last].camp != camp:
            for name in ("kind", "owner", "camp", "turns", "cell"):
                setattr(state.trap[last], name, 0)
            state.trap_count = last
    elif rng.random() < 0.3 and state.trap_count < len(state.trap):
        new = state.trap[int(state.trap_count)]
        new.kind, new.owner, new.camp, new.turns = 1, 1 - camp, 1 - camp, 3
        new.cell = rng.choice(np.flatnonzero(playable))
        state.trap_count += 1


def swapped(duel: Duel, camp: int, rng: np.random.Generator, same_chance: bool) -> Swap:
    """Swap all that the duel hides from a camp."""
    swap = Swap(duel.clone())
    state = swap.duel.state
    grid = duel.rules[0].maps[int(state.map)]
    lying = {int(b.cell) for b in state.bonus if b.kind}
    if not same_chance:
        state.rng = rng.integers(2**64, dtype=np.uint64)
    if hidden_traps(state, camp):
        swap.kinds.append("trap")
        swap_traps(state, camp, grid.playable, rng)
    for i in unseen(state, camp):
        free = np.flatnonzero((grid.playable != 0) & (state.occupant < 0))
        free = [c for c in free.tolist() if c not in lying]
        swap.kinds.append("unseen")
        swap.moved[i] = (int(state.entity[i].cell), int(rng.choice(free)))
        move(state, i, swap.moved[i][1])
        if i < HEROES and not same_chance:
            state.hero[i].start_cell = rng.choice(free)
    for i in placements(state, camp):
        zone = grid.zone_cell[1 - camp][: grid.zone_count[1 - camp]]
        free = [c for c in zone.tolist() if state.occupant[c] < 0]
        swap.kinds.append("placement")
        swap.moved[i] = (int(state.entity[i].cell), int(rng.choice(free)))
        move(state, i, swap.moved[i][1])
    swap.duel.buffers.scratch[:] = duel.buffers.scratch
    swap.duel.refresh()
    return swap


def seen(duel: Duel, seat: int, told: dict | None = None) -> dict[str, bytes]:
    """All that reaches a seat, as bytes."""
    view = duel.view(seat)
    told = told or json_view(duel, seat)
    return {
        "known": view.known.tobytes(),
        "board": view.observation["board"].tobytes(),
        "scalars": view.observation["scalars"].tobytes(),
        "mask": view.action_mask.tobytes(),
        "json": json.dumps(told).encode(),
        "text": render_text(told).encode(),
    }


def through_env(duel: Duel, seat: int) -> dict[str, bytes]:
    """What reaches a seat through the environment: observation, info, drawing."""
    env = raw_env(render_mode="ansi", perspective=seat)
    env.reset(seed=0, options={"team_size": duel.team_size})
    env.duel = duel
    env._select()
    agent = f"player_{seat}"
    given = env.observe(agent)
    info = env.infos[agent]
    assert set(info) == {"action_mask"}
    return {
        "observed": given["observation"]["board"].tobytes()
        + given["observation"]["scalars"].tobytes()
        + given["action_mask"].tobytes(),
        "info": info["action_mask"].tobytes(),
        "drawn": env.render().encode(),
    }


def equal(mine: dict[str, bytes], other: dict[str, bytes], what: object) -> None:
    differs = [name for name in mine if mine[name] != other[name]]
    assert not differs, f"{what} reached {differs}"


def holds_nothing_hidden(duel: Duel, told: dict) -> None:
    """The JSON view, searched for what it must not hold."""
    camp = told["camp"]
    assert "rng" not in json.dumps(told)
    assert "seed" not in json.dumps(told)
    if duel.state.phase == Phase.OVER:
        return
    assert all(trap["camp"] == camp for trap in told["traps"])
    assert len(told["traps"]) == int(duel.state.trap_count) - len(hidden_traps(duel.state, camp))
    blank = unseen(duel.state, camp) + placements(duel.state, camp)
    for entity in told["entities"]:
        if entity["index"] in blank:
            assert entity["cell"] is None
        elif entity["alive"] and told["phase"] in ("auction", "fight"):
            assert entity["cell"] is not None


def seat_for(duel: Duel, camp: int) -> int:
    """The acting seat if it is the camp's, else its first."""
    return duel.seat if duel.seat >= 0 and duel.seat % 2 == camp else camp


def search(seeds: range, share: float) -> Counter:
    """Swap hidden facts all along some duels and compare what each camp is given."""
    met: Counter = Counter()
    for seed in seeds:
        duel = clash(seed)
        rng = np.random.default_rng(seed)
        while duel.seat >= 0:
            for camp in (0, 1):
                placing = duel.placing
                if rng.random() > (0.7 if placing else share):
                    continue
                seat = seat_for(duel, camp)
                swap = swapped(duel, camp, rng, same_chance=False)
                told = json_view(duel, seat)
                equal(seen(duel, seat, told), seen(swap.duel, seat), swap.kinds)
                if met["states"] % 10 == 0:
                    equal(through_env(duel, seat), through_env(swap.duel, seat), swap.kinds)
                holds_nothing_hidden(duel, told)
                met.update(set(swap.kinds))
                met["states"] += bool(swap.kinds)
            duel.apply(lively(duel.mask(), rng))
    return met


@pytest.mark.rule("P3", "X1", "I1")
@pytest.mark.parametrize("part", range(4))
def test_swapped_facts_reach_nobody(part):
    met = search(range(9 * part, 9 * part + 9), 0.14)
    assert met["states"] >= 250, met
    assert met["trap"] > 50, met
    assert met["unseen"] > 15, met
    assert met["placement"] > 3, met


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_swapped_facts_reach_nobody_in_many_duels(part):
    met = search(range(1000 + 18 * part, 1018 + 18 * part), 0.6)
    assert met["states"] >= 1000, met


def logs_after(duel: Duel, swap: Swap, camp: int, action: int) -> bool:
    """Play an action in both: where it leaves the same knowledge it must tell the same.

    True when the logs were compared.
    """
    here, there = duel.clone(), swap.duel
    other = action
    if duel.state.phase == Phase.FIGHT and action < GO:
        actor = int(duel.state.actor)
        old, new = swap.moved.get(actor, (-1, -1))
        if action % CELLS == old:
            # cast at oneself, wherever that is
            other = action - old + new
    if not there.mask()[other]:
        return False
    if "trap" in swap.kinds and GO <= action < PASS and duel.seat % 2 != camp:
        return False  # a walk goes round the traps its camp knows, for all to see (M3)
    here.apply(action)
    there.apply(other)
    if here.seat < 0 or there.seat < 0:
        return False
    seats = seat_for(here, camp), seat_for(there, camp)
    if seats[0] != seats[1]:
        return False
    if here.known(seats[0]).tobytes() != there.known(seats[0]).tobytes():
        return False
    told = [json_view(one, seats[0])["log"] for one in (here, there)]
    assert told[0] == told[1], (swap.kinds, action)
    return True


def test_the_log_does_not_tell_of_swapped_facts():
    compared: Counter = Counter()
    for seed in range(200, 227):
        duel = clash(seed)
        rng = np.random.default_rng(seed)
        while duel.seat >= 0:
            action = lively(duel.mask(), rng)
            camp = int(rng.integers(2))
            if rng.random() < 0.35 or duel.placing:
                swap = swapped(duel, camp, rng, same_chance=True)
                if swap.kinds and logs_after(duel, swap, camp, action):
                    compared.update(set(swap.kinds))
                    compared["hidden acts" if duel.seat % 2 != camp else "seen acts"] += 1
            duel.apply(action)
    assert compared["trap"] > 150, compared
    assert compared["unseen"] > 50, compared
    assert compared["placement"] > 3, compared
    assert compared["hidden acts"] > 50, compared
    assert compared["seen acts"] > 50, compared


def traps_slot(duel: Duel, action: int) -> bool:
    """Whether an action lays a trap."""
    actor = int(duel.state.actor)
    if action >= GO or not 0 <= actor < HEROES:
        return False
    spell = content().spells[int(duel.state.hero[actor].spell[action // CELLS])]
    return spell.effects[0].kind == Kind.TRAP


def twin(duel: Duel, action: int, rng: np.random.Generator) -> int | None:
    """Another action that the other camp could not tell from this one, as it looks."""
    mask = duel.mask()
    if duel.placing or traps_slot(duel, action):
        slot = action // CELLS
        row = np.flatnonzero(mask[slot * CELLS : (slot + 1) * CELLS])
        return int(slot * CELLS + rng.choice(row))
    actor = int(duel.state.actor)
    walking = GO <= action < PASS and duel.state.phase == Phase.FIGHT
    if walking and duel.state.entity[actor].invisible:
        steps = duel.buffers.board[0, PLANES["reach"].start]
        cost = steps[action - GO]
        return GO + int(rng.choice(np.flatnonzero(steps == cost)))
    return None


def test_hidden_actions_tell_the_other_camp_nothing():
    """Where a trap was laid, where one started, where an unseen one went."""
    compared: Counter = Counter()
    for seed in range(300, 327):
        duel = clash(seed)
        rng = np.random.default_rng(seed)
        while duel.seat >= 0:
            action = lively(duel.mask(), rng)
            other = twin(duel, action, rng)
            if other is not None and other != action:
                camp = 1 - duel.seat % 2
                one, two = duel.clone(), duel.clone()
                one.apply(action)
                two.apply(other)
                # a walk may end early, a trap may meet an unseen one: that is told
                ends = {Event.BLOCKED, Event.TRAP_SPRUNG, Event.COLLECTS, Event.FAILS}
                told = {int(e.kind) for one in (one, two) for e in one.events}
                opened = not one.placing and duel.placing
                if not (told & ends) and not opened:
                    equal(seen(one, camp), seen(two, camp), (action, other))
                    kind = "placement" if duel.placing else "walk" if action >= GO else "trap"
                    compared[kind] += 1
            duel.apply(action)
    assert compared["trap"] > 100, compared
    assert compared["walk"] > 10, compared
    assert compared["placement"] > 30, compared


def test_pictures_are_the_same():
    pytest.importorskip("PIL")
    from solwaris_env.render.frame import render_frame

    drawn: Counter = Counter()
    for seed in range(400, 409):
        duel = clash(seed)
        rng = np.random.default_rng(seed)
        while duel.seat >= 0 and drawn.total() < 60:
            camp = int(rng.integers(2))
            swap = swapped(duel, camp, rng, same_chance=False)
            kind = min(set(swap.kinds), key=lambda name: drawn[name], default=None)
            if kind is not None and drawn[kind] < 4:
                views = [json_view(one, camp) for one in (duel, swap.duel)]
                frames = [render_frame(view, (640, 400)) for view in views]
                assert np.array_equal(*frames), swap.kinds
                drawn[kind] += 1
            duel.apply(lively(duel.mask(), rng))
    assert min(drawn[kind] for kind in ("trap", "unseen", "placement")) >= 3, drawn


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_agents_decide_the_same(name):
    pytest.importorskip(f"solwaris_env.agents.{name}")
    agent = make_agent(name)
    decided: Counter = Counter()
    for seed in range(500, 518):
        duel = clash(seed)
        rng = np.random.default_rng(seed)
        while duel.seat >= 0:
            camp = duel.seat % 2
            if rng.random() < 0.15 or duel.placing:
                swap = swapped(duel, camp, rng, same_chance=False)
                choices = []
                for one in (duel, swap.duel):
                    agent.reset(seed)
                    choices.append(agent.act(one.view(one.seat)))
                assert choices[0] == choices[1], swap.kinds
                decided.update(set(swap.kinds))
            duel.apply(lively(duel.mask(), rng))
    assert min(decided[kind] for kind in ("trap", "unseen", "placement")) >= 4, decided


def test_what_is_over_is_open():
    """Once a duel has ended both camps see everything."""
    duel = clash(1)
    rng = np.random.default_rng(1)
    while duel.seat >= 0:
        duel.apply(lively(duel.mask(), rng))
    told = [json_view(duel, seat) for seat in (0, 1)]
    assert told[0]["entities"] == told[1]["entities"]
    assert told[0]["traps"] == told[1]["traps"]
    assert all(view["actions"] is None and view["to_act"] is None for view in told)
