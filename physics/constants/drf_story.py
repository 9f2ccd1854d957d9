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
DRF_EXECUTOR_CPU = Constant(2, "1", "virtual CPUs of one executor of the notebook", _STORY, symbol="d")
DRF_EXECUTOR_MEMORY = Constant(16e9, "B", "memory of one executor of the notebook", _STORY, symbol="d")
DRF_HEAVIEST_CPU = Constant(60, "1", "virtual CPUs that the heaviest job holds at the start", _STORY, symbol="s")
DRF_MEDIUM_CPU = Constant(40, "1", "virtual CPUs that the medium job holds at the start", _STORY, symbol="s")
DRF_LIGHT_CPU = Constant(20, "1", "virtual CPUs that the light evaluation holds at the start", _STORY, symbol="s")
DRF_HEAVY_MEMORY = Constant(240e9, "B", "memory that the heaviest and the medium job each hold at the start", _STORY,
    symbol="s")
DRF_LIGHT_MEMORY = Constant(40e9, "B", "memory that the light evaluation holds at the start", _STORY, symbol="s")
DRF_EXECUTORS = Constant(12, "1", "executors to hand out", "Chosen for the lesson: four for each job in turns",
    symbol="n", low=1, high=100)
DRF_NOTEBOOK_EXECUTORS = Constant(15, "1", "executors that the notebook hands out", _STORY, symbol="n")
DRF_STEP = Constant(1, "1", "step of the hand-out that is shown", "The first one, where the story begins",
    symbol="t", low=0, high=100)
DRF_SMALL_CEILING = Constant(5, "1", "a ceiling low enough to bind before the story's pool is full",
    "Chosen for the lesson: a third of the notebook's 15 executors")
DRF_ALIKE = Constant(1.05, "1", "the most that one largest share may be of another's in the challenge",
    "Chosen for the lesson: near enough to call turns fair")
DRF_CLAIM = Constant(1, "1", "claimed over true demand of one resource",
    "1 is the truth; the range covers the lies in the literature", low=0.1, high=10)
