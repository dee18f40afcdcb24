"""Every fault of a run's file is one sentence with file and key."""

from pathlib import Path

import pytest

from solwaris_env.errors import SolwarisError
from training.config import (
    RANGES,
    TrainConfig,
    dump_config,
    key_table,
    load_config,
    override,
)

CONFIGS = Path(__file__).resolve().parent.parent / "configs"
RUNS = sorted(path for path in CONFIGS.glob("*.yaml") if path.stem != "levels")


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_configs_of_the_project_are_read(path: Path) -> None:
    """The runs' files in configs/ are valid; tests/test_checkpoints.py reads the levels."""
    config = load_config(path)
    assert override(config, {}) is config


def test_config_survives_the_round_trip(tmp_path: Path) -> None:
    """What dump_config writes, load_config reads back."""
    config = TrainConfig(seed=5, map="caveau", classes=("ombre", "brute"), threads=1)
    path = tmp_path / "run.yaml"
    path.write_text(dump_config(config))
    assert load_config(path) == config


def test_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    """No key is required."""
    path = tmp_path / "run.yaml"
    path.write_text("# nothing\n")
    assert load_config(path) == TrainConfig()


FAULTS = [
    ("evaluate_duels: 5", "evaluate_duels must be even"),
    ("learning_rat: 0.1", "learning_rat"),
    ("3: 4", "3"),
    ("envs: many", "envs"),
    ("envs: 12.5", "envs"),
    ("envs: true", "envs"),
    ("envs: null", "envs"),
    ("envs: 0", "envs"),
    ("envs: [512]", "envs"),
    ("envs: .inf", "envs"),
    ("half: 1", "half"),
    ("half: maybe", "half"),
    ("gamma: 1.5", "gamma"),
    ("gamma: .nan", "gamma"),
    ("gamma: 0", "gamma"),
    ("learning_rate: -0.1", "learning_rate"),
    ("learning_rate: 1e-3", "learning_rate"),  # YAML reads this as text
    ("clip: {start: 0.2}", "clip"),
    ("team_size: 3", "team_size"),
    ("max_minutes: 0", "max_minutes"),
    ("device: tpu", "device"),
    ("map: atlantis", "map"),
    ("classes: ombre", "classes"),
    ("classes: [ombre, 3]", "classes"),
    ("classes: [ombre, wizard]", "classes"),
    ("classes: [ombre]", "classes"),
    ("random_share: 0.7\ngreedy_share: 0.7", "random_share"),
    ("envs: 4\nrollout: 4\nbatch: 32", "batch"),
    ("seed: -1", "seed"),
    ("seed: 1\nseed: 2", "seed"),
]


@pytest.mark.parametrize(("text", "key"), FAULTS, ids=[text for text, _ in FAULTS])
def test_fault_names_file_and_key(tmp_path: Path, text: str, key: str) -> None:
    """One sentence, with the file and the key."""
    path = tmp_path / "run.yaml"
    path.write_text(text)
    with pytest.raises(SolwarisError) as caught:
        load_config(path)
    sentence = str(caught.value)
    assert str(path) in sentence
    assert key in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("data", [b"a: [", b"- 1\n- 2", b"\xff\xfe\x00", b"text", b"a: !!python/x"])
def test_what_is_no_table_is_refused(tmp_path: Path, data: bytes) -> None:
    """Broken YAML and other kinds of document."""
    path = tmp_path / "run.yaml"
    path.write_bytes(data)
    with pytest.raises(SolwarisError, match=r"run\.yaml"):
        load_config(path)


def test_missing_file_is_a_sentence(tmp_path: Path) -> None:
    """A file that is not there."""
    with pytest.raises(SolwarisError, match=r"none\.yaml"):
        load_config(tmp_path / "none.yaml")


def test_command_line_changes_are_checked() -> None:
    """An option of the command line obeys the same ranges."""
    assert override(TrainConfig(), {"total_steps": 7, "max_minutes": None}).total_steps == 7
    with pytest.raises(SolwarisError, match="max_minutes"):
        override(TrainConfig(), {"max_minutes": -1.0})


def test_every_number_has_a_range() -> None:
    """No number of a run escapes the check."""
    config = TrainConfig()
    numbers = {
        key
        for key, value in vars(config).items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    assert numbers <= set(RANGES)


def test_the_page_explains_every_key() -> None:
    """docs/training.md holds the table made from the code, and the table holds every key."""
    table = key_table()
    page = (CONFIGS.parent / "docs" / "training.md").read_text(encoding="utf-8")
    assert "\n".join(table) in page
    named = " ".join(table)
    assert all(f"`{name}`" in named for name in vars(TrainConfig()))


def test_single_keys_are_set_on_the_command_line(tmp_path: Path) -> None:
    """--set takes YAML values; what is wrong is told in one sentence."""
    from training.cli import _setting

    changes = dict(map(_setting, ["seed=7", "map=caveau", "max_minutes=null", "half=false"]))
    assert changes == {"seed": 7, "map": "caveau", "max_minutes": None, "half": False}
    changed = override(TrainConfig(), changes)
    assert (changed.seed, changed.map, changed.half) == (7, "caveau", False)
    for wrong in ("seed", "=3", "seed={"):
        with pytest.raises(SolwarisError, match="--set"):
            _setting(wrong)
    with pytest.raises(SolwarisError, match="unknown key 'sead'"):
        override(TrainConfig(), dict([_setting("sead=3")]))
