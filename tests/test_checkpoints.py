"""The committed opponents: eight, graded, small, and playing what they say."""

from pathlib import Path

import pytest

from solwaris_env.agents import make_agent
from solwaris_env.agents.onnx import OnnxAgent
from solwaris_env.match import play_match
from training.levels import load_levels

ROOT = Path(__file__).parents[1]
LEVELS = load_levels(ROOT / "configs" / "levels.yaml")
NAMES = ["Novice", "Apprenti", "Initié", "Duelliste", "Vétéran", "Expert", "Maître", "Légende"]
MOST_BYTES = 2 * 2**20
APART = 80


def agent(file: str) -> OnnxAgent:
    return OnnxAgent(ROOT / "checkpoints" / file, threads=1)


def test_they_are_named_after_the_leagues() -> None:
    assert [level.name for level in LEVELS] == NAMES
    assert [agent(level.file).metadata["level"] for level in LEVELS] == NAMES


def test_each_is_clearly_stronger_than_the_one_before() -> None:
    page = (ROOT / "checkpoints" / "README.md").read_text(encoding="utf-8")
    before = None
    for level in LEVELS:
        metadata = agent(level.file).metadata
        low, _, high = metadata["rating_interval"].partition(" to ")
        row = f"| {level.name} | `{level.file}` | {metadata['rating']} | {low} to {high} |"
        assert row in page
        if before is not None:
            assert int(metadata["rating"]) - before[0] >= APART, level.name
            assert int(low) > before[1], level.name
        before = int(metadata["rating"]), int(high)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.file)
@pytest.mark.parametrize("team_size", [1, 2])
def test_each_plays_whole_duels_as_it_says(level, team_size: int) -> None:
    path = ROOT / "checkpoints" / level.file
    assert path.stat().st_size < MOST_BYTES
    player = make_agent(str(path), seed=1, threads=1)
    assert getattr(player, "nodes", 0) == level.search
    assert agent(level.file).temperature == level.temperature
    assert play_match(player, make_agent("random", 1), 2, seed=3, team_size=team_size).duels == 2
