"""Every dialogue in spec/protocol.md and the README, held with a real engine."""

import re
from pathlib import Path

import pytest
from dialogue import Talk, run_dialogue

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "spec" / "protocol.md").read_text() + (ROOT / "README.md").read_text()
DIALOGUES = re.findall(r"^```dialogue\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_the_engine_keeps_the_dialogue(dialogue: str) -> None:
    with Talk() as talk:
        run_dialogue(dialogue, talk)


def test_every_command_has_a_dialogue() -> None:
    assert len(DIALOGUES) >= 12
    sent = {line.split()[1] for text in DIALOGUES for line in text.splitlines() if line[:1] == ">"}
    assert {
        "uci", "ugi", "debug", "isready", "setoption", "ucinewgame", "uginewgame", "position", "go",
        "stop", "ponderhit", "d", "eval", "bench", "legal", "query",
    } <= sent  # fmt: skip
