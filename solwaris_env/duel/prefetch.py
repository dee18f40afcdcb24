"""Fetching ahead: what the next duel needs comes from memory while this one is worked on.

A batch is larger than the processor's caches, and what a step touches of a duel lies scattered
in some hundred cache lines, which the processor does not guess. Only a dozen or two can be on
their way at once, so they are asked for in parts between the parts of a step.
"""

from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .content.schema import CELLS
from .engine.kernel import PLAIN, kernel
from .engine.legality import ROWS
from .engine.state import ENTITY, HEROES, STATE
from .observation import DENSE, MARKS, PLANE_COUNT

LINE = 64  # bytes
FAR, NEAR = 4, 1  # duels ahead in a step: what tells where to look, and what is there
FAR_DRAW, NEAR_DRAW = 8, 2  # the same where only an action is drawn, which takes less time
SUMMONS = 2  # on the board of most duels
_AT = {name: offset for name, (_, offset, *_) in STATE.fields.items()}
_HEAD = _AT["entity"] + (HEROES + SUMMONS) * ENTITY.itemsize
_TRAP, _TIMED, _OCCUPANT = _AT["trap"], _AT["timed"], _AT["occupant"]


@intrinsic
def _prefetch(_context: object, _address: object) -> tuple:
    """Fetch the cache line of an address, int64, that will soon be read or written."""

    def generate(context: object, builder: ir.IRBuilder, _signature: object, args: list) -> object:
        number = ir.IntType(32)
        pointer = builder.inttoptr(args[0], cgutils.voidptr_t)
        shape = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
        # to be read, into the nearest cache, as data
        builder.call(function, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(types.int64), generate


def ahead(function: Callable) -> Callable:
    """Mark what fetches: compiled, or nothing at all in plain mode."""
    return _nothing if PLAIN else kernel(function)


def _nothing(*_arguments: object) -> None:
    """Plain mode cannot fetch."""


@ahead
def fetch(address, size):
    """Fetch `size` bytes from an address on."""
    for offset in range(0, size, LINE):
        _prefetch(address + offset)


@ahead
def fetch_rows(near, drawn, mask):
    """Fetch the marked rows of a duel's mask, (n, bytes or words)."""
    shown = drawn[near].rows
    row = mask.ctypes.data + near * mask.shape[1] * mask.itemsize
    for k in range(ROWS):
        if shown >> k & 1:
            fetch(row + k * CELLS, CELLS)


@ahead
def fetch_state(i, states, drawn):
    """Fetch what a step reads of the duel after the one at place `i`, and tells where to look."""
    if i + FAR < states.shape[0]:
        fetch(drawn.ctypes.data + (i + FAR) * drawn.itemsize, 2 * LINE)
    if i + NEAR < states.shape[0]:
        state = states.ctypes.data + (i + NEAR) * states.itemsize
        fetch(state, _HEAD)
        fetch(state + _TRAP, LINE)
        fetch(state + _TIMED, LINE)
        fetch(state + _OCCUPANT, CELLS)


@ahead
def fetch_observation(i, board, scalars):
    """Fetch what a step writes anew of the next duel's observation."""
    near = i + NEAR
    if near < board.shape[0] and board.shape[1] > 0:
        plane = board.ctypes.data + near * PLANE_COUNT * CELLS
        fetch(plane + DENSE * CELLS, (PLANE_COUNT - DENSE) * CELLS)
        fetch(scalars.ctypes.data + near * scalars.shape[1] * 4, scalars.shape[1] * 4)


@ahead
def fetch_mask(i, drawn, mask):
    """Fetch what a step blanks of the next duel's mask."""
    if i + NEAR < drawn.shape[0]:
        fetch_rows(i + NEAR, drawn, mask)


@ahead
def fetch_marks(i, drawn, board):
    """Fetch what a step blanks of the next duel's sparse planes."""
    near = i + NEAR
    if near < board.shape[0] and board.shape[1] > 0 and drawn[near].marks < MARKS:
        plane = board.ctypes.data + near * PLANE_COUNT * CELLS
        for k in range(drawn[near].marks):
            _prefetch(plane + drawn[near].mark[k])


@ahead
def fetch_to_draw(i, drawn, words):
    """Fetch what the drawing of an action reads of the duels after the one at place `i`."""
    if i + FAR_DRAW < drawn.shape[0]:
        fetch(drawn.ctypes.data + (i + FAR_DRAW) * drawn.itemsize, LINE)
    if i + NEAR_DRAW < drawn.shape[0]:
        fetch_rows(i + NEAR_DRAW, drawn, words)
