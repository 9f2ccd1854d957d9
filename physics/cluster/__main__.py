"""From a log to a report on the command line: `python -m physics.cluster LOG --gpus 512`.

The command prints the verdict, tables on the log, on theory, simulation, and record, and on each
change, and answers about targets and promised starts. With --out it also writes the report's files.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
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
from physics.cluster.calibration import Progress
from physics.cluster.change import quota_warning
from physics.cluster.machine.policies import FIFO
from physics.cluster.say import WORDS
from physics.jobs.readers import SACCT
from physics.jobs.readers.named import PRESETS, read_columns
from physics.texts import toml_beside, visible

OPTIONS = toml_beside(__file__, "options.toml")
OPTIONS["--preset"]["choices"] = tuple(PRESETS)
TYPES = {"int": int, "float": float, "path": Path}
#: Exit status after an error, which one sentence explains, and after Ctrl-C.
WRONG = 2
STOPPED = 130


class _Parser(argparse.ArgumentParser):
    """Parser that raises ValueError for a wrong command line, instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        """Raise ValueError with a sentence on what is wrong."""
        raise ValueError(message)


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line, by default that of the program; `options.toml` lists the options."""
    parser = _Parser(
        prog="python -m physics.cluster",
        description=__doc__.partition("\n")[0],
        epilog=WORDS["examples"].format(sacct=SACCT),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "log",
        nargs="?",
        metavar="LOG",
        help="output of sacct, PBS accounting, SWF or a table; plain, gzip or zip",
    )
    for names, settings in OPTIONS.items():
        if "type" in settings:
            settings = settings | {"type": TYPES[settings["type"]]}
        parser.add_argument(*names.split(), **settings)
    options = parser.parse_args(argv)
    if [options.log is not None, options.synthetic, options.kth_like].count(True) != 1:
        parser.error("a log must be given, or --synthetic or --kth-like instead of it")
    if options.log is None and (options.partition or options.gpu_type or options.nodes):
        parser.error("--partition, --gpu-type and --nodes need a log, got a synthetic one")
    if options.log is None and (options.cluster or options.shards or options.why):
        parser.error("--cluster, --shards and --why need a log, got a synthetic one")
    return options


def run(options: argparse.Namespace) -> dict:
    """Compute the report that the options ask for."""
    price = options.price
    size_search = partial(what_is_needed, step=options.step, price=price)
    searches: list[tuple[Any, ...]] = []
    searches += [(size_search, "sizes", *_target(text)) for text in options.needed]
    searches += [(what_load_keeps, "loads", *_target(text)) for text in options.load]
    jobs = settle(_jobs(options), options.gpus)
    happened = what_happened(jobs, options.gpus, options.target)
    gpus = happened.gpus
    policies = candidates(jobs, gpus)
    if options.policy is not None:
        policies[options.policy] = parse_policy(options.policy, policies[FIFO])
    calibration = calibrate(jobs, gpus, policies, _progress("comparing"), options.policy)
    changes = {text: parse_change(text, calibration.policy, gpus) for text in options.what_if}
    for change in changes.values():
        warning = quota_warning(change, set(map(str, jobs["job_class"])))
        if warning:
            _overwrite()
            print(visible(warning), file=sys.stderr)
    model = jobs, gpus, calibration
    differences = {
        text: what_if(*model, change, price=price, seed=options.seed, progress=_progress(text))
        for text, change in changes.items()
    }
    needed = []
    for search, kind, job_class, *target in searches:
        progress = _progress(f"trying {kind}")
        needed.append(search(*model, *target, job_class=job_class, progress=progress))
    return report(
        happened,
        calibration,
        differences,
        jobs.attrs["digest"],
        options.title,
        jobs.attrs["dated"],
        price,
        needed,
        promises=when_do_jobs_start(jobs, calibration),
        why=[why_waiting(jobs, job, gpus, calibration) for job in options.why],
    )


def _target(text: str) -> tuple[str | None, str, float]:
    """Parse a target, such as "training:p95=1d", into its class (or None), measure and limit."""
    name, _, target = text.rpartition(":")
    return name or None, *parse_target(target)


def _progress(title: str) -> Progress:
    """Callback that shows on a terminal how much of a step of the work is done."""

    def show(share: float, step: str) -> None:
        """Show the share that is done, and what comes next."""
        _overwrite(visible(f"{title}: {share:.0%} {step}")[:78])

    return show


def _overwrite(text: str = "") -> None:
    """Replace the terminal's last line, where progress is shown, with another text."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _jobs(options: argparse.Namespace) -> pd.DataFrame:
    """Read the log and its nodes, or make a synthetic log."""
    if options.log is None:
        return (synthetic_log if options.synthetic else kth_like_log)(options.seed)
    columns = None if options.columns is None else read_columns(options.columns)
    with _naming(options.log):
        jobs = read_log(
            options.log,
            options.resource,
            options.job_class,
            options.submit,
            options.names,
            unfinished=True,
            partition=",".join(options.partition),
            gpu_type=options.gpu_type,
            cluster=options.cluster,
            shards_per_gpu=options.shards,
            columns=columns,
            preset=options.preset,
            timezone=options.timezone,
        )
        jobs = few_classes(jobs)
    nodes = Nodes()
    for path in options.nodes:
        with _naming(path):
            nodes.read(path)
    if options.nodes:
        with _naming(", ".join(options.nodes)):
            jobs = nodes.attach(jobs)
    missing = jobs.attrs["left_out"].get("no GPUs", 0)
    if missing > len(jobs):
        warning = f"only {len(jobs):,} of {len(jobs) + missing:,} jobs ask for GPUs: "
        print(f"{warning}try --resource cpu to count CPUs", file=sys.stderr)
    return jobs


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Begin the error text with a file's name while its contents are read."""
    try:
        yield
    except ValueError as refusal:
        raise ValueError(f"{path}: {refusal}") from None


def write(contents: dict, folder: Path) -> None:
    """Write a report into a folder as three files: HTML, JSON, and zipped CSV tables."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.html").write_text(to_html(contents), encoding="utf-8")
    (folder / "report.json").write_text(to_json(contents), encoding="utf-8")
    (folder / "tables.zip").write_bytes(to_csv_zip(contents))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status; an error is printed as one sentence."""
    try:
        options = arguments(argv)
        try:
            contents = run(options)
        finally:
            _overwrite()
        print(to_text(contents))
        if options.out is not None:
            write(contents, options.out)
    except (ValueError, OSError) as error:
        print(visible(str(error)), file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print("stopped: no report is written", file=sys.stderr)
        return STOPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
