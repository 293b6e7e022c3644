"""What the search is tuned with. Matches decided, not taste: docs/strength.md has them."""

from thrive_engine.search.kernel import machine

TUNED = {
    # Whether wins in two are proven in every position in which the enemy has few pieces.
    machine.PROVES: 1,
    # Up to this depth a position that is better than needed, by so much a turn, is not searched.
    machine.STATIC_DEPTH: 3,
    machine.STATIC_MARGIN: 100,
    # From this depth on (0: never) a side that could pass and still be this much better than
    # needed is searched so many turns less deeply.
    machine.PASS_DEPTH: 3,
    machine.PASS_MARGIN: 0,
    machine.PASS_LESS: 2,
    # From this depth on captures of one's own pieces are searched.
    machine.SUICIDE_DEPTH: 5,
    # So many movements are tried, and so many more with each turn of depth; captures always.
    machine.FEWEST_MOVEMENTS: 6,
    machine.MOVEMENTS_A_DEPTH: 8,
    # A movement whose first pegs are this much worse than the best turn is left.
    machine.PAIR_MARGIN: 60,
    # So many pairs of pegs are tried, more with each turn of depth; after so many movements half
    # of them, and then a quarter.
    machine.WIDTH: 3,
    machine.WIDENING: 2,
    machine.HALF_WIDTH: 6,
    machine.QUARTER_WIDTH: 14,
    # After so many turns the rest are searched one turn less deeply, two, three, and four.
    machine.UNREDUCED: 2,
    machine.LESS_BY_TWO: 6,
    machine.LESS_BY_THREE: 24,
    machine.LESS_BY_FOUR: 60,
    # So many captures are played on in the end; only with the first of them pegs are placed.
    machine.CAPTURES: 8,
    machine.CAPTURES_WITH_PEGS: 2,
}


def knobs(changed: dict[int, int] | None = None) -> list[int]:
    """The knobs as the search takes them, some of them changed."""
    wanted = {**TUNED, **(changed or {})}
    return [wanted[number] for number in sorted(wanted)]
