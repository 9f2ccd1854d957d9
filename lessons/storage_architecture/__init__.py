"""Storage architecture: four times the bandwidth needed, and what fails all the same."""

from lessons.storage_architecture import burst, capacity, crowd, distance, film, loads
from lessons.storage_architecture.settings import Design, drafted, say
from physics import constants as k
from physics.storage.designs import storage_loads
from ui.base.lesson import Challenge, Drafted, Film, Lesson, Preset, View

PRESETS = {
    "cto": Preset(),
    "small": Preset(changes={"file_size": 62.5e3}),
    "servers": Preset(changes={"file_size": 62.5e3, "metadata_servers": 5}),
    "shards": Preset(changes={"file_size": 1e9}),
    "objects": Preset(changes={"request_size": 62.5e3}, view="objects"),
    "ranges": Preset(changes={"prefixes": 8}, view="objects"),
    "local": Preset(view="local"),
    "whole": Preset(changes={"local_copy": "whole"}, view="local"),
    "together": Preset(changes={"phases": "aligned"}, view="jobs"),
    "draft": Preset(changes={"accelerators": 512}),
    "checkpoint": Preset(changes={"storage_nodes": 12}, view="checkpoint"),
}
#: What the first part lets one turn.
BOUGHT = ("accelerators", "file_size", "metadata_servers", "storage_nodes")
#: What other parts do.
COPIED = ("local_drives", "local_copy", "file_size", "metadata_servers", "data", "storage_nodes")
WRITTEN = ("parameters", "interval", "storage_nodes")

LESSON = Lesson.of(
    "storage_architecture",
    Design,
    say,
    views=[
        View("loads", loads, knobs=BOUGHT),
        View("size", loads.size, knobs=BOUGHT),
        Film("film", film, knobs=BOUGHT, name="store"),
        View("objects", loads.objects, part=2, knobs=("request_size", "prefixes"), also=("accelerators",)),
        View("local", loads.local, part=3, knobs=COPIED, also=("accelerators",)),
        View("checkpoint", burst, part=4, knobs=WRITTEN, also=("accelerators",)),
        View("jobs", crowd, part=5, knobs=("jobs", "interval", "phases", "reserved")),
        View("capacity", capacity, part=6, knobs=("growth", "data", "storage_nodes")),
        View("distance", distance, part=7, knobs=("dataset", "price_far", "hours")),
    ],
    presets=PRESETS,
    results={
        "Reads that get through": "loads.achieved:share",
        "Load of bandwidth": "loads.bandwidth:load",
        "Load of metadata servers": "loads.metadata:load",
        "Cost in 30 days": "cost:money",
    },
    challenge=Challenge(
        lambda: say("task", Design()), loads.judge, Preset("", {"accelerators": int(k.STORAGE_CHALLENGE_FLEET)})
    ),
    drafted=Drafted("v2_04", drafted),
    places={"customs": storage_loads, "laboratory": storage_loads},
)
