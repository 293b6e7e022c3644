"""Sandboxes, with engines that would do harm."""

import os
import resource
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from marked import Mark
from scenes import ACTOR, CALM, actor, play

from thrive_engine.arena import sandbox
from thrive_engine.arena.job import Control, Player
from thrive_engine.arena.sandbox import confine, limits
from thrive_engine.client import SimpleEngine
from thrive_engine.errors import ArenaError


def trouble() -> str:
    """Why bubblewrap can't be used here; empty where it can."""
    try:
        confine(("true",), "bwrap")
    except ArenaError as error:
        return str(error)
    return ""


needs_bwrap = pytest.mark.skipif(bool(trouble()), reason=trouble() or "bubblewrap runs")


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mark]:
    """Marks whatever is started."""
    mark = Mark()
    name, _, value = mark.text.partition("=")
    monkeypatch.setenv(name, value)
    yield mark
    monkeypatch.delenv(name)


# limits


def test_limits_is_the_command_itself() -> None:
    assert confine(("engine", "-x"), "limits") == ("engine", "-x")


def test_an_unknown_sandbox_is_refused() -> None:
    with pytest.raises(ArenaError, match=r"^sandbox 'jail': it is one of limits, bwrap$"):
        confine(("engine",), "jail")


def test_an_engine_has_its_limits() -> None:
    wanted = {
        resource.RLIMIT_AS: 512 << 20,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_FSIZE: 1 << 30,
        resource.RLIMIT_CORE: 0,
    }
    assert limits(512) == wanted
    with SimpleEngine.start(actor("good").command, resources=limits(512)) as engine:
        for name, value in wanted.items():
            assert resource.prlimit(engine.pid, name) == (value, value)


def test_a_memory_hog_is_stopped() -> None:
    game = play(actor("hog"), actor("good"), memory=256)
    assert (game.result, game.termination) == ("0-1", "crash")
    assert game.reason.endswith("exited with code 11; stderr: no more memory")


def test_a_tree_of_processes_is_gone_after_the_game(mark: Mark) -> None:
    game = play(actor("forks"), actor("good"))
    assert game.termination == "captured"
    assert mark.pids == []


# bwrap


def test_without_bubblewrap_it_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ArenaError) as caught:
        confine(("engine",), "bwrap")
    assert str(caught.value) == "sandbox bwrap: bubblewrap (bwrap) is not installed"


def test_where_bubblewrap_may_not_run_its_own_words_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(ArenaError) as caught:
        confine(("engine",), "bwrap")
    assert str(caught.value) == (
        "sandbox bwrap: bubblewrap can't run here: bwrap: No permissions to create new namespace"
    )


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bubblewrap is there, as far as command lines go."""
    monkeypatch.setattr(sandbox, "_find_bwrap", lambda: "/usr/bin/bwrap")


def shown(command: tuple[str, ...]) -> list[str]:
    """What of the file system a command line shows."""
    return [path for word, path in pairwise(command) if word == "--ro-bind-try"]


@pytest.mark.usefixtures("pretend")
def test_the_command_line_of_a_sandbox(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.touch()
    command = confine((str(engine), "--fast"), "bwrap")
    assert command[:2] == ("/usr/bin/bwrap", "--unshare-all")
    assert {"--die-with-parent", "--new-session", "--clearenv"} <= set(command)
    assert command[-5:] == ("--chdir", "/tmp", "--", str(engine), "--fast")
    assert str(tmp_path) in shown(command)


@pytest.mark.usefixtures("pretend")
def test_a_relative_program_is_found_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    command = confine(("./engine",), "bwrap", str(tmp_path))
    assert command[-4:] == ("--chdir", str(tmp_path), "--", str(tmp_path / "engine"))


@pytest.mark.usefixtures("pretend")
def test_neither_the_home_nor_what_is_above_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / "me"
    (home / "bin").mkdir(parents=True)
    (home / "engine").touch()
    (home / "bin" / "engine").touch()
    monkeypatch.setenv("HOME", str(home))
    for program in ("engine", "bin/engine", "../me/engine"):
        paths = shown(confine((str(home / program),), "bwrap", str(home)))
        assert not {str(home), str(home.parent), str(tmp_path), "/"} & set(paths)
    assert str(home / "engine") in shown(confine((str(home / "engine"),), "bwrap"))
    assert str(home / "bin") in shown(confine((str(home / "bin" / "engine"),), "bwrap"))


@pytest.mark.usefixtures("pretend")
def test_a_virtual_environment_is_shown_with_what_it_is_made_of(tmp_path: Path) -> None:
    base, venv = tmp_path / "base", tmp_path / "venv"
    for folder in (base / "bin", venv / "bin"):
        folder.mkdir(parents=True)
    (base / "bin" / "python3").touch()
    (venv / "bin" / "python3").symlink_to(base / "bin" / "python3")
    (venv / "bin" / "python").symlink_to("python3")
    paths = shown(confine((str(venv / "bin" / "python"), "x.py"), "bwrap"))
    assert {str(base), str(venv)} <= set(paths)


def sandboxed(player: Player, **settings: object) -> tuple[str, str, str]:
    game = play(player, actor("good", name="ok"), sandbox="bwrap", **settings)
    return game.result, game.termination, game.reason


@needs_bwrap
def test_a_python_engine_plays_in_a_sandbox() -> None:
    assert sandboxed(actor("good")) == ("0-1", "captured", "captured")


@needs_bwrap
def test_our_own_engine_plays_in_a_sandbox() -> None:
    ours = Player("ours", (sys.executable, "-P", "-m", "thrive_engine"), Control(depth=1))
    game = play(ours, ours, sandbox="bwrap")
    assert game.faults == ()


@needs_bwrap
def test_a_sandbox_has_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        role = f"connects={server.getsockname()[1]}"
        assert play(actor(role), actor("good")).termination == "captured"
        result, termination, reason = sandboxed(actor(role))
    assert (result, termination) == ("0-1", "crash")
    assert "refused" in reason or "unreachable" in reason


@needs_bwrap
def test_a_sandbox_has_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "secret").touch()
    monkeypatch.setenv("HOME", str(home))
    role = f"reads={home / 'secret'}"
    assert play(actor(role), actor("good")).termination == "captured"
    result, termination, reason = sandboxed(actor(role, cwd=str(home)))
    assert (result, termination) == ("0-1", "crash")
    assert "No such file or directory" in reason


@needs_bwrap
def test_an_engine_can_read_its_folder_and_write_only_what_is_lost(tmp_path: Path) -> None:
    copied = tmp_path / "engine"
    shutil.copytree(ACTOR.parent, copied)
    (copied / "net").touch()
    for role, termination in (
        (f"reads={copied / 'net'}", "captured"),
        (f"writes={copied / 'net'}", "crash"),
        ("writes=/tmp/mine", "captured"),
    ):
        command = list(actor(role).command)
        command[3] = str(copied / "actor.py")
        player = Player("x", tuple(command), CALM, cwd=str(copied))
        assert (role, sandboxed(player)[1]) == (role, termination)
    assert not Path("/tmp/mine").exists()


@needs_bwrap
def test_a_sandbox_limits_memory_too() -> None:
    result, termination, reason = sandboxed(actor("hog"), memory=256)
    assert (result, termination) == ("0-1", "crash")
    assert "no more memory" in reason


@needs_bwrap
def test_no_process_of_a_sandbox_outlives_its_game(tmp_path: Path) -> None:
    word = f"forks-{os.getpid()}-{time.monotonic_ns()}"
    player = actor("forks")
    player = Player("x", (*player.command, word), CALM)
    assert sandboxed(player)[1] == "captured"
    found = [path for path in Path("/proc").glob("[0-9]*/cmdline") if word in _read(path)]
    assert found == []


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:
        return ""
