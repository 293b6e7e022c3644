"""What all tests share: transcripts, and the switch that accepts new ones."""

import signal
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from kernels import LIVES, kernel_in

DATA = Path(__file__).parent / "data"

# A run in the background ignores Ctrl-C, and so would every process that a test starts and
# interrupts: what is ignored is inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept", action="store_true", help="Write transcripts anew instead of comparing them."
    )


@pytest.fixture
def transcript(request: pytest.FixtureRequest) -> Callable[[str | Path, str], None]:
    """Compares a text with a file, whole: ``transcript("start.txt", text)``.

    The file is in tests/data, unless the path is absolute. With ``--accept`` it is written.
    """

    def compare(name: str | Path, text: str) -> None:
        path = DATA / name
        if request.config.getoption("--accept"):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), f"{path.name} is missing; pytest --accept writes it"
        assert text == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture(scope="session", params=LIVES)
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    """The search kernel, compiled and interpreted."""
    return kernel_in(request.param)
