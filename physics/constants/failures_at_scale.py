"""Constants: eight times the GPUs, and what stops a large run."""

from physics.constants.kinds import Constant, measured

_CAUSES = "The Llama 3 Herd of Models, 2024: root causes of unexpected interruptions, counts"

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
