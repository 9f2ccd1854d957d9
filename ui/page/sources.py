"""Sources: the tables of constants and words, as the models themselves declare them."""

import tomllib
from functools import lru_cache
from pathlib import Path

import pandas as pd

from physics import constants, nomenclature
from ui.base.format import significant

#: Widths in px: what is read most is in sight first, and long sources wrap.
CONSTANT_COLUMNS = {
    "Symbol": {"width": 70},
    "Value": {"width": 110},
    "Unit": {"width": 60},
    "Meaning": {"width": 230},
    "Source": {"width": 330},
    "Kind": {"width": 80},
    "Knob": {"width": 150, "label": "Range of its knob"},
    "Name": {"width": 200, "label": "Name in the code"},
}


@lru_cache(maxsize=1)
def constants_frame() -> pd.DataFrame:
    """One row for each constant: symbol, value, unit, meaning, source, kind, its knob's range, name in the code."""
    rows = [
        {
            "Symbol": row["symbol"],
            "Value": significant(row["value"], 6),
            "Unit": row["unit"],
            "Meaning": row["meaning"],
            "Source": row["source"],
            "Kind": row["kind"],
            "Knob": "" if row["low"] is None else f"{significant(row['low'], 6)} to {significant(row['high'], 6)}",
            "Name": row["name"],
        }
        # Minutes and gigabytes are what a reader looks for last.
        for row in sorted(constants.table(), key=lambda row: row["kind"] == "exact")
    ]
    return pd.DataFrame(rows)


@lru_cache(maxsize=4)
def systems(path: Path, titles: tuple[tuple[str, str], ...]) -> str:
    """What the sources describe, as a Markdown table: the pages that have it, by title, or why none has."""
    titled = dict(titles)
    rows = ["| | Where it is here |", "|---|---|"]
    for source in tomllib.loads(path.read_text(encoding="utf-8"))["sources"]:
        rows.append(f"| **{source['name']}** | |")
        for one in source["systems"]:
            where = ", ".join(titled[page] for page in one.get("pages", ())) or f"Not modeled: {one['why']}."
            rows.append(f"| {one['name']} | {where} |")
    return "\n".join(rows)


@lru_cache(maxsize=1)
def words_frame() -> pd.DataFrame:
    """One row for each word of the app."""
    frame = pd.DataFrame(nomenclature.words())
    frame["name"] = frame["name"].str.replace("_", " ")
    return frame.rename(columns={"name": "Word", "symbol": "Symbol", "unit": "Unit", "meaning": "Meaning"})


@lru_cache(maxsize=1)
def fields_frame() -> pd.DataFrame:
    """One row for each quantity that a model takes or returns."""
    frame = pd.DataFrame(nomenclature.fields())
    return frame.rename(columns={"model": "Model", "name": "Name", "unit": "Unit", "meaning": "Meaning"})


def matching(frame: pd.DataFrame, search: str | None) -> pd.DataFrame:
    """Rows that hold every word searched for, in any column and in any case.

    >>> matching(pd.DataFrame({"a": ["one hour", "one day"]}), "ONE day")["a"].tolist()
    ['one day']
    """
    words = (search or "").casefold().split()
    if not words:
        return frame
    texts = (" ".join(map(str, row)).casefold() for row in frame.itertuples(index=False))
    return frame[[all(word in text for word in words) for text in texts]]


def counted(found: pd.DataFrame, of: pd.DataFrame) -> str:
    """How many rows the search has left.

    >>> counted(pd.DataFrame(index=[1]), pd.DataFrame(index=[1, 2]))
    '1 of 2'
    """
    return f"{len(found)} of {len(of)}" if len(found) < len(of) else f"All {len(of)}"
