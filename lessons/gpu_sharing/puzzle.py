"""Sharing a GPU, the puzzle: eight jobs, four GPUs, and whom to put beside whom."""

from functools import lru_cache

import altair as alt
import pyarrow as pa

from lessons.gpu_sharing.settings import GPUS, LETTERS, RESOURCES, TIE, Sharing, demand, snapped
from lessons.gpu_sharing.verdict import slower, times
from physics import constants as k
from physics.gpu_sharing import Demand, Pairing, corun, pairings
from ui.base import format as f
from ui.base.lesson import Figure, Metric, Verdict
from ui.charts import axes, marks
from ui.charts.look import Look, only, specification, stack

#: The job that people wait for.
CHAT = "A"
#: End of the chart: what is asked beyond it leaves with an arrow and its number.
END = 2.6


@lru_cache(maxsize=8)
def jobs() -> dict[str, Demand]:
    """What each job of the puzzle uses alone."""
    named = {letter: (f"SHARE_{letter}_INTENSITY", f"SHARE_{letter}_REACH") for letter in LETTERS}
    return {letter: demand(*(float(getattr(k, name)) for name in names)) for letter, names in named.items()}


@lru_cache(maxsize=4096)
def together(letters: str) -> dict[str, float]:
    """Speed of each job on a GPU that runs these."""
    found = corun([jobs()[letter] for letter in letters])
    return {letter: snapped(speed) for letter, speed in zip(letters, found, strict=True)}


def speeds(pair: Sharing) -> dict[str, float]:
    """Speed of every job of the puzzle."""
    return {name: speed for on in pair.placed.values() for name, speed in together("".join(on)).items()}


def throughput(pair: Sharing) -> float:
    """System throughput of the four GPUs [jobs alone]."""
    return sum(speeds(pair).values())


@lru_cache(maxsize=8)
def extremes() -> Pairing:
    """Best, worst and mean system throughput over all ways to put two jobs on each GPU."""
    return pairings(jobs().values(), len(GPUS))


def asked(letters: list[str]) -> Demand:
    """Shares of a GPU that these jobs ask for at full speed."""
    return Demand(*(sum(jobs()[letter][number] for letter in letters) for number in range(2)))


def slowest(letters: list[str]) -> float:
    """The slowdown of the slowest of these jobs on one GPU; 1 without a job."""
    return max((1 / speed for speed in together("".join(letters)).values()), default=1.0)


def frame(pair: Sharing) -> pa.Table:
    """Rows of the chart: for each GPU and resource a bar for each job's part, and how much slower the jobs are."""
    rows: list[dict[str, object]] = []
    for gpu, on in pair.placed.items():
        for number, resource in enumerate(RESOURCES):
            place, start = {"y": GPUS[gpu], "part": resource}, 0.0
            for letter in on:
                end = start + jobs()[letter][number]
                rows += [row | place for row in _part(letter, start, min(end, END))]
                start = end
            words = f"{f.share(start)} {resource.split()[0]}" + (" ↑" if start > END else "")
            rows.append(marks.label(min(start, END), None, words, dx=6, short=f.share(start)) | place)
        ratio = slowest(on)
        text = slower(ratio) if on else "nothing runs"
        rows.append(marks.label(3.25, None, text, short="", bold=True) | {"y": GPUS[gpu], "part": RESOURCES[0]})
    rows.append({"kind": "full", "x": 1.0})
    return stack(marks.renamed([{{"end": "x2"}.get(n, n): v for n, v in row.items()} for row in rows], "asked", "gpu"))


def _part(letter: str, start: float, end: float) -> list[dict[str, object]]:
    """What one job asks for, with its letter where there is room; blue is held up by memory, the other by compute."""
    if start >= end:
        return []
    tone = "s0" if jobs()[letter].memory > jobs()[letter].compute else "s1"
    bar = {"kind": "bar", "x": start, "end": end, "label": letter, "tone": tone}
    named = marks.label((start + end) / 2, None, letter, align="center", tone="paper", bold=True)
    return [bar, named] if end - start > 0.1 else [bar]


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """What the jobs on each GPU ask of its compute (upper bar) and of its memory bandwidth (lower bar)."""
    base = alt.Chart().encode(
        x=axes.x(
            "asked:Q", "share of the GPU that its jobs ask for", [0, 4.1], format=".0%", values=[0, 0.5, 1, 1.5, 2, 2.5]
        ),
        y=axes.y("gpu:N", None, GPUS.values(), paddingInner=0.25, sort=list(GPUS.values()), ticks=False, domain=False),
        yOffset=alt.YOffset("part:N", sort=list(RESOURCES), scale=alt.Scale(domain=list(RESOURCES))),
    )
    bars = base.transform_filter(only("bar")).mark_bar(color=marks.tone(look), stroke=look.paper, strokeWidth=1)
    rule = (
        alt.Chart()
        .transform_filter(only("full"))
        .mark_rule(color=look.bad, strokeWidth=2.5)
        .encode(x="asked:Q", y=alt.value(0), y2=alt.value("height"))
    )
    tips = ["gpu:N", "part:N", "label:N"]
    layers = [bars.encode(x2="x2:Q", tooltip=tips), rule, marks.labels(base, look, halo=False)]
    return specification(alt.layer(*layers), look, height=400 if look.present else 340, halo=False)


def figure(pair: Sharing, look: Look) -> Figure:
    """The four GPUs and who is on them."""
    return Figure("puzzle", "Who is beside whom?", frame(pair), spec(look), words(pair))


def words(pair: Sharing) -> str:
    """The puzzle's state in one sentence."""
    said = []
    for gpu, on in pair.placed.items():
        said.append(f"{GPUS[gpu]} runs {_listed(on)}, {slower(slowest(on))}" if on else f"{GPUS[gpu]} runs nothing")
    return f"The puzzle's GPUs: {'; '.join(said)}. System throughput {written(throughput(pair))}."


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def metrics(pair: Sharing) -> list[Metric]:
    """The headline numbers of the four GPUs."""
    total, chat, worst = throughput(pair), 1 / speeds(pair)[CHAT], max(map(slowest, pair.placed.values()))
    over = sum(max(asked(on)) > 1 + TIE for on in pair.placed.values() if on)
    return [
        Metric(
            "System throughput",
            written(total),
            f"wanted: {f.significant(k.SHARE_THROUGHPUT)} of {len(LETTERS)}",
            total >= k.SHARE_THROUGHPUT,
            "STP: the sum of all speeds; a job as fast as alone counts 1.",
        ),
        Metric("Chat slower", _ratio(chat), f"wanted: {times(k.SHARE_CHAT_BOUND)}", chat <= k.SHARE_CHAT_BOUND),
        Metric("Slowest job", _ratio(worst), "of all eight"),
        Metric("GPUs beyond 100 %", f"{over} of {len(GPUS)}", "asked of compute or memory"),
    ]


def _ratio(ratio: float) -> str:
    return times(ratio, float(k.SHARE_CHAT_BOUND)) if ratio > 1 else "not at all"


def verdict(pair: Sharing) -> Verdict:
    """Say which GPU is asked for most, and of what."""
    gpu, on = max(pair.placed.items(), key=lambda item: max(asked(item[1])))
    most = asked(on)
    name = RESOURCES[0] if most.compute >= most.memory else RESOURCES[1]
    held = f"the slowest job there is {slower(slowest(on))}" if max(most) > 1 + TIE else "nothing is full anywhere"
    return Verdict(f"No GPU is asked for more than {GPUS[gpu]}, {f.share(max(most))} of its {name}: {held}.")


def task() -> str:
    """The task in words."""
    return (
        "In “Puzzle” put the eight jobs on four GPUs, two on each, so that the chat (job A) is at most "
        f"{times(k.SHARE_CHAT_BOUND)} slower and the system throughput, the sum of all speeds, is at least "
        f"{f.significant(k.SHARE_THROUGHPUT)}."
    )


def judge(pair: Sharing) -> Verdict:
    """Say how far the puzzle has come."""
    total, chat = throughput(pair), 1 / speeds(pair)[CHAT]
    state = f"System throughput {written(total)}, the chat {_chat(chat)}"
    crowded = [GPUS[gpu] for gpu, on in pair.placed.items() if len(on) > 2]
    if crowded:
        return Verdict(
            f"{state}: {' and '.join(crowded)} {'has' if len(crowded) == 1 else 'have'} more than two jobs.", False
        )
    slow, little = chat > k.SHARE_CHAT_BOUND, total < k.SHARE_THROUGHPUT
    if slow and little:
        return Verdict(f"{state}: too little, and the chat is too slow.", False)
    if slow:
        return Verdict(f"{state}: enough work, but the chat is too slow.", False)
    if little:
        return Verdict(f"{state}: the chat is fast enough, but the GPUs do too little.", False)
    return Verdict(
        f"Won: {state[0].lower()}{state[1:]}. Unlike jobs share well, and the chat has a neighbor that leaves it room.",
        True,
    )


def written(total: float) -> str:
    """The throughput so that it never looks like what is wanted when it is not."""
    digits = 3
    while (
        digits < 10
        and total != k.SHARE_THROUGHPUT
        and f.significant(total, digits) == f.significant(k.SHARE_THROUGHPUT)
    ):
        digits += 1
    return f.significant(total, digits)


def _chat(ratio: float) -> str:
    return "as fast as alone" if ratio <= 1 else f"{times(ratio, float(k.SHARE_CHAT_BOUND))} slower"
