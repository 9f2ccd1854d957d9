"""Sharing a GPU: a pair of jobs on one device, and eight jobs to pair by hand."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from operator import add
from typing import ClassVar, NamedTuple

from physics import constants as k
from physics.gpu_sharing import Demand, corun, fits, roofline_demand, time_slice
from physics.slicing import profile_of
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob, text, toggle

#: Arithmetic intensities of a job that its knob offers [FLOP/B].
INTENSITIES = k.SHARE_NEIGHBOR.positions
#: A share or a slowdown this close to a limit equals it but for rounding.
TIE = 1e-9
#: Resources of a GPU, in the order of the fields of `Demand`.
RESOURCES = ("compute", "memory bandwidth")
#: Memory of the GPU, and of each job if each gets half [B].
ALL = float(k.SHARE_MEMORY)
HALF = ALL / 2
#: Rate at which a GPU reads host memory, by the id of the guard that allows it [B/s].
LINKS = {"c2c": k.SHARE_C2C, "pcie": k.SHARE_PCIE}
#: MIG instances of your job and of its neighbor, by the id of a way to cut the GPU.
CUTS = {
    "neighbor_more": ("3g.40gb", "4g.40gb"),
    "half": ("3g.40gb", "3g.40gb"),
    "you_more": ("4g.40gb", "3g.40gb"),
    "neighbor_most": ("2g.20gb", "4g.40gb"),
    "you_most": ("4g.40gb", "2g.20gb"),
}
#: Kinds of the puzzle's jobs by letter, and the job that people wait for.
_KINDS = ("chat", *["decoding"] * 3, *["training"] * 3, "fine-tuning")
NAMES = dict(zip("ABCDEFGH", _KINDS, strict=True))
CHAT = "A"
#: Pairs of jobs with which the puzzle begins: jobs of one kind share a GPU. In each pair, the first
#: job starts first.
ALIKE = ("AB", "CD", "EF", "GH")


class Job(NamedTuple):
    """Job of the puzzle."""

    demand: Demand  #: what the job uses alone [1]
    memory: float  #: what the job allocates [B]


@lru_cache(maxsize=4096)
def demand(intensity: float, reach: float) -> Demand:
    """Demand of a job alone on an H100 [1]; the job reaches a share `reach` of the roofline."""
    roofline = roofline_demand(intensity, k.SHARE_PEAK, k.SHARE_BANDWIDTH)
    return Demand(roofline.compute * reach, roofline.memory * reach)


@lru_cache(maxsize=1)
def jobs() -> dict[str, Job]:
    """Return the puzzle's jobs by letter."""
    by_letter = {}
    for letter in NAMES:
        intensity = float(getattr(k, f"SHARE_{letter}_INTENSITY"))
        reach = float(getattr(k, f"SHARE_{letter}_REACH"))
        memory = float(getattr(k, f"SHARE_{letter}_MEMORY"))
        by_letter[letter] = Job(demand(intensity, reach), memory)
    return by_letter


def needs_of(pair: str) -> tuple[tuple[Demand, ...], tuple[float, ...]]:
    """Return the demands of a GPU's jobs, such as "AE" [1], and the memory of each [B]."""
    demands, memory = zip(*(jobs()[letter] for letter in pair), strict=True)
    return demands, memory


@lru_cache(maxsize=64)
def speeds_of(pair: str) -> dict[str, float]:
    """Speed of each job on a GPU that these jobs share [1]; 0 for a job without enough memory."""
    demands, memory = needs_of(pair)
    if all(fits(memory, ALL)):
        return dict.fromkeys(pair, shared_speed(*demands))
    return {pair[0]: 1.0, pair[1]: 0.0}


def shared_speed(*demands: Demand) -> float:
    """Speed of jobs that share one GPU, limited by its busiest resource [1]."""
    return _snapped(min(corun(demands)))


def parse(text: str) -> tuple[str, ...]:
    """Parse the jobs on each GPU from text such as "AE-BF-CG-DH"; "" is the puzzle's start.

    Raises
    ------
    ValueError
        One clause, for text that is no pairing.

    >>> parse("ae-bf-cg-dh")
    ('AE', 'BF', 'CG', 'DH')
    """
    if not text:
        return ALIKE
    pairs = tuple(text.upper().split("-"))
    if [len(pair) for pair in pairs] != [2] * len(ALIKE) or set("".join(pairs)) != set(NAMES):
        raise ValueError("it must name each job from A to H once, two per GPU, such as AE-BF-CG-DH")
    return pairs


def write(pairs: tuple[str, ...]) -> str:
    """Write the jobs on each GPU as text; "" is the puzzle's start.

    >>> write(("AE", "BF", "CG", "DH")), write(ALIKE)
    ('AE-BF-CG-DH', '')
    """
    if pairs == ALIKE:
        return ""
    return "-".join(pairs)


def _snapped(speed: float) -> float:
    """Return a speed without the rounding error that keeps it from full speed, 1."""
    if speed > 1 - TIE:
        return 1.0
    return speed


def _intensity(value: float) -> str:
    """Write an arithmetic intensity with its unit."""
    return f"{f.significant(value, 4)} FLOP/B"


@dataclass(frozen=True)
class Sharing:
    """Two jobs, methods of sharing a GPU between them, and the puzzle's pairs; all SI."""

    page: ClassVar[str] = "gpu_sharing"
    #: Intensity below which memory bandwidth limits a job, and above which compute does [FLOP/B].
    ridge: ClassVar[float] = k.SHARE_PEAK / k.SHARE_BANDWIDTH

    together: bool = toggle()
    neighbor: int = knob(k.SHARE_NEIGHBOR, spoken=_intensity)
    intensity: int = knob(k.SHARE_INTENSITY, spoken=_intensity)
    reach: float = knob(k.SHARE_REACH, unit=0.01, spoken=f.share)
    neighbor_reach: float = knob(k.SHARE_REACH, unit=0.01, spoken=f.share)
    accepted: float = knob(k.SHARE_ACCEPTED)
    quantum: float = knob(k.SHARE_QUANTUM, unit=1e-3)
    switch: float = knob(k.SHARE_SWITCH, unit=1e-3)
    cut: str = choice(tuple(CUTS))
    need: float = knob(k.SHARE_NEED, unit=k.GB)
    other_need: float = knob(k.SHARE_OTHER_NEED, unit=k.GB)
    guard: str = choice(("none", "halves", "c2c", "pcie"))
    pairs: tuple[str, ...] = text(ALIKE, parse=parse, write=write, spoken=", ".join)

    @property
    def yours(self) -> Demand:
        """Demand of your job alone [1]."""
        return demand(self.intensity, self.reach)

    @property
    def other(self) -> Demand:
        """Demand of the neighbor alone [1]."""
        return demand(self.neighbor, self.neighbor_reach)

    @property
    def demanded(self) -> Demand:
        """Share of each resource that both jobs demand together [1]; above 1, both slow down."""
        return Demand(*map(add, self.yours, self.other))

    @property
    def bottleneck(self) -> dict[str, object]:
        """Share of the busier resource that both jobs demand [1], and its name, or both names."""
        highest = max(self.demanded)
        demanded = zip(RESOURCES, self.demanded, strict=True)
        names = [name for name, share in demanded if share > highest - TIE]
        return {"share": highest, "name": " and ".join(names)}

    @cached_property
    def speed(self) -> float:
        """Speed of each job on one GPU [1]."""
        return shared_speed(self.yours, self.other)

    @property
    def slowdown(self) -> float:
        """Time that each job takes on one GPU ÷ its time alone [1]."""
        return 1 / self.speed

    @property
    def race_end(self) -> float:
        """Time at which both progress bars are full when the jobs share one GPU [s]."""
        return self.slowdown * k.SHARE_RACE

    @property
    def throughput(self) -> float:
        """Work that one GPU does with both jobs, relative to one job alone [1]."""
        return 2 * self.speed

    @property
    def accepts(self) -> bool:
        """Whether the slowdown on one GPU is acceptable."""
        return self.slowdown <= self.accepted * (1 + TIE)

    @property
    def takes(self) -> str:
        """Run time of each job on one GPU, in words."""
        return longer(self.slowdown, self.accepted)

    @property
    def now(self) -> dict[str, object]:
        """Current time per job and total work, relative to one job alone [1].

        `accepted` is whether the time is, None without sharing; `words` writes the time.
        """
        values = {"time": 1.0, "work": 2.0, "accepted": None}
        if self.together:
            values = {"time": self.slowdown, "work": self.throughput, "accepted": self.accepts}
        return values | {"words": times(values["time"], self.accepted)}

    @property
    def turns(self) -> dict[str, float]:
        """Results of time slicing with two jobs.

        The useful share of the GPU's time [1], the wait for the next time slice [s], and the speed
        and the slowdown of each job [1].
        """
        useful, wait = time_slice(self.quantum, self.switch, 2)
        return {"useful": useful, "wait": wait, "speed": useful / 2, "slowdown": 2 / useful}

    @property
    def your_slice(self) -> dict[str, object]:
        """Properties of the MIG instance of your job, see `_slice`."""
        return _slice(CUTS[self.cut][0], self.yours)

    @property
    def other_slice(self) -> dict[str, object]:
        """Properties of the MIG instance of the neighbor, see `_slice`."""
        return _slice(CUTS[self.cut][1], self.other)

    @property
    def runs(self) -> dict[str, bool]:
        """Whether your job and its neighbor get memory; with unified memory, both do."""
        limits = [HALF, HALF] if self.guard == "halves" else None
        yours, other = fits([self.need, self.other_need], ALL, limits)
        linked = self.guard in LINKS
        return {"yours": linked or yours, "other": linked or other}

    @property
    def memory(self) -> dict[str, object]:
        """What happens to the neighbor, which starts second and finds your job's memory occupied.

        `needed` is the memory of both jobs, `left` what your job leaves, and `excess` what is
        missing [B]. If the excess is in host memory, the neighbor takes `spilled` times as long
        as with all memory on the GPU [1], since each step reads all of its memory once. `fate`
        is the result in words, and `good` whether it is acceptable.
        """
        needed = self.need + self.other_need
        link = LINKS.get(self.guard, k.SHARE_BANDWIDTH)
        excess = max(0.0, needed - ALL)
        spilled = 1 + excess / self.other_need * (k.SHARE_BANDWIDTH / link - 1)
        runs = self.runs["other"]
        fate = "runs" if runs else "fails"
        if spilled > 1:
            fate = longer(spilled)
        return {
            "needed": needed,
            "fits": not excess,
            "left": ALL - self.need,
            "excess": excess,
            "spilled": spilled,
            "fate": fate,
            "good": runs and spilled <= self.accepted,
        }

    @property
    def speeds(self) -> dict[str, float]:
        """Speed of every job of the puzzle [1]."""
        speeds = {}
        for pair in self.pairs:
            speeds |= speeds_of(pair)
        return speeds

    @property
    def total(self) -> float:
        """System throughput of the puzzle's four GPUs, the sum of all speeds [1]."""
        return sum(self.speeds.values())

    @property
    def score(self) -> dict[str, float]:
        """Results of the puzzle, and whether they reach its goals.

        The time of the chat job relative to alone, and the number of jobs `lost` for lack of
        memory [1]; then whether the throughput, the chat job, and all jobs meet their goals.
        """
        chat = 1 / self.speeds[CHAT]
        lost = list(self.speeds.values()).count(0)
        return {
            "chat": chat,
            "lost": lost,
            "enough": self.total >= k.SHARE_THROUGHPUT,
            "in_time": chat <= k.SHARE_CHAT_BOUND,
            "all": not lost,
        }

    @property
    def random_total(self) -> float:
        """Mean system throughput of the puzzle's GPUs over all ways to pair the jobs [1]."""
        # Each pair is in one of every len(NAMES) - 1 pairings.
        pairs = map("".join, combinations(NAMES, 2))
        return sum(sum(speeds_of(pair).values()) for pair in pairs) / (len(NAMES) - 1)


def _slice(name: str, job: Demand) -> dict[str, object]:
    """Return a MIG instance of an H100, a job's speed in it, and its time relative to alone [1].

    Its share of the GPU's multiprocessors differs from the sevenths in its name.
    """
    profile = profile_of(name, "H100-80GB")
    sms = getattr(k, f"SHARE_MULTIPROCESSORS_{profile.compute}G")
    compute = sms / k.SHARE_MULTIPROCESSORS / job.compute
    memory = profile.memory / k.SLICES_MEMORY / job.memory
    speed = _snapped(min(1.0, compute, memory))
    return {
        "name": profile.name,
        "multiprocessors": int(sms),
        "memory": profile.memory,
        "speed": speed,
        "takes": 1 / speed,
    }


def workshop(a_saw: float, a_bench: float, b_saw: float, b_bench: float) -> dict[str, float]:
    """Return how long two workers who share two tools take, relative to alone, and wrong answers.

    Each argument is the share of a worker's time, when alone, with one of the tools [1].
    """
    a = Demand(a_saw, a_bench)
    b = Demand(b_saw, b_bench)
    together, alike = (1 / min(corun(pair)) for pair in ((a, b), (a, a)))
    return {
        "together": together,
        "alike": alike,
        "alone": 1.0,
        "added": sum(a) + sum(b),
        "most": max(a_saw + b_saw, a_bench + b_bench),
    }


def times(ratio: float, accepted: float = 1.0) -> str:
    """Write a slowdown as "N times", with enough digits to tell it from 1 and the accepted one.

    >>> times(1.29484), times(1.0004), times(1.5001, 1.5), times(2), times(1)
    ('1.29 times', '1.0004 times', '1.5001 times', '2 times', '1.0 times')
    """
    number = max((f.apart(ratio, limit) for limit in (1.0, accepted)), key=len)
    return f"{'1.0' if number == '1' else number} times"


def longer(ratio: float, accepted: float = 1.0) -> str:
    """Write a job's run time as a multiple of its run time alone.

    >>> longer(1.2954), longer(1.0)
    ('1.3 times as long', 'as long as alone')
    """
    if ratio > 1:
        return f"{times(ratio, accepted)} as long"
    return "as long as alone"


say = Sentences(
    Sharing,
    formats={
        "times": times,
        "longer": longer,
        "tera": lambda value: f.significant(value / 1e12),
        "goal": lambda total: f.apart(total, k.SHARE_THROUGHPUT),
    },
)
