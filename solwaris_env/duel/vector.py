"""Thousands of duels in lock step, straight on the array of records."""

from collections.abc import Sequence

import numpy as np

from ..errors import SolwarisError
from .batch import Buffers, Mode, Option
from .codec import ACTIONS
from .content.loader import rulebook
from .engine.kernel import Compiling
from .observation import BOARD_SHAPE
from .options import parse_options, parse_seed
from .view import BatchView


class VectorDuel:
    """`num_envs` duels carried on together, one decision each a step.

    After `reset` and after each `step` these arrays tell of the decision that waits:
    `board` int8 (n, C, H, W), `scalars` float32 (n, K), `action_mask` bool (n, A), `seat`
    int8 (n,), `known` (n,) STATE. Of the last step: `reward` float32 (n, 4), a column a seat,
    `done` bool (n,), and where done `winner` (camp, -1 draw), `termination`, `tours`, `buyer`,
    `price`, `map`, `team_size`, `classes` (n, 4). With `auto_reset` a finished duel is followed
    at once: its row already shows the next one's first decision.

    Args:
        num_envs: how many duels.
        seed: whole number; the duels' own seeds come from it. None: from the system.
        team_size, map, classes: as in the options of one duel; None: drawn for each duel.
            `team_size` may also be whole numbers (n,), one for each row's duels.
        copy: hand out fresh arrays at each step. False: the same arrays, overwritten; they
            are read-only.
        auto_reset: begin anew where a duel ended; otherwise such a row waits for `reset`.
        rules: (1,) RULEBOOK, the package's own by default.

    Raises:
        SolwarisError: an argument is wrong, named in the sentence.
    """

    def __init__(
        self,
        num_envs: int,
        *,
        seed: int | None = None,
        team_size: int | np.ndarray | None = None,
        map: str | int | None = None,
        classes: Sequence[str | int | None] | None = None,
        copy: bool = True,
        auto_reset: bool = True,
        rules: np.ndarray | None = None,
    ) -> None:
        whole = isinstance(num_envs, int | np.integer) and not isinstance(num_envs, bool)
        if not whole or num_envs < 1:
            raise SolwarisError(f"num_envs: {num_envs!r} is not a whole number above 0")
        num_envs = int(num_envs)
        sizes = team_size if isinstance(team_size, np.ndarray) else None
        largest = team_size if sizes is None else int(sizes.max(initial=1))
        options = {"map": map, "classes": classes, "team_size": largest}
        if sizes is not None and (sizes.shape != (num_envs,) or not np.isin(sizes, (1, 2)).all()):
            raise SolwarisError(f"team_size: expected 1 or 2 for each of the {num_envs} duels")
        self.rules = rulebook() if rules is None else rules
        self.num_envs = num_envs
        self._copy = copy
        self._flags = Option.OBSERVE | (Option.AUTO_RESET if auto_reset else 0)
        self._buffers = Buffers(num_envs)
        self._buffers.setups[:] = parse_options(options)
        if sizes is not None:
            self._buffers.setups["team_size"] = sizes
        self._everywhere = np.ones(num_envs, np.bool_)
        with Compiling("advance"):
            self.reset(np.random.SeedSequence().generate_state(1)[0] if seed is None else seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin every duel anew; without a seed the streams of seeds go on."""
        setups = self._buffers.setups
        if seed is not None:
            self._seeds = np.random.default_rng(parse_seed(seed))
        for field in ("seed", "rng"):
            setups[field] = self._seeds.integers(1 << 64, size=self.num_envs, dtype=np.uint64)
        self._buffers.where[:] = True
        self._buffers.advance(Mode.BEGIN, self.rules, self._flags)
        self._hand_out()

    def begin(self, setups: np.ndarray, where: np.ndarray) -> None:
        """Begin anew the duels where `where`, bool (n,), is set, as `setups`, (n,) SETUP, say."""
        self._buffers.setups[where] = setups[where]
        self._buffers.where[:] = where
        self._buffers.advance(Mode.BEGIN, self.rules, self._flags)
        self._hand_out()

    def step(self, actions: np.ndarray, where: np.ndarray | None = None) -> None:
        """Apply `actions`, whole numbers (n,), to all duels or only `where`, bool (n,), is set.

        Raises SolwarisError when an action is not legal; the other duels have moved on, the
        refused ones are as before.
        """
        b = self._buffers
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise SolwarisError(
                f"actions: expected whole numbers of shape ({self.num_envs},), "
                f"got {actions.dtype} of shape {actions.shape}"
            )
        chosen = self._everywhere if where is None else np.asarray(where)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise SolwarisError(
                f"where: expected truth values of shape ({self.num_envs},), "
                f"got {chosen.dtype} of shape {chosen.shape}"
            )
        b.actions[:] = actions
        b.where[:] = chosen
        refused = b.advance(Mode.ACT, self.rules, self._flags)
        if where is not None:
            b.results["done"][~b.where] = 0
            b.results["reward"][~b.where] = 0.0
        self._hand_out()
        if refused:
            row = int(np.flatnonzero(b.where & (b.results["illegal"] != 0))[0])
            raise SolwarisError(
                f"actions[{row}]: {int(actions[row])} is not legal for seat {int(self.seat[row])} "
                f"of duel {row}" + (f" (and {refused - 1} more)" if refused > 1 else "")
            )

    def _hand_out(self) -> None:
        b = self._buffers
        n = self.num_envs
        self.board = b.board.reshape((n, *BOARD_SHAPE))
        self.scalars = b.scalars[:]
        self.action_mask = b.mask[:, :ACTIONS].view(np.bool_)
        self._known = None
        self.seat = b.states["seat"].astype(np.int8)
        results = b.results
        self.reward = results["reward"].copy()
        self.done = results["done"] != 0
        for name in ("board", "scalars", "action_mask"):
            array = getattr(self, name)
            if self._copy:
                setattr(self, name, array.copy())
            else:  # of a board and a mask only what is marked is blanked at the next step
                array.flags.writeable = False

    @property
    def known(self) -> np.ndarray:
        """What the acting seats know: (n,) STATE, worked out when it is asked for."""
        if self._known is None:
            known = self._buffers.known
            self._known = known.copy() if self._copy else known
        return self._known

    @property
    def winner(self) -> np.ndarray:
        """Winning camp of each finished duel, -1 for a draw: int8 (n,)."""
        return self._buffers.results["winner"].astype(np.int8)

    @property
    def termination(self) -> np.ndarray:
        """Why each finished duel ended, a `Termination`: int16 (n,)."""
        return self._buffers.results["termination"].copy()

    @property
    def tours(self) -> np.ndarray:
        """Tours each finished duel took: int32 (n,)."""
        return self._buffers.results["tours"].copy()

    @property
    def buyer(self) -> np.ndarray:
        """Camp that bought the first turn of each finished duel, -1 for nobody: int8 (n,)."""
        return self._buffers.results["buyer"].copy()

    @property
    def price(self) -> np.ndarray:
        """Coins that camp paid: int32 (n,)."""
        return self._buffers.results["price"].copy()

    @property
    def map(self) -> np.ndarray:
        """Map of each finished duel: int16 (n,)."""
        return self._buffers.results["map"].copy()

    @property
    def team_size(self) -> np.ndarray:
        """Heroes per camp of each finished duel: int16 (n,)."""
        return self._buffers.results["team_size"].copy()

    @property
    def classes(self) -> np.ndarray:
        """Classes of each finished duel's seats: int16 (n, 4)."""
        return self._buffers.results["cls"].copy()

    def views(self, rows: np.ndarray) -> BatchView:
        """What the acting seats of some duels know; rows: whole numbers (k,)."""
        rows = np.asarray(rows, np.int64)
        return BatchView(
            self._buffers.known_in(rows)[rows],
            {"board": self.board[rows], "scalars": self.scalars[rows]},
            self.action_mask[rows],
            self.seat[rows],
            self.rules,
        )

    @property
    def states(self) -> np.ndarray:
        """The duels themselves, (n,) STATE, not to be written into; no agent may see them."""
        return self._buffers.states

    def state_bytes(self, row: int) -> bytes:
        """The record of one duel, to compare and to hash."""
        return self._buffers.states[row].tobytes()
