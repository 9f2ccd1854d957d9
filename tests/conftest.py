"""Settings of the whole suite."""

import os

import pytest
from hypothesis import settings

# The same examples every time, so that a red run is about the change under test; look for new ones with
# HYPOTHESIS_PROFILE=explore. No deadline: machines are noisy.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", derandomize=False, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

#: Parts of paths, the longest first: whoever takes a long file last lets the other processes wait.
LONGEST = ("browser", "test_restart.py", "test_pages.py")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Begin with the files that take longest, all others in their order; what is nightly is slow too."""
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.slow)

    def rank(item):
        return next((i for i, part in enumerate(LONGEST) if part in item.path.parts), len(LONGEST))

    items.sort(key=rank)
