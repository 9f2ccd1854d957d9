"""Convert output of `sacct` with another delimiter, or fixed widths, to lines delimited by bars.

Reference: SchedMD, "sacct", manual page of Slurm 24.05 (--delimiter, --parsable2, --format).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from physics.jobs.fields import RESOURCES
from physics.jobs.lines import fields_of, texts_of
from physics.jobs.readers.plain import first_lines
from physics.jobs.readers.refusals import SACCT

DELIMITERS = "|\t;,"
#: One trackable resource and its amount, such as "gres/gpu=8" or "mem=64G".
RESOURCE = re.compile(r"[A-Za-z0-9_/:.\-]+=[0-9.]+[A-Za-z]*")
#: Line under the header of a table of fixed widths.
DASHES = re.compile(r"-+(?: +-+)* *")


class Header(NamedTuple):
    """Header of a `sacct` log."""

    line: int  #: its line number
    delimiter: str  #: a space for a table of fixed widths
    names: list[str]  #: names of the columns in lower case


def header_of(data: bytes) -> Header | None:
    """Find the header among the first lines of a `sacct` log; None if there is none."""
    lines = first_lines(data)
    next_lines = [text for _, text in lines[1:]]
    for (number, line), next_line in zip(lines, [*next_lines, ""], strict=False):
        for delimiter in DELIMITERS:
            names = [name.strip().strip('"').lower() for name in line.split(delimiter)]
            if {"submit", "start", "state"} <= set(names) and {"jobid", "jobidraw"} & set(names):
                return Header(number, delimiter, names)
        if DASHES.fullmatch(next_line):
            names = line.lower().split()
            if "jobid" in names or "jobidraw" in names:
                return Header(number, " ", names)
    return None


def with_bars(data: bytes, header: Header) -> bytes:
    """Return a log of `sacct` delimited by bars, with each record on its original line.

    Raises ValueError for one that does not hold times or whole sizes, or that cannot be split.
    """
    if header.delimiter == "|" and header.line == 1:
        return data
    lines = _all_texts(data, header.line)
    rows: Iterable[str]
    if header.delimiter == "|":
        rows = [line for _, line in lines]
    elif header.delimiter == " ":
        rows = _bars_from_widths(lines, header.names)
    else:
        rows = _bars_from_delimiter(lines, header.delimiter, header.names)
    return "\n".join([*[""] * (header.line - 1), *rows]).encode()


def _all_texts(data: bytes, first: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file from a line number on, also the empty ones, with their numbers."""
    expected = first
    for number, line in texts_of(data, first):
        for empty in range(expected, number):
            yield empty, ""
        yield number, line
        expected = number + 1


def _bars_from_widths(lines: Iterator[tuple[int, str]], names: Sequence[str]) -> Iterator[str]:
    """Yield lines with bars for a table of fixed widths, which dashes under its header show."""
    missing = [name.title() for name in ("submit", "start") if name not in names]
    if missing:
        raise ValueError(
            f"source must hold times, got sacct's table without {' and '.join(missing)}; print "
            f"it with {SACCT}"
        )
    _, header = next(lines)
    yield "|".join(header.split())
    columns: list[slice] = []
    for number, line in lines:
        if not columns and DASHES.fullmatch(line):
            columns = [slice(*dashes.span()) for dashes in re.finditer("-+", line)]
            line = ""
        if not line:
            yield ""  # so that each record stays on its line
            continue
        text = line.replace("|", "/")
        fields = [text[column].strip() for column in columns]
        for name, field in zip(names, fields, strict=False):
            if name in RESOURCES and field.endswith("+"):
                raise ValueError(
                    f"line {number} must hold whole sizes, got {field!r}, which sacct has cut; "
                    f"print it with {SACCT}"
                )
        yield "|".join(fields)


def _bars_from_delimiter(
    lines: Iterator[tuple[int, str]], delimiter: str, names: Sequence[str]
) -> Iterator[str]:
    """Yield lines with bars for fields between other delimiters, quoted as in spreadsheets."""
    resource_columns = [column for column, name in enumerate(names) if name in RESOURCES]
    for number, fields in fields_of(lines, delimiter, "record"):
        if len(fields) > len(names) and delimiter == ",":
            fields = _joined(fields, len(names), resource_columns, number)
        yield "|".join([field.replace("|", "/").replace("\n", " ") for field in fields])


def _joined(
    fields: list[str], width: int, resource_columns: Sequence[int], number: int
) -> list[str]:
    """Join the pieces of trackable resources that a table with commas has split.

    The fields return unchanged if no way to join them is plausible, or if the table has no column
    with trackable resources or more than two. ValueError if two ways are plausible.

    Args:
        width: Columns of the table.
        resource_columns: Indices of the columns with trackable resources.
        number: Number of the record, for the error.

    >>> _joined(["7", "cpu=8", "gres/gpu=2", "x"], 3, [1], 2)
    ['7', 'cpu=8,gres/gpu=2', 'x']
    """
    extra_pieces = len(fields) - width
    extras = []
    if len(resource_columns) == 1:
        extras = [[extra_pieces]]
    elif len(resource_columns) == 2:
        extras = [[extra, extra_pieces - extra] for extra in range(extra_pieces + 1)]
    candidates = []
    for extra_by_column in extras:
        sizes = [1] * width
        for column, extra in zip(resource_columns, extra_by_column, strict=True):
            sizes[column] += extra
        groups = _grouped(fields, sizes)
        if _is_plausible(groups, resource_columns):
            candidates.append([",".join(pieces) for pieces in groups])
    if len(candidates) > 1:
        raise ValueError(
            f"record {number} must be told apart from its commas, got {width} columns in "
            f"{len(fields)} pieces; print it with sacct --parsable2 --delimiter='|'"
        )
    if candidates:
        return candidates[0]
    return fields


def _grouped(fields: list[str], sizes: Sequence[int]) -> list[list[str]]:
    """Cut fields into groups of these sizes."""
    remaining = iter(fields)
    return [list(islice(remaining, size)) for size in sizes]


def _is_plausible(groups: Sequence[list[str]], resource_columns: Sequence[int]) -> bool:
    """Whether groups of pieces, one for each column, hold resources where they should.

    A column between two with resources must not look like one of these, because its pieces could be
    theirs. Other columns always get the same piece, which may be a job's name such as "lr=0.1".
    """
    first = resource_columns[0]
    last = resource_columns[-1]
    between = [groups[column][0] for column in range(first + 1, last)]
    return all(_is_resources(groups[column]) for column in resource_columns) and not any(
        map(RESOURCE.fullmatch, between)
    )


def _is_resources(pieces: list[str]) -> bool:
    """Whether pieces are trackable resources, each named once, or one empty piece."""
    names = {piece.partition("=")[0] for piece in pieces}
    is_complete = pieces == [""] or all(map(RESOURCE.fullmatch, pieces))
    return is_complete and len(names) == len(pieces)
