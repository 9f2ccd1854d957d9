"""Constants: DRF story."""

from physics.constants.kinds import Constant

_STORY = "Notebook on fair scheduling (the story)"
_CHOSEN = "Chosen for the lesson: one job needs mostly CPUs, one mostly memory, one little of both"

DRF_CPU = Constant(200, "1", "virtual CPUs of the shared pool", _STORY, symbol="c", low=1, high=10_000)
DRF_MEMORY = Constant(800e9, "B", "memory of the shared pool", _STORY, symbol="c", low=1e9, high=100_000e9)
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
DRF_ALIKE = Constant(1.05, "1", "the most that one largest share may be of another's in the challenge",
    "Chosen for the lesson: near enough to call turns fair")
DRF_CLAIM = Constant(1, "1", "claimed over true demand of one resource",
    "1 is the truth; the range covers the lies in the literature", low=0.1, high=10)
