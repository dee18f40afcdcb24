"""The one generator of a duel: splitmix64, its state kept in the duel's record.

Order of draws (part of the rules' version: it decides what a seed gives):
- a new duel: team size, map, drawn camp, then a seat at a time class and loadout, then
  purses, then stakes, each only where the options leave it open;
- a hit: damage, then critical (0-99 below the chance); victims in the effect's order;
- a removal: one draw a point tried, unless the window is full or no point is left;
- a hero's turn: first bonus kind, its cell, second kind, its cell; a cell is drawn again
  until it is free;
- time up in placement: the free zone cell.
"""

import numpy as np

from .kernel import PLAIN, kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = (np.uint64(n) for n in (27, 30, 31, 32))


@kernel
def next_word(state):
    state.rng = state.rng + _GOLDEN
    z = state.rng
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


if PLAIN:
    _wrapping = next_word

    def next_word(state):
        """Plain mode: 64-bit wrap-around is meant, so NumPy need not warn of it."""
        with np.errstate(over="ignore"):
            return _wrapping(state)


@kernel
def below(state, n):
    """Uniform integer in [0, n), n < 2**31."""
    return np.int64(((next_word(state) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def between(state, low, high):
    """Uniform integer in [low, high] (D1)."""
    return low + below(state, high - low + 1)
