"""Minimal lesson: its page keeps what its words promise."""

from driving import all_text, unlocked

from lessons.minimal_lesson.fleet import judge, remedies
from lessons.minimal_lesson.settings import Fleet


def test_twice_the_gpus_finish_twice_the_jobs():
    assert Fleet(fleet=2048).throughput == 2 * Fleet().throughput


def test_the_challenge_is_won_with_shorter_jobs_and_not_with_more_gpus():
    assert judge(Fleet(job_length=1080.0)).good
    assert not judge(Fleet(fleet=4096)).good


def test_every_change_that_is_offered_meets_the_target():
    assert "run jobs of 18 min" in remedies(Fleet()) and not remedies(Fleet(job_length=1080.0))


def test_the_page_shows_the_answer_after_the_lock():
    assert "2,048 jobs per hour" in all_text(unlocked("minimal_lesson"))
