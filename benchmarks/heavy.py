"""Measure how heavy requests slow down other visitors: `python -m benchmarks.load --heavy`.

With `--logs 8`, the heavy requests are eight long logs on "Your cluster".
"""

import argparse
import asyncio
import gzip
import io
import json
import random
import statistics
import time
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from functools import cache

import websockets
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load import COURSE, HEAD, THINK, plans, shown
from benchmarks.server import Server
from benchmarks.visitor import opened, p95
from ui.cluster.replay import MOST_JOBS

BY_ID = {lesson.id: lesson for lesson in COURSE}
TRAP = BY_ID["trap"]
POLICY = BY_ID["policy"]
#: What takes longest to simulate on the page of policies, as a link.
WORST_POLICY = (
    "policy_order=priority&policy_backfill=easy&policy_preemption=true&policy_training_rate=12"
    "&policy_interactive_rate=5"
)
#: What a sender of large messages sends again and again, as the value of a component [B].
MESSAGE = 3_000_000
#: Jobs of a small log and of the longest one.
SMALL = 3_000
LONG = 300_000
#: Whoever has waited so long for a log gives up [s].
PATIENCE = 280.0


@cache
def largest_trace(count: int = MOST_JOBS, gap: float = 450.0, head: str = "MaxProcs: 128") -> bytes:
    """Write an SWF file with `count` jobs, submitted on average `gap` [s] apart.

    With the default gap, the jobs need somewhat more than 128 processors.
    """
    rng = random.Random(1)
    submit = 1_700_000_000.0
    lines = [f"; {head}"]
    for number in range(1, count + 1):
        submit += rng.expovariate(1 / gap)
        width = rng.randint(1, 32)
        runtime = rng.randint(1, 7200)
        wait = rng.randint(0, 600)
        times = f"{submit:.0f} {wait} {runtime} {width} -1 -1 {width} {3 * runtime}"
        lines.append(f"{number} {times} -1 1 {number % 50} 1 -1 {number % 5} -1 -1 -1")
    return "\n".join([*lines, ""]).encode()


@cache
def packed_log(jobs: int = LONG) -> bytes:
    """Write a compressed log for "Your cluster", by default the longest that the page accepts."""
    return gzip.compress(largest_trace(jobs, 100.0, head="UnixStartTime: 0"), 6)


@cache
def hostile_zip() -> bytes:
    """Write a ZIP of 100 reports that contain almost nothing but the keys of empty records."""
    packed = io.BytesIO()
    records = ",".join(f'"{key}":{{}}' for key in range(85_000))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(100):
            start = f'{{"app":"fleet-what-if","schema":1,"name":"{number}","lessons":{{}},"more":{{'
            archive.writestr(f"{number}.json", f"{start}{records}}}}}")
    return packed.getvalue()


async def replay(address: str) -> None:
    """Upload the largest trace for a replay."""
    async with opened(address, "your_cluster") as visitor:
        await visitor.upload("policy_trace", largest_trace())


async def grade(address: str) -> None:
    """Upload the hostile ZIP for grading."""
    async with opened(address, "grades") as visitor:
        await visitor.upload("grades_files", hostile_zip(), "reports.zip")


async def worst_policy(address: str) -> None:
    """Open the policy lesson with the policy that takes longest to simulate."""
    async with opened(address, POLICY.page, POLICY, WORST_POLICY):
        pass


async def messages(address: str) -> None:
    """Send one large value to the storage component repeatedly until the server hangs up.

    Half a second passes between two messages. The value is what takes longest to read: many small
    objects.
    """
    with suppress(websockets.ConnectionClosed):
        async with opened(address) as visitor:
            component = visitor.widget("keep")[1].id
            value = json.dumps({"stored": [{}] * (MESSAGE // 3)}, separators=(",", ":"))
            visitor.states[component] = WidgetState(id=component, json_value=value)
            while True:
                await visitor.ask()
                await asyncio.sleep(0.5)


async def films(address: str) -> None:
    """Pin three settings, and request 100 new settings' views, about five per second."""
    rng = random.Random()
    async with opened(address, TRAP.page, TRAP) as visitor:
        for turn in range(100):
            if turn < 3:
                await visitor.set("trap_pin", True)
            # Views alternate: pins are drawn on the chart, the animation has none.
            view = "film" if turn % 2 else "wait"
            visitor.query = f"trap_view={view}&trap_job_length={rng.uniform(0.2, 20):.1f}"
            visitor.states.clear()
            await visitor.run()
            await asyncio.sleep(0.2)


async def look_at_log(address: str, jobs: int = LONG) -> float:
    """Upload a log to "Your cluster"; return the time until its history appears [s]."""
    async with opened(address, "your_cluster") as visitor:
        choice = visitor.widget("cluster_source")[1]
        state = WidgetState(id=choice.id)
        state.string_array_value.data.append(choice.options[-1].content)  # one's own
        visitor.states[choice.id] = state
        await visitor.run()
        start = time.monotonic()
        await visitor.upload("cluster_file", packed_log(jobs))
        while not visitor.metrics():
            alerts = visitor.all("alert")
            if alerts and not visitor.watches:
                raise RuntimeError(alerts[0].body)
            await asyncio.sleep(0.5)
            await visitor.watch()
        return time.monotonic() - start


async def four_logs(address: str) -> None:
    """Have four visitors upload the longest log at the same time, and give up after `PATIENCE`."""
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*map(look_at_log, [address] * 4))


#: Who asks for much, by the name in the table: each comes again as soon as it is done.
BURDENS = {
    "largest trace": replay,
    "worst policy": worst_policy,
    "3 MB messages": messages,
    "films and pins": films,
    "four heaviest logs": four_logs,
    "hostile ZIP": grade,
}


async def again_and_again(name: str, address: str, done: Counter[str]) -> None:
    """Repeat one of `BURDENS` forever, and count in `done` how often it ended or was given up."""
    while True:
        with suppress(TimeoutError):
            await BURDENS[name](address)
        done[name] += 1
        await asyncio.sleep(0.1 if BURDENS[name] is messages else THINK)


#: Rounds in which visitors are measured alone and beside a burden in turns.
ROUNDS = 3


async def heavy(options: argparse.Namespace, server: Server) -> None:
    """Print how much longer reruns take during each of `BURDENS`, and during all of them together.

    Alone and beside are measured in turns, in `ROUNDS` rounds of one run: what else the machine
    does falls on both. Whoever asks for much comes again, two seconds after it is done, is given
    up, or has taken a minute; a sender of messages at once.
    """
    scripts = await plans(server.url, [TRAP])
    done = Counter()
    # Written before anything is measured: who is measured and who sends share a process.
    packed_log()
    hostile_zip()
    largest_trace()
    print(HEAD, flush=True)
    for name in (*BURDENS, "all of them"):
        busy = [name] if name in BURDENS else list(BURDENS)
        alone = []
        burdened = []
        for _ in range(ROUNDS):
            alone += await turn("alone", [], options, server, scripts, done)
            burdened += await turn(name, busy, options, server, scripts, done)
        print(f"    {name}: {compared(alone, burdened)}", flush=True)
    numbers = ", ".join(f"{name} {done[name]} times" for name in BURDENS)
    print(f"done or given up meanwhile: {numbers}")


async def turn(
    name: str,
    busy: list[str],
    options: argparse.Namespace,
    server: Server,
    scripts: list,
    done: Counter[str],
) -> list[float]:
    """Measure for one turn while the burdens `busy` run; return the durations of reruns [s]."""
    others = [again_and_again(burden, server.url, done) for burden in busy]
    async with beside(others, 5 if busy else 0) as troubles:
        seconds = options.seconds / ROUNDS
        tally = await shown(name, server, scripts, options.visitors[0], seconds)
    for trouble in troubles:
        print("   ", repr(trouble), flush=True)
    return tally.moves


@asynccontextmanager
async def beside(others: Iterable[Coroutine], lead: float) -> AsyncIterator[list[Exception]]:
    """Run tasks from `lead` [s] before the block until its end; yield a list for their errors."""
    tasks = list(map(asyncio.create_task, others))
    troubles: list[Exception] = []
    await asyncio.sleep(lead)
    yield troubles
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            troubles.append(result)


def compared(alone: list[float], burdened: list[float]) -> str:
    """Describe how many times as long reruns take under a burden as without one.

    >>> compared([0.1, 0.2, 0.3], [0.2, 0.4, 0.6])
    'median 2.0, p95 2.0 times that of alone'
    """
    if not alone or not burdened:
        return "nothing was measured"
    median = statistics.median(burdened) / statistics.median(alone)
    return f"median {median:.1f}, p95 {p95(burdened) / p95(alone):.1f} times that of alone"


async def logs(options: argparse.Namespace, server: Server) -> None:
    """Print how long a small log takes alone, and while other visitors analyze the longest log."""
    await look_at_log(server.url, SMALL)  # fills caches, and starts the process beside the server
    alone = await small_logs("alone", server.url)
    groups = options.logs // 4
    async with beside(map(four_logs, [server.url] * groups), 10):
        busy = await small_logs(f"beside {4 * groups} of {LONG:,}", server.url)
    print(f"median {statistics.median(busy) / statistics.median(alone):.1f} times that of alone")


async def small_logs(name: str, address: str) -> list[float]:
    """Analyze a small log three times; print and return the durations [s]."""
    seconds = []
    for _ in range(3):
        seconds.append(await look_at_log(address, SMALL))
    print(f"{SMALL:,} jobs {name:<26}{' '.join(map('{:6.1f}'.format, seconds))} s")
    return seconds
