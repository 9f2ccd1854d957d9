"""Stuttering answers: a chat service on GPUs, and a simulated run of it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import pandas as pd

from physics import constants as k
from physics.serving import Replica, Served, kv_bytes_per_token, serve, serve_apart
from ui.base import format as f
from ui.base.sentences import Sentences
from ui.knobs import choice, knob

#: Options for the maximum number of tokens per step; `WHOLE` leaves prompts whole.
PIECES = (4096, 2048, 1536, 1024, 768, 512, 384, 256, 128)
WHOLE = "whole"
#: Seed of the arrival times. At the message's rate, the means of this run are within 4% of those of
#: runs that are forty times as long; a test compares them.
SEED = 18
#: Requests at the start of a run that are not counted.
SKIPPED = int(k.STUTTER_SKIPPED)
#: The queue of prompts grows if, in the last quarter of the requests, the mean time to first token
#: is longer than this [s] and more than twice as long as in the first quarter.
GROWING = 1.0


def draw_arrivals(rate: float, requests: int) -> np.ndarray:
    """Draw the arrival times of questions uniformly [s]."""
    times = np.random.default_rng(SEED).uniform(0, requests / rate, requests)
    return np.sort(times)


@dataclass(frozen=True)
class Means:
    """Means over the answers of a run, and whether the queue of prompts grows."""

    stop: float  #: longest time between two tokens of an answer [s]
    first: float  #: time from the question to the first token of the answer [s]
    pace: float  #: time per further token [s]
    grows: bool

    @property
    def first_words(self) -> str:
        """Time to the first token, in words."""
        if self.grows:
            return "grows"
        return f.duration(self.first)


def mean_of(requests: pd.DataFrame) -> Means:
    """Return the means over a table of requests, without the first ones."""
    counted = requests[SKIPPED:]
    quarter = len(counted) // 4
    early = counted["ttft"][:quarter].mean()
    late = counted["ttft"][-quarter:].mean()
    return Means(
        float(counted["pause"].mean()),
        float(counted["ttft"].mean()),
        float(counted["tpot"].mean()),
        bool(late > max(GROWING, 2 * early)),
    )


@lru_cache(maxsize=32)
def simulate(chat: "Chat") -> Served:
    """Simulate one GPU with its share of the questions; do not modify the result."""
    requests = int(k.STUTTER_REQUESTS)
    arrivals = draw_arrivals(chat.rate, requests * chat.gpus)[:: chat.gpus]
    prompts = [chat.prompt] * requests
    answers = [chat.answer] * requests
    return serve(arrivals, prompts, answers, chat.replica, chunk=chat.most_tokens)


@lru_cache(maxsize=1024)
def simulated_means(chat: "Chat") -> Means:
    """Return the means of the simulated GPU's answers."""
    return mean_of(simulate(chat).requests)


@lru_cache(maxsize=128)
def apart_means(chat: "Chat", prompt_gpus: int) -> Means:
    """Return the means if some GPUs compute prompts and the others write answers."""
    requests = 2 * int(k.STUTTER_REQUESTS)
    arrivals = draw_arrivals(chat.rate, requests)
    table = serve_apart(
        arrivals,
        [chat.prompt] * requests,
        [chat.answer] * requests,
        chat.replica,
        prompt_gpus=prompt_gpus,
        answer_gpus=chat.gpus - prompt_gpus,
        link=k.STUTTER_LINK,
    )
    return mean_of(table)


@dataclass(frozen=True)
class Chat:
    """Questions, GPUs, and the number of tokens per step."""

    page: ClassVar[str] = "stuttering_answers"

    piece: str = choice(
        {WHOLE: "whole prompts"} | {str(size): f"at most {size:,}" for size in PIECES}
    )
    rate: float = knob(k.STUTTER_RATE, spoken="question")
    prompt: int = knob(k.STUTTER_PROMPT, spoken="token")
    answer: int = knob(k.STUTTER_ANSWER, spoken="token")
    gpus: int = knob(k.STUTTER_GPUS, spoken="GPU")
    bandwidth: float = knob(k.STUTTER_BANDWIDTH, unit=1e12, spoken=f.data_rate)
    prompt_gpus: int = knob(k.STUTTER_PROMPT_GPUS, spoken="GPU")

    @property
    def replica(self) -> Replica:
        """Model of one GPU, which reads its caches after the arithmetic, not at the same time."""
        value_size = 2  # half precision [B]
        return Replica(
            weights=value_size * k.STUTTER_PARAMETERS,
            kv_bytes=kv_bytes_per_token(
                int(k.STUTTER_LAYERS), int(k.STUTTER_KV_HEADS), int(k.STUTTER_HEAD_SIZE)
            ),
            parameters=k.STUTTER_PARAMETERS,
            memory=k.STUTTER_MEMORY,
            bandwidth=self.bandwidth,
            compute=k.STUTTER_COMPUTE,
            overlap=False,
        )

    @property
    def most_tokens(self) -> int | None:
        """Maximum number of tokens per step; None if prompts are not split."""
        if self.piece == WHOLE:
            return None
        return int(self.piece)

    #: Means of the simulated GPU's answers.
    now = property(simulated_means)

    @property
    def tokens_per_second(self) -> float:
        """Tokens per second that a reader gets while the answer is written [1/s]."""
        return 1 / self.now.pace

    @property
    def prompt_time(self) -> float:
        """Time of one whole prompt on a GPU [s]."""
        return self.replica.step_time(0, self.prompt)

    @property
    def token_arithmetic(self) -> float:
        """Arithmetic time of one token of a prompt [s]."""
        return 2 * k.STUTTER_PARAMETERS / k.STUTTER_COMPUTE

    @property
    def prompt_share(self) -> float:
        """Share of a GPU's time for the arithmetic of prompts [1]; above 1 it is overloaded."""
        return self.rate / self.gpus * self.prompt * self.token_arithmetic

    @property
    def weights_time(self) -> float:
        """Time to read the model's weights on a GPU [s]."""
        return self.replica.weights / self.bandwidth

    @property
    def knee(self) -> float:
        """Number of prompt tokens whose arithmetic takes as long as reading the weights [1]."""
        return self.weights_time / self.token_arithmetic

    @property
    def attention_share(self) -> float:
        """Arithmetic of a prompt's attention, which is neglected, relative to its other one [1]."""
        width = 4 * k.STUTTER_KV_HEADS * k.STUTTER_HEAD_SIZE  # four queries share a key and a value
        return k.STUTTER_LAYERS * width * self.prompt / k.STUTTER_PARAMETERS

    @property
    def calm(self) -> bool:
        """Whether the mean longest pause is within the challenge's limit."""
        return self.now.stop <= k.STUTTER_PAUSE_TARGET

    @property
    def prompt_answer(self) -> bool:
        """Whether the mean time to first token is within the challenge's limit."""
        return self.now.first <= k.STUTTER_FIRST_TARGET

    @property
    def apart(self) -> Means:
        """Means if some GPUs compute prompts and the others write answers."""
        return apart_means(self, self.prompt_gpus)

    @property
    def answer_gpus(self) -> int:
        """GPUs that write answers if the others compute the prompts."""
        return self.gpus - self.prompt_gpus

    @property
    def pool_load(self) -> float:
        """Share of the prompt GPUs' time for prompts [1]; above 1 they are overloaded."""
        return self.rate * self.prompt * self.token_arithmetic / self.prompt_gpus

    @property
    def moving(self) -> float:
        """Time to move the caches of a prompt to another GPU [s]."""
        return self.prompt * self.replica.kv_bytes / k.STUTTER_LINK


def counter(letter: float, parts: int, clerks: int) -> dict[str, float]:
    """Return how long a letter occupies a typist: whole, in parts, or among several [s].

    `letter` is the time for the whole letter [min].
    """
    whole = letter * k.MINUTE
    return {
        "whole": whole,
        "part": whole / parts,
        "divided": whole / clerks,
        "rest": whole - whole / clerks,
        "half": whole / 2,
        "twice": whole * 2,
        "more": clerks - 1,
    }


say = Sentences(
    Chat, formats={"ms": lambda time, digits=3: f"{f.significant(time * 1e3, digits)} ms"}
)
