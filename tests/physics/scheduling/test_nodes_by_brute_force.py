"""Limits and unlike nodes against a simulator that looks at every node and job at every moment."""

import math

import numpy as np
import pandas as pd
import pytest

from physics.scheduling import Policy, floor, placed, simulate

SIZES = ([4, 4, 4], [4, 8, 2, 8, 4], [1] * 9, [8, 1, 3])
OWNERS = ("user", "account")


class Plain:
    """The rules as they read, one after the other; nothing is remembered between two moments."""

    def __init__(self, jobs, sizes, fit, limits, easy, down=()):
        self.jobs = jobs.to_dict("records")
        self.sizes = sizes
        self.fit = fit
        self.limits = limits
        self.easy = easy
        self.outages = sorted(down)
        self.down = {}  #: nodes of each outage that lasts
        self.placed = {}
        self.start = {}
        self.fragmented = []

    def closed(self, moment=-math.inf):
        """Nodes that are down now and, by what is known of outages now, after a moment."""
        lasting = [nodes for (_, end, _), nodes in self.down.items() if end > moment]
        return {node for nodes in lasting for node in nodes}

    def turn(self, now, running):
        """Open the nodes of outages that are over, and close those of outages that begin."""
        self.down = {outage: nodes for outage, nodes in self.down.items() if outage[1] > now}
        for number, (begin, end, gpus) in enumerate(self.outages):
            if begin != now:
                continue
            free = self.free(running, ())
            used = [size - some for size, some in zip(self.sizes, free, strict=True)]
            nodes = []
            for node in sorted(range(len(self.sizes)), key=lambda node: (used[node], node)):
                if gpus > 0 and node not in self.closed():
                    nodes.append(node)
                    gpus -= self.sizes[node]
            self.down[begin, end, number] = nodes

    def free(self, running, closed=None):
        """Free GPUs of each node, given the jobs that run; none where it is down."""
        free = list(self.sizes)
        if closed is None:
            closed = self.closed()
        for job in running:
            for node, gpus in self.placed[job].items():
                free[node] -= gpus
        for node in closed:
            free[node] = 0
        return free

    def place(self, job, free, barred=()):
        """GPUs by node that a job would be given, or None."""
        need = self.jobs[job]["gpus"]
        usable = [node for node in range(len(free)) if node not in barred]
        if need > max(self.sizes):
            chosen = {}
            for node in usable:
                if free[node] == self.sizes[node] and sum(chosen.values()) < need:
                    chosen[node] = self.sizes[node]
            return chosen if sum(chosen.values()) >= need else None
        fitting = [node for node in usable if free[node] >= need]
        if not fitting:
            return None
        order = {
            "best": lambda node: free[node],
            "first": lambda node: 0,
            "worst": lambda node: -free[node],
        }
        return {min(fitting, key=order[self.fit]): need}

    def allowed(self, job, running):
        """Whether no limit is exceeded if the job runs, too."""
        return all(
            sum(
                sum(self.placed[other].values())
                for other in running
                if self.jobs[other][owner] == self.jobs[job][owner]
            )
            + self.held[job]
            <= most
            for owner, most in self.limits.items()
        )

    def run(self):
        """Starts of all jobs, and GPU time that is idle because of places."""
        empty = list(self.sizes)
        self.held = {}
        for job in range(len(self.jobs)):
            place = self.place(job, empty)
            if place is not None:
                self.held[job] = sum(place.values())
        can = [
            job for job in self.held if all(self.held[job] <= most for most in self.limits.values())
        ]
        queue = []
        running = []
        moments = sorted(
            {self.jobs[job]["submit"] for job in can}
            | {moment for outage in self.outages for moment in outage[:2]}
        )
        while moments:
            now = moments.pop(0)
            running = [job for job in running if self.end(job) > now]
            self.turn(now, running)
            queue += [job for job in can if self.jobs[job]["submit"] == now]
            for job in self.one_pass(now, sorted(queue), running):
                queue.remove(job)
                moments = sorted({*moments, self.end(job)})
            self.lose(now, sorted(queue), running)
        return self.start

    def end(self, job):
        return self.start[job] + self.jobs[job]["runtime"]

    def begin(self, job, place, now, running):
        self.placed[job] = place
        self.start[job] = now
        running.append(job)

    def one_pass(self, now, queue, running):
        """Jobs that start now."""
        begun = []
        head = None
        for job in queue:
            if not self.allowed(job, running):
                continue
            place = self.place(job, self.free(running))
            if place is None:
                head = job
                break
            self.begin(job, place, now, running)
            begun.append(job)
        if head is None or not self.easy:
            return begun
        shadow, reserved = self.reservation(head, running)
        for job in queue:
            if job <= head or not self.allowed(job, running):
                continue
            barred = reserved if now + self.jobs[job]["estimate"] > shadow else ()
            place = self.place(job, self.free(running), barred)
            if place is not None:
                self.begin(job, place, now, running)
                begun.append(job)
        return begun

    def reservation(self, head, running):
        """When the head fits by the plans of what runs, and on which nodes."""
        planned = {job: self.start[job] + self.jobs[job]["estimate"] for job in running}
        for moment in sorted({*planned.values(), *(end for _, end, _ in self.down)}):
            left = [job for job in running if planned[job] > moment]
            place = self.place(head, self.free(left, self.closed(moment)))
            if place is not None:
                return moment, set(place)
        return math.inf, set()

    def lose(self, now, queue, running):
        """Note what is idle from now on while the first waiting job would fit into it."""
        idle = sum(self.free(running))
        waiting = [job for job in queue if self.allowed(job, running)]
        lost = idle if waiting and self.held[waiting[0]] <= idle else 0
        self.fragmented.append((now, lost))


def crowd(seed, jobs=45):
    """Jobs of users in accounts, for a machine of some dozen GPUs."""
    rng = np.random.default_rng(seed)
    runtime = rng.integers(1, 90, jobs)
    users = rng.integers(0, 4, jobs)
    return pd.DataFrame(
        {
            "submit": np.sort(rng.integers(0, 500, jobs)),
            "runtime": runtime,
            "estimate": runtime * rng.integers(1, 4, jobs),
            "gpus": rng.choice([1, 2, 3, 4, 6, 9], jobs),
            "user": [f"u{user}" for user in users],
            "account": [f"a{user % 2}" for user in users],
        }
    )


@pytest.mark.parametrize("long", [1, 64])
@pytest.mark.parametrize("easy", [False, True])
@pytest.mark.parametrize("fit", ["best", "first", "worst"])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_starts_and_fragments_are_those_of_the_rules_read_out(sizes, fit, easy, long, monkeypatch):
    for module in (floor, placed):
        monkeypatch.setattr(module, "LONG", long)
    policy = Policy(backfill="easy" if easy else "none")
    for seed in range(4):
        jobs = crowd(seed)
        limits = [{}, {"user": 7}, {"account": 9}, {"user": 5, "account": 8}][seed]
        plain = Plain(jobs, sizes, fit, limits, easy)
        starts = plain.run()
        limited = {f"{owner}_limit": most for owner, most in limits.items()}
        schedule = simulate(
            jobs, sum(sizes), Policy(backfill=policy.backfill, **limited), nodes=sizes, fit=fit
        )
        expected = [starts.get(job, math.nan) for job in range(len(jobs))]
        assert np.array_equal(schedule.jobs["start"].to_numpy(float), expected, equal_nan=True), (
            seed
        )
        time, lost = np.array(plain.fragmented, float).T
        assert schedule.fragmented == (lost[:-1] * np.diff(time)).sum()


def test_a_limit_counts_what_a_job_holds_on_unlike_nodes():
    # The empty machine would give the wide job 1 + 4 GPUs; beside the first job it gets 4 + 4.
    jobs = pd.DataFrame(
        {"submit": [0, 1, 2], "runtime": 50, "gpus": [1, 5, 2], "user": ["a", "b", "b"]}
    )
    schedule = simulate(jobs, 13, Policy(user_limit=9), nodes=[1, 4, 4, 4], fit="first")
    assert schedule.jobs["start"].tolist() == [0, 1, 51]


@pytest.mark.parametrize("easy", [False, True])
@pytest.mark.parametrize("fit", ["best", "first", "worst"])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_no_job_starts_on_a_node_that_is_down(sizes, fit, easy):
    for seed in range(3):
        jobs = crowd(seed, 30)
        rng = np.random.default_rng(seed)
        begins = rng.integers(0, 600, 5)
        down = [
            (float(begin), float(begin + rng.integers(1, 300)), int(rng.integers(1, 14)))
            for begin in begins
        ]
        limits = [{}, {"user": 7}, {"account": 9}][seed]
        plain = Plain(jobs, sizes, fit, limits, easy, down)
        starts = plain.run()
        limited = {f"{owner}_limit": most for owner, most in limits.items()}
        policy = Policy(backfill="easy" if easy else "none", **limited)
        schedule = simulate(jobs, sum(sizes), policy, down, nodes=sizes, fit=fit)
        expected = [starts.get(job, math.nan) for job in range(len(jobs))]
        assert np.array_equal(schedule.jobs["start"].to_numpy(float), expected, equal_nan=True), (
            seed
        )
        time, lost = np.array(plain.fragmented, float).T
        assert schedule.fragmented == (lost[:-1] * np.diff(time)).sum()


@pytest.mark.parametrize("times", [1, 64])
def test_a_job_that_fits_on_no_node_is_not_selected_though_small_nodes_are_empty(times):
    nodes = floor.Nodes([8, 4, 4, 4], [8, 6, 4, 9], "best")
    nodes.allocate(0)
    fitting = [job for job in (1, 2, 3) if nodes.fits(job)]
    assert nodes.select_fitting([1, 2, 3] * times) == fitting * times == [2, 3] * times
