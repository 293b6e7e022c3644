"""What holds for every position and every turn."""

import copy
import pickle

import reference as ref
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    drafts,
    legal_turns,
    movements,
    open_positions,
    pegs,
    pieces,
    positions,
    set_ups,
    spelled_pieces,
    spelled_positions,
    spelled_turns,
    texts,
    turns,
)

import thrive_engine
from thrive_engine import (
    IllegalTurnError,
    NotationError,
    Piece,
    Position,
    Side,
    Turn,
    parse_draft,
    parse_hole,
    parse_piece,
    parse_position,
    parse_square,
    parse_turn,
)
from thrive_engine.games.thrive.values import turn_code, turn_of

NAMES = vars(thrive_engine)
MOST_LISTED = 3000


# Text


@given(positions)
def test_a_position_is_read_as_it_was_written(position: Position) -> None:
    assert parse_position(str(position)) == position
    assert eval(repr(position), dict(NAMES)) == position
    assert hash(parse_position(str(position))) == hash(position)


@given(turns)
def test_a_turn_is_read_as_it_was_written(turn: Turn) -> None:
    assert parse_turn(str(turn)) == turn
    assert eval(repr(turn), dict(NAMES)) == turn


@given(turns.filter(lambda turn: turn.movement.origin != turn.movement.target))
def test_a_turn_that_goes_anywhere_has_a_code_of_its_own(turn: Turn) -> None:
    assert turn_of(turn_code(turn)) == turn


@given(pieces)
def test_a_piece_is_read_as_it_was_written(piece: Piece) -> None:
    assert parse_piece(str(piece)) == piece
    assert eval(repr(piece), dict(NAMES)) == piece


@given(st.data(), positions)
def test_every_spelling_of_a_position_lands_on_the_canonical_one(
    data: st.DataObject, position: Position
) -> None:
    assert str(parse_position(data.draw(spelled_positions(position)))) == str(position)


@given(st.data(), pieces)
def test_every_spelling_of_a_piece_lands_on_the_canonical_one(
    data: st.DataObject, piece: Piece
) -> None:
    assert str(parse_piece(data.draw(spelled_pieces(piece)))) == str(piece)


@given(st.data(), open_positions)
def test_every_spelling_of_a_turn_lands_on_the_canonical_one(
    data: st.DataObject, position: Position
) -> None:
    turn = data.draw(legal_turns(position))
    text = data.draw(spelled_turns(position, turn))
    assert parse_turn(text, position) == parse_turn(text) == turn
    assert str(parse_draft(text, position)) == str(turn)
    assert parse_turn(position.annotate(turn), position) == turn


@given(texts, positions)
def test_any_text_is_read_or_refused_with_a_documented_error(text: str, position: Position) -> None:
    places = []
    for read in (parse_square, parse_hole, parse_piece, parse_position, parse_turn):
        try:
            read(text)
        except NotationError as error:
            places.append(error.place)
    for read_in in (parse_turn, parse_draft):
        try:
            read_in(text, position)
        except (NotationError, IllegalTurnError) as error:
            places.append(error.place)
    assert all(0 <= place <= len(text) for place in places)


@given(st.data(), positions, st.characters(), st.integers(0, 400))
def test_a_position_with_one_character_changed_is_read_like_the_reference_reads_it(
    data: st.DataObject, position: Position, character: str, at: int
) -> None:
    text = str(position)
    at %= len(text)
    character = data.draw(st.just(character) | st.sampled_from(text))
    changed = text[:at] + character + text[at + data.draw(st.integers(0, 1)) :]
    try:
        expected = ref.write_position(ref.parse_position(changed))
    except ref.RefusedError:
        expected = "refused"
    try:
        found = str(parse_position(changed))
    except NotationError:
        found = "refused"
    assert found == expected


@given(positions, turns)
def test_values_can_be_pickled_and_copied(position: Position, turn: Turn) -> None:
    for value in (position, turn, turn.movement, turn.pegs, position.draft, position.outcome):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == copy.copy(value) == value


# Rules


@given(st.data(), open_positions)
def test_random_play_never_leaves_the_rules(data: st.DataObject, position: Position) -> None:
    for _ in range(4):
        if position.outcome is not None:
            break
        turn = data.draw(legal_turns(position))
        assert turn in position.legal_turns
        after = position.play(turn)
        assert after == position.play_unchecked(turn)
        assert parse_position(str(after)) == after
        assert after.side is position.side.other
        assert after.number == position.number + (position.side is Side.BLACK)
        assert after.outcome is not None or len(after.legal_turns) > 0
        position = after


@given(positions)
def test_the_count_is_that_of_the_enumeration(position: Position) -> None:
    codes = list(position.legal_turns.codes())
    assert len(codes) == len(position.legal_turns) == len(set(codes))
    assert (position.outcome is None) == bool(codes)


@given(set_ups())
def test_no_position_has_more_turns_or_movements_than_the_spec_says(position: Position) -> None:
    assert len(position.legal_turns) <= 218_880
    assert len(position.legal_movements) <= 134


@given(positions)
def test_turns_come_in_the_order_of_movements_each_once(position: Position) -> None:
    assume(len(position.legal_turns) <= MOST_LISTED)
    found = list(position.legal_turns)
    assert len(set(found)) == len(found)
    assert list(dict.fromkeys(turn.movement for turn in found)) == list(position.legal_movements)
    assert all(turn in position.legal_turns for turn in found)


@given(st.data(), open_positions)
def test_a_changed_turn_is_accepted_just_if_the_reference_accepts_it(
    data: st.DataObject, position: Position
) -> None:
    turn = data.draw(legal_turns(position))
    movement = data.draw(st.just(turn.movement) | movements)
    changed = data.draw(
        st.lists(st.sampled_from(turn.pegs) | pegs if turn.pegs else pegs, unique=True, max_size=2)
    )
    other = Turn(movement, tuple(changed)) if changed or movement.origin is not None else turn
    expected = _is_legal_by_reference(position, other)
    assert (other in position.legal_turns) == expected
    try:
        parse_turn(str(other), position)
    except IllegalTurnError:
        assert not expected
    else:
        assert expected


@given(positions, turns)
def test_any_turn_is_legal_just_if_the_reference_says_so(position: Position, turn: Turn) -> None:
    assert (turn in position.legal_turns) == _is_legal_by_reference(position, turn)


def _is_legal_by_reference(position: Position, turn: Turn) -> bool:
    try:
        ref.parse_turn(str(turn), ref.parse_position(str(position)))
    except ref.RefusedError:
        return False
    return True


@given(st.data(), positions)
def test_the_reference_agrees(data: st.DataObject, position: Position) -> None:
    slow = ref.parse_position(str(position))
    assert ref.write_position(slow) == str(position)
    outcome = position.outcome
    assert ref.outcome(slow) == (outcome and outcome.result)
    names = {str(movement) for movement in position.legal_movements}
    assert {ref.write_turn(ref.Turn(each, frozenset())) for each in ref.movements(slow)} == names
    assert ref.key(slow) == position.key
    assert ref.symmetry_key(slow) == position.symmetry_key
    assert ref.write_position(ref.mirrored(slow)) == str(position.mirrored())
    assert ref.write_position(ref.turned(slow)) == str(position.turned())
    if outcome is None:
        turn = data.draw(legal_turns(position))
        after = ref.play(slow, ref.parse_turn(str(turn), slow))
        assert ref.write_position(after) == str(position.play(turn))


@given(positions)
def test_the_reference_lists_the_same_turns(position: Position) -> None:
    assume(len(position.legal_turns) <= MOST_LISTED)
    slow = ref.parse_position(str(position))
    expected = sorted(map(ref.write_turn, ref.turns(slow)))
    assert sorted(map(str, position.legal_turns)) == expected


# Half-built turns


@given(st.data(), positions)
def test_the_choices_of_drafts_make_just_the_legal_turns(
    data: st.DataObject, position: Position
) -> None:
    assume(len(position.legal_turns) <= MOST_LISTED)
    made, open_drafts = set(), [position.draft]
    while open_drafts:
        draft = open_drafts.pop()
        if draft.turn is not None:
            made.add(draft.turn)
        open_drafts += [draft.add(part) for part in draft.choices]
    assert made == set(position.legal_turns)


@given(st.data(), positions)
def test_a_draft_is_read_as_it_was_written_and_tells_its_turns(
    data: st.DataObject, position: Position
) -> None:
    draft = data.draw(drafts(position))
    assert parse_draft(str(draft), position) == draft
    codes = list(draft.turns.codes())
    assert len(codes) == len(draft.turns)
    if len(codes) <= MOST_LISTED:
        assert all(turn in position.legal_turns for turn in draft.turns)
    assert draft.is_complete == (draft.turn is not None) == (draft.stage == "")
    if draft.turn is not None:
        assert draft.position == position.play(draft.turn)
    else:
        assert draft.position.side is position.side


@given(st.data(), open_positions)
def test_targets_and_holes_of_a_draft_are_its_choices(
    data: st.DataObject, position: Position
) -> None:
    draft = data.draw(drafts(position))
    named = [f"{origin}{to}" for origin, targets in draft.targets.items() for to in targets]
    named += [f"{square}{hole}" for square, holes in draft.holes.items() for hole in holes]
    choices = [str(choice) for choice in draft.choices]
    assert sorted(named) == sorted(choices) or choices == ["0000"]


# Symmetry and keys


@given(positions)
def test_symmetries_are_their_own_inverse_and_commute(position: Position) -> None:
    assert position.mirrored().mirrored() == position
    assert position.turned().turned() == position
    assert position.mirrored().turned() == position.turned().mirrored()
    assert position.turned().number == position.number


@given(st.data(), open_positions)
def test_symmetry_commutes_with_play_up_to_the_turn_number(
    data: st.DataObject, position: Position
) -> None:
    turn = data.draw(legal_turns(position))
    after = position.play(turn)
    assert position.mirrored().play(turn.mirrored()) == after.mirrored()
    assert position.turned().play(turn.turned()).identity == after.turned().identity


@given(positions)
def test_symmetric_positions_have_as_many_turns_and_the_same_end(position: Position) -> None:
    for other in (position.mirrored(), position.turned()):
        assert len(other.legal_turns) == len(position.legal_turns)
        assert (other.outcome is None) == (position.outcome is None)
    if position.outcome is not None:
        turned = position.turned().outcome
        assert turned is not None
        assert turned.scores == position.outcome.scores[::-1]
        assert turned.reason is position.outcome.reason


@given(positions, st.integers(1, 10**9))
def test_keys_ignore_the_turn_number_and_the_symmetry_key_the_symmetries(
    position: Position, number: int
) -> None:
    again = Position.of(position.pieces, position.side, number)
    assert again.key == position.key
    assert again.identity == position.identity
    assert 0 <= position.key < 1 << 64
    for other in (position.mirrored(), position.turned(), position.turned().mirrored()):
        assert other.symmetry_key == position.symmetry_key
        assert (other.key == position.key) == (other.identity == position.identity)


@given(positions, positions)
def test_different_positions_have_different_keys(one: Position, other: Position) -> None:
    assert (one.key == other.key) == (one.identity == other.identity)
