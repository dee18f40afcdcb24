"""Take the pictures of the page in docs/images anew: `python -m tests.browser.screenshots`."""

import io
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "server"))

from chromium import chromium, missing
from PIL import Image
from selenium.webdriver import Keys
from serving import ROOT, free_port, spawn
from table import Table

FOLDER = ROOT / "docs" / "images"
LARGEST = 300_000  # bytes


def keep(table: Table, name: str) -> None:
    """Take a picture of the page, small enough for a document."""
    table.run("return new Promise(done => setTimeout(done, 900))")  # what moves comes to rest
    picture = Image.open(io.BytesIO(table.driver.get_screenshot_as_png())).convert("RGB")
    path = FOLDER / f"page_{name}.png"
    coloured = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2)  # keeps rare colours
    coloured.save(path, optimize=True)
    size = path.stat().st_size
    assert size < LARGEST, f"{path.name} has {size} bytes"
    print(f"{path.name}: {picture.width} x {picture.height}, {size // 1024} KiB")


def play_on(table: Table, tours: int) -> None:
    """Play a duel, without the page, until the tour has come and this browser is to act."""
    while True:
        state = table.until(lambda: (s := table.state()) and (s["over"] or s["legal"]) and s)
        if state["over"] or (state["view"]["tour"] >= tours and state["view"]["actor"] == 0):
            return
        table.act(table.advice(state))


def set_up(table: Table) -> None:
    """The set-up, as it greets."""
    table.open()
    table.shown("start")
    table.click("class-arcaniste")
    table.run("document.activeElement.blur()")
    keep(table, "setup")


def duel(table: Table) -> None:
    """A duel with a spell chosen, on a desk and in a hand."""
    own = {"class": "artificier", "name": "Alix"}
    table.begin(own, {"player": "greedy", "class": "guerrier"}, map="temple", seed=11)
    play_on(table, 3)
    table.open(f"duel/{table.duel}")
    table.my_turn()
    table.press("1")
    keep(table, "duel")
    table.narrow()
    table.open(f"duel/{table.duel}", "fr")
    table.my_turn()
    keep(table, "phone")


def replay(table: Table) -> None:
    """The replay of a duel between two opponents of the server."""
    table.secret = None
    table.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    wish = {"class": "ombre", "player": "greedy", "name": "Alix"}
    table.begin(wish, {"player": "greedy", "class": "horloger"}, map="haies", seed=5)
    table.until(lambda: table.http.get(f"/v1/duels/{table.duel}").json()["over"])
    table.open(f"replay/{table.duel}")
    table.replay()
    table.press(*[Keys.ARROW_RIGHT] * 6, *["."] * 4)
    keep(table, "replay")


def main() -> None:
    """Take all pictures."""
    if reason := missing():
        raise SystemExit(reason)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        server = spawn(there / "duels.sqlite", free_port(), there / "log")
        try:
            with chromium(there / "profile") as driver:
                table = Table(driver, server.address)
                table.clear()
                set_up(table)
                duel(table)
                replay(table)
        finally:
            server.kill()


if __name__ == "__main__":
    main()
