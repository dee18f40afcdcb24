"""docs/view.md, made from the models: `python -m solwaris_env.server.reference > docs/view.md`."""

import json
import re
from types import NoneType
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from .fields import (
    VIEW_SCHEMA,
    VIEW_VERSION,
    Auction,
    Effect,
    Entity,
    Hero,
    LaidBonus,
    Shown,
    Trap,
    View,
)

PARTS: tuple[tuple[str, type[BaseModel]], ...] = (
    ("The view", View),
    ("`auction`", Auction),
    ("Each of `heroes`", Hero),
    ("Each of `entities`", Entity),
    ("`shown` of an entity", Shown),
    ("Each of `effects`", Effect),
    ("Each of `traps`", Trap),
    ("Each of `bonuses`", LaidBonus),
)
# a view from scratch: the least that the server needs, early in a fight
SMALLEST = {
    "seat": 0,
    "phase": "fight",
    "map": "caveau",
    "to_act": 0,
    "actor": 0,
    "turn": 1,
    "auction": {"drawn_camp": 0},
    "heroes": [{"seat": 0, "class": "brute"}, {"seat": 1, "class": "arcaniste"}],
    "entities": [
        {"index": 0, "kind": "hero", "cell": [9, 9], "hp": 300, "ap": 12, "mp": 6},
        {"index": 1, "kind": "hero", "cell": [9, 10], "hp": 250},
    ],
}
_SMALLEST_TEXT = re.sub(r"\[\s+(\d+),\s+(\d+)\s+\]", r"[\1, \2]", json.dumps(SMALLEST, indent=2))
INTRODUCTION = f"""\
# The view

What one seat may know of a duel, as JSON: `{VIEW_SCHEMA}` version {VIEW_VERSION}. A hosted duel's
state holds one; `/v1/decisions` takes one. This page is generated from the code; the same as JSON
schema is at `/v1/view/schema`, a complete view at `/v1/view/example`.

Cells are `[row, column]` on a canvas of 18 rows and 28 columns, the same for every map; row 0 is
the top. `/v1/catalogue/maps` has every map's terrain and start zones on that canvas.

## Building one

- **What is hidden is absent.** Leave out the other camp's traps; give its invisible fighters, and
  until everybody is placed its heroes, `"cell": null`: a view that tells them is refused. All else
  that stands has its cell. The server needs nothing that a player may not know.
- **What no duel can come to is refused**, in a sentence that names the part: points in the hand of
  who does not act, a bonus under a hero, effects, summons or traps of the dead, a turn out of turn.
- **What has a default may be left out**; fields that say "ignored when sent" are computed. Unknown
  keys are refused: a misspelt name would otherwise be a silent default.
- **The seat decides on its own view**: for `/v1/decisions` and `/v1/views`, `seat` and `to_act`
  are the same.
- **Phases.** In `placement` seats choose one after the other: those before `to_act` are `placed`.
  In `auction` the first hero of a camp bids (seat 0 or 1), the one whose camp would not play first.
  In `fight` `actor` is the entity that acts: `to_act`'s hero, or a mobile summon of his. Before
  the fight nothing has happened: no turn, no points lost or gained, no effect, trap, bonus, summon.
- **Turns.** Camps alternate, in 2v2 so do a camp's heroes while both live (T4, T5): `turn` and the
  camp that plays first say whose turn it is.
- **Points.** `ap` and `mp` are in hand, so 0 for all but `actor`. What was taken from a fighter
  since the end of his last turn is in `ap_lost`; the part of it that his next turn will begin
  without, because it was taken outside his turn, is in `ap_debt` too. For `actor` what was owed or
  gained is in `ap` already, so `ap_debt` and `ap_gain` are 0; `mp` likewise.
- **Check it** with `POST /v1/views`: the answer has the view completed and the legal actions as
  the server works them out. If they are not those of your game, something in the view is not
  what you meant.

The smallest useful view is this; everything else has its default:

```json
{_SMALLEST_TEXT}
```
"""


def view_page() -> str:
    """The page as Markdown."""
    lines = [INTRODUCTION]
    for title, model in PARTS:
        words = " ".join((model.__doc__ or "").split())
        lines += [f"## {title}", "", words, ""]
        lines += ["| field | takes | default | meaning | example |", "|---|---|---|---|---|"]
        lines += [_row(name, field) for name, field in model.model_fields.items()]
        lines.append("")
    return "\n".join(lines)


def _row(name: str, field: FieldInfo) -> str:
    default = "needed"
    if not field.is_required():
        default = f"`{json.dumps(field.get_default(call_default_factory=True))}`"
    examples = ", ".join(f"`{json.dumps(value)}`" for value in field.examples or [])
    meaning = (field.description or "").replace("|", "\\|")
    return f"| `{field.alias or name}` | {_takes(field)} | {default} | {meaning} | {examples} |"


def _takes(field: FieldInfo) -> str:
    """The kind of a field's values in words."""
    return _words(field.annotation, field.metadata).replace("|", "\\|")


def _words(kind: Any, metadata: list[Any]) -> str:
    options = get_args(kind)
    if hasattr(kind, "__metadata__"):
        return _words(kind.__origin__, list(kind.__metadata__))
    if NoneType in options:
        (inner,) = (option for option in options if option is not NoneType)
        return f"{_words(inner, metadata)} or null"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return "object"
    origin = getattr(kind, "__origin__", None)
    if origin is list:
        return "list"
    if origin is tuple:
        return "[row, column]" if len(options) == 2 and options[0] is not int else "two numbers"
    if options:  # a Literal
        return ", ".join(f"`{json.dumps(option)}`" for option in options)
    return {int: f"whole number{_bounds(metadata)}", bool: "truth value", str: "text"}[kind]


def _bounds(metadata: list[Any]) -> str:
    low = high = None
    for item in metadata:
        for part in getattr(item, "metadata", None) or [item]:
            low = getattr(part, "ge", low)
            high = getattr(part, "le", high)
            below = getattr(part, "lt", None)
            high = high if below is None else below - 1
    return "" if low is None or high is None else f", {low} to {high}"


if __name__ == "__main__":
    print(view_page(), end="")
