"""What a run tells of itself: outcomes by opponent, class and map; how decided the policy is."""

import math

import numpy as np
import pytest
import torch

from solwaris_env.duel.codec import ACTIONS, GO, PASS
from solwaris_env.duel.content.loader import content
from solwaris_env.duel.observation import BOARD_SHAPE, SCALAR_SIZE, SCALARS
from training.choices import choices
from training.network import LIMIT, DuelNetwork, NetworkSize
from training.opponents import GREEDY, PLANNER, RANDOM, SNAPSHOTS, Opponents
from training.outcomes import Outcomes
from training.pool import Pool

SIZE = NetworkSize(4, 0, 8)


def test_outcomes_are_summed_up() -> None:
    """Six duels by hand: rates by kind, scores by class and map; taking forgets."""
    outcomes = Outcomes()
    assert outcomes.take() == {}
    outcomes.add(
        np.array([RANDOM, RANDOM, GREEDY, SNAPSHOTS, SNAPSHOTS + 7, PLANNER]),
        np.array([1, -1, 0, 1, 1, -1]),
        np.array([10, 20, 30, 40, 50, 60]),
        np.array([0, 0, 1, 1, 2, 2]),
        np.array([3, 3, 3, 3, 4, 4]),
    )
    figures = outcomes.take()
    classes = [sheet.id for sheet in content().classes]
    maps = [item.id for item in content().maps]
    assert figures == {
        "duel/decisions": 35.0,
        "win_rate/random": 0.5, "draw_rate/random": 0.0, "duels/random": 2.0,
        "win_rate/greedy": 0.0, "draw_rate/greedy": 1.0, "duels/greedy": 1.0,
        "win_rate/planner": 0.0, "draw_rate/planner": 0.0, "duels/planner": 1.0,
        "win_rate/snapshots": 1.0, "draw_rate/snapshots": 0.0, "duels/snapshots": 2.0,
        f"class/{classes[0]}": 0.5, f"class/{classes[1]}": 0.75, f"class/{classes[2]}": 0.5,
        f"map/{maps[3]}": 0.625, f"map/{maps[4]}": 0.5,
    }  # fmt: skip
    assert outcomes.take() == {}


def uniform(specials: float = 0.0) -> DuelNetwork:
    """A network whose logits are all alike, but for the three special actions'."""
    network = DuelNetwork(SIZE).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        network.specials.bias.fill_(specials)
    network.preference.zero_()
    return network


def test_entropy_and_chances_by_kind() -> None:
    """A placement among 4 cells, a turn of 2 casts, 1 step and passing, a summon's 2 choices."""
    scalars = np.zeros((3, SCALAR_SIZE), np.float32)
    phase = SCALARS["phase"].start
    scalars[0, phase] = 1
    scalars[1, phase + 2] = 1
    scalars[2, phase + 2] = 1
    scalars[2, SCALARS["summon_acts"].start] = 1
    masks = np.zeros((3, ACTIONS), bool)
    masks[0, GO : GO + 4] = True
    masks[1, [3, 900, GO + 5, PASS]] = True
    masks[2, [0, PASS]] = True
    observation = {"board": np.zeros((3, *BOARD_SHAPE), np.int8), "scalars": scalars}
    figures = choices(uniform(), observation, masks)
    assert figures == pytest.approx({
        "entropy/placement": math.log(4), "entropy/turn": math.log(4),
        "entropy/summon": math.log(2),
        "chance/cast": 0.5, "chance/go": 0.25, "chance/pass": 0.25,
    })  # fmt: skip
    # e^ln 3 to 1: passing has three shares of six in the turn
    weighed = choices(uniform(LIMIT * math.atanh(math.log(3) / LIMIT)), observation, masks)
    assert weighed["chance/pass"] == pytest.approx(0.5)


def test_hard_snapshots_are_met_more_often(tmp_path) -> None:
    """Beaten always and never: priority 1 meets them as 1 - rate says; 0 alike."""
    pool = Pool(tmp_path, 4, SIZE)
    for _ in range(2):
        pool.add(DuelNetwork(SIZE))
    opponents = Opponents({}, {}, pool)
    opponents.note(np.array([SNAPSHOTS, SNAPSHOTS + 1, RANDOM] * 300), np.array([1, -1, 1] * 300))
    easy, hard = pool.win_rate(0), pool.win_rate(1)
    assert easy > 0.95
    assert hard < 0.05
    rng = np.random.default_rng(0)
    drawn = np.array(pool.choose(4000, 0.0, rng, 1.0))
    expected = (1 - hard) / (2 - hard - easy)
    assert abs((drawn == 1).mean() - expected) < 0.02
    assert abs((np.array(pool.choose(4000, 0.0, rng, 0.0)) == 1).mean() - 0.5) < 0.04
    figures = opponents.figures()
    assert figures["pool/size"] == 2
    assert figures["pool/win_rate_lowest"] == pytest.approx(hard)
    again = Pool(tmp_path, 4, SIZE)
    again.restore(pool.ids, pool.record)
    assert (again.win_rate(0), again.win_rate(1)) == (easy, hard)
