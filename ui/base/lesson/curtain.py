"""Hide the predicted number in pictures until the locked-in prediction is tested."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from ui.base.lesson.figure import Figure, Metric

#: What stands for a number, in the picture too.
ASKED = "?"
#: What stands for the sentence that names the bottleneck.
SENTENCE = (
    "The answer is still **?** Test your prediction or change a setting, and the model answers."
)
#: What stands for the chart's numbers in words.
WORDS = "The chart shows the message's case. Its answer appears once you test your prediction."


@dataclass(frozen=True)
class Curtain:
    """Parts of a view that stay visible before the prediction is tested; all others are hidden.

    `tiles` are the headline numbers that the question asks for, counted from 1; None is all of
    them. `stays` are the marks that may be seen: kinds of the chart's rows, or how their labels
    begin. The visitor's answer may always be seen. `at` is where the question mark stands, in
    shares of the plot's width and height.
    """

    tiles: Sequence[int] | None = None
    stays: Sequence[str] = ()
    at: tuple[float, float] = (0.5, 0.5)

    def metrics(self, metrics: Sequence[Metric]) -> list[Metric]:
        """Return headline numbers with a question mark in place of the predicted ones."""
        hidden = self.tiles
        if hidden is None:
            hidden = range(1, len(metrics) + 1)
        return [
            Metric(metric.label, ASKED, "not tested yet", help=metric.help)
            if number in hidden
            else metric
            for number, metric in enumerate(metrics, 1)
        ]

    def figure(self, figure: Figure, without_answer: Figure) -> Figure:
        """Return a chart with only the visible marks and the visitor's answer.

        The answer's marks are those that the same chart does not have without it.
        """
        own = {frozenset(row.items()) for row in without_answer.cells}
        visible = [self._stays(row) or frozenset(row.items()) not in own for row in figure.cells]
        spec = figure.spec
        if not figure.taps:
            spec = dict(spec) | {"layer": [_question_mark(spec, self.at), *spec["layer"]]}
        rows = figure.rows.filter(pa.array(visible, pa.bool_()))
        return replace(figure, rows=rows, spec=spec, alt=WORDS, reach=None)

    def _stays(self, row: Mapping) -> bool:
        label = row.get("label")
        starts = isinstance(label, str) and label.startswith(tuple(self.stays))
        return starts or row.get("kind") in self.stays


#: The curtain of a view that names nothing.
CLOSED = Curtain()


def _question_mark(spec: Mapping, at: tuple[float, float]) -> dict:
    """Return a layer that writes a question mark at shares of the plot's width and height."""
    color = spec["config"]["axis"]["titleColor"]
    style = {"fontSize": 72, "opacity": 0.3, "color": color, "align": "center"}
    return {
        "data": {"values": [{}]},
        "mark": {"type": "text", "text": ASKED, "baseline": "middle"} | style,
        "encoding": {
            "x": {"value": {"expr": f"width * {at[0]}"}},
            "y": {"value": {"expr": f"height * {at[1]}"}},
        },
    }
