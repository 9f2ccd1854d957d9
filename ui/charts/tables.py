"""Data table of a chart: the numbers behind its marks, with the names and units of its axes.

A chart's rows also have columns for the position and style of labels. The specification says which
columns are data: those that a line, a point or a bar draws along a named axis or shows in its
tooltip.
"""

import math
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pandas as pd

from ui.base.format import capital
from ui.base.lesson import Figure
from ui.base.lesson.slips import KIND

#: Marks that represent data; rules and texts mark limits.
MARKS = frozenset(("line", "point", "bar", "rect", "area", "tick", "circle"))
#: Of rows that depend on the pointer, those are visible without it that have equal values in these
#: two columns.
IN_SIGHT = {"at": "held", "half_life": "now"}
NAME = "What"
#: Name of an axis of dates, which has no title on the chart.
TIME = "Time (UTC)"
#: Kinds of rows whose name only repeats their mark; they get the name of their axis.
PLAIN = ("", "bar", "bars", "curve", "line", "path")
#: Name of a kind of rows that is no data.
LEFT_OUT = "-"


class Layer:
    """Layer of a specification: its mark, the kind of rows that it draws, and its channels."""

    def __init__(self, spec: Mapping):
        self.mark = spec["mark"]["type"]
        filters = " ".join(str(step.get("filter")) for step in spec.get("transform", ()))
        self.kind = "".join(KIND.findall(filters)[:1])  #: "" if it draws all rows
        encoding = spec.get("encoding", {})
        self.tips = encoding.get("tooltip")
        if not isinstance(self.tips, list):
            self.tips = []
        #: the specification of each channel, by its name
        self.channels = {
            name: channel for name, channel in encoding.items() if isinstance(channel, Mapping)
        }
        self.fields = {name: channel.get("field") for name, channel in self.channels.items()}
        self.titles = {}  #: titles of its axes, by field; an axis without a title has no numbers
        self.percents = set()  #: titles of the axes that are written in percent
        for name in ("x", "y"):
            channel = self.channels.get(name, {})
            axis = channel.get("axis") or {}
            title = channel.get("title") or axis.get("title")
            if channel.get("type") == "temporal":
                title = title or TIME
            if "field" in channel and isinstance(title, str):
                self.titles[channel["field"]] = title
                if str(axis.get("format", "")).endswith("%"):
                    self.percents.add(title)

    def has_data(self) -> bool:
        """Return whether the layer draws the chart's own data, not that of pinned scenarios."""
        is_placed = bool(self.fields.get("x") and self.fields.get("y"))
        return self.mark in MARKS and self.kind != "ghost" and (is_placed or bool(self.tips))

    def rows(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return the rows that the layer draws."""
        if self.kind:
            return rows[rows["kind"] == self.kind]
        return rows

    def position(self, row: Mapping) -> tuple:
        """Return a row's position on the axes."""
        return tuple(row.get(self.fields.get(axis)) for axis in ("x", "y"))


def table(figure: Figure, called: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """Return the data of a chart with one row per mark: its kind and its numbers.

    `called` has names for kinds of rows that have none on the chart; a kind named `LEFT_OUT` is no
    data.
    """
    rows = _in_sight(figure.frame)
    if "label" not in rows:
        rows = rows.assign(label=None)
    layers = list(_layers(figure.spec))
    names = _names(rows, layers)
    titles = ChainMap(*(layer.titles for layer in layers))
    for field, title in titles.items():
        if title == TIME:
            rows[field] = pd.to_datetime(rows[field], unit="ms")
    by_kind: dict[str, Layer] = {}
    for layer in filter(Layer.has_data, layers):
        by_kind.setdefault(layer.kind, layer)
    parts = []
    for kind, layer in by_kind.items():
        layer_rows = layer.rows(rows)
        columns = _columns(layer, titles, layer_rows)
        if len(layer_rows) and columns and called.get(kind) != LEFT_OUT:
            row_names = _named(layer, layer_rows, names, called.get(kind, ""))
            piece = _renamed(layer_rows, columns, row_names)
            parts.append(piece[piece[NAME] != ""])
    parts = [piece for piece in parts if len(piece)] or _lanes(rows, layers, titles)
    if not parts:
        return _words(rows)
    data = pd.concat(parts, ignore_index=True).dropna(axis=1, how="all")
    for name in data.select_dtypes("floating"):
        data[name] = [float(f"{value:.4g}") for value in data[name]]
    return data


def percents(figure: Figure) -> set[str]:
    """Return the table columns that hold shares, which the chart's axes write in percent."""
    columns = set()
    for layer in _layers(figure.spec):
        for name in map(capital, layer.percents):
            columns |= {name, f"{name}, from", f"{name}, to"}
    return columns


def _lanes(
    rows: pd.DataFrame, layers: list[Layer], titles: Mapping[str, str]
) -> list[pd.DataFrame]:
    """Return the points and means of lanes with a label and no axis, one frame per kind of rows."""
    parts = []
    for layer in layers:
        field = layer.fields.get("y")
        if layer.mark not in ("point", "rule") or field in titles or field not in rows:
            continue
        labels = rows[rows["kind"] == "label"]
        lanes = dict(zip(labels[field].map(math.floor), labels["label"], strict=True))
        layer_rows = rows[rows["kind"] == layer.kind]
        layer_rows = layer_rows[layer_rows[field].map(math.floor).isin(list(lanes))]
        columns = _columns(layer, titles, layer_rows)
        if len(layer_rows) and columns:
            names = [f"{lanes[math.floor(height)]} ({layer.kind})" for height in layer_rows[field]]
            parts.append(_renamed(layer_rows, columns, names))
    return parts


def _renamed(rows: pd.DataFrame, columns: dict[str, str], names: list[str]) -> pd.DataFrame:
    """Return these columns of rows with their new names, after a column with the rows' names."""
    frame = rows[list(columns)].rename(columns=columns)
    frame.insert(0, NAME, names)
    return frame


def _words(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the labels of a chart whose positions are not numbers, with the kind of each."""
    texts = rows[rows["label"].map(type).eq(str)]
    kinds = texts["kind"].map(capital)
    return pd.DataFrame({NAME: kinds, "Text": texts["label"]}).reset_index(drop=True)


def _layers(spec: Mapping) -> Iterator[Layer]:
    """Yield the layers of a specification, those inside layers before their parents."""
    for inner in spec.get("layer", ()):
        yield from _layers(inner)
    if "mark" in spec:
        yield Layer(spec)


def _columns(layer: Layer, titles: Mapping[str, str], rows: pd.DataFrame) -> dict[str, str]:
    """Return the columns of a layer's data with the name of each in the table."""
    columns = {}
    fields = layer.fields
    for axis in ("x", "y"):
        start: Any = fields.get(axis)
        end: Any = fields.get(f"{axis}2")
        if start not in titles or start not in rows:
            continue
        title = capital(titles[start])
        if end not in rows:
            columns[start] = title
        elif axis == "y" and (rows[start] < 0).any():
            continue  # lanes, whose heights are no values
        elif not rows[start].fillna(0).any():
            columns[end] = title
        else:
            columns[start] = f"{title}, from"
            columns[end] = f"{title}, to"
    positional = [fields.get(name) for name in ("x", "y", "x2", "y2")]
    for tip in layer.tips:
        field: Any = tip.get("field")
        if not tip.get("title") or field not in rows or field in (*columns, *positional):
            continue
        if pd.api.types.is_numeric_dtype(rows[field]):
            columns[field] = capital(tip["title"])
    names = list(columns.values())
    return {field: name for field, name in columns.items() if names.count(name) == 1}


def _named(layer: Layer, rows: pd.DataFrame, names: Mapping, called: str) -> list[str]:
    """Return the name of each row of a layer: its series, the label at its mark, or its kind.

    A point without a label is a handle, not data; its name is "".
    """
    for channel in (*layer.channels.values(), *layer.tips, {"field": "label"}):
        field = channel.get("field")
        if field in rows and field != "kind" and rows[field].map(type).eq(str).all():
            return rows[field].tolist()
    positions = [layer.position(row) for row in rows.to_dict("records")]
    if layer.kind == "point":
        return [names.get(position, "") for position in positions]
    labels = {names[position] for position in positions if position in names}
    for label in list(labels):
        if ("point", label) in names:
            labels.remove(label)
    if called:
        name = called
    elif len(labels) == 1:
        name = labels.pop()
    elif layer.kind in PLAIN:
        title = ["", *filter(None, layer.titles.values())][-1]
        name = capital(re.sub(r" \([^)]*\)$", "", title))
    else:
        name = capital(layer.kind.replace("_", " "))
    return [name] * len(rows)


def _names(rows: pd.DataFrame, layers: list[Layer]) -> dict[Any, str]:
    """Return the labels of a chart by position, with a key ("point", label) for those of points."""
    names: dict[Any, str] = {}
    if "kind" not in rows:
        return names
    for layer in layers:
        if layer.mark == "text":
            for row in rows[rows["kind"] == (layer.kind or "label")].to_dict("records"):
                if isinstance(row["label"], str):
                    names.setdefault(layer.position(row), row["label"])
    for layer in layers:
        if layer.mark == "point":
            for row in rows[rows["kind"] == layer.kind].to_dict("records"):
                name = names.get(layer.position(row))
                if name:
                    names["point", name] = name
    return names


def _in_sight(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are visible while nobody touches the chart."""
    for column, current in IN_SIGHT.items():
        if column in rows and current in rows:
            depends = rows[column].notna() & rows[current].notna()
            if pd.api.types.is_numeric_dtype(rows[column]):
                depends &= rows[column] >= 0
            rows = rows[~depends | (rows[column] == rows[current])]
    return rows
