"""Constants: DRF story."""

from physics.constants.kinds import Constant

_STORY = "Notebook on fair scheduling (the story)"
_CHOSEN = "Chosen for the lesson: one job needs mostly CPUs, one mostly memory, one little of both"

DRF_CPU = Constant(200, "1", "virtual CPUs of the shared pool", _STORY, symbol="c", low=1, high=10_000)
DRF_MEMORY = Constant(800e9, "B", "memory of the shared pool", _STORY, symbol="c", low=1e9, high=100_000e9)
DRF_GPUS = Constant(0, "1", "GPUs of the shared pool", "The story's pool stands beside the GPUs; the range is assumed",
    symbol="c", low=0, high=1000)
DRF_SECOND_CPU = Constant(128, "1", "virtual CPUs of the second pool", "assumed: two nodes of 64 virtual CPUs", symbol="c")
DRF_SECOND_MEMORY = Constant(1024e9, "B", "memory of the second pool", "assumed: two nodes of 512 GB", symbol="c")
DRF_SECOND_GPUS = Constant(16, "1", "GPUs of the second pool", "assumed: two nodes of 8 GPUs", symbol="c")
DRF_PARSING_CPU = Constant(20, "1", "virtual CPUs of an executor of Parsing", _CHOSEN, symbol="d")
DRF_PARSING_MEMORY = Constant(20e9, "B", "memory of an executor of Parsing", _CHOSEN, symbol="d")
DRF_JOINS_CPU = Constant(5, "1", "virtual CPUs of an executor of Joins", _CHOSEN, symbol="d")
DRF_JOINS_MEMORY = Constant(80e9, "B", "memory of an executor of Joins", _CHOSEN, symbol="d")
DRF_EVALUATION_CPU = Constant(5, "1", "virtual CPUs of an executor of Evaluation", _CHOSEN, symbol="d")
DRF_EVALUATION_MEMORY = Constant(20e9, "B", "memory of an executor of Evaluation", _CHOSEN, symbol="d")
DRF_EXECUTORS = Constant(12, "1", "executors to hand out", "Chosen for the lesson: four for each job in turns",
    symbol="n", low=1, high=100)
DRF_STEP = Constant(1, "1", "step of the hand-out that is shown", "The first one, where the story begins",
    symbol="t", low=0, high=100)
DRF_GAIN = Constant(1.5, "1", "what cheating must bring in the challenge, over what honesty brings",
    "Chosen for the lesson: more than rounding, less than a second name brings")
DRF_NAMES = Constant(1, "1", "names under which one user submits the job", "1 is the truth; the range is assumed",
    symbol="n", low=1, high=4)
DRF_CAP = Constant(0.5, "1", "largest dominant share that a cap allows", "assumed: above what each honest user gets",
    low=0.1, high=1, step=0.05)
DRF_CLAIM = Constant(1, "1", "claimed over true demand of one resource",
    "1 is the truth; the range covers the lies in the literature", low=0.1, high=10)
