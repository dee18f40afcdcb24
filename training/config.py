"""A training run is one documented dataclass, written as a YAML file in `configs/`."""

import dataclasses
import inspect
import math
import re
import types
import typing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from solwaris_env.errors import SolwarisError
from solwaris_env.files import read_file


@dataclass(frozen=True)
class TrainConfig:
    """Everything that decides a run; a key left out of the file takes the value below.

    The duel:
        seed: of weights, duels, opponents and minibatches.
        team_size: heroes a side, 1 or 2; null: both, see duo_share.
        duo_share: share of the duels in lock step that are two against two, if team_size is null.
        map: a map's id; null draws it for each duel.
        classes: class ids by seat; null draws them for each duel.
    The opponents, drawn anew for each duel:
        random_share, greedy_share, planner_share: share of duels against each; the rest meets
            own snapshots.
        planner_nodes: how many trials the planner makes for a decision.
        pool_size: snapshots kept, the oldest go first.
        active_snapshots: of these, how many are met between two updates of the network.
        newest_share: chance that a snapshot met is the newest, else any of the pool.
        priority: these are drawn in proportion to (1 - the learner's win rate against the
            snapshot) to this power; 0: all alike.
        snapshot_steps: decisions between two snapshots.
    The warm start, before PPO:
        start: an ONNX file of a network of the same size, whose weights are the first; null: none.
        imitation_decisions: how many of the teacher's the network learns from; 0: none.
        imitation_teacher: an agent's name, as on the command line.
        imitation_wander: share of decisions that the network plays instead of the teacher.
        imitation_spread: hit points; an action that the teacher thinks worse by so much is e times
            less wanted than its best (which only a planner tells); 0: its choice alone.
        imitation_stakes: hit points; a decision weighs once more for every so many that the
            other actions thought through are worse by, on average (which only a planner tells);
            0: all weigh alike.
        imitation_passes: how often each is learned from, on average.
        imitation_kept: the latest decisions kept to learn from (17 kB each).
        imitation_rate, imitation_rate_end: learning rate at start and end, linear.
    The budget, whichever ends first:
        total_steps: decisions of the learner; 0: the warm start alone.
        max_minutes: minutes of training, earlier sittings included; null: no limit.
    PPO:
        ppo_temperature: at which it begins with the policy of the warm start; below 1 that is surer
            of itself.
        envs: duels in lock step.
        rollout: decisions of each duel between two updates.
        batch: decisions in a minibatch.
        epochs: passes over a rollout.
        gamma, gae_lambda: discount, and the trace of the advantages.
        learning_rate, learning_rate_end: at the start and the end of the budget, linear.
        clip, clip_end: of PPO's ratio, likewise.
        entropy, entropy_end: weight of the entropy bonus, likewise.
        value_weight, max_grad_norm, target_kl: as in PPO; target_kl null: never stop an update.
        shaping: weight of the potential-based reward from shares of hit points; 0: none.
        draw: reward of a draw; below 0, or two who learn from each other come to wait for ever.
    The network:
        channels: length of a cell's embedding.
        blocks: residual convolutions at half the resolution.
        width: length of the situation's vector.
        half: compute the trunk in bfloat16; for CPUs that know it (AMX, AVX512) and GPUs.
        threads: of torch; null leaves torch's own choice.
        device: cpu, cuda or auto.
    Records:
        checkpoint_minutes: between two checkpoints.
        evaluate_minutes: between two measurements against random and greedy; null: none.
        evaluate_duels: duels in each of these, half from each side.
    """

    seed: int = 0
    team_size: int | None = 1
    duo_share: float = 0.5
    map: str | None = None
    classes: tuple[str, ...] | None = None

    random_share: float = 0.2
    greedy_share: float = 0.2
    planner_share: float = 0.0
    planner_nodes: int = 300
    pool_size: int = 12
    active_snapshots: int = 2
    newest_share: float = 0.5
    priority: float = 1.0
    snapshot_steps: int = 200_000

    start: str | None = None
    imitation_decisions: int = 0
    imitation_teacher: str = "planner:nodes=600"
    imitation_wander: float = 0.25
    imitation_spread: float = 0.0
    imitation_stakes: float = 0.0
    imitation_passes: float = 2.0
    imitation_kept: int = 200_000
    imitation_rate: float = 1e-3
    imitation_rate_end: float = 2e-4

    total_steps: int = 10_000_000
    max_minutes: float | None = None

    ppo_temperature: float = 1.0
    envs: int = 512
    rollout: int = 32
    batch: int = 1024
    epochs: int = 2
    gamma: float = 0.997
    gae_lambda: float = 0.95
    learning_rate: float = 1e-3
    learning_rate_end: float = 1e-4
    clip: float = 0.2
    clip_end: float = 0.1
    entropy: float = 0.01
    entropy_end: float = 0.001
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    target_kl: float | None = None
    shaping: float = 0.5
    draw: float = 0.0

    channels: int = 32
    blocks: int = 2
    width: int = 192
    half: bool = True
    threads: int | None = None
    device: str = "cpu"

    checkpoint_minutes: float = 2.0
    evaluate_minutes: float | None = None
    evaluate_duels: int = 128


# Smallest and largest value allowed; a third entry excludes the smallest itself.
RANGES: dict[str, tuple] = {
    "seed": (0, 2**31 - 1),
    "team_size": (1, 2),
    "random_share": (0, 1),
    "greedy_share": (0, 1),
    "duo_share": (0, 1),
    "planner_share": (0, 1),
    "planner_nodes": (1, 1_000_000),
    "priority": (0, 10),
    "pool_size": (1, 1000),
    "active_snapshots": (1, 64),
    "newest_share": (0, 1),
    "snapshot_steps": (1, math.inf),
    "imitation_decisions": (0, math.inf),
    "imitation_wander": (0, 1),
    "imitation_spread": (0, 1000),
    "imitation_stakes": (0, 1000),
    "imitation_passes": (0, 1000, "open"),
    "imitation_kept": (1, 100_000_000),
    "imitation_rate": (0, 1, "open"),
    "imitation_rate_end": (0, 1),
    "total_steps": (0, math.inf),
    "max_minutes": (0, math.inf, "open"),
    "ppo_temperature": (0, 100, "open"),
    "envs": (1, 65536),
    "rollout": (2, 65536),
    "batch": (2, math.inf),
    "epochs": (1, 100),
    "gamma": (0, 1, "open"),
    "gae_lambda": (0, 1),
    "learning_rate": (0, 1, "open"),
    "learning_rate_end": (0, 1),
    "clip": (0, 1, "open"),
    "clip_end": (0, 1, "open"),
    "entropy": (0, 10),
    "entropy_end": (0, 10),
    "value_weight": (0, 100),
    "max_grad_norm": (0, math.inf, "open"),
    "target_kl": (0, math.inf, "open"),
    "shaping": (0, 10),
    "draw": (-1, 1),
    "channels": (4, 1024),
    "blocks": (0, 64),
    "width": (8, 8192),
    "threads": (1, 1024),
    "checkpoint_minutes": (0, math.inf, "open"),
    "evaluate_minutes": (0, math.inf, "open"),
    "evaluate_duels": (2, 1_000_000),
}
# What a resumed run may change: its budget, and how the machine is used.
CHANGEABLE = ("imitation_decisions", "total_steps", "max_minutes", "threads")
DEVICES = ("cpu", "cuda", "auto")


class _Twice(ValueError):
    """A key stands twice; YAML would silently take the last one."""


class _OnceLoader(yaml.SafeLoader):
    """Reads plain data, each key once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        """Build a table of `node`, or raise _Twice."""
        seen = set()
        for key, _ in node.value:
            name = str(key.value)
            if name in seen:
                raise _Twice(f"the key {name} stands twice")
            seen.add(name)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path, kind: str) -> Any:
    """Return the plain data of a YAML file whose tables hold each key once.

    Raises:
        SolwarisError: the file, of this `kind`, cannot be read or is no such YAML.
    """
    text = read_file(path, kind)
    try:
        return yaml.load(text, _OnceLoader)
    except _Twice as error:
        raise SolwarisError(f"{path}: {error}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark else ""
        raise SolwarisError(f"{path}: this is no YAML{where}") from error


def load_config(path: str | Path) -> TrainConfig:
    """Read a run's YAML file.

    Raises:
        SolwarisError: the file cannot be read, or a key in it is unknown, of the wrong type or
            out of range; the sentence names file and key.
    """
    data = read_yaml(path, "configuration")
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise SolwarisError(f"{path}: expected keys and values, got {_kind(data)}")
    return parse_config(data, str(path))


def parse_config(data: dict[Any, Any], where: str) -> TrainConfig:
    """Make a configuration of `data`; `where` names its origin in errors.

    Raises:
        SolwarisError: see `load_config`.
    """
    fields = {field.name: field.type for field in dataclasses.fields(TrainConfig)}
    values = {}
    for key, value in data.items():
        if key not in fields:
            raise SolwarisError(f"{where}: unknown key {key!r}, expected one of {_listed(fields)}")
        values[key] = _checked(value, fields[key], key, where)
    config = TrainConfig(**values)
    if config.random_share + config.greedy_share + config.planner_share > 1:
        raise SolwarisError(
            f"{where}: random_share, greedy_share and planner_share together exceed 1"
        )
    if config.device not in DEVICES:
        raise SolwarisError(
            f"{where}: device must be one of {_listed(DEVICES)}, got {config.device!r}"
        )
    if config.batch > config.envs * config.rollout:
        raise SolwarisError(
            f"{where}: batch must be at most envs * rollout = {config.envs * config.rollout}, "
            f"got {config.batch}"
        )
    if config.evaluate_duels % 2:
        raise SolwarisError(f"{where}: evaluate_duels must be even, got {config.evaluate_duels}")
    _check_names(config, where)
    return config


def override(config: TrainConfig, changes: dict[str, Any]) -> TrainConfig:
    """Return `config` with the `changes` given on the command line.

    Raises:
        SolwarisError: see `load_config`.
    """
    if not changes:
        return config
    return parse_config(dataclasses.asdict(config) | changes, "command line")


def key_table() -> list[str]:
    """Return the rows of a Markdown table of all keys: key, value if left out, meaning."""
    defaults = {field.name: field.default for field in dataclasses.fields(TrainConfig)}
    text = inspect.getdoc(TrainConfig) or ""
    entry = re.compile(r"^    ([a-z_, ]+): (.+(?:\n        .+)*)", re.M)
    rows = ["| key | value if left out | meaning |", "|---|---|---|"]
    for names, meaning in entry.findall(text):
        keys = names.split(", ")
        values = ", ".join(yaml.safe_dump(defaults[key]).split("\n")[0] for key in keys)
        listed = ", ".join(f"`{key}`" for key in keys)
        rows.append(f"| {listed} | {values} | {' '.join(meaning.split())} |")
    return rows


def dump_config(config: TrainConfig) -> str:
    """Return the YAML text of `config`; `load_config` reads it back."""
    data = dataclasses.asdict(config)
    if config.classes is not None:
        data["classes"] = list(config.classes)
    return yaml.safe_dump(data, sort_keys=False)


def _checked(value: Any, annotation: Any, key: str, where: str) -> Any:
    """Return `value` as the type that `annotation` names, within its range."""
    options = set(typing.get_args(annotation)) if _is_union(annotation) else {annotation}
    if value is None and types.NoneType in options:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if str in options and isinstance(value, str):
        return value
    if bool in options and isinstance(value, bool):
        return value
    if int in options and number and value == value // 1 and not isinstance(value, str):
        return _in_range(int(value), key, where)
    if float in options and number and math.isfinite(value):
        return _in_range(float(value), key, where)
    if tuple[str, ...] in options and isinstance(value, list | tuple):
        if all(isinstance(item, str) for item in value):
            return tuple(value)
        raise SolwarisError(f"{where}: {key} must be a list of names")
    raise SolwarisError(f"{where}: {key} must be {_expected(options)}, got {_shown(value)}")


def _in_range(value: float, key: str, where: str) -> Any:
    low, high, *is_open = RANGES[key]
    if low <= value <= high and not (is_open and value == low):
        return value
    limits = f"above {low}" if is_open else f"at least {low}"
    if high != math.inf:
        limits += f" and at most {high}"
    raise SolwarisError(f"{where}: {key} must be {limits}, got {value}")


def _check_names(config: TrainConfig, where: str) -> None:
    """Refuse maps and classes that do not exist."""
    if config.map is None and config.classes is None:
        return
    from solwaris_env.duel.content.loader import content

    known = content()
    maps = [item.id for item in known.maps]
    if config.map is not None and config.map not in maps:
        raise SolwarisError(f"{where}: map must be one of {_listed(maps)}, got {config.map!r}")
    classes = [item.id for item in known.classes]
    for name in config.classes or ():
        if name not in classes:
            raise SolwarisError(f"{where}: classes must be among {_listed(classes)}, got {name!r}")
    seats = {1: (2,), 2: (4,), None: (4,)}[config.team_size]
    if config.classes is not None and len(config.classes) not in seats:
        raise SolwarisError(
            f"{where}: classes must name {seats[0]} seats, got {len(config.classes)}"
        )


def _is_union(annotation: Any) -> bool:
    return isinstance(annotation, types.UnionType)


def _expected(options: set) -> str:
    words = {
        int: "a whole number",
        float: "a number",
        str: "a name",
        bool: "true or false",
        types.NoneType: "null",
        tuple[str, ...]: "a list of names",
    }
    return " or ".join(words[option] for option in words if option in options)


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str | int | float | None) else _kind(value)


def _kind(value: Any) -> str:
    return {list: "a list", dict: "a table", str: "text"}.get(type(value), repr(value))


def _listed(names: Any) -> str:
    return ", ".join(names)
