"""Solwaris: a tactical duel as reinforcement-learning environments.

    from solwaris_env import duel_v0

    env = duel_v0.env()

Importing the package registers `solwaris/duel_v0` with PettingZoo (`pettingzoo.make("aec",
"solwaris/duel_v0")`) and `solwaris/Duel-v0` with Gymnasium.
"""

from importlib.metadata import PackageNotFoundError, version

import gymnasium
import pettingzoo

try:
    __version__ = version("solwaris")
except PackageNotFoundError:
    __version__ = "0"

if "solwaris/Duel-v0" not in gymnasium.registry:
    gymnasium.register("solwaris/Duel-v0", entry_point="solwaris_env.duel_v0:single")
if "solwaris/duel_v0" not in pettingzoo.aec_registry:
    pettingzoo.register("aec", "solwaris/duel_v0", entry_point="solwaris_env.duel_v0:env")
