"""What the rules say about each spell, as numbers a network can compare."""

import numpy as np

from solwaris_env.duel.content.loader import rulebook
from solwaris_env.duel.content.schema import (
    SPELL_COUNT,
    SUMMON_COUNT,
    TRAP_COUNT,
    Kind,
    On,
    Shape,
    Target,
)

# Amounts are divided by about their largest usual value, so that all are of one size.
AMOUNT_SCALES = {Kind.DAMAGE: 30.0, Kind.HEAL: 30.0, Kind.DELAYED: 30.0, Kind.CHAIN: 30.0}
AMOUNT_SCALES |= {Kind.RESISTANCE: 30.0, Kind.POWER: 30.0, Kind.HEAL_LOST: 30.0}
AMOUNT_SCALES |= {Kind.ARMOUR: 30.0, Kind.POISON: 8.0}
NAMES = (Kind.SUMMON, Kind.TRAP)  # whose amount is an id, not a quantity
DEFAULT_SCALE = 3.0
SIZES = {
    "cost": 6.0,
    "hp_cost": 20.0,
    "range_min": 8.0,
    "range_max": 8.0,
    "line": 1.0,
    "sight": 1.0,
    "size": 3.0,
    "from_departure": 1.0,
    "per_turn": 3.0,
    "cooldown": 5.0,
}
DETAILS = {"c": 50.0, "below": 50.0, "steal": 50.0, "per_loss": 5.0}


def spell_features() -> np.ndarray:
    """Return float32 (SPELL_COUNT, F): sizes, target and shape one-hot, per kind of effect how
    much, for how long and on whom, and what it summons or lays, one-hot."""
    rules = rulebook()[0]
    kinds, ons = len(Kind), len(On)
    rows = np.zeros((SPELL_COUNT, len(SIZES) + len(Target) + len(Shape)), np.float32)
    effects = np.zeros((SPELL_COUNT, kinds * (2 + ons)), np.float32)
    details = np.zeros((SPELL_COUNT, len(DETAILS)), np.float32)
    made = np.zeros((SPELL_COUNT, SUMMON_COUNT + TRAP_COUNT + 1), np.float32)
    for i, spell in enumerate(rules.spell):
        sizes = [float(spell[name]) / scale for name, scale in SIZES.items()]
        rows[i, : len(SIZES)] = sizes
        rows[i, len(SIZES) + int(spell.target)] = 1.0
        rows[i, len(SIZES) + len(Target) + int(spell.shape)] = 1.0
        for effect in rules.effect[int(spell.first) : int(spell.first) + int(spell.count)]:
            kind = int(effect.kind)
            if kind in NAMES:
                made[i, int(effect.a) + SUMMON_COUNT * (kind == Kind.TRAP)] = 1.0
            else:
                amount = max(float(effect.a), (float(effect.a) + float(effect.b)) / 2)
                effects[i, kind] += amount / AMOUNT_SCALES.get(Kind(kind), DEFAULT_SCALE)
            effects[i, kinds + kind] += float(effect.turns) / 3.0
            effects[i, 2 * kinds + ons * kind + int(effect.on)] = 1.0
            details[i] += [float(effect[name]) / scale for name, scale in DETAILS.items()]
    return np.concatenate((rows, effects, details, made), axis=1)
