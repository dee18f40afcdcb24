"""One seat against any agent, as a Gymnasium environment.

Observation: `{"board": int8 (32, 18, 28), "scalars": float32 (235,), "action_mask": int8
(4539,)}`; action: `Discrete(4539)`; `action_masks()` for MaskablePPO. The reward is the
seat's at the duel's end. An illegal action loses the duel.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import gymnasium
import numpy as np
from gymnasium import spaces

from .aec import RENDER_MODES, check_render_mode, raw_env
from .codec import ACTIONS
from .game import IllegalAction
from .observation import BOARD_SHAPE, SCALAR_SIZE
from .options import OptionError, is_choice, parse_seed
from .view import SeatView


class Opponent(Protocol):
    """Whatever decides from a view, as every agent does."""

    def reset(self, seed: int | None = None) -> None:
        """Begin a duel."""

    def act(self, view: SeatView) -> int:
        """A legal action of the view's seat."""


class SingleDuel(gymnasium.Env):
    """A duel from one seat's side; the other seats are played by agents.

    Args:
        opponent: plays the other camp.
        seat: 0 to 3 (2 and 3 in 2v2 only); None draws it at each reset.
        ally: plays the own camp's other hero in 2v2; the opponent by default.
        options: of every duel, as in `duel_v0`; `reset(options=...)` goes before them.
        team_size, price_weight, render_mode: as in `duel_v0.env`.

    Raises:
        OptionError: an argument is wrong.
    """

    metadata: ClassVar = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        opponent: Opponent,
        seat: int | None = None,
        ally: Opponent | None = None,
        options: dict[str, Any] | None = None,
        team_size: int | None = 1,
        price_weight: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        for who, name in ((opponent, "opponent"), (ally, "ally")):
            if not hasattr(who, "act") and (who is not None or name == "opponent"):
                raise OptionError(f"{name}: {who!r} has no act(view)")
        if not is_choice(seat, (0, 1) if team_size == 1 else (0, 1, 2, 3)):
            raise OptionError(f"seat: {seat!r} is not a seat of this duel, or None")
        if options is not None and not isinstance(options, Mapping):
            raise OptionError(f"options: {options!r} is not a mapping")
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._env = raw_env(team_size=team_size, price_weight=price_weight, render_mode=render_mode)
        self._opponent = opponent
        self._ally = ally or opponent
        self._fixed_seat = seat
        self._options = dict(options or {})
        self._over = True
        self.seat = seat or 0
        self.observation_space = spaces.Dict(
            {
                "board": spaces.Box(-128, 127, BOARD_SHAPE, np.int8),
                "scalars": spaces.Box(-100.0, 10_000.0, (SCALAR_SIZE,), np.float32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin a duel and play on until the seat is to act. Raises OptionError."""
        if seed is not None:
            parse_seed(seed)
        if options is not None and not isinstance(options, Mapping):
            raise OptionError(f"options: {options!r} is not a mapping")
        super().reset(seed=seed)
        duel_seed, opponent_seed, ally_seed = (
            int(s) for s in self.np_random.integers(1 << 62, size=3)
        )
        self._env.reset(seed=duel_seed, options=self._options | dict(options or {}))
        self._opponent.reset(opponent_seed)
        if self._ally is not self._opponent:
            self._ally.reset(ally_seed)
        seats = len(self._env.agents)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(seats))
        elif self._fixed_seat >= seats:
            raise OptionError(f"seat: {self._fixed_seat} has no hero in a duel of {seats}")
        self._over = False
        self._play_on()
        return self._answer()

    def _play_on(self) -> None:
        """Let the others act until the own seat is to, or the duel is over."""
        duel = self._env.duel
        while duel.seat >= 0 and duel.seat != self.seat:
            other = self._ally if duel.seat % 2 == self.seat % 2 else self._opponent
            self._env.step(int(other.act(self._env.view(f"player_{duel.seat}"))))

    def _answer(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Observation and info; the mask is one fresh array in both."""
        duel = self._env.duel
        seen = self._env.observe(f"player_{self.seat}")["observation"]
        acting = duel.seat == self.seat and not self._over
        mask = duel.mask().astype(np.int8) if acting else np.zeros(ACTIONS, np.int8)
        info: dict[str, Any] = {"action_mask": mask, "seat": self.seat}
        if duel.outcome is not None:
            info["outcome"] = duel.outcome.as_dict()
        return seen | {"action_mask": mask}, info

    def action_masks(self) -> np.ndarray:
        """bool (ACTIONS,): the seat's legal actions, for MaskablePPO."""
        if self._over:
            return np.zeros(ACTIONS, bool)
        return self._env.duel.mask().astype(bool)

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Apply the seat's action and play on until it is to act again.

        Raises IllegalAction when it is no action at all, or the duel is over.
        """
        if self._over:
            raise IllegalAction("the duel is over: call reset()")
        if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer):
            if not (
                isinstance(action, np.ndarray) and action.ndim == 0 and action.dtype.kind in "iu"
            ):
                raise IllegalAction(f"action {action!r} is not a whole number")
        if not 0 <= action < ACTIONS:
            raise IllegalAction(f"action {action} is out of range 0..{ACTIONS - 1}")
        agent = f"player_{self.seat}"
        if self._env.duel.mask()[action]:
            self._env.step(int(action))
            self._play_on()
        else:
            self._env.lose(agent)
        self._over = bool(self._env.terminations[agent])
        reward = float(self._env.rewards[agent]) if self._over else 0.0
        observation, info = self._answer()
        return observation, reward, self._over, False, info

    def view(self) -> SeatView:
        """What the seat knows now."""
        return self._env.view(f"player_{self.seat}")

    @property
    def duel(self) -> Any:
        """The duel underneath, for tools; an agent must not look at it."""
        return self._env.duel

    def render(self) -> str | np.ndarray | None:
        """Draw what the seat may know, as `duel_v0` does."""
        self._env._perspective = self.seat
        return self._env.render()

    def close(self) -> None:
        """Close the window, if any."""
        self._env.close()
