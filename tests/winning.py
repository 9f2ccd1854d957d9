"""How each challenge is won by turning knobs alone."""

#: What is done in each lesson, in order: a button is pressed, or a knob turned to a value [SI].
WINS = {
    "trap": {"button": "challenge", "utilization": 0.905, "gpus_per_job": 64},
    "policy": {"button": "challenge", "backfill": "easy", "order": "priority", "reserved": 8},
    "io": {"button": "challenge", "workers": 2, "packing": 5, "storage_nodes": 2},
    "storage": {"button": "challenge", "metadata_servers": 15, "storage_nodes": 34},
    "drf": {"button": "challenge", "liar": "3", "names": 3, "check": "users"},
    "hours": {
        "button": "challenge",
        "gpus": 768,
        "workers": 2,
        "nodes": 3,
        "metadata": 8,
        "order": "urgent",
    },
    "notebooks": {"button": "challenge", "second_start": 40},
    "autoscale": {"button": "challenge", "lower": 0.4},
    "spot": {"button": "challenge", "nodes": 4, "interval": 1200.0},
    "slices": (
        ("button", "challenge"),
        *(("start", 4), ("button", "place"), ("profile", "2g.20gb")),
        *(("start", 0), ("button", "place"), ("start", 2), ("button", "place")),
    ),
    "fair": {"button": "challenge", "alone": 1_555_200.0},
    "place": {"button": "challenge", "runtime": 57600.0, "parameters": 7e9, "compute": 2.0},
    "share": {"button": "challenge", "pairs": "AG-BF-CH-DE"},
    "trial": {"button": "challenge", "block": 8, "skipped": 4},
    "last": {"button": "challenge", "gpus": 12, "extra": 0.01},
    "scale": {"button": "challenge", "gpus": 32768, "interval": 600.0},
    "stutter": {"button": "challenge", "rate": 7.5, "piece": "1024"},
}


def way(lesson: str) -> list[tuple[str, object]]:
    """List the steps of the way; a lesson in which one is done twice has pairs."""
    steps = WINS[lesson]
    return list(steps.items() if isinstance(steps, dict) else steps)
