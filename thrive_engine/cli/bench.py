"""``thrive bench``: the signature of the search and its speed."""

import click

from thrive_engine.cli import COMMANDS
from thrive_engine.engine import Engine
from thrive_engine.search.base import Stop
from thrive_engine.search.life import life

HELP = f"""{COMMANDS["bench"]}

The nodes are the same on every machine, whether the search kernel is compiled or interpreted: they
change when the search plays otherwise. The speed is that of one thread.
"""


@click.command("bench", help=HELP)
def command() -> None:
    engine, total = Engine(), 0
    engine.make_ready()
    stop = Stop()
    for text, nodes in engine.bench(stop):
        print(f"{text}: {nodes}")
        total += nodes
    speed = int(total / stop.elapsed)
    print(f"\nNodes searched: {total}\nNodes/second: {speed}\nKernel: {life()}")
