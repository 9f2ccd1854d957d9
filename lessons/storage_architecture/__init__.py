"""Storage architecture: a system with four times the necessary bandwidth that fails
nevertheless.
"""

from lessons.storage_architecture import clerk, loads
from lessons.storage_architecture.laboratory import burst, capacity, crowd, distance
from lessons.storage_architecture.laboratory.size import size
from lessons.storage_architecture.settings import drafted, say
from physics import constants as k
from physics.storage.designs import storage_loads
from ui.base.lesson import Curtain, Drafted, Lesson, Preset, View

PRESETS = {
    "cto": Preset(),
    "small": Preset({"file_size": 62.5e3}),
    "servers": Preset({"file_size": 62.5e3, "metadata_servers": 5}),
    "shards": Preset({"file_size": 1e9}),
    "objects": Preset({"request_size": 62.5e3}, "objects"),
    "ranges": Preset({"prefixes": 8}, "objects"),
    "local": Preset(view="local"),
    "whole": Preset({"local_copy": "whole"}, "local"),
    "together": Preset({"phases": "aligned"}, "jobs"),
    "draft": Preset({"accelerators": 512}),
    "checkpoint": Preset({"storage_nodes": 12}, "checkpoint"),
}
#: What the first part lets one turn.
BOUGHT = ("accelerators", "file_size", "metadata_servers", "storage_nodes")
#: What other parts do.
COPIED = ("local_drives", "local_copy", "file_size", "metadata_servers", "data", "storage_nodes")
WRITTEN = ("parameters", "interval", "storage_nodes")

LESSON = Lesson.of(
    say,
    views=[
        View(
            "clerk",
            clerk,
            (*BOUGHT, "files"),
            curtain=Curtain((1, 2, 3), stays=("cell", "Opens", "Bytes"), at=(0.25, 0.5)),
        ),
        View("loads", loads, BOUGHT),
    ],
    further=[
        View("objects", loads.objects, ("request_size", "prefixes"), ("accelerators",)),
        View("local", loads.local, COPIED, ("accelerators",)),
    ],
    laboratory=[
        View("size", size, BOUGHT, opens={"file_size": 62.5e3}),
        View("checkpoint", burst, WRITTEN, ("accelerators",), opens={"storage_nodes": 12}),
        View("jobs", crowd, ("jobs", "interval", "phases", "reserved")),
        View("capacity", capacity, ("growth", "data", "storage_nodes")),
        View("distance", distance, ("dataset", "price_far", "hours")),
    ],
    presets=PRESETS,
    results={
        "Reads that get through": "loads.achieved:share",
        "Bandwidth load": "loads.bandwidth:load",
        "Metadata server load": "loads.metadata:load",
        "Cost in 30 days": "cost:money",
    },
    challenge=loads.judge,
    start=Preset({"accelerators": int(k.STORAGE_CHALLENGE_FLEET)}, "loads"),
    drafted=Drafted("v2_04", drafted),
    places={"customs": storage_loads, "laboratory": storage_loads},
)
