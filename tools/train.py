"""The evaluation learns from games: numpy, and nothing that is not here.

    python -m tools.train WEIGHTS GAMES.npz ... [--begin WEIGHTS] [--seed 1]
    python -m tools.train WEIGHTS --by-hand

The network is that of thrive_engine/search/kernel/network.py; docs/evaluation.md tells what it
looks at. It learns to tell how a game ends: half from how it did, half from what the search said.
States of squares share a part of their weights between all squares, and holes between all squares
of their piece, which is added up when the weights are written: there are far more weights than
rare positions. The games are mirrored at random.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.features import features, mirrors
from tools.weights import Weights, by_hand

SCALE = 100.0
"""The worth, in hundredths of a piece, at which a game is won e times as often as lost."""
FROM_SEARCH = 0.5
"""The share of what the search said in what is learned."""
DECIDED = 5_000
"""What is known to be won or lost teaches nothing."""
HELD_BACK = 20
"""One game in so many is not learned from but tells how well the others are understood."""
BATCH = 4096
MOST_WEIGHT = 2.0
WARM_UP = 100

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn the weights of the evaluation from games.")
    parser.add_argument("weights", type=Path)
    parser.add_argument("games", type=Path, nargs="*")
    parser.add_argument("--begin", type=Path, help="weights to begin with; else those by hand")
    parser.add_argument("--by-hand", action="store_true", help="write the first weights")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    weights = by_hand() if wanted.begin is None else Weights.read(wanted.begin)
    if not wanted.by_hand:
        random = np.random.default_rng(wanted.seed)
        if wanted.begin is None:
            weights.scatter(random)
        Trainer(weights, Games(wanted.games), random).run(wanted.epochs, wanted.rate)
    weights.write(wanted.weights)


class Games:
    """Positions as the network sees them, and what they should be worth."""

    def __init__(self, files: list[Path]) -> None:
        archives = [np.load(file) for file in files]
        pieces, side, value, result = (
            np.concatenate([archive[name] for archive in archives])
            for name in ("pieces", "side", "value", "result")
        )
        numbers = np.concatenate([archive["game"] for archive in archives])
        open_ = np.abs(value) < DECIDED
        self.inputs, self.spots = features(pieces[open_], side[open_])
        said = 1 / (1 + np.exp(-value[open_].astype(np.float32) / SCALE))
        self.result = result[open_]
        self.target = (FROM_SEARCH * said + (1 - FROM_SEARCH) * self.result).astype(np.float32)
        is_held_back = numbers[open_] % HELD_BACK == 0
        self.learned = np.flatnonzero(~is_held_back)
        self.held_back = np.flatnonzero(is_held_back)


class Trainer:
    """Adam on the cross-entropy, in batches."""

    def __init__(self, weights: Weights, games: Games, random: np.random.Generator) -> None:
        self.weights = weights
        self.games = games
        self.random = random
        self.first = [np.zeros_like(part) for part in weights.parts]
        self.second = [np.zeros_like(part) for part in weights.parts]
        self.steps = 0

    def run(self, epochs: int, rate: float) -> None:
        batches = -(-len(self.games.learned) // BATCH)
        for epoch in range(epochs):
            self.random.shuffle(self.games.learned)
            for number in range(batches):
                progress = (epoch * batches + number) / (epochs * batches)
                chosen = self.games.learned[number * BATCH : (number + 1) * BATCH]
                self._learn(chosen, rate * (1 - 0.95 * progress))
            learned, known = self._losses()
            print(f"epoch {epoch + 1}: {learned:.4f}, of results alone {known:.4f}", flush=True)

    def _learn(self, chosen: Ints, rate: float) -> None:
        inputs, spots = self.games.inputs[chosen], self.games.spots[chosen]
        if self.random.random() < 0.5:
            inputs, spots = mirrors(inputs, spots)
        _, activity, worth = self.weights.forward(inputs, spots)
        error = (_chance(worth) - self.games.target[chosen]) / len(chosen)
        gradients = self.weights.gradients(inputs, spots, activity, error.astype(np.float32))
        self._step(gradients, rate)

    def _step(self, gradients: list[Floats], rate: float) -> None:
        self.steps += 1
        rate *= min(1.0, self.steps / WARM_UP)
        rate *= np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        moments = zip(self.weights.parts, gradients, self.first, self.second, strict=True)
        for part, gradient, first, second in moments:
            first[...] += 0.1 * (gradient - first)
            second[...] += 0.001 * (gradient * gradient - second)
            part[...] -= rate * first / (np.sqrt(second) + 1e-8)
        self.weights.fold(MOST_WEIGHT)

    def _losses(self) -> tuple[float, float]:
        """The cross-entropy of the games that are held back: as learned, and of results alone."""
        games = self.games
        both = [
            (_loss(chance, games.target[some]), _loss(chance, games.result[some]), len(some))
            for some, chance in self._chances()
        ]
        total = sum(count for *_, count in both)
        return (
            sum(learned * count for learned, _, count in both) / total,
            sum(known * count for _, known, count in both) / total,
        )

    def _chances(self) -> Iterator[tuple[Ints, Floats]]:
        for begin in range(0, len(self.games.held_back), BATCH):
            some = self.games.held_back[begin : begin + BATCH]
            yield (
                some,
                _chance(self.weights.forward(self.games.inputs[some], self.games.spots[some])[2]),
            )


def _chance(worth: Floats) -> Floats:
    chance: Floats = np.float32(1) / (1 + np.exp(-worth.clip(-50, 50)))
    return chance


def _loss(chance: Floats, target: Floats) -> float:
    chance = np.clip(chance, 1e-7, 1 - 1e-7)
    return float(-(target * np.log(chance) + (1 - target) * np.log(1 - chance)).mean())


if __name__ == "__main__":
    main()
