"""Data table of a chart: the numbers behind its marks, with the names and units of its axes.

A chart's rows also hold where its words stand and how they look; the specification says which
columns are data: those that a line, a point or a bar reads along a named axis or shows in its
tooltip.
"""

import math
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pandas as pd

from ui.base.lesson import Figure

#: Marks that stand for data; rules and words say where a limit is.
MARKS = frozenset(("line", "point", "bar", "rect", "area", "tick", "circle"))
#: Columns of rows that wait for the pointer: those in sight have the value of the second column.
IN_SIGHT = {"at": "held", "half_life": "now"}
NAME = "What"
#: Kinds of rows that say no more than their mark: they are called as the axis that they are read
#: from.
PLAIN = ("", "bar", "bars", "curve", "line", "path")
#: The name of a kind of rows that is no data.
LEFT_OUT = "-"
#: Digits of a number.
DIGITS = 4
_KIND = re.compile(r"datum\.kind === '([^']+)'")


def table(figure: Figure, called: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """Return the data of a chart with one row per mark: its kind and its numbers.

    `called` are the names of kinds of rows where the chart itself has none; one that is called
    `LEFT_OUT` is no data.
    """
    rows = _in_sight(figure.frame)
    names = _names(rows, figure.spec)
    titles: dict[str, str] = {}
    parts = []
    for layer in _layers(figure.spec):
        for field, title in _axes(layer).items():
            titles.setdefault(field, title)
    for kind, layer in _by_kind(figure.spec).items():
        if kind:
            drawn = rows[rows["kind"] == kind]
        else:
            drawn = rows
        columns = _columns(layer, titles, drawn)
        if len(drawn) and columns and called.get(kind) != LEFT_OUT:
            piece = drawn[list(columns)].rename(columns=columns)
            piece.insert(0, NAME, _named(layer, drawn, names, kind, called.get(kind, "")))
            piece = piece[piece[NAME] != ""]
            if len(piece):
                parts.append(piece)
    if not parts:
        parts = _lanes(rows, figure.spec, titles)
    if not parts:
        return _words(rows)
    data = pd.concat(parts, ignore_index=True)
    return _rounded(data.dropna(axis=1, how="all"))


def percents(figure: Figure) -> set[str]:
    """Return the table columns that hold shares, which the chart's axes write in percent."""
    columns = set()
    for layer in _layers(figure.spec):
        for field, title in _axes(layer).items():
            channels = [channel for channel in _channels(layer) if channel.get("field") == field]
            formats = [(channel.get("axis") or {}).get("format", "") for channel in channels]
            if any(str(format).endswith("%") for format in formats):
                name = _capital(title)
                columns |= {name, f"{name}, from", f"{name}, to"}
    return columns


def _lanes(rows: pd.DataFrame, spec: Mapping, titles: Mapping[str, str]) -> list[pd.DataFrame]:
    """Return the points and means of lanes that only their labels name, one part a kind of rows."""
    parts = []
    for layer in _layers(spec):
        kind = _kind(layer)
        up = _encoding(layer).get("y", {}).get("field")
        if _mark(layer) not in ("point", "rule") or up in titles or up not in rows:
            continue
        labels = rows[rows["kind"] == "label"]
        lanes = {math.floor(row[up]): row["label"] for row in labels.to_dict("records")}
        drawn = rows[rows["kind"] == kind]
        drawn = drawn[drawn[up].map(lambda height, lanes=lanes: math.floor(height) in lanes)]
        columns = _columns(layer, titles, drawn)
        if len(drawn) and columns:
            frame = drawn[list(columns)].rename(columns=columns)
            names = [f"{lanes[math.floor(height)]}" for height in drawn[up]]
            frame.insert(0, NAME, [f"{name} ({kind})" for name in names])
            parts.append(frame)
    return parts


def _words(rows: pd.DataFrame) -> pd.DataFrame:
    """Return what stands on a chart whose places are no numbers, by kind of row."""
    texts = rows[rows["label"].map(type).eq(str)]
    kinds = texts["kind"].map(lambda kind: _capital(str(kind)))
    return pd.DataFrame({NAME: kinds, "Text": texts["label"]}).reset_index(drop=True)


def _layers(spec: Mapping) -> Iterator[Mapping]:
    for name in ("layer", "hconcat", "vconcat", "concat"):
        for inner in spec.get(name, ()):
            yield from _layers(inner)
    if "mark" in spec:
        yield spec


def _mark(layer: Mapping) -> str:
    mark = layer["mark"]
    if isinstance(mark, str):
        return mark
    return mark["type"]


def _kind(layer: Mapping) -> str:
    """Return the kind of rows that a layer draws; "" of one that draws all."""
    for step in layer.get("transform", ()):
        match = _KIND.search(str(step.get("filter", "")))
        if match:
            return match[1]
    return ""


def _by_kind(spec: Mapping) -> dict[str, Mapping]:
    """Return the first layer of data for each kind of rows; what pins leave is not the chart's."""
    layers: dict[str, Mapping] = {}
    for layer in _layers(spec):
        kind = _kind(layer)
        placed = {"x", "y"} & {
            name for name, channel in _encoding(layer).items() if "field" in channel
        }
        if _mark(layer) in MARKS and kind != "ghost" and (len(placed) == 2 or _tips(layer)):
            layers.setdefault(kind, layer)
    return layers


def _encoding(layer: Mapping) -> dict[str, Mapping]:
    encoding = layer.get("encoding", {})
    return {name: channel for name, channel in encoding.items() if isinstance(channel, Mapping)}


def _channels(layer: Mapping) -> list[Mapping]:
    return list(_encoding(layer).values())


def _tips(layer: Mapping) -> list[Mapping]:
    tips = layer.get("encoding", {}).get("tooltip")
    if isinstance(tips, list):
        return tips
    return []


def _axes(layer: Mapping) -> dict[str, str]:
    """Return the titles of a layer's axes, by field; an axis without a title has no numbers to
    read.
    """
    titles = {}
    for name in ("x", "y"):
        channel = _encoding(layer).get(name, {})
        title = channel.get("title") or (channel.get("axis") or {}).get("title")
        if "field" in channel and isinstance(title, str):
            titles[channel["field"]] = title
    return titles


def _columns(layer: Mapping, titles: Mapping[str, str], rows: pd.DataFrame) -> dict[str, str]:
    """Return the columns of a layer's data and what each is called."""
    columns: dict[str, str] = {}
    encoding = _encoding(layer)
    for axis in ("x", "y"):
        start: Any = encoding.get(axis, {}).get("field")
        end: Any = encoding.get(f"{axis}2", {}).get("field")
        title = titles.get(start)
        if title is None or start not in rows:
            continue
        if end is None or end not in rows:
            columns[start] = _capital(title)
        elif axis == "y" and (rows[start] < 0).any():
            continue  # lanes, which have places and no values
        elif not rows[start].fillna(0).any():
            columns[end] = _capital(title)
        else:
            columns[start] = f"{_capital(title)}, from"
            columns[end] = f"{_capital(title)}, to"
    for tip in _tips(layer):
        field: Any = tip.get("field")
        placed = [encoding.get(axis_name, {}).get("field") for axis_name in ("x", "y", "x2", "y2")]
        title = tip.get("title")
        if not title or field not in rows or field in (*columns, *placed):
            continue
        if pd.api.types.is_numeric_dtype(rows[field]):
            columns[field] = _capital(title)
    taken = list(columns.values())
    return {field: name for field, name in columns.items() if taken.count(name) == 1}


def _named(layer: Mapping, rows: pd.DataFrame, names: Mapping, kind: str, called: str) -> list[str]:
    """Return what each row of a layer is: its series, the words beside its mark, or its kind.

    A point without words is none, but a handle.
    """
    channels = [*_channels(layer), *_tips(layer), {"field": "label"}]
    for channel in channels:
        field = channel.get("field")
        if field in rows and field != "kind" and rows[field].map(type).eq(str).all():
            return rows[field].tolist()
    places = [_place(layer, row) for row in rows.to_dict("records")]
    if kind == "point":
        return [names.get(position, "") for position in places]
    words = {names[position] for position in places if position in names}
    of_kind = [name for name in words if ("point", name) not in names]
    if called:
        name: str = called
    elif len(of_kind) == 1:
        name = of_kind[0]
    elif kind in PLAIN:
        across, up = [*_axes(layer).values(), "", ""][:2]
        name = _capital(re.sub(r" \([^)]*\)$", "", up or across))
    else:
        name = _capital(kind.replace("_", " "))
    return [name] * len(rows)


def _names(rows: pd.DataFrame, spec: Mapping) -> dict[Any, str]:
    """Return the words that stand at a place of the chart; ("point", words) marks those of a
    point.
    """
    names: dict[Any, str] = {}
    if "kind" not in rows or "label" not in rows:
        return names
    for layer in _layers(spec):
        if _mark(layer) != "text":
            continue
        for row in rows[rows["kind"] == (_kind(layer) or "label")].to_dict("records"):
            if isinstance(row["label"], str):
                names.setdefault(_place(layer, row), row["label"])
    for layer in _layers(spec):
        if _mark(layer) == "point":
            for row in rows[rows["kind"] == _kind(layer)].to_dict("records"):
                name = names.get(_place(layer, row))
                if name:
                    names["point", name] = name
    return names


def _place(layer: Mapping, row: Mapping) -> tuple:
    encoding = _encoding(layer)
    return tuple(row.get(encoding.get(axis, {}).get("field")) for axis in ("x", "y"))


def _in_sight(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are drawn while nobody touches the chart."""
    for column, present in IN_SIGHT.items():
        if column in rows and present in rows:
            waits = rows[column].notna() & rows[present].notna()
            if pd.api.types.is_numeric_dtype(rows[column]):
                waits &= rows[column] >= 0
            rows = rows[~waits | (rows[column] == rows[present])]
    return rows


def _rounded(data: pd.DataFrame) -> pd.DataFrame:
    for name in data.columns:
        if pd.api.types.is_float_dtype(data[name]):
            data[name] = data[name].map(_significant)
    return data


def _significant(value: float) -> float:
    if not math.isfinite(value) or value == 0:
        return value
    return round(value, DIGITS - 1 - math.floor(math.log10(abs(value))))


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]
