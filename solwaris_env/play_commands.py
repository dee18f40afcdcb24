"""What a person types in a duel, understood against what that person sees.

Nothing here knows the engine: a line and a JSON view go in, a command comes out.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .duel.codec import cell_name, parse_cell
from .duel.content.loader import content
from .duel.content.schema import WIDTH
from .duel.content.sheets import Spell
from .errors import SolwarisError

CELL = re.compile(r"[a-z]\d{1,2}")
WORDS = {
    "help": "help",
    "h": "help",
    "?": "help",
    "board": "board",
    "list": "list",
    "spells": "list",
    "info": "info",
    "log": "log",
    "quit": "quit",
    "q": "quit",
    "exit": "quit",
    "forfeit": "quit",
    "back": "back",
    "cancel": "back",
}
HELP = """\
  h12                walk to the cell h12 (before the fight: start there)
  taillade h12       cast a spell at a cell; accents and capitals do not matter,
  3 h12              the beginning of its name or its number will do
  taillade           choose a spell: its cells are marked * and the next cell casts it
  back               choose none
  pass               end the turn; in the auction: do not raise
  raise              bid 100 coins more for the initiative
  board              draw the board again (so does an empty line)
  list               what each of your spells does
  info SPELL         one spell, yours or any other, in full
  log                all that happened so far
  quit               give up, after a question
The long forms `go h12`, `place h12` and `cast 3 h12` work too."""


@dataclass(frozen=True)
class Act:
    """An action, named as the codec takes it."""

    action: dict[str, Any]


@dataclass(frozen=True)
class Choose:
    """A spell chosen to be aimed; `slot` None drops the choice."""

    slot: int | None


@dataclass(frozen=True)
class Say:
    """A wish that changes nothing in the duel: one of WORDS' values, with its argument."""

    what: str
    about: str = ""


Command = Act | Choose | Say


def plain(name: str) -> str:
    """Return `name` as it may be typed: lower case, without accents, hyphens or apostrophes."""
    spread = unicodedata.normalize("NFKD", name.casefold().replace("œ", "oe"))
    letters = "".join(c if c.isalnum() else " " for c in spread if not unicodedata.combining(c))
    return " ".join(letters.split())


def actor(view: dict) -> dict | None:
    """Return the entity whose turn it is, None before the fight."""
    return next((one for one in view["entities"] if one["index"] == view["actor"]), None)


def spells_in_hand(view: dict) -> list[dict]:
    """Return the acting entity's spells as the view lists a hero's; none before the fight."""
    acting = actor(view)
    if acting is None:
        return []
    if acting["kind"] == "hero":
        return view["heroes"][acting["owner"]]["spells"]
    summon = next(sheet for sheet in content().summons if sheet.id == acting["kind"])
    if summon.spell is None:
        return []
    spell = sheet_of(summon.spell)
    return [
        {
            "slot": 0,
            "id": spell.id,
            "name": spell.name,
            "cost": spell.cost,
            "range": [spell.range_min, spell.range_max],
            "cooldown": 0,
            "used": 0,
            "per_turn": 0,
        }
    ]


def sheet_of(spell_id: str) -> Spell:
    """Return the sheet of a spell by its id."""
    return next(spell for spell in content().spells if spell.id == spell_id)


def find_sheet(name: str, view: dict) -> Spell:
    """Return the sheet of the spell called `name`: in hand first, then any.

    Raises:
        SolwarisError: no spell, or several, are called so.
    """
    in_hand = [sheet_of(spell["id"]) for spell in spells_in_hand(view)]
    if len(name) == 1 and name.isdecimal() and 1 <= int(name) <= len(in_hand):
        return in_hand[int(name) - 1]
    for known in (in_hand, content().spells):
        found = _called(name, known)
        if found:
            return _only(name, found)
    raise SolwarisError(f"there is no spell {name!r}")


def understand(line: str, view: dict, chosen: int | None = None) -> Command:
    """Return the command that `line` says to the acting seat of `view`.

    Args:
        line: what was typed.
        view: the JSON view of the seat, which must be the one to act.
        chosen: slot of the spell that is being aimed.

    Raises:
        SolwarisError: the line says nothing known, or an action that is not possible now; the
            sentence says why.
    """
    words = plain(line).split()
    if line.strip() == "?":
        words = ["?"]
    if not words:
        return Say("board")
    first, rest = words[0], words[1:]
    if first in WORDS and (not rest or WORDS[first] == "info"):
        if WORDS[first] == "back":
            return Choose(None)
        return Say(WORDS[first], " ".join(rest))
    if first in ("pass", "end", "raise") and not rest:
        return _plain_action("raise" if first == "raise" else "pass", view)
    cell = parse_cell(words[-1]) if CELL.fullmatch(words[-1]) else None
    if cell is not None and words[:-1] in ([], ["go"], ["place"]):
        if chosen is not None and len(words) == 1:
            return _cast(view, _in_slot(view, chosen), cell)
        return _go(view, cell)
    if first == "cast":
        words = rest
    name = " ".join(words if cell is None else words[:-1])
    spell = _spell_in_hand(name, view)
    if cell is not None:
        return _cast(view, spell, cell)
    aims = view["actions"]["aims"][spell["slot"]]
    if not aims:
        raise SolwarisError(why_not(view, spell))
    if len(aims) == 1 and aims[0] == actor(view)["cell"]:
        return _cast(view, spell, aims[0][0] * WIDTH + aims[0][1])
    return Choose(spell["slot"])


def why_not(view: dict, spell: dict) -> str:
    """Return why `spell` cannot be cast at all now."""
    name = spell["name"]
    ap = actor(view)["ap"]
    if spell["cooldown"]:
        turns = "next turn" if spell["cooldown"] == 1 else f"in {spell['cooldown']} turns"
        return f"{name} can be cast again {turns}"
    if spell["per_turn"] and spell["used"] >= spell["per_turn"]:
        times = "once" if spell["per_turn"] == 1 else f"{spell['per_turn']} times"
        return f"{name} can be cast {times} a turn, and was"
    if spell["cost"] > ap:
        return f"{name} costs {spell['cost']} AP and {ap} are left"
    return f"there is nothing in reach to cast {name} at"


def _plain_action(kind: str, view: dict) -> Act:
    if not view["actions"][kind]:
        if kind == "pass":
            raise SolwarisError("a start cell must be chosen first")
        if view["phase"] != "auction":
            raise SolwarisError("only in the auction can you raise")
        raise SolwarisError("your purse does not reach for another bid")
    return Act({"type": kind})


def _go(view: dict, cell: int) -> Act:
    placing = view["phase"] == "placement"
    if view["phase"] == "auction":
        raise SolwarisError("this is the auction: raise or pass")
    where = [cell // WIDTH, cell % WIDTH]
    if where in view["actions"]["place" if placing else "reach"]:
        return Act({"type": "place" if placing else "go", "cell": where})
    if placing:
        raise SolwarisError(f"{cell_name(cell)} is no free start cell; those are marked +")
    raise SolwarisError(f"{cell_name(cell)} cannot be reached; the cells marked + can")


def _cast(view: dict, spell: dict, cell: int) -> Act:
    where = [cell // WIDTH, cell % WIDTH]
    aims = view["actions"]["aims"][spell["slot"]]
    if not aims:
        raise SolwarisError(why_not(view, spell))
    if where not in aims:
        raise SolwarisError(
            f"{spell['name']} cannot be cast at {cell_name(cell)}; "
            f"type `{plain(spell['name'])}` to see where it can"
        )
    return Act({"type": "cast", "slot": spell["slot"], "cell": where})


def _spell_in_hand(name: str, view: dict) -> dict:
    spells = spells_in_hand(view)
    if name.isdecimal():
        slot = int(name) - 1
        if any(spell["slot"] == slot for spell in spells):
            return _in_slot(view, slot)
        if view["phase"] == "fight":
            raise SolwarisError(f"there is no spell number {name} in hand")
    found = _called(name, spells)
    if found:
        return _only(name, found)
    if view["phase"] == "fight" and _called(name, content().spells):
        known = _called(name, content().spells)[0].name
        raise SolwarisError(f"{known} is not in hand; `list` shows what is")
    raise SolwarisError(f"{name!r} says nothing I know; `help` lists what I do")


def _in_slot(view: dict, slot: int) -> dict:
    return next(spell for spell in spells_in_hand(view) if spell["slot"] == slot)


def _name(spell: Spell | dict) -> str:
    return spell["name"] if isinstance(spell, dict) else spell.name


def _called(name: str, spells: Iterable[Any]) -> list[Any]:
    """The spells whose name is `name`, or else those whose name begins with it."""
    wanted = plain(name)
    named = [(plain(_name(spell)), spell) for spell in spells]
    exact = [spell for full, spell in named if full == wanted]
    return exact or [spell for full, spell in named if wanted and full.startswith(wanted)]


def _only(name: str, found: list[Any]) -> Any:
    if len(found) > 1:
        either = " or ".join(_name(spell) for spell in found[:4])
        raise SolwarisError(f"{name!r} may be {either}")
    return found[0]
