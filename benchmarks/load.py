"""Many visitors at once on a real server, every number they are sent checked: `python -m benchmarks.load`.

Each visitor opens a lesson, locks a prediction, moves a knob every two seconds and now and then changes the page. The
metrics that come back are compared with the model's own results for that setting. Client and server share the machine,
so absolute times depend on it; compare rows of one run.

    python -m benchmarks.load                              1, 50, 100, 200, 400 visitors on a mix of all lessons
    python -m benchmarks.load --most                       the most visitors whose p95 stays below 150 ms
    python -m benchmarks.load --at http://127.0.0.1:8080   servers that run already, such as several behind nginx
    python -m benchmarks.load --lessons trap io            only these; `--each` adds a row for each lesson alone
    python -m benchmarks.load --soak 1800 --visitors 100   memory every minute for half an hour
    python -m benchmarks.load --stall 10                   a closed-form rerun while so many visitors simulate
    python -m benchmarks.load --scenarios 10000            memory while one visitor keeps asking for new settings
    python -m benchmarks.load --heavy --visitors 10        closed-form reruns beside those who ask for much
"""

import argparse
import asyncio
import random
import statistics
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from streamlit.testing.v1 import AppTest

from benchmarks.apptest import open_page
from benchmarks.chromium import server
from benchmarks.knob_turns import cpu_of, process_of, sliders, unlock
from benchmarks.visitor import Visitor
from lessons import LESSONS as COURSE
from ui.base.lesson import Lesson
from ui.knobs.declared import knobs_of, read

ROOT = Path(__file__).resolve().parent.parent
THINK = 2.0  #: seconds between two moves of a visitor
LIMIT = 0.15  #: what the 95th percentile of the waits is to stay below [s]


@dataclass
class Tally:
    """What a group of visitors saw."""

    first: list[float] = field(default_factory=list)  #: seconds from opening a page to its end
    moves: list[float] = field(default_factory=list)  #: seconds from a moved knob to the page's end
    checked: int = 0
    wrong: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Script:
    """A lesson as a visitor plays it: one slider, some values, and what the model says at each of them."""

    lesson: Lesson
    key: str
    expected: dict[float, dict[str, str]]  #: metrics by slider value


def script(lesson: Lesson, slider: object, alone: AppTest, count: int = 6) -> Script:
    """Plan a lesson with the page opened alone: values spread over a slider, and the model's results at each."""
    start = dict(alone.session_state["ledger"][lesson.id]["settings"])
    key = slider.id.split("-", 2)[2]
    name = key.removeprefix(f"{lesson.id}_")
    knob = knobs_of(lesson.settings)[name]
    steps = round((slider.max - slider.min) / slider.step)
    values = sorted({slider.min + slider.step * round(steps * part / (count - 1)) for part in range(count)})
    expected = {}
    for value in values:
        settings, _ = read(lesson.settings, start | {name: value * knob.unit})
        model = {result.label: result.text for result in lesson.results(settings) if "±" not in result.text}
        # What the model's results do not hold under the metric's name is compared with the page opened alone.
        alone.slider(key=key).set_value(type(alone.slider(key=key).value)(value)).run()
        held = alone.session_state["ledger"][lesson.id]["settings"]
        if {other: v for other, v in held.items() if other != name} != {o: v for o, v in start.items() if o != name}:
            raise ValueError(f"{key} moves the bounds of another knob, which then stays where they put it")
        expected[value] = {metric.label: model.get(metric.label, metric.value) for metric in alone.metric}
    return Script(lesson, key, expected)


async def play(address: str, scripts: list[Script], seconds: float, seed: int, tally: Tally) -> None:
    """Be one visitor for a while."""
    rng = random.Random(seed)
    try:
        await asyncio.sleep(rng.uniform(0, min(5.0, seconds / 4)))
        part = scripts[seed % len(scripts)]
        async with Visitor(address, part.lesson.page) as visitor:
            tally.first.append(await visitor.run())
            end = time.monotonic() + seconds
            await unlock(visitor, part.lesson)
            while time.monotonic() < end:
                await asyncio.sleep(rng.uniform(0.5, 1.5) * THINK)
                if len(scripts) > 1 and rng.random() < 0.05:
                    part = rng.choice(scripts)
                    tally.first.append(await visitor.go(part.lesson.page))
                    if not visitor.metrics():
                        await unlock(visitor, part.lesson)
                value = rng.choice(list(part.expected))
                tally.moves.append(await visitor.set(part.key, value))
                check(visitor, part.expected[value], tally, f"{part.key} = {value:g}")
    except Exception as error:  # a visitor's trouble is a row in the table, whatever it is
        tally.errors.append(f"{type(error).__name__}: {error}"[:200])


def check(visitor: Visitor, expected: dict[str, str], tally: Tally, where: str) -> None:
    """Compare what the page shows with the model."""
    tally.errors += [f"{where}: {exception.message}"[:200] for exception in visitor.all("exception")]
    shown = visitor.metrics()
    common = shown.keys() & expected.keys()
    if not common:
        tally.errors.append(f"{where}: no metric to check")
    for label in common:
        tally.checked += 1
        if shown[label] != expected[label]:
            tally.wrong.append(f"{where}: {label} is {shown[label]}, the model says {expected[label]}")


async def plans(address: str, chosen: list[Lesson]) -> list[Script]:
    """Open each lesson once, alone, to find its first slider; this also fills the server's caches."""
    found = []
    for lesson in chosen:
        async with Visitor(address, lesson.page) as visitor:
            await visitor.run()
            await unlock(visitor, lesson)
            sliders = [s for s in visitor.all("slider") if f"-{lesson.id}_" in s.id and not s.options]
            for slider in sliders:
                # A slider that moves the bounds of another knob, or is none of the lesson's settings, is passed over.
                with suppress(ValueError, ZeroDivisionError, KeyError):
                    found.append(script(lesson, slider, open_page(lesson.page, lesson)))
                    break
            else:
                print(f"left out, as no slider of it can be compared alone: {lesson.id}")
                continue
            for value in found[-1].expected:
                await visitor.set(found[-1].key, value)
    return found


async def together(address: str, scripts: list[Script], visitors: int, seconds: float) -> Tally:
    """Let many visitors play at once."""
    tally = Tally()
    await asyncio.gather(*(play(address, scripts, seconds, seed, tally) for seed in range(visitors)))
    return tally


def p95(moves: list[float]) -> float:
    """Return the 95th percentile of the waits [s]."""
    return sorted(moves)[max(0, int(0.95 * len(moves)) - 1)] if moves else float("nan")


def row(name: str, visitors: int, tally: Tally, cpu: float, memory: float, seconds: float) -> str:
    """Write one line of the table."""
    p50 = statistics.median(tally.moves or [float("nan")])
    runs = len(tally.moves) + len(tally.first)
    return (
        f"{name:<22}{visitors:>9}{1e3 * p50:>9.0f}{1e3 * p95(tally.moves):>9.0f}{len(tally.moves) / seconds:>10.1f}"
        f"{1e3 * cpu / max(runs, 1):>9.1f}{memory / 1e6:>9.0f}"
        f"{len(tally.errors):>8}{tally.checked:>9}{len(tally.wrong):>7}"
    )


HEAD = (
    f"{'lessons':<22}{'visitors':>9}{'p50 ms':>9}{'p95 ms':>9}{'reruns/s':>10}{'CPU ms':>9}{'MB':>9}"
    f"{'errors':>8}{'checked':>9}{'wrong':>7}"
)


async def shown(options, address: str, process: psutil.Process | None, name: str, scripts: list, many: int) -> Tally:
    """Let so many visitors play, print their row, and return what they saw."""
    before, begun = cpu_of(process) if process else float("nan"), time.monotonic()
    tally = await together(address, scripts, many, options.seconds)
    spent, seconds = (cpu_of(process) if process else float("nan")) - before, time.monotonic() - begun
    memory = process.memory_info().rss if process else float("nan")
    print(row(name, many, tally, spent, memory, seconds), flush=True)
    return tally


async def measure(options: argparse.Namespace, address: str, process: psutil.Process) -> None:
    """Print the table."""
    chosen = [lesson for lesson in COURSE if not options.lessons or lesson.id in options.lessons]
    scripts = await plans(address, chosen)
    print(HEAD, flush=True)
    groups = [("all" if len(scripts) > 1 else scripts[0].lesson.id, scripts)]
    if options.each:
        groups += [(part.lesson.id, [part]) for part in scripts]
    for name, group in groups:
        for visitors in options.visitors:
            tally = await shown(options, address, process, name, group, visitors)
            for line in dict.fromkeys([*tally.errors[:3], *tally.wrong[:3]]):
                print("   ", line, flush=True)


async def most(options: argparse.Namespace, address: str, process: psutil.Process | None) -> None:
    """Print a row for each number of visitors that is tried, and the largest whose p95 stays below the limit."""
    scripts = await plans(address, [item for item in COURSE if not options.lessons or item.id in options.lessons])
    print(HEAD, flush=True)
    good, bad, tried = 0, None, min(options.visitors)
    while bad is None or bad - good > max(1, good // 10):
        name = "all" if len(scripts) > 1 else scripts[0].lesson.id
        tally = await shown(options, address, process, name, scripts, tried)
        if p95(tally.moves) < LIMIT and not tally.errors:
            good = tried
        else:
            bad = tried
        tried = good * 2 if bad is None else (good + bad) // 2
        if not tried:
            break
    print(
        f"largest number of visitors, each with a knob every {THINK:g} s, with p95 below {1e3 * LIMIT:.0f} ms: {good}"
    )


async def soak(options: argparse.Namespace, address: str, process: psutil.Process) -> None:
    """Print the memory once a minute while visitors come and go, and the change from the first third to the last."""
    scripts = await plans(address, [item for item in COURSE if not options.lessons or item.id in options.lessons])
    tally, memory, end = Tally(), [], time.monotonic() + options.soak
    print(f"{'minute':>7}{'MB':>8}{'reruns':>9}{'errors':>8}{'wrong':>7}", flush=True)

    async def stream(seed: int) -> None:
        while (left := end - time.monotonic()) > 5:
            # Each visitor stays three minutes at most; then another one comes.
            await play(address, scripts, min(180, left), seed, tally)
            seed += options.visitors[0]

    async def watch() -> None:
        begun = time.monotonic()
        while time.monotonic() < end:
            await asyncio.sleep(60)
            memory.append(process.memory_info().rss / 1e6)
            minute = (time.monotonic() - begun) / 60
            counts = f"{len(tally.moves):>9}{len(tally.errors):>8}{len(tally.wrong):>7}"
            print(f"{minute:>7.0f}{memory[-1]:>8.0f}{counts}", flush=True)

    await asyncio.gather(watch(), *(stream(seed) for seed in range(options.visitors[0])))
    third = max(1, len(memory) // 3)
    first, last = statistics.median(memory[third : 2 * third] or memory), statistics.median(memory[-third:])
    print(f"second third {first:.0f} MB, last third {last:.0f} MB: {100 * (last / first - 1):+.1f} %")
    for line in dict.fromkeys([*tally.errors[:5], *tally.wrong[:5]]):
        print("   ", line)


async def scenarios(options: argparse.Namespace, address: str, process: psutil.Process) -> None:
    """Print the server's memory while one visitor goes from lesson to lesson and asks for new settings again and again.

    Each is a slider of the page at a place of its own. What simulates a policy for seconds is left out unless it is
    named by `--lessons`.
    """
    chosen = [item for item in COURSE if (item.id in options.lessons if options.lessons else item.id != "policy")]
    rng, asked, errors, memory = random.Random(1), set(), [], []
    print(f"{'scenarios':>10}{'MB':>8}{'errors':>8}{'seconds':>9}", flush=True)
    begun, every, turn = time.monotonic(), max(1, options.scenarios // 10), 0
    while len(asked) < options.scenarios:
        lesson, turn = chosen[turn % len(chosen)], turn + 1
        async with Visitor(address, lesson.page) as visitor:
            await visitor.run()
            await unlock(visitor, lesson)
            keys, end = sliders(visitor), min(options.scenarios, len(asked) + 50)
            for _ in range(100):
                key = rng.choice(keys)
                knob = visitor.widget(key)[1]
                place = rng.randint(0, int((knob.max - knob.min) / knob.step + 1e-9))
                await visitor.set(key, min(knob.max, knob.min + place * knob.step))
                errors += [f"{key}: {one.message}"[:200] for one in visitor.all("exception")]
                known = len(asked)
                asked.add(
                    (lesson.id, *sorted((one.id, *one.double_array_value.data) for one in visitor.states.values()))
                )
                if len(asked) == known:
                    continue
                if len(asked) % every == 0 or len(asked) == 1:
                    memory.append(process.memory_info().rss / 1e6)
                    seconds = time.monotonic() - begun
                    print(f"{len(asked):>10}{memory[-1]:>8.0f}{len(errors):>8}{seconds:>9.0f}", flush=True)
                if len(asked) >= end:
                    break
    middle = memory[len(memory) // 2]
    print(f"start {memory[0]:.0f} MB, middle {middle:.0f} MB, end {memory[-1]:.0f} MB")
    for line in dict.fromkeys(errors[:5]):
        print("   ", line)


async def stall(options: argparse.Namespace, address: str, process: psutil.Process) -> None:
    """Print a closed-form rerun alone and while others press “Simulate” again and again."""
    trap = next(lesson for lesson in COURSE if lesson.id == "trap")
    scripts = await plans(address, [trap])
    print(HEAD, flush=True)
    alone = await together(address, scripts, 1, options.seconds)
    print(row("alone", 1, alone, 0, process.memory_info().rss, options.seconds), flush=True)

    async def simulate(seed: int, end: float) -> int:
        runs, rng = 0, random.Random(seed)
        async with Visitor(address, trap.page) as visitor:
            await visitor.run()
            await unlock(visitor, trap)
            while time.monotonic() < end:
                # A setting nobody has simulated yet, so that no cache answers.
                await visitor.set("trap_job_length", round(rng.uniform(0.2, 20), 1))
                await visitor.set("trap_simulate", True)
                runs += 1
        return runs

    end = time.monotonic() + options.seconds
    busy = asyncio.gather(*(simulate(seed, end) for seed in range(options.stall)))
    beside = await together(address, scripts, 1, options.seconds)
    runs = sum(await busy)
    print(row(f"beside {options.stall} simulating", 1, beside, 0, process.memory_info().rss, options.seconds))
    print(f"{runs} simulations were run meanwhile")


def main() -> None:
    """Start a server of its own, measure, stop it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--visitors", type=int, nargs="+", default=[1, 50, 100, 200, 400])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--lessons", nargs="*", default=[], choices=[item.id for item in COURSE], help="all by default")
    parser.add_argument("--most", action="store_true", help="the largest number of visitors with p95 below 150 ms")
    parser.add_argument("--at", help="address of servers that run already; then without CPU and memory")
    parser.add_argument("--each", action="store_true", help="a row for each lesson alone, too")
    parser.add_argument("--soak", type=float, default=0.0, help="seconds")
    parser.add_argument("--heavy", action="store_true", help="beside those who ask for much, see benchmarks.heavy")
    parser.add_argument("--beside", nargs="*", help="of --heavy, only beside these, such as '3 MB messages'")
    parser.add_argument("--rounds", type=int, default=1, help="of --heavy, one case after the other in each")
    parser.add_argument("--stall", type=int, default=0, help="visitors who simulate")
    parser.add_argument("--scenarios", type=int, default=0, help="distinct settings of all lessons")
    options = parser.parse_args()
    from benchmarks.heavy import heavy  # it lets the visitors of this module play

    if options.scenarios < 0:
        parser.error(f"--scenarios must not be negative, got {options.scenarios}")
    task = (
        scenarios
        if options.scenarios
        else soak
        if options.soak
        else stall
        if options.stall
        else heavy
        if options.heavy
        else measure
    )
    if options.most or options.at:
        task = most if options.most else measure
    if options.at:
        asyncio.run(task(options, options.at, None))
        return
    with server(ROOT) as address:
        process = process_of(address)
        asyncio.run(task(options, address, process))


if __name__ == "__main__":
    main()
