"""Fetching ahead: what the next duel needs comes from memory while this one is worked on.

A batch is larger than the processor's caches, and what a step touches of a duel lies scattered
in some hundred cache lines, which the processor does not guess.
"""

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
FAR, NEAR = 4, 1  # duels ahead: what tells where to look, and what is there
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


@kernel
def fetch(address, size):
    """Fetch `size` bytes from an address on."""
    for offset in range(0, size, LINE):
        _prefetch(address + offset)


@kernel
def fetch_ahead(i, states, drawn, mask, board, scalars):
    """Fetch what a step will touch of the duels after the one at place `i`; see `advance`."""
    far, near = i + FAR, i + NEAR
    if far < states.shape[0]:
        fetch(drawn.ctypes.data + far * drawn.itemsize, 2 * LINE)
    if near >= states.shape[0]:
        return
    state = states.ctypes.data + near * states.itemsize
    fetch(state, _HEAD)
    fetch(state + _TRAP, LINE)
    fetch(state + _TIMED, LINE)
    fetch(state + _OCCUPANT, CELLS)
    shown = drawn[near]
    row = mask.ctypes.data + near * mask.shape[1]
    for k in range(ROWS):
        if shown.rows >> k & 1:
            fetch(row + k * CELLS, CELLS)
    if board.shape[1] == 0:
        return
    plane = board.ctypes.data + near * PLANE_COUNT * CELLS
    if shown.marks < MARKS:
        for k in range(shown.marks):
            _prefetch(plane + shown.mark[k])
    fetch(plane + DENSE * CELLS, (PLANE_COUNT - DENSE) * CELLS)
    fetch(scalars.ctypes.data + near * scalars.shape[1] * 4, scalars.shape[1] * 4)


if PLAIN:

    def fetch_ahead(i, states, drawn, mask, board, scalars):
        """Plain mode: nothing to fetch."""
