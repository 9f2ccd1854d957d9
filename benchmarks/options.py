"""Flags of the commands, which `options.toml` declares."""

import argparse
import tomllib
from pathlib import Path

FLAGS = tomllib.loads(Path(__file__).with_name("options.toml").read_text(encoding="utf-8"))
TYPES = {"int": int, "float": float, "Path": Path}


def parser(command: str, about: str | None) -> argparse.ArgumentParser:
    """Return the parser of a command, which the first line of a docstring describes."""
    made = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{command}", description=(about or "").split("\n")[0]
    )
    for name, flag in FLAGS[command].items():
        if "type" in flag:
            flag = flag | {"type": TYPES[flag["type"]]}
        made.add_argument(name, **flag)
    return made
