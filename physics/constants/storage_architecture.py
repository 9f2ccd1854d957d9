"""Constants: storage architecture."""

from physics.constants.kinds import Constant, datasheet, exact

_DRAFT_LAB = "assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)"
_S3_PATTERNS = "Amazon S3 User Guide, Best practices design patterns: optimizing Amazon S3 performance"
_FIRST_TIER = "as the first tier's price"

STORAGE_DEMAND = Constant(80e6, "B/s", "data that one GPU reads while it trains", _DRAFT_LAB, symbol="d")
STORAGE_NODE_BANDWIDTH = Constant(28e9, "B/s", "bandwidth of one storage node",
    "assumed: four NVMe drives of 7 GB/s, as in the draft lab; table 1.1 of the Lustre Operations Manual has 25 GB/s "
    "of reads from one server in production and 50 GB/s as the practical limit", symbol="B_n")
METADATA_SERVER_RATE = datasheet(50_000, "1/s",
    "operations a second of one metadata server; a range, not a point truth",
    "Lustre Software Release 2.x Operations Manual, table 1.1: in production 15,000 creates/s and 50,000 stats/s in "
    "older editions, 100,000 and 200,000 in newer ones", symbol="μ_m", low=15_000, high=200_000)
METADATA_SERVERS_MOST = datasheet(256, "1", "most metadata servers of one file system",
    "Lustre Software Release 2.x Operations Manual, table 1.1 (56 in production)")
OPERATIONS_PER_FILE = Constant(3, "1", "metadata operations for reading one file: open, stat, close",
    "assumed: one of each, nothing cached; real clients send 1 to 5", symbol="m")
OBJECT_PREFIX_RATE = datasheet(5_500, "1/s",
    "GET requests a second that one partitioned prefix carries at the least (partitioning takes time)", _S3_PATTERNS,
    symbol="μ_p")
OBJECT_FIRST_BYTE = datasheet(0.150, "s", "time from a GET to its first byte; middle of the published 100 to 200 ms",
    _S3_PATTERNS, symbol="L")
OBJECT_CONNECTION_BANDWIDTH = datasheet(87.5e6, "B/s",
    "bandwidth of one connection once bytes flow; middle of the published 85 to 90 MB/s",
    "Amazon S3 User Guide, Performance design patterns: one concurrent request for each 85 to 90 MB/s", symbol="β")
OBJECT_GET_PRICE = datasheet(0.0004 / 1000, "$", "fee for one GET request",
    "Amazon S3 pricing, Standard class, US East: $0.0004 per 1,000 GETs (list price, 2025)", symbol="p_g")
STORAGE_CHECKPOINT_BYTES = exact(14, "B",
    "bytes of a checkpoint for each parameter: 2 weight, 4 master copy, 8 Adam moments; gradients are not kept",
    "Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, 2020, section 3.1, "
    "without its 2 bytes of gradient; BLOOM's 2.3 TB for 176 billion parameters are 13.1", symbol="b")
EGRESS_PRICE_1 = datasheet(0.09e-9, "$/B", "price of data leaving a cloud, first tier",
    "Amazon EC2 on-demand pricing, data transfer out to the internet, US East (list price, 2025)", symbol="p_e")
EGRESS_TIER_1 = datasheet(10_240e9, "B", "size of the first egress tier, 10 TB counted as 10,240 GB", _FIRST_TIER)
EGRESS_PRICE_2 = datasheet(0.085e-9, "$/B", "price of data leaving a cloud, second tier", _FIRST_TIER)
EGRESS_TIER_2 = datasheet(40_960e9, "B", "size of the second egress tier, the next 40 TB", _FIRST_TIER)
EGRESS_PRICE_3 = datasheet(0.07e-9, "$/B", "price of data leaving a cloud, third tier", _FIRST_TIER)
EGRESS_TIER_3 = datasheet(102_400e9, "B", "size of the third egress tier, the next 100 TB", _FIRST_TIER)
EGRESS_PRICE_4 = datasheet(0.05e-9, "$/B", "price of data leaving a cloud, beyond the third tier", _FIRST_TIER)
GPU_HOUR_NEAR = Constant(3.50, "$/h", "price of a GPU for an hour next to the data",
    "assumed: the draft lab's price (lab 04, Machine Learning Systems, volume 2, March 2026)", symbol="p_n")
GPU_HOUR_FAR = Constant(2.50, "$/h", "price of a GPU for an hour away from the data",
    "assumed: a dollar less than next to the data, so that the question has two sides",
    symbol="p_f", low=0.50, high=4.00, step=0.05)
WAN_BANDWIDTH = Constant(12.5e9, "B/s", "bandwidth between the two places, a link of 100 Gb/s used in full",
    "assumed: the draft lab's link (lab 04, Machine Learning Systems, volume 2, March 2026)", symbol="B_w")
STORAGE_FLEET = Constant(4096, "1", "GPUs that read the dataset", _DRAFT_LAB, symbol="N", low=128, high=16384, step=128)
STORAGE_FILE_SIZE = Constant(4e6, "B", "size of a file that holds one sample",
    "assumed: a large image; 62.5 kB is the small sample of the I/O lesson", symbol="s", low=4e3, high=1e9)
STORAGE_FILES = Constant(100e6, "1", "files in the data set", _DRAFT_LAB, symbol="K", low=1e6, high=10e9)
STORAGE_REQUEST_SIZE = datasheet(8e6, "B", "bytes that one GET fetches",
    "Amazon S3 User Guide, Performance design patterns: ranges of 8 to 16 MB", symbol="s", low=4e3, high=1e9)
STORAGE_NODES = Constant(48, "1", "storage nodes", _DRAFT_LAB, symbol="n_s", low=1, high=512)
METADATA_SERVERS = Constant(1, "1", "metadata servers",
    "assumed: the design in the message, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026); the "
    "range ends where table 1.1 of the Lustre Operations Manual ends", symbol="n_m", low=1, high=256)
OBJECT_PREFIXES = Constant(1, "1", "prefixes over which the keys are spread evenly",
    "assumed: what a bucket has before anybody thinks of it", symbol="n_p", low=1, high=10000)
OBJECT_CONNECTIONS = Constant(16, "1", "connections that one GPU keeps open to the object store",
    "assumed: the Amazon S3 User Guide has about 15 for a link of 10 Gb/s", symbol="c")
STORAGE_CHECKPOINT_PARAMETERS = Constant(175e9, "1", "parameters of the model whose checkpoints are written",
    _DRAFT_LAB, symbol="P", low=1e9, high=1e12)
STORAGE_CHECKPOINT_INTERVAL = Constant(1800, "s", "time from one checkpoint to the next",
    "assumed: twice an hour, as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026)",
    symbol="τ", low=300, high=14400)
STORAGE_CHECKPOINT_SHARE = Constant(0.5, "1",
    "share of the storage bandwidth that a checkpoint takes while it is written",
    "assumed: reads and writes get half each", symbol="φ")
DATASET_SIZE = Constant(100e12, "B", "size of the dataset that might be moved", _DRAFT_LAB,
    symbol="S", low=1e12, high=1e15)
RELOCATION_GPUS = Constant(512, "1", "GPUs of the job that might be moved", _DRAFT_LAB, symbol="N_j")
RELOCATION_HOURS = Constant(24, "h", "length of the run", _DRAFT_LAB, symbol="h", low=1, high=72)
STORAGE_QUEUE_LOAD = Constant(0.8, "1", "load from which on the page says that queues build up",
    "chosen for the lesson: at one server with random arrivals (M/M/1) a request then takes 5 times its service")
STORAGE_CHALLENGE_FLEET = Constant(8192, "1", "GPUs of the challenge",
    "chosen for the lesson: twice the fleet of the message", symbol="N")
STORAGE_CHALLENGE_BUDGET = Constant(98_000, "$", "cost that the challenge allows in 30 days",
    "chosen for the lesson: what the design in the message costs")
STORAGE_NODE_PRICE = Constant(2_000, "$", "cost of one storage node in 30 days, used or not",
    "assumed: 120,000 dollars with network, power and support over five years")
METADATA_SERVER_PRICE = Constant(2_000, "$", "cost of one metadata server in 30 days, used or not",
    "assumed: the same as a storage node; it has fewer drives and more memory")
STORAGE_CROWD_JOBS = Constant(20, "1", "jobs that checkpoint to the same storage nodes", "chosen for the lesson",
    symbol="n", low=1, high=40)
STORAGE_CROWD_WRITE = Constant(180, "s", "time that one of many jobs takes to write a checkpoint",
    "chosen for the lesson", symbol="t")
STORAGE_CROWD_RESERVED = Constant(4, "1", "checkpoints that bandwidth is reserved for at a time",
    "chosen for the lesson: twice the mean number of those that write", symbol="m", low=1, high=40)
STORAGE_DATA = Constant(400e12, "B", "data that the store holds today",
    "chosen for the lesson: about a third of its capacity", symbol="S_0", low=10e12, high=5000e12, step=10e12)
STORAGE_GROWTH = Constant(0.40, "1", "growth of the data in a year",
    "assumed: near the rate at which the message's store lasts just three years", symbol="g", low=0.01, high=2)
STORAGE_NODE_CAPACITY = Constant(24e12, "B", "capacity of one storage node",
    "assumed: four drives of 7.68 TB less what parity and spares take; 48 nodes hold 1,152 TB", symbol="C_n")
STORAGE_YEARS = Constant(3, "1", "years for which a store is planned",
    "chosen for the lesson: a common time of warranty")
LOCAL_DRIVES = Constant(4, "1", "NVMe drives inside one GPU node that hold a copy of the data",
    "assumed: as in draft lab 04 of Machine Learning Systems, volume 2 (March 2026); an NVIDIA DGX H100 has 8",
    symbol="n_d", low=1, high=8)
LOCAL_DRIVE_READ = datasheet(6.5e9, "B/s", "rate at which one drive inside a GPU node reads",
    "Samsung PM9A3, announcement (May 2020), 2.5-inch form: up to 6,500 MB/s of sequential reads", symbol="B_d")
LOCAL_DRIVE_READS = datasheet(900e3, "1/s", "small reads that one drive inside a GPU node answers in a second",
    "Samsung PM9A3 data sheet (2020), a PCIe 4.0 drive: 900,000 random reads of 4 KB a second", symbol="I_d")
LOCAL_DRIVE_WRITE = datasheet(3.5e9, "B/s", "rate at which one drive inside a GPU node writes",
    "Samsung PM9A3, announcement (May 2020), 2.5-inch form: up to 3,500 MB/s of sequential writes")
LOCAL_DRIVE_CAPACITY = datasheet(7.68e12, "B", "capacity of one drive inside a GPU node",
    "Samsung PM9A3 data sheet (2020): the largest of its 2.5-inch form has 7.68 TB", symbol="C_d")
