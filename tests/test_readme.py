"""Every command in README works as it is written there."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
import time
import urllib.request
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import pytest

from physics.cluster import parse_change, read_log, synthetic_log, to_sacct
from physics.cluster.__main__ import main as fleet_cluster
from physics.jobs.readers.named import read_columns
from physics.scheduling import Policy

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
#: The one command that a test cannot run within itself: CI runs it word for word.
TESTS = [line for line in COMMANDS if line.endswith("-m pytest")]
SERVERS = [line for line in COMMANDS if "-m streamlit run" in line]
AUTHORS = [line for line in COMMANDS if "-m lessons" in line]
CLUSTER = [line for line in COMMANDS if "-m physics.cluster LOG" in line]
SACCT = [line for line in COMMANDS if " sacct " in line]
#: Longest time for a server's start [s].
PATIENCE = 120.0
NODES = "NodeName=g1 CPUTot=64 Gres=gpu:512 State=IDLE Partitions=gpu\n"
#: Stands for Slurm's command: it prints the fields that `-o` asks for, in their order.
SLURM = """#!{python}
import sys
fields = sys.argv[sys.argv.index("-o") + 1].split(",")
head, *lines = open({log!r}).read().splitlines()
names = head.split("|")
print("|".join(fields))
for line in lines:
    values = dict(zip(names, line.split("|")))
    values["Eligible"] = values["Submit"]
    values["ReqTRES"] = values["AllocTRES"]
    print("|".join(values.get(field, "") for field in fields))
"""


def executable(path: Path, text: str) -> None:
    """Write a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The house once more, with this Python where README has its own, and a Slurm with a log."""
    folder = tmp_path_factory.mktemp("house")
    names = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for name in names:
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())
    executable(folder / ".venv/bin/python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    jobs = synthetic_log(seed=3, days=6)
    jobs = jobs[jobs["gpus"] <= 256]
    jobs["job_class"] = jobs["job_class"].replace({"search": "gpu", "training": "gpu"})
    (folder / "printed").write_text(to_sacct(jobs))
    (folder / "nodes.txt").write_text(NODES)
    slurm = SLURM.format(python=sys.executable, log=str(folder / "printed"))
    executable(folder / "slurm/sacct", slurm)
    return folder


def environment(folder: Path) -> dict[str, str]:
    """Return the surroundings in which commands run: with Slurm, and without a network."""
    paths = [str(folder / "slurm"), str(Path(sys.executable).parent), os.environ["PATH"]]
    changed = {
        "PATH": os.pathsep.join(paths),
        "PIP_NO_INDEX": "1",
        # What README installs is installed here already; its own empty environment sees it, too.
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }
    return os.environ | changed


def run(folder: Path, command: str) -> subprocess.CompletedProcess:
    """Run a command as it is typed."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=600,
    )


def test_each_command_is_run_by_one_of_these_tests():
    sorted_in = [*TESTS, *SERVERS, *AUTHORS, *CLUSTER, *SACCT]
    assert sorted(sorted_in) == sorted(COMMANDS)
    assert len(TESTS) == 1 and len(SERVERS) == 2 and len(SACCT) == 1
    inline = {text for text in re.findall(r"`([^`\n]+)`", README) if text.startswith("pip ")}
    assert inline == {"pip install ."}, "tests/test_installed.py builds what it installs"


def test_ci_runs_the_test_command_word_for_word():
    pattern = re.search(r"grep -E '([^']+)' README\.md", (ROOT / ".ci/run").read_text())[1]
    assert [line for line in README.splitlines() if re.search(pattern, line)] == TESTS


def test_the_example_in_python_prints_what_readme_says():
    (code,) = [text for kind, text in BLOCKS if kind == "python"]
    printed = StringIO()
    with redirect_stdout(printed):
        exec(code, {})
    assert f"This prints `{printed.getvalue().strip()}`." in README


def test_the_changes_and_columns_that_readme_names_can_be_read(tmp_path):
    sentence = README.partition("A change may also be ")[2].partition("\n\n")[0]
    changes = re.findall(r"`([^`]+)`", sentence)
    assert len(changes) >= 4
    for text in changes:
        assert parse_change(text, Policy(), 1024) != parse_change("", Policy(), 1024), text
    columns, place = re.search(r"`--columns (\S+) --timezone (\S+)`", README).groups()
    table = tmp_path / "jobs.csv"
    table.write_text(
        "queued,begun,ended,n_gpu\n2026-03-01 10:00:00,2026-03-01 10:05:00,2026-03-01 11:00:00,8\n"
    )
    jobs = read_log(table, columns=read_columns(columns), timezone=place)
    assert jobs["gpus"].tolist() == [8] and jobs["recorded_wait"].tolist() == [300]


@pytest.mark.nightly
@pytest.mark.parametrize("source", ["--synthetic", "--kth-like"])
def test_without_a_log_a_synthetic_one_is_taken(source, capsys):
    assert f"`{source}`" in README
    assert fleet_cluster([source]) == 0
    assert capsys.readouterr().out


@pytest.mark.nightly
def test_the_commands_for_a_cluster_read_what_sacct_prints(house):
    for command in (*SACCT, *CLUSTER):
        done = run(house, command)
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert (house / "report/report.html").stat().st_size > 10_000


@pytest.mark.nightly
def test_the_commands_for_a_lesson_make_one(house):
    for command in AUTHORS:
        done = run(house, command)
        assert done.returncode == 0, f"{command}\n{done.stderr[-2000:]}"
    assert (house / "lessons/littles_law/words.toml").exists()
    assert "littles_law" in (house / "docs/driving-pages.md").read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize("command", SERVERS, ids=["visitor", "author"])
def test_the_commands_that_start_the_app_start_it(house, command):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    if "-m venv" in command:
        shutil.rmtree(house / ".venv")
    listens = {"STREAMLIT_SERVER_PORT": str(port), "STREAMLIT_SERVER_ADDRESS": "127.0.0.1"}
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=house,
        env=environment(house) | listens,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert _answers(process, f"http://127.0.0.1:{port}/_stcore/health")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=PATIENCE)


def _answers(process: subprocess.Popen, address: str) -> bool:
    """Wait until a server answers; say whether it does before it ends."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(address, timeout=2):
            return True
        time.sleep(0.1)
    return False
