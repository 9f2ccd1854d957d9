"""A lecture hall votes, without browsers: what a student costs, and what happens when a copy of the app stops.

    python -m benchmarks.hall --students 50 100          CPU of one server while so many watch, and while they vote
    python -m benchmarks.hall --stop URL [--nginx FILE]  two servers behind nginx on one database; one is stopped while
                                                         students vote

Everything runs on the loopback. Students speak the app's own websocket protocol: they look at the class every three
seconds as a browser does. Client and servers share the machine, so take the CPU, not the waits, as the result.
"""

import argparse
import asyncio
import random
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import websockets

from benchmarks.visitor import ROOT, Visitor, cpu_of, free_port, p95, process_of, server, wait_for
from polls import store

LOOK = 3.0  #: seconds between two looks of a page
LESSON = "trap"


@dataclass
class Seen:
    """What the hall went through."""

    opened: list[float] = field(default_factory=list)  #: seconds to the first page
    voted: list[float] = field(default_factory=list)  #: seconds from the press of the button to "your vote is in"
    looks: list[float] = field(default_factory=list)
    again: int = 0  #: students who were cut off and came back
    trouble: Counter[str] = field(default_factory=Counter)


async def attend(address: str, code: str, number: int, seen: Seen, at: float, until: float, think: bool) -> None:
    """Come, look, vote at some time, look on; come back when cut off, with the cookie that keeps one on a copy."""
    rng = random.Random(number)
    cookie = f"copy={rng.getrandbits(128):032x}"
    vote_at = at + rng.uniform(0, 10) if think else float("inf")
    done = cut = False
    while time.monotonic() < until:
        try:
            async with Visitor(address, "class_poll", f"class={code}", cookie) as student:
                seen.opened.append(await student.run())
                seen.again += cut
                while time.monotonic() < until:
                    if not done and time.monotonic() >= vote_at:
                        begun = time.perf_counter()
                        await student.set("class_answer", student.widget("class_answer")[1].options[number % 4])
                        await student.set("class_vote", True)
                        if not any("Your vote is in" in alert.body for alert in student.all("alert")):
                            raise RuntimeError("the vote was not confirmed")
                        seen.voted.append(time.perf_counter() - begun)
                        done = True
                    seen.looks.append(await student.watch())
                    await asyncio.sleep(LOOK * rng.uniform(0.9, 1.1))
        except (OSError, websockets.WebSocketException, TimeoutError, RuntimeError) as error:
            seen.trouble[f"{type(error).__name__}: {error}"[:120]] += 1
            cut = True
            await asyncio.sleep(rng.uniform(0.5, 1.5))
    if think and not done:
        seen.trouble["a student could not vote"] += 1


def hall(address: str, code: str, students: int, seen: Seen, at: float, until: float, think: bool) -> list:
    """Let so many students attend."""
    return [asyncio.create_task(attend(address, code, number, seen, at, until, think)) for number in range(students)]


def middle(values: list[float]) -> str:
    """Word the median and the 95th percentile in milliseconds."""
    return f"{1e3 * statistics.median(values or [float('nan')]):6.0f} / {1e3 * p95(values):6.0f}"


async def cost(sizes: list[int], seconds: float) -> None:
    """Print the CPU of one server for each student who watches, and for each who votes."""
    with tempfile.TemporaryDirectory() as folder, server(POLLS_FOLDER=folder) as address:
        process, database = process_of(address), store.engine(f"sqlite:///{folder}/polls.sqlite")
        print("students  what      CPU of the server  CPU ms a student and second  look p50/p95 ms")
        for size, think in ((size, think) for size in sizes for think in (False, True)):
            poll, _ = store.open_class(database, LESSON)
            seen, ready = Seen(), time.monotonic() + 3 + size / 15
            students = hall(address, poll.code, size, seen, ready, ready + seconds, think)
            await asyncio.sleep(ready - time.monotonic())
            before, since = cpu_of(process), time.monotonic()
            seen.looks.clear()
            await asyncio.sleep(seconds - 1)
            used = (cpu_of(process) - before) / (time.monotonic() - since)
            await asyncio.gather(*students)
            what = "voting" if think else "watching"
            figures = f"{used:>14.2f} core{1e3 * used / size:>22.2f}{'':>8}{middle(seen.looks)}"
            counted = f"votes {store.count(database, poll)}  trouble {seen.trouble.total()}"
            print(f"{size:>8}  {what:<9}{figures}  {counted}", *list(seen.trouble)[:3], sep="\n    ", flush=True)


async def stop_one(url: str, students: int, nginx: str) -> None:
    """Two copies behind nginx; one is stopped while the hall votes."""
    with tempfile.TemporaryDirectory() as folder:
        secrets = Path(folder) / "secrets.toml"
        secrets.write_text(f'[connections.sql]\nurl = "{url}"\n', encoding="utf-8")
        with server(ROOT, "--secrets.files", str(secrets)) as one, server(ROOT, "--secrets.files", str(secrets)) as two:
            port, text = free_port(), (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
            for number, copy in enumerate((one, two), 1):
                text = text.replace(f"app{number}:8501", copy.removeprefix("http://"))
            text = text.replace("listen 8080", f"listen 127.0.0.1:{port}")
            text = text.replace("pid /tmp/nginx.pid", f"pid {folder}/nginx.pid").replace("16384", "1024")
            config = Path(folder) / "nginx.conf"
            config.write_text(text, encoding="utf-8")
            balancer = subprocess.Popen([nginx, "-e", "stderr", "-c", str(config), "-g", "daemon off;"])
            try:
                wait_for(f"http://127.0.0.1:{port}")
                await _stopped(
                    f"http://127.0.0.1:{port}", store.engine(url), students, process_of(one), process_of(two)
                )
            finally:
                balancer.terminate()
                balancer.wait(timeout=10)


async def _stopped(address: str, database, students: int, stops, stays) -> None:
    """Let the hall vote, stop a copy, and print what becomes of the votes."""
    poll, _ = store.open_class(database, LESSON)
    seen, begun = Seen(), time.monotonic()
    ready = begun + 5 + students / 15
    voting = hall(address, poll.code, students, seen, ready, ready + 45, think=True)
    await asyncio.sleep(ready + 5 - begun)
    print("connections of the copies:", [len(copy.net_connections(kind="tcp")) for copy in (stops, stays)])
    votes = store.count(database, poll)
    stops.kill()
    print(f"one copy killed with {votes} of {students} votes in", flush=True)
    for _ in range(8):
        await asyncio.sleep(2.5)
        print(f"{time.monotonic() - ready - 5:5.1f} s later: {store.count(database, poll)} votes", flush=True)
    await asyncio.gather(*voting)
    print(f"at the end {store.count(database, poll)} votes of {students} students; cut off and back: {seen.again}")
    print(f"vote to confirmation p50/p95 ms: {middle(seen.voted)}; page p50/p95 ms: {middle(seen.opened)}")
    for line, times in list(seen.trouble.items())[:6]:
        print("   ", times, "×", line)
    print(f"CPU s of the copy that stayed: {cpu_of(stays):.1f} in {time.monotonic() - begun:.0f} s")


def main() -> None:
    """Measure, or stop one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
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
