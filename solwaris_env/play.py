"""`solwaris play`: a person duels an agent in the terminal, from placement to the end."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from .errors import SolwarisError
from .files import check_writable

if TYPE_CHECKING:
    from .agents.base import Agent
    from .duel.game import Duel

SEED_BITS = 32
PASSIVE = "p"


class Session:
    """A person's duel: asks for each decision of the own camp, the agent takes the others.

    Args:
        duel: a duel whose options allow giving up.
        agent: decides for the other camp.
        seat: the person's first seat, 0 or 1; in 2v2 the ally of it is the person's too.
        ask: returns the next line typed after a prompt, EOFError when there is none.
        out: where everything is printed.
        color: whether to print ANSI colours.
        done: told each action once it is applied.
    """

    def __init__(
        self,
        duel: Duel,
        agent: Agent,
        seat: int,
        *,
        ask: Callable[[str], str],
        out: TextIO,
        color: bool = False,
        done: Callable[[int], None] | None = None,
    ) -> None:
        self.duel = duel
        self.agent = agent
        self.seat = seat
        self.camp = seat % 2
        self._ask = ask
        self._out = out
        self._color = color
        self._done = done or (lambda action: None)
        self._chosen: int | None = None
        self._log: list[str] = []

    def play(self) -> None:
        """Play the duel to its end."""
        self._say(self._welcome())
        drawn_for = None
        while self.duel.outcome is None:
            if self.duel.seat % 2 != self.camp:
                self._answer_of_the_agent()
                continue
            view = self._view()
            moment = (view["phase"], view["turn"], view["actor"], view["to_act"])
            if moment != drawn_for:
                self._draw(view)
                self._hint(view)
                drawn_for = moment
            self._decide(view)
        self._draw(self._view())
        verdict = {None: "A draw.", self.camp: "You win."}
        self._say(verdict.get(self.duel.outcome.winner, "You lose."))

    def _answer_of_the_agent(self) -> None:
        """Let the agent act; it is not offered to give up, as no agent is when it learns."""
        from .duel.codec import FORFEIT

        view = self.duel.view(self.duel.seat)
        view.action_mask[FORFEIT] = 0
        self._apply(self.agent.act(view))

    def _decide(self, view: dict) -> None:
        """Read one line and carry it out."""
        from .duel.codec import FORFEIT, encode
        from .play_commands import Act, Choose, understand

        try:
            line = self._ask(self._prompt(view))
        except EOFError:
            self._say("The input has ended: you give up.")
            self._apply(FORFEIT)
            return
        except KeyboardInterrupt:
            self._say("")
            line = "quit"
        try:
            command = understand(line, view, self._chosen)
            if isinstance(command, Act):
                self._apply(encode(command.action))
                self._redraw(view)
            elif isinstance(command, Choose):
                self._chosen = command.slot
                self._draw(view)
            else:
                self._answer(command.what, command.about, view)
        except SolwarisError as error:
            self._say(f"? {error}")

    def _answer(self, what: str, about: str, view: dict) -> None:
        from .play_commands import HELP, find_sheet, spells_in_hand

        if what == "help":
            self._say(HELP)
        elif what == "board":
            self._draw(view)
        elif what == "log":
            self._say("\n".join(f"  {sentence}" for sentence in self._log) or "  nothing yet")
        elif what == "list":
            self._say("\n".join(_listed(spells_in_hand(view) or self._own_spells(view))))
        elif what == "info" and about:
            self._say(_full(find_sheet(about, view)))
        elif what == "info":
            self._say("? name a spell: `info taillade`")
        elif self._confirmed():
            from .duel.codec import FORFEIT

            self._apply(FORFEIT)

    def _confirmed(self) -> bool:
        try:
            answer = self._ask("Give up this duel? (y/n) ")
        except EOFError:
            return True
        return answer.strip().lower() in ("y", "yes", "o", "oui")

    def _apply(self, action: int) -> None:
        """Apply an action of either camp and tell what the person may know of it."""
        self._chosen = None
        self.duel.apply(action)
        self._done(action)
        sentences = self._view()["log"]
        self._log += sentences
        for sentence in sentences:
            self._say(f"  {sentence}")

    def _view(self) -> dict:
        """What the person sees: the acting own hero's view, else the first one's."""
        from .duel.view import json_view

        seat = self.duel.seat
        return json_view(self.duel, seat if seat >= 0 and seat % 2 == self.camp else self.seat)

    def _redraw(self, before: dict) -> None:
        """Draw the board again when the same turn goes on."""
        if self.duel.outcome is None and self.duel.seat == before["to_act"]:
            view = self._view()
            if (view["turn"], view["actor"]) == (before["turn"], before["actor"]):
                self._draw(view)

    def _draw(self, view: dict) -> None:
        from .render.text import render_text

        aims = [] if self._chosen is None else view["actions"]["aims"][self._chosen]
        marked = {(row, column) for row, column in aims}
        self._say("\n" + render_text(view | {"log": []}, highlight=marked, color=self._color))

    def _hint(self, view: dict) -> None:
        if view["phase"] == "placement":
            who = "" if view["team_size"] == 1 else f" for {self._hero_name(view)}"
            self._say(f"Choose a start cell{who}: type one that is marked +.")
        elif view["phase"] == "auction":
            self._say("Who plays first? `raise` bids for it, `pass` leaves it as it is.")

    def _prompt(self, view: dict) -> str:
        from .play_commands import actor, spells_in_hand

        if view["phase"] == "placement":
            return "start cell> "
        if view["phase"] == "auction":
            return f"auction at {view['auction']['price']} coins> "
        if self._chosen is not None:
            spell = spells_in_hand(view)[self._chosen]
            return f"{spell['name']} at> "
        acting = actor(view)
        return f"{acting['name']} {acting['ap']} AP {acting['mp']} MP> "

    def _welcome(self) -> str:
        from .duel.content.schema import CAMP_NAME

        view = self._view()
        camps = []
        for camp in (0, 1):
            classes = [hero["class_name"] for hero in view["heroes"] if hero["camp"] == camp]
            camps.append(f"{CAMP_NAME[camp]}, {' and '.join(classes)}")
        return (
            f"You are {camps[self.camp]}; {self.agent.name} is {camps[1 - self.camp]}. "
            f"The map is {view['map']['name']}. `help` lists the commands."
        )

    def _hero_name(self, view: dict) -> str:
        return view["heroes"][view["to_act"]]["class_name"]

    def _own_spells(self, view: dict) -> list[dict]:
        return view["heroes"][view["viewer"]]["spells"]

    def _say(self, words: str) -> None:
        print(words, file=self._out, flush=True)


def _listed(spells: list[dict]) -> list[str]:
    """One line a spell: number, name, cost, aim, deeds."""
    from .play_commands import sheet_of

    lines = []
    for spell in spells:
        facts, deeds, _ = _sheet_words(sheet_of(spell["id"]))
        lines += [f"  {spell['slot'] + 1} {spell['name']:<22}{facts}", f"      {deeds}"]
    return lines or ["  no spell"]


def _full(sheet) -> str:
    """All about one spell."""
    facts, deeds, text = _sheet_words(sheet)
    return f"  {sheet.name}: {facts}\n      {deeds}\n      {text}"


def _sheet_words(sheet) -> tuple[str, str, str]:
    """Cost, aim and limits of a spell; what it does; its flavour. Source marks are left out."""
    from .duel.content import wording
    from .duel.content.loader import content

    facts = [wording.cost(sheet), wording.aim(sheet), wording.limits(sheet)]
    deeds = wording.deeds(sheet, content())
    return ", ".join(filter(None, facts)).replace("*", ""), deeds.replace("*", ""), sheet.text


def loadout_bits(text: str) -> int:
    """Return the loadout that `text` names as bits: which slots hold their variant (V2).

    `text` is `none`, `all`, or slots 1 to 8 and `p` for the passive, e.g. `2,5,p`.

    Raises:
        SolwarisError: the text names something else.
    """
    if text == "none":
        return 0
    if text == "all":
        return (1 << 9) - 1
    bits = 0
    for item in text.split(","):
        slot = item.strip().lower()
        if slot == PASSIVE:
            bits |= 1 << 8
        elif slot in tuple("12345678"):
            bits |= 1 << (int(slot) - 1)
        else:
            raise SolwarisError(
                f"loadout {text!r}: {item!r} is no slot; expected none, all, "
                "or slots 1 to 8 and p for the passive, e.g. 2,5,p"
            )
    return bits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `solwaris play`."""
    from .agents.make import SPEC_HELP

    parser.add_argument("--opponent", default="greedy", metavar="AGENT", help=SPEC_HELP)
    parser.add_argument("--class", dest="own_class", metavar="CLASS", help="yours (default: drawn)")
    parser.add_argument("--opponent-class", metavar="CLASS", help="the agent's (default: drawn)")
    parser.add_argument("--map", metavar="MAP", help="default: drawn")
    parser.add_argument("--seat", type=int, choices=(0, 1), default=0, help="0 Blue, 1 Red")
    parser.add_argument("--seed", type=int, help="the same seed draws the same (default: fresh)")
    parser.add_argument(
        "--loadout", metavar="SLOTS", help="your variants: none, all or e.g. 2,5,p (default: drawn)"
    )
    parser.add_argument("--team-size", type=int, choices=(1, 2), default=1, help="heroes a side")
    parser.add_argument("--save", metavar="FILE", help="write a replay, also of an unfinished duel")
    parser.add_argument("--no-color", action="store_true", help="no colours")


def run(args: argparse.Namespace) -> int:
    """Play the duel of `solwaris play`; write its replay at the end where asked to."""
    from .agents.make import make_agent
    from .duel.options import parse_seed
    from .duel.replay import Replay

    if args.save:
        check_writable(args.save)
    seed = parse_seed(secrets.randbits(SEED_BITS) if args.seed is None else args.seed)
    options = _options(args)
    agent = make_agent(args.opponent, seed)
    replay = Replay.begin(seed, options)
    color = sys.stdout.isatty() and not args.no_color and "NO_COLOR" not in os.environ
    session = Session(
        replay.duel, agent, args.seat, ask=_ask(), out=sys.stdout, color=color, done=replay.note
    )
    print(f"Seed {seed}.")
    try:
        session.play()
    finally:
        if args.save:
            replay.save(args.save)
            print(f"The replay is in {args.save}; `solwaris watch {args.save}` shows it.")
    return 0


def _options(args: argparse.Namespace) -> dict:
    """The duel's options as the command line fixes them; the rest is drawn."""
    from .duel.content.describe import choose
    from .duel.content.loader import content

    seats = 2 * args.team_size
    classes: list[str | None] = [None] * seats
    for seat, name in ((args.seat, args.own_class), (1 - args.seat, args.opponent_class)):
        if name is not None:
            classes[seat] = choose(content().classes, name, "class")[0].id
    loadouts: list[int | None] = [None] * seats
    if args.loadout is not None:
        loadouts[args.seat] = loadout_bits(args.loadout)
    game_map = None if args.map is None else choose(content().maps, args.map, "map")[0].id
    return {
        "team_size": args.team_size,
        "classes": classes,
        "loadouts": loadouts,
        "map": game_map,
    }


def _ask() -> Callable[[str], str]:
    """`input`, with line editing on a terminal, and echoing what a pipe types."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401
        return input

    def ask(prompt: str) -> str:
        line = input(prompt)
        print(line)
        return line

    return ask
