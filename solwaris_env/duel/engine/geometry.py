"""Directions and areas on the grid."""

from ..content.schema import HEIGHT, WIDTH, Shape
from .kernel import kernel

NORTH, WEST, EAST, SOUTH = 0, 1, 2, 3


@kernel
def direction(from_cell, to_cell):
    """Direction from one cell to another along the larger offset, -1 if they are one.

    Equal offsets use the row axis: north or south (F7).
    """
    rows = to_cell // WIDTH - from_cell // WIDTH
    columns = to_cell % WIDTH - from_cell % WIDTH
    if rows == 0 and columns == 0:
        return -1
    if abs(rows) >= abs(columns):
        return SOUTH if rows > 0 else NORTH
    return EAST if columns > 0 else WEST


@kernel
def in_line(a, b):
    """Same row or same column (S3)."""
    return a // WIDTH == b // WIDTH or a % WIDTH == b % WIDTH


@kernel
def covers(shape, size, centre, cell):
    """Whether a circle, cross, diagonal or single-cell area around `centre` holds `cell` (X4)."""
    rows = abs(cell // WIDTH - centre // WIDTH)
    columns = abs(cell % WIDTH - centre % WIDTH)
    if shape == Shape.CIRCLE:
        return rows + columns <= size
    if shape == Shape.CROSS:
        return (rows == 0 or columns == 0) and rows + columns <= size
    if shape == Shape.DIAGONAL:
        return rows == columns and rows <= size
    return rows == 0 and columns == 0


@kernel
def line_covers(grid, size, sight, origin, aim, cell):
    """Whether the line of `size` cells from `aim` on, away from `origin`, holds `cell`.

    A line that needs sight stops at the first obstacle.
    """
    heading = direction(origin, aim)
    row, column = aim // WIDTH, aim % WIDTH
    for _ in range(size):
        if row < 0 or row >= HEIGHT or column < 0 or column >= WIDTH:
            return False
        here = row * WIDTH + column
        if sight and grid.obstacle[here]:
            return False
        if here == cell:
            return True
        if heading == NORTH:
            row -= 1
        elif heading == SOUTH:
            row += 1
        elif heading == WEST:
            column -= 1
        else:
            column += 1
    return False
