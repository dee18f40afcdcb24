"""Settings that no server can keep are refused at the start, each in one sentence."""

from pathlib import Path

import pytest

from solwaris_env.cli import main
from solwaris_env.errors import SolwarisError
from solwaris_env.server.config import PRESENT_SECONDS, Config
from solwaris_env.server.store import Store, StoreError

REFUSED = {
    "database": (["--database", ""], "setting database: it is empty"),
    "folder": (["--database", "."], "cannot use '.' as the log of duels"),
    "host": (["--host", ""], "setting host: it is empty"),
    "long host": (["--host", "a" * 300], "setting host: 'aaaa"),
    "two dots": (["--host", "a..b"], "setting host: 'a..b' is no address"),
    "half a letter": (["--host", "\udcff"], "setting host: '\\udcff' is no address"),
    "opponents": (["--opponents", ""], "setting opponents: it is empty"),
    "away": (["--away-limit", "29.9"], "setting away_limit: 29.9 is not between 30 and"),
    "no name": (["--own", "=greedy"], "--own '=greedy': expected NAME=AGENT"),
    "a person": (["--own", "human=greedy"], "setting own: 'human' is a person"),
}
REFUSED_IN_FILE = {
    "database": ('database = ""', "setting database: it is empty"),
    "NUL": ('database = "a\\u0000b"', "setting database: 'a\\x00b' has a NUL in it"),
    "host": ('host = ""', "setting host: it is empty"),
    "host's NUL": ('host = "a\\u0000b"', "setting host: 'a\\x00b' has a NUL in it"),
    "folder's NUL": ('opponents = "a\\u0000b"', "setting opponents: 'a\\x00b' has a NUL in it"),
    "away": ("away_limit = 5", "setting away_limit: 5 is not between 30 and"),
    "no name": ('[own]\n"" = "greedy"', "setting own: an opponent's name may not be empty"),
    "a person": ('[own]\nhuman = "greedy"', "setting own: 'human' is a person"),
}


@pytest.fixture
def outside(tmp_path: Path, monkeypatch) -> Path:
    """An empty folder to start in, below one of its own; nothing is served, whatever is told."""
    monkeypatch.setattr("solwaris_env.server.command.log_to_stderr", lambda level: None)
    monkeypatch.setattr("uvicorn.Server.run", lambda self: pytest.fail("it began to serve"))
    inside = tmp_path / "folder"
    inside.mkdir()
    monkeypatch.chdir(inside)
    return tmp_path


@pytest.mark.parametrize("case", REFUSED)
def test_an_option_is_refused_in_a_sentence(case: str, outside: Path, capsys) -> None:
    options, words = REFUSED[case]
    database = [] if "--database" in options else ["--database", ":memory:"]
    assert main(["serve", "--port", "0", *database, *options]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1 and len(told) < 200
    assert sorted(outside.rglob("*")) == [outside / "folder"]  # and no lock


@pytest.mark.parametrize("case", REFUSED_IN_FILE)
def test_a_setting_of_a_file_is_refused_in_a_sentence(case: str, outside: Path, capsys) -> None:
    text, words = REFUSED_IN_FILE[case]
    path = outside / "serve.toml"
    path.write_text(text if "database" in text else f'database = ":memory:"\n{text}')
    assert main(["serve", "--config", str(path)]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
    assert sorted(outside.rglob("*")) == [outside / "folder", path]


@pytest.mark.parametrize("name", ["", "a\0b", "/", "loop/log"])
def test_a_log_that_is_no_file_is_refused_without_a_lock(name: str, outside: Path) -> None:
    loop = outside / "folder" / "loop"
    loop.symlink_to(loop)
    with pytest.raises(StoreError, match="as the log of duels"):
        Store(name)
    assert sorted(outside.rglob("*")) == [outside / "folder", loop]


def test_who_is_there_has_not_given_up() -> None:
    """A player counts as there for a while after a request: a shorter limit could not be kept."""
    assert Config(away_limit=PRESENT_SECONDS).away_limit == PRESENT_SECONDS
    with pytest.raises(SolwarisError, match="away_limit"):
        Config(away_limit=PRESENT_SECONDS - 0.1)


@pytest.mark.parametrize("host", ["::1", "fe80::1%eth0", "0.0.0.0", "a.example.", "münchen.de"])
def test_addresses_of_all_kinds_are_taken(host: str) -> None:
    assert Config(host=host).host == host
