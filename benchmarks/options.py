"""Command-line options of the benchmarks, declared in `options.toml`."""

import argparse
import tomllib
from pathlib import Path

FLAGS = tomllib.loads(Path(__file__).with_name("options.toml").read_text(encoding="utf-8"))
TYPES = {"int": int, "float": float, "Path": Path}


def parser(command: str, about: str | None) -> argparse.ArgumentParser:
    """Return a command's argument parser; the first line of `about` describes the command."""
    result = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{command}", description=(about or "").split("\n")[0]
    )
    for name, flag in FLAGS[command].items():
        if "type" in flag:
            flag = flag | {"type": TYPES[flag["type"]]}
        result.add_argument(name, **flag)
    return result
