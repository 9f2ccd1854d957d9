"""I/O bottleneck, second picture: load of every stage relative to its capacity."""

from lessons.io_bottleneck.batch import STAGES
from lessons.io_bottleneck.settings import ALL, TIE, Job, say
from physics import constants as k
from physics.dataloading import COMPUTE, NODE_LINK, STORAGE, WORKERS
from ui.base import format as f
from ui.base.lesson import Figure, Outcome, View, verdict_of
from ui.charts import NARROW, Look, bars, marks, stack
from ui.knobs.declared import moved

#: Stage at its limit according to the answers of the prediction that name one.
GUESSES = {"a": STORAGE, "b": WORKERS, "c": NODE_LINK}
MOST_WORKERS = int(k.IO_CHALLENGE_WORKERS)
MOST_NODES = int(k.IO_CHALLENGE_STORAGE_NODES)
#: Fewest samples per read that reach the goal with the most workers and nodes; a test tries all.
FEWEST = 5
#: Settings that the challenge allows to change.
FREE = (
    "workers",
    "packing",
    "storage_nodes",
    "accelerators",
    "prefetch_depth",
    "scv",
    "reading",
    "shuffle_buffer",
)
#: Load above which the label is inside the bar.
INSIDE = 0.6
#: End of the axis, with room for “you said” next to a full bar on a phone.
END = 1.34


def rows(job: Job, guess: str | None = None, playing: bool = False) -> list[dict[str, object]]:
    """Rows of the chart: bars by stage, labels, the guess, and the challenge's goal."""
    pipe = job.pipeline
    rows = []
    for stage, name in STAGES.items():
        load = pipe.loads[stage]
        need = pipe.needs[stage]
        tone = "accent"
        text = f.share(load, 3 if stage == COMPUTE else 2)
        if stage == pipe.bottleneck:
            tone = "good" if stage == COMPUTE else "bad"
            text += ", bottleneck"
        if load <= INSIDE and stage != COMPUTE and need > load * (1 + 1e-9):
            text += f" ({f.share(need, 2)} needed)"
        rows += bars.bar(name, load, tone, text, INSIDE)
    if playing:
        name = STAGES[COMPUTE]
        words = f"goal: {f.share(job.goal)}"
        tick = {"shape": bars.TICK, "tone": "ink", "rim_width": 1, "size": 260}
        rows.append(marks.point(job.goal, name, **tick))
        rows.append(marks.label(1, name, words, short="goal", dx=7, tone="good"))
    elif guess in GUESSES:
        name = STAGES[GUESSES[guess]]
        style = {"short": "you said", "dx": 7, "tone": "quiet"}
        rows.append(marks.point(1, name, shape="diamond", tone="quiet"))
        rows.append(marks.label(1, name, "you said: at its limit", **style))
    return marks.renamed(rows, "start", "stage")


def pinned(job: Job, look: Look) -> Figure:
    """Chart of a pinned setting: the end of each bar."""
    ends = []
    for stage, name in STAGES.items():
        ends.append(marks.point(job.pipeline.loads[stage], name, shape=bars.TICK, role="here"))
    return Figure("load", "", stack(marks.renamed(ends, "start", "stage")), spec(look), "")


def spec(look: Look) -> dict:
    """Vega specification: load of every stage, with the bottleneck highlighted."""
    ticks = f"{NARROW} ? [0, 0.5, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1]"
    return bars.loads(look, "stage", tuple(STAGES.values()), END, ticks, ".2%")


def figure(job: Job, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of every stage's load, with the bottleneck that the visitor predicts."""
    pipe = job.pipeline
    loads = ", ".join(f"{name} {f.share(pipe.loads[stage])}" for stage, name in STAGES.items())
    text = say("stages_chart", job, loads=loads, stage=STAGES[pipe.bottleneck])
    table = stack(rows(job, guess, playing))
    return Figure("load", "Which stage is at its limit?", table, spec(look), text)


@verdict_of(say)
def judge(job: Job) -> Outcome:
    """Return the verdict on the challenge: won, or the first goal that is missed."""
    labels = moved(job, FREE)
    if labels:
        return "reset_first", False, {"labels": labels}
    misses = {
        "too_few": job.accelerators < ALL,
        "too_idle": job.utilization < job.goal - TIE,
        "too_many_workers": job.workers > MOST_WORKERS,
        "too_many_nodes": job.storage_nodes > MOST_NODES,
        "too_many": job.packing > FEWEST,
    }
    for name, is_missed in misses.items():
        if is_missed:
            return name, False
    return "won", True


view = View("load", figure=figure, pinned=pinned)
