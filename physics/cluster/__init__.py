"""A cluster's own log: what happened, does theory explain it, what would have been otherwise, and a report.

Reading. `read_log(source)` takes a file of `sacct` or in the Standard Workload Format, told apart by content, and gives
a frame of jobs, with `unfinished=True` also of those that still run or wait; `synthetic_log(seed, days)` makes one,
and `kth_like_log(seed)` one like that of a machine with rules of its own.
`to_swf` and `to_sacct` write one. Users and accounts are numbered unless asked. `jobs.attrs` holds left_out, resource,
unit, format, dated and digest, and maybe the cluster's size. `read_log(source, partition=…, gpu_type=…)` takes a part;
`Nodes().read(source).attach(jobs)` gives it the size and the outages of its nodes, as Slurm lists them.

What happened. `what_happened(jobs, gpus=None, target=300) -> Happened`.

Theory, simulation, record. `calibrate(jobs, gpus, policies=None) -> Calibration`, with the policy that comes closest
and its distance from the record, the calibration gap.

What if. `what_if(jobs, gpus, baseline, change) -> Difference`; `baseline` is a Policy or a Calibration, whose policy
(the closest, or the one that it was told to take) is then used, and what it leaves unexplained: a smaller difference,
or one whose interval holds 0 or is missing, is `undecided(difference, low, high, unexplained)`. `Change(policy, gpus,
arrivals, estimates, moved, capped)`; `parse_change` and `write_change` turn it into one line of text and back.

What is needed. `what_is_needed(jobs, gpus, baseline, measure="p95", limit=14400.0, step=1, most=None) -> Needed`: the
fewest GPUs as simulated, and if what the model leaves unexplained stays; `what_load_keeps` finds the most load, `Kept`.

When will my job start? `when_do_jobs_start(jobs, calibration) -> Promises`: promised beside actual starts.

Take it along. `report(happened, calibration, {text: difference}, digest) -> dict`, and of that `to_html`, `to_csv_zip`,
`to_json`, `to_text`; `read_report` reads JSON back.

Intervals. `mean_over_weeks(total, number, confidence=0.95) -> (mean, low, high)` of weekly sums and numbers.

Times are in seconds, GPU time in GPU·s, shares in 1; only the report has hours and percent. Long work asks
`physics.pace` whether to go on, and takes `progress`, called with the share done and what comes next.

From the command line: `python -m physics.cluster LOG --gpus 512 --what-if policy=priority,backfill=easy,reserved=32`.
"""

from physics.cluster.calibration import Calibration, calibrate, candidates
from physics.cluster.change import AWAY, PERFECT, REQUESTED, Change, Difference, undecided, what_if
from physics.cluster.explain import happened_sentences
from physics.cluster.files import read_report, shown, to_csv_zip, to_json, to_text
from physics.cluster.happened import Happened, what_happened
from physics.cluster.log import few_classes, numbered, read_log, to_sacct, to_swf
from physics.cluster.needed import Kept, Needed, parse_target, what_is_needed, what_load_keeps
from physics.cluster.page import to_html
from physics.cluster.report import report, verdict
from physics.cluster.spec import parse_change, parse_policy, write_change, write_policy
from physics.cluster.synthetic import kth_like_log, synthetic_log
from physics.cluster.trust.promises import Promises, when_do_jobs_start
from physics.cluster.weeks import mean_over_weeks
from physics.jobs.nodes import Nodes

__all__ = [
    "AWAY",
    "PERFECT",
    "REQUESTED",
    "Calibration",
    "Change",
    "Difference",
    "Happened",
    "Kept",
    "Needed",
    "Nodes",
    "Promises",
    "calibrate",
    "candidates",
    "few_classes",
    "happened_sentences",
    "kth_like_log",
    "mean_over_weeks",
    "numbered",
    "parse_change",
    "parse_policy",
    "parse_target",
    "read_log",
    "read_report",
    "report",
    "shown",
    "synthetic_log",
    "to_csv_zip",
    "to_html",
    "to_json",
    "to_sacct",
    "to_swf",
    "to_text",
    "undecided",
    "verdict",
    "what_happened",
    "what_if",
    "what_is_needed",
    "what_load_keeps",
    "when_do_jobs_start",
    "write_change",
    "write_policy",
]
