"""Stuttering answers: every number of its words, the laws behind its verdicts, and the one winner
of its challenge.
"""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from lessons import STUTTERING_ANSWERS as LESSON
from lessons.stuttering_answers import apart, film, pieces, strip
from lessons.stuttering_answers.settings import PIECES, SKIPPED, WHOLE, Chat, counter, say, simulate
from physics import constants as k
from physics.numerics import mean_interval
from physics.serving import serve
from ui.base.words import fill
from ui.charts import Look
from ui.knobs.declared import read

STORY = Chat()
CUT = Chat(piece="512")
LIVE = LESSON.values(STORY)
WIN = Chat(piece="1024", rate=7.5)
POOLS = Chat(rate=20.0, gpus=5)


def feedback(option: str) -> str:
    return fill(LESSON.prediction.option(option).feedback, LIVE)


# The message, its question, and what is found


def test_the_default_settings_are_the_messages_case():
    message = LESSON.message
    assert "8 questions per second on one GPU" in message and "4,000 tokens each" in message
    assert (STORY.rate, STORY.gpus, STORY.prompt, STORY.piece) == (8, 1, 4000, WHOLE)
    assert "40 tokens per second" in message
    assert STORY.tokens_per_second == pytest.approx(40, abs=0.5)
    assert "half a second" in message and STORY.now.stop == pytest.approx(0.5, rel=0.1)


def test_cut_prompts_make_the_longest_stop_shortest_and_four_gpus_leave_that_of_one_prompt():
    stops = {}
    for option in LESSON.prediction.options:
        stops[option.id] = replace(STORY, **option.test.settings).now.stop
    assert min(stops, key=stops.get) == "c" and stops["c"] * 5 < min(stops[one] for one in "abd")
    assert STORY.prompt_time <= stops["a"] <= 1.1 * STORY.prompt_time
    for option, words in (("a", "70 ms"), ("b", "350 ms"), ("c", "12 ms"), ("d", "101 ms")):
        assert words in feedback(option)
        assert f"{stops[option] * 1e3:.0f} ms" == words


def test_the_mean_of_the_pages_run_is_that_of_long_runs():
    for chat in (STORY, CUT, WIN):
        pauses, firsts = [], []
        for seed in range(4):
            arrivals = np.cumsum(np.random.default_rng(seed).exponential(1 / chat.rate, 2000))
            requests = serve(
                arrivals, [4000] * 2000, [200] * 2000, chat.replica, chunk=chat.most_tokens
            ).requests[SKIPPED:]
            pauses.append(requests["pause"].mean())
            firsts.append(requests["ttft"].mean())
        for means, value in ((pauses, chat.now.stop), (firsts, chat.now.first)):
            mean, half = mean_interval(means, 0.999)
            assert abs(value - mean) <= half


def test_fast_memory_shortens_writing_and_not_prompts():
    quick = replace(STORY, bandwidth=6.7e12)
    assert quick.prompt_time == STORY.prompt_time
    assert quick.weights_time == pytest.approx(STORY.weights_time / 2)


# The tour


def test_each_step_of_the_tour_shows_its_cause():
    whole, four, large, small = (read(Chat, stop.settings)[0] for stop in LESSON.tour)
    pauses = simulate(whole).requests["pause"][SKIPPED:]
    assert (pauses > 2 * whole.prompt_time).mean() > 0.9  # prompts follow one another
    alone = simulate(four).requests["pause"][SKIPPED:]
    assert (alone < 1.5 * four.prompt_time).mean() > 0.9  # they rarely do
    assert large.now.stop < large.prompt_time
    assert small.now.stop < large.now.stop and small.now.first > 3 * large.now.first
    assert int(small.piece) < small.knee  # its steps take as long as reading the weights
    assert not any(strip.judge(chat).good for chat in (whole, four, large, small))


# Takeaways, reflection, reply


def test_takeaways_reply_and_fix_quote_the_models_numbers():
    quoted = " ".join(fill(text, LIVE) for text in (*LESSON.takeaways, LESSON.reply, LESSON.fix()))
    for words in (
        "waits 65 ms for that prompt",
        "from 542 ms to 70 ms",
        "the longest pause drops from 542 ms to 12 ms",
        "after 214 ms instead of 119 ms",
        "fewer than 300 tokens",
        "the longest pause is 21 ms, and the first token comes after 178 ms",
    ):
        assert words in quoted
    assert STORY.knee == pytest.approx(295, abs=1)
    assert replace(STORY, piece="128").now.grows and not STORY.now.grows


def test_the_reflection_is_right_because_a_stop_is_one_step_however_long_the_prompt_is():
    long = Chat(piece="512", prompt=16_000, rate=2.0)
    assert long.now.stop == pytest.approx(CUT.now.stop, rel=0.06)
    whole = replace(long, piece=WHOLE)
    assert whole.prompt_time == pytest.approx(0.26, abs=0.001)
    assert whole.now.stop == pytest.approx(1.3, abs=0.05)
    assert 4 * CUT.now.stop == pytest.approx(0.048, rel=0.05)
    assert "only after 866 ms" in fill(LESSON.reflection.option("a").feedback, LIVE)


def test_the_derivation_states_its_approximation_and_what_it_leaves_out():
    texts = {one.title: fill(one.text, LIVE) for one in LESSON.derivation}
    # 4 × layers × width × n² ÷ 2 of attention over 2 × parameters × n
    assert STORY.attention_share == pytest.approx(2 * 32 * 4096 * 4000**2 / (2 * 8.03e9 * 4000))
    assert "would add 6.5%" in texts["What this model leaves out"]
    replica = STORY.replica
    context = STORY.prompt + STORY.answer / 2
    caches = STORY.rate * STORY.answer * context * replica.kv_bytes / replica.bandwidth
    pace = STORY.weights_time / (1 - STORY.prompt_share - caches)
    assert "up to 17% longer" in texts["Pace with whole prompts"]
    assert pace <= STORY.now.pace <= 1.18 * pace


# The part


def test_separate_gpus_end_the_stutter_win_little_and_break_where_the_split_is_wrong():
    together = apart.mixed(POOLS)
    fits = POOLS.apart
    assert fits.stop < k.STUTTER_PAUSE_TARGET and fits.stop > 2 * together.stop
    assert together.first * 0.85 < fits.first < together.first
    assert fits.stop > POOLS.moving > together.stop
    assert apart.verdict(POOLS).good is None
    wrong = replace(POOLS, prompt_gpus=1)
    assert wrong.apart.grows and wrong.pool_load > 1
    assert apart.verdict(wrong).good is False
    full = replace(POOLS, answer=400, prompt_gpus=4)
    assert full.pool_load < 1 and full.apart.stop > 10
    assert "1 GPU cannot write all answers" in apart.verdict(full).text
    guess = LESSON.guesses["apart"]
    assert [fill(value, LIVE) for value in guess.values] == ["4.5 ms", "9.3 ms", "21 ms"]


def test_a_split_that_does_not_fit_leaves_the_frame_and_its_point_says_that_it_grows():
    wrong = replace(POOLS, prompt_gpus=1)
    assert "first token grows ↑" in apart.figure(wrong, Look()).labels


# Verdicts and pictures


@pytest.mark.parametrize(
    ("changes", "good", "words"),
    [
        ({}, False, "because a whole prompt has the GPU to itself for 65 ms"),
        ({"piece": "2048"}, False, "With at most 2,048 tokens per step, that step takes 39.6 ms"),
        ({"piece": "512"}, False, "the first token comes only after 214 ms"),
        ({"piece": "1024", "rate": 7.5}, True, "Prompts still get through"),
        ({"piece": "128"}, False, "so the line keeps growing"),
        ({"rate": 12.0}, False, "so the line keeps growing"),
    ],
)
def test_the_verdict_names_what_an_answer_waits_for(changes, good, words):
    verdict = strip.verdict(replace(STORY, **changes))
    assert verdict.good is good and words in verdict.text


def test_whole_prompts_never_stop_an_answer_for_less_than_one_of_them_whatever_the_gpus():
    for gpus in (1, 2, 8):
        chat = replace(STORY, gpus=gpus)
        pauses = simulate(chat).requests["pause"][SKIPPED:]
        met = pauses > 2 * chat.weights_time * 1.5
        assert met.any() and pauses[met].min() >= chat.prompt_time * (1 - 1e-9)


@pytest.mark.parametrize("piece", [WHOLE, "1024", "256"])
def test_dots_lie_at_the_ends_of_steps_and_red_marks_are_gaps_between_dots(piece):
    frame = strip.figure(replace(STORY, piece=piece), Look()).frame
    dots = frame[frame["kind"] == "token"]["ms"].to_numpy()
    assert (np.diff(dots) > 0).all()
    stops = frame[frame["kind"] == "stop"]
    assert (len(stops) > 0) == (piece == WHOLE)
    for _, stop in stops.iterrows():
        row = frame[frame["kind"].isin(["token", "other token"]) & (frame["row"] == stop["row"])]
        inside = row["ms"].between(stop["ms"] + 1e-6, stop["x2"] - 1e-6)
        assert not inside.any()


@pytest.mark.parametrize("piece", [WHOLE, "512"])
def test_in_the_animation_an_answer_grows_by_one_token_at_a_time_and_is_red_while_it_stops(piece):
    chat = replace(STORY, piece=piece)
    boxes = film.showing(chat).film.boxes
    rows = boxes["first"] // chat.answer
    for number in (1, 2, 3):
        answer = boxes[rows == number]
        tokens = (answer["last"] - answer["first"] + 1).to_numpy()
        assert len(tokens) > 20 and (np.diff(tokens) == 1).all()
        lasts = (answer["end"] - answer["begin"])[answer["kind"] == "stop"]
        assert (len(lasts) > 0) == (piece == WHOLE)
    gpu = boxes[rows == 0]
    assert set(gpu["kind"]) == {"prompt" if piece == WHOLE else "mixed", "writing"}


def test_the_second_picture_grabs_every_size():
    for name, place in pieces.PLACES.items():
        assert pieces.nearest(place) == name
        assert pieces.nearest(1.1 * place) == pieces.nearest(place / 1.1) == name
    assert pieces.nearest(1.4 * 128) == "128" and pieces.nearest(1.45 * 128) == "256"
    assert set(pieces.PLACES) == {WHOLE, *map(str, PIECES)}


# The challenge


@pytest.mark.nightly
def test_exactly_one_setting_wins_the_challenge():
    options = [WHOLE, *map(str, PIECES)]
    winners = []
    for rate, piece in product(np.arange(1, 20.5, 0.5), options):
        if strip.judge(Chat(piece=piece, rate=float(rate))).good:
            winners.append((rate, piece))
    assert winners == [(7.5, "1024")]


@pytest.mark.nightly
def test_the_neighbors_of_the_winner_fail_on_long_runs():
    results = {}
    for rate, piece in ((7.5, 1024), (7.5, 768), (7.5, 1536), (8.0, 1024)):
        times = []
        for seed in range(8):
            arrivals = np.cumsum(np.random.default_rng(seed + 50).exponential(1 / rate, 8000))
            served = serve(arrivals, [4000] * 8000, [200] * 8000, WIN.replica, chunk=piece)
            times.append(served.requests[["pause", "ttft"]][SKIPPED:].mean().to_numpy())
        results[rate, piece] = np.mean(times, axis=0)
    stop_goal, first_goal = float(k.STUTTER_PAUSE_TARGET), float(k.STUTTER_FIRST_TARGET)
    assert results[7.5, 1024][0] < stop_goal and results[7.5, 1024][1] < 1.01 * first_goal
    assert results[7.5, 768][1] > 1.03 * first_goal
    assert results[7.5, 1536][0] > 1.1 * stop_goal
    assert results[8.0, 1024][1] > 1.1 * first_goal


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"gpus": 2}, "must stay as in the message"),
        ({"bandwidth": 8e12}, "must stay as in the message"),
        ({"piece": "1536"}, "the longest pause of an answer is 29.7 ms"),
        ({"piece": "768"}, "the first token comes after 159 ms"),
        ({"rate": 8.0}, "the first token comes after 178 ms"),
        ({"rate": 7.0}, "7 questions per second meet both limits, but a higher rate does, too"),
    ],
)
def test_neighbors_of_the_winner_fail_for_what_the_page_says(changes, words):
    assert strip.judge(WIN).good
    judged = strip.judge(replace(WIN, **changes))
    assert judged.good is False and judged.text.startswith("Not yet: ") and words in judged.text


# Elsewhere


def test_a_part_is_the_longest_wait_and_more_counters_do_not_shorten_the_whole():
    place = counter(letter=64, parts=8, clerks=1)
    assert place["part"] == 8 * 60 and place["whole"] == 64 * 60
    crossing = counter(letter=12, parts=1, clerks=4)
    assert crossing["whole"] == 12 * 60 and crossing["more"] == 3
    assert say.cases["cut"] == {"piece": "512"}
