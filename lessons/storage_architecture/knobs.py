"""Storage architecture: the knobs beyond the first seven, and which knobs have no effect at the moment."""

from lessons.storage_architecture.settings import DATASET_TB, LINK_GB, PARAMETERS_BILLION, SHARD_MB
from physics import constants as k
from ui.knobs.widgets import Knobs


def reading_knobs(knobs: Knobs) -> None:
    """Draw the further knobs of reading the dataset."""
    knobs.slider("demand", "Demand a GPU (MB/s)", k.STORAGE_DEMAND, step=10, unit=k.MB, help="Data that one GPU reads.")
    knobs.steps(
        "shard_size",
        "Shard size (MB)",
        k.STORAGE_SHARD_SIZE,
        SHARD_MB,
        unit=k.MB,
        help="Read from end to end.",
    )
    knobs.slider(
        "operations_per_file",
        "Operations per file",
        k.OPERATIONS_PER_FILE,
        step=0.5,
        help="Open, stat and close make 3; more when directories are listed, fewer when names are cached.",
    )
    knobs.slider(
        "directory_spread",
        "Directory spread (%)",
        k.DIRECTORY_SPREAD,
        step=5,
        unit=0.01,
        help="Share of the operations that fall evenly on all metadata servers; the rest falls on the first.",
    )
    knobs.slider(
        "server_rate",
        "Operations/s of a server",
        k.METADATA_SERVER_RATE,
        step=1000,
        help="The Lustre manual's table has 15,000 to 200,000 in production, by operation and edition.",
    )
    knobs.slider("connections", "Connections a GPU", k.OBJECT_CONNECTIONS, step=1, help="GETs that may be in flight.")
    knobs.slider(
        "first_byte",
        "First byte after (ms)",
        k.OBJECT_FIRST_BYTE,
        step=5,
        unit=1e-3,
        help="Of a GET to the object store; published as roughly 100 to 200 ms.",
    )
    knobs.slider(
        "connection_bandwidth",
        "Connection rate (MB/s)",
        k.OBJECT_CONNECTION_BANDWIDTH,
        step=0.5,
        unit=k.MB,
        help="Once bytes flow; published as 85 to 90 MB/s.",
    )


def checkpoint_knobs(knobs: Knobs) -> None:
    """Draw the knobs of the checkpoint."""
    knobs.steps(
        "parameters",
        "Parameters (billion)",
        k.STORAGE_CHECKPOINT_PARAMETERS,
        PARAMETERS_BILLION,
        unit=1e9,
        help="Of the model that is trained; 14 bytes are kept for each.",
    )
    knobs.slider(
        "interval",
        "Interval (min)",
        k.STORAGE_CHECKPOINT_INTERVAL,
        step=1,
        unit=k.MINUTE,
        help="From the start of one checkpoint to the start of the next.",
    )
    knobs.slider(
        "write_share",
        "Bandwidth share (%)",
        k.STORAGE_CHECKPOINT_SHARE,
        step=5,
        unit=0.01,
        help="Share of the storage nodes' bandwidth that writing takes while it lasts.",
    )


def distance_knobs(knobs: Knobs) -> None:
    """Draw the knobs of moving the data or the job."""
    knobs.steps(
        "dataset",
        "Dataset (TB)",
        k.DATASET_SIZE,
        DATASET_TB,
        unit=k.TB,
        help="What would be moved, once.",
    )
    knobs.slider(
        "egress_price",
        "Egress ($/GB)",
        k.EGRESS_PRICE_1,
        step=0.005,
        unit=1 / k.GB,
        help="Flat price of data that leaves; published tiers begin at 0.09 and fall to 0.05.",
        format="%.3f",
    )
    knobs.steps("link", "Link (GB/s)", k.WAN_BANDWIDTH, LINK_GB, unit=k.GB, help="100 Gb/s in full are 12.5 GB/s.")
    knobs.slider(
        "price_near",
        "GPU-hour near data ($)",
        k.GPU_HOUR_NEAR,
        step=0.05,
        help="Price of one GPU for an hour where the data are.",
        format="%.2f",
    )
    knobs.slider(
        "price_far",
        "GPU-hour far away ($)",
        k.GPU_HOUR_FAR,
        step=0.05,
        help="Price of one GPU for an hour where the data would be moved.",
        format="%.2f",
    )
    knobs.slider("job_gpus", "GPUs of the job", k.RELOCATION_GPUS, step=8, help="GPUs that the job rents.")
    knobs.slider("hours", "Length of the run (h)", k.RELOCATION_HOURS, step=1, help="Hours of GPU time paid.")


def idle_words(organization: str) -> str:
    """Which of the knobs in sight have no effect at the moment."""
    if organization == "objects":
        return "No effect on reads now: file size, metadata servers, storage nodes."
    return f"No effect now: {'file size, ' if organization == 'shards' else ''}size of one GET, prefixes."


def idle_more_words(organization: str, metadata_servers: int) -> str:
    """Which of the further knobs have no effect at the moment."""
    if organization == "objects":
        return "No effect now: shard size, operations per file, directory spread, operations/s of a server."
    shard = "" if organization == "shards" else "shard size, "
    spread = "directory spread (with one server), " if metadata_servers == 1 else ""
    return f"No effect now: {shard}{spread}connections, first byte, connection rate."
