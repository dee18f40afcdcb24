"""Following a duel over a WebSocket, and playing it there."""

import asyncio
import contextlib
import logging
from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from .doubled import DoubledKey, read_once
from .fields import Part
from .host import Host
from .hosted import Hosted, Refusal, message_text
from .limits import Buckets, client_of, error_data
from .models import Action
from .sentences import sendable, sentence_of

LOG = logging.getLogger("solwaris.server")
HELLO_SECONDS = 10.0
SEND_SECONDS = 10.0
CLOSE_SECONDS = 2.0
MOST_WAITING = 64
MOST_REASON = 120  # bytes; a close frame holds 123
BAD_MESSAGE, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, NO_HELLO, TOO_SLOW = (
    4400,
    4401,
    4403,
    4404,
    4408,
    4409,
)


def _whole(text: str) -> str:
    """A text as it is. Raises ValueError where it has half a character, which nothing can send."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("a text has half a character") from None
    return text


Text = Annotated[str, AfterValidator(_whole)]


class Hello(Part):
    """The first message: who follows."""

    type: Literal["hello"]
    secret: Text | None = Field(default=None, max_length=200)
    since: int | None = Field(default=None, ge=0, strict=True)


class ActMessage(Part):
    """An action to take."""

    type: Literal["action"]
    action: Action
    id: int | Text | None = None
    seq: int | None = Field(default=None, ge=0, strict=True)


class ResignMessage(Part):
    """Give up."""

    type: Literal["resign"]
    id: int | Text | None = None


class Ping(Part):
    """Ask for a pong."""

    type: Literal["ping"]


Said = TypeAdapter(Annotated[ActMessage | ResignMessage | Ping, Field(discriminator="type")])


class Socket:
    """One WebSocket that follows a duel; its messages wait in a queue of bounded length."""

    def __init__(self, websocket: WebSocket) -> None:
        self.seat: int | None = None
        self.duel = ""
        self._websocket = websocket
        self._queue: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)
        self.too_slow = asyncio.Event()

    def send(self, text: str) -> None:
        """Put a message into the queue; where it is full the client is cut off."""
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self.too_slow.set()

    async def pump(self) -> None:
        """Send what waits, until the client cannot keep up."""
        while not self.too_slow.is_set():
            text = await self._queue.get()
            try:
                await asyncio.wait_for(self._websocket.send_text(text), SEND_SECONDS)
            except TimeoutError:
                self.too_slow.set()


class Sockets:
    """All sockets of a server."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._clients: Counter[str] = Counter()
        self.dropped = 0
        self.open: set[Socket] = set()

    async def serve(self, websocket: WebSocket, name: str) -> None:
        """Serve one connection from its hello to its end."""
        client = client_of(websocket.scope)
        await websocket.accept()
        if self._clients[client] >= self._host.config.sockets_per_client:
            await _close(websocket, FORBIDDEN, "too many sockets of one client")
            return
        self._clients[client] += 1
        try:
            await self._serve(websocket, name, client)
        except WebSocketDisconnect:
            pass
        except Exception:
            LOG.exception("a socket failed")
            await _close(websocket, 1011, "internal error")
        finally:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]

    async def _serve(self, websocket: WebSocket, name: str, client: str) -> None:
        try:
            hosted = await self._host.find(name)
        except Refusal as refusal:
            await _close(websocket, NOT_FOUND, refusal.message)
            return
        try:
            text = await asyncio.wait_for(websocket.receive_text(), HELLO_SECONDS)
            hello = Hello.model_validate(read_once(text))
        except TimeoutError:
            await _close(websocket, NO_HELLO, "no hello came in time")
            return
        except DoubledKey as error:
            await _close(websocket, BAD_MESSAGE, str(error))
            return
        except ValidationError as error:
            fault = sentence_of(error.errors())
            await _close(websocket, BAD_MESSAGE, f"the first message must be a hello: {fault}")
            return
        except (ValueError, RecursionError, KeyError):  # no JSON, no text
            await _close(websocket, BAD_MESSAGE, "the first message must be a hello")
            return
        socket = Socket(websocket)
        if hello.secret is not None:
            socket.seat = hosted.seat_of(hello.secret)
            if socket.seat is None:
                await _close(websocket, UNAUTHORIZED, "the secret opens no seat of this duel")
                return
        elif not hosted.setup["spectators"]:
            await _close(websocket, FORBIDDEN, "this duel takes no spectators")
            return
        elif self._spectators(hosted) >= self._host.config.spectators:
            await _close(websocket, FORBIDDEN, "this duel has all the spectators it takes")
            return
        await self._follow(websocket, hosted, socket, hello.since)

    def _spectators(self, hosted: Hosted) -> int:
        """How many watch a duel, those among them who still wait for its state."""
        return sum(s.seat is None and s.duel == hosted.name for s in self.open)

    async def _follow(
        self, websocket: WebSocket, hosted: Hosted, socket: Socket, since: int | None
    ) -> None:
        info = None if socket.seat is None else hosted.seats[socket.seat]
        if info is not None:
            info.sockets += 1
        socket.duel = hosted.name
        self.open.add(socket)
        tasks: list[asyncio.Task] = []
        try:
            async with hosted.lock:  # nothing may happen between the state and the first step
                state = hosted.state_data(socket.seat)
                if since is not None:
                    await self._catch_up(websocket, hosted, socket, since, state)
                socket.send(message_text({"type": "state", "state": state}))
                hosted.followers.add(socket)
            if socket.seat is not None:
                self._host.timekeeper.seen(hosted, socket.seat)
            tasks = [
                asyncio.create_task(socket.pump()),
                asyncio.create_task(self._listen(websocket, hosted, socket)),
                asyncio.create_task(socket.too_slow.wait()),
            ]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if websocket.application_state is WebSocketState.CONNECTED:
                    task.result()  # raises what it died of
        finally:
            hosted.followers.discard(socket)
            self.open.discard(socket)
            if info is not None:  # before all that waits for the client
                info.sockets -= 1
                info.last_seen = self._host.now()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if socket.too_slow.is_set():
            self.dropped += 1
            LOG.info("a client was too slow", extra={"duel": hosted.name})
            await _close(websocket, TOO_SLOW, "too slow: come back")

    @staticmethod
    async def _catch_up(
        websocket: WebSocket, hosted: Hosted, socket: Socket, since: int, state: dict[str, Any]
    ) -> None:
        """Tell of the steps that a returning client missed, the newest only if too many."""
        first = max(since, hosted.seq - MOST_WAITING // 2)
        for seq in range(first + 1, hosted.seq + 1):
            step = hosted.step_data(seq, socket.seat)
            socket.send(message_text({"type": "step", "step": step, "state": state}))

    async def _listen(self, websocket: WebSocket, hosted: Hosted, socket: Socket) -> None:
        buckets = Buckets(self._host.config.rate, self._host.config.burst)
        while True:
            try:
                text = await websocket.receive_text()
            except KeyError:
                await _close(websocket, BAD_MESSAGE, "messages are texts")
                return
            reply = await self._answer(text, hosted, socket, buckets)
            socket.send(message_text(reply))

    async def _answer(
        self, text: str, hosted: Hosted, socket: Socket, buckets: Buckets
    ) -> dict[str, Any]:
        if buckets.take("") > 0:
            return _refused(None, "rate_limited", "too many messages: wait a moment")
        try:
            read = read_once(text)
        except DoubledKey as error:
            return _refused(_id_of(error.read), "bad_request", str(error))
        except (ValueError, RecursionError):
            return _refused(None, "invalid", "the message is not JSON, or cut short")
        try:
            said = Said.validate_python(read)
        except ValidationError as error:
            return _refused(_id_of(read), "invalid", sentence_of(error.errors()))
        if isinstance(said, Ping):
            return {"type": "pong"}
        if socket.seat is None:
            return _refused(said.id, "forbidden", "a spectator only looks on")
        self._host.timekeeper.seen(hosted, socket.seat)
        try:
            if isinstance(said, ActMessage):
                action = said.action.model_dump(mode="json")
                _, seq = await self._host.course.act(hosted, socket.seat, action, said.seq)
            else:
                _, seq = await self._host.course.resign(hosted, socket.seat)
        except Refusal as refusal:
            return _refused(said.id, refusal.code, refusal.message)
        return {"type": "ack", "id": said.id, "seq": seq}

    async def stop(self) -> None:
        """Tell everybody to come back later."""
        await asyncio.gather(
            *(
                _close(socket._websocket, 1001, "the server stops: come back")
                for socket in list(self.open)
            )
        )


def _refused(id_: int | str | None, code: str, message: str) -> dict[str, Any]:
    return {"type": "error", "id": id_, **error_data(code, message)}


def _id_of(read: Any) -> int | str | None:
    """The id of a message that does not read otherwise."""
    found = read.get("id") if isinstance(read, dict) else None
    with contextlib.suppress(ValueError):
        if isinstance(found, str):
            return _whole(found)
    return found if isinstance(found, int) else None


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    if websocket.application_state is WebSocketState.CONNECTED:
        short = sendable(reason).encode()[:MOST_REASON].decode(errors="ignore")
        # a client that does not read keeps nobody waiting
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError, TimeoutError):
            await asyncio.wait_for(websocket.close(code, short), CLOSE_SECONDS)
