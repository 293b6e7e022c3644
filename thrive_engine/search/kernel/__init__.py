"""The search kernel: Python that Cython also compiles, some 200 times faster.

This is its one door. Its modules run compiled where they were, else as they are written; also where
the processor lacks an instruction that the compiled ones use. ``COMPILED`` tells which it is.
"""

import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

from thrive_engine.search.kernel import board

if not board.CAN_RUN:
    # From here on the folder has only what is written in it, not what was compiled from that.
    sys.path_importer_cache[__path__[0]] = FileFinder(
        __path__[0], (SourceFileLoader, SOURCE_SUFFIXES)
    )
    del sys.modules[board.__name__], board

from thrive_engine.search.kernel.board import COMPILED, Board
from thrive_engine.search.kernel.network import Network, load_weights
from thrive_engine.search.kernel.proof import Proof
from thrive_engine.search.kernel.search import Control, Search
from thrive_engine.search.kernel.table import Table

__all__ = ["COMPILED", "Board", "Control", "Network", "Proof", "Search", "Table", "load_weights"]
