"""What is installed: dependencies, data files, and a core that needs no extra."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CORE = {"numpy", "numba", "gymnasium", "pettingzoo", "onnxruntime"}
EXTRAS_MODULES = (
    "torch",
    "stable_baselines3",
    "sb3_contrib",
    "tensorboard",
    "onnx",
    "rich",
    "tqdm",
    "matplotlib",
    "PIL",
    "pygame",
    "fastapi",
    "fastapi_offline",
    "uvicorn",
    "pydantic",
    "prometheus_client",
    "httpx",
    "websockets",
    "selenium",
)
PACKAGES = ("solwaris_env", "training")
DATA = {".toml", ".txt", ".md"}
SERVER = ROOT / "solwaris_env" / "server"
WHOLE = (SERVER / "clients", SERVER / "page" / "dist")  # installed whatever is in them
SOURCES = SERVER / "page"  # what the page is built from stays behind


def is_within(path: Path, *folders: Path) -> bool:
    """Whether a path lies in one of the folders."""
    return any(folder in path.parents for folder in folders)


def installed_files() -> list[Path]:
    """All files of the packages but the sources of the page and what Python leaves behind."""
    return [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file()
        and path.suffix not in {".pyc", ".nbi", ".nbc"}
        and (is_within(path, *WHOLE) or not is_within(path, SOURCES))
    ]


def names(requirements: list[str]) -> set[str]:
    """The packages that requirements ask for."""
    return {requirement.split("[")[0].split(">")[0].split("=")[0] for requirement in requirements}


def test_core_dependencies() -> None:
    assert names(PROJECT["project"]["dependencies"]) == CORE
    extras = {"train", "render", "serve", "client", "dev"}
    assert set(PROJECT["project"]["optional-dependencies"]) == extras


def test_every_folder_with_modules_is_a_package() -> None:
    for package in PACKAGES:
        for module in (ROOT / package).rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), module.parent


def test_every_data_file_is_of_a_kind_that_is_installed() -> None:
    strange = [
        path
        for path in installed_files()
        if path.suffix not in DATA | {".py"} and not is_within(path, *WHOLE)
    ]
    assert strange == []


def test_the_core_runs_without_the_extras() -> None:
    """A duel with random and greedy, and the ONNX agent's module, with every extra hidden."""
    code = f"""
import sys
for name in {EXTRAS_MODULES!r}:
    sys.modules[name] = None
import solwaris_env.agents.onnx
from solwaris_env import duel_v0
from solwaris_env.agents import make_agent
from solwaris_env.duel.game import Duel

duel = Duel.new(3, team_size=1, map="caveau")
agents = [make_agent("random", 1), make_agent("greedy", 1)]
for _ in range(40):
    if duel.outcome is None:
        duel.apply(agents[duel.seat].act(duel.view(duel.seat)))
env = duel_v0.env()
env.reset(seed=1)
print("played")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout == "played\n", done.stderr


def test_the_wheel_carries_all_modules_and_data(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-qq"]
    subprocess.run([*command, "-w", str(tmp_path), str(source)], check=True)
    (wheel,) = tmp_path.glob("solwaris-*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    expected = {str(path.relative_to(ROOT)) for path in installed_files()}
    assert expected <= inside
    assert "solwaris_env/server/page/dist/index.html" in inside
    assert not any(name.startswith("tests/") for name in inside)
    page = {name for name in inside if name.startswith("solwaris_env/server/page/")}
    assert page <= expected, "the page's sources belong to the repository only"
