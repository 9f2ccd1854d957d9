"""What a chart draws outside its own frame, read from its specification and its rows."""

import json
import re
from collections.abc import Iterator, Mapping

import pandas as pd

from ui.base.lesson import Figure

_KIND = re.compile(r"datum\.kind === '([^']*)'")
#: A place this far beyond the frame, as a share of it, is still on its edge.
EDGE = 1e-6


def ends(figure: Figure) -> tuple[float, float]:
    """Lower and upper end of a figure's y axis."""
    low, high = figure.spec["layer"][0]["encoding"]["y"]["scale"]["domain"]
    return low, high


def outside(spec: str, rows: pd.DataFrame) -> list[str]:
    """List the rows that a chart draws beyond the ends of its axes: type of mark, field and value;
    none is right.
    """
    found = []
    for mark, encoding, seen in _layers(json.loads(spec), rows):
        for axis in ("x", "y"):
            scale = (encoding.get(axis) or {}).get("scale") or {}
            ends = scale.get("domain")
            if (
                mark.get("clip")
                or not isinstance(ends, list)
                or not all(isinstance(end, int | float) for end in ends)
            ):
                continue
            low = min(ends)
            high = max(ends)
            margin = EDGE * (high - low)
            for channel in (encoding.get(axis), encoding.get(f"{axis}2")):
                field = (channel or {}).get("field")
                if field is None or field not in seen:
                    continue
                values = seen[field].dropna()
                for value in values[(values < low - margin) | (values > high + margin)]:
                    found.append(
                        f"{mark['type']} at {field} = {value:.6g}, the axis goes from {low:g} to "
                        f"{high:g}"
                    )
    return found


def _layers(spec: Mapping, rows: pd.DataFrame) -> Iterator[tuple[Mapping, Mapping, pd.DataFrame]]:
    """Yield mark, encoding and rows of each layer."""
    for part in spec.get("layer", [spec]):
        encoding = {**spec.get("encoding", {}), **part.get("encoding", {})}
        kinds = [_KIND.findall(str(step.get("filter"))) for step in part.get("transform", ())]
        seen = rows
        for names in kinds:
            if names:
                seen = seen[seen["kind"].isin(names)]
        mark = part.get("mark", {})
        yield ({"type": mark} if isinstance(mark, str) else mark), encoding, seen
