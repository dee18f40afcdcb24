"""A training run from its first decision to its last checkpoint."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import get_device

from solwaris_env.agents import make_agent
from solwaris_env.agents.base import Agent
from solwaris_env.duel.vector import VectorDuel
from solwaris_env.errors import SolwarisError
from solwaris_env.files import write_atomic
from solwaris_env.match import play_match

from .checkpoint import (
    FILE,
    Checkpoint,
    generator_state,
    load_checkpoint,
    restore_generator,
    save_checkpoint,
)
from .choices import choices
from .config import CHANGEABLE, TrainConfig, dump_config, parse_config
from .imitation import Table, WarmStart
from .logs import run_logger
from .network import DuelNetwork
from .opponents import GREEDY, KINDS, PLANNER, RANDOM, Opponents
from .policy import DuelPolicy
from .pool import PolicyAgent, Pool
from .ppo import SelfPlayPPO, network_size
from .progress import TrainingProgress
from .selfplay import SelfPlay
from .stopwatch import Stopwatch
from .weights import load_weights

CONFIG_FILE = "config.yaml"
STREAMS = ("camps", "opponents", "minibatches")


@dataclass(frozen=True)
class TrainResult:
    """What a sitting came to.

    Attributes:
        folder: the run's.
        imitated: decisions of the teacher learned from.
        steps, seconds: of PPO's decisions, and of all; earlier sittings included.
        interrupted: it was stopped by Ctrl-C before its budget was used up.
    """

    folder: Path
    imitated: int
    steps: int
    seconds: float
    interrupted: bool


def train(
    config: TrainConfig, out_dir: str | Path, resume: bool = False, show: bool = True
) -> TrainResult:
    """Train by self-play until the budget is used up; see `TrainConfig` for every setting.

    `out_dir` gets config.yaml, checkpoint.pt, metrics.jsonl, the TensorBoard events and the
    pool of snapshots. Ctrl-C saves and ends; with `resume` the run goes on where it was:
    steps, minutes, schedules, optimiser, pool and random streams. The duels begin anew.

    Raises:
        SolwarisError: `out_dir` already holds a run and `resume` is not set, or holds none to
            resume, or one of another configuration; or the last checkpoint cannot be written.
    """
    folder = Path(out_dir)
    found = (folder / FILE).exists()
    if found and not resume:
        raise SolwarisError(f"{folder} already holds a run: resume it, or choose another folder")
    past = load_checkpoint(folder) if resume else None
    if past:
        _same_run(config, past, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SolwarisError(f"cannot make the folder {folder}: {error.strerror}") from error
    write_atomic(folder / CONFIG_FILE, dump_config(config))
    if config.threads is not None:
        torch.set_num_threads(config.threads)
    with TrainingProgress(shown=show) as progress:
        sitting = Sitting(config, folder, past, progress)
        with _interruptible(sitting):
            return sitting.run()


class Sitting:
    """One uninterrupted piece of a run: the model, its duels, and when to do what."""

    def __init__(
        self, config: TrainConfig, folder: Path, past: Checkpoint | None, progress: TrainingProgress
    ) -> None:
        self.config = config
        self.folder = folder
        self.progress = progress
        self.interrupted = False
        self.rates: dict[str, float] = {}
        self.clock = Stopwatch()
        self._timed = past.steps if past else 0
        self._start = time.monotonic()
        self._seconds_before = past.seconds if past else 0.0
        self._steps_before = past.steps if past else 0
        self._snapshot_step = past.snapshot_step if past else 0
        self._imitated = past.imitated if past else 0
        self._tempered = past.tempered if past else False
        self._imitation_optimizer = past.imitation_optimizer if past else {}
        self._saved = self._evaluated = self._start
        origin = np.random.SeedSequence([config.seed, self._steps_before])
        duels, scripted, *streams = origin.spawn(2 + len(STREAMS))
        self.rngs = {
            name: np.random.default_rng(stream)
            for name, stream in zip(STREAMS, streams, strict=True)
        }
        self.batch = _duels(config, _number(duels))
        self.pool = Pool(
            folder / "pool", config.pool_size, network_size(config), config.half, _device(config)
        )
        opponents = Opponents(
            _scripted(config, scripted),
            {
                RANDOM: config.random_share,
                GREEDY: config.greedy_share,
                PLANNER: config.planner_share,
            },
            self.pool,
            config.active_snapshots,
            config.newest_share,
            config.priority,
            self.rngs["opponents"],
            self.clock,
        )
        self.env = SelfPlay(
            self.batch,
            opponents,
            config.shaping,
            config.gamma,
            config.draw,
            self.rngs["camps"],
            self.clock,
        )
        self.model = SelfPlayPPO(
            config, self.env, self.used, self.over, self.rngs["minibatches"], self.clock
        )
        if past:
            self._restore(past)
        elif config.start is not None:
            load_weights(config.start, self.network)

    @property
    def network(self) -> DuelNetwork:
        """The learner's network."""
        policy = self.model.policy
        assert isinstance(policy, DuelPolicy)
        return policy.network

    @property
    def seconds(self) -> float:
        """Seconds of training so far, earlier sittings included."""
        return self._seconds_before + time.monotonic() - self._start

    def used(self) -> float:
        """Share of the budget used up, 0 to 1: of steps or minutes, whichever is more."""
        shares = [self.model.num_timesteps / max(1, self.config.total_steps)]
        if self.config.max_minutes is not None:
            shares.append(self.seconds / (60 * self.config.max_minutes))
        return min(1.0, max(shares))

    def over(self) -> bool:
        """Whether to stop: interrupted, or the minutes are used up."""
        limit = self.config.max_minutes
        return self.interrupted or (limit is not None and self.seconds >= 60 * limit)

    def run(self) -> TrainResult:
        """Train, and save at the end; see `train`."""
        model, config = self.model, self.config
        megabytes = model.rollout_buffer.nbytes / 2**20
        self.progress.say(
            f"{self.folder}: {config.envs} duels in lock step, {config.envs * config.rollout:,} "
            f"decisions an update, rollout buffer {megabytes:.0f} MiB"
        )
        left = config.total_steps - model.num_timesteps
        model.set_logger(run_logger(self.folder))
        try:
            if self._imitated < config.imitation_decisions:
                self.imitate()
            if left > 0 and not self.over():
                self.temper()
                model.learn(left, callback=_Steps(self), log_interval=1, reset_num_timesteps=False)
            self.snapshot()
            self.save()
        finally:
            model.logger.close()
        unfinished = self.interrupted and self.used() < 1.0
        return TrainResult(
            self.folder, self._imitated, model.num_timesteps, self.seconds, unfinished
        )

    def imitate(self) -> None:
        """Learn from the teacher."""
        config, model = self.config, self.model
        warm = _warm_start(config, self.network, self._imitated, self.rngs["minibatches"])
        if self._imitated:
            warm.restore(self._imitated, self._imitation_optimizer)
        before = warm.done / config.imitation_decisions
        began = time.monotonic()

        def save() -> None:
            self._imitated = warm.done
            self._imitation_optimizer = warm.optimizer.state_dict()
            self._try(self.save)

        def show(share: float, figures: dict[str, float]) -> None:
            for name, value in figures.items():
                model.logger.record(name, value)
            model.logger.dump(warm.done)
            now = time.monotonic()
            left = (now - began) * (1 - share) / max(share - before, 1e-9)
            self.progress.imitation(share, left, figures)
            if self._due(self._saved, config.checkpoint_minutes, now):
                self._saved = now
                save()

        self.network.train()
        warm.run(self.over, show)
        save()

    def temper(self) -> None:
        """Once in a run, as PPO begins, make the policy as sure of itself as configured."""
        if not self._tempered:
            self.network.temper(self.config.ppo_temperature)
            self._tempered = True

    def save(self) -> None:
        """Write the checkpoint, then drop the snapshots that it names no longer."""
        save_checkpoint(self.folder, self.checkpoint())
        self.pool.prune()

    def checkpoint(self) -> Checkpoint:
        """Gather the run's state as it is now."""
        return Checkpoint(
            config=dump_config(self.config),
            network=self.network.state_dict(),
            optimizer=self.model.policy.optimizer.state_dict(),
            imitated=self._imitated,
            imitation_optimizer=self._imitation_optimizer,
            tempered=self._tempered,
            steps=self.model.num_timesteps,
            updates=self.model._n_updates,
            seconds=self.seconds,
            snapshot_step=self._snapshot_step,
            pool=self.pool.ids,
            record=self.pool.record,
            generators={name: generator_state(rng) for name, rng in self.rngs.items()},
        )

    def before_rollout(self) -> None:
        """What is due between two updates: snapshot, opponents, figures, checkpoint."""
        if self.model.num_timesteps - self._snapshot_step >= self.config.snapshot_steps:
            self.snapshot()
        self.env.renew_opponents()
        now = time.monotonic()
        if self._due(self._evaluated, self.config.evaluate_minutes, now):
            self.evaluate()
            self._evaluated = time.monotonic()
        if self._due(self._saved, self.config.checkpoint_minutes, now):
            self._saved = now
            self._try(self.save)

    def after_rollout(self) -> None:
        """Note what the rollout's duels came to."""
        figures = self.env.take_figures()
        figures |= choices(self.network, self.model._last_obs, self.env.action_masks())
        figures |= self.clock.take(self.model.num_timesteps - self._timed)
        self._timed = self.model.num_timesteps
        for name, value in figures.items():
            self.model.logger.record(name, value)
        self.rates |= {
            kind: figures[f"win_rate/{kind}"] for kind in KINDS if f"win_rate/{kind}" in figures
        }
        self.show()

    def evaluate(self) -> None:
        """Measure the policy, as it samples, against random and greedy from both sides."""
        learner = PolicyAgent(self.network.eval(), "learner")
        for name in ("random", "greedy"):
            result = play_match(
                learner,
                make_agent(name),
                self.config.evaluate_duels,
                self.model.num_timesteps,
                team_size=self.config.team_size,
                map=self.config.map,
                classes=self.config.classes,
            )
            low, high = result.interval
            for key, value in (("", result.win_rate), ("_low", low), ("_high", high)):
                self.model.logger.record(f"evaluation/{name}{key}", value)

    def snapshot(self) -> None:
        """Put the network into the pool."""
        self._snapshot_step = self.model.num_timesteps
        self._try(lambda: self.pool.add(self.network))

    def show(self) -> None:
        """Bring the progress bar up to date."""
        used = self.used()
        sitting = time.monotonic() - self._start
        rate = (self.model.num_timesteps - self._steps_before) / max(sitting, 1e-9)
        left = self.seconds * (1 - used) / used if used else 0.0
        self.progress.update(used, self.model.num_timesteps, rate, left, self.rates)

    def _restore(self, past: Checkpoint) -> None:
        try:
            self.network.load_state_dict(past.network)
            self.model.policy.optimizer.load_state_dict(past.optimizer)
        except (RuntimeError, ValueError, KeyError) as error:
            raise SolwarisError(
                f"the checkpoint in {self.folder} does not fit its network"
            ) from error
        self.model.num_timesteps = past.steps
        self.model._n_updates = past.updates
        self.pool.restore(past.pool, past.record)
        torch.set_rng_state(past.torch_rng)
        for name, state in past.generators.items():
            restore_generator(self.rngs[name], state)
        self.model.follow_progress()

    def _try(self, write: Callable[[], object]) -> None:
        """Write something the run can do without for now; a full disk costs a line, no more."""
        try:
            write()
        except SolwarisError as error:
            self.progress.say(f"solwaris: {error}; training goes on")

    @staticmethod
    def _due(last: float, minutes: float | None, now: float) -> bool:
        return minutes is not None and now - last >= 60 * minutes


class _Steps(BaseCallback):
    """sb3's hooks into the sitting."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self._sitting = sitting

    def _on_rollout_start(self) -> None:
        self._sitting.before_rollout()

    def _on_step(self) -> bool:
        self._sitting.show()
        return not self._sitting.over()

    def _on_rollout_end(self) -> None:
        self._sitting.after_rollout()


@contextmanager
def _interruptible(sitting: Sitting) -> Iterator[None]:
    """Let the first Ctrl-C end the sitting in good order, and the second one at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(signum: int, frame: object) -> None:
        if sitting.interrupted:
            raise KeyboardInterrupt
        sitting.interrupted = True
        sitting.progress.say("stopping: saving the run (Ctrl-C again gives up on that)")

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _same_run(config: TrainConfig, past: Checkpoint, folder: Path) -> None:
    """Refuse to go on under another configuration; see CHANGEABLE."""
    import yaml

    old = parse_config(yaml.safe_load(past.config), str(folder / FILE))
    changes = {name: getattr(config, name) for name in CHANGEABLE}
    if replace(old, **changes) == config:
        return
    changed = [
        key
        for key, value in vars(config).items()
        if key not in CHANGEABLE and getattr(old, key) != value
    ]
    raise SolwarisError(
        f"{folder} holds a run of another configuration: {', '.join(changed)} differ; "
        f"only {', '.join(CHANGEABLE)} may change when a run is resumed"
    )


def _device(config: TrainConfig) -> torch.device:
    """Return the device the run asks for, and refuse one that is not there."""
    if config.device == "cuda" and not torch.cuda.is_available():
        raise SolwarisError("the configuration asks for device cuda, but torch finds no GPU")
    return get_device(config.device)


def _duels(config: TrainConfig, seed: int) -> VectorDuel:
    """Return the run's duels in lock step, of one team size or with the share asked for of 2v2."""
    sizes: int | np.ndarray | None = config.team_size
    if sizes is None:
        sizes = np.ones(config.envs, np.int64)
        sizes[: round(config.duo_share * config.envs)] = 2
    return VectorDuel(
        config.envs,
        seed=seed,
        team_size=sizes,
        map=config.map,
        classes=config.classes,
        copy=False,
    )


def _warm_start(
    config: TrainConfig, network: DuelNetwork, done: int, rng: np.random.Generator
) -> WarmStart:
    """Return the run's warm start, `done` decisions of which lie behind it."""
    duels, teacher, strays = np.random.SeedSequence([config.seed, done]).spawn(3)
    table = Table(
        _duels(config, _number(duels)),
        make_agent(config.imitation_teacher, _number(teacher)),
        config.imitation_wander,
        config.imitation_spread,
        config.imitation_stakes,
        np.random.default_rng(strays),
    )
    return WarmStart(
        network,
        table,
        config.imitation_decisions,
        passes=config.imitation_passes,
        batch=config.batch,
        kept=config.imitation_kept,
        learning_rate=(config.imitation_rate, config.imitation_rate_end),
        value_weight=config.value_weight,
        rng=rng,
    )


def _scripted(config: TrainConfig, seed: np.random.SeedSequence) -> dict[int, Agent]:
    """Return the scripted opponents that the run needs; those without a share cost nothing."""
    seeds = [_number(child) for child in seed.spawn(3)]
    agents = {RANDOM: make_agent("random", seeds[RANDOM])}
    if config.greedy_share:
        agents[GREEDY] = make_agent("greedy", seeds[GREEDY])
    if config.planner_share:
        agents[PLANNER] = make_agent(f"planner:nodes={config.planner_nodes}", seeds[PLANNER])
    return agents


def _number(seed: np.random.SeedSequence) -> int:
    return int(seed.generate_state(1)[0])
