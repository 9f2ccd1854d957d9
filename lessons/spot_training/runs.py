"""Spot training: single runs, struck and rolled back to their checkpoints."""

from functools import lru_cache

import altair as alt
import numpy as np
import pyarrow as pa

from lessons.spot_training.charts import GUESSES, LATE
from lessons.spot_training.settings import SEED, Plan, hours
from physics.checkpointing import Timeline, play_run
from ui.base import format as f
from ui.base.lesson import Figure
from ui.charts import axes, marks
from ui.charts.look import NARROW, Look, only, specification, stack

#: Runs side by side, and interruptions of one after which it is drawn no further.
RUNS, MOST = 8, 80
NAMES = {"kept": "kept work, dumps", "lost": "lost work", "restart": "restarts", "wait": "nodes are missing"}


@lru_cache(maxsize=64)
def _played(work: float, model: tuple[float, ...], number: int, until: float, most: int) -> Timeline:
    rng = np.random.default_rng([SEED, number])
    interval, dump, restart, mtbf, notice, delay, nodes = model
    return play_run(work, interval, dump, restart, mtbf, rng, notice, until, most, delay, int(nodes))


def play(plan: Plan, number: int, interval: float | None = None, most: int = MOST) -> Timeline:
    """Play the run of this number; the same number meets the same interruptions at every interval."""
    model = (interval or plan.segment, plan.dump, plan.restart, plan.gang_mtbf, plan.warning, plan.delay, plan.nodes)
    return _played(plan.work, model, number, LATE * plan.work, most)


def bill(plan: Plan, run: Timeline) -> float:
    """What a run has cost when its record ends [$]."""
    return plan.gang_price * run.paid


def figure(plan: Plan, look: Look, guess: str | None = None) -> Figure:
    """Eight runs, and where each would have ended at the visitor's own interval."""
    return Figure("runs", "What happens to single runs?", frame(plan, guess), spec(look), alt_words(plan))


def pinned(plan: Plan, look: Look) -> Figure:
    """What a pin leaves: where each run ended; one that is not done by the edge of the frame, at the edge."""
    rows = []
    for number in reversed(range(RUNS)):  # named at the last one: at the first stands what the visitor said
        run = play(plan, number)
        inside = run.done and run.end <= LATE * plan.work
        at, shape = (run.end / plan.work, "square") if inside else (LATE, "triangle-right")
        rows.append(marks.point(at, number + 1.38, shape=shape, role="here"))
    return Figure("runs", "", stack(marks.renamed(rows, "begin", "run")), spec(look), alt_words(plan))


@lru_cache(maxsize=64)
def frame(plan: Plan, guess: str | None = None) -> pa.Table:
    """Rows of the chart: run, begin and end (multiples of the work), kind of span, labels and points."""
    parts: list[dict] = [{"kind": "deadline", "begin": min(plan.deadline / plan.work, LATE)}]
    rows: list[dict] = []
    for number in range(RUNS):
        run = play(plan, number)
        begin, end, kinds = (run.rows[name].to_numpy() for name in ("begin", "end", "kind"))
        seen = begin < LATE * plan.work
        parts.append(
            {
                "kind": "span",
                "run": number + 1,
                "begin": begin[seen] / plan.work,
                "end": np.minimum(end[seen] / plan.work, LATE),
                "label": [NAMES["kept" if kind == "part" else kind] for kind in kinds[seen]],
            }
        )
        rows += _end(plan, run, number + 1)
        if guess in GUESSES:
            rows += _said(plan, number, GUESSES[guess])
    return stack([*parts, *marks.renamed(rows, "begin", "run")])


def _end(plan: Plan, run: Timeline, row: int) -> list[dict]:
    """What became of a run, at the right edge; one that is not done by the edge of the frame, at the edge."""
    at, words = run.end / plan.work, f"{f.money(bill(plan, run))}, {f.count(run.struck, 'strike')}"
    if run.done and at <= LATE:
        return [marks.label(LATE, row, words, short=words.partition(",")[0], align="right", dx=-6)]
    saved = f.share(min(1.0, run.saved * plan.segment / plan.work))
    if run.struck >= MOST and at < LATE:
        words = f"struck {MOST} times by {hours(run.end)}, {saved} saved"
        side = {"align": "right", "dx": -6} if at > 1.9 else {"dx": 6}
        return [marks.label(at, row, words, short=f"{saved} saved", tone="bad", **side)]
    words = f"not done by {hours(LATE * plan.work)} →"
    return [marks.label(LATE, row, words, short="not done →", align="right", dx=-6, tone="bad", bold=True)]


def _said(plan: Plan, number: int, interval: float) -> list[dict]:
    """Where the run would have ended at the visitor's interval, on the same interruptions."""
    run = play(plan, number, min(interval, plan.work))
    inside = run.done and run.end <= LATE * plan.work
    at = run.end / plan.work if inside else LATE
    looks = {"shape": "circle" if inside else "triangle-right", "tone": "paper", "rim": "quiet", "rim_width": 2}
    rows = [marks.point(at, number + 0.62, size=70, **looks)]
    if not number:
        end = {"align": "right", "dx": -9} if at > 1.2 else {"dx": 9}
        words = f"you said: every {hours(interval)}" if inside else f"you said: every {hours(interval)}, later still →"
        rows.append(marks.label(at, number + 0.62, words, short="you said", tone="quiet", dy=-8, **end))
    return rows


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Spans of eight runs, one under the other, over time."""
    x = axes.x("begin:Q", "time since the start ÷ work", [0, LATE], values=[0, 0.5, 1, 1.5, 2, 2.5], format=".2~f")
    base = alt.Chart().encode(
        x=x,
        y=axes.y(
            "run:Q",
            "simulated run",
            [0.3, RUNS + 0.6],
            reverse=True,
            values=list(range(1, RUNS + 1)),
            format="d",
            grid=False,
        ),
    )
    color = alt.Color(
        "label:N",
        title=None,
        scale=alt.Scale(
            domain=list(NAMES.values()), range=[look.series[0], look.series[1], look.series[3], look.series[4]]
        ),
        legend=alt.Legend(orient="top", symbolType="square", columns=alt.ExprRef(f"{NARROW} ? 2 : 4")),
    )
    tips = [
        alt.Tooltip("label:N", title="span"),
        alt.Tooltip("begin:Q", format=".3f", title="from"),
        alt.Tooltip("end:Q", format=".3f", title="until"),
    ]
    layers = [
        base.transform_filter(only("span")).mark_bar(size=13).encode(x2="end:Q", color=color, tooltip=tips),
        marks.upright(base, "deadline", color=look.ink, strokeDash=[8, 4], strokeWidth=1.5),
        marks.points(base, look),
        marks.labels(base, look),
    ]
    return specification(alt.layer(*layers), look, height=330 if look.present else 270, halo=False)


@lru_cache(maxsize=64)
def alt_words(plan: Plan) -> str:
    """The chart in one sentence with its numbers."""
    played = [play(plan, number) for number in range(RUNS)]
    done = [run for run in played if run.done and run.end <= LATE * plan.work]
    start = f"{RUNS} simulated runs at a checkpoint every {hours(plan.segment)}: "
    mean = f"on average a run costs {f.money(plan.cost)}."
    if not done:
        return f"{start}none is seen to be done; {mean}"
    bills = sorted(bill(plan, run) for run in done)
    seen = f"{len(done)} {'is' if len(done) == 1 else 'are'} seen to be done"
    return f"{start}{seen}, for {f.money(bills[0])} to {f.money(bills[-1])}; {mean}"


@lru_cache(maxsize=64)
def words(plan: Plan) -> str:
    """What is seen, and how it differs from the long run."""
    played = [play(plan, number) for number in range(RUNS)]
    lost = [span for run in played for span in _lengths(run, "lost")]
    most = f" The longest loss is {hours(max(lost))} of work and dump." if lost else ""
    said = "An interruption throws a run back to its last checkpoint"
    if plan.saved_by_notice:
        said = "The notice saves the work, so that an interruption costs a dump and a restart"
    again = "" if plan.saved_by_notice else " At another interval the same interruptions strike."
    return (
        f"{RUNS} of the many runs that chance can make; the dashed line is the deadline. {said}.{most}{again} "
        f"The last segment ends when the work is done. {_replaced(plan)}"
    )


def _replaced(plan: Plan) -> str:
    """When a struck node is replaced, and what that costs."""
    if not plan.delay:
        return "A struck node is replaced at once."
    paid = (
        "those that stand meanwhile are paid, and may be struck too" if plan.nodes > 1 else "it costs nothing meanwhile"
    )
    return f"A struck node is replaced after {hours(plan.delay)} on average; {paid}."


def _lengths(run: Timeline, kind: str) -> list[float]:
    begin, end, kinds = (run.rows[name].to_numpy() for name in ("begin", "end", "kind"))
    return (end - begin)[kinds == kind].tolist()
