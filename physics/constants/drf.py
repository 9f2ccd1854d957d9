"""Constants: DRF story."""

from physics.constants.kinds import Constant

DRF_CPU = Constant(
    200,
    symbol="c",
    unit="1",
    meaning="virtual CPUs of the shared pool",
    source="Notebook on fair scheduling (the story)",
    low=1,
    high=10_000,
)
DRF_MEMORY = Constant(
    800e9,
    symbol="c",
    unit="B",
    meaning="memory of the shared pool",
    source="Notebook on fair scheduling (the story)",
    low=1e9,
    high=100_000e9,
)
DRF_GPUS = Constant(
    16,
    symbol="c",
    unit="1",
    meaning="GPUs of the shared pool",
    source="Two nodes of 8; the story's jobs need none, so the value matters only to jobs that students add",
    low=1,
    high=10_000,
)
DRF_GPU_MEMORY = Constant(
    1280e9,
    symbol="c",
    unit="B",
    meaning="GPU memory of the shared pool",
    source="16 GPUs of 80 GB; the story's jobs need none, so the value matters only to jobs that students add",
    low=1e9,
    high=1_000_000e9,
)
DRF_EXECUTOR_CPU = Constant(
    2, symbol="d", unit="1", meaning="virtual CPUs of one executor", source="Notebook on fair scheduling (the story)"
)
DRF_EXECUTOR_MEMORY = Constant(
    16e9, symbol="d", unit="B", meaning="memory of one executor", source="Notebook on fair scheduling (the story)"
)
DRF_HEAVIEST_CPU = Constant(
    60,
    symbol="s",
    unit="1",
    meaning="virtual CPUs that the heaviest job holds at the start",
    source="Notebook on fair scheduling (the story)",
)
DRF_MEDIUM_CPU = Constant(
    40,
    symbol="s",
    unit="1",
    meaning="virtual CPUs that the medium job holds at the start",
    source="Notebook on fair scheduling (the story)",
)
DRF_LIGHT_CPU = Constant(
    20,
    symbol="s",
    unit="1",
    meaning="virtual CPUs that the light evaluation holds at the start",
    source="Notebook on fair scheduling (the story)",
)
DRF_HEAVY_MEMORY = Constant(
    240e9,
    symbol="s",
    unit="B",
    meaning="memory that the heaviest and the medium job each hold at the start",
    source="Notebook on fair scheduling (the story)",
)
DRF_LIGHT_MEMORY = Constant(
    40e9,
    symbol="s",
    unit="B",
    meaning="memory that the light evaluation holds at the start",
    source="Notebook on fair scheduling (the story)",
)
DRF_EXECUTORS = Constant(
    15,
    symbol="n",
    unit="1",
    meaning="executors to hand out",
    source="Notebook on fair scheduling (the story)",
    low=0,
    high=400,
)
DRF_STEP = Constant(
    1,
    symbol="t",
    unit="1",
    meaning="step of the hand-out that is shown",
    source="The first one, where the story begins",
    low=0,
    high=400,
)
DRF_CEILING = Constant(
    30, unit="1", meaning="most new executors of a job in the notebook", source="Notebook on fair scheduling"
)
DRF_SMALL_CEILING = Constant(
    5,
    unit="1",
    meaning="a ceiling low enough to bind before the story's pool is full",
    source="Chosen for the lesson: a third of the 15 executors",
)
DRF_CLAIM = Constant(
    1,
    unit="1",
    meaning="claimed over true demand of one resource",
    source="1 is the truth; the range covers the lies in the literature",
    low=0.1,
    high=10,
)
