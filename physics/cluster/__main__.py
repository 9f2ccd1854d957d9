"""From a log to a report on the command line: `python -m physics.cluster LOG --gpus 512`.

Prints the tables of what happened, of theory beside simulation and record, and of each change, how many GPUs a target
needs, and writes the report.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from physics.cluster import (
    calibrate,
    candidates,
    parse_change,
    parse_policy,
    parse_target,
    read_log,
    report,
    synthetic_log,
    to_csv_zip,
    to_html,
    to_json,
    to_text,
    what_happened,
    what_if,
    what_is_needed,
)
from physics.texts import visible

#: Exit status after a sentence on what is wrong, and after Ctrl-C.
WRONG, STOPPED = 2, 130


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> None:
        raise ValueError(message)


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = _Parser(prog="python -m physics.cluster", description=__doc__.partition("\n")[0])
    parser.add_argument("log", nargs="?", metavar="LOG", help="output of sacct --parsable2, or SWF; plain or gzip")
    parser.add_argument("--synthetic", action="store_true", help="take a synthetic log of a year instead")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn (default: 1)")
    parser.add_argument(
        "--gpus",
        type=int,
        help="size of the cluster, or CPUs or nodes if the log has these "
        "(default: the header's, or the largest use at once)",
    )
    parser.add_argument("--policy", help="what the cluster has, such as easy (default: what comes closest)")
    parser.add_argument("--what-if", action="append", default=[], metavar="CHANGE", help="may come several times, such "
                        "as policy=priority,backfill=easy,reserved=32 or gpus=+64 or arrivals=1.2")  # fmt: skip
    parser.add_argument("--needed", action="append", default=[], metavar="TARGET", help="fewest GPUs for a target such "
                        "as p95=4h or mean=30min; may come several times")  # fmt: skip
    parser.add_argument("--step", type=int, default=1, help="GPUs that are bought at once (default: 1)")
    parser.add_argument("--target", type=float, default=300.0, help="wait not to exceed, in seconds (default: 300)")
    parser.add_argument("--price", type=float, default=1.0, help="of an hour of a GPU, CPU or node (default: 1)")
    parser.add_argument("--resource", default="auto", choices=("auto", "gpu", "cpu"), help="what a size counts")
    parser.add_argument("--class", dest="job_class", default="partition", metavar="COLUMN", help="column of classes")
    parser.add_argument("--submit", default="Submit", choices=("Submit", "Eligible"), help="where waits begin")
    parser.add_argument("--names", action="store_true", help="keep names of users and accounts")
    parser.add_argument("--title", default="Your cluster", help="first line of the report")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write report.html, report.json and tables.zip")
    options = parser.parse_args(given)
    if (options.log is None) != options.synthetic:
        parser.error("a log must be given, or --synthetic instead of it")
    return options


def run(options: argparse.Namespace) -> dict:
    """Compute the report, and print how many GPUs the targets need."""
    targets = [parse_target(text) for text in options.needed]
    jobs = _jobs(options)
    happened = what_happened(jobs, options.gpus, options.target)
    policies = candidates(jobs, happened.gpus)
    if options.policy is not None:
        first = next(iter(policies.values()))
        policies[options.policy] = parse_policy(options.policy, type(first)(classes=first.classes))
    found = calibrate(jobs, happened.gpus, policies, options.seed, baseline=options.policy)
    changes = {text: parse_change(text, found.policy, happened.gpus) for text in options.what_if}
    differences = {
        text: what_if(jobs, happened.gpus, found, change, price=options.price, seed=options.seed)
        for text, change in changes.items()
    }
    for measure, limit in targets:
        print(what_is_needed(jobs, happened.gpus, found, measure, limit, options.step).sentence)
    attrs = jobs.attrs
    return report(happened, found, differences, attrs["digest"], options.title, attrs["dated"], options.price)


def _jobs(options: argparse.Namespace) -> pd.DataFrame:
    if options.synthetic:
        return synthetic_log(options.seed)
    return read_log(options.log, options.resource, options.job_class, options.submit, options.names, unfinished=True)


def write(found: dict, folder: Path) -> None:
    """Write the report's three files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.html").write_text(to_html(found), encoding="utf-8")
    (folder / "report.json").write_text(to_json(found), encoding="utf-8")
    (folder / "tables.zip").write_bytes(to_csv_zip(found))


def main(given: Sequence[str] | None = None) -> int:
    """Run the command; what is wrong is one sentence."""
    try:
        options = arguments(given)
        found = run(options)
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
