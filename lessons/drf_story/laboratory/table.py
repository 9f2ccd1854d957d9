"""DRF story: a table of jobs as one line of text for a link, and as rows pasted by the visitor.

Whatever comes in, from an address, a pasted table or a script, is bounded and checked here; what
does not fit is left out and named in one sentence.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from lessons.drf_story.jobs import MOST_JOBS, STORY, Job, amounts
from physics import constants as k
from ui.base import format as f

MOST_TEXT = 1500  #: characters of a table in a link
#: The largest pool [vCPU, GB, GPUs]; a job may hold its even share of that, so that every table
#: fits into a pool.
MOST = (k.DRF_CPU.high, k.DRF_MEMORY.high / k.GB, k.DRF_GPUS.high)
#: Columns of numbers in the order of a link: title, minimum, maximum, and the value of a blank.
AMOUNTS = {
    "start_cpu": ("vCPU held", 0, MOST[0] // MOST_JOBS, 0.0),
    "start_mem": ("GB held", 0, MOST[1] // MOST_JOBS, 0.0),
    "cpu": ("vCPU per executor", 0, MOST[0], 0.0),
    "mem": ("GB per executor", 0, MOST[1], 0.0),
    "weight": ("Weight", 0.001, 1000, 1.0),
    "ceiling": ("Cap", 1, 1000, None),
    "gpu": ("GPUs per executor", 0, MOST[2], 0.0),
}
COLUMNS = ("name", *AMOUNTS)
#: Fields of a row without GPUs.
FIELDS = len(COLUMNS) - 1
#: Characters that Markdown or a link would interpret, so a name must not contain them.
NOT_IN_NAMES = re.compile(r"[^\w '()&+-]+")
NAME_LENGTH = 18


def numbers(job: Job) -> tuple[float | None, ...]:
    """Return the settings of a job, in the order of `AMOUNTS`."""
    return (*job.start, *job.need, job.weight, job.ceiling, job.gpu)


def write(jobs: Iterable[Job]) -> str:
    """Write a table of jobs as one short line, "" for the default; a row's GPUs are last.

    >>> write([Job("A", (1, 4)), Job("B", (3, 1), (0, 0), 2, 5)])
    'A,,,1,4,1,;B,,,3,1,2,5'
    """
    jobs = tuple(jobs)
    if jobs == STORY:
        return ""
    rows = []
    for job in jobs:
        cells = [f"{amount:.12g}" if amount else "" for amount in numbers(job)]
        if not job.gpu:
            cells.pop()
        rows.append(",".join([job.name, *cells]))
    return ";".join(rows)


@lru_cache(maxsize=64)
def parse(text: str) -> tuple[Job, ...]:
    """Parse the output of `write`; "" is the default table.

    Raises
    ------
    ValueError
        One sentence, for text that is no table or a table that is no scenario.
    """
    if not text:
        return STORY
    if len(text) > MOST_TEXT:
        raise ValueError(f"it is longer than {MOST_TEXT} characters")
    rows = [line.split(",") for line in text.split(";")]
    cells = []
    for row in rows:
        if len(row) not in (FIELDS, FIELDS + 1):
            raise ValueError(f"a row must have {FIELDS} fields, found {len(row)}")
        cells.append(dict(zip(COLUMNS, row, strict=False)))
    jobs, complaints = read(cells)
    if complaints:
        raise ValueError(complaints[0][0].lower() + complaints[0][1:].rstrip("."))
    return jobs


def read(rows: Iterable[Mapping[str, object]]) -> tuple[tuple[Job, ...], list[str]]:
    """Parse rows of cells into jobs; return them with a sentence per rejected row."""
    jobs: dict[str, Job] = {}
    complaints: list[str] = []
    for number, row in enumerate(rows, 1):
        if all(_blank(row.get(column)) for column in (*COLUMNS[:5], "gpu")):
            continue
        if len(jobs) == MOST_JOBS:
            excess = f"The table holds more than {MOST_JOBS} jobs"
            complaints.append(f"{excess}; those from row {number} on are left out.")
            break
        try:
            job = _job(row, number)
            if job.name in jobs:
                raise ValueError(f"the name {job.name} is taken by another row")
            jobs[job.name] = job
        except ValueError as error:
            complaints.append(f"Row {number} is left out: {error}.")
    return tuple(jobs.values()), complaints


def clean_name(text: object) -> str:
    """Reduce a name to letters, digits, spaces and ' ( ) & + - _, at most 18 of them.

    >>> clean_name(" <b>Ann</b>: [x](y){z} ")
    'b Ann b x (y) z'
    """
    return " ".join(NOT_IN_NAMES.sub(" ", str(text)).split())[:NAME_LENGTH].strip()


def _job(row: Mapping[str, object], number: int) -> Job:
    """Return the job of one row; a ValueError says what is wrong with it."""
    name = ""
    if not _blank(row.get("name")):
        name = clean_name(row["name"])
    start_cpu, start_mem, cpu, mem, weight, ceiling, gpu = (
        _amount(row.get(column), column) for column in AMOUNTS
    )
    if not (cpu or mem or gpu):
        raise ValueError("an executor must need something")
    return Job(name or f"Job {number}", (cpu, mem), (start_cpu, start_mem), weight, ceiling, gpu)


def _amount(cell: object, column: str) -> float | None:
    """Return the number in one cell, rounded to a millionth; a ValueError names a bad one."""
    title, low, high, blank = AMOUNTS[column]
    if _blank(cell):
        return blank
    try:
        number = float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        content = clean_name(cell) or "something else"
        raise ValueError(f"{title} must be a number, found {content}") from None
    if not low <= number <= high:
        raise ValueError(f"{title} must be between {low:g} and {high:,.0f}, found {number:g}")
    return round(number, 6)


def _blank(cell: object) -> bool:
    """Return whether a cell is empty or NaN."""
    return cell is None or cell != cell or (isinstance(cell, str) and not cell.strip())


def in_words(table: tuple[Job, ...]) -> str:
    """Describe a table of jobs in words: the needs per executor, and unusual settings."""
    texts = []
    for job in table:
        details = [amounts(job.takes)]
        if any(job.start):
            details.append(f"holds {amounts(job.start)}")
        if job.weight != 1:
            details.append(f"weight {job.weight:g}")
        if job.ceiling is not None:
            details.append(f"at most {f.count(job.ceiling, 'executor')}")
        texts.append(f"{job.name} ({', '.join(details)})")
    return ", ".join(texts)
