"""Replica that serves a language model: memory per token, slots, step time, and batching."""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import add

import numpy as np
import pandas as pd

from physics.arguments import (
    MANY,
    Count,
    Counts,
    Flag,
    LimitedCount,
    NonNegative,
    Numbers,
    Positive,
    elementwise,
    positive,
    within_range,
)

__all__ = [
    "Replica",
    "Served",
    "decode_step_time",
    "kv_bytes_per_token",
    "places",
    "serve",
    "serve_apart",
]

#: A weight takes part in one multiplication and one addition a token.
OPERATIONS_A_WEIGHT = 2


@elementwise
def kv_bytes_per_token(
    layers: Count, kv_heads: Count, head_size: Count, value_size: Positive = 2
) -> float:
    """Memory per token of context in the key-value cache [B].

    2 × layers × heads × head size × value size: a key and a value in each layer. With grouped
    queries there are fewer heads of keys and values than query heads; a value in half precision
    takes 2 bytes.

    Source: Kwon et al., "Efficient Memory Management for Large Language Model Serving with
    PagedAttention", SOSP 2023, section 3: 800 KiB a token for OPT-13B.

    >>> # Llama 2 with 7 and 70 billion parameters
    >>> kv_bytes_per_token(32, 32, 128), kv_bytes_per_token(80, 8, 128)
    (524288, 327680)
    """
    return 2 * layers * kv_heads * head_size * value_size


@elementwise
def places(memory: Positive, weights: NonNegative, kv_bytes: Positive, context: Positive) -> int:
    """Requests that fit into a GPU's memory at once, together with the model's weights [1].

    ⌊(memory − weights) ÷ (kv_bytes × context)⌋, at least 0, with `kv_bytes` a token [B] and a mean
    `context` of prompt and answer [tokens]. Activations, and pages that are only partly filled, are
    left out: an upper bound.

    >>> places(80e9, 14e9, 524_288, 2048)
    61
    """
    each = positive("kv_bytes × context", kv_bytes * context)
    return max(0, math.floor((memory - weights) / each))


@elementwise
def decode_step_time(
    batch: Count,
    context: NonNegative,
    weights: NonNegative,
    kv_bytes: Positive,
    parameters: Positive,
    bandwidth: Positive,
    compute: Positive,
) -> float:
    """Time of a step that gives each request of a batch its next token [s].

    max((weights + b × context × kv_bytes) ÷ bandwidth, 2 P b ÷ compute), with b requests of a mean
    `context` so far [tokens]; the rest as in `Replica`. A roofline, so a lower bound: weights are
    read once for the whole batch, caches once a request, and reading overlaps with arithmetic.
    Measured steps of Llama 2 7B on an A100 take 1.1 to 1.5 times as long with 128 tokens of prompt
    and 2,048 of answer, in batches of 1 to 64, and 2.0 to 2.2 times as long with short contexts
    (LMDeploy, "Benchmark on A100 (FP16)", version 0.1.0a1).

    Source: Williams, Waterman and Patterson, "Roofline", 2009; for transformers, Pope et al.,
    "Efficiently Scaling Transformer Inference", MLSys 2023, section 2.

    Llama 2 7B in half precision on an A100 with 2.039 TB/s and 312 TFLOP/s:

    >>> seconds = decode_step_time(1, 1152, 13.5e9, 524_288, 6.74e9, 2.039e12, 312e12)
    >>> round(seconds * 1e3, 2)  # milliseconds
    6.92
    """
    reading = (weights + batch * context * kv_bytes) / bandwidth
    return max(reading, OPERATIONS_A_WEIGHT * parameters * batch / compute)


@within_range
@dataclass(frozen=True)
class Replica:
    """GPU that serves one model."""

    weights: NonNegative  #: of the model [B]
    kv_bytes: Positive  #: of a token in the key-value cache [B]
    parameters: Positive  #: that a token passes [1]
    memory: Positive  #: of the GPU [B]
    bandwidth: Positive  #: of its memory [B/s]
    compute: Positive  #: arithmetic rate [FLOP/s]
    overlap: Flag = True  #: whether caches are read during the arithmetic and not after it

    @property
    def tokens(self) -> int:
        """Tokens of context that fit into the memory left by the weights."""
        return places(self.memory, self.weights, self.kv_bytes, 1)

    def step_time(self, read: float, new: float) -> float:
        """Time of a step that reads `read` tokens of cache and computes `new` tokens [s].

        With `overlap` all reading is hidden behind the arithmetic, or the other way around: a lower
        bound. Without it, attention reads the caches after the matrix products, as engines do:
        max(weights ÷ bandwidth, arithmetic) + caches ÷ bandwidth. Steps that only decode take the
        same time in both as long as reading the weights takes longer than the arithmetic.
        """
        arithmetic = OPERATIONS_A_WEIGHT * self.parameters * new / self.compute
        caches = read * self.kv_bytes
        if self.overlap:
            return max((self.weights + caches) / self.bandwidth, arithmetic)
        return max(self.weights / self.bandwidth, arithmetic) + caches / self.bandwidth


@dataclass(frozen=True)
class Served:
    """Results of a simulated replica."""

    #: a row each: arrival, first_token, end, and ttft, tpot, pause [s]; infinite if never served
    requests: pd.DataFrame
    #: a row each: start, duration [s], decoding, prompt_tokens, reserved [tokens], waiting
    steps: pd.DataFrame
    #: whether prompts were computed in steps of their own, in which no answer goes on
    whole_prompts: bool = True

    def token_times(self, request: int) -> np.ndarray:
        """Times at which one request gets the tokens of its answer, the first one included [s].

        `request` is its row in `requests`; empty if it is never served.

        >>> a100 = Replica(13.5e9, 524_288, 6.74e9, 80e9, 2.039e12, 312e12)
        >>> serve([0.0], [512], [3], a100).token_times(0).round(4).tolist()
        [0.0221, 0.0289, 0.0356]
        """
        served = self.requests.iloc[request]
        steps = self.steps
        if self.whole_prompts:
            steps = steps[steps["prompt_tokens"] == 0]
        ends = (steps["start"] + steps["duration"]).to_numpy()
        during = (steps["start"].to_numpy() >= served.first_token) & (ends <= served.end)
        if math.isinf(served.first_token):
            return np.array([])
        return np.concatenate([[served.first_token], ends[during]])


@within_range
def serve(
    arrivals: Numbers,
    prompts: Counts,
    answers: Counts,
    replica: Replica,
    *,
    chunk: Count | None = None,
    cached: Flag = False,
) -> Served:
    """Simulate a replica with continuous batching until its last answer: requests and steps [s].

    Args:
        arrivals: Times at which requests arrive, in order [s].
        prompts, answers: Tokens of each request's prompt and of its answer.
        replica: The GPU and the model.
        chunk: Most tokens a step computes: prompts are then cut and share steps with decoding. With
            as many requests decoding or more, a step computes one token of each and one of a prompt
            all the same. None computes whole prompts in steps of their own, and decoding waits for
            them.
        cached: Whether the caches of a prompt arrive with it, of all its tokens but the last, so
            that nothing else of it is computed.

    Returns: Requests with time to first token (ttft, from the arrival), time per further token
    (tpot), and the longest time between two tokens (pause), both NaN for answers of one token, and
    all steps. A request with more tokens than fit into the memory is never served.

    Requests are admitted in the order of arrival, between steps, each as soon as its prompt and its
    whole answer fit beside what is reserved; none is put out again. A step takes as long as
    `Replica.step_time` says of its tokens and of the cache that it reads; a prompt's own attention,
    quadratic in its length, is left out. With whole prompts every answer that meets a prompt pauses
    for at least that prompt's arithmetic, however many replicas share the requests; with chunks, a
    pause is a single step.

    Source: Yu et al., "Orca: A Distributed Serving System for Transformer-Based Generative Models",
    OSDI 2022 (continuous batching); Agrawal et al., "Taming Throughput-Latency Tradeoff in LLM
    Inference with Sarathi-Serve", OSDI 2024 (chunked prefill).

    >>> a100 = Replica(13.5e9, 524_288, 6.74e9, 80e9, 2.039e12, 312e12)
    >>> requests = serve([0, 0], [512, 512], [100, 100], a100).requests
    >>> requests.ttft.round(4).tolist(), requests.tpot.round(4).tolist()
    ([0.0442, 0.0442], [0.0069, 0.0069])
    """
    _check_requests(arrivals, prompts, answers)
    return _Batch(arrivals, prompts, answers, replica, chunk, cached).run()


@dataclass
class _Batch:
    """Requests of one replica: those to come, waiting, with a prompt to compute, and decoding."""

    arrivals: Numbers
    prompts: Counts
    answers: Counts
    replica: Replica
    chunk: int | None
    cached: bool
    waiting: deque[int] = field(default_factory=deque)
    # request, tokens of its prompt that are done
    prefilling: deque[list[int]] = field(default_factory=deque)
    decoding: dict[int, int] = field(default_factory=dict)  # tokens so far, by request
    reserved: int = 0  # tokens of memory

    def __post_init__(self) -> None:
        """Leave out requests that never fit, and set the times of what has not happened yet."""
        number = len(self.arrivals)
        self.needs = list(map(add, self.prompts, self.answers))
        self.room = self.replica.tokens
        self.coming = deque(i for i in range(number) if self.needs[i] <= self.room)
        # first token, end and latest token of each request [s]; longest time between two of them
        self.first = [math.inf] * number
        self.end = [math.inf] * number
        self.latest = [math.inf] * number
        self.pause = [0.0] * number

    def run(self) -> Served:
        """Compute step after step until the last answer ends."""
        clock = 0.0
        steps = []
        while self.coming or self.waiting or self.prefilling or self.decoding:
            self.admit(clock)
            if not self.prefilling and not self.decoding:
                clock = self.arrivals[self.coming[0]]
                continue
            answering: tuple[int, ...] = tuple(self.decoding)
            if self.chunk is None and self.prefilling:
                answering = ()
            read, prompt_tokens = self.prefill()
            for i in answering:
                read += self.decoding[i]
            duration = self.replica.step_time(read, prompt_tokens + len(answering))
            load = (len(self.decoding), prompt_tokens, self.reserved, len(self.waiting))
            steps.append((clock, duration, *load))
            clock += duration
            self.answer(answering, clock)
        requests = _table(self.arrivals, self.first, self.end, self.answers)
        is_paused = np.isfinite(requests["end"]) & requests["tpot"].notna()
        pauses = pd.Series(self.pause, dtype=float)
        requests["pause"] = pauses.where(is_paused, requests["tpot"])
        columns = ["start", "duration", "decoding", "prompt_tokens", "reserved", "waiting"]
        return Served(requests, pd.DataFrame(steps, columns=columns), self.chunk is None)

    def admit(self, clock: float) -> None:
        """Let requests in that have arrived, in order, as long as they fit into the memory."""
        coming = self.coming
        waiting = self.waiting
        while coming and self.arrivals[coming[0]] <= clock:
            waiting.append(coming.popleft())
        while waiting and self.reserved + self.needs[waiting[0]] <= self.room:
            request = waiting.popleft()
            self.reserved += self.needs[request]
            self.prefilling.append([request, self.prompts[request] - 1 if self.cached else 0])

    def prefill(self) -> tuple[int, int]:
        """Compute prompts for one step; return the tokens of cache read, and those computed."""
        budget = math.inf
        if self.chunk is not None:
            budget = max(1, self.chunk - len(self.decoding))
        read = 0
        prompt_tokens = 0
        for prefill in self.prefilling:
            request, done = prefill
            tokens = int(min(budget, self.prompts[request] - done))
            read += done
            prompt_tokens += tokens
            budget -= tokens
            prefill[1] += tokens
            if not budget:
                break
        return read, prompt_tokens

    def answer(self, answering: Sequence[int], clock: float) -> None:
        """Give each answer its next token, start those whose prompts are done, and end others."""
        decoding = self.decoding
        for i in answering:
            decoding[i] += 1
            self.pause[i] = max(self.pause[i], clock - self.latest[i])
            self.latest[i] = clock
        prefilling = self.prefilling
        while prefilling and prefilling[0][1] == self.prompts[prefilling[0][0]]:
            i = prefilling.popleft()[0]
            self.first[i] = self.latest[i] = clock
            decoding[i] = self.prompts[i] + 1
        for i in [i for i, tokens in decoding.items() if tokens == self.needs[i]]:
            del decoding[i]
            self.end[i] = clock
            self.reserved -= self.needs[i]


@within_range
def serve_apart(
    arrivals: Numbers,
    prompts: Counts,
    answers: Counts,
    replica: Replica,
    *,
    prompt_gpus: LimitedCount,
    answer_gpus: LimitedCount,
    link: Positive,
) -> pd.DataFrame:
    """Table of requests if some GPUs compute prompts and others write answers [s].

    Its columns are those of `Served.requests`. A prompt GPU computes all prompts that wait, whole,
    and each of them has its first token then. Its caches move at the rate `link` [B/s], each
    request's by itself, to the GPU that writes the rest. In both pools requests take turns over the
    GPUs in the order in which they come.

    No prompt ever stops an answer; but GPUs of one kind cannot help the other, so that the split
    has to fit the load.

    Source: Zhong et al., "DistServe: Disaggregating Prefill and Decoding for Goodput-optimized
    Large Language Model Serving", OSDI 2024.

    >>> h100 = Replica(16.06e9, 131_072, 8.03e9, 80e9, 3.35e12, 989e12)
    >>> apart = serve_apart([0.0], [4000], [200], h100, prompt_gpus=1, answer_gpus=1, link=50e9)
    >>> apart.ttft.round(3).tolist(), apart.pause.round(4).tolist()
    ([0.065], [0.0154])
    """
    _check_requests(arrivals, prompts, answers)
    arrival = np.asarray(arrivals, dtype=float)
    prompt = np.array(prompts, dtype=float)
    answer = np.array(answers, dtype=float)
    is_longer = answer > 1  # than the first token, which the prompt's GPU writes
    first = np.full(len(arrival), math.inf)
    for turn in range(min(prompt_gpus, len(arrival))):
        gpu = slice(turn, None, prompt_gpus)
        single_tokens = [1] * len(first[gpu])
        served = serve(arrival[gpu].tolist(), prompt[gpu].tolist(), single_tokens, replica)
        first[gpu] = served.requests["first_token"]
    end = np.where(is_longer, math.inf, first)
    pause = np.where(is_longer, math.inf, math.nan)
    moved = first + prompt * replica.kv_bytes / link
    order = np.argsort(moved, kind="stable")
    order = order[(is_longer & np.isfinite(moved))[order]]
    for turn in range(min(answer_gpus, len(order))):
        rows = order[turn::answer_gpus]
        # The second token is computed from the first one and the caches of the prompt.
        further = serve(
            moved[rows].tolist(),
            (prompt[rows] + 1).tolist(),
            (answer[rows] - 1).tolist(),
            replica,
            chunk=MANY,
            cached=True,
        ).requests
        end[rows] = further["end"]
        pause[rows] = np.fmax(further["first_token"] - first[rows], further["pause"])
    return _table(arrival, first, end, answer).assign(pause=pause)


def _table(arrivals: Numbers, first: Numbers, end: Numbers, answers: Numbers) -> pd.DataFrame:
    """Requests with their time to first token, and time per further token [s]."""
    table = pd.DataFrame({"arrival": arrivals, "first_token": first, "end": end})
    table["ttft"] = table["first_token"] - table["arrival"]
    # Who is never served has no first token.
    writing = (table["end"] - table["first_token"]).fillna(math.inf)
    table["tpot"] = writing / pd.Series(answers).sub(1).replace(0, math.nan)
    return table


def _check_requests(arrivals: Numbers, prompts: Counts, answers: Counts) -> None:
    """Raise ValueError unless requests arrive in order and each has a prompt and an answer."""
    if not len(arrivals) == len(prompts) == len(answers) or (np.diff(arrivals) < 0).any():
        raise ValueError("arrivals must be in order, with one prompt and one answer each")
