"""A duel goes on after the server was killed, after the connection was cut, after a reload."""

from pathlib import Path

from selenium.webdriver import Chrome
from serving import free_port, spawn
from table import Table


def act(table: Table, times: int = 2) -> None:
    """Take some actions, each seen to arrive."""
    before = table.state()["seq"]
    table.play(table.by_mouse, times)
    assert table.state()["seq"] > before


def lines(table: Table) -> list[str]:
    """What the log says."""
    return table.run(
        "return [...document.querySelectorAll('[data-testid=log] li')].map(li => li.textContent)"
    )


def test_a_duel_outlives_server_connection_and_page(driver: Chrome, tmp_path: Path) -> None:
    port = free_port()
    server = spawn(tmp_path / "duels.sqlite", port, tmp_path / "log")
    table = Table(driver, server.address)
    try:
        table.clear()
        table.begin({"class": "guerrier"}, {"player": "random", "class": "brute"})
        table.open(f"duel/{table.duel}")
        act(table, 3)
        told = lines(table)

        server.kill()
        table.until(lambda: "Connection lost" in table.run("return document.body.innerText"))
        server = spawn(tmp_path / "duels.sqlite", port, tmp_path / "log")
        table.until(lambda: "Connection lost" not in table.run("return document.body.innerText"))
        act(table)
        again = lines(table)
        assert again[: len(told)] == told and len(again) > len(told), "the log goes on, once"

        table.driver.refresh()
        act(table)
        whole = table.until(lambda: lines(table))
        assert [line for line in again if line not in whole] == []
        table.leave()
    finally:
        server.kill()


def test_a_cut_connection_comes_back(table: Table) -> None:
    """The steps missed meanwhile are told once, in order."""
    keep = "const open = WebSocket; window.sockets = []; window.WebSocket = class extends open "
    keep += "{ constructor(...a) { super(...a); window.sockets.push(this); } };"
    script = {"source": keep}
    made = table.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    try:
        table.begin({"class": "guerrier"}, {"player": "greedy"})
        table.open(f"duel/{table.duel}")
        act(table)
        table.run("window.sockets.forEach(socket => socket.close())")
        act(table)
        table.until(lambda: table.run("return window.sockets.length") == 2)
        table.my_turn()  # all that has happened is shown
        told = lines(table)
        steps = table.ask("/events")["steps"]
        happened = [event for step in steps for event in step["events"]]
        assert len(told) == len(happened)
    finally:
        table.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)
