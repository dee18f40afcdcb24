"""A seat's traffic holds what the seat may know, and a secret opens one seat."""

import json
from collections import Counter

import numpy as np
import pytest
from play import lively
from serving import LONG_SEED, ORIGINALS, Served, free_port, sly, spawn
from test_leaks import clash, placements, seat_for, swapped, unseen

from solwaris_env.client import Client, ServerError
from solwaris_env.duel.codec import CELLS, GO
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from solwaris_env.server.happenings import is_placed
from solwaris_env.server.hosted import HUMAN, Hosted, Past, SeatInfo
from solwaris_env.server.views import view_data


def hosted(duel: Duel) -> Hosted:
    """A hosted duel of people around a duel."""
    seats = [SeatInfo(HUMAN, f"p{i}", b"x" * 32) for i in range(2 * duel.team_size)]
    setup = {"seed": 1, "options": {}, "clocks": False, "spectators": True, "away_limit": 120.0}
    return Hosted("name", duel, seats, setup, "client", lambda: 0.0, 0.0)


@pytest.mark.rule("P3", "X1", "I1")
def test_swapped_facts_reach_no_seat_and_no_spectator() -> None:
    met: Counter = Counter()
    for seed in range(14):
        duel = clash(seed)
        rng = np.random.default_rng(seed)
        while duel.seat >= 0:
            if rng.random() < (0.7 if duel.placing else 0.12):
                for camp in (0, 1):
                    seat = seat_for(duel, camp)
                    swap = swapped(duel, camp, rng, same_chance=False)
                    for viewer in (seat, None):
                        mine = hosted(duel).state_data(viewer)
                        assert mine == hosted(swap.duel).state_data(viewer), swap.kinds
                    met.update(set(swap.kinds))
            duel.apply(lively(duel.mask(), rng))
    assert met["trap"] > 20 and met["unseen"] > 5 and met["placement"] > 2, met


def events_after(duel: Duel, action: int) -> Hosted:
    """A hosted duel after one action."""
    one = hosted(duel)
    seat, placing = duel.seat, duel.placing
    duel.apply(action)
    one.past.append(Past(seat, action, placing, duel.events.copy(), is_placed(duel.state)))
    return one


def test_events_do_not_tell_of_swapped_facts() -> None:
    compared: Counter = Counter()
    for seed in range(18):
        duel = clash(seed)
        rng = np.random.default_rng(seed)
        while duel.seat >= 0:
            action = lively(duel.mask(), rng)
            camp = 1 - duel.seat % 2
            swap = swapped(duel, camp, rng, same_chance=True)
            if swap.kinds and rng.random() < 0.6:
                compared += compare(duel, swap, camp, action)
            duel.apply(action)
    assert sum(compared.values()) > 100, compared


def compare(duel: Duel, swap, camp: int, action: int) -> Counter:
    """Play an action in both; where it leaves the same knowledge it must tell the same."""
    other = action
    if duel.state.phase == Phase.FIGHT and action < GO:
        old, new = swap.moved.get(int(duel.state.actor), (-1, -1))
        if action % CELLS == old:
            other = action - old + new
    walks = duel.state.phase == Phase.FIGHT and action >= GO
    if not swap.duel.mask()[other] or ("trap" in swap.kinds and walks):
        return Counter()  # a walk goes round the traps its camp knows, for all to see (M3)
    here, there = events_after(duel.clone(), action), events_after(swap.duel, other)
    if here.over or there.over or here.duel.seat != there.duel.seat:
        return Counter()
    if here.duel.known(camp).tobytes() != there.duel.known(camp).tobytes():
        return Counter()
    told = [one.step_data(1, camp) for one in (here, there)]
    assert told[0] == told[1], swap.kinds
    assert told[0]["action"] is None
    looked_on = [one.step_data(1, None) for one in (here, there)]
    assert looked_on[0] == looked_on[1], swap.kinds
    return Counter(swap.kinds)


def test_a_secret_opens_its_seat_and_nothing_else(served: Served) -> None:
    with served.client() as client:
        one = client.create([{}, {}], clocks=False, spectators=False)
        other = client.create([{}, {}], clocks=False)

        def refused(name: str, secret: str | None, *more) -> tuple[int, str]:
            with pytest.raises(ServerError) as fault:
                client.call("GET", f"/v1/duels/{name}", secret, *more)
            return fault.value.status, fault.value.code

        assert client.call("GET", f"/v1/duels/{one.name}", one.secrets[1])["seat"] == 1
        assert refused(one.name, other.secrets[0]) == (401, "unauthorized")
        assert refused(one.name, "guess") == (401, "unauthorized")
        assert refused(one.name, None) == (403, "no_spectators")
        assert client.call("GET", f"/v1/duels/{other.name}")["seat"] is None
        with pytest.raises(ServerError) as fault:
            client.call("POST", f"/v1/duels/{other.name}/resign")
        assert fault.value.status == 401
        assert len(set(one.secrets + other.secrets)) == 4
        assert all(len(secret) >= 32 for secret in one.secrets)


def test_all_traffic_of_a_seat_is_searched(served: Served) -> None:
    """Everything seat 0 receives in a duel of two Ombres, compared with the truth as it was."""
    rng = np.random.default_rng(5)
    hidden: Counter = Counter()
    with served.http() as http:
        ombre = {"class": "ombre", "loadout": ORIGINALS}
        wish = {"seats": [ombre, ombre], "clocks": False, "map": "caveau", "seed": LONG_SEED}
        made = http.post("/v1/duels", json=wish).json()
        keys = [{"Authorization": f"Bearer {secret}"} for secret in made["secrets"]]
        path = f"/v1/duels/{made['duel']}"
        truth = served.host.duels[made["duel"]]
        for _ in range(220):
            answer = http.get(path, headers=keys[0])
            assert made["secrets"][1] not in answer.text
            state = answer.json()
            if state["over"]:
                break
            view = state["view"]
            real = truth.duel.state
            assert state["seed"] is None and str(truth.setup["seed"]) not in answer.text
            assert all(trap["owner"] % 2 == 0 for trap in view["traps"])
            hidden["trap"] += len(view["traps"]) < int(real.trap_count)
            for index in unseen(real, 0) + placements(real, 0):
                entity = next(e for e in view["entities"] if e["index"] == index)
                assert entity["cell"] is None
                hidden["cell"] += 1
            seat = truth.duel.seat
            mine = http.get(path, headers=keys[seat]).json()
            http.post(f"{path}/actions", headers=keys[seat], json={"action": sly(mine, rng)})
            steps = http.get(f"{path}/events?since={state['seq']}", headers=keys[0])
            assert made["secrets"][1] not in steps.text
            for step in steps.json()["steps"]:
                assert step["action"] is None or step["seat"] == 0
                assert not any(
                    e["kind"] == "trap_laid" and step["seat"] == 1 for e in step["events"]
                )
    assert hidden["trap"] and hidden["cell"], hidden


def test_secrets_are_neither_logged_nor_stored(tmp_path) -> None:
    log = tmp_path / "log"
    server = spawn(tmp_path / "duels.sqlite", free_port(), log, "--log-level", "debug")
    with Client(server.address) as client:
        duel = client.create([{"class": "brute"}, {"player": "random"}], clocks=False)
        seat = duel.seat(0)
        seat.act({"type": "place", "cell": seat.state()["legal"]["place"][0]})
        with seat.follow() as socket:
            next(iter(socket))
        assert seat.name in repr(seat) and duel.secrets[0] not in repr(seat)
    server.process.terminate()
    assert server.process.wait(timeout=20) == 0
    kept = log.read_bytes() + b"".join(p.read_bytes() for p in tmp_path.glob("duels.sqlite*"))
    assert duel.name.encode() in kept
    assert duel.secrets[0].encode() not in kept
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    assert {"ready", "request", "stopped"} <= {line["event"] for line in lines}


def test_a_view_never_holds_the_generator() -> None:
    duel = clash(3)
    assert "rng" not in json.dumps(view_data(duel.look(0).known, 0))
