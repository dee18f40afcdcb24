"""Golden playthroughs: whole duels as text, with each action, what it led to, and the board.

Nine duels, by a script that goes up to the enemy and casts what has not been cast yet, meet
every class, every map and every spell in both versions. Regenerate them after a change of the
rules, and read the difference:

    python -m tests.regenerate_playthroughs
"""

import re
from pathlib import Path

import numpy as np

from solwaris_env.duel.codec import FORFEIT, GO, PASS, to_text
from solwaris_env.duel.content.loader import RULES_VERSION, content
from solwaris_env.duel.content.schema import CELLS, WIDTH
from solwaris_env.duel.engine.state import HEROES, SUMMON_BASE, Phase
from solwaris_env.duel.game import Duel
from solwaris_env.duel.view import json_view
from solwaris_env.render.text import render_text

FOLDER = Path(__file__).parent / "playthroughs"
ORIGINALS, VARIANTS = 0, 511
MIXED = 0b101010101
# name: seed, options
PLAYTHROUGHS = {
    "caveau": (1, {"classes": ["guerrier", "brute"], "loadouts": [ORIGINALS, ORIGINALS]}),
    "grande_plaine": (2, {"classes": ["arcaniste", "ombre"], "loadouts": [ORIGINALS, ORIGINALS]}),
    "gouffre": (3, {"classes": ["horloger", "artificier"], "loadouts": [ORIGINALS, ORIGINALS]}),
    "anneau": (8, {"classes": ["brute", "guerrier"], "loadouts": [VARIANTS, VARIANTS]}),
    "haies": (4, {"classes": ["ombre", "arcaniste"], "loadouts": [VARIANTS, VARIANTS]}),
    "entrepot": (6, {"classes": ["artificier", "horloger"], "loadouts": [VARIANTS, VARIANTS]}),
    "carriere": (7, {"classes": ["guerrier", "ombre"], "loadouts": [MIXED, MIXED], "stakes": 500}),
    "temple": (
        8,
        {
            "classes": ["brute", "horloger", "arcaniste", "artificier"],
            "loadouts": [ORIGINALS, VARIANTS, VARIANTS, ORIGINALS],
        },
    ),
    "canal": (
        9,
        {
            "classes": ["ombre", "guerrier", "artificier", "arcaniste"],
            "loadouts": [ORIGINALS, VARIANTS, VARIANTS, ORIGINALS],
            "purses": [500, 300, 0, 0],
        },
    ),
}
LONGEST = 200  # decisions, then the acting camp gives up
RULER = re.compile(r" +\d+( +\d+)+")
SPELLS = re.compile(r"    # spell  |   [ +][1-8] \S.* \d|     passive ")


def options_of(name: str) -> dict:
    """Options of a playthrough, its map among them."""
    options = PLAYTHROUGHS[name][1]
    return {"map": name, "team_size": len(options["classes"]) // 2} | options


def spell_of(duel: Duel, slot: int) -> int:
    """Id of the spell in a slot of the acting entity."""
    actor = int(duel.state.actor)
    if actor < HEROES:
        return int(duel.state.hero[actor].spell[slot])
    return int(duel.rules[0].summon[duel.state.entity[actor].kind - SUMMON_BASE].spell)


class Script:
    """Plays both camps: casts what was cast least, goes up to the nearest enemy."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.cast: dict[int, int] = {}

    def choose(self, duel: Duel) -> int:
        """The next action."""
        mask = duel.mask()
        phase = duel.state.phase
        if phase == Phase.PLACEMENT:
            return self.nearest(duel, np.flatnonzero(mask[GO:PASS])) + GO
        if phase == Phase.AUCTION:
            raises = np.flatnonzero(mask[PASS : PASS + 2])
            return PASS + int(self.rng.choice(raises))
        known = duel.known(duel.seat)
        actor = int(duel.state.actor)
        slots = [s for s in range(8) if mask[s * CELLS : (s + 1) * CELLS].any()]
        foes = [
            int(e.cell) for e in known.entity
            if e.kind != 0 and e.cell >= 0 and e.camp != camp_of(duel)
        ]  # fmt: skip
        if slots and (self.rng.random() < 0.8 or not mask[GO:PASS].any()):
            least = min(self.cast.get(spell_of(duel, s), 0) for s in slots)
            best = [s for s in slots if self.cast.get(spell_of(duel, s), 0) == least]
            slot = int(self.rng.choice(best))
            cells = np.flatnonzero(mask[slot * CELLS : (slot + 1) * CELLS])
            hits = [c for c in cells.tolist() if c in foes]
            cell = int(self.rng.choice(hits)) if hits else self.nearest(duel, cells)
            spell = spell_of(duel, slot)
            self.cast[spell] = self.cast.get(spell, 0) + 1
            return slot * CELLS + cell
        here = int(duel.state.entity[actor].cell)
        goals = np.flatnonzero(mask[GO:PASS])
        if len(goals):
            goal = self.nearest(duel, goals)
            if self.gap(duel, goal) < self.gap(duel, here):
                return GO + goal
        return PASS

    def gap(self, duel: Duel, cell: int) -> int:
        """Distance to the nearest enemy that the acting seat sees, or to the middle."""
        known = duel.known(duel.seat)
        foes = [
            int(e.cell) for e in known.entity[:HEROES]
            if e.kind != 0 and e.cell >= 0 and e.camp != camp_of(duel)
        ]  # fmt: skip
        return min((distance(cell, foe) for foe in foes), default=distance(cell, CELLS // 2 - 14))

    def nearest(self, duel: Duel, cells: np.ndarray) -> int:
        """The cell nearest to an enemy, any of several."""
        gaps = [self.gap(duel, int(c)) for c in cells]
        return int(self.rng.choice([c for c, g in zip(cells, gaps, strict=True) if g == min(gaps)]))


def camp_of(duel: Duel) -> int:
    """Camp of the seat that decides."""
    return duel.seat % 2


def distance(a: int, b: int) -> int:
    """Steps between two cells."""
    return abs(a // WIDTH - b // WIDTH) + abs(a % WIDTH - b % WIDTH)


def board(duel: Duel, whole: bool) -> list[str]:
    """The board as the acting seat sees it; unless `whole` without what never changes."""
    lines = render_text(json_view(duel, max(duel.seat, 0))).splitlines()
    # the log stands under each action
    lines = [line for line in lines if line and not line.startswith("> ")]
    if whole:
        return lines
    rulers = [i for i, line in enumerate(lines) if RULER.fullmatch(line)]
    heroes = next(i for i, line in enumerate(lines) if line[1:2] in ("[", "("))
    kept = lines[: rulers[1]] + lines[heroes:]
    return [line for line in kept if not SPELLS.match(line)]


def playthrough(name: str) -> str:
    """Play a duel and write it down."""
    seed, _ = PLAYTHROUGHS[name]
    options = options_of(name)
    duel = Duel.new(seed, **options)
    script = Script(seed)
    lines = [
        f"# Solwaris playthrough, rules {RULES_VERSION}",
        f"# seed {seed}",
        *(f"# {key} {value}" for key, value in options.items()),
        "",
    ]
    moment = None
    for number in range(LONGEST + 1):
        now = int(duel.state.phase), int(duel.state.turn)
        if now != moment:
            lines += ["", *board(duel, whole=moment is None), ""]
            moment = now
        action = script.choose(duel) if number < LONGEST else FORFEIT
        camp = camp_of(duel)
        lines.append(said(duel, action))
        duel.apply(action)
        lines += [f"    {sentence}" for sentence in json_view(duel, camp)["log"]]
        if duel.seat < 0:
            break
    lines += ["", *board(duel, whole=False)]
    return "\n".join(lines) + "\n"


def said(duel: Duel, action: int) -> str:
    """An action in the notation, with the spell's id behind it."""
    text = f"player_{duel.seat}: {to_text(action, duel.placing)}"
    if action < GO:
        text += f"  [{content().spells[spell_of(duel, action // CELLS)].id}]"
    elif duel.state.phase == Phase.FIGHT and int(duel.state.actor) >= HEROES:
        text += "  [summon]"
    return text
