"""Training with checkpoints on machines that may be interrupted, and elastic workers.

Cost, run time, and the intervals between checkpoints. The model is stated, and simulated, in
`physics.checkpointing.interruptions`.
"""

from physics.checkpointing.interruptions import (
    RunTime,
    Wait,
    gang_wait,
    notice_saves,
    simulate_run,
    simulate_runs,
    simulate_runtimes,
)
from physics.checkpointing.record import Timeline, play_run
from physics.checkpointing.runtime import (
    break_even_intervals,
    daly,
    expected_breakdown,
    expected_runtime,
    expected_runtime_short_tail,
    job_mtbf,
    optimal_interval,
    spot_cost,
    young,
)
from physics.checkpointing.scale import (
    largest_worthwhile,
    replaced_at_once,
    useful_share,
    waiting_share,
)
from physics.checkpointing.spares import replicas_for, writing_at_once
from physics.numerics import lambert_w0, one_plus_w0
from physics.speedup import (
    ElasticRun,
    all_reduce_time,
    amdahl_knee,
    elastic_run,
    marginal_speedup,
    speedup,
    weak_scaling_efficiency,
    workers_for,
    workers_worth,
)

__all__ = [
    "ElasticRun",
    "RunTime",
    "Timeline",
    "Wait",
    "all_reduce_time",
    "amdahl_knee",
    "break_even_intervals",
    "daly",
    "elastic_run",
    "expected_breakdown",
    "expected_runtime",
    "expected_runtime_short_tail",
    "gang_wait",
    "job_mtbf",
    "lambert_w0",
    "largest_worthwhile",
    "marginal_speedup",
    "notice_saves",
    "one_plus_w0",
    "optimal_interval",
    "play_run",
    "replaced_at_once",
    "replicas_for",
    "simulate_run",
    "simulate_runs",
    "simulate_runtimes",
    "speedup",
    "spot_cost",
    "useful_share",
    "waiting_share",
    "weak_scaling_efficiency",
    "workers_for",
    "workers_worth",
    "writing_at_once",
    "young",
]
