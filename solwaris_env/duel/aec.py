"""# Solwaris: the duel

Two camps on a grid spend action points on spells and movement points on steps until one
falls: six classes of 16 spells, nine maps, hidden traps, invisibility, pushes, an auction for
the first turn, one against one or two against two. The rules are stated in `RULES.md`.

| | |
|---|---|
| Import | `from solwaris_env import duel_v0` |
| Agents | `player_0` to `player_3`; two of them in 1v1 |
| Camps | seat modulo 2: `player_0` (and `player_2`) against `player_1` (and `player_3`) |
| Actions | discrete, `Discrete(4539)`, masked |
| Observations | `board` int8 (32, 18, 28), `scalars` float32 (235,), `action_mask` int8 (4539,) |
| Manual control | `solwaris play` |

## Action space

`Discrete(9 * N + 3)`, N = 18 * 28 = 504 cells, cell = row * 28 + column:

| index | action |
|---|---|
| `slot * N + cell`, slot 0-7 | cast the spell of the slot at the cell |
| `8 * N + cell` | go to the cell; before the fight: start there |
| `9 * N` | pass: end the turn, or let the auction go |
| `9 * N + 1` | raise the bid by 100 coins |
| `9 * N + 2` | forfeit, masked off unless `allow_forfeit=True` |

A summon's turn is its hero's seat's, with the summon's spell in slot 0.

## Observation space

`{"observation": {"board", "scalars"}, "action_mask"}`, from the seat's own viewpoint and with
nothing a seat may not know. `observation.PLANES` and `observation.SCALARS` name every part;
the README prints both tables. The mask is also `info["action_mask"]`. A seat that is not to
act has an all-zero mask; the seat to act always has a legal action.

## Rewards

+1 to each seat of the winning camp, -1 to the others, 0 for a draw, all at the end. With
`price_weight` w a seat that bought the initiative gets w less per 1,000 coins paid.

## Starting state

Placement, seat after seat and hidden from the other camp; then the auction; then the fight.

## Episode end

Terminates when a camp has no hero standing, gives up, or after the 40th tour (a rule of the
game: a draw, or with stakes the larger share of hit points wins). Nothing truncates.

An illegal action leaves the duel as it was: `raw_env` raises IllegalAction, `env` makes the
offender's camp lose.

## Arguments

`env(team_size=None, allow_forfeit=False, price_weight=0.0, render_mode=None,
perspective=None)`. `team_size` 1 or 2 fixes the number of agents; None leaves it to the reset
options or the draw. `perspective` is the seat whose knowledge is drawn, None for the acting
one.

`reset(seed, options)`, each option drawn from the seed where missing or None:

| option | value |
|---|---|
| `map` | id or number of a map |
| `classes` | id or number of a class, one a seat |
| `loadouts` | nine truth values a seat (slots 0-7, passive; true: the variant), or their bits |
| `purses` | coins, one a seat |
| `stakes` | coins, 0 for none |
| `team_size` | 1 or 2 |

## Version history

* v0: first version, rules 1.3.0
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from ..errors import SolwarisError
from .batch import Option
from .codec import ACTIONS
from .engine.state import HEROES, STATE
from .game import Duel, IllegalAction
from .observation import BOARD_SHAPE, SCALAR_SIZE
from .options import OptionError, is_choice
from .rewards import final_rewards
from .view import SeatView, json_view, seat_view

DEAREST = 1e6  # the largest price weight
AGENTS = tuple(f"player_{seat}" for seat in range(HEROES))
RENDER_MODES = ("human", "rgb_array", "ansi")


def observation_space() -> spaces.Dict:
    """The space of one seat's observation with its mask."""
    return spaces.Dict(
        {
            "observation": spaces.Dict(
                {
                    "board": spaces.Box(-128, 127, BOARD_SHAPE, np.int8),
                    "scalars": spaces.Box(-100.0, 10_000.0, (SCALAR_SIZE,), np.float32),
                }
            ),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def check_render_mode(render_mode: str | None) -> None:
    """Raise OptionError when the environment cannot draw so."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise OptionError(
            f"render_mode: {render_mode!r} is not one of {', '.join(RENDER_MODES)} or None"
        )


class raw_env(AECEnv):
    """The duel without wrappers; see the module's page. Raises OptionError."""

    metadata: ClassVar = {
        "name": "solwaris_duel_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        team_size: int | None = None,
        allow_forfeit: bool = False,
        price_weight: float = 0.0,
        render_mode: str | None = None,
        perspective: int | None = None,
        rules: np.ndarray | None = None,
    ) -> None:
        super().__init__()
        if not is_choice(team_size, (1, 2)):
            raise OptionError(f"team_size: {team_size!r} is not 1, 2 or None")
        if not is_choice(perspective, (0, 1, 2, 3)):
            raise OptionError(f"perspective: {perspective!r} is not a seat from 0 to 3, or None")
        if not isinstance(allow_forfeit, bool | np.bool_):
            raise OptionError(f"allow_forfeit: {allow_forfeit!r} is not true or false")
        number = int | float | np.integer | np.floating
        if isinstance(price_weight, bool) or not isinstance(price_weight, number):
            raise OptionError(f"price_weight: {price_weight!r} is not a number")
        if not 0 <= price_weight <= DEAREST:
            raise OptionError(
                f"price_weight: {price_weight!r} is not a number from 0 on, {DEAREST:g} at most"
            )
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.duel = Duel(rules, allow_forfeit)
        self.possible_agents = list(AGENTS[: 2 if team_size == 1 else HEROES])
        self.agents: list[str] = []
        self.agent_selection = ""
        self._team_size = team_size
        self._price_weight = float(price_weight)
        self._perspective = perspective
        self._seeds = np.random.default_rng()
        self._window: Any = None
        self._idle_mask = np.zeros(ACTIONS, np.int8)
        self._idle_mask.flags.writeable = False
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        """The observation space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The action space of an agent, always the same object."""
        return self.action_spaces[agent]

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        return spaces.Box(0, 255, (STATE.itemsize,), np.uint8)

    @staticmethod
    def seat_of(agent: str) -> int:
        """Seat number of an agent's name."""
        return int(agent[-1])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a duel; see the page for the options. Raises OptionError."""
        if isinstance(options, Mapping) and "options" in options:
            # PettingZoo's own API test resets with this key, meaning nothing
            options = {key: value for key, value in options.items() if key != "options"}
        drawn = int(self._seeds.integers(1 << 63)) if seed is None else seed
        self.duel.begin(drawn, options, self._team_size)
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.agents = list(AGENTS[: 2 * self.duel.team_size])
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._idle_mask} for agent in self.agents}
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Point to the seat that decides and keep its mask, one array for observation and info."""
        self.agent_selection = AGENTS[self.duel.seat]
        self._mask = self.duel.mask().astype(np.int8)
        self.infos[self.agent_selection] = {"action_mask": self._mask}

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now: fresh arrays. Raises SolwarisError for an unknown agent."""
        if self.duel.seat >= 0 and agent == self.agent_selection:
            eyes, mask = self.duel.buffers, self._mask
        else:
            eyes, mask = self.duel.look(self._known_seat(agent)), self._idle_mask
        return {
            "observation": {
                "board": eyes.board[0].reshape(BOARD_SHAPE).copy(),
                "scalars": eyes.scalars[0].copy(),
            },
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """Apply the acting agent's action, or None for an agent whose duel is over.

        Raises IllegalAction, with the duel as before.
        """
        if not self.agents:
            raise IllegalAction("the duel is over and every agent has left: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction(f"{agent}'s duel is over: the only action is None")
            self._was_dead_step(action)
            return
        self.duel.apply(action)
        self.infos[agent] = {"action_mask": self._idle_mask}
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        outcome = self.duel.outcome if self.duel.seat < 0 else None
        if outcome is None:
            self._select()
        else:
            self._mask = self._idle_mask
            self._finish(final_rewards(outcome, self._price_weight))
        if self.render_mode == "human":
            self.render()

    def _finish(self, rewards: tuple[float, ...]) -> None:
        """Pay everyone and let each agent take its last step."""
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def lose(self, agent: str) -> None:
        """End the episode with the agent's camp as the loser; the duel itself stays as it is."""
        camp = self.seat_of(agent) % 2
        self._mask = self._idle_mask
        for name in self.agents:
            self.infos[name] = {"action_mask": self._idle_mask}
        self._cumulative_rewards[agent] = 0.0
        self._finish(tuple(-1.0 if self.seat_of(name) % 2 == camp else 1.0 for name in self.agents))

    def _known_seat(self, agent: str) -> int:
        """Seat of an agent of the running duel. Raises SolwarisError for any other."""
        names = AGENTS[: 2 * self.duel.team_size]
        if not names:
            raise SolwarisError("no duel has begun: call reset()")
        if agent not in names:
            raise SolwarisError(f"agent {agent!r} is not one of {', '.join(names)}")
        return self.seat_of(agent)

    def view(self, agent: str) -> SeatView:
        """What an agent knows, for `Agent.act` and for frontends. Raises SolwarisError."""
        return seat_view(self.duel, self._known_seat(agent))

    def state(self) -> np.ndarray:
        """The whole record, hidden facts included: uint8 (STATE.itemsize,), a copy."""
        return np.frombuffer(self.duel.buffers.states.tobytes(), np.uint8).copy()

    def render(self) -> str | np.ndarray | None:
        """Draw what the perspective's seat may know: text, picture (H, W, 3) uint8, or window."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode")
            return None
        seat = max(self.duel.seat, 0) if self._perspective is None else self._perspective
        if seat >= 2 * self.duel.team_size:
            raise OptionError(f"perspective: {seat} has no hero in the duel that runs")
        view = json_view(self.duel, seat)
        if self.render_mode == "ansi":
            from ..render.text import render_text

            return render_text(view)
        if self.render_mode == "rgb_array":
            from ..render.frame import render_frame

            return render_frame(view)
        if self._window is None:
            from ..render.window import Window

            self._window = Window()
        self._window.show(view)
        return None

    def close(self) -> None:
        """Close the window, if any."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def clone(self) -> "raw_env":
        """An independent copy in mid-duel."""
        other = raw_env.__new__(raw_env)
        other.__dict__.update(self.__getstate__())
        other.duel = self.duel.clone()
        other._seeds = np.random.default_rng()
        other._seeds.bit_generator.state = self._seeds.bit_generator.state
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            if hasattr(self, name):
                setattr(other, name, getattr(self, name).copy())
        if self.agents:
            other.infos = dict(self.infos)
            acting = self.agent_selection
            if not self._mask.flags.writeable:
                return other
            other._mask = self._mask.copy()
            other.infos[acting] = {"action_mask": other._mask}
        return other

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None}

    def __deepcopy__(self, memo: dict) -> "raw_env":
        return self.clone()

    def save(self) -> bytes:
        """The duel as bytes, for `load`."""
        return self.duel.save()

    def load(self, data: bytes) -> None:
        """Go on from `save`'s bytes. Raises SaveError, with the environment as before."""
        allow = bool(self.duel.options & Option.ALLOW_FORFEIT)
        duel = Duel.load(data, self.duel.rules, allow)
        if self._team_size not in (None, duel.team_size):
            raise OptionError(
                f"the saved duel is {duel.team_size}v{duel.team_size}, but the environment was "
                f"made for {self._team_size}v{self._team_size}"
            )
        self.duel = duel
        self.agents = list(AGENTS[: 2 * duel.team_size])
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._idle_mask} for agent in self.agents}
        self.agent_selection = self.agents[0]
        outcome = duel.outcome
        if outcome is None:
            self._select()
        else:
            self._finish(final_rewards(outcome, self._price_weight))


class LoseIfIllegal(wrappers.TerminateIllegalWrapper):
    """Makes the camp of who takes an illegal action lose; the others win."""

    def __init__(self, env: raw_env) -> None:
        super().__init__(env, illegal_reward=-1.0)

    def step(self, action: int | None) -> None:
        """Step, or lose. Raises IllegalAction when the action is no action at all."""
        base = self.env
        agent = base.agent_selection
        if base.terminations[agent]:
            base.step(action)
            return
        if isinstance(action, bool | np.bool_) or not isinstance(action, int | np.integer):
            raise IllegalAction(f"action {action!r} of {agent} is not a whole number")
        if not 0 <= action < ACTIONS:
            raise IllegalAction(f"action {action} of {agent} is out of range 0..{ACTIONS - 1}")
        if base.duel.mask()[action]:
            base.step(action)
        else:
            EnvLogger.warn_on_illegal_move()
            base.lose(agent)


def env(**arguments: Any) -> AECEnv:
    """The duel behind PettingZoo's usual wrappers; arguments as on the module's page."""
    return wrappers.OrderEnforcingWrapper(LoseIfIllegal(raw_env(**arguments)))
