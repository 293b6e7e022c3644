"""Drives any engine that speaks UCI, ours or another, asynchronously or blocking.

>>> import sys
>>> from thrive_engine.client import SimpleEngine
>>> from thrive_engine.search.base import Limit
>>> with SimpleEngine.start([sys.executable, "-m", "thrive_engine"]) as engine:
...     engine.configure({"MultiPV": 2})
...     answer = engine.play(None, ["a1a2+a2gi"], Limit(depth=1))
>>> answer.infos[0].pv[0] == answer.turn
True

Positions and turns are texts: the client knows no rules, and whoever asked for a turn judges it.
Every step has a deadline (Timeouts). What goes wrong is an EngineError; once it is raised the
engine's processes are gone, and every further call raises the same error.
"""

from thrive_engine.client.engine import Engine
from thrive_engine.client.go import Analysis, Answer
from thrive_engine.client.process import Command, Log, Timeouts
from thrive_engine.client.simple import SimpleAnalysis, SimpleEngine

__all__ = [
    "Analysis",
    "Answer",
    "Command",
    "Engine",
    "Log",
    "SimpleAnalysis",
    "SimpleEngine",
    "Timeouts",
]
