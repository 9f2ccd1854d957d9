"""Rejection of unsupported log formats, with their names and a way to convert them."""

import re
from collections.abc import Mapping, Sequence

from physics.texts import toml_beside

_DATA = toml_beside(__file__, "refusals.toml")
#: Ways to a log that is read, by name; each may quote the ones before it.
_WAYS: dict[str, str] = {}
for _name, _way in _DATA["ways"].items():
    _WAYS[_name] = _way.format(**_WAYS)
#: The command that prints a log which is read.
SACCT = _WAYS["sacct"]


def _refusal(log: Mapping[str, str]) -> ValueError:
    """Error for a recognized log, a row of the data."""
    way = _WAYS[log["way"]]
    return ValueError(f"source must be a log that can be read, got {log['name']}; {way}")


def refuse_text(lines: Sequence[str]) -> None:
    """Raise ValueError for the first lines of a recognized but unsupported format."""
    text = "\n".join(lines)[:100_000]
    for log in _DATA["texts"]:
        if re.search(log["pattern"], text, re.MULTILINE):
            raise _refusal(log)
    header = "".join(lines[:1])
    words = header.lower().split()
    if "jobid" in words and "|" not in header:
        raise ValueError(
            f"source must hold times, got sacct's table with {' '.join(words)[:60]!r}; "
            f"{_WAYS['slurm']}"
        )


def refuse_json(text: str) -> None:
    """Raise ValueError for a JSON text that is not sacct's, with its name if it is recognized."""
    head = text[:200_000]
    for log in _DATA["objects"]:
        if re.search(log["pattern"], head):
            raise _refusal(log)
    keys = set(re.findall(r'"([A-Za-z_]{1,40})"\s*:', head))
    for log in _DATA["keys"]:
        if keys.issuperset(log["keys"]):
            raise _refusal(log)
    raise _refusal({"name": "JSON that is none of sacct", "way": "slurm_or_six"})


class Unreadable(ValueError):
    """Error for an unrecognized text, which may be a table whose columns must be named."""


def unreadable(lines: Sequence[str]) -> Unreadable:
    """Return the error for an unrecognized text."""
    shown = "".join(lines[:1])[:40]
    return Unreadable(
        f"source must be a log that can be read, got {shown!r}; print one with {SACCT}, or name "
        f"the columns of a table with {_WAYS['named']}"
    )
