"""Constants: storage architecture."""

from physics.constants.kinds import Constant

STORAGE_DEMAND = Constant(
    80e6,
    symbol="d",
    unit="B/s",
    meaning="data that one GPU reads while it trains",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    low=10e6,
    high=500e6,
)
STORAGE_NODE_BANDWIDTH = Constant(
    28e9,
    symbol="B_n",
    unit="B/s",
    meaning="bandwidth of one storage node",
    source="assumed: four NVMe drives of 7 GB/s, as in the draft lab; table 1.1 of the Lustre Operations Manual has "
    "25 GB/s of reads from one server in production and 50 GB/s as the practical limit",
)
METADATA_SERVER_RATE = Constant(
    50_000,
    symbol="μ_m",
    unit="1/s",
    meaning="operations a second of one metadata server; a range, not a point truth",
    source="Lustre Software Release 2.x Operations Manual, table 1.1: in production 15,000 creates/s and 50,000 "
    "stats/s in older editions, 100,000 and 200,000 in newer ones",
    kind="datasheet",
    low=15_000,
    high=200_000,
)
METADATA_SERVERS_MOST = Constant(
    256,
    unit="1",
    meaning="most metadata servers of one file system",
    source="Lustre Software Release 2.x Operations Manual, table 1.1 (56 in production)",
    kind="datasheet",
)
OPERATIONS_PER_FILE = Constant(
    3,
    symbol="m",
    unit="1",
    meaning="metadata operations for reading one file: open, stat, close",
    source="assumed: one of each, nothing cached; real clients send 1 to 5",
    low=1,
    high=10,
)
OBJECT_PREFIX_RATE = Constant(
    5_500,
    symbol="μ_p",
    unit="1/s",
    meaning="GET requests a second that one partitioned prefix carries at the least (partitioning takes time)",
    source="Amazon S3 User Guide, Best practices design patterns: optimizing Amazon S3 performance",
    kind="datasheet",
)
OBJECT_FIRST_BYTE = Constant(
    0.150,
    symbol="L",
    unit="s",
    meaning="time from a GET to its first byte; middle of the published 100 to 200 ms",
    source="Amazon S3 User Guide, Best practices design patterns: optimizing Amazon S3 performance",
    kind="datasheet",
    low=0.100,
    high=0.200,
)
OBJECT_CONNECTION_BANDWIDTH = Constant(
    87.5e6,
    symbol="β",
    unit="B/s",
    meaning="bandwidth of one connection once bytes flow; middle of the published 85 to 90 MB/s",
    source="Amazon S3 User Guide, Performance design patterns: one concurrent request for each 85 to 90 MB/s",
    kind="datasheet",
    low=85e6,
    high=90e6,
)
OBJECT_GET_PRICE = Constant(
    0.0004 / 1000,
    symbol="p_g",
    unit="$",
    meaning="fee for one GET request",
    source="Amazon S3 pricing, Standard class, US East: $0.0004 per 1,000 GETs (list price, 2025)",
    kind="datasheet",
)
STORAGE_CHECKPOINT_BYTES = Constant(
    14,
    symbol="b",
    unit="B",
    meaning="bytes of a checkpoint for each parameter: 2 weight, 4 master copy, 8 Adam moments; gradients are not kept",
    source="Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, 2020, section "
    "3.1, without its 2 bytes of gradient; BLOOM's 2.3 TB for 176 billion parameters are 13.1",
    kind="exact",
)
EGRESS_PRICE_1 = Constant(
    0.09e-9,
    symbol="p_e",
    unit="$/B",
    meaning="price of data leaving a cloud, first tier",
    source="Amazon EC2 on-demand pricing, data transfer out to the internet, US East (list price, 2025)",
    kind="datasheet",
    low=0,
    high=0.12e-9,
)
EGRESS_TIER_1 = Constant(
    10_240e9,
    unit="B",
    meaning="size of the first egress tier, 10 TB counted as 10,240 GB",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_PRICE_2 = Constant(
    0.085e-9,
    unit="$/B",
    meaning="price of data leaving a cloud, second tier",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_TIER_2 = Constant(
    40_960e9,
    unit="B",
    meaning="size of the second egress tier, the next 40 TB",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_PRICE_3 = Constant(
    0.07e-9,
    unit="$/B",
    meaning="price of data leaving a cloud, third tier",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_TIER_3 = Constant(
    102_400e9,
    unit="B",
    meaning="size of the third egress tier, the next 100 TB",
    source="as the first tier's price",
    kind="datasheet",
)
EGRESS_PRICE_4 = Constant(
    0.05e-9,
    unit="$/B",
    meaning="price of data leaving a cloud, beyond the third tier",
    source="as the first tier's price",
    kind="datasheet",
)
GPU_HOUR_NEAR = Constant(
    3.50,
    symbol="p_n",
    unit="$/h",
    meaning="price of a GPU for an hour next to the data",
    source="assumed: the draft lab's price (lab 04, Machine Learning Systems, volume 2, March 2026)",
    low=0.50,
    high=10.00,
)
GPU_HOUR_FAR = Constant(
    2.50,
    symbol="p_f",
    unit="$/h",
    meaning="price of a GPU for an hour away from the data",
    source="assumed: a dollar less than next to the data, so that the question has two sides",
    low=0.50,
    high=10.00,
)
WAN_BANDWIDTH = Constant(
    12.5e9,
    symbol="B_w",
    unit="B/s",
    meaning="bandwidth between the two places, a link of 100 Gb/s used in full",
    source="assumed: the draft lab's link (lab 04, Machine Learning Systems, volume 2, March 2026)",
    low=0.125e9,
    high=50e9,
)
STORAGE_FLEET = Constant(
    4096,
    symbol="N",
    unit="1",
    meaning="GPUs that read the dataset",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    low=128,
    high=16384,
)
STORAGE_FILE_SIZE = Constant(
    4e6,
    symbol="s",
    unit="B",
    meaning="size of a file that holds one sample",
    source="assumed: a large image; 62.5 kB is the small sample of the I/O lesson",
    low=4e3,
    high=1e9,
)
STORAGE_SHARD_SIZE = Constant(
    1e9,
    symbol="s",
    unit="B",
    meaning="size of a shard that holds many samples",
    source="assumed: between the 100 MB and a few GB that shard formats are usually cut to",
    low=10e6,
    high=10e9,
)
STORAGE_REQUEST_SIZE = Constant(
    8e6,
    symbol="s",
    unit="B",
    meaning="bytes that one GET fetches",
    source="Amazon S3 User Guide, Performance design patterns: ranges of 8 to 16 MB",
    kind="datasheet",
    low=4e3,
    high=1e9,
)
STORAGE_NODES = Constant(
    48,
    symbol="n_s",
    unit="1",
    meaning="storage nodes",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    low=1,
    high=512,
)
METADATA_SERVERS = Constant(
    1,
    symbol="n_m",
    unit="1",
    meaning="metadata servers",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026); "
    "the range ends where table 1.1 of the Lustre Operations Manual ends",
    low=1,
    high=256,
)
DIRECTORY_SPREAD = Constant(
    1,
    symbol="σ",
    unit="1",
    meaning="share of the operations in directories that are spread evenly over all metadata servers",
    source="assumed: all of them, the best case; without striped or remote directories it is 0",
    low=0,
    high=1,
)
OBJECT_PREFIXES = Constant(
    1,
    symbol="n_p",
    unit="1",
    meaning="prefixes over which the keys are spread evenly",
    source="assumed: what a bucket has before anybody thinks of it",
    low=1,
    high=10000,
)
OBJECT_CONNECTIONS = Constant(
    16,
    symbol="c",
    unit="1",
    meaning="connections that one GPU keeps open to the object store",
    source="assumed: the Amazon S3 User Guide has about 15 for a link of 10 Gb/s",
    low=1,
    high=256,
)
STORAGE_CHECKPOINT_PARAMETERS = Constant(
    175e9,
    symbol="P",
    unit="1",
    meaning="parameters of the model whose checkpoints are written",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    low=1e9,
    high=1e12,
)
STORAGE_CHECKPOINT_INTERVAL = Constant(
    1800,
    symbol="τ",
    unit="s",
    meaning="time from one checkpoint to the next",
    source="assumed: twice an hour, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    low=60,
    high=14400,
)
STORAGE_CHECKPOINT_SHARE = Constant(
    0.5,
    symbol="φ",
    unit="1",
    meaning="share of the storage bandwidth that a checkpoint takes while it is written",
    source="assumed: reads and writes get half each",
    low=0.1,
    high=1,
)
DATASET_SIZE = Constant(
    100e12,
    symbol="S",
    unit="B",
    meaning="size of the dataset that might be moved",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    low=1e12,
    high=10e15,
)
RELOCATION_GPUS = Constant(
    512,
    symbol="N_j",
    unit="1",
    meaning="GPUs of the job that might be moved",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    low=8,
    high=16384,
)
RELOCATION_HOURS = Constant(
    24,
    symbol="h",
    unit="h",
    meaning="length of the run",
    source="assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    low=1,
    high=720,
)
STORAGE_QUEUE_LOAD = Constant(
    0.8,
    unit="1",
    meaning="load from which on the page says that queues build up",
    source="chosen for the lesson: at one server with random arrivals (M/M/1) a request then takes 5 times its service",
)
STORAGE_CHALLENGE_FLEET = Constant(
    16384,
    symbol="N",
    unit="1",
    meaning="GPUs of the challenge",
    source="chosen for the lesson: four times the fleet of the message",
)
STORAGE_CHALLENGE_LOAD = Constant(
    0.6,
    unit="1",
    meaning="load below which the challenge wants every limit",
    source="chosen for the lesson: room for bursts and growth",
)
STORAGE_CHALLENGE_BUDGET = Constant(
    200_000,
    unit="$",
    meaning="storage nodes, metadata servers, drives, request fees and waiting that the challenge allows in 30 days",
    source="chosen for the lesson: shards or 16 MB ranges stay below it, 4 MB files and 4 MB ranges do not",
)
STORAGE_NODE_PRICE = Constant(
    2_000,
    unit="$",
    meaning="cost of one storage node in 30 days, used or not",
    source="assumed: 120,000 dollars with network, power and support over five years",
)
METADATA_SERVER_PRICE = Constant(
    2_000,
    unit="$",
    meaning="cost of one metadata server in 30 days, used or not",
    source="assumed: the same as a storage node; it has fewer drives and more memory",
)
STORAGE_WRITE_SPEED = Constant(
    1.0,
    symbol="w",
    unit="1",
    meaning="rate at which storage nodes write, over the rate at which they read",
    source="assumed: as fast, the best case; table 1.1 of the Lustre Operations Manual has 15 GB/s of writes beside "
    "25 GB/s of reads from one server in production, which is 0.6",
    low=0.2,
    high=1,
)
STORAGE_CROWD_JOBS = Constant(
    20,
    symbol="n",
    unit="1",
    meaning="jobs that checkpoint to the same storage nodes",
    source="chosen for the lesson",
    low=1,
    high=40,
)
STORAGE_CROWD_WRITE = Constant(
    180,
    symbol="t",
    unit="s",
    meaning="time that one of many jobs takes to write a checkpoint",
    source="chosen for the lesson",
    low=60,
    high=1200,
)
STORAGE_CROWD_INTERVAL = Constant(
    43 * 60,
    symbol="τ",
    unit="s",
    meaning="time from one checkpoint of a job to its next one, with many jobs",
    source="chosen for the lesson: 40 minutes of work and 3 of writing",
    low=1200,
    high=14400,
)
STORAGE_CROWD_RESERVED = Constant(
    3,
    symbol="m",
    unit="1",
    meaning="checkpoints that bandwidth is reserved for at a time",
    source="chosen for the lesson: about twice the mean number of those that write",
    low=1,
    high=40,
)
STORAGE_DATA = Constant(
    400e12,
    symbol="S_0",
    unit="B",
    meaning="data that the store holds today",
    source="chosen for the lesson: about a third of its capacity",
    low=10e12,
    high=5000e12,
)
STORAGE_GROWTH = Constant(
    0.40,
    symbol="g",
    unit="1",
    meaning="growth of the data in a year",
    source="assumed: near the rate at which the message's store lasts just three years",
    low=0,
    high=2,
)
STORAGE_NODE_CAPACITY = Constant(
    24e12,
    symbol="C_n",
    unit="B",
    meaning="capacity of one storage node",
    source="assumed: four drives of 7.68 TB less what parity and spares take; 48 nodes hold 1,152 TB",
    low=5e12,
    high=200e12,
)
STORAGE_YEARS = Constant(
    3, unit="1", meaning="years for which a store is planned", source="chosen for the lesson: a common time of warranty"
)
LOCAL_DRIVES = Constant(
    4,
    symbol="n_d",
    unit="1",
    meaning="NVMe drives inside one GPU node that hold a copy of the data",
    source="assumed: as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026); an NVIDIA DGX H100 has 8",
    low=1,
    high=8,
)
LOCAL_DRIVE_READ = Constant(
    6.5e9,
    symbol="B_d",
    unit="B/s",
    meaning="rate at which one drive inside a GPU node reads",
    source="Samsung PM9A3, announcement (May 2020), 2.5-inch form: up to 6,500 MB/s of sequential reads",
    kind="datasheet",
)
LOCAL_DRIVE_READS = Constant(
    900e3,
    symbol="I_d",
    unit="1/s",
    meaning="small reads that one drive inside a GPU node answers in a second",
    source="Samsung PM9A3 data sheet (2020), a PCIe 4.0 drive: 900,000 random reads of 4 KB a second",
    kind="datasheet",
)
LOCAL_DRIVE_WRITE = Constant(
    4e9,
    unit="B/s",
    meaning="rate at which one drive inside a GPU node writes",
    source="Samsung PM9A3 data sheet (2020), a PCIe 4.0 drive: up to 4 GB/s of sequential writes",
    kind="datasheet",
)
LOCAL_DRIVE_CAPACITY = Constant(
    7.68e12,
    symbol="C_d",
    unit="B",
    meaning="capacity of one drive inside a GPU node",
    source="Samsung PM9A3 data sheet (2020): the largest of its 2.5-inch form has 7.68 TB",
    kind="datasheet",
)
LOCAL_DRIVE_PRICE = Constant(
    20,
    unit="$",
    meaning="cost of one drive inside a GPU node in 30 days",
    source="assumed: 1,200 dollars with power over five years",
)
