"""What stays for good is left out of garbage collection, once."""

import gc

from driving import unlocked


def test_after_the_first_lesson_what_is_loaded_is_not_collected_again():
    unlocked("utilization_trap")
    frozen = gc.get_freeze_count()
    assert frozen > len(gc.get_objects()) / 2  # what is still collected is little beside it
    unlocked("utilization_trap")
    assert gc.get_freeze_count() <= frozen  # what is dropped leaves; nothing joins
