"""Run many visitors at once on a real server, and check every number that they are sent.

Each visitor opens a lesson, locks a prediction, moves a knob every two seconds and now and then
changes the page. The metrics that come back are compared with those that one visitor alone was
sent. Client and server share the machine, so absolute times depend on it; compare rows of one run.

Arguments of `python -m benchmarks.load`:

    (none)                       1, 50, 100, 200, 400 visitors on a mix of all lessons
    --at http://127.0.0.1:8080   servers that run already, such as several behind nginx
    --lessons trap io            only these
    --visitors 100 100 100       the same again and again: does the memory stay?
    --heavy --visitors 10        beside those who ask for much, see `benchmarks.heavy`
    --logs 8                     a small log on “Your cluster” beside eight heavy ones
"""

import argparse
import asyncio
import random
import statistics
import time
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from benchmarks import options
from benchmarks.server import Server
from benchmarks.visitor import Visitor, opened, p95, sliders, unlock
from lessons import LESSONS as COURSE
from ui.base.lesson import Lesson

THINK = 2.0  #: seconds between two moves of a visitor
#: Settings of a lesson that visitors choose from.
SETTINGS = 6


@dataclass
class Tally:
    """Measurements and errors of a group of visitors."""

    first: list[float] = field(default_factory=list)  #: seconds from opening a page to its end
    moves: list[float] = field(default_factory=list)  #: seconds from a moved knob to the page's end
    checked: int = 0
    wrong: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Script:
    """What a visitor does in a lesson: the slider to move, its values, and the expected metrics."""

    lesson: Lesson
    key: str
    expected: dict[float, dict[str, str]]  #: metrics by slider value


async def script(visitor: Visitor, lesson: Lesson, key: str) -> Script:
    """Record a lesson's metrics at several values of a slider, with no other visitor present.

    A slider that moves other knobs, too, so that the metrics depend on where it was before, is a
    ValueError.
    """
    slider = visitor.widget(key)[1]
    steps = np.linspace(0, (slider.max - slider.min) / slider.step, SETTINGS).round()
    values = (slider.min + slider.step * steps).tolist()
    # Before a setting is turned, a page holds back the number that it asks for.
    values = [value for value in values if value != slider.default[0]]
    expected = {}
    # One in the middle comes first: only the ends may push another knob.
    for value in [values[len(values) // 2], *values, *reversed(values)]:
        await visitor.set(key, value)
        metrics = visitor.metrics()
        if not metrics or expected.setdefault(value, metrics) != metrics:
            raise ValueError(f"{key} cannot be compared")
    return Script(lesson, key, expected)


async def plans(address: str, chosen: list[Lesson]) -> list[Script]:
    """Return scripts for each lesson's first usable slider; this also fills the caches."""
    scripts = []
    for lesson in chosen:
        async with opened(address, lesson.page, lesson) as visitor:
            keys = sliders(visitor)
        for key in keys:
            # A slider may leave others moved, so each is tried by a visitor who has moved none.
            async with opened(address, lesson.page, lesson) as visitor:
                with suppress(ValueError):
                    scripts.append(await script(visitor, lesson, key))
                    break
        else:
            print(f"left out, as no slider of it can be compared alone: {lesson.id}")
    return scripts


async def play(
    address: str,
    scripts: list[Script],
    seconds: float,
    seed: int,
    tally: Tally,
    settle: float = 0.0,
) -> None:
    """Play one visitor for `seconds`; the first `settle` seconds are checked, but not timed."""
    settled = time.monotonic() + settle
    rng = random.Random(seed)
    try:
        await asyncio.sleep(rng.uniform(0, min(5.0, seconds / 4)))
        current = scripts[seed % len(scripts)]
        async with Visitor(address, current.lesson.page) as visitor:
            tally.first.append(await visitor.run())
            end = time.monotonic() + seconds
            await unlock(visitor, current.lesson)
            while time.monotonic() < end:
                await asyncio.sleep(rng.uniform(0.5, 1.5) * THINK)
                if len(scripts) > 1 and rng.random() < 0.05:
                    current = rng.choice(scripts)
                    tally.first.append(await visitor.go(current.lesson.page))
                    if not visitor.metrics():
                        await unlock(visitor, current.lesson)
                value = rng.choice(list(current.expected))
                duration = await visitor.set(current.key, value)
                if time.monotonic() >= settled:
                    tally.moves.append(duration)
                check(visitor, current.expected[value], tally, f"{current.key} = {value:g}")
    except Exception as error:  # a visitor's trouble is a row in the table, whatever it is
        tally.errors.append(f"{type(error).__name__}: {error}"[:200])


def check(visitor: Visitor, expected: dict[str, str], tally: Tally, where: str) -> None:
    """Compare the page's metrics with the expected ones, and tally errors and differences."""
    for exception in visitor.all("exception"):
        tally.errors.append(f"{where}: {exception.message}"[:200])
    metrics = visitor.metrics()
    common = metrics.keys() & expected.keys()
    if not common:
        tally.errors.append(f"{where}: no metric to check")
    tally.checked += len(common)
    for label in common:
        if metrics[label] != expected[label]:
            tally.wrong.append(f"{where}: {label} is {metrics[label]}, not {expected[label]}")


HEAD = (
    f"{'lessons':<22}{'visitors':>9}{'p50 ms':>9}{'p95 ms':>9}{'reruns/s':>10}"
    f"{'CPU ms':>9}{'MB':>9}{'errors':>8}{'checked':>9}{'wrong':>7}"
)


async def shown(
    name: str,
    server: Server,
    scripts: list[Script],
    visitors: int,
    seconds: float,
    settle: float = 0.0,
) -> Tally:
    """Run `visitors` at the same time, print their row and first errors, and return their tally."""
    before = server.cpu
    start = time.monotonic()
    tally = Tally()
    players = [play(server.url, scripts, seconds, seed, tally, settle) for seed in range(visitors)]
    await asyncio.gather(*players)
    cpu = server.cpu - before
    duration = time.monotonic() - start
    p50 = statistics.median(tally.moves or [float("nan")])
    runs = max(len(tally.moves) + len(tally.first), 1)
    print(
        f"{name:<22}{visitors:>9}{1e3 * p50:>9.0f}{1e3 * p95(tally.moves):>9.0f}"
        f"{len(tally.moves) / duration:>10.1f}{1e3 * cpu / runs:>9.1f}{server.memory / 1e6:>9.0f}"
        f"{len(tally.errors):>8}{tally.checked:>9}{len(tally.wrong):>7}",
        flush=True,
    )
    for line in dict.fromkeys([*tally.errors[:3], *tally.wrong[:3]]):
        print("   ", line, flush=True)
    return tally


async def measure(args: argparse.Namespace, server: Server) -> None:
    """Print the table with a row per number of visitors."""
    chosen = [lesson for lesson in COURSE if lesson.id in args.lessons]
    scripts = await plans(server.url, chosen or COURSE)
    print(HEAD, flush=True)
    name = "all" if len(scripts) > 1 else scripts[0].lesson.id
    for visitors in args.visitors:
        await shown(name, server, scripts, visitors, args.seconds, args.settle)


def main() -> None:
    """Measure a server started for this purpose, or servers that already run."""
    parser = options.parser("load", __doc__)
    ids = [lesson.id for lesson in COURSE]
    parser.add_argument("--lessons", nargs="*", default=[], choices=ids, help="all by default")
    args = parser.parse_args()
    from benchmarks import heavy  # it lets the visitors of this module play

    task = measure
    if args.logs:
        task = heavy.logs
    elif args.heavy:
        task = heavy.heavy
    with Server(url=args.at) as server:
        asyncio.run(task(args, server))


if __name__ == "__main__":
    main()
