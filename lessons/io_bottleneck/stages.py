"""I/O bottleneck, second picture: load of every stage relative to its capacity."""

from functools import lru_cache

import altair as alt

from lessons.io_bottleneck.batch import STAGES
from lessons.io_bottleneck.settings import ALL, TIE, Job, say
from physics import constants as k
from physics.dataloading import COMPUTE, NODE_LINK, STORAGE, WORKERS
from ui.base import format as f
from ui.base.lesson import Figure, Preset, Verdict
from ui.charts import NARROW, Look, axes, marks, only, specification, stack
from ui.knobs.declared import moved

#: The stage that each option of the prediction calls full; "nothing is wrong" calls none.
SAID = {"a": STORAGE, "b": WORKERS, "c": NODE_LINK}
#: Where the challenge starts.
START = Preset({"accelerators": ALL}, "load")
MOST_WORKERS = int(k.IO_CHALLENGE_WORKERS)
MOST_NODES = int(k.IO_CHALLENGE_STORAGE_NODES)
#: Fewest samples in a read with which all that may be used at most reaches the goal; a test tries
#: all.
FEWEST = 5
#: What may be turned; all else is the message's.
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
#: An upright stroke, as high as a bar.
TICK = "M-0.12,-1.4H0.12V1.4H-0.12Z"
#: A load beyond this share has its label inside the bar.
INSIDE = 0.6
#: End of the axis: beside what is full a phone has room for “you said”.
END = 1.34


def rows(job: Job, guess: str | None = None, playing: bool = False) -> list[dict[str, object]]:
    """Rows of the chart: bars by stage, labels, the guess, and the challenge's goal while it is in
    progress.
    """
    pipe = job.pipeline
    found: list[dict[str, object]] = []
    for stage, name in STAGES.items():
        load = pipe.loads[stage]
        need = pipe.needs[stage]
        binds = stage == pipe.bottleneck
        if not binds:
            tone = "accent"
        elif stage == COMPUTE:
            tone = "good"
        else:
            tone = "bad"
        found.append({"kind": "bar", "x": 0.0, "end": load, "y": name, "tone": tone})
        text = f.share(load, 3 if stage == COMPUTE else 2) + (", bottleneck" if binds else "")
        if load > INSIDE:
            found.append(marks.label(0, name, text, dx=6, tone="paper", bold=True))
        else:
            more = stage != COMPUTE and need > load * (1 + 1e-9)
            found.append(
                marks.label(
                    load, name, f"{text} ({f.share(need, 2)} needed)" if more else text, dx=6
                )
            )
    if playing:
        goal = STAGES[COMPUTE]
        found.append(
            marks.point(job.goal, goal, shape=TICK, tone="ink", rim="paper", rim_width=1, size=260)
        )
        found.append(
            marks.label(1, goal, f"goal: {f.share(job.goal)}", short="goal", dx=7, tone="good")
        )
    elif guess in SAID:
        name = STAGES[SAID[guess]]
        found.append(marks.point(1, name, shape="diamond", tone="quiet"))
        found.append(marks.label(1, name, "you said: full", short="you said", dx=7, tone="quiet"))
    return marks.renamed(found, "start", "stage")


def pinned(job: Job, look: Look) -> Figure:
    """Chart of a pinned setting: the end of each bar."""
    ends = [
        marks.point(job.pipeline.loads[stage], name, shape=TICK, role="here")
        for stage, name in STAGES.items()
    ]
    return Figure("load", "", stack(marks.renamed(ends, "start", "stage")), spec(look), "")


@lru_cache(maxsize=8)
def spec(look: Look) -> dict:
    """Vega specification: load of every stage relative to its capacity, with the bottleneck
    highlighted.
    """
    ticks = f"{NARROW} ? [0, 0.5, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1]"
    base = alt.Chart().encode(
        x=axes.x("start:Q", "load ÷ capacity", [0, END], format=".0%", values=alt.ExprRef(ticks)),
        y=axes.y("stage:N", None, list(STAGES.values()), ticks=False, domain=False, labelLimit=160),
    )
    bars = base.transform_filter(only("bar")).mark_bar(color=marks.tone(look), height={"band": 0.7})
    tooltip = ["stage:N", alt.Tooltip("end:Q", format=".2%", title="load")]
    layers = [
        bars.encode(x2="end:Q", tooltip=tooltip),
        marks.points(base, look),
        marks.labels(base, look, halo=False),
    ]
    return specification(alt.layer(*layers), look, height=320 if look.present else 250)


def figure(job: Job, look: Look, guess: str | None = None, playing: bool = False) -> Figure:
    """Chart of the load of every stage, with the visitor's prediction of the bottleneck."""
    loads = ", ".join(
        f"{name} {f.share(job.pipeline.loads[stage])}" for stage, name in STAGES.items()
    )
    words = say("stages_chart", job, loads=loads, stage=STAGES[job.pipeline.bottleneck])
    return Figure(
        "load", "Which stage is full?", stack(rows(job, guess, playing)), spec(look), words
    )


def judge(job: Job) -> Verdict:
    """Return whether the challenge is won, or else the first goal that it misses."""
    labels = moved(job, FREE)
    if labels:
        return Verdict(say("reset_first", job, labels=", ".join(labels)), False)
    misses = {
        "too_few": job.accelerators < ALL,
        "too_idle": job.utilization < job.goal - TIE,
        "too_many_workers": job.workers > MOST_WORKERS,
        "too_many_nodes": job.storage_nodes > MOST_NODES,
        "too_many": job.packing > FEWEST and not job.former,  # the task before did not ask for few
    }
    missed = next((name for name, missing in misses.items() if missing), "")
    return Verdict(say(missed or "won", job), not missed)
