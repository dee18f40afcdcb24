"""Who is ahead: the potential of the shaped reward."""

from typing import TypeVar

import numpy as np
import torch

from solwaris_env.duel.observation import SCALARS

Floats = TypeVar("Floats", np.ndarray, torch.Tensor)

OWN_SHARES = [SCALARS[f"{who}_hp_share"].start for who in ("own", "ally")]
THEIR_SHARES = [SCALARS[f"{who}_hp_share"].start for who in ("foe", "other_foe")]
TWO_AGAINST_TWO = SCALARS["two_against_two"].start


def potential(scalars: Floats) -> Floats:
    """Return float32 (n,): the own camp's share of hit points minus the other's, -1 to 1."""
    heroes = 1.0 + scalars[:, TWO_AGAINST_TWO]
    return (scalars[:, OWN_SHARES].sum(axis=1) - scalars[:, THEIR_SHARES].sum(axis=1)) / heroes
