"""Which of its two lives the search kernel has here: compiled, or interpreted as it is written."""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

_KERNEL = "thrive_engine.search.kernel"
_FOLDER = Path(__file__).parent / "kernel"


def life() -> str:
    """``compiled`` or ``interpreted``.

    Before the kernel is loaded, which takes a while, its files tell.
    """
    loaded = sys.modules.get(_KERNEL)
    if loaded is not None:
        is_compiled = bool(loaded.COMPILED)
    else:
        is_compiled = any((_FOLDER / f"search{suffix}").exists() for suffix in EXTENSION_SUFFIXES)
    return "compiled" if is_compiled else "interpreted"
