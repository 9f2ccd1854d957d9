"""Vocabulary of the app: one symbol and one unit per term, and every field that a model returns.

The words are those of queueing theory, scheduling and storage benchmarking as they are taught; a
symbol that a formula needs only once is explained beside the formula.
"""

import ast
import csv
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["Term", "fields", "words"]

#: What such a comment says: the meaning with the symbol in front, and the unit in brackets.
MEANING = re.compile(r"#: (.+?)(?: \[([^\]]+)\])?[;.]?$")


@dataclass(frozen=True)
class Term:
    """Term of the app's vocabulary."""

    name: str  #: as parameters and fields are called
    symbol: str  #: as formulas write it, or ""
    unit: str  #: SI unit, or "1" for a pure number
    meaning: str  #: one phrase


with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as _file:
    TERMS = tuple(Term(**row) for row in csv.DictReader(_file))


def words() -> list[dict[str, str]]:
    """List the terms of the app as rows: name, symbol, unit, meaning.

    >>> next(row for row in words() if row["name"] == "utilization")["symbol"]
    'ρ = a / c'
    """
    return [vars(term).copy() for term in TERMS]


def documented(model: ast.ClassDef, lines: list[str]) -> list[tuple[str, str, str]]:
    """List name, meaning, and unit of each field of a class with a `#:` comment.

    `lines` are the lines of the module.
    """
    rows = []
    for field in model.body:
        if not isinstance(field, ast.AnnAssign):
            continue
        top = field.lineno - 1
        while lines[top - 1].startswith("    #:"):
            top -= 1
        above = "\n".join(lines[top : field.lineno - 1])
        declared = "\n".join(lines[field.lineno - 1 : field.end_lineno])
        comments = re.findall("#: ?(.*)", above) or re.findall("#: ?(.*)", declared)
        meaning = MEANING.match("#: " + " ".join(comments))
        if meaning:
            rows.append((ast.unparse(field.target), meaning[1], meaning[2] or ""))
    return rows


@lru_cache(maxsize=1)
def fields() -> list[dict[str, str]]:
    """List the arguments and results of the models from their sources: model, name, meaning, unit.

    Sources are read, not imported: what is on a page need not run for it. A model bears its
    package.

    >>> units = {(row["model"], row["name"]): row["unit"] for row in fields()}
    >>> units["queueing.SteadyState", "mean_wait"]
    's'
    >>> # what bears no meaning is left out
    >>> [row["name"] for row in fields() if row["model"] == "jobs.Uniform"]
    ['high']
    """
    names = ("model", "name", "meaning", "unit")
    rows = []
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        package = path.relative_to(folder).with_suffix("").parts[0]
        for model in ast.walk(ast.parse(source)):
            if not isinstance(model, ast.ClassDef) or model.name.startswith("_"):
                continue
            if any("dataclass" in ast.unparse(decorator) for decorator in model.decorator_list):
                for row in documented(model, source.splitlines()):
                    name = f"{package}.{model.name}"
                    rows.append(dict(zip(names, (name, *row), strict=True)))
    return rows
