"""Eight times the GPUs, laboratory: the model compared with published runs."""

from dataclasses import dataclass

from lessons.failures_at_scale.settings import Run, say
from physics import constants as k
from ui.base import format as f
from ui.base.lesson import Outcome, View, verdict_of
from ui.charts import Rows, chart, marks


@dataclass(frozen=True)
class Published:
    """Training run, actual or projected, whose useful share has been published."""

    name: str
    share: float  #: published useful share [1]
    run: Run  #: its settings; those that are not published are assumed
    at_least: bool = False  #: whether the published share is a lower limit

    @property
    def label(self) -> str:
        """Name of the run, with the model's share and the published one."""
        limit = "over " if self.at_least else ""
        published = f"{limit}{f.share(self.share)}"
        return f"{self.name}: {f.share(self.run.share)}, published {published}"


RUNS = (
    Published(
        "RSC-1, hourly checkpoints",
        k.SCALE_RSC_HOURLY,
        Run(16_000, k.HOUR, 5 * k.MINUTE, k.SCALE_RSC_1_MTBF),
    ),
    Published(
        "RSC-1, 5-minute checkpoints",
        k.SCALE_RSC_OFTEN,
        Run(16_000, 5 * k.MINUTE, 5 * k.MINUTE, k.SCALE_RSC_1_MTBF),
    ),
    Published(
        "100,000 GPUs, 2-minute checkpoints",
        k.SCALE_RSC_LARGE,
        Run(100_000, 2 * k.MINUTE, 2 * k.MINUTE, k.SCALE_RSC_2_MTBF),
        at_least=True,
    ),
    Published(
        "Llama 3, 16,384 GPUs",
        k.SCALE_LLAMA_SHARE,
        Run(16_384, 10 * k.MINUTE, 10 * k.MINUTE),
        at_least=True,
    ),
    Published(
        "ByteDance, 9,600 GPUs",
        k.SCALE_BYTEDANCE_SHARE,
        Run(9600, 10 * k.MINUTE, 5 * k.MINUTE),
    ),
)


@chart(say, "published", y=[0, len(RUNS) + 1])
def figure(run: Run) -> Rows:
    """Chart of each run's useful share, by the model and as published, and of this run."""
    rows = []
    for number, case in enumerate(reversed(RUNS), 1):
        rows += _bar("model", number, case.run.share, case.label)
        rows.append(marks.point(case.share, number + 0.3, shape="diamond", tone="accent"))
    return [*rows, *_bar("here", 0, run.share, f"your settings: {f.share(run.share)}")]


def _bar(kind: str, number: int, share: float, words: str) -> Rows:
    """Return the rows of a bar and of the label above it; `number` counts bars from the foot."""
    foot = number + 0.12
    bar = {"kind": kind, "x": 0.0, "x2": share, "y": foot, "y2": foot + 0.36}
    return [bar, marks.label(0, number + 0.72, words, dx=4, bold=kind == "here")]


@verdict_of(say)
def verdict(run: Run) -> Outcome:
    """Return the verdict on the model's largest error against the published shares."""
    gap = max(abs(case.run.share - case.share) for case in RUNS if not case.at_least)
    return "published", None, {"gap": f.significant(100 * gap, 2)}


view = View("published", figure=figure, verdict=verdict)
