"""Rewards: the game's own, the price of the initiative, and potential-based shaping."""

from typing import Any

from pettingzoo.utils import BaseWrapper

from .game import Duel, Outcome

PRICE_UNIT = 1000  # coins that a price weight of 1 makes worth a victory's reward


def final_rewards(outcome: Outcome, price_weight: float = 0.0) -> tuple[float, ...]:
    """Reward a seat: +1, -1 or 0, less `price_weight` per 1,000 coins it paid (A3, E1-E4)."""
    return tuple(
        reward - price_weight * paid / PRICE_UNIT
        for reward, paid in zip(outcome.rewards, outcome.price_paid, strict=True)
    )


def hp_lead(duel: Duel) -> float:
    """Share of hit points of camp 0's heroes less camp 1's, from -1 to 1."""
    shares = duel.hp_shares()
    return shares[0] - shares[1]


class PotentialShaping(BaseWrapper):
    """Adds `weight * (gamma * phi' - phi)` to the rewards, phi being the camp's lead in HP.

    phi is 0 once the duel is over, so no policy's rank changes; every seat is paid at every
    step, so the sum over a duel telescopes for each of them.
    """

    def __init__(self, env: Any, weight: float = 0.5, gamma: float = 1.0) -> None:
        super().__init__(env)
        self._weight = weight
        self._gamma = gamma
        self._lead = 0.0

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin a duel. Raises OptionError."""
        super().reset(seed, options)
        self._lead = hp_lead(self.unwrapped.duel)

    def step(self, action: int | None) -> None:
        """Take a step and pay the shaping on top."""
        base = self.unwrapped
        if base.terminations[base.agent_selection]:
            super().step(action)
            return
        super().step(action)
        lead = 0.0 if any(base.terminations.values()) else hp_lead(base.duel)
        gain = self._weight * (self._gamma * lead - self._lead)
        self._lead = lead
        for agent in base.agents:
            signed = gain if base.seat_of(agent) % 2 == 0 else -gain
            base.rewards[agent] += signed
            base._cumulative_rewards[agent] += signed
