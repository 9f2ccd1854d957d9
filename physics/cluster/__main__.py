"""From a log to a report on the command line: `python -m physics.cluster LOG --gpus 512`.

Prints the verdict, the tables of what happened, of theory beside simulation and record, and of each
change, how many GPUs a target needs and how much load keeps it, and what a promised start is worth;
and writes the report.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

from physics.cluster import (
    Nodes,
    calibrate,
    candidates,
    few_classes,
    kth_like_log,
    parse_change,
    parse_policy,
    parse_target,
    read_log,
    report,
    settle,
    synthetic_log,
    to_csv_zip,
    to_html,
    to_json,
    to_text,
    what_happened,
    what_if,
    what_is_needed,
    what_load_keeps,
    when_do_jobs_start,
    why_waiting,
)
from physics.cluster.calibration import FIFO, Progress
from physics.cluster.change import classes_without_quota
from physics.cluster.explain import quota_sentence
from physics.cluster.needed import Kept, Needed
from physics.jobs.nodes import FORMATS
from physics.jobs.readers import SACCT
from physics.jobs.readers.named import PRESETS, read_columns
from physics.texts import visible

EXAMPLES = f"""\
how to get a log of Slurm:
  TZ=UTC {SACCT} > jobs.txt

also read: sacct with any delimiter or --json, PBS Pro, OpenPBS and Torque accounting, SWF, and tables by --columns.

examples:
  python -m physics.cluster jobs.txt.gz --out report
  python -m physics.cluster jobs.txt.gz --gpus 1024 --what-if policy=priority,reserved=32 --what-if gpus=+64
  python -m physics.cluster jobs.txt.gz --partition gpu --nodes nodes.txt --class account
  python -m physics.cluster jobs.txt.gz --gpus 1024 --needed p95=4h --load 90%=5min --step 64
  python -m physics.cluster jobs.txt.gz --gpus 1024 --what-if user_limit=256 --what-if gpus_per_node=8,fit=best
  python -m physics.cluster jobs.csv --columns submit=queued,start=begun,end=ended,gpus=n_gpu --timezone Europe/Berlin

exit status: 0 after a report; 2 after one sentence on what is wrong, with the file and its line; 130 after Ctrl-C.
"""
#: Exit status after a sentence on what is wrong, and after Ctrl-C.
WRONG = 2
STOPPED = 130


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = _Parser(
        prog="python -m physics.cluster",
        description=__doc__.partition("\n")[0],
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "log",
        nargs="?",
        metavar="LOG",
        help="output of sacct, PBS accounting, SWF or a table; plain, gzip or zip",
    )
    parser.add_argument(
        "--synthetic", action="store_true", help="take a synthetic log of a year instead"
    )
    parser.add_argument(
        "--kth-like",
        action="store_true",
        help="take a synthetic log like that of KTH's SP2 instead",
    )
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn (default: 1)")
    parser.add_argument(
        "--gpus",
        type=int,
        help="size of the cluster, or CPUs or nodes if the log has these "
        "(default: that of --nodes, the header's, or the largest use at once)",
    )
    several: dict[str, Any] = {"action": "append", "default": []}
    words = "take the jobs of this partition alone; may come several times"
    parser.add_argument("--partition", metavar="NAME", help=words, **several)
    words = "take the jobs of this cluster alone, by the column Cluster"
    parser.add_argument("--cluster", default="", metavar="NAME", help=words)
    words = "shards that one GPU has by gres.conf (default: jobs on shards are left out)"
    parser.add_argument(
        "--shards-per-gpu",
        "--shards",
        dest="shards",
        type=int,
        default=0,
        metavar="NUMBER",
        help=words,
    )
    words = "which column of a table is what, such as submit=…,start=…,end=…,gpus=… and job, user, "
    words += "account, queue, state, limit, wait or duration"
    parser.add_argument("--columns", metavar="NAMES", help=words)
    words = "columns of a published trace"
    parser.add_argument("--preset", default="", choices=tuple(PRESETS), help=words)
    words = "where the clock of a table's times is, such as Europe/Berlin (default: UTC)"
    parser.add_argument("--timezone", default="", metavar="PLACE", help=words)
    words = "take the jobs on this type of GPU alone, such as a100 of gres/gpu:a100=4"
    parser.add_argument("--gpu-type", default="", metavar="NAME", help=words)
    words = f"size and down time: {FORMATS}; may come several times"
    parser.add_argument("--nodes", metavar="FILE", help=words, **several)
    parser.add_argument(
        "--policy", help="what the cluster has, such as easy (default: what comes closest)"
    )
    words = "may come several times, such as policy=priority,backfill=easy,reserved=32 or gpus=+64 "
    words += "or arrivals=1.2 or "
    words += "user_limit=64 or gpus_per_node=8,fit=best or nodes=listed (those of --nodes) or "
    words += "order=fair_share,share_by=user or speed=training:1.3"
    parser.add_argument("--what-if", metavar="CHANGE", help=words, **several)
    words = "a target such as p95=4h, mean=30min, 90%%=5min or training:p95=1d (of a class); "
    words += "may come several times"
    parser.add_argument("--needed", metavar="TARGET", help=f"fewest GPUs for {words}", **several)
    parser.add_argument(
        "--load", metavar="TARGET", help="most load that keeps such a target", **several
    )
    parser.add_argument(
        "--step", type=int, default=1, help="GPUs that are bought at once (default: 1)"
    )
    words = "explain why a job of the log still waits; may come several times"
    parser.add_argument("--why", metavar="JOB", help=words, **several)
    parser.add_argument(
        "--target", type=float, default=300.0, help="wait not to exceed, in seconds (default: 300)"
    )
    parser.add_argument(
        "--price", type=float, default=1.0, help="of an hour of a GPU, CPU or node (default: 1)"
    )
    parser.add_argument(
        "--resource", default="auto", choices=("auto", "gpu", "cpu"), help="what a size counts"
    )
    parser.add_argument(
        "--class",
        dest="job_class",
        default="partition",
        metavar="COLUMN",
        help="column of classes, such as account or user, which are numbered (default: partition)",
    )
    parser.add_argument(
        "--submit", default="Submit", choices=("Submit", "Eligible"), help="where waits begin"
    )
    parser.add_argument("--names", action="store_true", help="keep names of users and accounts")
    parser.add_argument("--title", default="Your cluster", help="first line of the report")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="write report.html, report.json and tables.zip"
    )
    options = parser.parse_args(given)
    if [options.log is not None, options.synthetic, options.kth_like].count(True) != 1:
        parser.error("a log must be given, or --synthetic or --kth-like instead of it")
    if options.log is None and (options.partition or options.gpu_type or options.nodes):
        parser.error("--partition, --gpu-type and --nodes need a log, got a synthetic one")
    if options.log is None and (options.cluster or options.shards or options.why):
        parser.error("--cluster, --shards and --why need a log, got a synthetic one")
    return options


def run(options: argparse.Namespace) -> dict:
    """Compute the report."""
    sizes = partial(what_is_needed, step=options.step, price=options.price)
    loads = what_load_keeps
    targets: list[tuple[Callable[..., Needed | Kept], str, str | None, str, float]] = []
    targets += [(sizes, "sizes", *_target(text)) for text in options.needed]
    targets += [(loads, "loads", *_target(text)) for text in options.load]
    jobs = settle(_jobs(options), options.gpus)
    happened = what_happened(jobs, options.gpus, options.target)
    policies = candidates(jobs, happened.gpus)
    if options.policy is not None:
        policies[options.policy] = parse_policy(options.policy, policies[FIFO])
    found = calibrate(jobs, happened.gpus, policies, _progress("comparing"), options.policy)
    changes = {text: parse_change(text, found.policy, happened.gpus) for text in options.what_if}
    for change in changes.values():
        names = classes_without_quota(change, {str(name) for name in set(jobs["job_class"])})
        if names and change.policy is not None:
            _overwrite()
            print(visible(quota_sentence(names, change.policy.borrowing)), file=sys.stderr)
    asked = jobs, happened.gpus, found
    differences = {
        text: what_if(
            *asked, change, price=options.price, seed=options.seed, progress=_progress(text)
        )
        for text, change in changes.items()
    }
    needed = [
        find(*asked, measure, limit, job_class=job_class, progress=_progress(f"trying {what}"))
        for find, what, job_class, measure, limit in targets
    ]
    why = [why_waiting(jobs, job, happened.gpus, found) for job in options.why]
    settings = jobs.attrs["digest"], options.title, jobs.attrs["dated"], options.price, needed
    return report(
        happened, found, differences, *settings, promises=when_do_jobs_start(jobs, found), why=why
    )


def _target(text: str) -> tuple[str | None, str, float]:
    """Read a target and the class that it is for, if one stands before it."""
    name, _, target = text.rpartition(":")
    return name or None, *parse_target(target)


def _progress(words: str) -> Progress:
    """Say on a terminal how far it is, on one line that the next words overwrite."""
    return lambda share, step: _overwrite(visible(f"{words}: {share:.0%} {step}")[:78])


def _overwrite(words: str = "") -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)


def _jobs(options: argparse.Namespace) -> pd.DataFrame:
    if options.log is None:
        return (synthetic_log if options.synthetic else kth_like_log)(options.seed)
    how = options.resource, options.job_class, options.submit, options.names
    chosen = {
        "partition": ",".join(options.partition),
        "gpu_type": options.gpu_type,
        "cluster": options.cluster,
        "shards_per_gpu": options.shards,
        "columns": None if options.columns is None else read_columns(options.columns),
        "preset": options.preset,
        "timezone": options.timezone,
    }
    with _naming(options.log):
        jobs = few_classes(read_log(options.log, *how, unfinished=True, **chosen))
    nodes = Nodes()
    for path in options.nodes:
        with _naming(path):
            nodes.read(path)
    if options.nodes:
        with _naming(", ".join(options.nodes)):
            jobs = nodes.attach(jobs)
    missing = jobs.attrs["left_out"].get("no GPUs", 0)
    if missing > len(jobs):
        words = f"only {len(jobs):,} of {len(jobs) + missing:,} jobs ask for GPUs: "
        words += "try --resource cpu to count CPUs"
        print(words, file=sys.stderr)
    return jobs


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Name a file in a refusal of what it holds."""
    try:
        yield
    except ValueError as refusal:
        raise ValueError(f"{path}: {refusal}") from None


def write(found: dict, folder: Path) -> None:
    """Write the report's three files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.html").write_text(to_html(found), encoding="utf-8")
    (folder / "report.json").write_text(to_json(found), encoding="utf-8")
    (folder / "tables.zip").write_bytes(to_csv_zip(found))


def main(given: Sequence[str] | None = None) -> int:
    """Run the command; an error is one sentence."""
    try:
        options = arguments(given)
        try:
            found = run(options)
        finally:
            _overwrite()
        print(to_text(found))
        if options.out is not None:
            write(found, options.out)
    except (ValueError, OSError) as error:
        print(visible(str(error)), file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print("stopped: no report is written", file=sys.stderr)
        return STOPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
