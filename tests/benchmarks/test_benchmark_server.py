"""The app that is measured and tested is the one that README starts."""

import re
import shlex

import pytest
from streamlit import config

from benchmarks.server import ROOT, Server
from lessons.__main__ import AUTHORS_COMMAND

#: What may differ: where the server listens.
PLACE = {"--server.address", "--server.port"}


def readme_command() -> list[str]:
    """Return what the section “Run it” types to start the app, from `-m streamlit` on."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Run it")[2]
    typed = re.search(r"python (-m streamlit run .*)", section.partition("\n## ")[0])
    return shlex.split(typed[1])


def test_benchmarks_and_tests_start_the_app_as_readme_does():
    started = Server().command[1:]
    command = readme_command()
    assert started[: len(command)] == command
    options = started[len(command) :]
    assert set(options[::2]) == PLACE and len(options) == 2 * len(PLACE)
    assert Server().folder == ROOT, "where Streamlit looks for its settings"


def test_the_container_starts_the_app_as_readme_does():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    typed = re.search(r'^CMD \["python", (.*)\]$', text, re.MULTILINE)
    assert re.findall(r'"([^"]*)"', typed[1]) == readme_command()
    variables = re.findall(r"STREAMLIT_(SERVER|[A-Z]+)_([A-Z_]+)=", text)
    assert {f"--{group}.{name}".lower() for group, name in variables} == PLACE


@pytest.mark.parametrize("document", ["README.md", "docs/adding-a-lesson.md"])
def test_authors_are_given_one_command_that_shows_changes_and_errors(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    assert AUTHORS_COMMAND in text.replace(".venv/bin/", "")
    options = shlex.split(AUTHORS_COMMAND)[5:]
    for name in options[::2]:
        assert config.get_option(name.removeprefix("--")) == "none", "what visitors get"
