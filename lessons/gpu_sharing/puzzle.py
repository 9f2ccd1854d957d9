"""Sharing a GPU, puzzle and challenge: eight jobs, four GPUs, and which jobs to combine."""

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
    for pair in puzzle.pairs:
        failed = _failed(pair)
        fate = f"no memory for {failed}" if failed else f"each takes {_takes(pair)}"
        gpus.append((fate, [_card(letter, pair) for letter in pair]))
    rows = board.rows(gpus, 3)
    if playing:
        chats = next(number for number, pair in enumerate(puzzle.pairs) if CHAT in pair)
        bound = f.significant(k.SHARE_CHAT_BOUND)
        words = f"goal: {CHAT} at most {bound} times as long"
        style = {"tone": "good", "short": f"goal: {bound}"}
        rows += board.limit("goal", k.SHARE_CHAT_BOUND, chats, 3, words, **style)
    fates = "; ".join(f"GPU {number}: {fate}" for number, (fate, _) in enumerate(gpus, 1))
    words = say("puzzle_chart", puzzle, gpus=fates)
    spec = board.spec(look, len(gpus), 3)
    title = "Which jobs share a GPU? Tap two jobs to swap them."
    return Figure("puzzle", title, stack(rows), spec, words, taps=Taps("job", swapped))


def swapped(puzzle: Sharing, tapped: Sequence[str]) -> dict[str, object] | None:
    """Return the pairs after two clicked jobs are swapped; None after a single click."""
    letters = [letter for letter in tapped if letter in NAMES]
    if len(letters) < 2:
        return None
    first, second = letters[:2]
    change = str.maketrans({first: second, second: first})
    return {"pairs": tuple(pair.translate(change) for pair in puzzle.pairs)}


def draw(page, puzzle: Sharing) -> None:
    """Draw the puzzle as labeled widgets: in the sidebar, or on a phone below the picture."""
    prefix = page.lesson.id
    names = {letter: f"{letter}: {name}" for letter, name in NAMES.items()}
    with page.knobs.hand or page.knobs.sidebar:
        first = st.selectbox(
            "Swap job", list(names), key=f"{prefix}_swap_one", format_func=names.get
        )
        second = st.selectbox(
            "with job", list(names), index=4, key=f"{prefix}_swap_other", format_func=names.get
        )
        swap = {"on_click": page.knobs.tap, "args": (Taps("job", swapped), puzzle, [first, second])}
        st.button("Swap", key=f"{prefix}_swap", disabled=first == second, **swap)


def _card(letter: str, pair: str) -> board.Card:
    job = jobs()[letter]
    name = NAMES[letter]
    runs = speeds_of(pair)[letter] > 0
    shares = (*(job.demand if runs else (0.0, 0.0)), job.memory / k.SHARE_MEMORY)
    return board.Card(letter, letter, name, job.demand, shares, runs)


def _failed(pair: str) -> str:
    """The letter of the job that gets no memory; "" if both run."""
    return "".join(letter for letter, speed in speeds_of(pair).items() if not speed)


def _takes(pair: str) -> str:
    """How long each job takes on a GPU on which both run."""
    return longer(1 / speeds_of(pair)[pair[0]])


@verdict_of(say)
def verdict(puzzle: Sharing) -> Outcome:
    """Return the verdict on the GPU that does the least work, and why."""
    worst = min(puzzle.pairs, key=lambda pair: sum(speeds_of(pair).values()))
    demands, memory = needs_of(worst)
    lost = _failed(worst)
    if lost:
        runs = worst.replace(lost, "")
        return "puzzle_lost", False, {"lost": lost, "runs": runs, "memory": f.data(sum(memory))}
    sums = list(map(sum, zip(*demands, strict=True)))
    values = {"share": f.share(max(sums)), "resource": RESOURCES[sums.index(max(sums))]}
    one, other = worst
    return "puzzle_worst", None, values | {"one": one, "other": other, "takes": _takes(worst)}


@verdict_of(say)
def judge(puzzle: Sharing) -> Outcome:
    """Return the name of the verdict's sentence, and whether the puzzle is solved."""
    if puzzle.score["in_time"] and puzzle.score["enough"]:
        return "won", True
    return "not_yet", False


view = View("puzzle", figure=figure, draw=draw, verdict=verdict)
