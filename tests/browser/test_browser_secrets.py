"""What the browser of a seat receives never holds what is hidden from its seat."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from selenium.common.exceptions import WebDriverException
from serving import LONG_SEED, ORIGINALS, sly
from table import Table

TURNS = 90


def received(table: Table) -> list[str]:
    """Every text that the page has received since this was last asked."""
    texts: list[str] = []
    for entry in table.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        told = message["params"]
        if message["method"] == "Network.webSocketFrameReceived":
            texts.append(told["response"]["payloadData"])
        elif message["method"] == "Network.loadingFinished":
            with suppress(WebDriverException):  # of a page that was left
                wish = {"requestId": told["requestId"]}
                texts.append(table.driver.execute_cdp_cmd("Network.getResponseBody", wish)["body"])
    return texts


def states_in(texts: list[str]) -> Iterator[tuple[dict[str, Any] | None, dict[str, Any]]]:
    """The states among the texts, each with the step that it came with."""
    for text in texts:
        if text.startswith("{"):
            message = json.loads(text)
            if isinstance(message.get("state"), dict):
                yield message.get("step"), message["state"]


def unseen(truth: dict[str, Any], camp: int) -> list[int]:
    """Entities of the other camp that a camp does not see."""
    found = (e for e in truth["entities"] if e["camp"] != camp and e["invisible"])
    return [entity["index"] for entity in found if entity["hp"] > 0]


def test_hidden_things_stay_hidden(table: Table) -> None:
    rng = np.random.default_rng(7)
    secrets = table.begin(*[{"class": "ombre", "loadout": ORIGINALS}] * 2, seed=LONG_SEED)
    received(table)  # what came before is of other duels
    table.open(f"duel/{table.duel}")
    table.my_turn()
    texts: list[str] = []
    for _ in range(TURNS):
        state = table.state()
        if state["over"]:
            break
        mine = state["view"]["to_act"] == 0
        if mine:
            table.play(table.by_mouse, 1)
        else:
            table.act(sly(table.state(secrets[1]), rng), secrets[1])
        texts += received(table)
    if not table.state()["over"]:
        table.ask("/resign", {}, secrets[1])
    compare(table, texts, secrets[1])


def compare(table: Table, texts: list[str], secret: str | None) -> None:
    """Hold what was received against the truth, told now that the duel is over."""
    seed = table.state()["seed"]
    during = [text for text in texts if '"over":true' not in text]
    assert secret not in "\n".join(texts) and seed not in "\n".join(during)
    truth = [frame["view"] for frame in table.frames()]
    hidden: Counter[str] = Counter()
    told = list(states_in(texts))
    assert len(told) > 20
    for step, state in told:
        if state["over"]:
            continue
        view, real = state["view"], truth[state["seq"]]
        assert state["duel"] == table.duel and state["seat"] == 0 and view["seat"] == 0
        assert all(trap["owner"] % 2 == 0 for trap in view["traps"])
        hidden["trap"] += len(view["traps"]) < len(real["traps"])
        cells = {entity["index"]: entity["cell"] for entity in view["entities"]}
        for index in unseen(real, 0):
            assert cells[index] is None
            hidden["cell"] += 1
        if view["phase"] == "placement":
            assert cells[1] is None
        if step and step["seat"] == 1:
            assert step["action"] is None
            assert not any(event["kind"] == "trap_laid" for event in step["events"])
    assert hidden["trap"] and hidden["cell"], hidden
