"""Whether the recorded games are what the journal says: each is played again by the rules."""

from collections.abc import Iterator

from thrive_engine.arena.job import Ending, Played
from thrive_engine.arena.standing import Standing
from thrive_engine.arena.store import Store
from thrive_engine.errors import RecordError, TextError
from thrive_engine.games import GAMES
from thrive_engine.games.base import Rules
from thrive_engine.record import read_record


def check_games(store: Store, standing: Standing) -> Iterator[str]:
    """What is wrong with the games of a tournament, a line each."""
    rules = GAMES[standing.tournament.game]
    for game in store.read_games(sorted(standing.games)):
        for wrong in check_game(game, rules):
            yield f"game {game.number}: {wrong}"
    if not store.has_games(standing.recorded()):
        yield f"{store.games.name}: it differs from the journal; thrive arena resume repairs it"


def check_game(game: Played, rules: Rules) -> Iterator[str]:
    """What is wrong with a game."""
    try:
        record = read_record(game.record, rules)
        played = record.game()
    except (RecordError, TextError) as error:
        yield f"its record can't be played: {error}"
        return
    yield from map(str, record.errors)
    outcome = played.outcome
    word = game.termination if outcome is None else rules.termination(outcome)
    result = game.result if outcome is None else outcome.result
    if outcome is None and game.termination not in {each.value for each in Ending}:
        yield f"it is said to have ended by {game.termination!a}, and goes on"
    found = (str(played.start), len(played.turns), result, word)
    told = (game.opening, game.turns, game.result, game.termination)
    names = ("opening", "number of turns", "result", "termination")
    for name, one, other in zip(names, told, found, strict=True):
        if one != other:
            yield f"{name}: the journal says {one!a}, the rules say {other!a}"
    tags = (record.tags["Result"], record.tags.get("Termination", ""))
    if tags != (game.result, game.termination):
        yield f"the record's tags say {tags[0]}, {tags[1]}"
