"""Every dialogue in spec/protocol.md, held with a real engine."""

import re
from pathlib import Path

import pytest
from dialogue import Talk, run_dialogue

SPEC = Path(__file__).parent.parent / "spec" / "protocol.md"
DIALOGUES = re.findall(r"^```dialogue\n(.*?)^```$", SPEC.read_text(), re.MULTILINE | re.DOTALL)


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
