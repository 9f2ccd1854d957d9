"""What other visitors notice of a few who ask for much: `python -m benchmarks.load --heavy`."""

import argparse
import asyncio
import json
import random
import statistics
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache

import psutil
import websockets
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks import uploads
from benchmarks.knob_turns import cpu_of, unlock
from benchmarks.load import COURSE, HEAD, THINK, p95, plans, row, together
from benchmarks.visitor import Visitor

#: What takes longest to simulate on the page of policies, as a link.
WORST_POLICY = (
    "policy_order=priority&policy_backfill=easy&policy_preemption=true&policy_training_rate=12"
    "&policy_interactive_rate=5"
)
#: What a sender of large messages sends again and again, as the value of a component [B].
MESSAGE = 3_000_000


def trace_jobs() -> int:
    """Jobs of the largest trace that is taken."""
    from ui.cluster.replay import MOST_JOBS

    return MOST_JOBS


@cache
def largest_trace(count: int) -> bytes:
    """Write as many jobs as are taken, somewhat more than 128 processors serve, as an SWF file."""
    rng = random.Random(1)
    lines, now = ["; MaxProcs: 128"], 0.0
    for number in range(1, count + 1):
        now += rng.expovariate(1 / 450)
        wide, long = rng.randint(1, 32), rng.randint(1, 7200)
        lines.append(f"{number} {now:.0f} 10 {long} {wide} -1 -1 {wide} {3 * long} -1 1 {number % 50} 1 -1 1 -1 -1 -1")
    return "\n".join([*lines, ""]).encode()


def policy() -> object:
    """The lesson on scheduling policy."""
    return next(lesson for lesson in COURSE if lesson.id == "policy")


async def replay(address: str) -> None:
    """Let the largest trace that is taken be replayed."""
    async with Visitor(address, "your_cluster") as visitor:
        await visitor.run()
        await visitor.upload("policy_trace", largest_trace(trace_jobs()))


async def worst_policy(address: str) -> None:
    """Ask for the policy that takes longest to simulate."""
    async with Visitor(address, policy().page) as visitor:
        visitor.query = WORST_POLICY
        await visitor.run()
        await unlock(visitor, policy())


async def messages(address: str, size: int = MESSAGE) -> None:
    """Send one large value of the component that keeps what a visitor did, again and again until the server hangs up.

    Half a second passes between two. The value is of what takes longest to read: many small objects.
    """
    with suppress(websockets.ConnectionClosed):
        async with Visitor(address) as visitor:
            await visitor.run()
            component = next(part for part in visitor.all("bidi_component") if part.id.endswith("-keep"))
            value = json.dumps({"stored": [{}] * (size // 3)}, separators=(",", ":"))
            visitor.states[component.id] = WidgetState(id=component.id, json_value=value)
            while True:
                await visitor.ask()
                await asyncio.sleep(0.5)


async def films(address: str) -> None:
    """Pin three settings, and ask five times a second for the film of a setting that nobody has seen."""
    trap = next(lesson for lesson in COURSE if lesson.id == "trap")
    rng = random.Random()
    async with Visitor(address, trap.page) as visitor:
        await visitor.run()
        await unlock(visitor, trap)
        for turn in range(100):
            if turn < 3:
                await visitor.set("trap_pin", True)
            # Views alternate: pins are drawn on the chart, the animation has none.
            view = "film" if turn % 2 else "wait"
            visitor.query = f"trap_view={view}&trap_job_length={rng.uniform(0.2, 20):.1f}"
            visitor.states.clear()
            await visitor.run()
            await asyncio.sleep(0.2)


#: Who asks for much, by the name in the table: each comes again as soon as it is done.
BURDENS: dict[str, Callable[[str], Awaitable[None]]] = {
    "largest trace": replay,
    "worst policy": worst_policy,
    "3 MB messages": messages,
    "films and pins": films,
    "four heaviest logs": uploads.heaviest_logs,
    "hostile ZIP": uploads.zip_of_keys,
}


async def heavy(options: argparse.Namespace, address: str, process: psutil.Process) -> None:
    """Print closed-form reruns alone, beside each visitor of `BURDENS`, and beside all of them.

    Whoever asks for much comes again, two seconds after it is done, is given up, or has taken a minute; a sender of
    messages at once.
    """
    scripts = await plans(address, [next(lesson for lesson in COURSE if lesson.id == "trap")])
    visitors, done = options.visitors[0], Counter()

    async def come_again(name: str) -> None:
        while True:
            with suppress(TimeoutError):
                await BURDENS[name](address)
            done[name] += 1
            await asyncio.sleep(THINK if BURDENS[name] is not messages else 0.1)

    # Made before anything is measured: who is measured and who sends share a process.
    uploads.log(uploads.HEAVY), uploads.hostile_zip(), largest_trace(trace_jobs())
    print(HEAD, flush=True)
    chosen = options.beside or list(BURDENS)
    cases = {"alone": []} | {name: [name] for name in chosen} | ({"all of them": chosen} if len(chosen) > 1 else {})
    found: dict[str, list[float]] = {name: [] for name in cases}
    for name, busy in list(cases.items()) * options.rounds:
        tasks = [asyncio.create_task(come_again(one)) for one in busy]
        await asyncio.sleep(5 if tasks else 0)
        before = cpu_of(process)
        tally = await together(address, scripts, visitors, options.seconds)
        spent = cpu_of(process) - before
        for task in tasks:
            task.cancel()
        failed = [one for one in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(one, Exception)]
        print(row(name, visitors, tally, spent, memory_of(process), options.seconds), flush=True)
        for line in dict.fromkeys([*tally.errors[:3], *tally.wrong[:3], *map(repr, failed)]):
            print("   ", line, flush=True)
        found[name] += tally.moves
    alone = found["alone"]
    for name, moves in list(found.items())[1:]:
        times = statistics.median(moves) / statistics.median(alone), p95(moves) / p95(alone)
        print(f"beside {name}: median {times[0]:.1f}, p95 {times[1]:.1f} times that of alone")
    print("done or given up meanwhile: " + ", ".join(f"{name} {done[name]} times" for name in chosen))
    begun = {one.pid: cpu_of(one) for one in family(process)}
    await asyncio.sleep(5)
    spent = sum(cpu_of(one) - begun.get(one.pid, 0.0) for one in family(process))
    print(f"within 5 s after they left, what still runs used {spent:.1f} s of processor time")


def family(process: psutil.Process) -> list[psutil.Process]:
    """The server and the processes beside it."""
    return [process, *process.children(recursive=True)]


def memory_of(process: psutil.Process) -> float:
    """Memory of the server and the processes beside it, what they share counted once [B]; the server's elsewhere."""
    held = 0
    for one in family(process):
        with suppress(psutil.Error):
            held += getattr(one.memory_full_info(), "pss", 0)
    return held or process.memory_info().rss
