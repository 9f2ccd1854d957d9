"""What others' files cost a visitor with a small one: `python -m benchmarks.uploads`.

A log of 3,000 jobs is looked at on “Your cluster”, alone and beside others who look at logs of 300,000 jobs, each
again as soon as it is done. `benchmarks.load --heavy` has the same logs, and a hostile ZIP of reports, beside visitors
who turn knobs.
"""

import argparse
import asyncio
import gzip
import io
import random
import statistics
import time
import zipfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.chromium import server
from benchmarks.visitor import Visitor

ROOT = Path(__file__).resolve().parent.parent
SMALL, HEAVY = 3_000, 300_000
#: How often a page asks how far its work is [s].
GLANCE = 0.5
#: Whoever has waited so long gives up [s].
PATIENCE = 280.0


@cache
def log(jobs: int, seed: int = 1) -> bytes:
    """Write a log in the Standard Workload Format, packed."""
    rng, now, lines = random.Random(seed), 1_700_000_000.0, ["; UnixStartTime: 0"]
    for number in range(1, jobs + 1):
        now += rng.expovariate(1 / 100)
        wait, long, wide = rng.randint(0, 600), rng.randint(1, 7200), rng.randint(1, 32)
        times = f"{now:.0f} {wait} {long} {wide} -1 -1 {wide} 14400"
        lines.append(f"{number} {times} -1 1 {number % 50} 1 -1 {number % 5} -1 -1 -1")
    return gzip.compress("\n".join([*lines, ""]).encode(), 6)


@cache
def hostile_zip(files: int = 100, keys: int = 85_000) -> bytes:
    """Write a ZIP of reports that are almost nothing but keys of empty records."""
    packed, many = io.BytesIO(), ",".join(f'"{key}":{{}}' for key in range(keys))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(files):
            start = f'{{"app":"fleet-what-if","schema":1,"name":"{number}","lessons":{{}},"more":{{'
            archive.writestr(f"{number}.json", f"{start}{many}}}}}")
    return packed.getvalue()


async def look_at(visitor: Visitor, data: bytes) -> float:
    """Send a log and wait until the page says what happened; return the seconds."""
    await visitor.run()
    choice = visitor.widget("cluster_source")[1]
    state = WidgetState(id=choice.id)
    state.string_array_value.data.append(choice.options[1].content)
    visitor.states[choice.id] = state
    await visitor.run()
    begun = time.monotonic()
    await visitor.upload("cluster_file", data)
    while not visitor.metrics():
        if not visitor.watches and (said := visitor.all("alert")):
            raise RuntimeError(said[0].body)
        if time.monotonic() - begun > PATIENCE:
            raise TimeoutError("the log was given up")
        await asyncio.sleep(GLANCE)
        await visitor.watch()
    return time.monotonic() - begun


async def heaviest_logs(address: str, visitors: int = 4) -> None:
    """Let so many visitors look at the longest log at once."""

    async def one() -> None:
        async with Visitor(address, "your_cluster") as visitor:
            await look_at(visitor, log(HEAVY))

    await asyncio.gather(*(one() for _ in range(visitors)))


async def zip_of_keys(address: str) -> None:
    """Let a ZIP of nothing but keys be graded."""
    async with Visitor(address, "grades") as visitor:
        await visitor.run()
        await visitor.upload("grades_files", hostile_zip(), "reports.zip")


async def again_and_again(address: str, data: bytes, done: list[float]) -> None:
    """Look at a log, and again as soon as it is done or refused, until cancelled; note the seconds of each."""
    while True:
        begun = time.monotonic()
        with suppress(TimeoutError):
            async with Visitor(address, "your_cluster") as visitor:
                await look_at(visitor, data)
        done.append(time.monotonic() - begun)


async def measure(options: argparse.Namespace, address: str) -> None:
    """Print how long the small log takes alone and beside the heavy ones."""
    small, heavy = log(options.small, 2), log(options.heavy)

    async def times() -> list[float]:
        found = []
        for _ in range(options.rounds):
            async with Visitor(address, "your_cluster") as visitor:
                found.append(await look_at(visitor, small))
        return found

    await times()  # fills caches, and starts the process beside the server
    alone = await times()
    done: list[float] = []
    others = [asyncio.create_task(again_and_again(address, heavy, done)) for _ in range(options.others)]
    await asyncio.sleep(10)
    beside = await times()
    for other in others:
        other.cancel()
    failed = [one for one in await asyncio.gather(*others, return_exceptions=True) if isinstance(one, Exception)]
    for name, found in (("alone", alone), (f"beside {options.others} of {options.heavy:,}", beside)):
        print(f"{options.small:,} jobs {name:<26}{' '.join(f'{one:6.1f}' for one in found)} s", flush=True)
    print(
        f"{len(done)} heavy ones were done meanwhile, the longest in {max(done, default=0):.0f} s; {len(failed)} failed"
    )
    print(f"median {statistics.median(beside) / statistics.median(alone):.1f} times that of alone")


def main() -> None:
    """Start a server of its own, measure, stop it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--small", type=int, default=SMALL, help=f"jobs of the small log ({SMALL:,})")
    parser.add_argument("--heavy", type=int, default=HEAVY, help=f"jobs of each heavy log ({HEAVY:,})")
    parser.add_argument("--others", type=int, default=8, help="visitors with a heavy log (8)")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with server(ROOT) as address:
        asyncio.run(measure(options, address))


if __name__ == "__main__":
    main()
