"""DRF story: its named scenarios; tables are written as in a link."""

from lessons.drf_story.jobs import draft, write
from physics import constants as k
from ui.base.lesson import Preset


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
#: Presets that show a policy breaking a property.
COUNTEREXAMPLES = ("asset", "lie", "whole")
