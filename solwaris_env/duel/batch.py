"""The compiled border: one call per decision carries a batch of duels on.

Every way of playing (one duel, lock step, search) goes through `advance`.
"""

from enum import IntEnum

import numpy as np

from .content.schema import CELLS, record
from .engine.kernel import entry, kernel
from .engine.known import hides, redact
from .engine.legality import ACTIONS, ALL_ROWS, GO, ROWS, blank_mask, write_mask
from .engine.rng import below, next_word
from .engine.scratch import SCRATCH
from .engine.setup import SETUP, begin
from .engine.state import HEROES, STATE, Phase
from .engine.timed import power, resistance
from .engine.transitions import act, time_up
from .engine.turns import tour
from .observation import (
    DRAWN,
    MARKS,
    PLANE_COUNT,
    SCALAR_SIZE,
    measure,
    write_backdrop,
    write_board,
    write_scalars,
)
from .prefetch import fetch_marks, fetch_mask, fetch_observation, fetch_state, fetch_to_draw

MASK_STRIDE = 4608  # ACTIONS rounded up to whole cache lines
ROW = CELLS // 8  # a row of the mask in words
_BYTE, _TWO_BYTES, _FOUR_BYTES = np.uint64(8), np.uint64(16), np.uint64(32)
_EVEN_BYTES, _LAST_BYTE = np.uint64(0x00FF00FF00FF00FF), np.uint64(0xFF)
_LAST_TWO_BYTES = np.uint64(0xFFFF)


class Mode(IntEnum):
    """What `advance` does with each duel."""

    BEGIN = 0
    ACT = 1
    TIME_UP = 2
    LOOK = 3  # only refresh what the viewers see


class Option(IntEnum):
    """Bits of `options`."""

    OBSERVE = 1
    AUTO_RESET = 2
    ALLOW_FORFEIT = 4


RESULT = record(
    ("reward", "f4", HEROES),
    ("acted", "i1"),  # seat whose action was applied
    ("illegal", "i2"),  # the action was refused, the duel is as before
    ("done", "i2"),
    ("winner", "i1"),
    ("termination", "i2"),
    ("map", "i2"),
    ("team_size", "i2"),
    ("quitter", "i1"),
    ("tours", "i4"),
    ("price", "i4"),  # coins the camp that bought the initiative paid
    ("buyer", "i1"),
    ("cls", "i2", HEROES),
)


@kernel
def settle(state, result):
    """Write how a finished duel ended: rewards are zero-sum, one per seat."""
    result.done = 1
    result.winner = state.winner
    result.termination = state.termination
    result.map = state.map
    result.team_size = state.team_size
    result.quitter = state.quitter
    result.tours = tour(state)
    result.buyer = state.bidder if state.turn > 0 else -1
    result.price = state.price if result.buyer >= 0 else 0
    for seat in range(HEROES):
        result.cls[seat] = state.hero[seat].cls
        if state.winner >= 0 and seat < 2 * state.team_size:
            result.reward[seat] = 1.0 if (seat & 1) == state.winner else -1.0


@kernel
def known_to(states, i, hidden, camp):
    """What a camp knows of a duel, as an array and a place in it.

    Rules and observation never read the generator: where nothing else is hidden, that is the
    state itself, and otherwise it is written into `hidden`, (1,) STATE.
    """
    if not hides(states[i], camp):
        return states, i
    hidden[0] = states[i]
    redact(hidden[0], camp)
    return hidden, 0


@kernel
def look(known, rules, scratch, seat, i, drawn, mask, board, scalars, options):
    """Write what a seat may do and sees, given what it knows, to place `i` of the arrays.

    `drawn`, (n,) DRAWN, is what masks and boards show already.
    """
    shown = drawn[i]
    acting = seat == known.seat
    if acting:
        forfeits = (options & Option.ALLOW_FORFEIT) != 0
        shown.rows = write_mask(known, rules, scratch, mask[i], shown.rows, forfeits)
    else:
        blank_mask(mask[i], shown.rows)
        shown.rows = 0
    if options & Option.OBSERVE:
        fetch_observation(i, board, scalars)
        measure(known, rules, scratch)
        backdrop = 2 * known.map + (seat & 1) + 1
        if backdrop != shown.backdrop:
            write_backdrop(known, rules, seat & 1, board[i])
            shown.backdrop = backdrop
        fetch_mask(i, drawn, mask)
        write_board(known, rules, scratch, seat & 1, acting, shown, board[i])
        fetch_marks(i, drawn, board)
        write_scalars(known, rules, scratch, seat, scalars[i])


@entry
def advance(
    mode,
    states,
    hidden,
    rules,
    scratch,
    setups,
    actions,
    where,
    viewers,
    due,
    drawn,
    mask,
    board,
    scalars,
    results,
    options,
):
    """Carry on every duel with `where` set; its mask must be current for its acting seat.

    states: (n,) STATE; hidden: (1,) STATE to work on; rules: (1,) RULEBOOK; scratch: (1,)
    SCRATCH; setups: (n,) SETUP; actions: int64 (n,); where: bool (n,); viewers: int8 (n,), -1
    for who acts; due: int8 (n,), set to the viewer's camp, for `reveal`; drawn: (n,) DRAWN;
    mask: uint8 (n, MASK_STRIDE); board: int8 (n, PLANES, CELLS); scalars: float32 (n, SCALARS);
    results: (n,) RESULT. Returns the number of refused actions.
    """
    book = rules[0]
    work = scratch[0]
    refused = 0
    for i in range(states.shape[0]):
        if not where[i]:
            continue
        fetch_state(i, states, drawn)
        state = states[i]
        result = results[i]
        result.illegal = 0
        result.done = 0
        for seat in range(HEROES):
            result.reward[seat] = 0.0
        if mode == Mode.ACT or mode == Mode.TIME_UP:
            result.acted = state.seat
            if mode == Mode.TIME_UP:
                time_up(state, book, work)
            elif 0 <= actions[i] < ACTIONS and mask[i, actions[i]]:
                # only who walks asks what is known
                source, at = states, i
                if actions[i] >= GO:
                    source, at = known_to(states, i, hidden, state.seat & 1)
                act(state, source[at], book, work, actions[i])
            else:
                result.illegal = 1
                refused += 1
                continue
            if state.phase == Phase.OVER:
                settle(state, result)
                if options & Option.AUTO_RESET:
                    setups[i].seed = next_word(setups[i])
                    begin(state, book, setups[i])
        elif mode == Mode.BEGIN:
            begin(state, book, setups[i])
        seat = max(state.seat, 0)
        if mode == Mode.LOOK and viewers[i] >= 0:
            seat = viewers[i]
        due[i] = seat & 1
        source, at = known_to(states, i, hidden, seat & 1)
        look(source[at], book, work, seat, i, drawn, mask, board, scalars, options)
    return refused


@entry
def reveal(states, known, due, rows):
    """Write what the camps in `due` know, where that is not done.

    states, known: (n,) STATE; due: int8 (n,), -1 where `known` is written already; rows: int64
    (k,), the duels to look at.
    """
    for k in range(rows.shape[0]):
        i = rows[k]
        if due[i] >= 0:
            known[i] = states[i]
            redact(known[i], due[i])
            due[i] = -1


@entry
def traits(known, rules, values):
    """Resistance and damage boost in percent of every entity of one known duel.

    known: (1,) STATE; rules: (1,) RULEBOOK; values: int64 (MAX_ENTITIES, 2), written.
    """
    for i in range(known[0].entities):
        if known[0].entity[i].kind != 0:
            values[i, 0] = resistance(known[0], rules[0], i)
            values[i, 1] = power(known[0], rules[0], i)


@kernel
def pick(generator, words, rows, sums):
    """A uniformly random legal action, -1 if there is none.

    `words` is the mask as uint64 (MASK_STRIDE / 8,), marked in the `rows` whose bits are set and
    behind all rows; `sums`, int64 (ROWS + 1,), is overwritten.
    """
    legal = byte_sum(words[ROWS * ROW])
    sums[ROWS] = legal
    for row in range(ROWS):
        sums[row] = 0
        if rows >> row & 1:
            sums[row] = row_sum(words, row * ROW)
            legal += sums[row]
    if legal == 0:
        return -1
    left = below(generator, legal)
    row = 0
    while left >= sums[row]:
        left -= sums[row]
        row += 1
    i = row * ROW
    while left >= byte_sum(words[i]):
        left -= byte_sum(words[i])
        i += 1
    k = 0
    while True:
        if (words[i] >> (_BYTE * np.uint64(k))) & _LAST_BYTE:
            if left == 0:
                return 8 * i + k
            left -= 1
        k += 1


@kernel
def row_sum(words, start):
    """Sum of the bytes of a row of words."""
    total = np.uint64(0)
    # a loop over the words themselves is vectorised, one over their places is not
    for word in words[start : start + ROW]:
        total += word  # all eight lanes at once, far below 256 each
    return byte_sum(total)


@kernel
def byte_sum(word):
    """Sum of a word's eight bytes."""
    pairs = (word & _EVEN_BYTES) + ((word >> _BYTE) & _EVEN_BYTES)
    pairs = pairs + (pairs >> _FOUR_BYTES)
    return np.int64((pairs + (pairs >> _TWO_BYTES)) & _LAST_TWO_BYTES)


@entry
def draw_actions(generators, words, drawn, actions):
    """A uniformly random legal action for every duel.

    generators: (n,) SETUP, whose `rng` is drawn from; words: the masks as uint64
    (n, MASK_STRIDE / 8); drawn: (n,) DRAWN; actions: int64 (n,), written where any action is
    legal.
    """
    sums = np.zeros(ROWS + 1, np.int64)
    for i in range(words.shape[0]):
        fetch_to_draw(i, drawn, words)
        action = pick(generators[i], words[i], drawn[i].rows, sums)
        if action >= 0:
            actions[i] = action


@entry
def search(states, hidden, rules, scratch, setups, mask, words, decisions, nodes):
    """Random legal play without observation on the first record, for speed's sake.

    `words` is `mask` as uint64. With `nodes`, every decision first clones the duel into the
    second record and goes on there, as a search does. Returns the number of finished duels.
    """
    book = rules[0]
    work = scratch[0]
    sums = np.zeros(ROWS + 1, np.int64)
    finished = 0
    here = 0
    rows = ALL_ROWS
    begin(states[0], book, setups[0])
    for _ in range(decisions):
        if nodes:
            states[1 - here] = states[here]
            here = 1 - here
        state = states[here]
        source, at = known_to(states, here, hidden, state.seat & 1)
        rows = write_mask(source[at], book, work, mask[0], rows, False)
        act(state, source[at], book, work, pick(setups[0], words[0], rows, sums))
        if state.phase == Phase.OVER:
            finished += 1
            setups[0].seed = next_word(setups[0])
            begin(state, book, setups[0])
    return finished


class Buffers:
    """The arrays that `advance` works on, for `n` duels (about 12 KiB each besides the
    observation)."""

    def __init__(self, n: int, observe: bool = True) -> None:
        self.states = np.zeros(n, STATE)
        self._known = np.zeros(n, STATE)
        self._rows = np.arange(n)
        self.hidden = np.zeros(1, STATE)
        self.due = np.full(n, -1, np.int8)
        self.scratch = np.zeros(1, SCRATCH)
        self.setups = np.zeros(n, SETUP)
        self.actions = np.zeros(n, np.int64)
        self.where = np.ones(n, np.bool_)
        self.viewers = np.full(n, -1, np.int8)
        self.drawn = np.zeros(n, DRAWN)
        # what is not known to be blank will be blanked
        self.drawn["rows"], self.drawn["marks"] = ALL_ROWS, MARKS
        self.mask = np.zeros((n, MASK_STRIDE), np.uint8)
        seen = n if observe else 0
        self.board = np.zeros((n, PLANE_COUNT if seen else 0, CELLS), np.int8)
        self.scalars = np.zeros((n, SCALAR_SIZE if seen else 0), np.float32)
        self.results = np.zeros(n, RESULT)

    def advance(self, mode: int, rules: np.ndarray, options: int) -> int:
        """Call the compiled `advance` on these arrays; the number of refused actions."""
        # members of an IntEnum would be typed anew, slowly, at each call
        return advance(
            int(mode),
            self.states,
            self.hidden,
            rules,
            self.scratch,
            self.setups,
            self.actions,
            self.where,
            self.viewers,
            self.due,
            self.drawn,
            self.mask,
            self.board,
            self.scalars,
            self.results,
            int(options),
        )

    @property
    def known(self) -> np.ndarray:
        """What the viewers of all duels know: (n,) STATE, written when it is asked for."""
        return self.known_in(self._rows)

    def known_in(self, rows: np.ndarray) -> np.ndarray:
        """The same array, written at least for the duels `rows`, int64 (k,)."""
        reveal(self.states, self._known, self.due, rows)
        return self._known
