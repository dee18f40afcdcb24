"""From `Content` to the Rulebook's arrays, distance and line of sight among them."""

from functools import cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from . import maps
from .schema import (
    CELLS,
    CLASS_COUNT,
    HEIGHT,
    MAP,
    MAX_EFFECTS,
    MAX_ZONE,
    NO_SPELL,
    RULEBOOK,
    SLOTS,
    TAKEN,
    UNREACHED,
    WIDTH,
    Terrain,
)
from .sheets import Area, ClassSheet, Content, ContentError, Effect, Spell, SummonSheet

FIRST_SUMMON_SPELL = CLASS_COUNT * SLOTS * 2


def spell_number(class_number: int, slot: int, version: int) -> int:
    """The Rulebook's number of a class's spell; version 0 is the original, 1 the variant."""
    return (class_number * SLOTS + slot) * 2 + version


def build(content: Content) -> np.ndarray:
    """The Rulebook of `content`, shape (1,), dtype RULEBOOK. Raises ContentError."""
    built = np.zeros(1, RULEBOOK)
    rules = built[0]
    store = _EffectStore(rules.effect)
    for spell in content.spells:
        _fill_spell(rules.spell[spell.number], spell, store)
    for sheet in content.classes:
        _fill_class(rules.cls[sheet.number], sheet)
    numbers = {spell.id: spell.number for spell in content.spells}
    groups = list(dict.fromkeys(summon.group for summon in content.summons))
    rules.summon["spell"] = NO_SPELL
    for summon in content.summons:
        record = rules.summon[summon.number]
        _fill_summon(record, summon, store)
        record.group = groups.index(summon.group) + 1
        record.spell = NO_SPELL if summon.spell is None else numbers[summon.spell]
    for trap in content.traps:
        record = rules.trap[trap.number]
        _fill_area(record, trap.area)
        record.turns = trap.turns
        record.first, record.count = store.add(trap.effects)
    for bonus in content.bonuses:
        rules.bonus[bonus.kind].value = bonus.value
        rules.bonus[bonus.kind].turns = bonus.turns
    rows, columns = np.divmod(np.arange(CELLS), WIDTH)
    rules.distance[:] = abs(rows[:, None] - rows) + abs(columns[:, None] - columns)
    _fill_maps(rules.maps, [list(sheet.rows) for sheet in content.maps])
    return built


def map_record(text: str) -> np.record:
    """The MAP record of a drawing, with or without a header.

    The drawing need not meet B2 or B5: it only has to fit the canvas, in which it is
    centred. Raises ContentError.
    """
    _, rows = maps.split(text)
    maps.check_drawing("map", rows)
    record = np.zeros(1, MAP)
    _fill_maps(record, [rows])
    return record[0]


class _EffectStore:
    """The Rulebook's flat list of effects, filled from its start."""

    def __init__(self, records: np.ndarray) -> None:
        self._records = records
        self._used = 0

    def add(self, effects: tuple[Effect, ...]) -> tuple[int, int]:
        """Store the effects; the first one's index and their number."""
        first = self._used
        self._used += len(effects)
        if self._used > MAX_EFFECTS:
            raise ContentError(f"the sheets hold more than {MAX_EFFECTS} effects")
        for record, effect in zip(self._records[first : self._used], effects, strict=True):
            for field in ("kind", "on", "turns", "a", "b", "c"):
                record[field] = getattr(effect, field)
            for field in ("below", "steal", "per_loss", "flags"):
                record[field] = getattr(effect, field)
        return first, len(effects)


def _fill_area(record: np.record, area: Area) -> None:
    record.shape, record.size = area.shape, area.size


def _fill_spell(record: np.record, spell: Spell, store: _EffectStore) -> None:
    for field in (
        "cost",
        "hp_cost",
        "range_min",
        "range_max",
        "line",
        "sight",
        "target",
        "from_departure",
        "per_turn",
        "cooldown",
    ):
        record[field] = getattr(spell, field)
    _fill_area(record, spell.area)
    record.first, record.count = store.add(spell.effects)


def _fill_class(record: np.record, sheet: ClassSheet) -> None:
    for field in ("hp", "ap", "mp", "ap_resist", "mp_resist"):
        record[field] = getattr(sheet, field)
    for version, passive in enumerate(sheet.passives):
        record.passive[version] = passive.kind
        record.passive_value[version] = passive.value
        record.passive_value2[version] = passive.value2
    for spell in sheet.spells:
        record.spell[spell.slot, int(spell.variant)] = spell.number


def _fill_summon(record: np.record, summon: SummonSheet, store: _EffectStore) -> None:
    for field in (
        "hp",
        "ap",
        "mp",
        "mobile",
        "charge",
        "automate",
        "limit",
        "aura",
        "aura_radius",
        "aura_value",
    ):
        record[field] = getattr(summon, field)
    _fill_area(record, summon.area)
    record.first, record.count = store.add(summon.effects)


def _fill_maps(records: np.ndarray, drawings: list[list[str]]) -> None:
    grids = np.full((len(drawings), HEIGHT, WIDTH), " ", "U1")
    for grid, rows in zip(grids, drawings, strict=True):
        top, left = (HEIGHT - len(rows)) // 2, (WIDTH - len(rows[0])) // 2
        grid[top : top + len(rows), left : left + len(rows[0])] = [list(row) for row in rows]
    for letter, terrain in maps.LETTERS.items():
        records["terrain"][grids.reshape(-1, CELLS) == letter] = terrain
    records["playable"] = records["terrain"] == Terrain.FLOOR
    records["obstacle"] = records["terrain"] > Terrain.FLOOR
    for number, zone in enumerate(maps.ZONES, 1):
        records["zone"][grids.reshape(-1, CELLS) == zone] = number
    records["playable_count"] = records["playable"].sum(1)
    records["untrodden"] = TAKEN
    records["untrodden"][:, :CELLS][records["playable"] != 0] = UNREACHED
    records["backdrop"][:, :, 0] = records["obstacle"][:, None]
    records["backdrop"][:, :, 1] = (records["terrain"] == Terrain.VOID)[:, None]
    for camp in range(2):
        records["backdrop"][:, camp, 2] = records["zone"] == 1 + camp
        records["backdrop"][:, camp, 3] = records["zone"] == 2 - camp
    records["playable_cell"] = -1
    records["zone_cell"] = -1
    for record in records:
        cells = np.flatnonzero(record.playable)
        record.playable_cell[: len(cells)] = cells
        for camp in range(2):
            cells = np.flatnonzero(record.zone == camp + 1)
            if len(cells) > MAX_ZONE:
                raise ContentError(f"map: zone {camp + 1} has more than {MAX_ZONE} cells")
            record.zone_count[camp] = len(cells)
            record.zone_cell[camp, : len(cells)] = cells
        record.neighbour[:] = _neighbours(record.playable)
    _fill_sight(records)


def _neighbours(playable: np.ndarray) -> np.ndarray:
    cells = np.pad(
        np.where(playable, np.arange(CELLS), -1).reshape(HEIGHT, WIDTH), 1, constant_values=-1
    )
    north, west = cells[:-2, 1:-1], cells[1:-1, :-2]
    east, south = cells[1:-1, 2:], cells[2:, 1:-1]
    return np.stack([north, west, east, south], axis=-1).reshape(CELLS, 4)


@cache
def crossed(
    down: int, right: int
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[tuple[int, int], tuple[int, int]], ...]]:
    """What the segment from a cell's centre to the one `down` and `right` of it meets (S5).

    Returns the offsets of the cells whose interior it crosses, both ends left out, and the
    pairs of cells that touch diagonally at a point the segment passes through. `down` is
    at least 0. Exact: in units of half cells, with no division.
    """
    side = 1 if right > 0 else -1
    width = abs(right)
    cells, corners = [], []
    for i in range(down + 1):
        for j in range(width + 1):
            # the line passes through an open square when its corners lie on both sides
            if abs(2 * (i * width - j * down)) < down + width and (i, j) not in (
                (0, 0),
                (down, width),
            ):
                cells.append((i, side * j))
            if i < down and j < width and (2 * i + 1) * width == (2 * j + 1) * down:
                corners.append(((i, side * (j + 1)), (i + 1, side * j)))
    return tuple(cells), tuple(corners)


def _fill_sight(records: np.ndarray) -> None:
    """Fill `sight` of all maps, one offset between two cells at a time (S4, S5)."""
    count = len(records)
    obstacle = records["obstacle"].reshape(count, HEIGHT, WIDTH).astype(bool)
    grid = np.arange(CELLS).reshape(HEIGHT, WIDTH)
    flat = np.zeros((count, CELLS * CELLS), np.uint8)
    for down in range(HEIGHT):
        for right in range(-WIDTH + 1 if down else 0, WIDTH):
            first = max(0, -right)
            rows, columns = HEIGHT - down, WIDTH - abs(right)
            cut = np.zeros((count, rows, columns), bool)
            # shifted[:, i, first + j] is the obstacles i below and j beside every start cell
            shifted = sliding_window_view(obstacle, (rows, columns), (1, 2))
            cells, corners = crossed(down, right)
            for i, j in cells:
                cut |= shifted[:, i, first + j]
            for (i, j), (k, m) in corners:
                cut |= shifted[:, i, first + j] & shifted[:, k, first + m]
            start = grid[:rows, first : first + columns].ravel()
            end = start + down * WIDTH + right
            clear = ~cut.reshape(count, -1)
            flat[:, start * CELLS + end] = clear
            flat[:, end * CELLS + start] = clear
    playable = records["playable"]
    records["sight"] = (
        flat.reshape(count, CELLS, CELLS) * playable[:, :, None] * playable[:, None, :]
    )
