"""What a seat may do, worked out anew from its JSON view and the sheets: slow and plain.

Nothing here is shared with the engine, so that the two can be set against each other.
"""

from collections.abc import Iterator
from functools import cache

from solwaris_env.duel.codec import encode
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.content.schema import Kind, Target
from solwaris_env.duel.content.sheets import Spell

Cell = tuple[int, int]
SPELLS = {spell.id: spell for spell in content().spells}
SUMMONS = {summon.id: summon for summon in content().summons}
SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
STEP = 100  # coins a raise


def far(a: Cell, b: Cell) -> int:
    """Distance in steps (S1)."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


@cache
def sees(terrain: tuple[str, ...], a: Cell, b: Cell) -> bool:
    """Whether the open segment between two cells' centres is clear (S4, S5), in half cells."""
    (ya, xa), (yb, xb) = ((2 * row + 1, 2 * column + 1) for row, column in (a, b))
    top, bottom = sorted((ya, yb))
    left, right = sorted((xa, xb))

    def side(y: int, x: int) -> int:
        return (xb - xa) * (y - ya) - (yb - ya) * (x - xa)

    def solid(row: int, column: int) -> bool:
        return terrain[row][column] not in " ."

    for row in range(top // 2, bottom // 2 + 1):
        for column in range(left // 2, right // 2 + 1):
            if solid(row, column):
                y, x = 2 * row, 2 * column
                corners = [side(y + i, x + j) for i in (0, 2) for j in (0, 2)]
                if min(corners) < 0 < max(corners):
                    return False
    for row in range(top // 2 + 1, bottom // 2 + 1):
        for column in range(left // 2 + 1, right // 2 + 1):
            if side(2 * row, 2 * column) == 0:
                if solid(row - 1, column - 1) and solid(row, column):
                    return False
                if solid(row - 1, column) and solid(row, column - 1):
                    return False
    return True


class Reference:
    """The rules of aiming and going, seen from one seat's JSON view."""

    def __init__(self, view: dict, home: Cell | None) -> None:
        """`home`: the cell where the acting hero's turn began."""
        self.view = view
        self.home = home
        self.terrain = tuple(view["terrain"])
        self.standing = {tuple(e["cell"]): e for e in view["entities"] if e["cell"] is not None}

    def playable(self, cell: Cell) -> bool:
        row, column = cell
        inside = 0 <= row < len(self.terrain) and 0 <= column < len(self.terrain[0])
        return inside and self.terrain[row][column] == "."

    def free(self, cell: Cell) -> bool:
        return self.playable(cell) and cell not in self.standing

    def actions(self) -> set[int]:
        """Indices of all legal actions but forfeit."""
        return {encode(action) for action in self.named()}

    def named(self) -> Iterator[dict]:
        view = self.view
        if view["phase"] == "placement":
            for row, line in enumerate(view["zones"]):
                for column, sign in enumerate(line):
                    if sign == "12"[view["camp"]] and self.free((row, column)):
                        yield {"type": "place", "cell": [row, column]}
            return
        yield {"type": "pass"}
        if view["phase"] == "auction":
            auction = view["auction"]
            if auction["purses"][view["to_act"]] >= auction["price"] + STEP:
                yield {"type": "raise"}
            return
        actor = next(e for e in view["entities"] if e["index"] == view["actor"])
        for cell in self.walks(tuple(actor["cell"]), actor["mp"]):
            yield {"type": "go", "cell": list(cell)}
        for slot, spell in self.castable(actor):
            for cell in self.aims(actor, spell):
                yield {"type": "cast", "slot": slot, "cell": list(cell)}

    def walks(self, start: Cell, points: int) -> set[Cell]:
        """Cells within so many steps over what looks free (M1, M2, M4)."""
        found, edge = {start}, {start}
        for _ in range(points):
            near = {(r + dr, c + dc) for r, c in edge for dr, dc in SIDES}
            edge = {cell for cell in near if cell not in found and self.free(cell)}
            found |= edge
        return found - {start}

    def castable(self, actor: dict) -> Iterator[tuple[int, Spell]]:
        """Spells that points, cooldowns and limits allow (T2, N6, N20)."""
        if actor["kind"] == "hero":
            hand = self.view["heroes"][actor["index"]]["spells"]
        else:
            name = SUMMONS[actor["kind"]].spell
            hand = [{"slot": 0, "id": name, "cooldown": 0, "used": 0}] if name else []
        for entry in hand:
            spell = SPELLS[entry["id"]]
            if spell.cost > actor["ap"] or (spell.hp_cost and actor["hp"] <= spell.hp_cost):
                continue
            if entry["cooldown"] or (spell.per_turn and entry["used"] >= spell.per_turn):
                continue
            if not self.crowded(actor, spell):
                yield entry["slot"], spell

    def crowded(self, actor: dict, spell: Spell) -> bool:
        """Whether the actor has as many of what the spell summons as he may have."""
        for effect in spell.effects:
            if effect.kind == Kind.SUMMON:
                made = content().summons[effect.a - 1]
                others = [
                    e for e in self.standing.values()
                    if e["kind"] != "hero" and e["owner"] == actor["index"]
                    and SUMMONS[e["kind"]].group == made.group
                ]  # fmt: skip
                return len(others) >= made.limit
        return False

    def aims(self, actor: dict, spell: Spell) -> Iterator[Cell]:
        """Cells that a spell may be aimed at (S1-S7, I1, X7, N10, N12)."""
        own = tuple(actor["cell"])
        if spell.target == Target.SELF:
            returns = any(effect.kind == Kind.RETURN for effect in spell.effects)
            if not returns or self.home == own or self.free(self.home):
                yield own
            return
        longest = spell.range_max
        if longest > 1:
            longest += actor["range_bonus"]
            if actor["kind"] == "hero":
                longest += self.view["heroes"][actor["index"]]["passive"] == "artilleur"
        for row in range(own[0] - longest, own[0] + longest + 1):
            for column in range(own[1] - longest, own[1] + longest + 1):
                cell = (row, column)
                if not spell.range_min <= far(own, cell) <= longest or not self.playable(cell):
                    continue
                if spell.line and row != own[0] and column != own[1]:
                    continue
                if not self.suits(actor, spell, cell):
                    continue
                if spell.sight and not sees(self.terrain, own, cell):
                    continue
                yield cell

    def suits(self, actor: dict, spell: Spell, cell: Cell) -> bool:
        """Whether what is on a cell is of the kind that the spell may be aimed at."""
        if spell.target == Target.CELL:
            return True
        there = self.standing.get(cell)
        first = spell.effects[0].kind
        if spell.target == Target.FREE:
            taken = first == Kind.TRAP and any(
                tuple(trap["cell"]) == cell for trap in self.view["traps"]
            )
            return there is None and not taken
        if there is None:
            return False
        if first == Kind.DASH and not self.run(tuple(actor["cell"]), cell):
            return False
        sheet = SUMMONS.get(there["kind"])
        mine = there["owner"] == actor["index"]
        return {
            Target.ALLY: there["camp"] == actor["camp"] and (sheet is None or sheet.mobile),
            Target.ENEMY: there["camp"] != actor["camp"],
            Target.ENTITY: True,
            Target.OWN_CHARGE: sheet is not None and sheet.charge and mine,
            Target.OWN_AUTOMATE: sheet is not None and sheet.automate and mine,
        }[spell.target]

    def run(self, start: Cell, goal: Cell) -> bool:
        """Whether the cells between look free to run over (N10)."""
        dr, dc = ((there > here) - (there < here) for here, there in zip(start, goal, strict=True))
        steps = far(start, goal)
        return all(self.free((start[0] + i * dr, start[1] + i * dc)) for i in range(1, steps))
