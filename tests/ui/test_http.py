"""The real server from outside: odd addresses and methods get short answers that hold no path and
no stack.
"""

import asyncio
import contextlib
import http.client
import os
import re
import sys

import pytest
import websockets
from serving import PATIENCE, ROOT, talk

pytestmark = pytest.mark.slow
#: A file of Python or of this machine, a stack.
PLACES = "|".join(
    re.escape(place) for place in (str(ROOT), sys.prefix, os.path.expanduser("~") + "/")
)
TELLTALE = re.compile(rf"Traceback|File \"|\.py\b|site-packages|root:x:|{PLACES}")
#: What leaves the folder of static files, or holds a null byte.
OUTSIDE = ["/..%2f..%2fetc%2fpasswd", "/static/../../etc/passwd", "/a%00b"]
#: What any page of the app could be called: the browser gets the app, which says that there is no
#: such page.
UNKNOWN = ["/app.py", "/.streamlit/secrets.toml", "/%ff%fe"]
#: Method, path, status, and a part of the answer.
REFUSED = [
    *(("GET", path, 400, "Bad Request") for path in OUTSIDE),
    *(("GET", path, 404, "") for path in ("/media/x", "/_stcore/bidi-components/x/y")),
    ("POST", "/", 405, "Method Not Allowed"),
    ("PUT", "/_stcore/upload_file/a/b", 403, "XSRF"),
]
TOLD = [
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/metrics",
    "/_stcore/agent/openapi.json",
]


def ask(
    server, method: str, path: str, body: bytes | None = None
) -> tuple[int, dict[str, str], str]:
    """Send a request as it is written, and return status, headers and text."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.request(method, path, body)
        answer = connection.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, headers, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


def quiet(headers: dict[str, str], text: str) -> None:
    """Nothing is told about the machine, and no version of the server."""
    everything = text + "\n".join(f"{name}: {value}" for name, value in headers.items())
    assert (found := TELLTALE.search(everything)) is None, found
    assert not re.search(r"\d", headers.get("server", "")) and "x-powered-by" not in headers


def test_the_health_address_answers(server):
    status, headers, text = ask(server, "GET", "/_stcore/health")
    assert (status, text) == (200, "ok")
    assert headers["cache-control"] == "no-cache" and "SameSite=Lax" in headers["set-cookie"]


@pytest.mark.parametrize(
    ("method", "path", "status", "says"), REFUSED, ids=lambda one: str(one)[:40]
)
def test_what_is_not_to_be_had_or_done_is_refused_in_one_line(server, method, path, status, says):
    found, headers, text = ask(server, method, path, b"x" * 1000 if method != "GET" else None)
    assert found == status and says in text and len(text) < 80
    quiet(headers, text)


@pytest.mark.parametrize("path", [*UNKNOWN, *TOLD], ids=lambda path: path[:40])
def test_any_other_address_is_answered_with_the_start_page_or_what_the_server_tells_about_itself(
    server, path
):
    status, headers, text = ask(server, "GET", path)
    assert status == 200
    if path in UNKNOWN:
        assert text == ask(server, "GET", "/")[2] and headers["content-type"].startswith(
            "text/html"
        )
    quiet(headers, text)


def test_garbage_on_the_websocket_ends_that_connection_at_most(server):
    async def babble():
        address = server.url.replace("http", "ws") + "/_stcore/stream"
        for garbage in (
            b"",
            b"\x00" * 1000,
            bytes(range(256)) * 40,
            "words",
            "{}",
            b"\x0a\xff\xff\xff\xff\x0f",
        ):
            async with websockets.connect(
                address, subprotocols=["streamlit"], open_timeout=PATIENCE
            ) as socket:
                with contextlib.suppress(TimeoutError, websockets.ConnectionClosed):
                    await socket.send(garbage)
                    told = await asyncio.wait_for(socket.recv(), 1)
                    assert b"Traceback" not in (told if isinstance(told, bytes) else told.encode())

    talk(babble())
    assert ask(server, "GET", "/_stcore/health")[0] == 200
