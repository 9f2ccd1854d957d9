"""DRF story: which job gets the next executor of a shared pool, step by step, and what "fair" means."""

from lessons.drf_story import elsewhere, film, lie, own, pool, properties, shares
from lessons.drf_story.jobs import draft, write
from lessons.drf_story.settings import Scenario, say
from physics import constants as k
from ui.base.lesson import Film, Lesson, Preset, View


def _scenario(table: str, cpu: float, mem: float, view: str | None = "jobs", **more: object) -> Preset:
    return Preset(changes={"table": table, "cpu": cpu, "mem": mem * k.GB} | more, view=view)


_NOTEBOOK = int(k.DRF_NOTEBOOK_EXECUTORS)
PRESETS = {
    "draft": Preset(changes={"table": write(draft()), "executors": _NOTEBOOK, "step": _NOTEBOOK}),
    "paper": _scenario("A,,,1,4,1,;B,,,3,1,1,", 9, 18, None, policy_two="asset", step=5),
    "weight": Preset(changes={"table": "Parsing,,,20,20,10,;Joins,,,5,80,1,;Evaluation,,,5,20,1,"}, view="jobs"),
    "ceilings": Preset(changes={"table": write(draft(float(k.DRF_SMALL_CEILING))), "executors": 20}, view="jobs"),
    "asset": _scenario("A,,,1,3,1,;B,,,1,1,1,", 30, 30, executors=40, policy_two="asset"),
    "lie": _scenario("A,,,16,1,1,;B,,,1,2,1,", 100, 100, "lie", executors=60, claim_mem=8),
    "whole": _scenario("A,,,4,1,1,;B,,,4,4,1,;C,,,1,1,1,", 8, 12),
}
HANDED = ("executors", "policy_one", "policy_two", "cpu", "mem")

LESSON = Lesson.of(
    "drf_story",
    Scenario,
    say,
    views=[
        View("pool", pool, knobs=("step", *HANDED)),
        View("shares", shares, knobs=("step", *HANDED)),
        Film("film", film, knobs=HANDED, name="pool"),
        View("properties", properties, part=2, knobs=(), verdict="properties"),
        View("lie", lie, part=3, knobs=("liar", "claim_cpu", "claim_mem", "cpu", "mem")),
        View("jobs", own, part=4, knobs=HANDED),
    ],
    presets=PRESETS,
    results=pool.results,
    challenge=shares.CHALLENGE,
    places={"kitchen": elsewhere.shared, "studio": elsewhere.shared},
)
