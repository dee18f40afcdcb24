"""The threads in which opponents decide, many duels at once."""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..agents.base import Agent
from ..agents.onnx import OnnxAgent, likeliest
from ..duel.codec import decode, to_text
from ..duel.content.loader import rulebook
from ..duel.engine.state import Phase
from ..duel.view import BatchView, SeatView
from ..errors import SolwarisError
from .example import example_view
from .fields import View
from .opponents import Opponent
from .rebuild import Looker, ViewError, known_of
from .waiting import gather

LOG = logging.getLogger("solwaris.server")
MOST_AT_ONCE = 64
PATIENCE = 5.0  # seconds in which a batch is over unless it compiles


@dataclass
class Decision:
    """What an opponent decided: action indices and, of a policy, how probable each was."""

    action: int
    probability: float | None
    value: float | None
    alternatives: list[tuple[int, float | None]]
    legal: int
    placing: bool

    def data(self, opponent: str) -> dict[str, Any]:
        """The answer of `/v1/decisions`."""
        return {
            "action": decode(self.action, self.placing),
            "text": to_text(self.action, self.placing),
            "probability": self.probability,
            "value": self.value,
            "alternatives": [
                {
                    "action": decode(action, self.placing),
                    "text": to_text(action, self.placing),
                    "probability": probability,
                }
                for action, probability in self.alternatives
            ],
            "legal_actions": self.legal,
            "opponent": opponent,
        }


@dataclass
class _Request:
    opponent: str
    done: asyncio.Future
    view: SeatView | None = None  # of a hosted duel
    known: np.ndarray | None = None  # of a frontend's own
    alternatives: int = 0
    temperature: float | None = None


class Decider:
    """One thread that decides whatever waits, all duels of an opponent in one batch."""

    def __init__(self, name: str, opponents: Mapping[str, Opponent], slow: bool) -> None:
        self._opponents = opponents
        self._slow = slow
        self._agents: dict[str, Agent] = {}
        self._queue: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._looker: Looker | None = None
        self._rng = np.random.default_rng()
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.decided = 0
        self.batches = 0
        self.failures = 0
        self.seconds = 0.0

    def start(self) -> None:
        """Begin to decide on the running event loop's behalf."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def stop(self) -> None:
        """Finish the batch in hand and end the thread; what compiles is not waited for."""
        if self._thread.is_alive():
            self._stopping = True
            self._queue.put(None)
            self._thread.join(timeout=PATIENCE)

    @property
    def running(self) -> bool:
        """Whether its thread is still at work."""
        return self._thread.is_alive()

    @property
    def waiting(self) -> int:
        """Decisions that have not been begun."""
        return self._queue.qsize()

    async def act(self, opponent: str, view: SeatView) -> int:
        """The action of an opponent for a seat of a hosted duel."""
        return (await self._ask(opponent, view=view)).action

    async def decide(
        self, opponent: str, known: np.ndarray, alternatives: int, temperature: float | None
    ) -> Decision:
        """The decision of an opponent on a (1,) known STATE. Raises ViewError, SolwarisError."""
        return await self._ask(
            opponent, known=known, alternatives=alternatives, temperature=temperature
        )

    async def _ask(self, opponent: str, **what: Any) -> Decision:
        assert self._loop is not None
        request = _Request(opponent, self._loop.create_future(), **what)
        self._queue.put(request)
        return await request.done

    def _warm_up(self) -> None:
        """Have every opponent decide once: a first decision loads files and compiled code."""
        example = known_of(View.model_validate(example_view()))
        view = self._looker.look(example, int(example["seat"][0]))
        for name, opponent in self._opponents.items():
            if self._stopping:
                return
            if opponent.slow == self._slow:
                try:
                    self._agent(name).act(view)
                except Exception as error:  # it will be told to whoever asks for it
                    LOG.warning("an opponent fails", extra={"opponent": name, "reason": str(error)})

    def _work(self) -> None:
        self._looker = Looker()
        self._warm_up()
        while True:
            asked, ending = gather(self._queue, MOST_AT_ONCE)
            groups: dict[str, list[_Request]] = {}
            for request in asked:
                groups.setdefault(request.opponent, []).append(request)
            for name, group in groups.items():
                began = time.perf_counter()
                self._answer(name, group)
                self.seconds += time.perf_counter() - began
                self.decided += len(group)
                self.batches += 1
            if ending:
                return

    def _agent(self, name: str) -> Agent:
        if name not in self._agents:
            self._agents[name] = self._opponents[name].agent()
        return self._agents[name]

    def _answer(self, name: str, group: list[_Request]) -> None:
        views: list[SeatView] = []
        ready: list[_Request] = []
        for request in group:
            try:
                if request.view is None:
                    request.view = self._looker.look(request.known, int(request.known["seat"][0]))
            except ViewError as error:
                self._settle(request, error)
                continue
            views.append(request.view)
            ready.append(request)
        if not ready:
            return
        try:
            decisions = self._decide(name, ready, _batch(views))
        except Exception as error:
            self.failures += len(ready)
            LOG.exception("an opponent failed", extra={"opponent": name})
            for request in ready:
                self._settle(request, SolwarisError(f"the opponent {name} failed: {error}"))
            return
        for request, decision in zip(ready, decisions, strict=True):
            self._settle(request, decision)

    def _decide(self, name: str, asked: list[_Request], views: BatchView) -> list[Decision]:
        agent = self._agent(name)
        masks = views.action_mask != 0
        rows = range(len(asked))
        plain = [r.alternatives == 0 and r.temperature is None for r in asked]
        if isinstance(agent, OnnxAgent) and not all(plain):
            return _policy_decisions(agent, asked, views, masks, self._rng)
        actions = agent.act_batch(views)
        decisions = []
        for row in rows:
            legal = int(masks[row].sum())
            action = int(actions[row])
            others = [(action, None)][: asked[row].alternatives]
            placing = int(views.known[row]["phase"]) == Phase.PLACEMENT
            decisions.append(Decision(action, None, None, others, legal, placing))
        return decisions

    def _settle(self, request: _Request, result: Decision | Exception) -> None:
        assert self._loop is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_finish, request.done, result)


def _finish(done: asyncio.Future, result: Decision | Exception) -> None:
    if done.done():
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)


def _batch(views: list[SeatView]) -> BatchView:
    known = np.empty(len(views), views[0].known.dtype)
    for row, view in enumerate(views):
        known[row] = view.known
    return BatchView(
        known,
        {
            part: np.stack([view.observation[part] for view in views])
            for part in views[0].observation
        },
        np.stack([view.action_mask for view in views]),
        np.array([view.seat for view in views], np.int8),
        rulebook(),
    )


def _policy_decisions(
    agent: OnnxAgent,
    asked: list[_Request],
    views: BatchView,
    masks: np.ndarray,
    rng: np.random.Generator,
) -> list[Decision]:
    """Decisions with what the policy thought of the other actions.

    Probabilities are those at the temperature that it decides at; where that is 0, which leaves
    nothing to chance, those at 1, as it was trained.
    """
    logits, values = agent.logits_and_value(views.observation)
    decisions = []
    for row, request in enumerate(asked):
        temperature = agent.temperature if request.temperature is None else request.temperature
        scores = np.where(masks[row], logits[row].astype(np.float64), -np.inf)
        if not np.isfinite(scores.max()):
            raise SolwarisError(f"the policy {agent.name} answered with logits that are no numbers")
        with np.errstate(over="ignore"):  # next to no temperature: the others' shares are 0
            shares = np.exp((scores - scores.max()) / (temperature or 1.0))
        shares /= shares.sum()
        if temperature:
            action = int(rng.choice(len(shares), p=shares))
        else:
            action = int(likeliest(scores[None])[0])
        best = np.argsort(-shares, kind="stable")[: request.alternatives]
        decisions.append(
            Decision(
                action,
                float(shares[action]),
                min(1.0, max(-1.0, float(values[row]))),  # an estimate may overshoot
                [(int(a), float(shares[a])) for a in best if masks[row][a]],
                int(masks[row].sum()),
                int(views.known[row]["phase"]) == Phase.PLACEMENT,
            )
        )
    return decisions
