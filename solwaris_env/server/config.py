"""What a server may be told: by command line, or by a TOML file with the same names."""

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ..errors import SolwarisError
from ..files import read_file

PRESENT_SECONDS = 30  # after his last word a player still counts as there
MOST_QUOTED = 60  # characters


@dataclass(frozen=True)
class Config:
    """A server's settings; limits are per client address where they say so."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "duels.sqlite"  # :memory: keeps nothing
    opponents: str | None = None  # folder of .onnx files
    own: dict[str, str] = field(default_factory=dict)  # name -> agent as the command line takes it
    origins: tuple[str, ...] = ()  # other sites whose pages may use this server (CORS)
    rate: float = 50.0  # requests a second of one client, messages a second of one socket
    burst: int = 200  # of them at once
    max_body: int = 256 * 1024  # bytes
    max_duels: int = 2000  # running at once
    duels_per_client: int = 20
    sockets_per_client: int = 40
    max_connections: int = 4000  # open at once, sockets among them
    spectators: int = 50  # of one duel
    away_limit: float = 120.0  # seconds until who left has given up
    keep_days: float = 0.0  # days that finished duels stay in the log, 0: for ever
    proxied: bool = False  # believe X-Forwarded-For of a proxy on this machine
    page: bool = True  # serve the page to play on

    def __post_init__(self) -> None:
        for name, low, high in (
            ("port", 0, 65535),
            ("rate", 0.1, 1e6),
            ("burst", 1, 10**6),
            ("max_body", 1024, 1 << 26),
            ("max_duels", 1, 10**6),
            ("duels_per_client", 1, 10**6),
            ("sockets_per_client", 1, 10**6),
            ("max_connections", 1, 10**6),
            ("spectators", 0, 10**5),
            ("away_limit", PRESENT_SECONDS, 7 * 86400),
            ("keep_days", 0, 1e5),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise SolwarisError(f"setting {name}: {value!r} is not a number")
            if not low <= value <= high:
                raise SolwarisError(f"setting {name}: {value} is not between {low} and {high:g}")
        for name in ("host", "database", "opponents"):
            value = getattr(self, name)
            if value is not None and not str(value):
                raise SolwarisError(f"setting {name}: it is empty")
            if "\0" in str(value):
                raise SolwarisError(f"setting {name}: {str(value)!r} has a NUL in it")
        try:
            self.host.encode("idna")  # as the system's own look-up does
        except UnicodeError as error:
            raise SolwarisError(f"setting host: {_short(self.host)} is no address") from error


def read_config(path: str | Path) -> dict[str, Any]:
    """The settings of a TOML file. Raises SolwarisError naming the file and the key."""
    try:
        data = tomllib.loads(read_file(path, "settings").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SolwarisError(f"{path} is no TOML: {error}") from error
    kinds = {item.name: item.type for item in fields(Config)}
    for key, value in data.items():
        if key not in kinds:
            raise SolwarisError(f"{path}: unknown setting {key!r}, expected {', '.join(kinds)}")
        _check(f"{path}: {key}", value, kinds[key])
    if "origins" in data:
        data["origins"] = tuple(data["origins"])
    return data


def _short(text: str) -> str:
    """A text as a sentence may quote it."""
    return repr(text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}...")


def _check(where: str, value: Any, kind: Any) -> None:
    text = str(kind)
    if kind is bool or kind is str or kind is int:
        fits = type(value) is kind
    elif kind is float:
        fits = type(value) in (int, float)
    elif "dict" in text:
        fits = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    elif "tuple" in text:
        fits = isinstance(value, list) and all(isinstance(v, str) for v in value)
    else:
        fits = isinstance(value, str)
    if not fits:
        raise SolwarisError(f"{where}: {value!r} is not what this setting takes")
