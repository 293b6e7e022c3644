"""``thrive bench``: the same signature as the engine's ``bench``, with speed and life."""

import re

from dialogue import Talk
from terminal import thrive

from thrive_engine.search.life import life


def test_the_signature_is_that_of_the_engine() -> None:
    done = thrive("bench")
    assert (done.returncode, done.stderr) == (0, "")
    *positions, empty, total, speed, kernel = done.stdout.splitlines()
    counts = [int(line.rsplit(": ", 1)[1]) for line in positions]
    assert (empty, total) == ("", f"Nodes searched: {sum(counts)}")
    assert re.fullmatch("Nodes/second: [1-9][0-9]*", speed)
    assert kernel == f"Kernel: {life()}"
    with Talk() as talk:
        said = talk.ask("bench", until="Kernel: .*")
    assert said[-4:-2] == [empty, total] or total in said
