"""Jobs of a shared GPU fleet: classes of jobs, random workloads, and recorded traces."""

from physics.jobs.distributions import (
    Choice,
    Exponential,
    Fixed,
    Hyperexponential,
    Lognormal,
    Uniform,
)
from physics.jobs.readers import read_records
from physics.jobs.sacct import read_sacct
from physics.jobs.swf import read_swf
from physics.jobs.workloads import JobClass, listed, offered_load, platform_mix, sample_jobs

__all__ = [
    "Choice",
    "Exponential",
    "Fixed",
    "Hyperexponential",
    "JobClass",
    "Lognormal",
    "Uniform",
    "listed",
    "offered_load",
    "platform_mix",
    "read_records",
    "read_sacct",
    "read_swf",
    "sample_jobs",
]
