"""Constants: utilization trap."""

from physics.constants.kinds import Constant
from physics.constants.units import HOUR

TRAP_FLEET = Constant(1024, "1", "GPUs of the director's cluster",
    "assumed: a mid-size center, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    symbol="N", low=8, high=4096, step=8)
TRAP_GPUS_PER_JOB = Constant(256, "1", "GPUs that one job of the director's cluster occupies",
    "assumed: the job size at which a 4-hour wait for 1-hour jobs at 95% is what M/M/c gives",
    symbol="g", low=1, high=4096)
TRAP_UTILIZATION = Constant(0.95, "1", "share of its servers that the director's cluster keeps busy",
    "assumed: as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    symbol="ρ", low=0.5, high=1.2, step=0.005)
TRAP_ADDED = Constant(0, "1", "GPUs bought", "assumed: the director asks for 256; the knob begins before the purchase",
    symbol="ΔN", low=0, high=1024, step=8)
TRAP_REQUESTED = Constant(256, "1", "GPUs that the director asks for",
    "assumed: a quarter of the fleet, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    symbol="ΔN")
TRAP_JOB_LENGTH = Constant(3600, "s", "mean length of the director's jobs",
    "assumed: 1-hour jobs, as in the draft labs of Machine Learning Systems, volume 2 (March 2026)",
    symbol="S", low=360, high=86400, step=0.1 * HOUR)
TRAP_SCV = Constant(1, "1", "squared coefficient of variation of job lengths",
    "assumed: 1 is exponential; runtimes of 83,154 jobs of the Philly GPU trace (M. Jeon et al., Analysis of "
    "Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads, 2019) have 38.9, knob 0 to 40",
    symbol="c_s²", low=0, high=40, step=0.5)
TRAP_TARGET = Constant(1800, "s", "largest mean wait that the director accepts", "assumed: half the length of a job",
    symbol="Wq*", low=60, high=28800)
