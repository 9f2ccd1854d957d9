"""A number that makes no sense, or leads beyond floating point, gets one sentence or a limit from
every model.

The calls are those of the examples in docstrings, and those in MORE; in each, every number that is
handed over is replaced in turn: alone, in a list, in a dictionary, in a table's first row, or in a
policy, a job class, or a claim.
"""

import ast
import contextlib
import dataclasses
import doctest
import importlib
import inspect
import io
import itertools
import math
import pkgutil
import re
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pandas as pd
import pytest

import physics
from physics.dataloading import input_pipeline
from physics.fairness.allocation import Claimant
from physics.jobs import JobClass, Lognormal
from physics.notebooks.sessions import Session
from physics.scheduling import Policy, Preemption
from physics.scheduling.policy import BACKFILLS, ORDERS

ABSURD = (0, -1, math.nan, math.inf, 1e308, 1e-320, True, "x", None, [1])
#: A model either answers for each element of an array in the place of a number, or says that it
#: does not.
SEVERAL = np.array([1.0, 2.0])
MODULES = {
    info.name.removeprefix("physics."): importlib.import_module(info.name)
    for info in pkgutil.walk_packages(physics.__path__, "physics.")
    if not info.ispkg and not info.name.endswith("__main__")
}
#: Modules of which the public face is asked: the validation itself, words, and what is inside the
#: simulators.
MACHINERY = """
arguments jobs.fields jobs.readers jobs.sacct_reader jobs.selection cluster.explain cluster.files
cluster.machine.changed cluster.machine.parts cluster.machine.size.time_over cluster.machine.steps
cluster.report cluster.say cluster.steps
numerics.rising_root scheduling.backfill scheduling.floor scheduling.machine texts
scheduling.preemption scheduling.reservations scheduling.schedule scheduling.workload
"""
#: Called by models with numbers that are checked by then, or with results of other models; `settle`
#: hands its table back, in which NaN is a wait that is not known.
INNER = """
scheduling.boards.board_pieces fairness.allocation.height jobs.lines.blocks
cluster.machine.size.settle cluster.machine.usage.usage_of cluster.trust.computing.what_computes
fairness.serving.can_get
cluster.trust.theory.formulas cluster.weeks.distances jobs.sacct.read_lines
autoscaling.rules.round_up checkpointing.interruptions.expm1_or_inf
checkpointing.interruptions.split_segments
checkpointing.spares.binomial_term cluster.calibration.silent cluster.change.changed_jobs
cluster.change.undecided cluster.jobs.outages cluster.jobs.ratio cluster.jobs.table
cluster.trust.distance.distance_of_mean
cluster.trust.habits.habits cluster.weeks.half_width cluster.weeks.of_weeks cluster.weeks.over_weeks
cluster.weeks.week_of cluster.weeks.weekly_sums dataloading.prefetching.shallowest
dataloading.prefetching.simulate_depths dataloading.prefetching.timeline fairness.allocation.exact
fairness.allocation.read films.in_lanes jobs.lines.bytes_of jobs.lines.fields_of jobs.lines.lines_of
jobs.lines.texts_of jobs.sacct.read_sacct
queueing.simulation.replications queueing.steady_state.full queueing.steady_state.inverse_loss
queueing.steady_state.waiting_chance queueing.steady_state.waiting_chances
scheduling.policy.clock scheduling.scoreboard.mean_and_error
slicing.layouts.bits slicing.layouts.occupied slicing.layouts.stranded slicing.streams.best_fit
slicing.streams.first_fit slicing.streams.serve
"""
#: What another model has made: nobody types it.
MADE = {"boxes", "waiting", "wait", "run", "schedule", "pipeline", "loads", "found", "replications"}
RUN = (1e5, 1e3, 60.0, 60.0, 1e4)
LINKS = {"serial": 0.01, "gradient_size": 1e8, "bandwidth": 1e9, "latency": 1e-5, "step_time": 1.0}
JOBS = pd.DataFrame({"submit": [0.0, 0.0, 1.0], "runtime": [10.0, 10.0, 30.0], "gpus": [2, 8, 4]})
JOBS = JOBS.assign(estimate=[20.0, 10.0, 40.0], job_class=["training", "search", "search"])
PIPELINE = input_pipeline(
    batch_size=32, sample_size=1e5, compute_time=0.3, accelerators=8, workers=4, fetch_latency=0.01,
    stream_bandwidth=1e8, decode_time=0.01, prefetch_depth=2, node_bandwidth=1e9,
    storage_bandwidth=1e10,
)  # fmt: skip
FLOWS = pd.DataFrame({"flow": ["a", "b"], "arrival": [0.0, 1.0], "length": [1.0, 2.0]})
CLAIMS = [
    Claimant("a", {"cpu": 2.0, "mem": 3.0}, {"cpu": 1.0, "mem": 1.0}, 1.0, 5.0),
    Claimant("b", {"cpu": 1.0, "mem": 2.0}),
]
POOL = {"cpu": 20.0, "mem": 30.0}
POLICIES = [
    Policy(order, backfill, preemption=Preemption(5.0, 1.0) if stop else None, half_life=100.0,
           weights={"search": 1.0}, **{own: {"search": 1}})
    for order, backfill, stop, own in itertools.product(
        ORDERS, BACKFILLS, (False, True), ("reserved", "quotas")
    )
    if own == "reserved" or (order == "priority" and stop)
]  # fmt: skip
#: A job that runs, and one that waits for it.
WAITING = pd.DataFrame(
    {
        "submit": [0.0, 60.0, 120.0],
        "runtime": [50.0, math.nan, math.nan],
        "gpus": [2, 2, 2],
        "estimate": [90.0, 90.0, 90.0],
        "requested": [90.0, 90.0, 90.0],
        "recorded_wait": [0.0, 0.0, math.nan],
        "job_class": ["a", "a", "a"],
        "state": ["COMPLETED", "RUNNING", "PENDING"],
    }
)
WAITING.attrs = {"names": ("1", "2", "3"), "unit": "GPU"}
#: Further calls: of models whose examples use names, and of others with all that they can be given.
MORE = [
    ("cluster.trust.why.why_waiting", (WAITING, "3", 2, Policy()), {}),
    ("autoscaling.rules.scale_up_limit", (3,), {}),
    ("speedup.marginal_speedup", (8,), LINKS),
    *((f"checkpointing.runtime.{name}", (60.0, 1e4), {})
      for name in ("young", "daly", "optimal_interval")),
    *((f"checkpointing.scale.{name}", (2048, 5, 383 * 86400, 86400.0), {})
      for name in ("waiting_share", "replaced_at_once")),
    ("checkpointing.scale.useful_share", (600.0, 30.0, 600.0, 1e4, 60.0), {}),
    ("speedup.elastic_run", ([0.5, 0.7],),
     LINKS | {"band": 0.1, "restart": 1.0, "tick": 10.0, "limit": 8}),
    ("checkpointing.runtime.expected_runtime", RUN, {"notice": 30.0}),
    ("checkpointing.runtime.expected_runtime_short_tail", RUN, {}),
    ("dataloading.prefetching.jittered_utilization", (2, 0.8, 1.0, 0.5), {}),
    *(("fairness.division.divide", (CLAIMS, POOL, *rule), {})
      for rule in ((), ("asset",), ("ceei",))),
    ("fairness.allocation.allocate", (CLAIMS, POOL), {}),
    ("fair_queueing.serve", (FLOWS, {"a": 2.0}), {}),
    *(("fleet.steady_state.one_fleet", (gpus, 256, 3600.0, 6e-4, 1, 8, 7, 2, 1.0, 0.2), {})
      for gpus in (768, 1024)),
    ("notebooks.node.synthetic", ("A", 4), {}),
    ("notebooks.sessions.simulate_sessions",
     (Session(4, 30.0, 30.0), 2, 1, 3, np.random.default_rng(1)), {}),
    *((f"queueing.response.{name}", ("srpt", 0.5, Lognormal(1.0, 2.0), *more), {})
      for name, more in (("mg1_response", ()), ("mg1_response_of", (1.0,)))),
    ("queueing.steady_state.highest_utilization", (1.0, 0.5, 2, 1.0), {}),
    *(("rollouts.steps.step_time", (8, 4, 2, 60.0, *more), {})
      for more in ((), (1.0,), (None, 90.0))),
    ("rollouts.simulation.simulate_steps",
     (8, np.random.default_rng(1), 4, 2, 60.0, 1.0, 90.0, 3), {}),
    ("scheduling.saturation.saturation_load",
     ([JobClass("x", 2, 5.0, 1.0)], 8, Policy(), np.random.default_rng(1), 100), {}),
    *(("scheduling.simulator.simulate", (JOBS, 8, policy), {}) for policy in POLICIES),
]  # fmt: skip


def models() -> dict[str, Callable]:
    """Return every public function that takes a number, by its name within `physics`."""
    found = {}
    inner = INNER.split()
    machinery = tuple(MACHINERY.split())
    for module, members in MODULES.items():
        for name, function in vars(members).items():
            if (
                name.startswith("_")
                or not inspect.isfunction(function)
                or function.__module__ != members.__name__
            ):
                continue
            kinds = [str(one.annotation) for one in inspect.signature(function).parameters.values()]
            if any("int" in kind or "float" in kind for kind in kinds):
                found[f"{module}.{name}"] = function
    return {
        name: function
        for name, function in found.items()
        if name not in inner and not name.startswith(machinery)
    }


MODELS = models()


@cache
def calls() -> dict[str, list[dict[str, object]]]:
    """Return the arguments of every call of a model in the examples of docstrings and in MORE."""
    found: dict[str, list] = {name: [] for name in MODELS}
    named = {function: name for name, function in MODELS.items()}

    def keep(name: str, given: tuple, more: dict) -> None:
        bound = inspect.signature(MODELS[name]).bind(*given, **more)
        bound.apply_defaults()
        found[name].append(bound)

    for members in MODULES.values():
        for text in doctest.DocTestFinder(exclude_empty=True).find(members, members.__name__):
            known = dict(text.globs)
            for example in text.examples:
                for call in ast.walk(ast.parse(example.source)):
                    with contextlib.suppress(Exception):  # of names that a comprehension binds
                        name = named[eval(ast.unparse(call.func), known)]
                        more = {
                            one.arg: eval(ast.unparse(one.value), known) for one in call.keywords
                        }
                        keep(name, [eval(ast.unparse(one), known) for one in call.args], more)
                with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
                    exec(example.source, known)
    for name, given, more in MORE:
        keep(name, given, more)
    return found


def variants(value: object, absurd: object) -> Iterator[Callable[[], object]]:
    """Yield how to make each value in which one number has become an absurd one; making it may be
    refused.
    """
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        yield lambda: absurd
    elif isinstance(value, list | tuple):
        make = getattr(value, "_make", type(value))
        for at in range(min(len(value), 3)):
            for one in variants(value[at], absurd):
                yield lambda at=at, one=one: make([*value[:at], one(), *value[at + 1 :]])
    elif isinstance(value, dict):
        for key in value:
            for one in variants(value[key], absurd):
                yield lambda key=key, one=one: value | {key: one()}
    elif isinstance(value, pd.DataFrame):
        for name in value.select_dtypes("number"):
            column = pd.Series([absurd, *value[name][1:]], index=value.index, dtype=object)
            yield lambda name=name, column=column: value.assign(**{name: column})
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            for one in variants(getattr(value, field.name), absurd) if field.init else ():
                yield lambda field=field, one=one: dataclasses.replace(value, **{field.name: one()})


def no_number(result: object) -> bool:
    """Whether NaN is anywhere in a result."""
    if isinstance(result, dict):
        return any(map(no_number, result.values()))
    if isinstance(result, list | tuple):
        return any(map(no_number, result))
    if isinstance(result, pd.DataFrame):
        if "nodes" in result:  # what never starts has no times
            result = result[result["nodes"].map(bool)]
        return bool(result.isna().any(axis=None))
    if isinstance(result, np.ndarray):
        if result.dtype.kind == "f":
            return bool(np.isnan(result).any())
        return False
    if dataclasses.is_dataclass(result):
        return any(no_number(getattr(result, field.name)) for field in dataclasses.fields(result))
    return isinstance(result, float) and math.isnan(result)


def answer(name: str, bound: inspect.BoundArguments) -> object:
    found = MODELS[name](*bound.args, **bound.kwargs)
    if inspect.isgenerator(found):
        return list(found)
    return found


#: They replay weeks, simulate thousands of answers, or search for seconds, for each number.
LONG = (
    "autoscaling.fleet.latencies",
    "cluster.calibration.calibrate",
    "cluster.happened.what_happened",
    "fairness.division.check_properties",
    "rollouts.steps.step_time",
)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.nightly) if name in LONG else name for name in MODELS],
)
@pytest.mark.slow
def test_an_absurd_number_gets_a_limit_or_one_sentence(name):
    replaced = 0
    for bound in calls()[name]:
        try:
            sound = not no_number(answer(name, bound))
        except ValueError:  # an example of a refusal
            continue
        usual = dict(bound.arguments)
        numbers = [name for name, value in usual.items() if isinstance(value, int | float)]
        if any(isinstance(one, np.ndarray) for one in usual.values()):
            swept = []
        else:
            swept = itertools.product(numbers, [SEVERAL])
        for argument, absurd in (*itertools.product(usual.keys() - MADE, ABSURD), *swept):
            for one in variants(usual[argument], absurd):
                replaced += 1
                try:
                    bound.arguments = usual | {argument: one()}
                    result = answer(name, bound)
                except ValueError as refusal:
                    sentence = str(refusal)
                    assert re.search("must |is needed|^no ", sentence), (
                        f"{argument} with {absurd!r}: {sentence}"
                    )
                    assert "\n" not in sentence
                else:
                    assert not (sound and no_number(result)), (
                        f"{argument} with {absurd!r} gives NaN"
                    )
        bound.arguments = usual
    assert replaced, "no example hands over a number: write one into the docstring"
