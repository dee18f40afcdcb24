"""What every scripted agent is held to; `decide` gives its action in a duel, for a seed."""

from collections.abc import Callable

from solwaris_env.duel.codec import GO, PASS, RAISE
from solwaris_env.duel.engine.state import Phase
from solwaris_env.duel.game import Duel
from tests.scenario import Board, scenario

Decide = Callable[..., int]
LONGEST_WALK = 20  # far more steps than the way round


def walk_past_its_own_trap(decide: Decide) -> tuple[Board, int]:
    """Check that no own trap is sprung: the board at the walk's end, and how many walks it took.

    A Brute wants to be next to its enemy, and the lower way crosses its Fosse's two cells.
    """
    board = scenario(
        """
        . . . . . . . .
        . # # # # # # .
        A # # # # # # b
        . # # # # # # .
        . . . . t . . .
        """,
        A="brute",
        b="arcaniste",
    )
    board["A"].ap = 0
    board.lay_trap("fosse", "A", "t")
    walks = 0
    while (action := decide(board.duel)) != PASS:
        assert GO <= action < PASS
        board.apply(action)
        board["A"].mp = 6
        walks += 1
        assert walks < LONGEST_WALK
    assert board.state.trap_count == 1, "it sprang its own trap"
    return board, walks


def check_bids(decide: Decide, cls: str, bids: bool, seeds: int) -> None:
    """With a full purse the class raises whatever the seed, or never does."""
    duel = Duel.new(1, classes=[cls, cls], purses=[2000, 2000])
    while duel.state.phase == Phase.PLACEMENT:
        duel.apply(decide(duel))
    raised = [decide(duel, seed) == RAISE for seed in range(seeds)]
    assert all(raised) if bids else not any(raised)
