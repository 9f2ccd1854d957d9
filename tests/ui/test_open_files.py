"""As many pages stay open as the system allows files, a closed one gives its own back, and silence
keeps nobody out.
"""

import asyncio
import os
import sys
import time

import pytest
import uvicorn
from driving import BY_ID
from serving import PATIENCE, Server, talk

from benchmarks.visitor import Visitor, unlock
from ui.server import inbound, insides, open_files, silence

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="open files are counted on Linux"),
]
TRAP = BY_ID["trap"]
#: A soft limit that 300 open files of 75 pages would pass, and the pages that are opened.
SOFT = 128
PAGES = 110


class Limited(Server):
    """A server that is started under a soft limit of open files."""

    def __init__(self, soft: int) -> None:
        super().__init__()
        limited = f'ulimit -Sn {soft}; exec "$@"'
        self.command = ["bash", "-c", limited, "limited", *self.command]

    @property
    def files(self) -> int:
        """Files that it has open."""
        return self.process.num_fds()


@pytest.fixture(scope="module")
def limited():
    with Limited(SOFT) as server:
        yield server


async def opened(server: Server, number: int) -> list[Visitor]:
    """Open so many pages, and let all of them be drawn."""
    visitors = []
    for _ in range(number):
        visitor = Visitor(server.url, "glossary")
        await visitor.__aenter__()
        await visitor.run()
        visitors.append(visitor)
    return visitors


async def falls(server: Limited, below: int) -> None:
    """Wait until few files are open."""
    end = time.monotonic() + 10
    while server.files >= below and time.monotonic() < end:
        await asyncio.sleep(0.2)
    assert server.files < below


def test_more_pages_answer_than_the_soft_limit_has_files_and_as_many_others_after_them(limited):
    async def come_and_go() -> None:
        for _ in range(2):
            visitors = await opened(limited, PAGES)
            assert limited.files < PAGES + SOFT / 2, "a page holds one open file"
            for visitor in visitors:
                await visitor.run()
            for visitor in visitors:
                await visitor.socket.close()
            await falls(limited, SOFT / 2)

    talk(asyncio.wait_for(come_and_go(), 2 * PATIENCE))


def test_a_closed_page_gives_its_files_back_and_its_session_can_be_taken_up_again(limited):
    async def come_back() -> None:
        async with Visitor(limited.url, TRAP.page) as visitor:
            await visitor.run()
            await unlock(visitor, TRAP)
            assert visitor.metrics()
        await falls(limited, SOFT / 2)
        again = Visitor(limited.url, TRAP.page)
        again.protocols = ["streamlit", "none", visitor.session]
        async with again:
            await again.run()
            assert again.session == visitor.session and again.metrics()

    talk(asyncio.wait_for(come_back(), PATIENCE))


def test_the_limit_is_raised_to_the_hard_one_and_said(caplog):
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    before, now = open_files.raise_limit()
    assert before <= now == hard and resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard


class Serving:
    """A bare server in this process, with the kind of connection that the app's server has."""

    def __init__(self, answer) -> None:
        self.server = uvicorn.Server(
            uvicorn.Config(answer, port=0, log_level="critical", lifespan="off")
        )

    async def __aenter__(self) -> int:
        self.task = asyncio.create_task(self.server.serve())
        while not self.server.started:
            await asyncio.sleep(0.01)
        return self.server.servers[0].sockets[0].getsockname()[1]

    async def __aexit__(self, *error: object) -> None:
        self.server.should_exit = True
        await self.task


async def read_all(scope, receive, send) -> None:
    """Read a request's body, take a second, and answer."""
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(1.0)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


HEAD = b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "dribbled", "ends"),
    [
        (b"", b"", True),
        (HEAD[:20], b"", True),
        (HEAD[:20], b"a", True),
        (HEAD, b"", True),
        (HEAD + b"12345", b"", True),
        (HEAD + b"1234567890", b"", False),
    ],
)
def test_a_connection_that_keeps_the_server_waiting_is_closed_and_one_that_waits_is_not(
    monkeypatch, sent, dribbled, ends
):
    monkeypatch.setattr(silence, "SILENT", 0.3)
    monkeypatch.setattr(silence, "HEAD", 0.5)
    monkeypatch.setattr(silence, "GLANCE", 0.05)

    async def keep_waiting() -> bytes:
        async with Serving(read_all) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            try:
                async with asyncio.timeout(5):
                    for _ in range(40 if dribbled else 0):
                        writer.write(dribbled)
                        await writer.drain()
                        await asyncio.sleep(0.05)
                    return await reader.read(1000)
            except ConnectionError:
                return b""
            finally:
                writer.close()

    assert (b"done" in talk(keep_waiting())) is not ends


def test_a_websocket_on_which_no_page_asks_for_anything_is_closed(monkeypatch):
    monkeypatch.setattr(inbound, "FIRST", 0.2)
    ended = []

    class Silent:
        async def close(self, code: int) -> None:
            ended.append(code)

    async def never(self: object) -> bytes:
        await asyncio.sleep(60)
        return b""

    async def read() -> None:
        silent = Silent()
        with pytest.raises(inbound.WebSocketDisconnect):
            await inbound.first(silent, never)

    talk(read())
    assert ended == [inbound.TOO_MUCH]


def test_work_beside_the_server_is_waited_for_beyond_the_1_024th_file():
    """`select` takes no file beyond it; a server with many pages has them."""
    from ui.base import worker_pool

    held = [os.dup(0) for _ in range(1_100)]
    try:
        with worker_pool.waited_for(lambda: None, 30.0, True, "somebody"):
            assert worker_pool.compute(max, 1, 2) == 2
    finally:
        for one in held:
            os.close(one)
        worker_pool.FORK_SERVER.end()


@pytest.fixture(autouse=True, scope="module")
def watching():
    """Connections of this process are watched as the app's are."""
    kinds = [kind for kind in (insides.find(*name) for name in insides.HTTP) if kind]
    before = [(kind, kind.connection_made, kind.data_received) for kind in kinds]
    silence.watch()
    yield
    for kind, made, received in before:
        kind.connection_made = made
        kind.data_received = received
