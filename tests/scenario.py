"""Boards drawn as text, played by the engine: the tests' way to set up a situation.

    board = scenario('''
        A . # . b
        . x . . .
    ''', A="guerrier", b="ombre")
    board.cast(1, "b")

`.` is floor, `#` a wall, `_` (or nothing) void; `A` and `C` are camp 0's heroes (entities 0 and 2),
`b` and `d` camp 1's (entities 1 and 3); any other sign is floor with a mark of that name. Blanks
between the signs count for nothing. A cell is named by its mark, by the hero on it, or by the
(row, column) of the drawing.

A hero is described by its class, the slots that hold their variant, and `P` or `p` for its passive
or the passive's variant: `"ombre 38 p"`. Without either letter the hero has no passive, and none
of its hits is critical: a critical chance is a passive's business (Focalisation), set to zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from solwaris_env.duel.batch import Option
from solwaris_env.duel.content.loader import content, rulebook
from solwaris_env.duel.content.schema import CELLS, HEIGHT, WIDTH, Kind, Passive
from solwaris_env.duel.content.tables import map_record
from solwaris_env.duel.engine.state import MAX_ENTITIES, SUMMON_BASE, Phase, Timed
from solwaris_env.duel.game import Duel

N = CELLS
PASS, RAISE, FORFEIT = 9 * N, 9 * N + 1, 9 * N + 2
HEROES = {"A": 0, "b": 1, "C": 2, "d": 3}
CLASSES = ["guerrier", "brute", "arcaniste", "ombre", "horloger", "artificier"]
TOP, LEFT = 1, 1  # where a drawing's first cell lies on the canvas

Where = "str | tuple[int, int] | int"


@dataclass
class Board:
    """A duel in progress with names for its cells and entities."""

    duel: Duel
    marks: dict[str, int]
    seen: bytes = b""  # the state for which the duel's mask was computed

    @property
    def state(self) -> np.record:
        return self.duel.state

    def at(self, where: Where) -> int:
        """Canvas cell of a hero's letter, a mark, or a (row, column) of the drawing."""
        if isinstance(where, tuple):
            return (where[0] + TOP) * WIDTH + where[1] + LEFT
        if isinstance(where, str):
            if where in HEROES:
                return int(self[where].cell)
            return self.marks[where]
        return int(where)

    def __getitem__(self, who: str | int) -> np.record:
        """Entity record of a hero's letter or an entity's index."""
        return self.state.entity[HEROES[who] if isinstance(who, str) else who]

    def hero(self, who: str) -> np.record:
        """Hero record of a letter."""
        return self.state.hero[HEROES[who]]

    def place(self, who: str | int) -> tuple[int, int] | None:
        """(row, column) of the drawing where someone stands, None if on no cell."""
        cell = int(self[who].cell)
        return None if cell < 0 else (cell // WIDTH - TOP, cell % WIDTH - LEFT)

    def occupant(self, where: Where) -> int:
        """Index of the entity on a cell, -1 for none."""
        return int(self.state.occupant[self.at(where)])

    # decisions

    def cast_action(self, slot: int, where: Where | None = None) -> int:
        """Action number of slot 1..8 at a cell (the actor's own without one)."""
        cell = self[int(self.state.actor)].cell if where is None else self.at(where)
        return (slot - 1) * N + int(cell)

    def look(self) -> None:
        """Compute the mask anew if a test has written the state since."""
        now = self.state.tobytes()
        if now != self.seen:
            self.duel.refresh()
            self.seen = now

    def apply(self, action: int) -> Board:
        self.look()
        self.duel.apply(action)
        self.seen = self.state.tobytes()
        return self

    def cast(self, slot: int, where: Where | None = None) -> Board:
        """The acting entity casts slot 1..8 at a cell, at itself without one."""
        return self.apply(self.cast_action(slot, where))

    def go(self, where: Where) -> Board:
        return self.apply(8 * N + self.at(where))

    def end(self) -> Board:
        """End the acting entity's turn; the bonuses of a new turn are swept away."""
        self.apply(PASS)
        self.sweep()
        return self

    def until(self, who: str | int) -> Board:
        """End turns, at least one, until it is the given entity's."""
        index = HEROES[who] if isinstance(who, str) else who
        self.end()
        while int(self.state.actor) != index:
            self.end()
        return self

    def sweep(self) -> None:
        """Take the terrain bonuses away, so that chance does not disturb a scenario."""
        for bonus in self.state.bonus:
            bonus.kind = 0
            bonus.cell = -1

    def mask(self) -> np.ndarray:
        """The acting seat's mask, as the state is now."""
        self.look()
        return self.duel.mask()

    def can(self, slot: int, where: Where | None = None) -> bool:
        """Whether the mask offers this cast."""
        return bool(self.mask()[self.cast_action(slot, where)])

    def can_go(self, where: Where) -> bool:
        return bool(self.mask()[8 * N + self.at(where)])

    # facts

    @property
    def actor(self) -> int:
        return int(self.state.actor)

    def summon(self, name: str, owner: str | None = None) -> int:
        """Index of the first living summon of that id."""
        for index in self.summons(name, owner):
            return index
        raise AssertionError(f"no {name} on the board")

    def summons(self, name: str, owner: str | None = None) -> list[int]:
        """Indices of the living summons of that id."""
        kind = SUMMON_BASE + summon_id(name)
        return [
            i
            for i in range(4, MAX_ENTITIES)
            if self[i].kind == kind
            and self[i].hp > 0
            and (owner is None or self[i].owner == HEROES[owner])
        ]

    def timed(self, who: str | int, kind: Timed) -> list[np.record]:
        """Timed effects of a kind on someone, oldest first."""
        index = HEROES[who] if isinstance(who, str) else who
        count = int(self.state.timed_count)
        return [t for t in self.state.timed[:count] if t.target == index and t.kind == kind]

    def traps(self) -> list[np.record]:
        return list(self.state.trap[: int(self.state.trap_count)])

    def put_bonus(self, kind: int, where: Where) -> None:
        """Lay a terrain bonus in the first free place of the two."""
        slot = 0 if self.state.bonus[0].kind == 0 else 1
        self.state.bonus[slot].kind = kind
        self.state.bonus[slot].cell = self.at(where)

    def spell(self, who: str, slot: int) -> np.record:
        """Record of a hero's spell, in the copy of the rules that this board plays by."""
        self.seen = b""  # the mask may depend on what is written to it
        return self.duel.rules[0].spell[int(self.hero(who).spell[slot - 1])]

    def effects(self, who: str, slot: int) -> list[np.record]:
        """Effect records of a hero's spell, likewise."""
        spell = self.spell(who, slot)
        first = int(spell.first)
        return [self.duel.rules[0].effect[first + i] for i in range(int(spell.count))]

    def fix(self, who: str, slot: int, value: int) -> None:
        """Let all damage of a hero's spell be drawn as one value."""
        for effect in self.effects(who, slot):
            if effect.kind in (Kind.DAMAGE, Kind.CHAIN, Kind.DELAYED):
                effect.a = value
                effect.b = value

    def tune(self, who: str, slot: int, index: int = 0, **fields: int) -> None:
        """Give fields of one effect of a hero's spell other values."""
        for name, value in fields.items():
            setattr(self.effects(who, slot)[index], name, value)

    def fix_trap(self, name: str, value: int) -> None:
        """Let a trap's damage be drawn as one value."""
        number = {sheet.id: sheet.number for sheet in content().traps}[name]
        self._fix_damage(self.duel.rules[0].trap[number], value)

    def fix_summon(self, name: str, value: int) -> None:
        """Let the damage of a charge's explosion or of a blow be drawn as one value."""
        self._fix_damage(self.duel.rules[0].summon[summon_id(name)], value)

    def _fix_damage(self, owner: np.record, value: int) -> None:
        for i in range(int(owner.first), int(owner.first) + int(owner.count)):
            effect = self.duel.rules[0].effect[i]
            if effect.kind == Kind.DAMAGE:
                effect.a = value
                effect.b = value

    def lay_trap(self, name: str, owner: str, where: Where, turns: int = 8) -> None:
        """Hide a trap of a hero's on a cell without a cast."""
        trap = self.state.trap[int(self.state.trap_count)]
        trap.kind = {sheet.id: sheet.number for sheet in content().traps}[name]
        trap.owner, trap.camp = HEROES[owner], HEROES[owner] % 2
        trap.turns, trap.cell = turns, self.at(where)
        self.state.trap_count += 1

    def critical(self, who: str, chance: int) -> None:
        """Give a hero without passive a critical chance in percent (as Focalisation does)."""
        self.hero(who).passive = Passive.FOCALISATION
        self.hero(who).passive_value = chance

    def health(self, who: str, hp: int, of: int) -> None:
        """Give a hero these hit points, of so many at most, whatever its sheet says."""
        self[who].hp, self[who].max_hp = hp, of

    def move(self, who: str, where: Where) -> None:
        """Put someone on a cell without playing a move."""
        entity = self[who]
        if entity.cell >= 0:
            self.state.occupant[entity.cell] = -1
        entity.cell = self.at(where)
        self.state.occupant[entity.cell] = HEROES[who]

    # chance

    def clone(self) -> Board:
        return Board(self.duel.clone(), dict(self.marks))

    def many(self, play: Callable[[Board], object], times: int = 200) -> list:
        """What `play` answers on a copy of the board, again and again, each with its own chance.

        The copy is one and the same board every time: `play` answers with facts, not with it.
        """
        self.look()
        streams = np.random.default_rng(20240229).integers(2**64, size=times, dtype=np.uint64)
        copy = self.clone()
        mine, its = self.duel.buffers, copy.duel.buffers
        answers = []
        for stream in streams:
            for name in ("states", "known", "mask"):
                getattr(its, name)[:] = getattr(mine, name)
            copy.state.rng = stream
            copy.seen = copy.state.tobytes()
            answers.append(play(copy))
        return answers

    def losses(self, slot: int, where: Where | None, who: str | int, times: int = 200) -> list[int]:
        """HP that someone loses by a cast, over many draws."""

        def play(copy: Board) -> int:
            before = int(copy[who].hp)
            copy.cast(slot, where)
            return before - int(copy[who].hp)

        return self.many(play, times)


def spread(values: Iterable[int], low: int, high: int) -> None:
    """All values lie from low to high, and both ends are met.

    200 even draws over at most 11 values miss a given end with probability below 1e-7.
    """
    values = list(values)
    assert min(values) == low and max(values) == high, (min(values), max(values), low, high)


def share(values: Iterable[bool], percent: float) -> None:
    """The share of true values is the stated one, within 5 standard deviations."""
    values = list(values)
    mean, deviation = percent / 100, (percent / 100 * (1 - percent / 100) / len(values)) ** 0.5
    seen = sum(map(bool, values)) / len(values)
    assert abs(seen - mean) <= 5 * deviation, (seen, mean, deviation)


def summon_id(name: str) -> int:
    """Number of a summon in the Rulebook."""
    return {summon.id: summon.number for summon in content().summons}[name]


def loadout_of(description: str) -> tuple[int, int, int | None]:
    """Class, loadout bits and passive choice (None: no passive) of a hero's description."""
    words = description.split()
    loadout, passive = 0, None
    for word in words[1:]:
        for sign in word:
            if sign in "Pp":
                passive = int(sign == "p")
                loadout |= passive << 8
            else:
                loadout |= 1 << (int(sign) - 1)
    return CLASSES.index(words[0]), loadout, passive


def read_drawing(drawing: str) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """Canvas lines of plain terrain, and the (row, column) of every letter and mark."""
    lines = [line.replace(" ", "") for line in drawing.strip("\n").splitlines()]
    lines = [line for line in lines if line]
    canvas = [["_"] * WIDTH for _ in range(HEIGHT)]
    marks = {}
    for row, line in enumerate(lines):
        for col, sign in enumerate(line):
            if sign not in ".#_":
                assert sign not in marks, f"{sign} is drawn twice"
                marks[sign] = (row, col)
            canvas[row + TOP][col + LEFT] = sign if sign in "#_" else "."
    return ["".join(line) for line in canvas], marks


def rules_for(lines: list[str], camps: tuple[list[int], list[int]]) -> np.ndarray:
    """A copy of the rules with the drawing as its first map, and these cells as start zones."""
    rules = rulebook().copy()
    text = "\n".join(lines).replace("#", "W").replace("_", " ")
    rules[0].maps[0] = map_record(text)
    board = rules[0].maps[0]
    board.zone[:] = 0
    board.zone_cell[:] = -1
    for camp, cells in enumerate(camps):
        board.zone_count[camp] = len(cells)
        for i, cell in enumerate(sorted(cells)):
            board.zone_cell[camp][i] = cell
            board.zone[cell] = camp + 1
    return rules


def scenario(
    drawing: str,
    *,
    turn: str = "A",
    seed: int = 1,
    stakes: int = 0,
    steady: bool = True,
    **heroes: str,
) -> Board:
    """The duel of a drawing in which it is `turn`'s turn to play, reached by the rules' own way.

    Heroes are given by letter (A, b, and in 2v2 C, d) as a description; `steady=False` leaves a
    hero without passive the common critical chance. Random terrain bonuses are swept away.
    """
    lines, marks = read_drawing(drawing)
    letters = [letter for letter in "AbCd" if letter in marks]
    described = [loadout_of(heroes.get(letter, "guerrier")) for letter in letters]
    cells = {sign: (r + TOP) * WIDTH + c + LEFT for sign, (r, c) in marks.items()}
    camps = ([cells[x] for x in "AC" if x in letters], [cells[x] for x in "bd" if x in letters])
    duel = Duel.new(
        seed,
        map=0,
        classes=[d[0] for d in described],
        loadouts=[d[1] for d in described],
        purses=[1000] * len(letters),
        stakes=stakes,
        team_size=len(letters) // 2,
        rules=rules_for(lines, camps),
    )
    duel.options = Option.ALLOW_FORFEIT  # no observation: nothing here looks at it
    board = Board(duel, {s: c for s, c in cells.items() if s not in HEROES})
    while board.state.phase == Phase.PLACEMENT:
        board.apply(8 * N + cells[letters[duel.seat]])
    wanted = HEROES[turn] % 2
    while board.state.phase == Phase.AUCTION:
        board.apply(RAISE if duel.seat % 2 == wanted else PASS)
    for index, (_, _, passive) in enumerate(described):
        if passive is None:
            board.state.hero[index].passive = Passive.FOCALISATION if steady else Passive.NONE
            board.state.hero[index].passive_value = 0
    board.sweep()
    while board.actor != HEROES[turn]:
        board.end()
    return board
