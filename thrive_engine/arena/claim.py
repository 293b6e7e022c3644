"""Wins that engines announce, held against what came of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """The word of a seat that it will have won when it has played ``due`` turns in all."""

    seat: int
    due: int


def count_claims(
    claims: list[Claim], played: tuple[int, ...], winner: int | None, *, is_over: bool
) -> tuple[tuple[int, int], ...]:
    """For each seat, how many claims were kept and how many broken, when it had played so often.

    ``is_over`` says whether the game ended by its rules. If it did not, then a claim that was not
    yet due is neither.
    """
    kept, broken = [0] * len(played), [0] * len(played)
    for claim in claims:
        if _is_kept(claim, played, winner):
            kept[claim.seat] += 1
        elif is_over or played[claim.seat] >= claim.due:
            broken[claim.seat] += 1
    return tuple(zip(kept, broken, strict=True))


def _is_kept(claim: Claim, played: tuple[int, ...], winner: int | None) -> bool:
    return winner == claim.seat and played[claim.seat] <= claim.due
