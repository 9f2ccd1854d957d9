"""Measure a hall that opens the link: many newcomers within seconds, while others move settings.

Arguments of `python -m benchmarks.rush`:

    (none)             200 newcomers to home within ten seconds, ten others on a lesson
    --page placement   newcomers to a lesson's page
    --against REV      beside another version of the app, in turns

Clients and server share the machine, so compare the rows of one run; the processor time of the
server for each newcomer depends least on what else runs. The newcomers come from a process of their
own: those who turn knobs would otherwise also wait for the client.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from benchmarks import load, options
from benchmarks.server import ROOT, Server
from benchmarks.versions import checkout, path_of
from benchmarks.visitor import opened, p95
from lessons import UTILIZATION_TRAP

HEAD = (
    f"{'version':<10}{'newcomers':>10}{'drawn p50 s':>13}{'drawn max s':>13}"
    f"{'knob p50 ms':>13}{'knob p95 ms':>13}{'CPU s':>8}{'MB':>6}{'errors':>8}"
)


async def come(address: str, page: str, after: float, seconds: list[float]) -> None:
    """Wait `after` seconds, open a page, append the seconds until it is drawn, and stay."""
    await asyncio.sleep(after)
    start = time.monotonic()
    async with opened(address, path_of(page, "page")):
        seconds.append(time.monotonic() - start)
        await asyncio.sleep(1)


async def come_together(
    address: str, page: str, newcomers: int, within: float
) -> tuple[list[float], int]:
    """Have newcomers open a page; return the times until it was drawn [s], and the failures."""
    seconds: list[float] = []
    coming = [come(address, page, within * n / newcomers, seconds) for n in range(newcomers)]
    results = await asyncio.gather(*coming, return_exceptions=True)
    return seconds, sum(isinstance(result, BaseException) for result in results)


def hall(address: str, page: str, newcomers: int, within: float) -> tuple[list[float], int]:
    """Run `come_together`, in a process of its own."""
    return asyncio.run(come_together(address, page, newcomers, within))


async def rush(version: str, server: Server, args: argparse.Namespace) -> None:
    """Have newcomers arrive while other visitors move settings, and print both groups' times."""
    scripts = await load.plans(server.url, [UTILIZATION_TRAP])
    async with opened(server.url, path_of(args.page, "page")):
        pass  # fills the server's caches
    tally = load.Tally()
    # Those who turn knobs have opened and locked their page when the newcomers come.
    seconds = 6 + 2 * args.within
    players = [load.play(server.url, scripts, seconds, seed, tally) for seed in range(args.others)]
    turning = asyncio.gather(*players)
    with ProcessPoolExecutor(1, get_context("spawn")) as clients:
        come_to = partial(hall, server.url, args.page, within=args.within)
        clients.submit(come_to, 0)  # starts the process
        await asyncio.sleep(6)
        tally.moves.clear()
        cpu = server.cpu
        drawn, failed = await asyncio.get_running_loop().run_in_executor(
            clients, come_to, args.newcomers
        )
    used = server.cpu - cpu
    await turning
    failed += len(tally.errors)
    print(
        f"{version:<10}{args.newcomers:>10}{statistics.median(drawn):>13.2f}{max(drawn):>13.2f}"
        f"{1e3 * statistics.median(tally.moves):>13.0f}{1e3 * p95(tally.moves):>13.0f}"
        f"{used:>8.1f}{server.memory / 1e6:>6.0f}{failed:>8}",
        flush=True,
    )


def main() -> None:
    """Measure one version of the app, or two versions in turns."""
    args = options.parser("rush", __doc__).parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folders = {"page": ROOT}
        if args.against:
            folders["before"] = checkout(args.against, Path(temporary) / "before")
        print(HEAD, flush=True)
        for _ in range(args.rounds):
            for version, folder in folders.items():
                # One after the other: the other server would take its share of the two cores.
                with Server(folder=folder) as server:
                    asyncio.run(rush(version, server, args))


if __name__ == "__main__":
    main()
