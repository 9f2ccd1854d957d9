"""DRF story: the jobs of a scenario as records, as one line of text for a link, and as rows that anybody may paste.

Whatever comes in, from an address, a pasted table or a script, is bounded and checked here; what does not fit is left
out and named in one sentence.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from physics import constants as k
from physics.fairness import Claimant
from ui.base import format as f

MOST_JOBS = 6
MOST_TEXT = 1500  #: characters of a table in a link
MOST_AMOUNT = 1e6  #: of any amount in the table
WEIGHTS = (0.001, 1000.0)
RESOURCES = ("cpu", "mem", "gpu", "gpu_mem")
UNITS = {"cpu": "vCPU", "mem": "GB", "gpu": "GPUs", "gpu_mem": "GB of GPU memory"}
NAMES = {"cpu": "CPU", "mem": "memory", "gpu": "GPUs", "gpu_mem": "GPU memory"}
COLUMNS = ("name", *(f"start_{resource}" for resource in RESOURCES), *RESOURCES, "weight", "ceiling")
#: Names are shown as Markdown and travel in links, so they hold nothing that either would read.
NOT_IN_NAMES = re.compile(r"[^\w '()&+-]+")
NAME_LENGTH = 30


@dataclass(frozen=True)
class Job:
    """One row of the table; amounts in vCPU, GB, GPUs and GB of GPU memory."""

    name: str
    start: tuple[float, float, float, float]
    need: tuple[float, float, float, float]
    weight: float = 1.0
    ceiling: float | None = None

    def claimant(self) -> Claimant:
        """The job as the model knows it."""
        need, start = (dict(zip(RESOURCES, row, strict=True)) for row in (self.need, self.start))
        return Claimant(self.name, need, start, self.weight, self.ceiling)


def story() -> tuple[Job, ...]:
    """The three jobs of the message, which hold nothing yet."""
    needs = {
        "Parsing": (k.DRF_PARSING_CPU, k.DRF_PARSING_MEMORY),
        "Joins": (k.DRF_JOINS_CPU, k.DRF_JOINS_MEMORY),
        "Evaluation": (k.DRF_EVALUATION_CPU, k.DRF_EVALUATION_MEMORY),
    }
    return tuple(Job(name, (0.0,) * 4, (float(cpu), memory / k.GB, 0.0, 0.0)) for name, (cpu, memory) in needs.items())


def draft(ceiling: float | None = None) -> tuple[Job, ...]:
    """The three jobs of the notebook: equal executors, unequal starts."""
    need = (float(k.DRF_EXECUTOR_CPU), k.DRF_EXECUTOR_MEMORY / k.GB, 0.0, 0.0)
    starts = {
        "Heaviest": (k.DRF_HEAVIEST_CPU, k.DRF_HEAVY_MEMORY),
        "Medium": (k.DRF_MEDIUM_CPU, k.DRF_HEAVY_MEMORY),
        "Light evaluation": (k.DRF_LIGHT_CPU, k.DRF_LIGHT_MEMORY),
    }
    return tuple(
        Job(name, (float(cpu), memory / k.GB, 0.0, 0.0), need, 1.0, ceiling) for name, (cpu, memory) in starts.items()
    )


def write(jobs: Iterable[Job]) -> str:
    """Write a table as one short line, "" for the story's own.

    >>> write([Job("A", (0, 0, 0, 0), (1, 4, 0, 0)), Job("B", (0, 0, 0, 0), (3, 1, 0, 0), 2, 5)])
    'A,,,,,1,4,,,1,;B,,,,,3,1,,,2,5'
    """
    jobs = tuple(jobs)
    if jobs == story():
        return ""
    return ";".join(
        ",".join([job.name, *map(_number, (*job.start, *job.need)), f"{job.weight:.12g}", _ceiling(job.ceiling)])
        for job in jobs
    )


@lru_cache(maxsize=64)
def parse(text: str) -> tuple[Job, ...]:
    """Read what `write` wrote; "" is the story's own table.

    Raises
    ------
    ValueError
        One sentence, for text that is no table or a table that is no scenario.
    """
    if not text:
        return story()
    if len(text) > MOST_TEXT:
        raise ValueError(f"it is longer than {MOST_TEXT} characters")
    rows = []
    for line in text.split(";"):
        fields = line.split(",")
        if len(fields) != len(COLUMNS):
            raise ValueError(f"a row must have {len(COLUMNS)} fields, found {len(fields)}")
        rows.append(dict(zip(COLUMNS, fields, strict=True)))
    jobs, complaints = read(rows)
    if complaints:
        raise ValueError(complaints[0][0].lower() + complaints[0][1:].rstrip("."))
    return jobs


def amount(value: float, resource: int) -> str:
    """Write an amount of a resource with its unit."""
    text = f.significant(value, 6)
    return f"{text} GPU" if text == "1" and RESOURCES[resource] == "gpu" else f"{text} {UNITS[RESOURCES[resource]]}"


def table_words(table: tuple[Job, ...]) -> str:
    """Write a table for a reader: what an executor of each job needs, and what is not as in most tables."""
    return ", ".join(map(_in_words, table))


def _in_words(job: Job) -> str:
    parts = [amount(need, r) for r, need in enumerate(job.need) if need]
    parts += [f"holds {amount(held, r)}" for r, held in enumerate(job.start) if held]
    parts += [f"weight {job.weight:g}"] if job.weight != 1 else []
    parts += [f"at most {f.count(job.ceiling, 'executor')}"] if job.ceiling is not None else []
    return f"{job.name} ({', '.join(parts)})"


def read(rows: Iterable[Mapping[str, object]]) -> tuple[tuple[Job, ...], list[str]]:
    """Read rows of cells into jobs, and say in one sentence each which rows were left out and why."""
    jobs: list[Job] = []
    complaints: list[str] = []
    for number, row in enumerate(rows, 1):
        if all(_blank(cell) for name, cell in row.items() if name not in ("weight", "ceiling")):
            continue
        if len(jobs) == MOST_JOBS:
            complaints.append(f"The table holds more than {MOST_JOBS} jobs; those from row {number} on are left out.")
            break
        try:
            job = _job(row, number)
            if job.name in {other.name for other in jobs}:
                raise ValueError(f"the name {job.name} is taken by another row")
        except ValueError as refusal:
            complaints.append(f"Row {number} is left out: {refusal}.")
        else:
            jobs.append(job)
    return tuple(jobs), complaints


def clean_name(text: object) -> str:
    """Reduce a name to letters, digits, spaces and ' ( ) & + - _, at most 30 of them.

    >>> clean_name(" <b>Ann</b>: [x](y){z} ")
    'b Ann b x (y) z'
    """
    return " ".join(NOT_IN_NAMES.sub(" ", str(text)).split())[:NAME_LENGTH].strip()


def _job(row: Mapping[str, object], number: int) -> Job:
    name = "" if _blank(row.get("name")) else clean_name(row["name"])
    need = tuple(_amount(row.get(r), f"{UNITS[r]} of an executor") for r in RESOURCES)
    if not any(need):
        raise ValueError("an executor must need something")
    start = tuple(_amount(row.get(f"start_{r}"), f"{UNITS[r]} held") for r in RESOURCES)
    weight = 1.0 if _blank(row.get("weight")) else _amount(row["weight"], "the weight")
    if not WEIGHTS[0] <= weight <= WEIGHTS[1]:
        raise ValueError(f"the weight must be between {WEIGHTS[0]:g} and {WEIGHTS[1]:g}, found {weight:g}")
    ceiling = None if _blank(row.get("ceiling")) else _amount(row["ceiling"], "the cap")
    return Job(name or f"Job {number}", start, need, weight, ceiling)


def _amount(cell: object, what: str) -> float:
    """Read one cell, 0 if it is blank, to a millionth."""
    if _blank(cell):
        return 0.0
    try:
        number = float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be a number, found {clean_name(cell) or 'something else'}") from None
    if not 0 <= number <= MOST_AMOUNT:
        raise ValueError(f"{what} must be between 0 and {MOST_AMOUNT:,.0f}, found {number:g}")
    return round(number, 6)


def _blank(cell: object) -> bool:
    return (
        cell is None or (isinstance(cell, float) and math.isnan(cell)) or (isinstance(cell, str) and not cell.strip())
    )


def _number(value: float) -> str:
    return f"{value:.12g}" if value else ""


def _ceiling(value: float | None) -> str:
    return "" if value is None else f"{value:.12g}"
