"""`solwaris bench` runs, counts and compares; how fast is never asserted here."""

import json

import pytest
from commands import refused

from solwaris_env.bench import measure as bench
from solwaris_env.cli import main


def test_rates_are_medians_of_slices():
    ticks = iter([(1, 1.0), (10, 1.0), (30, 1.0), (20, 1.0)])  # the first slice only warms up
    one = bench.Contestant("one", "units", lambda seconds: next(ticks))
    assert list(bench.race([one], 3, 1.0)) == ["one"] * 4
    assert one.rates == [10, 30, 20]
    assert one.rate == 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seconds", "0"], "--seconds 0.0: expected above 0"),
        (["--slices", "0"], "--slices 0: expected 1 to 1000"),
    ],
)
def test_bad_options_get_a_sentence(arguments, said, capsys):
    assert said in refused(["bench", *arguments], capsys)


def test_the_command_reports_every_aim(tmp_path, capsys):
    target = tmp_path / "bench.json"
    assert main(["bench", "--seconds", "0.05", "--slices", "1", "--json", str(target)]) == 0
    report = json.loads(target.read_text())
    assert {"lock_step", "floor", "env", "raw_env", "playouts", "nodes"} <= set(report["rates"])
    assert all(rate["median"] > 0 for rate in report["rates"].values())
    assert 0 < report["memory_per_duel_bytes"] <= 32 * 1024
    # 32 planes of 504 bytes, 235 numbers of 4 bytes, a mask row of 4,608 bytes
    assert report["bytes_written_per_decision"] == 32 * 504 + 235 * 4 + 4608
    assert "lock step beside the floor" in capsys.readouterr().out
