"""The games: a folder each, found by name."""

from thrive_engine.games import thrive
from thrive_engine.games.base import Rules

GAMES: dict[str, Rules] = {thrive.name: thrive}
