"""Constants: eight times the GPUs, and what stops a large run."""

from physics.constants.kinds import Constant, measured
from physics.constants.units import DAY, HOUR, MINUTE

_CAUSES = "The Llama 3 Herd of Models, 2024: root causes of unexpected interruptions, counts"

SPOT_PUBLISHED_SPAN = measured(54 * 24 * 3600, "s", "time over which a published run counted its failures",
    "The Llama 3 Herd of Models, 2024: root causes of unexpected interruptions")
SPOT_PUBLISHED_FAILURES = measured(419, "1", "unexpected interruptions of that run",
    "The Llama 3 Herd of Models, 2024: root causes of unexpected interruptions")
SPOT_CLUSTER_NODES = measured(2048, "1", "nodes of that run",
    "The Llama 3 Herd of Models, 2024: 16,384 GPUs, 8 in a node", symbol="n")
SPOT_CLUSTER_MTBF = Constant(264 * DAY, "s", "mean time between interruptions of one node of that run, all causes",
    "derived: 54 days × 2,048 nodes ÷ 419 unexpected interruptions", symbol="M_1", low=30 * DAY, high=1000 * DAY)
SCALE_GPU_FAULTS = measured(268, "1", "of a published run's 419 unexpected interruptions, those by a faulty GPU",
    f"{_CAUSES}: GPU 148, HBM3 memory 72, SRAM 19, system processor 17, silent corruption 6, thermal 6")
SCALE_HOST_FAULTS = measured(21, "1", "of the 419, those by another faulty part of a node",
    f"{_CAUSES}: network card 7, SSD 3, power supply 3, chassis 2, IO board 2, CPU 2, system memory 2")
SCALE_NODE_FAULTS = measured(SCALE_GPU_FAULTS + SCALE_HOST_FAULTS, "1", "of the 419, those by a faulty node",
    "derived: 268 by a GPU and 21 by another part of the node")
SCALE_SOFTWARE_STOPS = measured(98, "1", "of the 419, those after which the same nodes go on",
    f"{_CAUSES}: software 54, network switch or cable 35, timeouts 7, dependency 2")
SCALE_MAINTENANCE_STOPS = measured(32, "1", "of the 419, those by unplanned maintenance of a node", _CAUSES)
SCALE_FAULT_MTBF = Constant(383 * 24 * 3600, "s", "mean time between faults of one node of that run",
    "derived: 54 days × 2,048 nodes ÷ 289 faulty nodes; all 419 causes come every 264 days", symbol="M_1",
    low=24 * 3600, high=36500 * 24 * 3600)
SCALE_GPUS_PER_NODE = measured(8, "1", "GPUs of a node", "The Llama 3 Herd of Models, 2024: 8 GPUs in a node")
SCALE_GPUS = measured(16384, "1", "GPUs of the message's run", "The Llama 3 Herd of Models, 2024: 16,384 GPUs",
    symbol="g", low=2048, high=262144)
SCALE_GROWN = Constant(131072, "1", "GPUs of the message's next run", "assumed: eight times as many")
SCALE_INTERVAL = Constant(3600, "s", "work between two checkpoints", "assumed: a checkpoint an hour",
    symbol="Δ", low=1 * MINUTE, high=120 * MINUTE)
SCALE_RECOVERY = Constant(600, "s", "time from a failure until work goes on", "assumed: ten minutes",
    symbol="R", low=1 * MINUTE, high=30 * MINUTE, step=1 * MINUTE)
SCALE_STALL = Constant(0, "s", "time for which a checkpoint stops the run", "assumed: it is written beside the work",
    symbol="δ", low=0, high=120, step=5)
SCALE_WRITE = Constant(0, "s", "time from a checkpoint's moment until it is safe", "assumed: it is safe immediately",
    symbol="w", low=0, high=20 * MINUTE, step=1 * MINUTE)
SCALE_SPARES = Constant(0, "1", "spare nodes", "assumed: none, so that their worth is seen", symbol="s",
    low=0, high=24, step=1)
SCALE_REPAIR = Constant(24 * HOUR, "s", "mean time to repair a faulty node", "assumed: a day", symbol="D",
    low=1 * HOUR, high=72 * HOUR, step=1 * HOUR)
SCALE_PATIENCE = Constant(0.02, "1", "share of its time that a run may wait for a repair", "assumed: little")
SCALE_TASK_STALL = Constant(30, "s", "time for which a checkpoint stops the run in the challenge",
    "assumed: long enough that writing all the time does not pay")
SCALE_GOAL = Constant(26000, "1", "useful GPUs that the challenge asks for", "assumed: about twice those of the message")

_RSC = "Revisiting Reliability in Large-Scale Machine Learning Research Clusters, HPCA 2025"

SCALE_RSC_1_MTBF = Constant(1000 * DAY / 6.50, "s", "mean time between failures of one node of the cluster RSC-1",
    f"derived: 6.50 failures in 1,000 days of a node; {_RSC}", symbol="M_1")
SCALE_RSC_2_MTBF = Constant(1000 * DAY / 2.34, "s", "mean time between failures of one node of the cluster RSC-2",
    f"derived: 2.34 failures in 1,000 days of a node; {_RSC}", symbol="M_1")
SCALE_RSC_HOURLY = measured(0.70, "1", "useful share of 16,000 GPUs of RSC-1 with a checkpoint per hour, as projected",
    _RSC, symbol="u")
SCALE_RSC_OFTEN = measured(0.93, "1", "the same with a checkpoint every five minutes, as projected", _RSC, symbol="u")
SCALE_RSC_LARGE = measured(0.90, "1", "useful share for which 100,000 GPUs at RSC-2's rate of failures are projected to "
    "need a checkpoint every two minutes and a restart in two", _RSC, symbol="u")
SCALE_LLAMA_SHARE = measured(0.90, "1", "useful share that the run of 16,384 GPUs reports to exceed",
    "The Llama 3 Herd of Models, 2024", symbol="u")
SCALE_BYTEDANCE_SHARE = measured(0.97, "1", "useful share of a run of three months on 9,600 GPUs",
    "Robust LLM Training Infrastructure at ByteDance, 2025", symbol="u")
