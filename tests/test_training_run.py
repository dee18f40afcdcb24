"""A run saves itself whole, goes on where it was, and ends well on Ctrl-C and a full disk."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from solwaris_env.errors import SolwarisError
from training import train as train_module
from training.checkpoint import FILE, load_checkpoint
from training.cli import INTERRUPTED, run_train
from training.config import TrainConfig, dump_config, load_config
from training.export import to_onnx
from training.network import DuelNetwork, NetworkSize
from training.pool import Pool
from training.stopwatch import PARTS
from training.train import Sitting, train

TINY = TrainConfig(
    seed=3,
    map="caveau",
    envs=8,
    rollout=4,
    batch=16,
    epochs=1,
    total_steps=128,
    random_share=0.5,
    greedy_share=0.0,
    pool_size=2,
    active_snapshots=1,
    snapshot_steps=32,
    channels=4,
    blocks=0,
    width=8,
    half=False,
    threads=1,
    checkpoint_minutes=1e-6,
    learning_rate=0.01,
    learning_rate_end=0.0,
    clip=0.3,
    clip_end=0.1,
    entropy=0.02,
    entropy_end=0.0,
)


def metrics(folder: Path) -> list[dict]:
    """The figures of every update."""
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def test_run_leaves_what_it_promises(tmp_path: Path) -> None:
    """Configuration, checkpoint, metrics, TensorBoard events and a bounded pool."""
    folder = tmp_path / "run"
    result = train(TINY, folder, show=False)
    assert result.steps == TINY.total_steps
    assert not result.interrupted
    checkpoint = load_checkpoint(folder)
    assert checkpoint.steps == TINY.total_steps
    assert checkpoint.updates == 4
    assert len(checkpoint.pool) == TINY.pool_size
    assert sorted(path.stem for path in (folder / "pool").iterdir()) == [
        f"{number:06d}" for number in checkpoint.pool
    ]
    assert [line["step"] for line in metrics(folder)] == [32, 64, 96, 128]
    for line in metrics(folder):
        shares = [line[f"time/{part}"] for part in (*PARTS, "rest")]
        assert sum(shares) == pytest.approx(1)
        assert min(shares) >= 0
        assert line["time/policy"] > 0
        assert line["time/engine"] > 0
        assert line["time/decisions_per_second"] > 0
    assert metrics(folder)[1]["time/update"] > 0
    assert list(folder.glob("events.out.tfevents.*"))
    assert not list(folder.rglob("*.part"))


def test_resumed_run_goes_on(tmp_path: Path) -> None:
    """Steps, schedules, optimiser, pool, random streams and metrics; nothing starts again."""
    folder = tmp_path / "run"
    train(replace(TINY, total_steps=64), folder, show=False)
    half = load_checkpoint(folder)
    whole = replace(TINY, total_steps=128)

    sitting = Sitting(whole, folder, half, train_module.TrainingProgress(shown=False))
    model = sitting.model
    assert model.num_timesteps == 64
    assert model.lr_schedule(model._current_progress_remaining) == pytest.approx(0.005)
    assert model.clip_range(model._current_progress_remaining) == pytest.approx(0.2)
    assert model.ent_coef == pytest.approx(0.01)
    for key, value in half.network.items():
        assert torch.equal(sitting.network.state_dict()[key], value)
    kept = model.policy.optimizer.state_dict()["state"]
    assert set(kept) == set(half.optimizer["state"])
    for index, state in half.optimizer["state"].items():
        assert torch.equal(kept[index]["exp_avg_sq"], state["exp_avg_sq"])
        assert kept[index]["step"] == state["step"] == 4
    assert sitting.pool.ids == half.pool
    for name, state in half.generators.items():
        assert sitting.rngs[name].bit_generator.state == json.loads(state)

    train(whole, folder, resume=True, show=False)
    end = load_checkpoint(folder)
    assert end.steps == 128
    assert end.updates == 4
    assert end.seconds > half.seconds
    assert max(end.pool) > max(half.pool)
    assert end.optimizer["state"][0]["step"] == 8
    lines = metrics(folder)
    assert [line["step"] for line in lines] == [32, 64, 96, 128]
    # A line shows the rate of the update before it; the third sitting's first was at 3/4.
    assert lines[-1]["train/learning_rate"] == pytest.approx(0.0025)


def test_measurements_are_logged(tmp_path: Path) -> None:
    """Win rates with their intervals against random and greedy."""
    config = replace(TINY, total_steps=32, evaluate_minutes=1e-6, evaluate_duels=2)
    train(config, tmp_path / "run", show=False)
    (line,) = metrics(tmp_path / "run")
    for name in ("random", "greedy"):
        low, rate, high = (line[f"evaluation/{name}{end}"] for end in ("_low", "", "_high"))
        assert 0 <= low <= rate <= high <= 1


def test_policy_of_the_start_file_goes_into_ppo_at_its_temperature(tmp_path: Path) -> None:
    """Its weights are the file's, those of the logits divided: once, however often resumed."""
    torch.manual_seed(0)
    network = DuelNetwork(NetworkSize(4, 0, 8))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_()  # no two alike, as once trained
    start = tmp_path / "start.onnx"
    start.write_bytes(to_onnx(network, "any"))
    config = replace(TINY, start=str(start), ppo_temperature=0.5, learning_rate=1e-12)

    def trained(**changes: Any) -> DuelNetwork:
        train(replace(config, **changes), tmp_path / "run", resume=True, show=False)
        again = DuelNetwork(NetworkSize(4, 0, 8))
        again.load_state_dict(load_checkpoint(tmp_path / "run").network)
        return again

    train(replace(config, total_steps=0), tmp_path / "run", show=False)
    for steps, temperature in ((0, 1.0), (32, 0.5), (64, 0.5)):
        now = trained(total_steps=steps).state_dict()
        for key, value in network.state_dict().items():
            logits = key.split(".")[0] in ("query", "query_far", "specials")
            torch.testing.assert_close(now[key], value / (temperature if logits else 1.0))


def test_used_up_run_is_not_trained_further(tmp_path: Path) -> None:
    """Resuming a finished run changes nothing."""
    folder = tmp_path / "run"
    train(TINY, folder, show=False)
    before = load_checkpoint(folder).network
    result = train(TINY, folder, resume=True, show=False)
    assert result.steps == TINY.total_steps
    for key, value in load_checkpoint(folder).network.items():
        assert torch.equal(before[key], value)


def test_runs_are_not_mixed_up(tmp_path: Path) -> None:
    """No overwriting, no resuming of nothing, no other configuration."""
    folder = tmp_path / "run"
    with pytest.raises(SolwarisError, match="holds no run"):
        train(TINY, folder, resume=True, show=False)
    train(replace(TINY, total_steps=32), folder, show=False)
    with pytest.raises(SolwarisError, match="already holds a run"):
        train(TINY, folder, show=False)
    with pytest.raises(SolwarisError, match="gamma"):
        train(replace(TINY, gamma=0.5), folder, resume=True, show=False)


@pytest.mark.parametrize("damage", ["cut", "altered", "other", "empty"])
def test_damaged_checkpoint_is_a_sentence(tmp_path: Path, damage: str) -> None:
    """Truncated, altered, of another observation, empty."""
    folder = tmp_path / "run"
    train(replace(TINY, total_steps=32), folder, show=False)
    path = folder / FILE
    data = path.read_bytes()
    if damage == "other":
        content = torch.load(path, weights_only=True) | {"observation_schema": "0"}
        torch.save(content, path)
    else:
        changed = {"cut": data[: len(data) // 2], "altered": data[:99] + b"\0" * 400, "empty": b""}
        path.write_bytes(changed[damage])
    with pytest.raises(SolwarisError, match=r"checkpoint\.pt") as caught:
        train(TINY, folder, resume=True, show=False)
    assert "\n" not in str(caught.value)


def test_full_disk_keeps_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """A refused write costs a line during training and a sentence at its end, no file."""
    folder = tmp_path / "run"
    train(replace(TINY, total_steps=64), folder, show=False)
    before = {path: path.read_bytes() for path in folder.rglob("*.pt")}

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(train_module, "write_atomic", lambda path, data: None)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SolwarisError, match="no space left on device"):
        train(TINY, folder, resume=True)
    assert "training goes on" in " ".join(capsys.readouterr().err.split())
    assert {path: path.read_bytes() for path in folder.rglob("*.pt")} == before
    assert not list(folder.rglob("*.part"))
    monkeypatch.undo()
    assert train(TINY, folder, resume=True, show=False).steps == TINY.total_steps


def test_ctrl_c_saves_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """Exit status 130, one line, and a run that resumes."""
    show = Sitting.show
    stopped: list[int] = []

    def interrupting(self: Sitting) -> None:
        show(self)
        if 64 < self.model.num_timesteps < 96 and not stopped:  # in the midst of a rollout
            stopped.append(self.model.num_timesteps)
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Sitting, "show", interrupting)
    path = tmp_path / "tiny.yaml"
    path.write_text(dump_config(TINY))
    folder = tmp_path / "run"
    args = type(
        "Args",
        (),
        {
            "config": str(path),
            "out": str(folder),
            "resume": False,
            "steps": None,
            "minutes": None,
            "set": [],
            "quiet": True,
        },
    )
    handler = signal.getsignal(signal.SIGINT)
    assert run_train(args) == INTERRUPTED
    assert signal.getsignal(signal.SIGINT) is handler
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"`solwaris train {path} --out {folder} --resume`")
    assert [load_checkpoint(folder).steps] == stopped
    monkeypatch.undo()
    args.resume = True
    assert run_train(args) == 0
    assert load_checkpoint(folder).steps >= TINY.total_steps


def test_minutes_end_a_run(tmp_path: Path) -> None:
    """The budget of time counts, and the schedules follow it."""
    config = replace(TINY, total_steps=10_000_000, max_minutes=0.03)
    result = train(config, tmp_path / "run", show=False)
    assert 1.8 <= result.seconds < 10
    assert not result.interrupted


def test_pool_is_bounded_and_comes_back(tmp_path: Path) -> None:
    """The oldest leaves, on the disk too; restored snapshots play as before."""
    size = NetworkSize(4, 0, 8)
    pool = Pool(tmp_path / "pool", 3, size)
    rng = np.random.default_rng(0)
    assert pool.choose(2, 0.5, rng) == []
    networks = [DuelNetwork(size) for _ in range(5)]
    assert [pool.add(network) for network in networks] == [0, 1, 2, 3, 4]
    assert pool.ids == [2, 3, 4]
    # A checkpoint written before the last two still finds its snapshots.
    Pool(tmp_path / "pool", 3, size).restore([0, 1, 2])
    pool.prune()
    assert len(list((tmp_path / "pool").iterdir())) == 3
    assert set(pool.choose(50, 1.0, rng)) == {4}
    assert set(pool.choose(200, 0.0, rng)) == {2, 3, 4}
    again = Pool(tmp_path / "pool", 3, size)
    again.restore([2, 3, 4])
    for key, value in networks[3].state_dict().items():
        assert torch.equal(again.agent(3).network.state_dict()[key], value)
    assert again.add(networks[0]) == 5
    (tmp_path / "pool" / "000004.pt").write_bytes(b"nothing")
    with pytest.raises(SolwarisError, match=r"000004\.pt is damaged"):
        again.restore([4])
    other = Pool(tmp_path / "pool", 3, NetworkSize(6, 1, 8))
    other.restore([5])
    with pytest.raises(SolwarisError, match=r"000005\.pt does not fit its run's network"):
        other.agent(5)


def test_killed_run_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    """kill -9 in the midst of a run, several times: nothing is torn, and the run is finished."""
    path, folder = tmp_path / "run.yaml", tmp_path / "run"
    path.write_text(
        dump_config(
            replace(TINY, total_steps=100_000, imitation_decisions=256, imitation_teacher="random")
        )
    )
    command = [sys.executable, "-m", "solwaris_env.cli", "train", str(path), "--out", str(folder)]
    steps = 0
    for sitting in range(3):
        resume = ["--resume"] if sitting else []
        process = subprocess.Popen(command + resume, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline:
                time.sleep(0.05)
                assert process.poll() is None
                if (folder / FILE).exists() and load_checkpoint(folder).steps > steps + 64:
                    break
        finally:
            process.kill()
            process.wait()
        past = load_checkpoint(folder)
        assert past.imitated >= 256
        assert past.steps > steps
        steps = past.steps
        # Every snapshot that the checkpoint names is there, whatever was going on.
        Pool(folder / "pool", TINY.pool_size, NetworkSize(4, 0, 8)).restore(past.pool)
    end = replace(load_config(path), total_steps=steps + 64)
    assert train(end, folder, resume=True, show=False).steps >= steps + 64
    assert [line["step"] for line in metrics(folder)][-1] >= steps + 64


def test_a_warm_start_alone_is_saved_on_its_way_and_goes_on(tmp_path: Path) -> None:
    """No PPO with total_steps 0; more decisions asked for are learned after those before."""
    config = replace(
        TINY,
        total_steps=0,
        imitation_decisions=256,
        imitation_teacher="random",
        checkpoint_minutes=1e-6,
    )
    assert train(config, tmp_path / "run", show=False).steps == 0
    past = load_checkpoint(tmp_path / "run")
    assert past.imitated == 256
    assert past.imitation_optimizer["state"]
    steps = [line["step"] for line in metrics(tmp_path / "run")]
    assert steps == [128, 256]  # of eight duels, sixteen decisions each
    more = replace(config, imitation_decisions=384)
    train(more, tmp_path / "run", resume=True, show=False)
    assert load_checkpoint(tmp_path / "run").imitated == 384
    assert [line["step"] for line in metrics(tmp_path / "run")] == [128, 256, 384]
