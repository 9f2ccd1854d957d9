"""Sharing a GPU: a pair of jobs on one device, and eight jobs to be paired by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from physics import constants as k
from physics.gpu_sharing import Demand, corun, roofline_demand, time_slice
from physics.slicing import Profile, profile_of
from ui.base import format as f
from ui.knobs import Group, choice, knob

#: Arithmetic intensities that a knob can take [FLOP/B].
INTENSITIES = (1, 2, 4, 8, 16, 32, 64, 128, 200, 256, 300, 350, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 4000)
#: A share or a slowdown this close to its limit is at it: what parts the two is the rounding of floating point.
TIE = 1e-9
RESOURCES = ("compute", "memory bandwidth")
#: Instances for your job and for its neighbor, by the id of a cut.
CUTS: Mapping[str, tuple[str, str]] = {
    "neighbor_more": ("3g.40gb", "4g.40gb"),
    "half": ("3g.40gb", "3g.40gb"),
    "you_more": ("4g.40gb", "3g.40gb"),
    "neighbor_most": ("2g.20gb", "4g.40gb"),
    "you_most": ("4g.40gb", "2g.20gb"),
}
WAYS = Group("Turns and slices", ":material/pie_chart:", "Knobs of “Three ways” and of the film.")
PUZZLE = Group("Pairing puzzle", ":material/extension:", "The GPU of each of the eight jobs of “Puzzle”.")
LETTERS = "ABCDEFGH"
GPUS = {str(gpu): f"GPU {gpu}" for gpu in (1, 2, 3, 4)}


def _intensity(value: float) -> str:
    return f"{f.significant(value, 4)} FLOP/B"


def _reach(whose: str, change: str):
    return knob(
        k.SHARE_REACH,
        f"{whose} reaches (%)",
        unit=0.01,
        help="Share of what the roofline allows that the job reaches alone; small kernels and latency keep it lower.",
        change=change,
        spoken=f.share,
    )


def _gpu(letter: str, name: str, default: str):
    return choice(
        GPUS, f"{letter}: {name}", help="The GPU that this job runs on.", default=default, segmented=True, group=PUZZLE
    )


@lru_cache(maxsize=4096)
def demand(intensity: float, reach: float) -> Demand:
    """What a job uses of an H100 alone: its share of the roofline, on both resources."""
    whole = roofline_demand(intensity, float(k.SHARE_PEAK), float(k.SHARE_BANDWIDTH))
    return Demand(whole.compute * reach, whole.memory * reach)


def snapped(speed: float) -> float:
    """A speed that is full but for rounding is full."""
    return 1.0 if speed > 1 - TIE else speed


@dataclass(frozen=True)
class Sharing:
    """Two jobs on one GPU, ways to share it, and who is on which GPU in the puzzle; all SI."""

    page: ClassVar[str] = "gpu_sharing"

    intensity: int = knob(k.SHARE_INTENSITY, positions=INTENSITIES, spoken=_intensity)
    reach: float = _reach("Your job", "let your job reach only {} of the roofline")
    neighbor: int = knob(k.SHARE_NEIGHBOR, positions=INTENSITIES, spoken=_intensity)
    neighbor_reach: float = _reach("Its neighbor", "let the neighbor reach only {} of the roofline")
    accepted: float = knob(k.SHARE_ACCEPTED)
    quantum: float = knob(k.SHARE_QUANTUM, unit=1e-3, group=WAYS)
    switch: float = knob(k.SHARE_SWITCH, unit=1e-3, group=WAYS)
    cut: str = choice(
        {name: f"{one.split('.')[0]} for you, {other.split('.')[0]} beside" for name, (one, other) in CUTS.items()},
        group=WAYS,
    )
    job_a: str = _gpu("A", "chat (32 FLOP/B, 80 %)", "1")
    job_b: str = _gpu("B", "decoding (64, 100 %)", "1")
    job_c: str = _gpu("C", "decoding (128, 70 %)", "2")
    job_d: str = _gpu("D", "decoding (16, 90 %)", "2")
    job_e: str = _gpu("E", "training (1,000, 100 %)", "3")
    job_f: str = _gpu("F", "training (600, 90 %)", "3")
    job_g: str = _gpu("G", "training (2,000, 80 %)", "4")
    job_h: str = _gpu("H", "fine-tuning (400, 40 %)", "4")

    @property
    def yours(self) -> Demand:
        """What your job uses alone."""
        return demand(self.intensity, self.reach)

    @property
    def other(self) -> Demand:
        """What its neighbor uses alone."""
        return demand(self.neighbor, self.neighbor_reach)

    @cached_property
    def speed(self) -> float:
        """Speed of each when both run at once: both use both resources, so both stop where the first is full [1]."""
        return snapped(min(corun([self.yours, self.other])))

    @property
    def slowdown(self) -> float:
        """Time that each takes for a second of its work alone [1]."""
        return 1 / self.speed

    @property
    def asked(self) -> Demand:
        """Shares that both ask for at full speed, together; above 1 is more than there is [1]."""
        return Demand(*(mine + theirs for mine, theirs in zip(self.yours, self.other, strict=True)))

    @property
    def used(self) -> Demand:
        """Shares in use when both run at once [1]."""
        return Demand(*(min(1.0, asked * self.speed) for asked in self.asked))

    @property
    def fullest(self) -> tuple[str, ...]:
        """The resource that most is asked of; both, on a tie."""
        most = max(self.asked)
        return tuple(name for name, asked in zip(RESOURCES, self.asked, strict=True) if asked > most - TIE)

    @property
    def accepts(self) -> bool:
        """Whether the slowdown is within what is accepted."""
        return self.slowdown <= self.accepted * (1 + TIE)

    @property
    def turns(self) -> tuple[float, float]:
        """Useful share of the time when both take turns [1], and how long each waits for its turn [s]."""
        return time_slice(self.quantum, self.switch, 2)

    @property
    def turn_speed(self) -> float:
        """Speed of each when both take turns: half of the useful time [1]."""
        return self.turns[0] / 2

    @property
    def instances(self) -> tuple[Profile, Profile]:
        """The two instances of the cut: yours and the neighbor's."""
        one, other = CUTS[self.cut]
        return profile_of(one, "H100-80GB"), profile_of(other, "H100-80GB")

    @property
    def slice_speeds(self) -> tuple[float, float]:
        """Speed of each in an instance of its own, whatever the other does [1]."""
        mine, theirs = self.instances
        return in_instance(self.yours, mine), in_instance(self.other, theirs)

    @property
    def placed(self) -> dict[str, list[str]]:
        """The letters of the puzzle's jobs by GPU."""
        return {gpu: [name for name in LETTERS if getattr(self, f"job_{name.lower()}") == gpu] for gpu in GPUS}


def multiprocessors(instance: Profile) -> int:
    """Number of multiprocessors in an instance [1]; fewer or more than its nominal sevenths of the device."""
    return int(getattr(k, f"SHARE_MULTIPROCESSORS_{instance.compute}G"))


def in_instance(job: Demand, instance: Profile) -> float:
    """Speed of a job in an instance: it has so many of the multiprocessors and of eight parts of the bandwidth [1]."""
    compute, memory = multiprocessors(instance) / k.SHARE_MULTIPROCESSORS, instance.memory / k.SLICES_MEMORY
    return snapped(min(1.0, compute / job.compute, memory / job.memory))
