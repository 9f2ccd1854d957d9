"""DRF story: presets that open a part of the laboratory."""

from ui.base.lesson import Preset

#: The notebook's jobs: equal executors, unequal starts; with a cap for each job where one is filled
#: in.
NOTEBOOK = "Heaviest,60,240,2,16,1,{0};Medium,40,240,2,16,1,{0};Light evaluation,20,40,2,16,1,{0}"
#: A job that claims eight times the memory that it needs.
LIE = {
    "table": "A,,,16,1,1,;B,,,1,2,1,",
    "cpu": 100,
    "mem": 100e9,
    "executors": 60,
    "claim_mem": 8,
}
PRESETS = {
    "weight": Preset({"table": "Parsing,,,20,20,10,;Joins,,,5,80,1,;Evaluation,,,5,20,1,"}, "jobs"),
    "ceilings": Preset({"table": NOTEBOOK.format(5), "executors": 20}, "jobs"),
    "asset": Preset(
        {
            "table": "A,,,1,3,1,;B,,,1,1,1,",
            "cpu": 30,
            "mem": 30e9,
            "executors": 40,
            "policy_two": "asset",
        },
        "jobs",
    ),
    "lie": Preset(LIE, "lie"),
    "whole": Preset({"table": "A,,,4,1,1,;B,,,4,4,1,;C,,,1,1,1,", "cpu": 8, "mem": 12e9}, "jobs"),
}
