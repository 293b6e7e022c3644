"""The tools that the evaluation learns with see positions as the kernel does."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from thrive_engine.games import thrive
from thrive_engine.search import kernel
from thrive_engine.search.bridge import setup_of
from tools import selfplay, train
from tools.features import SPOTS, features, mirrors
from tools.weights import Weights, by_hand

WEIGHTS = Path(kernel.__file__).parent / "weights.bin"


def _positions(count: int, seed: int) -> list[thrive.Position]:
    random = Random(seed)
    positions: list[thrive.Position] = []
    while len(positions) < count:
        position = thrive.start
        for _ in range(random.randrange(40)):
            if position.outcome is not None:
                break
            position = thrive.sample(position.draft, random.randrange).position
        if position.outcome is None:
            positions.append(position)
    return positions


def _features(positions: list[thrive.Position]) -> tuple[np.ndarray, np.ndarray]:
    pieces = np.array([selfplay._pieces(each) for each in positions], np.uint64)
    return features(pieces, np.array([each.player for each in positions], np.int8))


def test_the_features_are_those_of_the_kernel() -> None:
    positions = _positions(60, 1)
    inputs, spots = _features(positions)
    for position, ours, pegs in zip(positions, inputs, spots, strict=True):
        board, network = kernel.Board(), kernel.Network()
        board.set_up(*setup_of(position.identity))
        network.set_up(board)
        views = network.inputs(board)
        assert [sorted(view) for view in ours.tolist()] == [sorted(view) for view in views]
        assert sorted(peg for peg in pegs.tolist() if peg < 2 * SPOTS) == sorted(
            network.spots(board)
        )


def test_the_features_of_the_mirror_are_the_mirrored_features() -> None:
    positions = _positions(30, 2)
    inputs, spots = mirrors(*_features(positions))
    mirrored, mirrored_spots = _features([each.mirrored() for each in positions])
    assert np.array_equal(np.sort(inputs, 2), np.sort(mirrored, 2))
    assert np.array_equal(np.sort(spots, 1), np.sort(mirrored_spots, 1))


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    Weights.read(WEIGHTS).write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == WEIGHTS.read_bytes()


def test_the_trainer_s_worth_is_the_kernel_s(tmp_path: Path) -> None:
    positions = _positions(40, 3)
    weights = Weights.read(WEIGHTS)
    kernel.load_weights(WEIGHTS.read_bytes())
    worths = 100 * weights.forward(*_features(positions))[2]
    for position, worth in zip(positions, worths.tolist(), strict=True):
        board, network = kernel.Board(), kernel.Network()
        board.set_up(*setup_of(position.identity))
        network.set_up(board)
        assert network.judge(board) == pytest.approx(worth, abs=6)


def test_a_few_games_teach_the_same_again(tmp_path: Path) -> None:
    rows = [row for number in range(4) for row in selfplay._play((number, 7, 50, None))]
    selfplay.save(tmp_path / "games.npz", rows)
    written = []
    for _ in range(2):
        weights, random = by_hand(), np.random.default_rng(1)
        weights.scatter(random)
        train.Trainer(weights, train.Games([tmp_path / "games.npz"]), random).run(1, 0.002)
        weights.write(tmp_path / "weights")
        written.append((tmp_path / "weights").read_bytes())
    assert written[0] == written[1]
    assert written[0] != WEIGHTS.read_bytes()
