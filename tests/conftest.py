"""Settings of the whole suite."""

import os

from hypothesis import settings

# The same examples every time, so that a red run is about the change under test; look for new ones with
# HYPOTHESIS_PROFILE=explore. No deadline: machines are noisy.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", derandomize=False, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
