"""The peers: well-known environments doing the same, where they are installed."""

import importlib
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .measure import Contestant, looping

DECISIONS = "decisions"


def _play(made: Any) -> Callable[[], int]:
    rng = np.random.default_rng(0)
    made.reset(seed=0)

    def step() -> int:
        if not made.agents:
            made.reset()
        observation, _, terminated, truncated, info = made.last()
        if terminated or truncated:
            made.step(None)
            return 0
        mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
        legal = np.flatnonzero(mask)
        made.step(int(legal[int(rng.random() * len(legal))]))
        return 1

    return step


class IdleEnv(AECEnv):
    """An environment that does nothing, to see what the wrappers cost."""

    metadata: ClassVar = {"name": "idle_v0", "render_modes": [], "is_parallelizable": False}

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = ["player_0", "player_1"]
        self._observation = {
            "observation": np.zeros((6, 7, 2), np.int8),
            "action_mask": np.ones(7, np.int8),
        }
        self._actions = spaces.Discrete(7)
        self._seen = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (6, 7, 2), np.int8),
                "action_mask": spaces.Box(0, 1, (7,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space:
        """The one observation's space."""
        return self._seen

    def action_space(self, agent: str) -> spaces.Space:
        """Seven actions."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin; the game never ends."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Always the same arrays."""
        return self._observation

    def step(self, action: int) -> None:
        """Pass the turn."""
        self.agent_selection = self.agents[self.agent_selection == self.agents[0]]


def idle() -> Contestant:
    """Nothing behind PettingZoo's three usual wrappers."""
    wrapped = wrappers.TerminateIllegalWrapper(IdleEnv(), illegal_reward=-1)
    wrapped = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
    return Contestant("nothing behind the usual wrappers", DECISIONS, looping(_play(wrapped)))


def _pettingzoo(name: str, module: str, attribute: str) -> Contestant:
    made = getattr(importlib.import_module(module), attribute)()
    return Contestant(name, DECISIONS, looping(_play(made)))


def connect_four() -> Contestant:
    """PettingZoo's connect four, `raw_env`."""
    return _pettingzoo(
        "PettingZoo connect four, raw_env",
        "pettingzoo.classic.connect_four.connect_four",
        "raw_env",
    )


def pettingzoo_chess() -> Contestant:
    """PettingZoo's chess, `raw_env`."""
    return _pettingzoo("PettingZoo chess, raw_env", "pettingzoo.classic.chess.chess", "raw_env")


def _open_spiel(name: str, look: str, clone: bool = False) -> Contestant:
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game("chess")
    mask = np.zeros(game.num_distinct_actions(), np.int8)
    rng = np.random.default_rng(0)
    seen = None
    if look == "observer":
        observation = importlib.import_module("open_spiel.python.observation")
        seen = observation.make_observation(game)
    state = game.new_initial_state()

    def step() -> int:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
        legal = state.legal_actions()
        if look:
            if seen is not None:
                seen.set_from(state, player=state.current_player())
            else:
                np.asarray(state.observation_tensor(), np.float32)
            mask[:] = 0
            mask[legal] = 1
        if clone:
            state = state.clone()
        state.apply_action(legal[int(rng.random() * len(legal))])
        return 1

    return Contestant(name, DECISIONS, looping(step))


def open_spiel_chess() -> Contestant:
    """OpenSpiel's chess with observation and mask filled as arrays."""
    return _open_spiel("OpenSpiel chess, observation and mask", "tensor")


def open_spiel_observer() -> Contestant:
    """The same with its observer, which writes the tensor in place."""
    return _open_spiel("OpenSpiel chess, observer and mask", "observer")


def open_spiel_rules() -> Contestant:
    """OpenSpiel's chess, rules only."""
    return _open_spiel("OpenSpiel chess, rules only", "")


def open_spiel_nodes() -> Contestant:
    """OpenSpiel's chess: clone, apply, legal actions."""
    return _open_spiel("OpenSpiel chess, search nodes", "", clone=True)


PEERS = {
    "idle": idle,
    "connect_four": connect_four,
    "pettingzoo_chess": pettingzoo_chess,
    "open_spiel_chess": open_spiel_chess,
    "open_spiel_observer": open_spiel_observer,
    "open_spiel_rules": open_spiel_rules,
    "open_spiel_nodes": open_spiel_nodes,
}


def installed() -> dict[str, Contestant]:
    """The peers whose packages are there."""
    found = {}
    for key, make in PEERS.items():
        try:
            found[key] = make()
        except ImportError:
            continue
    return found
