"""B: the nine maps."""

import numpy as np
import pytest
from scenario import scenario

from solwaris_env.duel.content.loader import content, rulebook
from solwaris_env.duel.content.schema import HEIGHT, WIDTH, Terrain
from solwaris_env.duel.content.tables import map_record

NAMES = [sheet.id for sheet in content().maps]


def grid(name: str, field: str) -> np.ndarray:
    """A field of a map as (18, 28) cells."""
    return np.array(rulebook()[0].maps[NAMES.index(name)][field]).reshape(HEIGHT, WIDTH)


def flooded(inside: np.ndarray, start: tuple[int, int]) -> np.ndarray:
    """Cells of `inside` that can be walked to from one of them."""
    reached = np.zeros_like(inside)
    edge = [start]
    while edge:
        row, column = edge.pop()
        if not (0 <= row < inside.shape[0] and 0 <= column < inside.shape[1]):
            continue
        if inside[row, column] and not reached[row, column]:
            reached[row, column] = True
            edge += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return reached


def inner_void(name: str) -> int:
    """Void cells that are not joined to the outside."""
    void = np.pad(grid(name, "terrain") == Terrain.VOID, 1, constant_values=True)
    return int((void & ~flooded(void, (0, 0))).sum())


@pytest.mark.rule("B1")
@pytest.mark.parametrize("name", NAMES)
def test_a_cell_is_floor_obstacle_or_void(name):
    terrain = grid(name, "terrain")
    playable = grid(name, "playable").astype(bool)
    obstacle = grid(name, "obstacle").astype(bool)
    void = terrain == Terrain.VOID
    assert (playable.astype(int) + obstacle + void == 1).all()


@pytest.mark.rule("B1", "B2")
@pytest.mark.parametrize("name", ["gouffre", "anneau"])
def test_gouffre_and_anneau_have_void_inside(name):
    assert inner_void(name) > 0


@pytest.mark.rule("B2")
def test_nine_maps_and_the_two_sizes():
    sizes = {name: int(grid(name, "playable").sum()) for name in NAMES}
    assert len(sizes) == 9
    assert sizes["caveau"] == 149 and sizes["grande_plaine"] == 476


@pytest.mark.rule("B2")
def test_caveau_is_cluttered_and_grande_plaine_open():
    clutter = {n: grid(n, "obstacle").sum() / grid(n, "playable").sum() for n in NAMES}
    assert clutter["caveau"] > 2 * clutter["grande_plaine"]


@pytest.mark.rule("B3")
def test_every_kind_of_obstacle_is_used():
    seen = set()
    for name in NAMES:
        seen |= set(grid(name, "terrain").ravel().tolist())
    assert seen == {int(kind) for kind in Terrain}


@pytest.mark.rule("B3")
def test_some_obstacles_cover_several_cells():
    pairs = blocks = 0
    for name in NAMES:
        wall = grid(name, "terrain") == Terrain.WALL
        vault = grid(name, "terrain") == Terrain.VAULT
        pairs += (wall[:, 1:] & wall[:, :-1]).sum() + (wall[1:] & wall[:-1]).sum()
        blocks += (vault[1:, 1:] & vault[1:, :-1] & vault[:-1, 1:] & vault[:-1, :-1]).sum()
    assert pairs > 0 and blocks > 0


@pytest.mark.rule("B3")
@pytest.mark.parametrize("sign", "WHCRV")
def test_high_or_low_they_all_behave_alike(sign):
    board = map_record(f"..{sign}..")
    cells = np.flatnonzero(board.playable)
    assert len(cells) == 4 and board.obstacle.sum() == 1
    assert not board.sight[cells[0], cells[3]] and board.sight[cells[0], cells[1]]
    assert board.neighbour[cells[1], 2] == -1  # no step east


@pytest.mark.rule("B4")
@pytest.mark.parametrize("name", NAMES)
def test_playable_counts_the_cells_one_can_stand_on(name):
    number = NAMES.index(name)
    board = rulebook()[0].maps[number]
    floor = int((grid(name, "terrain") == Terrain.FLOOR).sum())
    assert floor == board.playable_count == content().maps[number].playable


@pytest.mark.rule("B5")
@pytest.mark.parametrize("name", NAMES)
def test_a_half_turn_maps_a_map_onto_itself(name):
    terrain, zone = grid(name, "terrain"), grid(name, "zone")
    rows, columns = np.nonzero(terrain != Terrain.VOID)
    inside = slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)
    assert (terrain[inside] == terrain[inside][::-1, ::-1]).all()
    turned = zone[inside][::-1, ::-1]
    assert ((zone[inside] == 1) == (turned == 2)).all()


@pytest.mark.rule("B5")
@pytest.mark.parametrize("name", NAMES)
def test_zones_have_8_cells_and_everything_is_connected(name):
    playable, zone = grid(name, "playable").astype(bool), grid(name, "zone")
    assert (zone == 1).sum() >= 8 and (zone == 2).sum() >= 8
    assert playable[zone > 0].all()
    start = tuple(int(x) for x in np.argwhere(playable)[0])
    assert (flooded(playable, start) == playable).all()


@pytest.mark.rule("B6")
def test_the_other_maps_lie_between_and_differ():
    sizes = {name: int(grid(name, "playable").sum()) for name in NAMES}
    others = [n for n in NAMES if n not in ("caveau", "grande_plaine")]
    assert all(149 < sizes[name] < 476 for name in others)
    assert len({grid(name, "terrain").tobytes() for name in NAMES}) == 9
    fives = [n for n in others if n not in ("gouffre", "anneau")]
    kinds = {n: np.bincount(grid(n, "terrain").ravel(), minlength=7)[2:] for n in fives}
    # each has its own mix of obstacles
    assert len({tuple(k) for k in kinds.values()}) == 5


@pytest.mark.rule("B1")
def test_void_is_no_floor():
    board = scenario("A . _ . b")
    assert not board.can_go((0, 2)) and not board.can_go((0, 3))
