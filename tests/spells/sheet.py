"""What every spell's sheet says beside its effects: cost, target, range, line, limits."""

from __future__ import annotations

import numpy as np
from scenario import HEROES, Board, N, scenario

OPEN = """
    A . . . . . . . . . . . .
    . . . . . . . . . . . . C
    . . . . . . . . . . . . b
    . . . . . . . . . . . . d
"""
PLENTY = 40
HOME = {"A": (0, 0), "C": (1, 12), "b": (2, 12), "d": (3, 12)}


def tidy(board: Board, **places: tuple[int, int]) -> None:
    """Everybody alive and in place, no summon and no trap on the board."""
    for index in range(4, 28):
        entity = board[index]
        if entity.cell >= 0:
            board.state.occupant[entity.cell] = -1
        entity.cell, entity.kind, entity.hp = -1, 0, 0
    board.state.trap_count = 0
    board.state.timed_count = 0
    for who in HEROES:
        board.state.occupant[board[who].cell] = -1
    for who in HEROES:
        cell = board.at(places.get(who, HOME[who]))
        board[who].cell = cell
        board[who].hp = board[who].max_hp
        board[who].invisible = 0
        board.state.occupant[cell] = HEROES[who]


def row_of_aims(board: Board, slot: int, target: str, row: int) -> set[int]:
    """Columns of a row at which the spell may be aimed, with its target put there in turn."""
    who = {"entity": "b", "enemy": "b", "ally": "C"}.get(target)
    found = set()
    for column in range(0 if row else 1, 11):
        if who is not None:
            tidy(board, **{who: (row, column)})
            board["A"].ap = PLENTY
        if board.can(slot, (row, column)):
            found.add(column)
    tidy(board)
    board["A"].ap = PLENTY
    return found


def follows_its_sheet(
    hero: str,
    slot: int,
    target: str,
    cost: int,
    low: int = 0,
    high: int = 0,
    line: bool = False,
    per_turn: int = 0,
    cooldown: int = 0,
) -> None:
    """Cost, target, range, line, casts per turn and cooldown of hero A's spell, by casting it.

    `target`: self, ally, entity, enemy, free or cell. Cooldown 0 and per_turn 0: no limit.
    """
    board = scenario(OPEN, A=hero)
    tidy(board)
    board["A"].ap = PLENTY
    if target == "self":
        offered = np.flatnonzero(board.mask()[(slot - 1) * N : slot * N])
        assert offered.tolist() == [board.at("A")]
        aim = "A"
    else:
        assert row_of_aims(board, slot, target, 0) == set(range(max(low, 1), high + 1))
        assert board.can(slot, "A") is (low == 0)
        beside = set() if line else {c for c in range(11) if low <= c + 1 <= high}
        if line and low <= 1:
            beside = {0}  # straight down
        assert row_of_aims(board, slot, target, 1) == beside
        aim = (0, high)
    who = {"entity": "b", "enemy": "b", "ally": "C"}.get(target)

    def ready() -> None:
        tidy(board, **({who: aim} if who else {}))
        board["A"].ap = PLENTY

    ready()
    board.cast(slot, aim)
    assert board["A"].ap == PLENTY - cost
    for cast in range(1, 5):
        ready()
        offered = board.can(slot, aim)
        if cooldown or cast == per_turn:
            assert not offered
            break
        assert offered
        board.cast(slot, aim)
    ready()
    board["A"].ap = cost - 1
    assert not board.can(slot, aim)
    for turn in range(1, cooldown + 1):
        board.until("A")
        ready()
        assert board.can(slot, aim) is (turn == cooldown), turn
    if per_turn:
        board.until("A")
        ready()
        assert board.can(slot, aim)
