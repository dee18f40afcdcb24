"""Which duels are played: pairings drawn so that classes and maps come up equally often.

A pairing fixes map, classes, loadouts, purses, stakes and dice; it is played twice, the agents
swapping seats. The strata are the ordered pairs of classes (seat 0, seat 1) on each map. Any
run of pairings from the start of a plan holds every map equally often, every class equally
often in each seat and every ordered pair of classes equally often, within one; every cell of
the 36 x 9 grid has come up once before any comes up twice.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..duel.content.schema import CLASS_COUNT, MAP_COUNT
from ..duel.options import parse_options, parse_seed
from ..errors import SolwarisError

FOREVER = 1 << 62  # seeds of duels are drawn below this


def check_duels(duels: int) -> int:
    """Return the number of pairings that `duels` make.

    Raises:
        SolwarisError: it is odd or not above 0.
    """
    whole = isinstance(duels, int | np.integer) and not isinstance(duels, bool)
    if not whole or duels < 2 or duels % 2:
        raise SolwarisError(
            f"the number of duels must be even and above 0, as each pairing is played from both "
            f"sides; got {duels}"
        )
    return int(duels) // 2


def plan(
    pairs: int,
    seed: int | Sequence[int],
    *,
    team_size: int | None = 1,
    map: str | None = None,
    classes: Sequence[str | None] | None = None,
) -> np.ndarray:
    """Draw the pairings of a meeting.

    Args:
        pairs: how many; a longer plan begins with the shorter one of the same seed.
        seed: a whole number, or several that make one seed together.
        team_size: heroes a side, 1 or 2; None: one of each in every two pairings. With two a
            side the second heroes' classes are balanced like the first's, on their own.
        map, classes: fix these for every pairing, as in the options of a duel.

    Returns:
        (pairs,) SETUP: seed, map, team size and classes set, loadouts, purses and stakes left
        to the duel's seed.

    Raises:
        SolwarisError: an option names nothing known.
    """
    words = [parse_seed(word) for word in (seed if isinstance(seed, Sequence) else [seed])]
    streams = np.random.SeedSequence(words).spawn(4)
    dice, first, second, sizes = (np.random.default_rng(stream) for stream in streams)
    options = {"team_size": team_size, "map": map, "classes": classes}
    setups = np.repeat(parse_options(options), pairs)
    setups["seed"] = dice.integers(FOREVER, size=pairs, dtype=np.uint64)
    if not (setups["team_size"] > 0).all():
        # one of each in every two pairings, in an order of its own: classes have periods
        first_sizes = np.repeat(sizes.integers(2, size=-(-pairs // 2)), 2)[:pairs]
        setups["team_size"] = 1 + (np.arange(pairs) + first_sizes) % 2
    fixed_map, fixed_classes = map is not None, classes is not None
    cells = _cells(first, 1 if fixed_classes else CLASS_COUNT, 1 if fixed_map else MAP_COUNT)
    others = _cells(second, CLASS_COUNT, 1)
    for setup, (here, own, foe), (_, ally, ally_of_foe) in zip(setups, cells, others, strict=False):
        if not fixed_map:
            setup["map"] = here
        if not fixed_classes:
            setup["cls"] = own, foe, ally, ally_of_foe
    return setups


def _cells(rng: np.random.Generator, classes: int, maps: int) -> Iterator[tuple[int, int, int]]:
    """Endless (map, class in seat 0, class in seat 1), balanced as the module's docstring says.

    A round goes once through all cells. In each of its `maps` blocks every ordered pair of
    classes comes once; every run of `maps` pairs meets all maps, by Latin squares that send a
    pair to another map in each block.
    """
    while True:
        seats = rng.permutation(classes), rng.permutation(classes)
        turns = rng.permutation(classes)
        pairs = [
            (seats[0][column], seats[1][(column + turn) % classes])
            for turn in turns
            for column in range(classes)
        ]
        squares = [[rng.permutation(maps) for _ in range(3)] for _ in range(-(-len(pairs) // maps))]
        for block in range(maps):
            for place, (own, foe) in enumerate(pairs):
                symbols, rows, columns = squares[place // maps]
                here = symbols[(rows[block] + columns[place % maps]) % maps]
                yield int(here), int(own), int(foe)
