"""What the page foretells of a cast is what the rules do. These tests need Node with npm."""

import numpy as np
import pytest
from workshop import Workshop

from solwaris_env.duel.engine import damage

pytestmark = pytest.mark.slow

# compiled kernels cannot be called from here: their plain form can, with the same whole numbers
REDUCED = getattr(damage.reduced, "py_func", damage.reduced)
CASES = 3000
BY_HAND = [
    # base, added, boost, resistance, critical, parts: HP
    ([30, 0, 15, 0, False, 1], 35),  # 34.5
    ([30, 0, 15, 0, True, 1], 52),  # 51.75
    ([30, 0, 0, 75, False, 1], 8),  # 7.5
    ([30, 0, 0, 75, True, 1], 11),  # 11.25
    ([20, 6, 30, -50, False, 1], 51),  # 26 x 1.3 x 1.5 = 50.7
    ([20, 30, 100, -100, False, 1], 60),  # three times the number drawn at most (D7)
    ([20, 30, 100, -100, True, 1], 90),  # the critical aside
    ([36, 0, 0, 15, False, 2], 15),  # half a collision: 15.3
    ([25, 0, -120, 0, False, 1], 0),
]


@pytest.mark.rule("D2", "D3", "D5", "D7", "D8")
def test_the_page_counts_a_hit_as_the_rules_do(workshop: Workshop) -> None:
    rng = np.random.default_rng(2)
    drawn = [
        [
            int(rng.integers(0, 201)),
            int(rng.choice([0, rng.integers(0, 60)])),
            int(rng.integers(-150, 400)),
            int(rng.integers(-150, 76)),
            bool(rng.integers(2)),
            int(rng.choice([1, 2, 100])),
        ]
        for _ in range(CASES)
    ]
    by_hand, expected = map(list, zip(*BY_HAND, strict=True))
    told = workshop.ask("damage", "reduced", by_hand + drawn)
    assert told[: len(by_hand)] == expected
    assert told == [int(REDUCED(*case)) for case in by_hand + drawn]
