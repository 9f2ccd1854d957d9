"""Constants: autoscaling."""

from physics.constants.kinds import Constant

HPA_SYNC = Constant(
    15,
    unit="s",
    meaning="time between two looks of the Horizontal Pod Autoscaler",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default of --horizontal-pod-autoscaler-sync-period",
    kind="datasheet",
)
HPA_WINDOW = Constant(
    300,
    unit="s",
    meaning="window over which the highest recommendation counts before scaling down",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default scale-down stabilization window",
    kind="datasheet",
    low=0,
    high=1800,
)
HPA_GROWTH_FACTOR = Constant(
    2,
    unit="1",
    meaning="most that a request may be multiplied by within the growth period",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default scale-up policy, 100 percent in 15 s",
    kind="datasheet",
)
HPA_GROWTH_PODS = Constant(
    4,
    unit="1",
    meaning="replicas that may be added within the growth period even if that is more than a doubling",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default scale-up policy, 4 pods in 15 s",
    kind="datasheet",
)
HPA_GROWTH_PERIOD = Constant(
    15,
    unit="s",
    meaning="time over which the growth of a request is limited",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: periodSeconds of the default scale-up policies",
    kind="datasheet",
)
HPA_TOLERANCE = Constant(
    0.1,
    unit="1",
    meaning="relative distance from the target within which the replicas are let be",
    source="Kubernetes documentation, Horizontal Pod Autoscaling: default tolerance",
    kind="datasheet",
    low=0,
    high=0.5,
)
HPA_TARGET = Constant(
    0.6,
    unit="1",
    meaning="utilization that the autoscaler holds or plans for",
    source="assumed: the target of the cold start preset",
    low=0.3,
    high=0.95,
)
SCALE_UP_ABOVE = Constant(
    0.8,
    symbol="u",
    unit="1",
    meaning="utilization above which a replica is added",
    source="assumed: the upper threshold of the lesson's question",
    low=0.3,
    high=1.0,
)
SCALE_DOWN_BELOW = Constant(
    0.5,
    symbol="l",
    unit="1",
    meaning="utilization below which a replica is removed",
    source="assumed: the lower threshold of the lesson's question",
    low=0.0,
    high=0.9,
)
COLD_START = Constant(
    120,
    unit="s",
    meaning="time from the order of a replica to its first request",
    source="assumed: minutes are usual where a machine is started and tens of GB of weights are loaded",
    low=0,
    high=900,
)
FORECAST_HORIZON = Constant(
    300,
    unit="s",
    meaning="how far ahead the predictive controller knows the load",
    source="assumed: longer than the assumed cold start",
    low=0,
    high=1800,
)
FORECAST_REFRESH = Constant(
    300,
    unit="s",
    meaning="time between two forecasts of the predictive controller",
    source="assumed: a forecast is made anew every five minutes",
)
INFERENCE_TIME = Constant(
    0.5,
    symbol="S",
    unit="s",
    meaning="mean time of one request on a replica",
    source="assumed: a short answer of a language model; a replica serves one request at a time",
    low=0.05,
    high=5,
)
LATENCY_TARGET = Constant(
    1.0,
    unit="s",
    meaning="target of the mean response time",
    source="assumed: twice the assumed time of a request",
    low=0.1,
    high=10,
)
REPLICA_PRICE = Constant(
    3,
    unit="USD/h",
    meaning="price of a replica with one GPU, starting or ready",
    source="assumed: a round figure for one data center GPU on demand",
    low=0.1,
    high=20,
)

AUTOSCALE_BASE = Constant(
    0.9,
    symbol="a",
    unit="1",
    meaning="load before a step or burst, or at night [replicas' worth of work]",
    source="assumed: the load of the lesson's question",
    low=0.1,
    high=20,
)
AUTOSCALE_PEAK = Constant(
    12,
    unit="1",
    meaning="load after a step, in a burst, or at noon [replicas' worth of work]",
    source="assumed: a day that needs a dozen replicas at noon",
    low=0.1,
    high=20,
)
FORECAST_ERROR = Constant(
    0.05,
    unit="1",
    meaning="standard deviation of forecast ÷ true load",
    source="assumed: a good forecast",
    low=0,
    high=0.5,
)
COOL_DOWN_UP = Constant(
    0,
    unit="s",
    meaning="least time from any change to the next one up",
    source="assumed: none, as in Kubernetes",
    low=0,
    high=1800,
)
COOL_DOWN_DOWN = Constant(
    300,
    unit="s",
    meaning="least time from any change to the next one down",
    source="Amazon EC2 Auto Scaling user guide: default cooldown of a group",
    kind="datasheet",
    low=0,
    high=1800,
)
AUTOSCALE_FLOOR = Constant(
    1, unit="1", meaning="least replicas that may be requested", source="assumed: Kubernetes' default", low=1, high=20
)
AUTOSCALE_CEILING = Constant(
    20,
    unit="1",
    meaning="most replicas that may be requested",
    source="assumed: more than the assumed day needs",
    low=1,
    high=40,
)
AUTOSCALE_START = Constant(
    1,
    unit="1",
    meaning="replicas ready at the beginning",
    source="assumed: the lesson's question begins with one",
    low=1,
    high=40,
)
AUTOSCALE_SCV = Constant(
    1,
    unit="1",
    meaning="squared coefficient of variation of request times",
    source="assumed: exponential request times, for which the latency is exact",
    low=0,
    high=10,
)
SLO_SHARE = Constant(
    0.99,
    unit="1",
    meaning="share of the time in which the latency target shall be met",
    source="assumed: the lesson's challenge",
)
COST_LIMIT = Constant(
    1.3,
    unit="1",
    meaning="most that the fleet may cost, in units of the cheapest one's cost",
    source="assumed: the lesson's challenge",
)
IN_FLIGHT_TARGET = Constant(
    0.7,
    unit="1",
    meaning="requests in flight that are held on each replica, of which each serves one at a time",
    source="Knative documentation, Configuring target utilization: default of 70 percent",
    kind="datasheet",
    low=0.3,
    high=2,
)
STABLE_WINDOW = Constant(
    60,
    unit="s",
    meaning="window over which requests in flight are averaged",
    source="Knative documentation, Autoscaling, stable window: default",
    kind="datasheet",
    low=15,
    high=600,
)
PANIC_SHARE = Constant(
    0.1,
    unit="1",
    meaning="length of the panic window in units of the stable window's",
    source="Knative documentation, Autoscaling, panic window percentage: default of 10",
    kind="datasheet",
    low=0.01,
    high=1,
)
PANIC_THRESHOLD = Constant(
    2,
    unit="1",
    meaning="replicas that the panic window asks for, in units of those ready, from which it panics",
    source="Knative documentation, Autoscaling, panic threshold percentage: default of 200",
    kind="datasheet",
    low=1.1,
    high=10,
)
SURPRISE_SHIFT = Constant(
    10800,
    unit="s",
    meaning="how much earlier than on other days the load comes on the day of the surprise",
    source="assumed: three hours, as when an event moves a whole day",
)
DAILY_GROWTH = Constant(
    0.05,
    unit="1",
    meaning="how much lower than today's the load of each day before was, in units of today's",
    source="assumed: as large as the assumed error of a forecast",
)
GROWTH_FACTOR = Constant(
    2,
    unit="1",
    meaning="most that a request may be multiplied by within the growth period, where it is limited to a doubling",
    source="assumed: the doubling of the lesson's example",
)
GROWTH_ADDED = Constant(
    10,
    unit="1",
    meaning="most replicas that may be added within the growth period, where it is limited to ten",
    source="assumed: the ten at a look of the lesson's example",
)
GROWTH_PERIOD = Constant(
    300,
    unit="s",
    meaning="time within which a request may grow so far",
    source="assumed: the five minutes of the lesson's example",
    low=15,
    high=900,
)
MISS_PRICE = Constant(
    0,
    unit="USD",
    meaning="price of a request that comes while the latency target is missed",
    source="assumed: nothing, unless the visitor sets a price",
    low=0,
    high=0.1,
)
RESERVE_RATIO = Constant(
    0.4,
    symbol="r",
    unit="1",
    meaning="price of a reserved replica, used or not, in units of one on demand",
    source="assumed: a usual discount of more than half for a commitment of years",
    low=0,
    high=1,
)
RESERVED = Constant(
    0,
    symbol="R",
    unit="1",
    meaning="replicas' worth of work that is reserved",
    source="assumed: nothing, unless the visitor reserves something",
    low=0,
    high=20,
)
