"""The nine maps (B1-B6) and the tables made from them: neighbours and line of sight (S4, S5)."""

import json
import random
import time
from collections import Counter, deque
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from solwaris_env.cli import main
from solwaris_env.duel.content import tables
from solwaris_env.duel.content.loader import content, rulebook
from solwaris_env.duel.content.schema import CELLS, HEIGHT, MAX_ZONE, WIDTH, Terrain
from solwaris_env.duel.content.sheets import RECONSTRUCTION, SOURCE, ContentError, MapSheet
from solwaris_env.duel.content.tables import map_record

MAPS = content().maps
NAMES = [
    "caveau",
    "grande_plaine",
    "gouffre",
    "anneau",
    "haies",
    "entrepot",
    "carriere",
    "temple",
    "canal",
]
every_map = pytest.mark.parametrize("sheet", MAPS, ids=NAMES)
Cell = tuple[int, int]


def record_of(sheet: MapSheet) -> np.record:
    """The map's part of the Rulebook."""
    return rulebook()[0].maps[sheet.number]


def signs(sheet: MapSheet, wanted: str) -> list[Cell]:
    """The cells of the drawing that bear one of the signs."""
    return [
        (row, column)
        for row, line in enumerate(sheet.rows)
        for column, sign in enumerate(line)
        if sign in wanted
    ]


def around(cell: Cell) -> list[Cell]:
    """The four cells beside a cell."""
    row, column = cell
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def spread(start: Cell, among: set[Cell]) -> dict[Cell, int]:
    """How many steps away each cell reached from `start` lies."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        for beside in around(cell):
            if beside in among and beside not in steps:
                steps[beside] = steps[cell] + 1
                queue.append(beside)
    return steps


def groups(sheet: MapSheet) -> Counter[int]:
    """How many obstacles of one kind cover how many cells together."""
    sizes: Counter[int] = Counter()
    for kind in "WHCRV":
        left = set(signs(sheet, kind))
        while left:
            together = set(spread(min(left), left))
            sizes[len(together)] += 1
            left -= together
    return sizes


def drawing_of(record: np.record) -> list[str]:
    """A MAP record's terrain drawn again, the whole canvas."""
    letters = np.array(list(" .WHCRV"))[record.terrain].reshape(HEIGHT, WIDTH)
    return ["".join(line) for line in letters]


@pytest.mark.rule("B2")
def test_there_are_nine_maps_with_the_sizes_the_source_states() -> None:
    assert [sheet.id for sheet in MAPS] == NAMES
    assert MAPS[0].playable == 149 and MAPS[1].playable == 476
    assert (MAPS[0].name, MAPS[1].name) == ("Caveau", "Grande Plaine")
    assert len({sheet.rows for sheet in MAPS}) == 9


@pytest.mark.rule("B2")
def test_no_map_is_larger_than_the_canvas_and_the_canvas_is_no_larger_than_needed() -> None:
    assert max(len(sheet.rows) for sheet in MAPS) == HEIGHT
    assert max(len(sheet.rows[0]) for sheet in MAPS) == WIDTH


@every_map
@pytest.mark.rule("B1")
def test_a_cell_is_free_obstacle_or_void(sheet: MapSheet) -> None:
    record = record_of(sheet)
    void = record.terrain == Terrain.VOID
    assert (record.playable + record.obstacle + void == 1).all()
    rows = [line for line in drawing_of(record) if line.strip()]
    plain = [line.replace("1", ".").replace("2", ".") for line in sheet.rows]
    assert [line.strip() for line in rows] == [line.strip() for line in plain]


@every_map
@pytest.mark.rule("B1")
def test_a_map_lies_in_the_middle_of_the_canvas(sheet: MapSheet) -> None:
    grid = (record_of(sheet).terrain != Terrain.VOID).reshape(HEIGHT, WIDTH)
    rows, columns = np.flatnonzero(grid.any(1)), np.flatnonzero(grid.any(0))
    assert rows[0] == (HEIGHT - len(sheet.rows)) // 2
    assert columns[0] == (WIDTH - len(sheet.rows[0])) // 2
    assert rows[-1] - rows[0] + 1 == len(sheet.rows)
    assert columns[-1] - columns[0] + 1 == len(sheet.rows[0])


@pytest.mark.rule("B1", "B2")
@pytest.mark.parametrize("number", [2, 3], ids=["gouffre", "anneau"])
def test_gouffre_and_anneau_have_void_inside(number: int) -> None:
    sheet = MAPS[number]
    void = set(signs(sheet, " "))
    rim = {
        cell
        for cell in void
        if cell[0] in (0, len(sheet.rows) - 1) or cell[1] in (0, len(sheet.rows[0]) - 1)
    }
    outside = set().union(*(spread(cell, void) for cell in rim)) if rim else set()
    assert len(void - outside) >= 20
    assert sheet.facts["inner_void"] == SOURCE


@pytest.mark.rule("B3")
def test_the_five_kinds_of_obstacle_all_stand_somewhere() -> None:
    drawn = "".join("".join(sheet.rows) for sheet in MAPS)
    assert set("WHCRV") <= set(drawn)


@pytest.mark.rule("B3")
@every_map
def test_obstacles_cover_one_cell_or_several(sheet: MapSheet) -> None:
    sizes = groups(sheet)
    assert sizes[2] >= 2, sizes
    assert sizes[4] >= 1, sizes


@every_map
@pytest.mark.rule("B4")
def test_playable_counts_the_cells_a_fighter_can_stand_on(sheet: MapSheet) -> None:
    record = record_of(sheet)
    count = len(signs(sheet, ".12"))
    assert sheet.playable == record.playable_count == record.playable.sum() == count
    cells = record.playable_cell[:count]
    assert cells.tolist() == np.flatnonzero(record.playable).tolist()
    assert (record.playable_cell[count:] == -1).all()


@every_map
@pytest.mark.rule("B5")
def test_a_half_turn_maps_the_map_onto_itself_and_the_zones_onto_each_other(
    sheet: MapSheet,
) -> None:
    height, width = len(sheet.rows), len(sheet.rows[0])
    for row in range(height):
        for column in range(width):
            sign = sheet.rows[row][column]
            image = sheet.rows[height - 1 - row][width - 1 - column]
            assert image == {"1": "2", "2": "1"}.get(sign, sign), (row, column)


@every_map
@pytest.mark.rule("B5")
def test_zones_are_large_enough_and_not_too_large(sheet: MapSheet) -> None:
    record = record_of(sheet)
    for camp in range(2):
        cells = signs(sheet, "12"[camp])
        assert 8 <= len(cells) <= 20 <= MAX_ZONE
        assert record.zone_count[camp] == len(cells)
        listed = record.zone_cell[camp, : len(cells)]
        assert listed.tolist() == np.flatnonzero(record.zone == camp + 1).tolist()
        assert (record.zone_cell[camp, len(cells) :] == -1).all()
        assert record.playable[listed].all()


@every_map
@pytest.mark.rule("B5")
def test_all_playable_cells_are_connected(sheet: MapSheet) -> None:
    floor = set(signs(sheet, ".12"))
    assert len(spread(min(floor), floor)) == len(floor)


@pytest.mark.rule("B6")
def test_the_other_maps_lie_between_the_smallest_and_the_largest_and_differ_in_kind() -> None:
    assert all(149 < sheet.playable < 476 for sheet in MAPS[2:])
    commonest = {
        sheet.id: Counter("".join(sheet.rows).translate(str.maketrans("", "", " .12"))).most_common(
            1
        )[0][0]
        for sheet in MAPS[4:]
    }
    assert commonest["haies"] == "H" and commonest["entrepot"] == "C"
    assert commonest["carriere"] == "R" and commonest["temple"] in "VW"
    canal = MAPS[8].rows[len(MAPS[8].rows) // 2]
    assert canal.split() == ["..", "..", ".."], "three bridges cross the canal"


@every_map
def test_the_camps_meet_in_three_to_six_turns_and_have_cover_near(sheet: MapSheet) -> None:
    floor = set(signs(sheet, ".12"))
    steps = [
        spread(cell, floor)[other] for cell in signs(sheet, "1") for other in signs(sheet, "2")
    ]
    assert 3 <= min(steps) / 6 <= 5 and max(steps) / 6 <= 6
    obstacles = signs(sheet, "WHCRV")
    cover = [
        min(abs(row - r) + abs(column - c) for r, c in obstacles)
        for row, column in signs(sheet, "12")
    ]
    assert min(cover) <= 3 and max(cover) <= 7


@every_map
def test_sources_are_marked(sheet: MapSheet) -> None:
    stated = {
        "caveau": {"name", "playable"},
        "grande_plaine": {"name", "playable"},
        "gouffre": {"name", "inner_void"},
        "anneau": {"name", "inner_void"},
    }
    found = {fact for fact, of in sheet.facts.items() if of == SOURCE}
    assert found == stated.get(sheet.id, set())
    assert set(sheet.facts.values()) <= {SOURCE, RECONSTRUCTION}


@every_map
@pytest.mark.rule("M1", "M2")
def test_neighbours_are_the_playable_cells_to_the_north_west_east_and_south(
    sheet: MapSheet,
) -> None:
    record = record_of(sheet)
    for cell in range(CELLS):
        row, column = divmod(cell, WIDTH)
        for found, (r, c) in zip(record.neighbour[cell], around((row, column)), strict=True):
            inside = 0 <= r < HEIGHT and 0 <= c < WIDTH
            there = inside and record.playable[r * WIDTH + c]
            assert found == (r * WIDTH + c if there else -1)


def test_the_rulebook_of_all_maps_is_built_in_time() -> None:
    start = time.perf_counter()
    tables.build(content())
    assert time.perf_counter() - start < 1.5


# Line of sight. The oracle works on fractions, cell by cell and corner by corner.


def meets(a: Cell, b: Cell, obstacle: Cell) -> bool:
    """Whether the open segment between two centres meets the cell's open square."""
    enter, leave = Fraction(0), Fraction(1)
    for start, end, middle in zip(a, b, obstacle, strict=True):
        low, high = middle - Fraction(1, 2), middle + Fraction(1, 2)
        if start == end:
            if not low < start < high:
                return False
            continue
        times = sorted(
            [Fraction(low - start) / (end - start), Fraction(high - start) / (end - start)]
        )
        enter, leave = max(enter, times[0]), min(leave, times[1])
    return enter < leave


def passes(a: Cell, b: Cell, row: Fraction, column: Fraction) -> bool:
    """Whether the open segment between two centres passes through a point."""
    if (row - a[0]) * (b[1] - a[1]) != (column - a[1]) * (b[0] - a[0]):
        return False
    along = (row - a[0]) * (b[0] - a[0]) + (column - a[1]) * (b[1] - a[1])
    return 0 < along < (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2


def sees(a: Cell, b: Cell, obstacles: set[Cell]) -> bool:
    """Line of sight as S5 words it."""
    if any(meets(a, b, obstacle) for obstacle in obstacles):
        return False
    half = Fraction(1, 2)
    for row, column in obstacles:
        for side in (-1, 1):
            if (row + 1, column + side) in obstacles and passes(
                a, b, row + half, column + side * half
            ):
                return False
    return True


def random_drawing(rng: random.Random) -> list[str]:
    """A drawing of some size with some obstacles and some void."""
    height, width = rng.randint(2, 11), rng.randint(2, 13)
    weights = [10, rng.randint(1, 5), rng.randint(0, 3)]
    rows = ["".join(rng.choices(".W_", weights, k=width)) for _ in range(height)]
    rows[0] = "." + rows[0][1:]
    return rows


@pytest.mark.rule("S4", "S5")
@pytest.mark.parametrize("seed", range(40))
def test_sight_on_random_drawings_agrees_with_exact_geometry(seed: int) -> None:
    rng = random.Random(seed)
    rows = random_drawing(rng)
    record = map_record("\n".join(rows))
    top, left = (HEIGHT - len(rows)) // 2, (WIDTH - len(rows[0])) // 2
    cells = [(r, c) for r, line in enumerate(rows) for c in range(len(line))]
    obstacles = {(r, c) for r, c in cells if rows[r][c] == "W"}
    floor = [(r, c) for r, c in cells if rows[r][c] == "."]
    index = {(r, c): (r + top) * WIDTH + c + left for r, c in cells}
    for _ in range(200):
        a, b = rng.choice(floor), rng.choice(floor)
        assert record.sight[index[a], index[b]] == sees(a, b, obstacles), (rows, a, b)
    for a in cells:
        if a not in floor:
            assert not record.sight[index[a]].any() and not record.sight[:, index[a]].any()


@every_map
@pytest.mark.rule("S4", "S5")
def test_sight_on_the_maps_agrees_with_exact_geometry(sheet: MapSheet) -> None:
    record = record_of(sheet)
    rng = random.Random(sheet.number)
    obstacles = {divmod(int(cell), WIDTH) for cell in np.flatnonzero(record.obstacle)}
    cells = np.flatnonzero(record.playable).tolist()
    for _ in range(150):
        a, b = rng.choice(cells), rng.choice(cells)
        assert record.sight[a, b] == sees(divmod(a, WIDTH), divmod(b, WIDTH), obstacles)


@every_map
@pytest.mark.rule("S5")
def test_sight_is_symmetric_and_turns_with_the_map(sheet: MapSheet) -> None:
    record = record_of(sheet)
    sight = record.sight
    assert (sight == sight.T).all()
    assert (np.diag(sight) == record.playable).all()
    top, left = (HEIGHT - len(sheet.rows)) // 2, (WIDTH - len(sheet.rows[0])) // 2
    rows, columns = np.divmod(np.flatnonzero(record.playable), WIDTH)
    turned = (2 * top + len(sheet.rows) - 1 - rows) * WIDTH + (
        2 * left + len(sheet.rows[0]) - 1 - columns
    )
    here = np.flatnonzero(record.playable)
    assert (sight[np.ix_(here, here)] == sight[np.ix_(turned, turned)]).all()


def seen(drawing: str, a: str, b: str) -> bool:
    """Whether the marked cells see each other; marks are floor."""
    rows = drawing.split()
    spots = {sign: (r, c) for r, line in enumerate(rows) for c, sign in enumerate(line)}
    record = map_record("\n".join(rows).replace(a, ".").replace(b, "."))
    top, left = (HEIGHT - len(rows)) // 2, (WIDTH - len(rows[0])) // 2
    here, there = ((spots[sign][0] + top) * WIDTH + spots[sign][1] + left for sign in (a, b))
    assert record.sight[here, there] == record.sight[there, here]
    return bool(record.sight[here, there])


@pytest.mark.rule("S4", "S5")
@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        ("a..b", True),
        ("a.Wb", False),
        ("a__b", True),  # void never cuts
        ("aW. ..b", False),  # crosses the wall's lower right part
        ("a.. .Wb", False),
        ("aW .b", True),  # one obstacle at the corner does not cut
        ("aW Wb", False),  # two diagonal ones do
        ("aH Cb", False),  # of whatever kinds
        ("a_ Wb", True),
        ("a.. .W. ..b", False),
        ("aW. ... .Wb", True),  # both corners pass one obstacle only
        ("aW. W.. ..b", False),
        # the knight's line to (1, 2) crosses (0, 1) and (1, 1)
        ("a.. W.b", True),
        # from (0, 0) to (1, 3): the column edge at 1.5 is crossed at row 0.5, a corner of
        # (0, 1), (0, 2), (1, 1) and (1, 2); the line runs through (0, 1) and (1, 2)
        ("a.W. .W.b", False),
        ("a.W. ...b", True),
        ("a... ..Wb", False),
    ],
)
def test_sight_by_hand(drawing: str, expected: bool) -> None:
    assert seen(drawing, "a", "b") == expected


@pytest.mark.rule("S5")
def test_a_wall_hides_a_growing_wedge_behind_it() -> None:
    record = map_record("........\n........\n.W......\n........\n........")
    top, left = (HEIGHT - 5) // 2, (WIDTH - 8) // 2
    eye = (top + 2) * WIDTH + left
    hidden = [
        "".join(
            "x" if not record.sight[eye, (top + r) * WIDTH + left + c] else "." for c in range(8)
        )
        for r in range(5)
    ]
    # Towards a cell c columns off and r rows up the line has risen 0.5 r / c at the wall's left
    # side, 0.5 columns off, and the wall is 0.5 high: hidden exactly when r < c.
    assert hidden == [
        "...xxxxx",
        "..xxxxxx",
        ".xxxxxxx",
        "..xxxxxx",
        "...xxxxx",
    ]


def test_a_map_record_of_any_drawing() -> None:
    record = map_record("id: own\n\n1.W\n_.2\n")
    assert record.playable_count == 4
    assert record.zone_count.tolist() == [1, 1]
    top, left = (HEIGHT - 2) // 2, (WIDTH - 3) // 2
    assert record.playable_cell[:4].tolist() == [
        top * WIDTH + left,
        top * WIDTH + left + 1,
        (top + 1) * WIDTH + left + 1,
        (top + 1) * WIDTH + left + 2,
    ]


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("", "drawing: is empty"),
        ("..x", "row 1, column 3: 'x' is not one of"),
        ("." * 29, "1 rows of 29 do not fit in 18 rows of 28"),
        ("\n".join(["."] * 19), "19 rows of 1 do not fit"),
        ("\n".join(["1" * 28] * 3), "zone 1 has more than 64 cells"),
    ],
)
def test_a_drawing_that_makes_no_map_is_refused(drawing: str, reason: str) -> None:
    with pytest.raises(ContentError, match=reason):
        map_record(drawing)


@pytest.mark.rule("S5")
def test_what_a_segment_crosses() -> None:
    assert tables.crossed(0, 3) == (((0, 1), (0, 2)), ())
    assert tables.crossed(1, 1) == ((), (((0, 1), (1, 0)),))
    assert tables.crossed(1, -1) == ((), (((0, -1), (1, 0)),))
    assert tables.crossed(1, 2) == (((0, 1), (1, 1)), ())
    cells, corners = tables.crossed(3, 9)
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) >= 1 for a, b in pairwise(cells))
    assert len(corners) == 3


def test_the_command_draws_maps(capsys) -> None:
    assert main(["maps", "Carrière"]) == 0
    text = capsys.readouterr().out
    assert "279 playable cells" in text and "rock" in text and "/\\" in text
    assert main(["maps"]) == 0
    text = capsys.readouterr().out
    assert all(sheet.name.upper() in text for sheet in MAPS)
    assert main(["maps", "atlantide"]) == 2
    assert "there is no map 'atlantide'; known are caveau, grande_plaine" in capsys.readouterr().err


def test_the_command_gives_maps_as_json(capsys) -> None:
    assert main(["maps", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in data] == NAMES
    assert [one["playable"] for one in data] == [sheet.playable for sheet in MAPS]
    assert main(["maps", "grande plaine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [data[1]]
