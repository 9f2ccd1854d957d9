"""A serving replica: formulas by hand and beside a published benchmark, and the simulation against
both.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import lesson_cases, needs_lesson_cases

from physics import constants as k
from physics import serving
from physics.numerics import mean_interval
from physics.serving import Replica, decode_step_time, kv_bytes_per_token, serve, serve_apart

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


# --- pauses ---
H100 = Replica(
    weights=2 * k.STUTTER_PARAMETERS,
    kv_bytes=kv_bytes_per_token(k.STUTTER_LAYERS, k.STUTTER_KV_HEADS, k.STUTTER_HEAD_SIZE),
    parameters=k.STUTTER_PARAMETERS,
    memory=k.STUTTER_MEMORY,
    bandwidth=k.STUTTER_BANDWIDTH,
    compute=k.STUTTER_COMPUTE,
)
PROMPT_TIME = 2 * 8.03e9 * 4000 / 989e12  # 65 ms of arithmetic


@needs_lesson_cases
def test_all_reference_cases_agree():
    cases = lesson_cases("A", "serve", "pause", "decode_step_time", "kv_bytes_per_token")
    assert len(cases) == 19
    for case in cases:
        arguments = dict(case["arguments"])
        expected = case["expected"]
        if "replica" not in arguments:
            function = getattr(serving, case["function"].rpartition(".")[2])
            assert function(**arguments) == pytest.approx(expected, rel=case["rel"]), case["id"]
            continue
        served = serve(**(arguments | {"replica": Replica(**arguments["replica"])}))
        if isinstance(expected, list):
            expected = {"pause": expected}
        for name, values in expected.items():
            if name == "steps":
                assert len(served.steps) == values, case["id"]
            else:
                result = served.requests[name].to_numpy()
                values = np.array(values, dtype=float)
                assert np.allclose(result, values, case["rel"], 0, equal_nan=True), case["id"]


@needs_lesson_cases
def test_random_requests_pause_as_long_as_in_the_reference_simulation():
    case = lesson_cases("A", "serve (statistical)")[0]
    means = []
    for seed in range(6):
        gaps = np.random.default_rng(seed).exponential(1 / 4, 1000)
        requests = serve(np.cumsum(gaps), [4000] * 1000, [200] * 1000, H100).requests[200:]
        means.append(requests[["ttft", "tpot", "pause"]].mean().tolist())
    expected = [case["expected"][name] for name in ("ttft", "tpot", "maxgap")]
    for values, value in zip(np.transpose(means), expected, strict=True):
        mean, half = mean_interval(values.tolist(), 0.999)
        assert abs(mean - value) <= half and half < 0.2 * value


@given(REQUESTS, CHUNKS, st.booleans())
def test_an_answer_has_as_many_tokens_as_it_is_long_and_its_pause_is_their_longest_gap(
    requests, chunk, overlap
):
    gaps, prompts, answers = zip(*requests, strict=True)
    served = serve(np.cumsum(gaps), prompts, answers, replace(LLAMA, overlap=overlap), chunk=chunk)
    for request, answer in enumerate(answers):
        times = served.token_times(request)
        row = served.requests.iloc[request]
        assert len(times) == answer and times[-1] == row.end
        if answer == 1:
            assert np.isnan(row.pause)
        else:
            assert row.pause == pytest.approx(np.diff(times).max())
            assert row.pause >= row.tpot * (1 - 1e-9)


def test_a_request_that_is_never_served_pauses_for_ever_and_gets_no_token():
    served = serve([0.0, 0.0], [10**6, 100], [5, 5], LLAMA)
    assert served.requests.pause[0] == np.inf and np.isfinite(served.requests.pause[1])
    assert len(served.token_times(0)) == 0 and len(served.token_times(1)) == 5


def steady(chunk, gpus=1, overlap=True, requests=400):
    """First token, pace, and pause of each answer in a run of the message, the first left out
    [s].
    """
    arrivals = np.cumsum(np.random.default_rng(1).exponential(1 / k.STUTTER_RATE, requests * gpus))
    replica = replace(H100, overlap=overlap)
    served = serve(arrivals[::gpus], [4000] * requests, [200] * requests, replica, chunk=chunk)
    return served.requests[50:]


def test_nobody_who_meets_a_whole_prompt_pauses_for_less_than_it_whatever_the_number_of_gpus():
    for gpus in (1, 2, 4, 8):
        pauses = steady(None, gpus).pause
        met = pauses > 0.02  # nobody is interrupted by less than a prompt
        assert pauses[met].min() >= PROMPT_TIME * (1 - 1e-9) and met.any()
    assert steady(None, 4).pause.mean() == pytest.approx(0.069, rel=0.1)


@pytest.mark.parametrize("overlap", [True, False])
def test_a_piece_bounds_the_pause_by_one_step_and_makes_the_first_token_later(overlap):
    whole = steady(None, overlap=overlap)
    cut = steady(512, overlap=overlap)
    pieces = 512 * 2 * 8.03e9 / 989e12
    longest = {True: pieces * 1.05, False: 0.014}[overlap]
    assert cut.pause.max() <= longest < whole.pause.mean() / 20
    if not overlap:
        assert cut.ttft.mean() > 1.5 * whole.ttft.mean()


def test_without_overlap_a_step_is_never_shorter_and_decoding_alone_takes_the_same():
    apart = replace(H100, overlap=False)
    for read, new in ((0, 1), (4000, 1), (40_000, 16), (40_000, 2048), (0, 4000)):
        together = H100.step_time(read, new)
        assert together <= apart.step_time(read, new) <= 2 * together
    assert apart.step_time(40_000, 16) == pytest.approx(H100.step_time(40_000, 16))
    assert apart.step_time(40_000, 2048) > 1.04 * H100.step_time(40_000, 2048)


def test_a_piece_of_295_tokens_takes_as_long_as_reading_the_weights():
    knee = H100.weights / H100.bandwidth / (2 * H100.parameters / H100.compute)
    assert knee == pytest.approx(295, abs=0.5)


# --- separate GPUs for prompts and answers ---
def apart(rate, prompt_gpus, answer_gpus, requests=1500):
    arrivals = np.cumsum(np.random.default_rng(1).exponential(1 / rate, requests))
    pools = {"prompt_gpus": prompt_gpus, "answer_gpus": answer_gpus, "link": 50e9}
    return serve_apart(arrivals, [4000] * requests, [200] * requests, H100, **pools)[200:]


def test_a_request_by_itself_takes_its_prompt_then_the_move_then_its_steps():
    pools = {"prompt_gpus": 1, "answer_gpus": 1, "link": 50e9}
    moving = 4000 * H100.kv_bytes / 50e9
    by_itself = serve([0.0], [4000], [50], H100).requests
    table = serve_apart([0.0], [4000], [50], H100, **pools)
    assert table.ttft[0] == pytest.approx(PROMPT_TIME) == by_itself.ttft[0]
    # Both read all but the newest token, which is the one that is computed on.
    assert table.end[0] - moving == pytest.approx(by_itself.end[0], rel=1e-4)
    assert table.pause[0] == pytest.approx(moving + H100.step_time(4000, 1))


@given(REQUESTS, st.integers(1, 3), st.integers(1, 3), st.integers(500, 9000))
def test_apart_every_request_that_fits_is_served_and_no_token_comes_before_the_first(
    requests, prompt_gpus, answer_gpus, room
):
    replica = replace(LLAMA, memory=LLAMA.weights + room * LLAMA.kv_bytes)
    gaps, prompts, answers = zip(*requests, strict=True)
    pools = {"prompt_gpus": prompt_gpus, "answer_gpus": answer_gpus, "link": 1e9}
    table = serve_apart(np.cumsum(gaps), prompts, answers, replica, **pools)
    fits = np.add(prompts, answers) <= replica.tokens
    assert (np.isfinite(table.end) == fits).all()
    assert (table.end >= table.first_token)[fits].all() and (table.ttft > 0).all()
    several = np.array(answers) > 1
    assert (table.pause.isna() == ~several).all()
    moving = np.array(prompts) * replica.kv_bytes / 1e9
    assert (table.pause >= moving)[several].all()


def test_apart_no_answer_stops_for_a_prompt_and_a_split_that_does_not_fit_the_load_falls_behind():
    fit = apart(24, 3, 2)
    assert fit.pause.max() < PROMPT_TIME and fit.ttft.mean() < 0.08
    assert fit.tpot.mean() == pytest.approx(0.008, rel=0.05)
    wrong = apart(24, 1, 4)
    assert wrong.ttft.mean() > 100 * fit.ttft.mean()
    # Prompts take 65 ms and come every 42 ms: the one GPU computes them without a break.
    assert wrong.first_token.max() == pytest.approx(1500 * PROMPT_TIME, rel=0.01)
