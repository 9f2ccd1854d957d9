"""Spot training: how often to write a checkpoint on machines that are taken away, and what the run costs."""

from lessons.spot_training import cost, elastic, failures, film, mix, workers
from lessons.spot_training.settings import Plan, say
from physics import constants as k
from ui.base.lesson import Film, Lesson, Preset, View

PRESETS = {
    "message": Preset(),
    "three_minutes": Preset(changes={"interval": 3 * k.MINUTE}),
    "sixteen_hours": Preset(changes={"interval": 16 * k.HOUR}),
    "forty_minutes": Preset(changes={"interval": 40 * k.MINUTE}),
    "gang_64": Preset(changes={"nodes": 64, "interval": 3 * k.MINUTE}),
    "swing": Preset(changes={"band": 0.0}, view="elastic"),
    "blocks": Preset(changes={"block": 4}, view="mix"),
    "failures": Preset(view="failures"),
    "quick": Preset(changes={"save": 10.0, "recovery": 3 * k.MINUTE}, view="failures"),
}
#: What the first part lets one turn.
RUN = ("interval", "nodes", "mtbf")
LARGE = ("cluster_nodes", "cluster_mtbf", "save", "recovery")
LOSSES = ("dump", "restart", "warning")
CREW = ("workers", "serial", "train_deadline", "budget")

LESSON = Lesson.of(
    "spot_training",
    Plan,
    say,
    views=[
        View("runs", cost, knobs=RUN, also=LOSSES, words="cost_words"),
        Film("film", film, knobs=RUN, also=LOSSES, name="run"),
        View("faster", cost, part=2, knobs=(*RUN, *LOSSES), after="reflection"),
        View("workers", workers, part=3, knobs=CREW),
        View("elastic", elastic, part=4, knobs=("restart", "serial", "worth", "band")),
        View("mix", mix, part=5, knobs=("needed", "base", "target", "block")),
        View("failures", failures, part=6, knobs=LARGE, verdict="failures"),
    ],
    presets=PRESETS,
    results={"Expected cost": "cost:money4", "Expected time": "runtime:hours"},
    challenge=cost.judge,
)
