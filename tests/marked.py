"""Engines of the gallery, and processes that are found again by a mark in their environment."""

import os
import sys
import time
import uuid
from pathlib import Path

GALLERY = Path(__file__).parent / "engines" / "gallery.py"
PATIENCE = 20.0
"""Seconds after which what should be gone is a failure."""


def gallery(mode: str) -> list[str]:
    """The command of an engine of the gallery."""
    return [sys.executable, "-I", "-S", str(GALLERY), mode]


class Mark:
    """A mark of its own for every use; children inherit it from those who carry it."""

    def __init__(self) -> None:
        self.text = f"THRIVE_TEST_MARK={uuid.uuid4().hex}"

    @property
    def env(self) -> dict[str, str]:
        """The environment that carries it."""
        name, _, value = self.text.partition("=")
        return {**os.environ, name: value}

    @property
    def pids(self) -> list[int]:
        """Every process that carries it."""
        return [
            int(path.parent.name)
            for path in Path("/proc").glob("[0-9]*/environ")
            if self.text.encode() in _read(path)
        ]

    def vanish(self) -> bool:
        """Whether, before patience ends, no process carries it any more."""
        end = time.monotonic() + PATIENCE
        while self.pids and time.monotonic() < end:
            time.sleep(0.02)
        return not self.pids


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
