"""A newcomer's first lesson: `python -m lessons new` makes one that keeps every rule."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.__main__ import main

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("lessons", "ui", "physics", "polls", "pages", "tests", "docs", "benchmarks", ".streamlit")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=600
    )


@pytest.fixture
def copy(tmp_path):
    """The house once more, so that a lesson can be added to it."""
    for part in PARTS:
        shutil.copytree(
            ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "*.sqlite*")
        )
    for path in (*ROOT.glob("*.toml"), *ROOT.glob("*.py"), *ROOT.glob("*.md"), *ROOT.glob("*.txt")):
        shutil.copy(path, tmp_path)
    return tmp_path


@pytest.mark.nightly
def test_a_lesson_begun_by_the_command_keeps_every_rule_of_the_house(copy):
    for command in (
        ["lessons", "new", "first_steps"],
        ["lessons"],
        ["ruff", "check", "lessons", "pages"],
    ):
        done = run(copy, "-m", *command)
        assert done.returncode == 0, done.stdout + done.stderr
    try_all = ("-m", "pytest", "-n", "0", "-p", "no:cacheprovider")
    # The guide's command and more: its slow tests, too; those in a browser run on real lessons.
    chosen = ["tests", "--ignore=tests/browser", "-k", "first_steps or test_architecture"]
    for rules in (chosen, ["tests/ui/test_sentences.py", "-k", "first_steps", "-m", ""]):
        done = run(copy, *try_all, *rules)
        assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "small letters, digits and underscores"),
        ("../x", "small letters, digits and underscores"),
        ("drf_story", "there is a lesson drf_story"),
    ],
)
def test_a_name_that_cannot_be_a_page_is_refused_in_one_sentence(name, says, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["lessons", "new", name])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert says in capsys.readouterr().err
