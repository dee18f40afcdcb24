"""From a training run to the graded opponents in checkpoints/.

A levels file names each opponent, the weights it plays with and how: a run's folder and a
snapshot of its pool, a temperature, a number of trials for the search at the top. All are
exported, rated against each other, and written with what was measured in their metadata,
together with a README that says the same.
"""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx

from solwaris_env.agents.planner import FEWEST, MOST_NODES
from solwaris_env.duel.content.loader import RULES_VERSION
from solwaris_env.errors import SolwarisError
from solwaris_env.evaluation.rating import Rating
from solwaris_env.evaluation.report import report
from solwaris_env.evaluation.series import Series
from solwaris_env.files import read_file, write_atomic
from solwaris_env.progress import ProgressLine

from .config import read_yaml
from .export import export

APART = 80.0  # Elo between neighbours
KEYS = {"name", "file", "run", "snapshot", "temperature", "search"}


@dataclass(frozen=True)
class Level:
    """One graded opponent.

    Attributes:
        name: as players read it.
        file: the ONNX file's name.
        run: folder of the run.
        snapshot: number in the run's pool; None: the run's last weights.
        temperature: the logits are divided by it; 0: always the best action.
        search: trials of the guided planner for a decision; 0: the policy alone.
    """

    name: str
    file: str
    run: str
    snapshot: int | None = None
    temperature: float = 0.0
    search: int = 0


def load_levels(path: str | Path) -> list[Level]:
    """Read a levels file: a list of tables with the attributes of `Level`, the weakest first.

    Raises:
        SolwarisError: the file cannot be read, or an entry is wrong; the sentence names it.
    """
    data = read_yaml(path, "levels file")
    if not isinstance(data, list) or len(data) < 2:
        raise SolwarisError(f"{path}: expected a list of at least two levels")
    levels = [_level(entry, f"{path}: level {i + 1}") for i, entry in enumerate(data)]
    for attribute in ("name", "file"):
        values = [getattr(level, attribute) for level in levels]
        if len(set(values)) < len(values):
            raise SolwarisError(f"{path}: two levels have the same {attribute}")
    return levels


def _level(entry: Any, where: str) -> Level:
    if not isinstance(entry, dict):
        raise SolwarisError(f"{where}: expected keys and values")
    if unknown := set(entry) - KEYS:
        raise SolwarisError(f"{where}: unknown key {sorted(map(str, unknown))[0]!r}")
    for key in ("name", "file", "run"):
        if not isinstance(entry.get(key), str):
            raise SolwarisError(f"{where}: {key} must be a text")
    if not entry["file"].endswith(".onnx") or "/" in entry["file"]:
        raise SolwarisError(f"{where}: file must be a name that ends in .onnx")
    snapshot = entry.get("snapshot")
    if snapshot is not None and (type(snapshot) is not int or snapshot < 0):
        raise SolwarisError(f"{where}: snapshot must be a whole number from 0 up")
    temperature, search = entry.get("temperature", 0.0), entry.get("search", 0)
    if type(temperature) not in (int, float) or not 0 <= temperature < float("inf"):
        raise SolwarisError(f"{where}: temperature must be a number from 0 up")
    if type(search) is not int or not (search == 0 or FEWEST <= search <= MOST_NODES):
        raise SolwarisError(f"{where}: search must be 0 or {FEWEST} to {MOST_NODES} trials")
    return Level(entry["name"], entry["file"], entry["run"], snapshot, float(temperature), search)


def make_levels(
    levels: list[Level], out: str | Path, duels: int, seed: int, workers: int, yardsticks: list[str]
) -> list[Rating]:
    """Export all levels into `out`, rate them, write the ratings into files and README.

    Args:
        levels: the weakest first.
        out: the folder, made if missing.
        duels: of each two, `yardsticks` (other agents' names, the first is the anchor at 0)
            among them.
        seed, workers: see `Series`.

    Returns:
        The levels' ratings. Neighbours closer than 80 Elo or with touching intervals are told
        in the README, not hidden.

    Raises:
        SolwarisError: an export fails its parity check, or the disk refuses.
    """
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / level.file for level in levels]
    for level, path in zip(levels, paths, strict=True):
        export(level.run, path, snapshot=level.snapshot, facts=facts_of(level))
    agents = [*yardsticks, *map(str, paths)]
    series = Series(agents, duels, seed)
    with ProgressLine(series.duels, "duels") as line:
        series.play(line.update, workers)
    result = report(
        series,
        agents,
        {"duels": duels, "seed": seed, "team_size": 1, "map": None, "classes": None},
        version=RULES_VERSION,
        anchor=0,
        anchor_elo=0.0,
    )
    print(result.text())
    assert result.ratings is not None
    others, ratings = result.ratings[: len(yardsticks)], result.ratings[len(yardsticks) :]
    for path, rating in zip(paths, ratings, strict=True):
        write_atomic(path, with_facts(path, rating_facts(rating, yardsticks[0], duels)))
    text = readme(levels, ratings, dict(zip(yardsticks, others, strict=True)), duels, seed)
    write_atomic(folder / "README.md", text)
    return ratings


def facts_of(level: Level) -> dict[str, str]:
    """Return what an opponent's file says about how it plays."""
    return {
        "level": level.name,
        "temperature": f"{level.temperature:g}",
        "search": str(level.search),
    }


def rating_facts(rating: Rating, anchor: str, duels: int) -> dict[str, str]:
    """Return what an opponent's file says about its strength."""
    return {
        "rating": f"{rating.elo:.0f}",
        "rating_interval": rating.span,
        "rating_scale": f"Elo, {anchor} = 0, {duels} duels against each other opponent",
    }


def with_facts(path: Path, facts: dict[str, str]) -> bytes:
    """Return the ONNX file at `path` with `facts` in its metadata, replacing those of a name."""
    model = onnx.load(io.BytesIO(read_file(path, "ONNX file")))
    kept = {item.key: item.value for item in model.metadata_props} | facts
    onnx.helper.set_model_props(model, kept)
    return model.SerializeToString()


def readme(
    levels: list[Level],
    ratings: list[Rating],
    others: dict[str, Rating],
    duels: int,
    seed: int,
) -> str:
    """Return checkpoints/README.md."""
    lines = [
        "# Opponents",
        "",
        "Graded opponents, the weakest first, and the scripted agents they were rated beside.",
        f"Elo with 95 % intervals, {next(iter(others))} = 0; each two met in {duels} duels, seats",
        f"swapped, all class pairs and maps, drawn loadouts, 1v1, seed {seed}; rules",
        f"{RULES_VERSION}. Written by `solwaris levels configs/levels.yaml`, which also puts the",
        "rating into each file's metadata.",
        "",
        "| opponent | file | Elo | 95 % interval | temperature | search | weights |",
        "|---|---|---|---|---|---|---|",
    ]
    for level, rating in zip(levels, ratings, strict=True):
        weights = "last" if level.snapshot is None else f"snapshot {level.snapshot}"
        how = f"{level.search} trials" if level.search else "none"
        lines.append(
            f"| {level.name} | `{level.file}` | {_row(rating)} | {level.temperature:g} | {how} | "
            f"{Path(level.run).name}, {weights} |"
        )
    lines += ["", "| beside them | Elo | 95 % interval |", "|---|---|---|"]
    lines += [f"| {name} | {_row(rating)} |" for name, rating in others.items()]
    lines += ["", *_close(levels, ratings)]
    lines += [
        "`first.onnx` is what `make train` writes in its eight minutes; it is not among them.",
        "",
        "    solwaris play --opponent checkpoints/" + levels[0].file,
        "",
    ]
    return "\n".join(lines)


def _row(rating: Rating) -> str:
    return f"{rating.elo:.0f} | {rating.span}"


def _close(levels: list[Level], ratings: list[Rating]) -> list[str]:
    """Lines about neighbours that are not clearly apart."""
    lines = []
    for i in range(1, len(levels)):
        before, after = ratings[i - 1], ratings[i]
        touching = before.high is None or after.low is None or before.high >= after.low
        if after.elo - before.elo < APART or touching:
            lines.append(
                f"{levels[i - 1].name} and {levels[i].name} are {after.elo - before.elo:.0f} Elo "
                f"apart{', their intervals touch' if touching else ''}.\n"
            )
    return lines
