"""Vocabulary of the app: one symbol and one unit per term, and every field that a model returns.

The words are those of queueing theory, scheduling and storage benchmarking as they are taught; a
symbol that a formula needs only once is explained beside the formula.
"""

import ast
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


TERMS = (
    Term("arrival_rate", "λ", "1/s", "jobs that arrive per second, on average"),
    Term("service_time", "S", "s", "mean time a job is in service, its length once it has started"),
    Term("servers", "c", "1", "jobs that can be in service at once"),
    Term("offered_load", "a = λ S", "1", "servers' worth of work that arrives, also in erlangs"),
    Term(
        "utilization",
        "ρ = a / c",
        "1",
        "busy share of the servers; offered, not served, when it is 1 or more",
    ),
    Term("wait", "Wq", "s", "time in the queue; never includes the service"),
    Term(
        "response",
        "W = Wq + S",
        "s",
        "time in the queue and in service; “time in system”, “sojourn time”",
    ),
    Term("mean_in_queue", "Lq = λ Wq", "1", "jobs that wait, averaged over time"),
    Term("mean_in_system", "L = λ W", "1", "jobs that wait or are in service, averaged over time"),
    Term("prob_wait", "C(c, a)", "1", "share of arrivals that find all servers busy (Erlang C)"),
    Term(
        "scv",
        "c²",
        "1",
        "squared coefficient of variation: variance over squared mean; 0 constant, 1 exponential",
    ),
    Term("throughput", "X", "1/s", "what is finished per second"),
    Term("slowdown", "", "1", "response over service time: 1 when a job never waits"),
    Term(
        "bounded slowdown",
        "",
        "1",
        "slowdown with very short service times counted as a fixed least one",
    ),
    Term("estimate", "", "s", "runtime as the scheduler is told it, never below the real one"),
    Term(
        "shadow time",
        "",
        "s",
        "when the head of the queue can start if running jobs end as estimated",
    ),
    Term(
        "fair-share factor",
        "F = 2^(−usage / share)",
        "1",
        "Slurm's classic priority of a class; 1/2 has its share",
    ),
    Term(
        "lost",
        "",
        "GPU·s",
        "work done twice and restarts after preemption: executed = useful + lost",
    ),
    Term("saturation load", "", "1", "highest offered load at which a policy still keeps up"),
    Term("makespan", "", "s", "time from the first start to the last end"),
    Term(
        "accelerator_utilization", "AU", "1", "share of the time in which an accelerator computes"
    ),
    Term("interval", "τ", "s", "work between two checkpoints"),
    Term("dump", "δ", "s", "time to write a checkpoint"),
    Term("restart", "R", "s", "time from an interruption until work goes on"),
    Term("mtbf", "M", "s", "mean time between interruptions of a job"),
    Term(
        "stable",
        "",
        "",
        "whether a long-run average exists: arrivals do not exceed what can be served",
    ),
    Term(
        "ANTT",
        "",
        "1",
        "average normalized turnaround time: mean of time together over time alone, at least 1",
    ),
    Term(
        "STP", "", "1", "system throughput of jobs that share: sum of time alone over time together"
    ),
    Term(
        "think_time",
        "Z",
        "s",
        "pause of a user between two requests, here between two cells of a notebook",
    ),
    Term("moldable", "", "", "able to start on fewer cores than asked for; the opposite is rigid"),
    Term("percentile", "P99", "", "value that 99 of 100 do not exceed"),
)


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
        comments = [line.strip() for line in lines[top : field.lineno - 1]]
        declared = "\n".join(lines[field.lineno - 1 : field.end_lineno])
        if not comments:
            comments = re.findall("#:.*", declared)
        meaning = MEANING.match("#: " + " ".join(line.removeprefix("#: ") for line in comments))
        if meaning:
            rows.append((ast.unparse(field.target), meaning[1], meaning[2] or ""))
    return rows


@lru_cache(maxsize=1)
def fields() -> list[dict[str, str]]:
    """List the arguments and results of the models from their sources: model, name, meaning, unit.

    Sources are read, not imported: what is on a page need not run for it. A model bears its
    package.

    >>> next(row for row in fields() if row["name"] == "mean_wait" and "SteadyState" in row["model"])["unit"]
    's'
    >>> # what bears no meaning is left out
    >>> [row["name"] for row in fields() if row["model"] == "jobs.Uniform"]
    ['high']
    """
    names = ("model", "name", "meaning", "unit")
    found = []
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        package = path.relative_to(folder).with_suffix("").parts[0]
        for model in ast.walk(ast.parse(source)):
            if isinstance(model, ast.ClassDef) and any(
                "dataclass" in ast.unparse(d) for d in model.decorator_list
            ):
                rows = [
                    (f"{package}.{model.name}", *row)
                    for row in documented(model, source.splitlines())
                ]
                found += [dict(zip(names, row, strict=True)) for row in rows]
    return found
