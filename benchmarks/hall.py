"""A lecture hall votes, without browsers: what a student costs, and what happens when a copy of the app stops.

    python -m benchmarks.hall --students 50 100          CPU of one server while so many watch, and while they vote
    python -m benchmarks.hall --stop URL [--nginx FILE]  two servers behind nginx on one database; one is stopped while
                                                         students vote

Everything runs on the loopback. Students speak the app's own websocket protocol: they look at the class every three
seconds as a browser does. Client and servers share the machine, so take the CPU, not the waits, as the result.
"""

import argparse
import asyncio
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import websockets

from benchmarks.visitor import Visitor
from polls import store

ROOT = Path(__file__).resolve().parent.parent
LOOK = 3.0  #: seconds between two looks of a page
LESSON = "trap"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Copy:
    """One server process of the app."""

    def __init__(self, secrets: Path | None, folder: str):
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        command += ["--server.address", "127.0.0.1", "--server.port", str(self.port)]
        command += ["--server.fileWatcherType", "none"]
        if secrets:
            command += ["--secrets.files", str(secrets)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"POLLS_FOLDER": folder}, **quiet)
        wait_for(f"{self.address}/_stcore/health")
        self.usage = psutil.Process(self.process.pid)

    def cpu(self) -> float:
        times = self.usage.cpu_times()
        return times.user + times.system

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=20)


def wait_for(address: str) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@dataclass
class Seen:
    """What the hall went through."""

    opened: list[float] = field(default_factory=list)  #: seconds to the first page
    voted: list[float] = field(default_factory=list)  #: seconds from the press of the button to "your vote is in"
    looks: list[float] = field(default_factory=list)
    again: int = 0  #: students who were cut off and came back
    trouble: list[str] = field(default_factory=list)


class Student(Visitor):
    """A tab on the class page, with the cookie that keeps it on one copy and the token that its browser keeps."""

    def __init__(self, address: str, code: str, cookie: str = ""):
        super().__init__(address, "class_poll")
        self.query, self.cookie = f"class={code}", cookie

    async def __aenter__(self) -> "Student":
        headers = {"Cookie": self.cookie} if self.cookie else {}
        self.socket = await websockets.connect(
            self.socket_address, subprotocols=["streamlit"], max_size=None, compression=None, open_timeout=30,
            ping_interval=None, additional_headers=headers,
        )  # fmt: skip
        return self

    async def vote(self, number: int) -> None:
        await self.set("class_answer", self.widget("class_answer")[1].options[number])
        await self.set("class_vote", True)

    def counted(self) -> bool:
        return any("Your vote is in" in alert.body for alert in self.all("alert"))


async def attend(address: str, code: str, number: int, seen: Seen, at: float, until: float, think: bool) -> None:
    """Come, look, vote at some time, change the vote once, look on; come back when cut off."""
    rng = random.Random(number)
    cookie = f"copy={rng.getrandbits(128):032x}"
    vote_at = at + rng.uniform(0, 10) if think else float("inf")
    done = cut = False
    while time.monotonic() < until:
        try:
            async with Student(address, code, cookie) as student:
                seen.opened.append(await student.run())
                seen.again += cut
                while time.monotonic() < until:
                    if not done and time.monotonic() >= vote_at:
                        begun = time.perf_counter()
                        await student.vote(number % 4)
                        if not student.counted():
                            raise RuntimeError("the vote was not confirmed")
                        seen.voted.append(time.perf_counter() - begun)
                        done = True
                    seen.looks.append(await student.watch())
                    await asyncio.sleep(LOOK * rng.uniform(0.9, 1.1))
        except (OSError, websockets.WebSocketException, TimeoutError, RuntimeError) as error:
            seen.trouble.append(f"{type(error).__name__}: {error}"[:120])
            cut = True
            await asyncio.sleep(rng.uniform(0.5, 1.5))
    if think and not done:
        seen.trouble.append("a student could not vote")


def middle(values: list[float]) -> str:
    ordered = sorted(values) or [float("nan")]
    return f"{1e3 * statistics.median(ordered):6.0f} / {1e3 * ordered[max(0, int(0.95 * len(ordered)) - 1)]:6.0f}"


async def cost(sizes: list[int], seconds: float) -> None:
    """Print the CPU of one server for each student who watches, and for each who votes."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(None, folder)
        try:
            database = store.engine(f"sqlite:///{folder}/polls.sqlite")
            print("students  what      CPU of the server  CPU ms a student and second  look p50/p95 ms")
            for size in sizes:
                for think in (False, True):
                    poll, _ = store.open_class(database, LESSON)
                    seen, begun = Seen(), time.monotonic()
                    ready, end = begun + 3 + size / 15, begun + 3 + size / 15 + seconds
                    hall = [
                        asyncio.create_task(attend(copy.address, poll.code, n, seen, ready, end, think))
                        for n in range(size)
                    ]
                    await asyncio.sleep(ready - begun)
                    before, since = copy.cpu(), time.monotonic()
                    seen.looks.clear()
                    await asyncio.sleep(seconds - 1)
                    used, took = copy.cpu() - before, time.monotonic() - since
                    await asyncio.gather(*hall)
                    what = "voting" if think else "watching"
                    figures = f"{used / took:>14.2f} core{1e3 * used / took / size:>22.2f}{'':>8}{middle(seen.looks)}"
                    counted = f"votes {store.count(database, poll)}  trouble {len(seen.trouble)}"
                    print(f"{size:>8}  {what:<9}{figures}  {counted}", flush=True)
                    for line in list(dict.fromkeys(seen.trouble))[:3]:
                        print("   ", line)
        finally:
            copy.stop()


async def stop_one(url: str, students: int, nginx: str) -> None:
    """Two copies behind nginx; one is stopped while the hall votes."""
    with tempfile.TemporaryDirectory() as folder:
        secrets = Path(folder) / "secrets.toml"
        secrets.write_text(f'[connections.sql]\nurl = "{url}"\n', encoding="utf-8")
        database = store.engine(url)
        poll, _ = store.open_class(database, LESSON)
        copies = [Copy(secrets, folder), Copy(secrets, folder)]
        port = free_port()
        text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
        for number, copy in enumerate(copies, 1):
            text = text.replace(f"app{number}:8501", f"127.0.0.1:{copy.port}")
        text = text.replace("listen 8080", f"listen 127.0.0.1:{port}")
        text = text.replace("pid /tmp/nginx.pid", f"pid {folder}/nginx.pid").replace("16384", "1024")
        config = Path(folder) / "nginx.conf"
        config.write_text(text, encoding="utf-8")
        balancer = subprocess.Popen([nginx, "-e", "stderr", "-c", str(config), "-g", "daemon off;"])
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(f"{address}/_stcore/health")
            with urllib.request.urlopen(address, timeout=5) as answer:
                print("first answer sets", re.sub("=[0-9a-f]+", "=…", str(answer.headers["Set-Cookie"])))
            seen, begun = Seen(), time.monotonic()
            ready = begun + 5 + students / 15
            end = ready + 45
            hall = [asyncio.create_task(attend(address, poll.code, n, seen, ready, end, True)) for n in range(students)]
            await asyncio.sleep(ready + 5 - begun)
            shares = [len(copy.usage.net_connections(kind="tcp")) for copy in copies]
            print("connections of the copies:", shares)
            votes = store.count(database, poll)
            copies[0].process.kill()
            copies[0].process.wait()
            print(f"one copy killed with {votes} of {students} votes in", flush=True)
            for _ in range(8):
                await asyncio.sleep(2.5)
                print(f"{time.monotonic() - ready - 5:5.1f} s later: {store.count(database, poll)} votes", flush=True)
            await asyncio.gather(*hall)
            print(
                f"at the end {store.count(database, poll)} votes of {students} students; cut off and back: {seen.again}"
            )
            print(f"vote to confirmation p50/p95 ms: {middle(seen.voted)}; page p50/p95 ms: {middle(seen.opened)}")
            for line in list(dict.fromkeys(seen.trouble))[:6]:
                print("   ", seen.trouble.count(line), "×", line)
            print(f"CPU s of the copy that stayed: {copies[1].cpu():.1f} in {time.monotonic() - begun:.0f} s")
        finally:
            balancer.terminate()
            balancer.wait(timeout=10)
            for copy in copies:
                copy.stop()


def main() -> None:
    """Measure, or stop one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--students", type=int, nargs="+", default=[50, 100])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--stop", metavar="URL", help="a PostgreSQL or SQLite database that may be written to")
    parser.add_argument("--nginx", default="/usr/sbin/nginx")
    options = parser.parse_args()
    if options.stop:
        asyncio.run(stop_one(options.stop, options.students[0], options.nginx))
    else:
        asyncio.run(cost(options.students, options.seconds))


if __name__ == "__main__":
    main()
