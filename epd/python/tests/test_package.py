"""The package as a whole: its types, its guide."""

import doctest
import importlib.metadata
import os
import pathlib
import subprocess
import sys

import epode
import pytest

README = pathlib.Path(__file__).resolve().parents[1] / "README.md"


def test_the_version_is_that_of_the_wheel():
    assert epode.__version__ == importlib.metadata.version("epode")


def test_everything_has_documentation():
    for name in epode.__all__:
        assert name.startswith("__") or getattr(epode, name).__doc__, name


def test_the_stubs_are_those_of_the_package(tmp_path):
    pytest.importorskip("mypy")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "epode"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_program_is_type_checked(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        "import io\n"
        "from pathlib import Path\n"
        "from typing import Optional\n"
        "import epode\n"
        "for source in ('suite.epd', Path('suite.epd'), io.BytesIO(), open('suite.epd')):\n"
        "    for record in epode.read(source, errors='skip'):\n"
        "        moves: list[str] = record.position.legal_moves\n"
        "        record['bm'] = moves[:1]\n"
        "        best: Optional[str] = epode.analyze(record, nodes=10).pm\n"
        "epode.read('x', errors='ignore')  # type: ignore[arg-type]\n"
    )
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_examples_of_the_guide(tmp_path, monkeypatch):
    suites = README.parents[2] / "suites"
    monkeypatch.chdir(tmp_path)
    os.symlink(suites, tmp_path / "suites")
    failed, tested = doctest.testfile(
        str(README), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert (failed, tested > 20) == (0, True)
