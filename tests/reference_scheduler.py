"""A slow scheduler that follows the rules word by word, against which the fast one is compared job
by job.

Nothing here is clever: the queue is sorted anew, plans are lists of intervals, and victims are
found by trying every set. Keep it so; its only virtue is that a reader can check it against the
rules.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from physics.scheduling import Preemption


@dataclass
class Job:
    """One job and what has happened to it so far."""

    row: int
    submit: float
    runtime: float
    gpus: int
    estimate: float
    job_class: str
    saved: float = 0.0  # work kept in the last checkpoint
    restart: float = 0.0  # what the present run must pay before it works
    began: float | None = None  # start of the present run
    first_start: float | None = None
    end: float | None = None
    queued_since: float = 0.0
    requeued: float = 0.0
    preemptions: int = 0
    lost: float = 0.0
    reservation: float | None = None
    kept: bool = False  # the reservation was made for a job that had waited for long
    runs: list = field(default_factory=list)
    outage: bool = False  # no job: its GPUs are out of service while it "runs"

    def true_end(self):
        return self.began + (self.runtime - self.saved + self.restart)

    def planned_end(self):
        return self.began + self.planned_time()

    def planned_time(self):
        return self.estimate - self.saved + self.restart


class Reference:
    """The rules of a policy, applied instant by instant."""

    def __init__(self, jobs, capacity, policy, down=()):
        self.capacity = capacity
        self.policy = policy
        lent = policy.quotas is not None and policy.borrowing
        if lent:
            self.reserved = {}
        else:
            self.reserved = dict(policy.reserved or policy.quotas or {})
        self.pause = policy.preemption or Preemption()
        self.jobs = [Job(row, *values) for row, values in enumerate(jobs)]
        self.waiting = []
        self.running = []
        self.now = 0.0
        #: Whether nothing can come before the head of an EASY queue: no other order, preemption,
        #: quota or outage.
        others = (policy.preemption, policy.quotas, policy.max_wait)
        self.promises = policy.order == "arrival" and others == (None, None, None) and not down
        self.outages = [
            Job(-1, begin, end - begin, gpus, end - begin, None, outage=True)
            for begin, end, gpus in down
        ]

    # --- resources ---
    def shared_capacity(self):
        return self.capacity - sum(self.reserved.values())

    def can_ever_start(self, job):
        two_weeks = [0.0, *(end for _, end in self.emptied() if end < 14 * 86400)]
        return self.fits(job, []) and any(self.within_hours(job, at) for at in two_weeks)

    def emptied(self):
        """Stretches in which nothing runs, of the first four weeks; time 0 is a Thursday."""
        hours = self.policy.emptied
        return sorted(
            (day * 86400 + time, day * 86400 + time + hours.length)
            for day in range(-7, 28)
            if hours is not None and (day + 3) % 7 in hours.days
            for time in hours.times
        )

    def within_hours(self, job, start):
        """Whether a job that starts then meets no emptied stretch, by its estimate; it may end as
        one begins.
        """
        end = start + job.planned_time()
        return not any(
            (start < last and first < end) or start < first < end for first, last in self.emptied()
        )

    def fits(self, job, others):
        """Shared GPUs that are left, and those that the job's class has left of its own; outages
        take shared ones.
        """
        used = self.use(others)
        left = self.shared_capacity() - sum(
            max(0, gpus - self.reserved.get(name, 0)) for name, gpus in used.items()
        )
        return job.gpus <= left + max(0, self.reserved.get(job.job_class, 0) - used[job.job_class])

    # --- order ---
    def rank(self, job):
        classes = list(self.policy.classes)
        if job.job_class in classes:
            return classes.index(job.job_class)
        return len(classes)

    def waited_long(self, job):
        limit = self.policy.max_wait
        return limit is not None and job in self.waiting and job.queued_since + limit <= self.now

    def in_order(self, jobs):
        """Those that have waited for long first, the longest waiting first; the others as the
        policy says.
        """
        if self.policy.order == "fair_share":
            exponent = self.usage_over_share()
        else:
            exponent = None

        def standing(job):
            if self.waited_long(job):
                return 0, job.queued_since
            if self.policy.order == "priority":
                return 1, self.rank(job)
            if self.policy.order == "shortest":
                return 1, job.estimate
            return 1, exponent[job.job_class] if exponent else 0

        return sorted(jobs, key=lambda job: (*standing(job), job.submit, job.row))

    def usage_over_share(self):
        """usage ÷ share by class; F = 2^−(this). Values equal but for rounding are made equal."""
        names = sorted({job.job_class for job in self.jobs})
        half_life = self.policy.half_life
        weights = self.policy.weights or {}
        used = dict.fromkeys(names, 0.0)
        for job in self.jobs:
            if job in self.running:
                present = [(job.began, self.now)]
            else:
                present = []
            for start, end in job.runs + present:
                # integral of 2^(-(now - s) / half_life) over s from start to end
                decay = math.log(2) / half_life
                used[job.job_class] += (
                    job.gpus
                    * math.exp(-(self.now - end) * decay)
                    * -math.expm1(-(end - start) * decay)
                    / decay
                )
        everyone = sum(used.values())
        total_weight = sum(
            weights.get(name, 1.0) for name in {*names, *self.policy.classes, *weights}
        )
        exponents = {}
        for name in names:
            if everyone > 0:
                usage = used[name] / everyone
            else:
                usage = 0.0
            exponents[name] = usage / (weights.get(name, 1.0) / total_weight)
        level = None
        for name in sorted(names, key=exponents.get):
            if level is None or exponents[name] - level > 1e-12 * max(1.0, level):
                level = exponents[name]
            exponents[name] = level
        return exponents

    # --- acts ---
    def start(self, job):
        assert job.reservation is None or self.now <= job.reservation, "nobody delays a reservation"
        self.waiting.remove(job)
        self.running.append(job)
        job.began = self.now
        if job.first_start is None:
            job.first_start = self.now
        else:
            job.requeued += self.now - job.queued_since
        job.reservation = None
        job.kept = False

    def progress(self, job):
        """Work done so far, and what its last checkpoint holds."""
        worked = job.saved + max(0.0, self.now - job.began - job.restart)
        interval = self.pause.checkpoint_interval
        return worked, max(job.saved, math.floor(worked / interval) * interval)

    def stop(self, victim):
        _, kept = self.progress(victim)
        victim.lost += victim.gpus * (self.now - victim.began - (kept - victim.saved))
        victim.saved = kept
        victim.restart = self.pause.restart_time
        victim.preemptions += 1
        victim.runs.append((victim.began, self.now))
        victim.queued_since = self.now
        self.running.remove(victim)
        self.waiting.append(victim)

    def latest_first(self, jobs):
        """Latest start first; of those started together, the one furthest back in the queue."""
        return sorted(self.in_order(jobs)[::-1], key=lambda job: -job.began)

    def preempt_for(self, head):
        """Stop the least set of the lowest class below the head's that lets it start; say whether
        it can.
        """
        lower = [job for job in self.running if not job.outage and self.rank(job) > self.rank(head)]
        if not lower or self.policy.preemption is None or self.policy.quotas is not None:
            return False
        lowest = max(self.rank(job) for job in lower)
        candidates = self.latest_first(job for job in lower if self.rank(job) == lowest)
        if self.pause.victims == "least_loss":
            candidates.sort(key=self.loss)
        sufficient = []
        for size in range(1, len(candidates) + 1):
            for places in combinations(range(len(candidates)), size):
                victims = [candidates[place] for place in places]
                if self.fits(head, [job for job in self.running if job not in victims]):
                    sufficient.append((sum(job.gpus for job in victims), places, victims))
        if not sufficient:
            return False
        *_, victims = min(sufficient, key=lambda one: one[:2])
        if self.would_delay_kept(head, victims):
            return False
        if self.pause.rule == "pays":
            wait = self.earliest(head, self.running_plan()) - self.now
            if head.gpus * wait <= sum(map(self.loss, victims)):
                return False
        for victim in victims:
            self.stop(victim)
        return True

    def loss(self, victim):
        worked, kept = self.progress(victim)
        return victim.gpus * (worked - kept + self.pause.restart_time)

    # --- quotas ---
    def quota(self, name):
        return self.policy.quotas.get(name, 0)

    def use(self, jobs):
        used = Counter()
        for job in jobs:
            used[job.job_class] += job.gpus
        return used

    def start_within_quotas(self):
        """The first turn of a pass; says whether it started anything."""
        started = False
        while self.policy.quotas is not None and (job := self.next_within_quota()) is not None:
            for one in self.taken_back_for(job) if self.policy.borrowing else []:
                self.stop(one)
            self.start(job)
            started = True
        return started

    def next_within_quota(self):
        firsts = {}
        for job in self.in_order(self.waiting):
            firsts.setdefault(job.job_class, job)
        used = self.use(self.running)
        for job in firsts.values():
            within = used[job.job_class] + job.gpus <= self.quota(job.job_class)
            if self.policy.reclaim and self.policy.borrowing:
                stopped = self.taken_back_for(job)
            else:
                stopped = []
            if within and self.fits(job, [one for one in self.running if one not in stopped]):
                return job
        return None

    def taken_back_for(self, job):
        marked = []
        for one in self.latest_first(one for one in self.running if not one.outage):
            left = [other for other in self.running if other not in marked]
            if self.fits(job, left):
                break
            if self.use(left)[one.job_class] > self.quota(one.job_class):
                marked.append(one)
        stopped = list(marked)
        for one in reversed(marked):
            rest = [other for other in stopped if other is not one]
            if self.fits(job, [other for other in self.running if other not in rest]):
                stopped = rest
        return stopped

    def would_delay_kept(self, head, victims):
        plan = [(job.began, job.planned_end(), job) for job in self.running if job not in victims]
        kept = [job for job in self.waiting if job.kept and job is not head]
        if not kept:
            return False
        plan += [(job.reservation, job.reservation + job.planned_time(), job) for job in kept]
        return self.earliest(head, plan) > self.now

    # --- planning ---
    def earliest(self, job, plan):
        """First instant from now on which the job fits for its planned time, given (start, end,
        job) intervals.
        """
        opened = [end for _, end in self.emptied() if end > self.now]
        instants = sorted({self.now, *opened, *(end for _, end, _ in plan if end > self.now)})
        for start in instants:
            end = start + job.planned_time()
            points = [start, *(s for s, _, _ in plan if start < s < end)]
            fits = all(
                self.fits(job, [j for s, e, j in plan if s <= point < e]) for point in points
            )
            if fits and self.within_hours(job, start):
                return start
        raise AssertionError("a job that fits the machine fits after everything else")

    def running_plan(self):
        return [(job.began, job.planned_end(), job) for job in self.running]

    def reserve(self, job):
        others = [j for j in self.waiting if j is not job and j.reservation is not None]
        plan = self.running_plan() + [
            (j.reservation, j.reservation + j.planned_time(), j) for j in others
        ]
        found = self.earliest(job, plan)
        if job.reservation is None:
            job.reservation = found
        else:
            job.reservation = min(found, job.reservation)

    # --- one pass by kind of backfill ---
    def start_heads(self):
        while self.waiting:
            head = self.in_order(self.waiting)[0]
            if (
                self.fits(head, self.running) and self.within_hours(head, self.now)
            ) or self.preempt_for(head):
                self.start(head)
            else:
                return

    def easy(self):
        self.start_heads()
        if not self.waiting:
            return
        head, *others = self.in_order(self.waiting)
        shadow = self.earliest(head, self.running_plan())
        if self.promises:
            assert head.reservation is None or shadow <= head.reservation, (
                "EASY never delays the head"
            )
            head.reservation = shadow
        beyond = [job for job in self.running if job.planned_end() > shadow]
        for job in others:
            if not self.fits(job, self.running) or not self.within_hours(job, self.now):
                continue
            if self.now + job.planned_time() <= shadow:
                self.start(job)
            elif self.fits(job, [*beyond, head]):
                self.start(job)
                beyond.append(job)

    def conservative_persistent(self, ended_early):
        if ended_early:  # after a start within a quota there are no reservations to move
            for job in self.in_order(self.waiting):
                if job.reservation is not None:
                    self.reserve(job)
        for job in self.in_order(self.waiting):
            if job.reservation is None:
                self.reserve(job)
        while self.waiting:
            head = self.in_order(self.waiting)[0]
            if head.reservation == self.now:
                self.start(head)
            elif not self.fits(head, self.running) and self.preempt_for(head):
                self.start(head)
                self.rebuild()
            else:
                break
        self.start_due()

    def start_due(self):
        for job in self.in_order(self.waiting):
            if job.reservation == self.now:
                self.start(job)

    def rebuild(self):
        self.forget()
        for job in self.in_order(self.waiting):
            self.reserve(job)

    def forget(self):
        for job in self.waiting:
            if not job.kept:
                job.reservation = None

    def conservative_rebuilt(self):
        self.forget()
        while self.waiting:
            head = self.in_order(self.waiting)[0]
            self.reserve(head)
            can_start = head.reservation == self.now
            if can_start or (not self.fits(head, self.running) and self.preempt_for(head)):
                self.start(head)
            else:
                break
        self.rebuild()
        self.start_due()

    # --- the clock ---
    def run(self):
        arrivals = sorted(
            (job for job in self.jobs if self.can_ever_start(job)),
            key=lambda job: (job.submit, job.row),
            reverse=True,
        )
        while arrivals or self.running or self.waiting:
            instants = [job.true_end() for job in self.running]
            instants += [one.submit for one in self.outages if one.began is None]
            if arrivals:
                instants += [arrivals[-1].submit]
            if self.policy.backfill == "conservative" and self.policy.order == "arrival":
                instants += [job.reservation for job in self.waiting if job.reservation is not None]
            instants += [job.reservation for job in self.waiting if job.kept]
            if self.policy.max_wait is not None:
                long = [job.queued_since + self.policy.max_wait for job in self.waiting]
                instants += [instant for instant in long if instant > self.now]
            if self.waiting:
                instants += [end for _, end in self.emptied() if end > self.now][:1]
            self.now = min(instants)
            ended = [job for job in self.running if job.true_end() == self.now]
            ended_early = any(job.planned_end() > self.now for job in ended)
            for job in ended:
                job.end = self.now
                job.lost += job.gpus * job.restart
                job.runs.append((job.began, self.now))
                self.running.remove(job)
            while arrivals and arrivals[-1].submit == self.now:
                self.waiting.append(arrivals.pop())
                self.waiting[-1].queued_since = self.now
            begun = [one for one in self.outages if one.submit == self.now]
            for one in begun:
                one.began = self.now
                self.running.append(one)
            if self.start_within_quotas() or begun:
                for job in self.waiting:
                    job.reservation = None
                    job.kept = False
            if self.policy.backfill == "none":
                self.start_heads()
            elif self.policy.backfill == "easy":
                self.easy()
            elif self.policy.order == "arrival":
                self.conservative_persistent(ended_early)
            else:
                self.conservative_rebuilt()
            for job in self.waiting:
                job.kept = self.policy.backfill == "conservative" and self.waited_long(job)
        return self.jobs


def reference_schedule(jobs, capacity, policy, down=()):
    """Run (submit, runtime, gpus, estimate, job_class) tuples; return the jobs with first_start,
    end and the rest.

    Outages are (begin, end, gpus).
    """
    return Reference(jobs, capacity, policy, down).run()
