"""The examples of the documentation, and of the docstrings, run."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import thrive_engine

ROOT = Path(__file__).parent.parent
MODULES = [
    module.name
    for module in pkgutil.walk_packages(thrive_engine.__path__, "thrive_engine.")
    if not module.name.endswith("__main__")
]


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert failed == 0
    if page.name == "tutorial.md":
        assert tried > 20


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
