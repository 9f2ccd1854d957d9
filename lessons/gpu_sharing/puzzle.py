"""Sharing a GPU, puzzle and challenge: which of eight jobs to combine on four GPUs."""

from collections.abc import Sequence

import streamlit as st

from lessons.gpu_sharing import board
from lessons.gpu_sharing.settings import (
    CHAT,
    NAMES,
    RESOURCES,
    Sharing,
    jobs,
    longer,
    needs_of,
    say,
    speeds_of,
)
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Figure, Outcome, Taps, View, verdict_of
from ui.charts import Look, stack


def figure(puzzle: Sharing, look: Look, playing: bool = False) -> Figure:
    """Chart of four GPUs with their jobs and the jobs' demands."""
    gpus = []
    chat_gpu = 0
    for number, pair in enumerate(puzzle.pairs):
        failed = _failed(pair)
        fate = f"no memory for {failed}" if failed else f"each takes {_takes(pair)}"
        gpus.append((fate, [_card(letter, pair) for letter in pair]))
        if CHAT in pair:
            chat_gpu = number
    rows = board.rows(gpus, 3)
    if playing:
        bound = f.significant(k.SHARE_CHAT_BOUND)
        words = f"goal: {CHAT} at most {bound} times as long"
        style = {"tone": "good", "short": f"goal: {bound}"}
        rows += board.limit("goal", k.SHARE_CHAT_BOUND, chat_gpu, 3, words, **style)
    fates = "; ".join(f"GPU {number}: {fate}" for number, (fate, _) in enumerate(gpus, 1))
    words = say("puzzle_chart", puzzle, gpus=fates)
    spec = board.spec(look, len(gpus), 3)
    title = "Which jobs share a GPU? Tap two jobs to swap them."
    return Figure("puzzle", title, stack(rows), spec, words, taps=Taps("job", swapped))


def swapped(puzzle: Sharing, tapped: Sequence[str]) -> dict[str, object] | None:
    """Return the pairs after the first two clicked jobs are swapped; None after a single click."""
    letters = [letter for letter in tapped if letter in NAMES]
    if len(letters) < 2:
        return None
    first, second = letters[:2]
    change = str.maketrans({first: second, second: first})
    return {"pairs": tuple(pair.translate(change) for pair in puzzle.pairs)}


def draw(page, puzzle: Sharing) -> None:
    """Draw the puzzle as labeled widgets: in the sidebar, or on a phone below the picture."""
    key = f"{page.lesson.id}_swap"
    names = {letter: f"{letter}: {name}" for letter, name in NAMES.items()}
    style = {"options": list(names), "format_func": names.get}
    with page.knobs.hand or page.knobs.sidebar:
        first = st.selectbox("Swap job", key=f"{key}_one", **style)
        second = st.selectbox("with job", index=4, key=f"{key}_other", **style)
        swap = {"on_click": page.knobs.tap, "args": (Taps("job", swapped), puzzle, [first, second])}
        st.button("Swap", key=key, disabled=first == second, **swap)


def _card(letter: str, pair: str) -> board.Card:
    """Return the card of a job on the GPU of this pair; without memory it demands nothing else."""
    job = jobs()[letter]
    runs = speeds_of(pair)[letter] > 0
    shares = (*(job.demand if runs else (0.0, 0.0)), job.memory / k.SHARE_MEMORY)
    return board.Card(letter, letter, NAMES[letter], job.demand, shares, runs)


def _failed(pair: str) -> str:
    """Return the letter of the job that gets no memory; "" if both run."""
    return "".join(letter for letter, speed in speeds_of(pair).items() if not speed)


def _takes(pair: str) -> str:
    """Write how long each job takes on a GPU on which both run."""
    return longer(1 / speeds_of(pair)[pair[0]])


@verdict_of(say)
def verdict(puzzle: Sharing) -> Outcome:
    """Return the verdict on the GPU that does the least work, and why."""
    worst = min(puzzle.pairs, key=lambda pair: sum(speeds_of(pair).values()))
    demands, memory = needs_of(worst)
    failed = _failed(worst)
    if failed:
        runs = worst.replace(failed, "")
        return "puzzle_lost", False, {"lost": failed, "runs": runs, "memory": f.data(sum(memory))}
    sums = list(map(sum, zip(*demands, strict=True)))
    values = {"share": f.share(max(sums)), "resource": RESOURCES[sums.index(max(sums))]}
    values |= {"one": worst[0], "other": worst[1], "takes": _takes(worst)}
    return "puzzle_worst", None, values


@verdict_of(say)
def judge(puzzle: Sharing) -> Outcome:
    """Return the verdict on the challenge: both the chat job and the total meet their goals."""
    if puzzle.score["in_time"] and puzzle.score["enough"]:
        return "won", True
    return "not_yet", False


view = View("puzzle", figure=figure, draw=draw, verdict=verdict)
