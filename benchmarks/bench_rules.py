"""Enumerating turns as codes, and counting the turns of a position without enumerating them."""

from benchmarks.timing import compare, random_positions, verdict

ENUMERATED = 40
COUNTED = 4000
TURNS_A_SECOND = 1_000_000
POSITIONS_A_SECOND = 20_000


def main() -> None:
    few, many = random_positions(ENUMERATED, seed=2), random_positions(COUNTED, seed=3)
    expected = [len(position.legal_turns) for position in few]

    def enumerate_codes() -> None:
        found = [sum(1 for _ in position.legal_turns.codes()) for position in few]
        assert found == expected

    def count() -> None:
        assert all(len(position.legal_turns) > 0 for position in many)

    enumerating, counting = compare(enumerate_codes, count)
    turns, positions = sum(expected) / enumerating, COUNTED / counting
    print(
        f"rules: {turns:,.0f} turns/s enumerated as codes "
        f"(target {TURNS_A_SECOND:,}: {verdict(turns >= TURNS_A_SECOND)})"
    )
    print(
        f"rules: {positions:,.0f} positions/s counted "
        f"(target over {POSITIONS_A_SECOND:,}: {verdict(positions > POSITIONS_A_SECOND)})"
    )


if __name__ == "__main__":
    main()
