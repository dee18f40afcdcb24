"""Graded opponents: exported, rated, and saying so themselves."""

from pathlib import Path

import onnx
import pytest
import torch

from solwaris_env.agents import make_agent
from solwaris_env.errors import SolwarisError
from solwaris_env.evaluation.rating import Rating
from training.checkpoint import Checkpoint, save_checkpoint
from training.config import TrainConfig, dump_config
from training.levels import Level, load_levels, make_levels, readme
from training.network import DuelNetwork, NetworkSize
from training.pool import Pool

SIZE = NetworkSize(4, 0, 8)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's folder with last weights and one snapshot."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    torch.manual_seed(0)
    network = DuelNetwork(SIZE)
    pool = Pool(folder / "pool", 2, SIZE)
    pool.add(DuelNetwork(SIZE))
    config = TrainConfig(channels=SIZE.channels, blocks=SIZE.blocks, width=SIZE.width)
    save_checkpoint(folder, Checkpoint(dump_config(config), network.state_dict(), {}, pool=[0]))
    return folder


def test_levels_are_exported_rated_and_described(run: Path, tmp_path: Path) -> None:
    """Two levels and two yardsticks: every file carries its rating, the README the same."""
    levels = [
        Level("Novice", "novice.onnx", str(run), snapshot=0, temperature=1.5),
        Level("Légende", "legende.onnx", str(run)),
    ]
    ratings = make_levels(levels, tmp_path / "out", 2, 0, 1, ["random", "greedy"])
    page = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    for level, rating in zip(levels, ratings, strict=True):
        path = tmp_path / "out" / level.file
        facts = {item.key: item.value for item in onnx.load(path).metadata_props}
        assert facts["level"] == level.name
        assert facts["rating"] == f"{rating.elo:.0f}"
        assert "random = 0" in facts["rating_scale"]
        assert make_agent(str(path)).temperature == level.temperature
        assert f"| {level.name} | `{level.file}` | {rating.elo:.0f} |" in page
    assert "small, snapshot 0" in page
    assert "| greedy |" in page


def test_neighbours_too_close_are_told() -> None:
    """79 Elo, or touching intervals, stand in the README; 80 and apart do not."""
    levels = [Level(name, f"{name}.onnx", "runs/x") for name in ("A", "B", "C", "D")]
    ratings = [
        Rating(0.0, -10.0, 10.0),
        Rating(79.0, 60.0, 98.0),
        Rating(159.0, 140.0, 178.0),
        Rating(300.0, 178.0, 400.0),
    ]
    page = readme(levels, ratings, {"random": Rating(0.0, None, None)}, 100, 1)
    assert "A and B are 79 Elo apart." in page
    assert "B and C" not in page
    assert "C and D are 141 Elo apart, their intervals touch." in page


FAULTS = [
    ("[]", "expected a list of at least two levels"),
    ("{a: 1}", "expected a list of at least two levels"),
    ("[1, 2]", "level 1: expected keys and values"),
    ("[{name: A, file: a.onnx, run: r, power: 3}, {}]", "level 1: unknown key 'power'"),
    ("[{file: a.onnx, run: r}, {}]", "level 1: name must be a text"),
    ("[{name: A, file: a.pt, run: r}, {}]", "level 1: file must be a name that ends in .onnx"),
    ("[{name: A, file: ../a.onnx, run: r}, {}]", "level 1: file must be a name"),
    ("[{name: A, file: a.onnx, run: r, snapshot: -1}, {}]", "level 1: snapshot must be"),
    ("[{name: A, file: a.onnx, run: r, temperature: .nan}, {}]", "level 1: temperature must be"),
    ("[{name: A, file: a.onnx, run: r, search: 1.5}, {}]", "level 1: search must be"),
    (
        "[{name: A, file: a.onnx, run: r}, {name: A, file: b.onnx, run: r}]",
        "two levels have the same name",
    ),
    (
        "[{name: A, file: a.onnx, run: r}, {name: B, file: a.onnx, run: r}]",
        "two levels have the same file",
    ),
    ("[", "this is no YAML"),
]


@pytest.mark.parametrize(("text", "sentence"), FAULTS, ids=[s for _, s in FAULTS])
def test_faulty_levels_file(text: str, sentence: str, tmp_path: Path) -> None:
    """One sentence names file, entry and key."""
    path = tmp_path / "levels.yaml"
    path.write_text(text)
    with pytest.raises(SolwarisError) as caught:
        load_levels(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert sentence in str(caught.value)
