"""Every game keeps the contract of games/base.py."""

import pickle
from random import Random
from typing import Any

import pytest

from thrive_engine.errors import TextError
from thrive_engine.game import Game
from thrive_engine.games import GAMES
from thrive_engine.games.base import Outcome, Rules, count_turns


@pytest.fixture(params=GAMES)
def rules(request: pytest.FixtureRequest) -> Rules:
    return GAMES[request.param]


def play_out(rules: Rules, seed: int) -> Game:
    """A game of random turns, each built part by part, to its end."""
    random, game = Random(seed), Game(rules.start, rules)
    while game.outcome is None and len(game.turns) < 500:
        draft = game.position.draft
        while draft.turn is None:
            draft = draft.add(random.choice(draft.choices))
        game.play(draft.turn)
    return game


def test_a_game_is_found_by_its_name(rules: Rules) -> None:
    assert GAMES[rules.name] is rules
    assert len(rules.players) >= 1


def test_the_start_is_open(rules: Rules) -> None:
    assert rules.start.outcome is None
    assert 0 <= rules.start.player < len(rules.players)
    assert count_turns(rules.start, 0) == 1
    assert count_turns(rules.start, 1) == len(rules.start.legal_turns) > 0


@pytest.mark.parametrize("seed", range(5))
def test_a_played_game_is_consistent_throughout(rules: Rules, seed: int) -> None:
    game = play_out(rules, seed)
    for before, turn, after in zip(game.positions, game.turns, game.positions[1:], strict=False):
        check_position(rules, before)
        assert turn in before.legal_turns
        assert rules.parse_turn(str(turn), before) == turn
        assert rules.parse_turn(before.annotate(turn), before) == turn
        assert before.play(turn) == before.play_unchecked(turn) == after
    check_outcome(rules, game.outcome)


def check_position(rules: Rules, position: Any) -> None:
    assert rules.parse_position(str(position)) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(position.identity) == hash(rules.parse_position(str(position)).identity)
    assert 0 <= position.key < 1 << 64
    assert 0 <= position.symmetry_key < 1 << 64
    assert rules.parse_draft("", position) == position.draft
    assert position.draft.stage
    number, first = rules.numbering(position)
    assert number >= 1
    assert isinstance(first, bool)


def check_outcome(rules: Rules, outcome: Outcome | None) -> None:
    assert outcome is not None
    assert len(outcome.scores) == len(rules.players)
    assert sum(outcome.scores) == 1
    assert outcome.result in str(outcome)


def test_a_position_can_be_drawn(rules: Rules) -> None:
    turn = next(iter(rules.start.legal_turns))
    for marked in (None, turn):
        assert rules.draw_text(rules.start, marked)
        assert rules.draw_text(rules.start, marked, unicode=False).isascii()
        assert rules.draw_svg(rules.start, marked).startswith("<svg")


@pytest.mark.parametrize("text", ["", "?", "\0", "x" * 1000])
def test_nonsense_is_refused_with_a_text_error(rules: Rules, text: str) -> None:
    with pytest.raises(TextError):
        rules.parse_position(text)
    with pytest.raises(TextError):
        rules.parse_turn(text, rules.start)
