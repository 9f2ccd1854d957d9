"""What `pip install .` brings: the models with their data, and one command."""

import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.slow
def test_a_wheel_holds_every_file_of_the_models(tmp_path):
    listed = subprocess.run(
        ["git", "ls-files", "physics", "pyproject.toml", "README.md", "LICENSE"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = listed.stdout.split()
    source = tmp_path / "source"
    for name in names:
        copy = source / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(command, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    models = {name for name in names if name.startswith("physics/")}
    assert models <= packed
    assert not [name for name in packed if name.startswith(("ui/", "lessons/", "tests/"))]


def test_the_installed_command_is_the_module_s():
    module, _, function = PROJECT["scripts"]["fleet-cluster"].partition(":")
    assert (
        getattr(import_module(module), function) is import_module("physics.cluster.__main__").main
    )
