"""The page of a server in a browser: what a person does there, by mouse or by keyboard."""

import re
import time
from collections.abc import Callable
from typing import Any

import httpx
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

WAIT = 60.0
ARROWS = {
    (-1, 0): Keys.ARROW_UP,
    (1, 0): Keys.ARROW_DOWN,
    (0, -1): Keys.ARROW_LEFT,
    (0, 1): Keys.ARROW_RIGHT,
}


def cell_in(text: str) -> list[int] | None:
    """The cell that a sentence names first, as [row, column]."""
    found = re.search(r"\b([a-r])(\d{1,2})\b", text)
    return [ord(found[1]) - ord("a"), int(found[2]) - 1] if found else None


def plain(text: str) -> str:
    """A text without what only says where its lines may break."""
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{SOFT HYPHEN}", "")


class Table:
    """A browser at a server's page; what to do in a duel is asked of the server itself."""

    def __init__(self, driver: Chrome, address: str) -> None:
        self.driver = driver
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=30)
        self.duel = ""
        self.secret: str | None = None
        self.taps = 1  # it takes to choose a cell: on a phone the first one only shows

    # -- the browser ---------------------------------------------------------------------

    def clear(self) -> None:
        """Forget whatever the page remembered, and be a window of usual size."""
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.set_window_size(1280, 800)
        self.driver.get(f"{self.address}/v1/health")
        self.run("localStorage.clear()")
        self.faults()

    def leave(self) -> None:
        """Go away from the page, so that it follows no duel any more."""
        self.driver.get("about:blank")
        self.http.close()

    def faults(self) -> list[str]:
        """What the browser complained of since it was last asked."""
        log = self.driver.get_log("browser")
        found = [entry["message"] for entry in log if entry["level"] == "SEVERE"]
        return [words for words in found if "favicon.ico" not in words]  # /v1/health has none

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page."""
        return self.driver.execute_script(script, *arguments)

    def open(self, route: str = "", language: str = "en") -> None:
        """Load the page at a route, in a language."""
        self.driver.get(f"{self.address}/v1/health")
        self.run("localStorage.setItem('solwaris.language', arguments[0])", language)
        if self.secret is not None:
            self.run(
                "localStorage.setItem('solwaris.secrets', arguments[0])",
                f'{{"{self.duel}": "{self.secret}"}}',
            )
        self.driver.get(f"{self.address}/#/{route}")

    def narrow(self, width: int = 390, height: int = 844) -> None:
        """Be a phone."""
        self.taps = 2
        sizes = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sizes)

    def all(self, name: str) -> list[WebElement]:
        """The elements of a test id."""
        return self.driver.find_elements(By.CSS_SELECTOR, f'[data-testid="{name}"]')

    def shown(self, name: str) -> WebElement:
        """An element that is to be seen, waited for."""
        found: list[WebElement] = []

        def there() -> bool:
            found[:] = [element for element in self.all(name) if element.is_displayed()]
            return bool(found)

        self.until(there, f"{name} is not shown")
        return found[0]

    def click(self, name: str) -> None:
        """Click an element, found again where the page has rebuilt it meanwhile."""
        self.until(lambda: self.shown(name).click() or True)

    def text(self, name: str) -> str:
        """The text of an element, whether to be seen or only to be heard."""
        return plain(self.run("return arguments[0].textContent", self.all(name)[0]))

    def until(self, holds: Callable[[], Any], otherwise: str = "waited in vain") -> Any:
        """Wait for something; what is not there yet, or rebuilt meanwhile, is looked for again."""
        end = time.monotonic() + WAIT
        while True:
            try:
                if value := holds():
                    return value
            except (NoSuchElementException, StaleElementReferenceException, IndexError):
                pass
            assert time.monotonic() < end, f"{otherwise}; {self.faults()}"
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def focused(self) -> str | None:
        """Test id of what has the focus."""
        return self.run("return document.activeElement?.getAttribute('data-testid')")

    def tab_to(self, name: str) -> None:
        """Press the tabulator until an element has the focus."""
        for _ in range(120):
            if self.focused() == name:
                return
            self.press(Keys.TAB)
        raise AssertionError(f"the keyboard does not reach {name}")

    def tap(self, element: WebElement) -> None:
        """Touch an element with a finger."""
        box = self.run(
            "arguments[0].scrollIntoView({block: 'nearest'});"
            "return arguments[0].getBoundingClientRect().toJSON()",
            element,
        )
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind, points in (("touchStart", [point]), ("touchEnd", [])):
            wish = {"type": kind, "touchPoints": points}
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", wish)

    def shown_info(self) -> str:
        """What the card over the board says of what is looked at, as people read it."""
        card = self.driver.find_element(By.CSS_SELECTOR, ".info")
        return plain(card.text) if card.is_displayed() else ""

    # -- a duel --------------------------------------------------------------------------

    def begin(self, *seats: dict[str, Any], **wish: Any) -> list[str | None]:
        """Begin a duel, the same at each run, whose seat 0 this browser plays; the secrets."""
        wish = {"clocks": False, "map": "caveau", "seed": 1, **wish, "seats": list(seats)}
        made = self.http.post("/v1/duels", json=wish).raise_for_status().json()
        self.duel, self.secret = made["duel"], made["secrets"][0]
        return made["secrets"]

    def sit_down(self) -> None:
        """Take the duel that the page has begun itself."""
        route = self.until(lambda: re.search(r"#/duel/([\w-]+)", self.driver.current_url))
        self.duel = route[1]
        kept = self.run("return JSON.parse(localStorage.getItem('solwaris.secrets'))")
        self.secret = kept[self.duel]

    def ask(
        self, part: str = "", wish: dict[str, Any] | None = None, secret: str | None = None
    ) -> dict[str, Any]:
        """Read a part of the duel, or send a wish to it, straight from the server; for this
        browser's seat, if it has one, unless another's secret is given."""
        secret = secret or self.secret
        key = {"Authorization": f"Bearer {secret}"} if secret else {}
        method = "GET" if wish is None else "POST"
        answer = self.http.request(method, f"/v1/duels/{self.duel}{part}", headers=key, json=wish)
        return answer.raise_for_status().json()

    def state(self, secret: str | None = None) -> dict[str, Any]:
        """The duel as the server tells a seat."""
        return self.ask(secret=secret)

    def act(self, action: dict[str, Any], secret: str | None = None) -> None:
        """An action of a seat, past the page."""
        self.ask("/actions", {"action": action}, secret)

    def frames(self) -> list[dict[str, Any]]:
        """The moments of a duel that is over, with nothing hidden."""
        frames: list[dict[str, Any]] = []
        while True:
            page = self.ask(f"/frames?from={len(frames)}")
            frames += page["frames"]
            if len(frames) == page["total"]:
                return frames

    def my_turn(self) -> dict[str, Any]:
        """The state once this seat is to act and the page says so, or the duel is over."""

        def mine() -> dict[str, Any] | None:
            state = self.state()
            seq = self.run(
                "return document.body.classList.contains('my-turn') && document.body.dataset.seq"
            )
            # what it shows may still be the turn before
            ready = state["legal"] and seq == str(state["seq"])
            return state if state["over"] or ready else None

        return self.until(mine, "it is never this browser's turn")

    def advice(self, state: dict[str, Any]) -> dict[str, Any]:
        """What a sensible player does."""
        wish = {"opponent": "greedy", "view": state["view"]}
        return self.http.post("/v1/decisions", json=wish).raise_for_status().json()["action"]

    def play(self, act: Callable[[dict[str, Any]], None], turns: int = 400) -> dict[str, Any]:
        """Play on by `act`, at most so many actions; the last state."""
        for _ in range(turns):
            state = self.my_turn()
            if state["over"]:
                return state
            act(self.advice(state))
            self.until(lambda seq=state["seq"]: self.state()["seq"] > seq, "nothing came of it")
        return self.state()

    def call_summons(self, secrets: list[str | None], number: int) -> None:
        """Play all seats, past the page, until so many summons that move are there and the
        hero of seat 0 acts; nobody does more than to call them."""
        sheets = self.http.get("/v1/catalogue/classes").json()
        calls = {
            spell["id"]
            for sheet in sheets
            for spell in sheet["spells"]
            if any(effect.get("summon", {}).get("mobile") for effect in spell["effects"])
        }
        while True:
            view = self.state(secrets[0])["view"]
            there = [e for e in view["entities"] if e["kind"] != "hero" and e["shown"]["alive"]]
            if len(there) == number and view["actor"] == 0:
                return
            secret = secrets[view["to_act"]]
            self.act(self.calling(self.state(secret), calls), secret)

    @staticmethod
    def calling(state: dict[str, Any], calls: set[str]) -> dict[str, Any]:
        """What a hero does who only casts these spells."""
        legal, view = state["legal"], state["view"]
        if legal["place"]:
            return {"type": "place", "cell": legal["place"][0]}
        if view["phase"] == "fight" and view["actor"] == state["seat"]:
            for slot, spell in enumerate(view["heroes"][state["seat"]]["spells"]):
                if legal["cast"][slot] and spell in calls:
                    return {"type": "cast", "slot": slot, "cell": legal["cast"][slot][0]}
        return {"type": "pass"}

    def replay(self) -> None:
        """Wait until a replay is there."""

        def ready() -> bool:
            return self.all("replay-screen")[0].get_attribute("data-ready") is not None

        self.until(ready, "no replay comes")

    def order(self) -> set[str]:
        """What the initiative line calls the fighters."""
        return {name.text for name in self.driver.find_elements(By.CSS_SELECTOR, ".order .who")}

    def cell(self, cell: list[int]) -> WebElement:
        """A cell of the board, moved to where it can be seen."""
        element = self.driver.find_element(By.CSS_SELECTOR, f'[data-cell="{cell[0]},{cell[1]}"]')
        self.run("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", element)
        return element

    def spell(self, slot: int) -> WebElement:
        """The button of a spell."""
        return next(e for e in self.all("spell") if e.get_attribute("data-slot") == str(slot))

    def by_mouse(self, action: dict[str, Any]) -> None:
        """Take an action with the mouse alone."""
        kind = action["type"]
        if kind in ("pass", "raise"):
            auction = self.state()["view"]["phase"] == "auction"
            self.click({"raise": "raise", "pass": "decline" if auction else "end-turn"}[kind])
            return
        if kind == "cast":
            self.until(lambda: self.spell(action["slot"]).click() or True)
        for _ in range(self.taps):
            ActionChains(self.driver, duration=0).click(self.cell(action["cell"])).perform()

    def by_keyboard(self, action: dict[str, Any]) -> None:
        """Take an action with the keyboard alone."""
        kind = action["type"]
        if kind in ("pass", "raise"):
            self.press("s" if kind == "raise" else "f")
            return
        self.press(str(action["slot"] + 1) if kind == "cast" else "n")
        here = self.until(lambda: cell_in(self.text("cursor-text")), "there is no cursor")
        self.press(*self.way(here, action["cell"]), Keys.ENTER)

    @staticmethod
    def way(here: list[int], there: list[int]) -> list[str]:
        """The arrows that lead from a cell to another."""
        keys: list[str] = []
        for axis in (0, 1):
            far = there[axis] - here[axis]
            step = (1 if far > 0 else -1) * (1 - axis), (1 if far > 0 else -1) * axis
            keys += [ARROWS[step]] * abs(far)
        return keys
