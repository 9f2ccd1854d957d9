"""Analysis of a cluster's own log: history, theory, what-if simulations, and a report.

Logs: `read_log` reads a log into a frame of jobs, `synthetic_log` and `kth_like_log` make one, and
`to_swf` and `to_sacct` write one. `jobs.attrs` holds left_out, resource, unit, format, dated and
digest, and maybe the cluster's size; `Nodes().read(source).attach(jobs)` adds the size and the
outages of nodes, and `settle` finds the size otherwise.

Questions: `what_happened` measures a log. `calibrate` compares two formulas and several policies
with its record. `what_if` compares a `Change` (as text: `parse_change`, `write_change`) with a
baseline, a Policy or a Calibration; a difference below the calibration's error is `undecided`.
`what_is_needed` finds the fewest GPUs for a target, and `what_load_keeps` the highest load.
`when_do_jobs_start` compares promised and actual starts, and `why_waiting` explains one wait.

Answers: `report` gathers the results as plain data, which `to_html`, `to_csv_zip`, `to_json` and
`to_text` write and `read_report` reads back from JSON.

Times are in seconds, GPU time in GPU·s, and shares are fractions of 1; only the report has hours
and percent. Long work asks `physics.pace` whether to continue, and calls `progress` with the share
that is done and the name of the next step.

From the command line: `python -m physics.cluster LOG --gpus 512 --what-if
policy=priority,backfill=easy,reserved=32`.
"""

from physics.cluster.calibration import Calibration, calibrate
from physics.cluster.change import Difference, undecided, what_if
from physics.cluster.explain import happened_sentences
from physics.cluster.files import read_report, shown, to_csv_zip, to_json, to_text
from physics.cluster.happened import Happened, what_happened
from physics.cluster.log import few_classes, numbered, read_log
from physics.cluster.machine.changed import AWAY, PERFECT, REQUESTED, Change
from physics.cluster.machine.policies import candidates
from physics.cluster.machine.size import settle
from physics.cluster.needed import Kept, Needed, parse_target, what_is_needed, what_load_keeps
from physics.cluster.page import to_html
from physics.cluster.report import report, verdict
from physics.cluster.spec import parse_change, parse_policy, write_change, write_policy
from physics.cluster.synthetic import kth_like_log, synthetic_log
from physics.cluster.trust.promises import Promises, when_do_jobs_start
from physics.cluster.trust.why import Waiting, why_waiting
from physics.cluster.weeks import mean_over_weeks
from physics.cluster.writing import to_sacct, to_swf
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
    "Waiting",
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
    "settle",
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
    "why_waiting",
    "write_change",
    "write_policy",
]
