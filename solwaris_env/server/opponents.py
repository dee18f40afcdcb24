"""The opponents that a server offers: built-in ones, a folder of policies, its owner's own."""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..agents.base import Agent
from ..agents.make import make_agent, policy_agent
from ..agents.onnx import OnnxAgent
from ..agents.planner import PlannerAgent
from ..agents.planner_guided import GuidedPlannerAgent
from ..errors import SolwarisError
from .hosted import HUMAN
from .models import Name
from .sentences import sendable

LOG = logging.getLogger("solwaris.server")
MOST_BYTES = 64 << 20  # of a file in the folder of opponents, which is read whole
Texts = dict[str, str]  # one text by language, fr and en
_NAME = TypeAdapter(Name)
BUILT_IN: dict[str, tuple[Texts, Texts]] = {
    "random": (
        {"fr": "Hasard", "en": "Random"},
        {"fr": "Joue n'importe quelle action permise", "en": "Plays any legal action"},
    ),
    "greedy": (
        {"fr": "Glouton", "en": "Greedy"},
        {
            "fr": "Regarde une action à l'avance, se sert de sa classe, enchérit et se place "
            "avec soin",
            "en": "Looks one action ahead, uses its class, bids and places with care",
        },
    ),
    "planner": (
        {"fr": "Stratège", "en": "Planner"},
        {
            "fr": "Explore tout son tour et la réponse ; fort, et plus lent",
            "en": "Searches its whole turn and the answer to it; strong, and slower",
        },
    ),
}


@dataclass
class Opponent:
    """An opponent by name: how it is made, and what its file says of it."""

    name: str
    spec: str | Path  # a path: the policy in that file, whatever characters its name has
    kind: str  # scripted, search, policy
    title: Texts
    about: Texts
    metadata: dict[str, str] = field(default_factory=dict)
    rating: float | None = None  # its Elo, where its file tells one

    @property
    def slow(self) -> bool:
        """Whether a decision may take longer than a turn of the event loop should."""
        return self.kind == "search"

    def agent(self) -> Agent:
        """An agent that plays as it. Raises SolwarisError."""
        if isinstance(self.spec, Path):
            return policy_agent(self.spec, threads=1)
        return make_agent(self.spec, threads=1)

    def data(self) -> dict[str, Any]:
        """What the catalogue tells of it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "title": self.title,
            "about": self.about,
            "level": self.metadata.get("level"),
            "rating": self.rating,
            "interval": self.metadata.get("rating_interval"),
            "scale": self.metadata.get("rating_scale"),
            "probabilities": self.kind == "policy",
            "metadata": self.metadata,
        }


def find_opponents(
    folder: str | Path | None, own: Mapping[str, str] | None = None
) -> dict[str, Opponent]:
    """The opponents on offer: the built-in ones, the policies of a folder, and named specs.

    Args:
        folder: each FILE.onnx in it becomes the opponent FILE, the lowest rated first; None: no
            folder.
        own: names and specs as `make_agent` takes them.

    Raises:
        SolwarisError: the folder is missing, or a name of `own` is taken or cannot be one. A
            file that is no policy of these rules, or whose name will not do, is left out with a
            warning.
    """
    for name in own or {}:
        try:
            _check_name(name)
        except SolwarisError as error:
            raise SolwarisError(f"setting own: {error}") from error
    found = {
        name: Opponent(name, name, _kind(make_agent(name)), title, about)
        for name, (title, about) in BUILT_IN.items()
    }
    if folder is not None:
        if not Path(folder).is_dir():
            raise SolwarisError(f"the folder of opponents {folder} does not exist")
        policies = []
        for path in sorted(Path(folder).glob("*.onnx")):
            try:
                if path.stem in found:
                    raise SolwarisError(f"{path.stem!r} is one of the server's own opponents")
                policies.append(_policy(path))
            except SolwarisError as error:
                told = {"file": sendable(str(path)), "reason": sendable(str(error))}
                LOG.warning("an opponent is left out", extra=told)
        for opponent in sorted(policies, key=lambda one: one.rating or 0.0):
            _add(found, opponent)
    for name, spec in (own or {}).items():
        plain = sendable(Path(spec).name)  # where its file lies is nobody's business
        about = {"fr": f"Joue comme {plain}", "en": f"Plays as {plain}"}
        kind = _kind(make_agent(spec, threads=1))
        _add(found, Opponent(name, spec, kind, _same(name), about))
    return found


def _check_name(name: str) -> None:
    """Refuse a name that a duel or a decision cannot ask for."""
    if name == HUMAN:
        raise SolwarisError(f"{name!r} is a person, no opponent's name")
    if not name.strip():
        raise SolwarisError("an opponent's name may not be empty")
    try:
        _NAME.validate_python(name)
    except ValidationError as error:
        raise SolwarisError(
            f"{name!r} is no name: 40 characters at most, none of them a control character"
        ) from error


def _check_size(path: Path) -> None:
    """Refuse a file that would fill the memory."""
    try:
        size = path.stat().st_size
    except OSError:
        return  # reading it will tell why
    if size > MOST_BYTES:
        raise SolwarisError(f"{path} has {size} bytes, more than the {MOST_BYTES} of a policy here")


def _rating(path: Path, metadata: Mapping[str, str]) -> float | None:
    """The Elo that a policy's file tells, if any."""
    told = metadata.get("rating")
    if not told:
        return None
    try:
        rating = float(told)
    except ValueError:
        rating = math.nan
    if not math.isfinite(rating):
        raise SolwarisError(f"{path}: its rating {told!r} is no number")
    return rating


def _policy(path: Path) -> Opponent:
    """The opponent of a policy's file, which plays alone or guides a search."""
    _check_name(path.stem)
    _check_size(path)
    agent = policy_agent(path, threads=1)
    policy = agent.policy if isinstance(agent, GuidedPlannerAgent) else agent
    title = policy.metadata.get("level", path.stem[:1].upper() + path.stem[1:])
    fr, en = "Une politique entraînée", "A trained policy"
    if "level" not in policy.metadata:
        fr, en = f"{fr} sans niveau mesuré", f"{en} of no measured level"
        _, comma, length = policy.metadata.get("training_run", "").partition(", ")
        if comma:
            fr = f"{fr} ({length.replace('decisions', 'décisions')} d'apprentissage)"
            en = f"{en} ({length} of training)"
    if policy.search:
        fr = f"{fr} qui guide une recherche de {policy.search} essais"
        en = f"{en} that guides a search of {policy.search} trials"
    elif policy.temperature:
        fr = f"{fr} qui tire ses actions au sort, les meilleures plus souvent"
        en = f"{en} that draws its actions by chance, the better ones more often"
    else:
        fr = f"{fr} qui joue l'action qu'elle juge la meilleure"
        en = f"{en} that plays the action it finds best"
    about = {"fr": fr, "en": en}
    rating = _rating(path, policy.metadata)
    return Opponent(path.stem, path, _kind(agent), _same(title), about, policy.metadata, rating)


def _kind(agent: Agent) -> str:
    """What kind of opponent an agent is."""
    if isinstance(agent, OnnxAgent):
        return "policy"
    return "search" if isinstance(agent, PlannerAgent) else "scripted"


def _same(text: str) -> Texts:
    """A name that is the same in both languages."""
    return {"fr": text, "en": text}


def _add(found: dict[str, Opponent], opponent: Opponent) -> None:
    if opponent.name in found:
        raise SolwarisError(f"two opponents have the name {opponent.name!r}")
    found[opponent.name] = opponent
