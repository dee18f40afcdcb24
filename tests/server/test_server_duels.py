"""Hosted duels, whole ones: by HTTP, by socket, opponents among themselves, 2v2, replays."""

import json
import threading
import time

import numpy as np
import pytest
from serving import Served, eager

from solwaris_env.client import Client, ServerError
from solwaris_env.duel.replay import Replay
from solwaris_env.server.models import Acted, Created, Frames, State, Step, Steps


def wait_over(client: Client, duel: str, seconds: float = 30) -> dict:
    """The state of a duel once it is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state = client.call("GET", f"/v1/duels/{duel}")
        if state["over"]:
            return state
        time.sleep(0.05)
    raise AssertionError("the duel did not end")


def test_a_whole_duel_by_http(served: Served) -> None:
    rng = np.random.default_rng(1)
    with served.client() as client:
        wish = {
            "seats": [{"class": "brute"}, {"player": "greedy"}],
            "clocks": False,
            "map": "caveau",
            "seed": 1,
        }
        made = client.call("POST", "/v1/duels", json=wish)
        Created.model_validate_json(json.dumps(made))
        seat = client.join(made["duel"], made["secrets"][0])
        assert made["secrets"][1] is None
        told = []
        while True:
            state = seat.state()
            State.model_validate_json(json.dumps(state))
            if state["over"]:
                break
            if state["legal"] is None:
                time.sleep(0.005)
                continue
            done = seat.act(eager(state, rng), state["seq"])
            Acted.model_validate_json(json.dumps(done))
            told += done["events"]
        assert state["outcome"]["termination"] in ("knockout", "double_knockout", "tour_limit")
        steps = client.call("GET", f"/v1/duels/{seat.name}/events", seat.secret)
        Steps.model_validate_json(json.dumps(steps))
        assert [step["seq"] for step in steps["steps"]] == list(range(1, len(steps["steps"]) + 1))
        told += [event for step in steps["steps"] for event in step["events"]]
        assert {"placed", "cast", "damage"} <= {event["kind"] for event in told}
        final = Replay.from_json(json.dumps(seat.replay())).verify()
        assert final.outcome.as_dict() == state["outcome"]
        assert int(state["seed"]) == seat.replay()["seed"]


def test_two_people_play_by_socket(served: Served) -> None:
    with served.client() as client:
        duel = client.create(
            [{"class": "ombre"}, {"class": "guerrier"}], clocks=False, map="caveau", seed=2
        )
        ends: dict[int, dict] = {}

        def play(number: int) -> None:
            rng = np.random.default_rng(number)
            ends[number] = duel.seat(number).play(lambda state: eager(state, rng))

        players = [threading.Thread(target=play, args=(number,)) for number in (0, 1)]
        for player in players:
            player.start()
        with duel.spectator().follow() as socket:
            seqs = []
            for message in socket:
                if message["type"] == "step":
                    Step.model_validate_json(json.dumps(message["step"]))
                    assert message["state"]["legal"] is None
                    seqs.append(message["step"]["seq"])
                if message.get("state", {}).get("over"):
                    break
        for player in players:
            player.join(timeout=30)
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
        assert ends[0]["outcome"] == ends[1]["outcome"]


@pytest.mark.parametrize("players", [["first", "greedy"], ["greedy", "first", "random", "greedy"]])
def test_opponents_among_themselves(served: Served, players: list[str]) -> None:
    with served.client() as client:
        duel = client.create([{"player": player} for player in players], clocks=True, seed=7)
        state = wait_over(client, duel.name)
        assert duel.secrets == [None] * len(players)
        assert state["view"]["team_size"] == len(players) // 2
        total = client.call("GET", f"/v1/duels/{duel.name}/frames?limit=1")["total"]
        assert total == state["seq"] + 1


def test_frames_show_the_whole_duel_and_what_a_seat_saw(served: Served) -> None:
    with served.client() as client:
        seats = [{"player": "greedy", "class": "ombre"}, {"player": "random", "class": "ombre"}]
        duel = client.create(seats, seed=3, map="haies")
        state = wait_over(client, duel.name)
        everything = duel.spectator().frames(0, 100)
        Frames.model_validate_json(json.dumps(everything))
        assert everything["frames"][0]["action"] is None
        assert everything["frames"][1]["text"].startswith("place")
        last = duel.spectator().frames(state["seq"], 10)
        assert len(last["frames"]) == 1 and last["frames"][0]["view"]["phase"] == "over"
        mine = duel.spectator().frames(0, 100, seat=0)
        Frames.model_validate_json(json.dumps(mine))
        assert all(f["action"] is None for f in mine["frames"] if f["seat"] == 1)
        replay = duel.spectator().replay()
        again = client.call("POST", "/v1/frames", json={"replay": replay, "limit": 100})
        assert again == everything
        replay["actions"][1] = "forfeit"
        with pytest.raises(ServerError, match="replay: "):
            client.call("POST", "/v1/frames", json={"replay": replay})


def test_of_two_who_give_up_the_first_has_lost(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        duel.seat(1).resign()
        done = duel.seat(0).resign()  # it is its turn: that ends unused
        assert done["state"]["seats"][0]["resigned"]
        outcome = wait_over(client, duel.name)["outcome"]
        assert (outcome["quitter"], outcome["winner"]) == (1, 0)


def test_giving_up_in_anothers_turn_waits_for_ones_own(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        first, second = duel.seat(0), duel.seat(1)
        done = second.resign()
        assert not done["state"]["over"] and done["state"]["seats"][1]["resigned"]
        state = first.state()
        first.act({"type": "place", "cell": state["legal"]["place"][0]})
        state = wait_over(client, duel.name)
        assert state["outcome"]["quitter"] == 1 and state["outcome"]["winner"] == 0
        assert state["outcome"]["rewarded"] == [False, False]  # before the fourth tour (Q2)
        assert state["outcome"]["rating_counts"] == [False, True]
        with pytest.raises(ServerError) as refused:
            first.replay()
        assert refused.value.code == "hidden"  # P3 holds for good


def test_what_is_left_out_is_drawn_or_has_its_default(served: Served) -> None:
    with served.client() as client:
        states = [client.create([{}, {}]).seat(0).state() for _ in range(20)]
        assert all(state["clocks"] and state["spectators"] for state in states)
        assert not any(state["waiting"] or state["view"]["stakes"] for state in states)
        heroes = [hero for state in states for hero in state["view"]["heroes"]]
        assert len({state["view"]["map"] for state in states}) > 1
        assert len({hero["class"] for hero in heroes}) > 1
        assert len({tuple(hero["variants"]) for hero in heroes}) > 1
        assert len({hero["purse"] for hero in heroes}) > 1
        drawn = [client.create([{}, {}], stakes=None).seat(0).state() for _ in range(20)]
        assert len({state["view"]["stakes"] for state in drawn}) > 1


def test_one_is_placed_by_place_and_walks_by_go(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        for number in (0, 1):
            seat = duel.seat(number)
            cell = seat.state()["legal"]["place"][0]
            with pytest.raises(ServerError, match=r"^go is for the fight: .* place$") as refused:
                seat.act({"type": "go", "cell": cell})
            assert refused.value.code == "illegal_action"
            seat.act({"type": "place", "cell": cell})
        with pytest.raises(ServerError, match=r"^place is for the placement: .* go$") as refused:
            duel.seat(duel.seat(0).state()["view"]["to_act"]).act({"type": "place", "cell": cell})
        assert refused.value.code == "illegal_action"


def test_an_action_is_refused_with_its_reason(served: Served) -> None:
    with served.client() as client:
        duel = client.create([{}, {}], clocks=False)
        first, second = duel.seat(0), duel.seat(1)
        cell = first.state()["legal"]["place"][0]

        def code(seat, action, seq=None) -> str:
            with pytest.raises(ServerError) as refused:
                seat.act(action, seq)
            return refused.value.code

        assert code(second, {"type": "pass"}) == "not_your_turn"
        assert code(first, {"type": "pass"}) == "illegal_action"
        assert code(first, {"type": "place", "cell": [99, 0]}) == "invalid"
        assert code(first, {"type": "place", "cell": cell}, 5) == "stale"
        with pytest.raises(ServerError, match=r"^pass is not legal for seat 0 now$"):
            first.act({"type": "pass"})
        assert first.state()["seq"] == 0
        first.act({"type": "place", "cell": cell}, 0)
        with pytest.raises(ServerError) as refused:
            client.call("GET", f"/v1/duels/{duel.name}/replay")
        assert refused.value.code == "not_over"
        first.resign(), second.resign()
        wait_over(client, duel.name)
        assert code(first, {"type": "pass"}) == "over"
