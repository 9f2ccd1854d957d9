"""A text from outside is bounded before a parser sees it, whatever it holds and whichever way it
comes in.
"""

import io
import json
import time
import tomllib
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress

import pytest
from hostile_texts import TEXTS
from hypothesis import given
from hypothesis import strategies as st

from physics.cluster import read_log, read_report
from physics.pace import paced
from physics.texts import TOML_BOUNDS, PastBound, json_of, toml_of
from polls import questions
from ui.base import own_words
from ui.classes import playlist
from ui.cluster import work
from ui.grades import files
from ui.record import local_storage, report

#: What a text may take beyond an ordinary one.
MEMORY = 50e6
SECONDS = 0.5
ORDINARY = '[[questions]]\ntext = "Which?"\noptions = ["a", "b"]\n'


def log(text: bytes) -> object:
    return read_log(text)


def nodes(text: bytes) -> object:
    head = b"NODELIST|PARTITION|CPUS|GRES|STATE\nn1|gpu|64|gpu:8|idle\n"
    jobs = b"; UnixStartTime: 0\n1 0 1 1 1 -1 -1 1 1 -1 1 1 1 1 1 -1 -1 -1\n"
    return work.read(jobs, "auto", "queue", "Submit", False, (), "", [head + text])


def packed(text: bytes) -> object:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("report.json", text)
    return files.opened([("reports.zip", data.getvalue())])


#: Every way in that a text of a visitor's or of a course's has to a parser.
WAYS: dict[str, Callable[[bytes], object]] = {
    "playlist": playlist.read,
    "questions": questions.read,
    "report": report.read,
    "report of a cluster": read_report,
    "ZIP of reports": packed,
    "log": log,
    "nodes": nodes,
    "what a browser has kept": lambda text: local_storage.parsed(text.decode()),
}


def cost(read: Callable[[bytes], object], text: bytes) -> tuple[float, float]:
    """Return the memory [B] and the processor time [s] that a text takes to be read or refused."""
    with paced(lambda: None):
        begun = time.process_time()
        with suppress(ValueError):
            read(text)
        seconds = time.process_time() - begun
        tracemalloc.start()
        with suppress(ValueError):
            read(text)
        memory = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return memory, seconds


@pytest.mark.parametrize("way", WAYS)
def test_no_text_takes_more_than_an_ordinary_one_on_any_way_in(way):
    read = WAYS[way]
    plain_memory, plain_seconds = cost(read, ORDINARY.encode())
    costly = {}
    for name, text in TEXTS.items():
        memory, seconds = cost(read, text.encode())
        if memory - plain_memory > MEMORY or seconds - plain_seconds > SECONDS:
            costly[name] = (round(memory / 1e6), round(seconds, 2))
    assert not costly


def test_no_text_in_a_file_of_a_courses_own_words_takes_more(tmp_path):
    folder = tmp_path / "utilization_trap"
    folder.mkdir()

    def check(text: bytes) -> list[str]:
        (folder / "words.toml").write_bytes(text)
        return list(own_words.check(tmp_path, {"utilization_trap": set}))

    plain_memory, plain_seconds = cost(check, b'title = "A title"\n')
    for name, text in TEXTS.items():
        memory, seconds = cost(check, (text * 4).encode())
        assert memory - plain_memory < MEMORY and seconds - plain_seconds < SECONDS, name


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("a." * 31_900 + "a = 1", "a key of more than 8 parts"),
        (f"[{'a.' * 31_900}a]", "a key of more than 8 parts"),
        (f"x = {'[' * 11}{']' * 11}", "deeper than 10"),
        (f"x = {'{a=' * 11}1{'}' * 11}", "deeper than 10"),
        (f"x = {'1' * 101}", "a number or a key of more than 100 characters"),
        ("[[steps]]\n" * 5_000, "more than 10,000 keys, values, and brackets"),
        (" " * 64_001, "at most 64 kB"),
    ],
)
def test_a_presenter_is_told_which_bound_a_playlist_passes(text, bound):
    with pytest.raises(ValueError, match=bound):
        playlist.read(text.encode())


@pytest.mark.parametrize("hidden", ["# {}", 'title = "{}"', "title = '{}'", 'title = """\n{}"""'])
def test_dots_and_brackets_in_strings_and_comments_count_for_nothing(hidden):
    for text in ("a." * 5_000, "[" * 5_000, "{" * 5_000, "1" * 5_000):
        written = hidden.format(text)
        assert toml_of(written, "The file", 64_000) == tomllib.loads(written)


#: Pieces of which texts are made that parsers and scanners may read in different ways.
PIECES = ['"', '""', '"""', "'", "'''", "\\", "#", "\n", "\r\n", "a", ".", "=", "[", "]", " ", "1"]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_the_scanner_and_the_parser_agree_on_what_is_a_string(text):
    """What a parser reads never holds a key of more parts than the scanner has let pass."""
    deep = text + "\n" + ".".join("b" * 9) + " = 1"
    try:
        found = tomllib.loads(deep.replace("\r\n", "\n"))
    except ValueError:
        return
    hidden = "b" not in found and not any(
        isinstance(value, dict) and "b" in str(value) for value in found.values()
    )
    if hidden:
        toml_of(deep, "The file", 10_000)
    else:
        with pytest.raises(PastBound):
            toml_of(deep, "The file", 10_000)


def test_what_the_app_itself_writes_stays_far_below_the_bounds():
    for text in playlist.shipped().values():
        toml_of(text, "The playlist", 64_000)
    many = {f"key {number}": number for number in range(15_000)}
    assert json_of(json.dumps(many), "The file", 1_000_000) == many
    assert TOML_BOUNDS.parts >= 2 * max(len(["knobs", "order", "options"]), 3)
