"""The ASGI application: routes, and errors as JSON."""

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import fastapi_offline
from fastapi import Depends, FastAPI, Header, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.routing import Match

from .. import __version__
from ..duel.content.loader import RULES_VERSION
from ..duel.replay import Replay, ReplayError
from ..errors import SolwarisError
from . import models
from .catalogue import PARTS, catalogue
from .clocks import TimeSource
from .config import Config
from .doubled import OnceRoute, Unreadable
from .example import example_view
from .fields import View
from .files import Files
from .frames import frames_of
from .host import Host
from .hosted import Hosted, Refusal
from .limits import RETRY_AFTER, Buckets, Guard, Metrics, client_of, error_data
from .rebuild import Looker, ViewError, known_of, mine
from .sentences import sentence_of
from .sockets import Sockets
from .views import legal_data, view_data

LOG = logging.getLogger("solwaris.server")
PAGE = Path(__file__).parent / "page" / "dist"
DOCS_FILES = Path(fastapi_offline.__file__).parent / "static"  # Swagger UI
MOST_STEPS = 200
CACHED = "public, max-age=300"
WORDS = {
    400: ("bad_request", "the request cannot be read"),
    401: ("unauthorized", "this needs the secret of a seat"),
    403: ("forbidden", "this is not allowed"),
    404: ("not_found", "there is nothing at this address"),
    405: ("method_not_allowed", "this address does not take this method"),
    408: ("too_slow", "the request took too long to arrive"),
    413: ("too_large", "the request is too large"),
    422: ("invalid", "a part of the request is not as it must be"),
    429: ("rate_limited", "too many requests"),
    500: ("internal", "the server has failed: this is its fault, not yours"),
    503: ("unavailable", "the server cannot do this now"),
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.ErrorAnswer, "description": words}
    for status, (_, words) in WORDS.items()
    if status in (400, 404, 405, 408, 413, 422, 429, 500, 503)
}
SEAT_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.ErrorAnswer, "description": words}
    for status, words in (
        (401, WORDS[401][1]),
        (403, WORDS[403][1]),
        (409, "the duel is not in a state for this"),
    )
}
ABOUT = """\
Opponents for your own frontend. Two ways: let the server run a duel and its rules
(`/v1/duels`), or run the rules yourself and ask for decisions (`/v1/decisions`).
docs/server.md leads from nothing to an opponent; cells are [row, column] everywhere.
"""

bearer = HTTPBearer(
    auto_error=False, description="The secret of a seat; without it one looks on as a spectator."
)
Secret = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]


def _json(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(to_json(data), status, headers, media_type="application/json")


def _error(status: int, code: str, message: str, headers: Any = None) -> Response:
    if status == 503:
        headers = {"Retry-After": RETRY_AFTER, **(headers or {})}
    return _json(error_data(code, message), status, headers)


class _HostCollector(Collector):
    """What the metrics tell of the duels."""

    def __init__(self, host: Host, sockets: Sockets) -> None:
        self._host, self._sockets = host, sockets

    def collect(self) -> Iterator[Any]:
        """The figures as they stand."""
        host = self._host
        running = sum(not hosted.over for hosted in host.duels.values())
        yield GaugeMetricFamily("solwaris_duels_running", "Unfinished duels.", running)
        yield GaugeMetricFamily("solwaris_sockets_open", "Open sockets.", len(self._sockets.open))
        yield CounterMetricFamily("solwaris_duels_created", "Duels begun.", host.created)
        yield CounterMetricFamily(
            "solwaris_transitions", "Transitions written.", host.course.transitions
        )
        yield CounterMetricFamily(
            "solwaris_sockets_dropped", "Clients too slow.", self._sockets.dropped
        )
        ends = CounterMetricFamily("solwaris_duels_finished", "Duels ended.", labels=("how",))
        for how, count in list(host.course.finished.items()):
            ends.add_metric((how,), count)
        yield ends
        for name, help_, of in (
            ("solwaris_decisions", "Decisions of opponents.", "decided"),
            ("solwaris_decision_batches", "Batches they were made in.", "batches"),
            ("solwaris_decision_failures", "Decisions that failed.", "failures"),
            ("solwaris_decision_busy_seconds", "Time the deciding took.", "seconds"),
        ):
            family = CounterMetricFamily(name, help_, labels=("kind",))
            family.add_metric(("quick",), getattr(host.course.quick, of))
            family.add_metric(("search",), getattr(host.course.thorough, of))
            yield family


def make_app(config: Config | None = None, now: TimeSource | None = None) -> FastAPI:
    """The application of a server; `now` may be another source of time, for tests.

    Raises SolwarisError when the log, the folder of opponents or a setting is faulty.
    """
    config = config or Config()
    host = Host(config, now)
    sockets = Sockets(host)
    metrics = Metrics()
    metrics.registry.register(_HostCollector(host, sockets))

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        try:
            await host.start()
        except Exception as error:
            app.state.fault = error  # for the command line to tell
            raise
        LOG.info("ready", extra={"duels": len(host.duels), "opponents": list(host.opponents)})
        yield
        await sockets.stop()
        await host.stop()
        LOG.info("stopped")

    app = FastAPI(
        title="Solwaris",
        version=__version__,
        description=ABOUT,
        lifespan=life,
        responses=ERRORS,
        docs_url=None,  # FastAPI's own pages load their scripts from the net
        redoc_url=None,
    )
    app.router.route_class = OnceRoute
    app.state.fault = None
    app.state.host, app.state.sockets, app.state.metrics = host, sockets, metrics
    _handle_errors(app)
    _add_docs(app)
    _add_service(app, host, metrics)
    _add_catalogue(app, host)
    _add_duels(app, host)
    _add_decisions(app, host)

    @app.websocket("/v1/duels/{duel}/socket")
    async def follow(websocket: WebSocket, duel: str) -> None:
        await sockets.serve(websocket, duel)

    @app.api_route("/v1/{rest:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def nothing_to_get(request: Request) -> Response:
        """What the page below would answer with 404, though it may be there for another method."""
        allowed: set[str] = set()
        for route in app.routes:
            if route.matches(request.scope)[0] == Match.PARTIAL:
                allowed |= getattr(route, "methods", None) or set()
        if allowed:
            return _error(405, *WORDS[405], {"Allow": ", ".join(sorted(allowed))})
        return _error(404, *WORDS[404])

    if config.page and (PAGE / "index.html").is_file():
        app.mount("/", Files(directory=PAGE, html=True), name="page")
    elif config.page:
        LOG.warning("the page's files are missing", extra={"folder": str(PAGE)})
    buckets = Buckets(config.rate, config.burst)
    app.add_middleware(Guard, metrics=metrics, buckets=buckets, max_body=config.max_body)
    if config.origins:  # around the guard: what it refuses must be readable by other sites too
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(config.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type"],
            expose_headers=["Retry-After", "ETag"],
        )
    return app


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    async def refused(_: Request, error: Refusal) -> Response:
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else None
        return _error(error.status, error.code, error.message, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        errors = error.errors()
        if errors[0]["type"] == "json_invalid":
            return _error(400, "bad_request", "the body is not JSON, or cut short")
        if isinstance(error.body, bytes):
            return _error(
                422, "invalid", "the body is no object: send Content-Type: application/json"
            )
        return _error(422, "invalid", sentence_of(errors))

    @app.exception_handler(Unreadable)
    async def unreadable(_: Request, error: Unreadable) -> Response:
        return _error(error.status_code, "bad_request", error.detail)

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> Response:
        code, words = WORDS.get(error.status_code, WORDS[400])
        return _error(error.status_code, code, words, error.headers)

    @app.exception_handler(ViewError)
    async def faulty_view(_: Request, error: ViewError) -> Response:
        return _error(422, "invalid", f"view: {error}")

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        LOG.error("a request failed", exc_info=error)
        return _error(500, *WORDS[500])


def _add_docs(app: FastAPI) -> None:
    """The interface to try by hand, from files of this machine alone."""

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return get_swagger_ui_html(
            openapi_url="openapi.json",  # relative: a proxy may put the server under a path
            title=f"{app.title}: the interface",
            swagger_js_url="docs/files/swagger-ui-bundle.js",
            swagger_css_url="docs/files/swagger-ui.css",
            swagger_favicon_url="docs/files/favicon.png",
            swagger_ui_parameters={"validatorUrl": None},  # a badge from the net
        )

    app.mount("/docs/files", Files(directory=DOCS_FILES), name="docs files")


def _add_service(app: FastAPI, host: Host, metrics: Metrics) -> None:
    @app.get("/v1/health", response_model=models.Health, tags=["service"])
    async def health() -> Response:
        """Whether the server is well."""
        running = sum(not hosted.over for hosted in host.duels.values())
        status = "stopping" if host.course.stopping else "failing" if host.store.failing else "ok"
        return _json(
            {
                "status": status,
                "version": __version__,
                "rules": RULES_VERSION,
                "duels": running,
            }
        )

    @app.get("/metrics", tags=["service"], response_class=Response)
    async def tell_metrics() -> Response:
        """Figures in Prometheus' text format."""
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)


def _cached(app: FastAPI, path: str, data: Any, summary: str) -> None:
    """A route whose answer never changes while the server runs."""
    body = to_json(data)
    etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {"ETag": etag, "Cache-Control": CACHED}

    @app.get(
        path, tags=["catalogue"], summary=summary, responses={304: {"description": "As known"}}
    )
    async def tell(if_none_match: Annotated[str | None, Header()] = None) -> Response:
        if if_none_match is not None and etag in if_none_match:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type="application/json")


def _add_catalogue(app: FastAPI, host: Host) -> None:
    whole = catalogue()
    _cached(app, "/v1/catalogue", whole, "All that the game contains")
    for part in PARTS:
        _cached(app, f"/v1/catalogue/{part}", whole[part], f"The {part}")
    schema = View.model_json_schema(by_alias=True)
    _cached(app, "/v1/view/schema", schema, "JSON schema of the view")
    _cached(app, "/v1/view/example", example_view(), "A complete view")

    @app.get("/v1/opponents", response_model=models.Opponents, tags=["catalogue"])
    async def opponents() -> Response:
        """The opponents on offer."""
        return _json({"opponents": [o.data() for o in host.opponents.values()]})


def _add_duels(app: FastAPI, host: Host) -> None:
    def seat_of(hosted: Hosted, secret: HTTPAuthorizationCredentials | None) -> int:
        """The seat that the request's secret opens. Raises Refusal."""
        if secret is None:
            raise Refusal(401, *WORDS[401])
        seat = hosted.seat_of(secret.credentials)
        if seat is None:
            raise Refusal(401, "unauthorized", "the secret opens no seat of this duel")
        host.timekeeper.seen(hosted, seat)
        return seat

    def viewer_of(
        hosted: Hosted, request: Request, secret: HTTPAuthorizationCredentials | None
    ) -> int | None:
        """The seat of the request, None for a spectator. Raises Refusal."""
        if secret is not None or "authorization" in request.headers:
            return seat_of(hosted, secret)
        if not hosted.setup["spectators"]:
            raise Refusal(403, "no_spectators", "this duel takes no spectators")
        return None

    @app.post(
        "/v1/duels",
        status_code=201,
        response_model=models.Created,
        tags=["duels"],
        responses={409: SEAT_ERRORS[409]},
    )
    async def create(wish: models.NewDuel, request: Request) -> Response:
        """Begin a duel. Each human seat gets a secret, told this once."""
        if len(wish.seats) == 3:
            raise Refusal(422, "invalid", "seats: expected 2 or 4 seats, not 3")
        hosted, told = await host.create(wish, client_of(request.scope))
        first = next((seat for seat, secret in enumerate(told) if secret is not None), None)
        address = f"/v1/duels/{hosted.name}"
        async with hosted.lock:
            state = hosted.state_data(first)
        links = {"state": address, "socket": f"{address}/socket"}
        made = {"duel": hosted.name, "secrets": told, "links": links, "state": state}
        return _json(made, 201)

    @app.get("/v1/duels/{duel}", response_model=models.State, tags=["duels"], responses=SEAT_ERRORS)
    async def state(duel: str, request: Request, secret: Secret) -> Response:
        """The duel as the seat of the secret, or a spectator, may know it."""
        hosted = await host.find(duel)
        seat = viewer_of(hosted, request, secret)
        async with hosted.lock:  # what is not on the disk yet has not happened
            return _json(hosted.state_data(seat))

    async def told(hosted: Hosted, seat: int, change: Callable) -> Response:
        """Make a change and tell its seat what came of it."""
        before, after = await change()
        async with hosted.lock:  # what is not on the disk yet has not happened
            return _json(
                {
                    "seq": after,
                    "events": hosted.events_between(before, after, seat),
                    "state": hosted.state_data(seat),
                }
            )

    @app.post(
        "/v1/duels/{duel}/actions",
        response_model=models.Acted,
        tags=["duels"],
        responses=SEAT_ERRORS,
    )
    async def act(duel: str, wish: models.Act, secret: Secret) -> Response:
        """Take an action; the answer comes once it is on the disk."""
        hosted = await host.find(duel)
        seat = seat_of(hosted, secret)
        action = wish.action.model_dump(mode="json")
        return await told(hosted, seat, lambda: host.course.act(hosted, seat, action, wish.seq))

    @app.post(
        "/v1/duels/{duel}/resign",
        response_model=models.Acted,
        tags=["duels"],
        responses=SEAT_ERRORS,
    )
    async def resign(duel: str, secret: Secret) -> Response:
        """Give up: at once, or when the seat would next act."""
        hosted = await host.find(duel)
        seat = seat_of(hosted, secret)
        return await told(hosted, seat, lambda: host.course.resign(hosted, seat))

    @app.get(
        "/v1/duels/{duel}/events",
        response_model=models.Steps,
        tags=["duels"],
        responses=SEAT_ERRORS,
    )
    async def events(
        duel: str,
        request: Request,
        secret: Secret,
        since: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_STEPS)] = MOST_STEPS,
    ) -> Response:
        """The transitions after `since`, as far as the viewer may know of them."""
        hosted = await host.find(duel)
        seat = viewer_of(hosted, request, secret)
        async with hosted.lock:
            last = min(hosted.seq, since + limit)
            steps = [hosted.step_data(seq, seat) for seq in range(since + 1, last + 1)]
            return _json({"seq": hosted.seq, "steps": steps})

    async def recorded(hosted: Hosted) -> Replay:
        """The record of a finished duel. Raises Refusal."""
        async with hosted.lock:
            return await asyncio.to_thread(hosted.replay)

    @app.get("/v1/duels/{duel}/replay", tags=["duels"], responses=SEAT_ERRORS)
    async def replay(duel: str, request: Request, secret: Secret) -> Response:
        """The replay file of a finished duel, for `solwaris watch` and for `/v1/frames`."""
        hosted = await host.find(duel)
        viewer_of(hosted, request, secret)
        found = await recorded(hosted)
        return Response(found.to_json(), media_type="application/json")

    gate = asyncio.Semaphore(2)  # playing replays must leave the others some time

    async def show(
        make: Callable[[], Replay], first: int, limit: int, seat: int | None
    ) -> Response:
        def work() -> bytes:
            return to_json(frames_of(make(), first, limit, seat))

        async with gate:
            try:
                body = await asyncio.to_thread(work)
            except ReplayError as error:
                raise Refusal(422, "invalid", f"replay: {error}") from error
        return Response(body, media_type="application/json")

    @app.get(
        "/v1/duels/{duel}/frames",
        response_model=models.Frames,
        tags=["duels"],
        responses=SEAT_ERRORS,
    )
    async def frames(
        duel: str,
        request: Request,
        secret: Secret,
        first: Annotated[int, Query(alias="from", ge=0, le=1_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=100)] = 100,
        seat: Annotated[int | None, Query(ge=0, le=3)] = None,
    ) -> Response:
        """A finished duel, moment by moment: all of it, or as a seat saw it."""
        hosted = await host.find(duel)
        viewer_of(hosted, request, secret)
        found = await recorded(hosted)
        return await show(lambda: found, first, limit, seat)

    @app.post("/v1/frames", response_model=models.Frames, tags=["duels"])
    async def frames_of_file(wish: models.ReplayWish) -> Response:
        """A replay file, moment by moment."""

        def make() -> Replay:
            return Replay.from_json(json.dumps(wish.replay))

        return await show(make, wish.from_, wish.limit, wish.seat)


def _add_decisions(app: FastAPI, host: Host) -> None:
    looker = Looker()

    @app.post("/v1/decisions", response_model=models.DecisionAnswer, tags=["decisions"])
    async def decide(wish: models.DecisionWish) -> Response:
        """What an opponent does in a duel that the frontend runs itself."""
        if wish.opponent not in host.opponents:
            known = ", ".join(host.opponents)
            raise Refusal(
                404, "refused_opponent", f"opponent {wish.opponent!r} is not one of {known}"
            )
        mine(wish.view)
        known_state = known_of(wish.view)
        decider = host.course.decider(wish.opponent)
        try:
            decision = await decider.decide(
                wish.opponent, known_state, wish.alternatives, wish.temperature
            )
        except ViewError:
            raise
        except SolwarisError as error:
            raise Refusal(503, "unavailable", str(error)) from error
        return _json(decision.data(wish.opponent))

    @app.post("/v1/views", response_model=models.CheckedView, tags=["decisions"])
    async def check(wish: models.ViewWish) -> Response:
        """Check a view: it completed by what the server computes, and the legal actions."""
        seat = mine(wish.view)
        known_state = known_of(wish.view)
        seen = looker.look(known_state, seat)
        legal = legal_data(seen.action_mask, wish.view.phase == "placement")
        return _json({"view": view_data(known_state, seat), "legal": legal})
