"""Evaluation as a command: own agents by name, processes, Ctrl-C, pictures, faults told."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import refused

from solwaris_env import cli
from solwaris_env.agents import make_agent
from solwaris_env.errors import SolwarisError
from solwaris_env.evaluation import command, series
from solwaris_env.evaluation.series import Series

ROOT = Path(__file__).resolve().parent.parent


MODULE = "their_agents"
AGENT = """
import numpy as np
from solwaris_env.agents import Agent


class Steady(Agent):
    name = "steady"

    def act(self, view):
        return int(np.flatnonzero(view.action_mask)[-1])


class Broken(Steady):
    def act(self, view):
        return view.nothing


class Illegal(Steady):
    def act(self, view):
        return 4538


class Vague(Steady):
    def act_batch(self, views):
        return np.zeros(len(views))


class Nameless(Steady):
    name = None


def shy():
    raise OSError("not today")


steady = Steady()
number = 7
"""


@pytest.mark.parametrize("agents", [
    ["greedy", "random"], ["their_agents:Steady", "random", "greedy"],
])  # fmt: skip
def test_one_result_whatever_the_number_of_processes(
    agents: list[str], here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(series, "START_SECONDS", -1.0)
    started = []
    elsewhere = series._elsewhere
    monkeypatch.setattr(
        series, "_elsewhere", lambda *given: started.append(given[-1]) or elsewhere(*given)
    )
    name = "evaluate" if len(agents) == 2 else "tournament"
    for workers in (1, 2):
        argv = [name, *agents, "--duels", "32", "--workers", str(workers)]
        assert cli.main([*argv, "--seed", "5", "--json", f"{workers}.json"]) == 0
        out, err = capsys.readouterr()
        assert "Elo" in out and err == ""
    assert started == [2]
    texts = [(here / f"{workers}.json").read_bytes() for workers in (1, 2)]
    assert texts[0] == texts[1]
    data = json.loads(texts[0])
    assert data["settings"] == {
        "duels": 32, "seed": 5, "team_size": 1, "map": None, "classes": None,
        "anchor": "random", "anchor_elo": 0.0, "resamples": 1000,
    }  # fmt: skip
    assert [agent["agent"] for agent in data["agents"]] == agents


def test_duel_and_evaluate_play_the_same_duels(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert cli.main(["duel", "greedy", "random", "--duels", "8", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    file = tmp_path / "r.json"
    assert cli.main(["evaluate", "greedy", "random", "--duels", "8", "--json", str(file)]) == 0
    assert json.loads(file.read_text())["meetings"] == [told]


def test_own_agents_by_name(here: Path) -> None:
    for spec in ("their_agents:Steady", "their_agents:steady"):
        assert make_agent(spec, 1).name == "steady"


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("no_such_agents:Steady", "there is no module no_such_agents here or among"),
        ("their_agents:Stedy", "their_agents has no Stedy, did you mean Steady?"),
        ("their_agents:number", "expected an Agent or what makes one, got int"),
        ("their_agents:Nameless", "it has no name, a text"),
        ("their_agents:shy", "OSError: not today"),
        ("their_agents:", "unknown agent 'their_agents:'"),
        ("a b:c", "unknown agent 'a b:c'"),
    ],
)
def test_faulty_own_agents(spec: str, sentence: str, here: Path) -> None:
    with pytest.raises(SolwarisError) as error:
        make_agent(spec)
    assert sentence in str(error.value)


def test_a_module_that_fails_is_told_with_its_line(here: Path) -> None:
    (here / "lame_agents.py").write_text("import numpy\n\nimport no_such_package\n")
    with pytest.raises(SolwarisError, match=r"lame_agents\.py:3: ModuleNotFoundError"):
        make_agent("lame_agents:Agent")


@pytest.mark.parametrize(("attribute", "sentence"), [
    ("Broken", "their_agents.py:15: AttributeError"),
    ("Illegal", "the agent steady chose 4538, which is no legal action"),
    ("Vague", "the agent steady answered with float64 of shape"),
])  # fmt: skip
@pytest.mark.parametrize("workers", [1, 2])
def test_agents_that_fail_are_told(
    attribute: str, sentence: str, workers: int, here: Path, capsys: pytest.CaptureFixture
) -> None:
    argv = ["evaluate", f"their_agents:{attribute}", "random", "--duels", "4"]
    argv += ["--workers", str(workers), "--json", "r.json"]
    assert sentence in refused(argv, capsys)
    assert not (here / "r.json").exists()


def test_what_fails_in_another_process_is_told_too(here: Path) -> None:
    """Two processes, one of which meets an agent that fails, and one that dies."""
    (here / "late_agents.py").write_text(
        "import os\nfrom their_agents import Steady\n\n\n"
        "class Late(Steady):\n    def reset(self, seed=None):\n"
        "        if os.getpid() != int(os.environ['FIRST_PROCESS']):\n"
        "            os._exit(3)\n"
    )
    os.environ["FIRST_PROCESS"] = str(os.getpid())
    try:
        for spec, sentence in (
            ("their_agents:Broken", "AttributeError"),
            ("late_agents:Late", "ended before its time, with exit status 3"),
        ):
            job = Series([spec, "random"], 32).job
            with pytest.raises(SolwarisError, match=sentence):
                list(series._elsewhere(job, job.chunks(), lambda ended: None, 2))
    finally:
        del os.environ["FIRST_PROCESS"]
        sys.modules.pop("late_agents", None)


INTERRUPTED = """
import sys

from solwaris_env import cli, progress
from solwaris_env.evaluation import series

if __name__ == "__main__":
    series.START_SECONDS = -1.0
    progress.ProgressLine.update = lambda self, done: print(done, flush=True)
    sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes")
def test_ctrl_c_reports_what_is_finished_and_leaves_no_process(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    argv = ["evaluate", "greedy", "random", "--duels", "100000", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, str(script), *argv, "--json", "r.json", "--plot", "r.png"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a shell lets its background jobs, and all they start, ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    for line in process.stdout:
        if int(line) > 400:  # two processes have played more than a chunk of 128 each
            break
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all of them
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert err.count("\n") == 1 and err.startswith("solwaris: interrupted; ")
    assert "of 100000 asked for" in out
    data = json.loads((tmp_path / "r.json").read_text())
    assert not data["complete"]
    played = data["meetings"][0]["duels"]
    assert played >= 128 and played % 128 == 0
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ProcessLookupError):  # multiprocessing's own helper needs a moment
        for _ in range(100):
            os.killpg(process.pid, 0)
            time.sleep(0.1)


def test_ctrl_c_before_anything_is_finished(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    def interrupt(self: object, done: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command.ProgressLine, "update", interrupt)
    file = tmp_path / "r.json"
    argv = ["evaluate", "greedy", "random", "--duels", "40", "--json", str(file)]
    assert cli.main(argv) == 130
    assert capsys.readouterr().out == "no pairing was played to its end\n"
    assert not file.exists()


@pytest.mark.parametrize("team_size", [1, 2])
@pytest.mark.parametrize("agents", [["random", "greedy"], ["random", "greedy", "x:Steady"]])
def test_pictures(
    agents: list[str], team_size: int, here: Path, capsys: pytest.CaptureFixture
) -> None:
    pytest.importorskip("matplotlib")
    from PIL import Image

    agents = [agent.replace("x:", "their_agents:") for agent in agents]
    name = "evaluate" if len(agents) == 2 else "tournament"
    argv = [name, *agents, "--duels", "4", "--team-size", str(team_size), "--workers", "1"]
    pictures = []
    for file in ("one.png", "two.png"):
        assert cli.main([*argv, "--plot", file]) == 0
        with Image.open(file) as picture:
            assert picture.width > 1200 and len(picture.convert("RGB").getcolors(1 << 20)) > 20
        pictures.append((here / file).read_bytes())
    assert pictures[0] == pictures[1]


def test_a_missing_matplotlib_is_told_before_anything_is_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    argv = ["evaluate", "greedy", "random", "--plot", str(tmp_path / "r.png")]
    assert cli.main([*argv, "--duels", "1000000"]) == 2
    assert "pip install 'solwaris[render]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["greedy", "wizard"], "unknown agent 'wizard'"),
        (["greedy", "greedy"], "the agent 'greedy' is named twice"),
        (["checkpoints/a.onnx", "./checkpoints/a.onnx"], "'./checkpoints/a.onnx' is named twice"),
        (["greedy", "none.onnx"], "cannot read the ONNX file none.onnx"),
        (["greedy", "random", "--duels", "0"], "must be even and above 0"),
        (["greedy", "random", "--duels", "7"], "must be even and above 0"),
        (["greedy", "random", "--seed", "-1"], "seed: -1 is not between 0 and"),
        (["greedy", "random", "--map", "atlantis"], "atlantis"),
        (["greedy", "random", "--workers", "0"], "--workers must be at least 1, got 0"),
        (["greedy", "random", "--anchor", "wizard"], "--anchor 'wizard' is none of the agents"),
        (["greedy", "random", "--anchor-elo", "nan"], "--anchor-elo must be a number, got nan"),
        (["greedy", "random", "--json", "none/r.json"], "its folder does not exist"),
        (["greedy", "random", "--json", "."], "it is a folder"),
        (["greedy", "random", "--plot", "r.jpg"], "pictures are PNG files, named *.png"),
        (["greedy", "random", "--json", "r.png", "--plot", "r.png"], "name one file"),
        (["greedy", "random", "--team-size", "3"], "argument --team-size: invalid choice: 3"),
        (["greedy"], "the following arguments are required: AGENT"),
    ],
)
def test_faulty_options(argv: list[str], sentence: str, capsys: pytest.CaptureFixture) -> None:
    assert sentence in refused(["evaluate", *argv], capsys)


def test_a_tournament_needs_two(capsys: pytest.CaptureFixture) -> None:
    told = refused(["tournament", "greedy"], capsys)
    assert "agents meet by twos: at least 2 are needed, got 1" in told
