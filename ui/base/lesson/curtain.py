"""Hide the predicted number in pictures until the locked-in prediction is tested."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from ui.base.lesson.figure import Figure, Metric

#: Replaces a predicted number, in the picture too.
ASKED = "?"
#: Replaces the sentence that names the bottleneck.
SENTENCE = (
    "The answer is still **?** Test your prediction or change a setting, and the model answers."
)
#: Replaces the chart's description, which contains its numbers.
WORDS = "The chart shows the message's case. Its answer appears once you test your prediction."


@dataclass(frozen=True)
class Curtain:
    """Parts of a view that stay visible before the prediction is tested; all others are hidden.

    `tiles` are the numbers of the headline numbers to hide, counted from 1; None hides all. `stays`
    are the visible marks: kinds of the chart's rows, or beginnings of their labels. The visitor's
    answer is always visible. `at` is the position of the question mark, as shares of the plot's
    width and height.
    """

    tiles: Sequence[int] | None = None
    stays: Sequence[str] = ()
    at: tuple[float, float] = (0.5, 0.5)

    def metrics(self, metrics: Sequence[Metric]) -> list[Metric]:
        """Return headline numbers with a question mark in place of the predicted ones."""
        tiles = list(metrics)
        for index, metric in enumerate(metrics):
            if self.tiles is None or index + 1 in self.tiles:
                tiles[index] = Metric(metric.label, ASKED, "not tested yet", help=metric.help)
        return tiles

    def figure(self, figure: Figure, without_answer: Figure) -> Figure:
        """Return a chart with only the visible marks and the visitor's answer.

        The answer's marks are those that `without_answer`, the same chart without it, lacks.
        """
        others = {frozenset(row.items()) for row in without_answer.cells}
        visible = [self._stays(row) or frozenset(row.items()) not in others for row in figure.cells]
        spec = figure.spec
        if not figure.taps:
            spec = dict(spec) | {"layer": [_question_mark(spec, self.at), *spec["layer"]]}
        rows = figure.rows.filter(pa.array(visible, pa.bool_()))
        return replace(figure, rows=rows, spec=spec, alt=WORDS, reach=None)

    def _stays(self, row: Mapping) -> bool:
        """Return whether a row is visible before the prediction is tested."""
        label = row.get("label")
        starts = isinstance(label, str) and label.startswith(tuple(self.stays))
        return starts or row.get("kind") in self.stays


#: The curtain of a view that declares none: it hides everything.
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
