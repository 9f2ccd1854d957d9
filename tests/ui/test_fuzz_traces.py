"""Whatever is uploaded as a trace: it is replayed, or refused in one sentence; the page stays what
it was.
"""

import gzip
import random

import pytest
from driving import metrics, visit
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.slow
LINE = "{} {} 10 {} {} -1 -1 4 120 -1 1 7 1 -1 -1 -1 -1 -1\n"
GOOD = LINE.format(1, 0, 60, 4) + LINE.format(2, 5, 60, 4)
FIELD = (
    st.integers(-(10**30), 10**30).map(str) | st.floats().map(repr)
    | st.sampled_from(
        ["", "-1", "NaN", "inf", "1e308", "0x1F", "½", "٣", "🙂", "\x00", ";", "1_000", "9" * 400]
    )
)  # fmt: skip


@pytest.fixture(scope="module")
def app():
    """The page, for all files one after another, as a visitor with patience would try them."""
    return visit("your_cluster")


def send(app, data: bytes, name: str = "trace.swf") -> list[str]:
    """Upload a file; return the refusals. Nothing else on the page may change, and no traceback may
    come.
    """
    before = metrics(app)
    app.file_uploader(key="policy_trace").upload(name, data, "application/octet-stream")
    app.run(timeout=120)
    assert not app.exception, app.exception[0].message
    assert metrics(app) == before
    refusals = [error.value for error in app.error]
    assert len(refusals) <= 1
    assert all(
        "\n" not in text.strip() and len(text) < 400 and "Traceback" not in text
        for text in refusals
    )
    return refusals


def taken(app) -> bool:
    """Whether the last file was replayed."""
    return any("offered load is about" in caption.value for caption in app.caption)


MARKDOWN = ("![x](http://elsewhere.example/x.png) " * 18 + "\n").encode()


@pytest.mark.parametrize(
    "data", [random.Random(1).randbytes(100_000), MARKDOWN], ids=["random bytes", "Markdown"]
)
def test_a_file_that_is_no_trace_is_refused_in_one_sentence_and_the_next_one_is_taken(app, data):
    refusals = send(app, data, "../<b>.swf")
    assert len(refusals) == 1 and refusals[0].startswith("Not accepted:") and not taken(app)
    # What is quoted of the file is no markup, no picture and no link.
    assert not any(
        sign in refusals[0].replace("\\<", "").replace("\\[", "") for sign in ("<", "![", "http:")
    )
    assert not send(app, GOOD.encode()) and taken(app)


def test_any_bytes_and_any_fields_are_replayed_or_refused(app):
    @settings(max_examples=20, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(
        st.binary(max_size=300)
        | st.lists(FIELD, min_size=18, max_size=18).map(" ".join).map(str.encode),
        st.booleans(),
    )
    def sent(data, packed):
        data = GOOD.encode() + data
        refusals = send(app, gzip.compress(data, mtime=0) if packed else data)
        assert taken(app) is not bool(refusals)

    sent()
