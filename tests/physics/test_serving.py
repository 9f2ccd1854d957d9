"""A serving replica: formulas by hand and beside a published benchmark, and the simulation against
both.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.serving import Replica, decode_step_time, kv_bytes_per_token, serve

LLAMA = Replica(
    weights=13.48e9,
    kv_bytes=524_288,
    parameters=6.74e9,
    memory=80e9,
    bandwidth=2.039e12,
    compute=312e12,
)
MODEL = {
    name: getattr(LLAMA, name)
    for name in ("weights", "kv_bytes", "parameters", "bandwidth", "compute")
}


def test_a_token_of_opt_13b_takes_the_published_800_kib_and_a_request_1_6_gib():
    each = kv_bytes_per_token(40, 40, 128)
    assert kv_bytes_per_token(40, 40, 128, 1) == each / 2
    assert each == 800 * 1024 and 2048 * each / 2**30 == pytest.approx(1.6, abs=0.05)


def test_measured_steps_take_1_1_to_1_5_times_the_bound():
    # LMDeploy 0.1.0a1, A100-80G, llama2-7b, tp 1, 128 tokens of prompt, 2,048 of answer: median
    # time per token [s].
    measured = {1: 0.010, 16: 0.015, 32: 0.021, 64: 0.030}
    ratios = [
        step / decode_step_time(batch, 128 + 1024, **MODEL) for batch, step in measured.items()
    ]
    assert all(1.1 < ratio < 1.5 for ratio in ratios)


def test_doubling_a_small_batch_costs_hardly_any_time_and_doubling_beyond_the_knee_twice_as_much():
    one, two, knee = (decode_step_time(batch, 200, **MODEL) for batch in (1, 2, 128))
    assert two < 1.01 * one and knee < 2.1 * one
    lean = MODEL | {
        "kv_bytes": 1.0
    }  # hardly any cache: the knee is where arithmetic takes as long as the weights
    batch = round(LLAMA.weights / LLAMA.bandwidth * LLAMA.compute / (2 * LLAMA.parameters))
    assert decode_step_time(batch // 2, 1, **lean) == pytest.approx(
        decode_step_time(1, 1, **lean), rel=1e-4
    )
    assert decode_step_time(4 * batch, 1, **lean) == pytest.approx(
        2 * decode_step_time(2 * batch, 1, **lean)
    )


@pytest.mark.parametrize(("batch", "prompt", "answer"), [(1, 1000, 50), (8, 300, 20)])
def test_equal_requests_are_served_as_one_batch_a_step_a_token_after_their_prompts(
    batch, prompt, answer
):
    found = serve([1.0] * batch, [prompt] * batch, [answer] * batch, LLAMA).requests
    by_hand = sum(decode_step_time(batch, prompt + done, **MODEL) for done in range(1, answer))
    assert found.ttft.max() == pytest.approx(2 * 6.74e9 * batch * prompt / 312e12)
    assert (found.end - found.first_token).to_numpy() == pytest.approx(by_hand)
    assert found.tpot.to_numpy() == pytest.approx(by_hand / (answer - 1))


def test_a_full_replica_serves_one_batch_after_the_other():
    small = replace(LLAMA, memory=LLAMA.weights + 2.5 * 320 * LLAMA.kv_bytes)  # two places
    served = serve([0.0] * 4, [300] * 4, [20] * 4, small)
    ends = served.requests.end.round(9)
    assert (
        ends.nunique() == 2 and served.steps.decoding.max() == 2 and served.steps.waiting.max() == 2
    )
    assert (served.requests.first_token[2:] > ends[0]).all()


REQUESTS = st.lists(
    st.tuples(st.floats(0, 0.2), st.integers(1, 3000), st.integers(1, 60)), min_size=1, max_size=12
)
CHUNKS = st.one_of(st.none(), st.integers(1, 600))


@given(REQUESTS, CHUNKS, st.integers(500, 9000))
def test_requests_in_service_obey_little_and_no_memory_is_lent_twice(requests, chunk, room):
    replica = replace(LLAMA, memory=LLAMA.weights + room * LLAMA.kv_bytes)
    gaps, prompts, answers = zip(*requests, strict=True)
    served = serve(np.cumsum(gaps), prompts, answers, replica, chunk=chunk)
    done = served.requests
    steps = served.steps
    fits = [
        prompt + answer <= replica.tokens for prompt, answer in zip(prompts, answers, strict=True)
    ]
    assert (np.isfinite(done.end) == fits).all() and (steps.reserved <= replica.tokens).all()
    ended = done[fits]
    # Mean number that decode × time = number served × mean time in decoding.
    assert (steps.decoding * steps.duration).sum() == pytest.approx(
        (ended.end - ended.first_token).sum()
    )
    assert steps.prompt_tokens.sum() == sum(p for p, fit in zip(prompts, fits, strict=True) if fit)
    assert (ended.first_token > ended.arrival).all() and (
        ended.first_token.diff().dropna() >= 0
    ).all()


def test_chunks_let_decoding_go_on_while_a_long_prompt_is_read():
    arrivals = [0.0, 0.2]
    prompts = [100, 20_000]
    answers = [200, 5]
    whole, cut = (
        serve(arrivals, prompts, answers, LLAMA, chunk=chunk).requests for chunk in (None, 512)
    )
    assert cut.tpot[0] < whole.tpot[0] and cut.ttft[1] > whole.ttft[1]


def test_a_chunk_no_smaller_than_all_prompts_computes_the_same_tokens_in_one_step():
    found = serve([0.0], [700], [3], LLAMA, chunk=700).requests
    assert found.ttft[0] == serve([0.0], [700], [3], LLAMA).requests.ttft[0]
