"""Settings of the whole suite."""

import os

import pytest
from hypothesis import is_hypothesis_test, settings
from serving import Server

# The same examples every time, so that a red run is about the change under test; look for new ones
# with HYPOTHESIS_PROFILE=explore. No deadline: machines are noisy.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=15)
settings.register_profile("nightly", derandomize=True, deadline=None, max_examples=100)
settings.register_profile(
    "explore", derandomize=False, deadline=None, max_examples=100, print_blob=True
)

#: Parts of paths, the longest first: whoever takes a long file last lets the other processes wait.
LONGEST = ("browser", "test_pages.py")


def pytest_configure(config):
    """Load the profile before any test is read: with `-m nightly` properties have many examples."""
    if config.option.markexpr == "nightly":
        usual = "nightly"
    else:
        usual = "steady"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", usual))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Begin with the files that take longest; nightly tests are slow, and `-m nightly` tries
    properties again.
    """
    for item in items:
        searches = is_hypothesis_test(getattr(item, "obj", None)) or item.get_closest_marker(
            "hypothesis"
        )
        if config.option.markexpr == "nightly" and searches:
            item.add_marker(pytest.mark.nightly)
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.slow)

    def rank(item):
        return next((i for i, part in enumerate(LONGEST) if part in item.path.parts), len(LONGEST))

    items.sort(key=rank)


@pytest.fixture(scope="session")
def server():
    """One server for all tests that need a plain one, each of the two processes its own."""
    running = Server()
    running.start()
    yield running
    running.stop()
