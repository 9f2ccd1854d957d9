"""Constants: utilization trap."""

from physics.constants.kinds import Constant

TRAP_FLEET = Constant(
    1024,
    symbol="N",
    unit="1",
    meaning="GPUs of the director's cluster",
    source="assumed: a mid-size center, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    low=8,
    high=4096,
)
TRAP_GPUS_PER_JOB = Constant(
    256,
    symbol="g",
    unit="1",
    meaning="GPUs that one job of the director's cluster occupies",
    source="assumed: the job size at which a 4-hour wait for 1-hour jobs at 95 % is what M/M/c gives",
    low=1,
    high=4096,
)
TRAP_UTILIZATION = Constant(
    0.95,
    symbol="ρ",
    unit="1",
    meaning="share of its servers that the director's cluster keeps busy",
    source="assumed: as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    low=0.5,
    high=1.2,
)
TRAP_ADDED = Constant(
    0,
    symbol="ΔN",
    unit="1",
    meaning="GPUs bought",
    source="assumed: the director asks for 256; the knob begins before the purchase",
    low=0,
    high=1024,
)
TRAP_REQUESTED = Constant(
    256,
    symbol="ΔN",
    unit="1",
    meaning="GPUs that the director asks for",
    source="assumed: a quarter of the fleet, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
)
TRAP_JOB_LENGTH = Constant(
    3600,
    symbol="S",
    unit="s",
    meaning="mean length of the director's jobs",
    source="assumed: 1-hour jobs, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    low=360,
    high=86400,
)
TRAP_SCV = Constant(
    1,
    symbol="c_s²",
    unit="1",
    meaning="squared coefficient of variation of job lengths",
    source="assumed: 1 is exponential; runtimes of 83,154 jobs of the Philly GPU trace (M. Jeon et al., Analysis of "
    "Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads, 2019) have 38.9, knob 0 to 40",
    low=0,
    high=40,
)
TRAP_TARGET = Constant(
    1800,
    symbol="Wq*",
    unit="s",
    meaning="largest mean wait that the director accepts",
    source="assumed: half the length of a job",
    low=60,
    high=28800,
)
