"""Convert the output of `sacct`, with another delimiter or fixed widths, to one format.

Reference: SchedMD, "sacct", manual page of Slurm 24.05 (--delimiter, --parsable2, --format).
"""

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from physics.jobs.fields import RESOURCES
from physics.jobs.lines import fields_of, texts_of
from physics.jobs.readers.plain import first_lines
from physics.jobs.readers.refusals import SACCT

DELIMITERS = "|\t;,"
#: One trackable resource, and the line under the header of a table of fixed widths.
PIECE = re.compile(r"[A-Za-z0-9_/:.\-]+=[0-9.]+[A-Za-z]*")
DASHES = re.compile(r"-+(?: +-+)* *")

Header = tuple[int, str, list[str]]  #: its line, its delimiter, and names in small letters


def header_of(data: bytes) -> Header | None:
    """Find the header among the first lines of a `sacct` log; None if there is none.

    The delimiter of a table of fixed widths is a blank.
    """
    lines = first_lines(data)
    for index, (number, line) in enumerate(lines, 1):
        for delimiter in DELIMITERS:
            names = [name.strip().strip('"').lower() for name in line.split(delimiter)]
            if {"submit", "start", "state"} <= set(names) and {"jobid", "jobidraw"} & set(names):
                return number, delimiter, names
        if index < len(lines) and DASHES.fullmatch(lines[index][1]):
            names = line.lower().split()
            if "jobid" in names or "jobidraw" in names:
                return number, " ", names
    return None


def with_bars(data: bytes, header: Header) -> bytes:
    """Return a log of `sacct` delimited by bars, with each record on its original line.

    Raises ValueError for one that does not hold times or whole sizes, or that cannot be split.
    """
    number, delimiter, names = header
    if delimiter == "|" and number == 1:
        return data
    lines = texts_of(data, number)
    rows: Iterator[str]
    if delimiter == "|":
        rows = map(itemgetter(1), lines)
    elif delimiter == " ":
        rows = _of_widths(lines, names)
    else:
        rows = _of_delimiter(lines, delimiter, names)
    return "\n".join([*[""] * (number - 1), *rows]).encode()


def _of_widths(lines: Iterator[tuple[int, str]], names: Sequence[str]) -> Iterator[str]:
    """Yield lines with bars for a table of fixed widths, which its second line shows as dashes."""
    missing = [name.title() for name in ("submit", "start") if name not in names]
    if missing:
        raise ValueError(
            f"source must hold times, got sacct's table without {' and '.join(missing)}; print "
            f"it with {SACCT}"
        )
    _, header = next(lines)
    _, dashes = next(lines)
    spans = map(re.Match.span, re.finditer(r"-+", dashes))
    columns = [slice(*span) for span in spans]
    yield "|".join(header.split())
    yield ""
    for number, line in lines:
        text = line.replace("|", "/")
        fields = [text[column].strip() for column in columns]
        for name, field in zip(names, fields, strict=False):
            if name in RESOURCES and field.endswith("+"):
                raise ValueError(
                    f"line {number} must hold whole sizes, got {field!r}, which sacct has cut; "
                    f"print it with {SACCT}"
                )
        yield "|".join(fields)


def _of_delimiter(
    lines: Iterator[tuple[int, str]], delimiter: str, names: Sequence[str]
) -> Iterator[str]:
    """Yield lines with bars for fields between other delimiters, quoted as in spreadsheets."""
    tres = [column for column, name in enumerate(names) if name in RESOURCES]
    for number, fields in fields_of(lines, delimiter, "record"):
        if len(fields) > len(names) and delimiter == ",":
            fields = _joined(fields, len(names), tres, number)
        yield "|".join([field.replace("|", "/").replace("\n", " ") for field in fields])


def _joined(fields: list[str], width: int, tres: Sequence[int], number: int) -> list[str]:
    """Join the pieces of trackable resources that a table with commas has split.

    Args:
        width: Columns of the table.
        tres: Indices of the columns with trackable resources.

    >>> _joined(["7", "cpu=8", "gres/gpu=2", "x"], 3, [1], 2)
    ['7', 'cpu=8,gres/gpu=2', 'x']
    """
    surplus = len(fields) - width
    splits = []
    if len(tres) == 1:
        splits = [{tres[0]: surplus}]
    elif len(tres) == 2:
        splits = [{tres[0]: more, tres[1]: surplus - more} for more in range(surplus + 1)]
    candidates = []
    for split in splits:
        joined = []
        start = 0
        is_plausible = True
        for column in range(width):
            end = start + split.get(column, 0) + 1
            pieces = fields[start:end]
            start = end
            if column in tres:
                names = {piece.partition("=")[0] for piece in pieces}
                is_complete = pieces == [""] or all(map(PIECE.fullmatch, pieces))
                is_plausible = is_plausible and is_complete and len(names) == len(pieces)
            else:
                is_plausible = is_plausible and PIECE.fullmatch(pieces[0]) is None
            joined.append(",".join(pieces))
        if is_plausible:
            candidates.append(joined)
    if len(candidates) > 1:
        raise ValueError(
            f"record {number} must be told apart from its commas, got {width} columns in "
            f"{len(fields)} pieces; print it with sacct --parsable2 --delimiter='|'"
        )
    if candidates:
        return candidates[0]
    return fields
