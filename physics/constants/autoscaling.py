"""Constants: autoscaling."""

from physics.constants.kinds import Constant, datasheet

HPA_SYNC = datasheet(15, "s", "time between two looks of the Horizontal Pod Autoscaler",
    "Kubernetes documentation, Horizontal Pod Autoscaling: default of --horizontal-pod-autoscaler-sync-period")
HPA_WINDOW = datasheet(300, "s", "window over which the highest recommendation counts before scaling down",
    "Kubernetes documentation, Horizontal Pod Autoscaling: default scale-down stabilization window")
HPA_GROWTH_FACTOR = datasheet(2, "1", "most that a request may be multiplied by within the growth period",
    "Kubernetes documentation, Horizontal Pod Autoscaling: default scale-up policy, 100 percent in 15 s")
HPA_GROWTH_PODS = datasheet(4, "1",
    "replicas that may be added within the growth period even if that is more than a doubling",
    "Kubernetes documentation, Horizontal Pod Autoscaling: default scale-up policy, 4 pods in 15 s")
HPA_GROWTH_PERIOD = datasheet(15, "s", "time over which the growth of a request is limited",
    "Kubernetes documentation, Horizontal Pod Autoscaling: periodSeconds of the default scale-up policies")
HPA_TOLERANCE = datasheet(0.1, "1", "relative distance from the target within which the replicas are let be",
    "Kubernetes documentation, Horizontal Pod Autoscaling: default tolerance")
HPA_TARGET = Constant(0.6, "1", "utilization that the autoscaler holds or plans for",
    "assumed: room for a load that rises; the HPA's tolerance of 10% would hide an overload above 90%",
    low=0.5, high=0.9)
SCALE_UP_ABOVE = Constant(0.8, "1", "utilization above which a replica is added",
    "assumed: the upper threshold of the lesson's question", symbol="u", low=0.3, high=0.95)
SCALE_DOWN_BELOW = Constant(0.5, "1", "utilization below which a replica is removed",
    "assumed: the lower threshold of the lesson's question", symbol="l", low=0.0, high=0.9)
THRESHOLD_GAP = Constant(0.05, "1", "least gap between the two thresholds",
    "assumed: nobody sets them closer; their lines can then be told apart")
COLD_START = Constant(120, "s", "time from the order of a replica to its first request",
    "assumed: minutes are usual where a machine is started and tens of GB of weights are loaded",
    low=0, high=900, step=15)
FORECAST_HORIZON = Constant(300, "s", "how far ahead the predictive controller knows the load",
    "assumed: longer than the assumed cold start", low=0, high=1800, step=15)
FORECAST_REFRESH = Constant(300, "s", "time between two forecasts of the predictive controller",
    "assumed: a forecast is made anew every five minutes")
INFERENCE_TIME = Constant(0.5, "s", "mean time of one request on a replica",
    "assumed: a short answer of a language model; a replica serves one request at a time", symbol="S")
LATENCY_TARGET = Constant(1.0, "s", "target of the mean response time", "assumed: twice the assumed time of a request")
REPLICA_PRICE = Constant(3, "USD/h", "price of a replica with one GPU, starting or ready",
    "assumed: a round figure for one data center GPU on demand")

AUTOSCALE_BASE = Constant(0.9, "1", "load before a step or burst, or at night [replicas' worth of work]",
    "assumed: the load of the lesson's question", symbol="a", low=0.1, high=6, step=0.1)
AUTOSCALE_PEAK = Constant(12, "1", "load after a step, in a burst, or at noon [replicas' worth of work]",
    "assumed: a day that needs a dozen replicas at noon", low=7, high=20, step=0.5)
COOL_DOWN_DOWN = datasheet(300, "s", "least time from any change to the next one down",
    "Amazon EC2 Auto Scaling user guide: default cooldown of a group", low=0, high=1800, step=15)
AUTOSCALE_CEILING = Constant(40, "1", "most replicas that may be requested",
    "assumed: twice the highest load that can be set")
AUTOSCALE_START = Constant(1, "1", "replicas ready at the beginning", "assumed: the lesson's question begins with one",
    low=1, high=10)
AUTOSCALE_MEMORY = Constant(1.1, "1", "load of the second metric, such as memory [replicas' worth]",
    "assumed: two replicas have half of their memory in use, and a little more", low=0.1, high=6, step=0.1)
STEP_FACTOR = Constant(2, "1", "size of a step of an autoscaler ÷ the one before in the same direction",
    "assumed: steps that double, as in binary exponential back-off", low=1, high=4, step=0.5)
WAIT_FACTOR = Constant(2, "1", "cool-down after a turn of an autoscaler ÷ the one before",
    "assumed: waits that double, as in binary exponential back-off", low=1, high=4, step=0.5)
SURPRISE_SHIFT = Constant(10800, "s", "how much earlier than on other days the load comes on the day of the surprise",
    "assumed: three hours, as when an event moves a whole day")
DAILY_GROWTH = Constant(0.05, "1", "how much lower than today's the load of each day before was, in units of today's",
    "assumed: as large as the assumed error of a forecast")
RESERVE_RATIO = Constant(0.4, "1", "price of a reserved replica, used or not, in units of one on demand",
    "assumed: a usual discount of more than half for a commitment of years", symbol="r", low=0, high=1)
RESERVED = Constant(0, "1", "replicas' worth of work that is reserved",
    "assumed: nothing, unless the visitor reserves something", symbol="R", low=0, high=20, step=0.5)

_A100 = "NVIDIA A100 80 GB SXM datasheet"
_LLAMA_2 = "Touvron et al., Llama 2, 2023, table 1, and its published configuration"
SERVING_MEMORY = datasheet(80e9, "B", "memory of the GPU of a replica that batches", _A100)
SERVING_BANDWIDTH = datasheet(2.039e12, "B/s", "bandwidth of its memory", _A100)
SERVING_COMPUTE = datasheet(312e12, "1/s", "its arithmetic rate in half precision", _A100)
SERVING_VALUE = datasheet(2, "B", "size of a weight and of a value in half precision", "IEEE 754, binary16: two bytes")
SERVED_PARAMETERS = datasheet(6.74e9, "1", "parameters of the served model, Llama 2 7B", _LLAMA_2)
SERVED_KV_HEADS = datasheet(32, "1", "its heads of keys and values", _LLAMA_2)
SERVED_LAYERS = datasheet(32, "1", "its layers", _LLAMA_2)
SERVED_HEAD_SIZE = datasheet(128, "1", "values of one of its heads", _LLAMA_2)
SERVING_BATCH = Constant(1, "1", "requests that are decoded at once", "assumed: one at a time, as the lesson has it",
    symbol="b", low=1, high=512)
SERVING_CONTEXT = Constant(1024, "1", "mean tokens of a request so far, prompt and answer", "assumed: a short chat",
    low=128, high=8192)
