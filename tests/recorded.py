"""The recorded log with which some numbers are compared; it lies beside the repository and is no
part of it.
"""

from pathlib import Path

import pytest

KTH = (
    Path(__file__).resolve().parents[2]
    / "shared"
    / "data"
    / "traces"
    / "KTH-SP2-1996-2.1-cln.swf.gz"
)
#: Only comparisons with the log itself may be skipped, and the reason names it: `.ci/run` lets no
#: other skip pass.
needs_log = pytest.mark.skipif(
    not KTH.exists(), reason="the recorded log KTH-SP2-1996-2.1-cln is not here"
)
