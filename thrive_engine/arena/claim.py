"""Wins that engines announce, held against what came of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """The word of a seat that it will have won when it has played ``due`` turns in all."""

    seat: int
    due: int


def count_claims(
    claims: list[Claim], played: tuple[int, ...], winner: int | None, *, is_over: bool
) -> tuple[int, int]:
    """How many claims were kept, and how many were broken, when the seats had played so often.

    ``is_over`` says whether the game ended by its rules. If it did not, then a claim that was not
    yet due is neither.
    """
    kept = sum(_is_kept(claim, played, winner) for claim in claims)
    broken = sum(
        not _is_kept(claim, played, winner) and (is_over or played[claim.seat] >= claim.due)
        for claim in claims
    )
    return kept, broken


def _is_kept(claim: Claim, played: tuple[int, ...], winner: int | None) -> bool:
    return winner == claim.seat and played[claim.seat] <= claim.due
