"""The kernel runs compiled where it can, as it is written where it cannot, and tells which."""

import sys
from importlib import import_module
from pathlib import Path
from subprocess import run
from types import ModuleType

from kernels import MODULES, NAME, kernel_in

SOURCES = ("*.py", "*.pxd")
WITHOUT_POPCOUNT = f"""
import sys
from types import SimpleNamespace
sys.modules["{NAME}.board"] = SimpleNamespace(CAN_RUN=False, __name__="{NAME}.board")
from {NAME} import COMPILED, Board, board, search
print(COMPILED, board.__file__, search.__file__)
"""


def test_the_compiled_modules_are_newer_than_their_sources() -> None:
    kernel = kernel_in("compiled")
    folder = Path(kernel.__path__[0])
    sources = [path for pattern in SOURCES for path in folder.glob(pattern)]
    newest = max(sources, key=lambda path: path.stat().st_mtime)
    for name in MODULES:
        compiled = Path(str(import_module(f"{NAME}.{name}").__file__))
        assert compiled.stat().st_mtime >= newest.stat().st_mtime, (
            f"{newest.name} was changed after {compiled.name} was made: pip install --editable ."
        )


def test_a_life_tells_which_it_is(kernel: ModuleType) -> None:
    is_source = {str(getattr(kernel, name).__file__).endswith(".py") for name in MODULES}
    assert is_source == {not kernel.COMPILED}


def test_the_lives_are_apart() -> None:
    compiled, interpreted = kernel_in("compiled"), kernel_in("interpreted")
    assert compiled.Board is not interpreted.Board
    assert import_module(NAME) is compiled
    assert sys.modules[f"{NAME}.board"] is compiled.board


def test_a_processor_without_popcount_gets_what_is_written() -> None:
    done = run([sys.executable, "-c", WITHOUT_POPCOUNT], capture_output=True, text=True, check=True)
    compiled, *files = done.stdout.split()
    assert compiled == "False"
    assert {Path(file).name for file in files} == {"board.py", "search.py"}
