"""An engine's process: started without a shell, its lines in and out, and its end with its tree.

The process runs in a session of its own under a small supervisor (supervisor.py), which ends
whatever the engine started, also when this process is killed. Both pipes are read whenever there is
something in them, lines are bounded in length, and nothing here waits without a deadline: least of
all for the end of a pipe, which a process that the engine left behind can hold open.
"""

import asyncio
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from thrive_engine.client import supervisor
from thrive_engine.errors import Fault, quote
from thrive_engine.lines import LONGEST

Command = str | Sequence[str | os.PathLike[str]]
"""A command line as a shell would split it, or its words."""
Log = Callable[[str, str], None]
"""Is told ``stdin``, ``stdout`` or ``stderr``, and a line that went over it."""

_CHUNK = 64 * 1024
_LAST_READS = 16
"""The most that can be left in a pipe of a process that has ended, in chunks."""
_STDERR_LINES = 20
_STDERR_LONGEST = 1000
_EXIT_FOLLOWS = 0.25
"""The seconds in which a process that closed a pipe is expected to have done so by exiting."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """The seconds that an engine has for each step."""

    handshake: float = 10.0
    """From the start of the process to ``uciok``."""
    ready: float = 10.0
    """From ``isready`` to ``readyok``."""
    option: float = 10.0
    """The same, after options have been set."""
    margin: float = 5.0
    """Beyond the time that a search may take by its limit."""
    search: float = 3600.0
    """For a search that is limited by depth or nodes, and not by time."""
    stop: float = 5.0
    """From ``stop`` to ``bestmove``."""
    quit: float = 1.0
    """After ``quit``, and again after the end of its input."""
    terminate: float = 0.5
    """Between TERM and KILL."""
    kill: float = 5.0
    """After KILL; then the process is given up."""


def split_command(command: Command) -> list[str]:
    """The words of a command. ValueError where it has none, or a quotation that does not end."""
    if isinstance(command, str):
        words = shlex.split(command)
    else:
        words = [os.fspath(word) for word in command]
    if not words:
        raise ValueError("the command is empty")
    return words


class Process:
    """A process that is spoken to in lines.

    ``heard`` is called with each line of its output. ``failed`` is called when no more lines will
    come, with the way in which the process failed and the reason; it may be called more than once.
    """

    def __init__(
        self,
        heard: Callable[[str], None],
        failed: Callable[[Fault, str], None],
        log: Log | None = None,
    ) -> None:
        self.pid = 0
        self.code: int | None = None
        """How the process ended, as in ``subprocess``: negative for a signal."""
        self.arrived = 0.0
        """When the line that is being heard was read, by ``perf_counter``."""
        self.stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._heard = heard
        self._failed = failed
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._started: asyncio.Future[None] = self._loop.create_future()
        self._exited: asyncio.Future[None] = self._loop.create_future()
        self._gone: asyncio.Future[None] = self._loop.create_future()
        self._messages = b""
        self._incoming = b""
        self._outgoing = b""
        self._words = b""
        self._is_deaf = False
        self._is_ending = False

    async def start(
        self,
        command: list[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        resources: Mapping[int, int] | None = None,
        cpus: Collection[int] = (),
    ) -> None:
        """Start the command, or OSError. ``resources`` are limits: ``{resource.RLIMIT_AS: n}``."""
        ours, theirs = socket.socketpair()
        limits = ",".join(f"{name}={value}" for name, value in (resources or {}).items())
        words = [sys.executable, "-I", "-S", str(Path(supervisor.__file__)), str(theirs.fileno())]
        try:
            self._popen = subprocess.Popen(  # noqa: S603
                [*words, str(os.getpid()), limits, ",".join(map(str, cpus)), *command],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=env,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._control = ours
        self._attach()
        try:
            await self._started
        except BaseException:
            self._is_ending = self._is_deaf = True
            await self._release(Timeouts().kill)
            raise

    def write(self, *lines: str) -> None:
        """Send lines, without waiting until they are read."""
        if self._log is not None:
            for line in lines:
                self._log("stdin", line)
        self.write_bytes("".join(f"{line}\n" for line in lines).encode())

    def write_bytes(self, data: bytes) -> None:
        """Send bytes that need be no lines."""
        self._outgoing += data
        self._flush()

    def close_input(self) -> None:
        """Send the end of input."""
        if not self._stdin.closed:
            self._loop.remove_reader(self._stdin)
            self._loop.remove_writer(self._stdin)
            self._stdin.close()

    async def end(self, timeouts: Timeouts, *, gently: bool) -> bool:
        """End the process and all that it started; whether it went without being forced to.

        Gently: it is told to quit, and then its input ends. Next comes TERM, and last KILL.
        """
        self._is_ending = self._is_deaf = True
        has_left = False
        try:
            if gently and not self._gone.done():
                self.write("quit")
                has_left = await _within(self._exited, timeouts.quit)
                self.close_input()
                has_left = has_left or await _within(self._exited, timeouts.quit)
            await self._order(b"T", timeouts.terminate)
        finally:
            await self._release(timeouts.kill)
        return has_left

    async def _order(self, order: bytes, seconds: float) -> None:
        """Have the tree ended, unless it is gone already."""
        if not self._gone.done():
            with suppress(OSError):
                self._control.send(order)
            self._popen.send_signal(signal.SIGCONT)  # an engine may have stopped its supervisor
            await _within(self._gone, seconds)

    def _attach(self) -> None:
        popen = self._popen
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self._stdin, self._stdout, self._stderr = popen.stdin, popen.stdout, popen.stderr
        for stream in (self._control, self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._loop.add_reader(self._control, self._read_control)
        self._loop.add_reader(self._stdout, self._read_output)
        self._loop.add_reader(self._stderr, self._read_stderr)
        self._loop.add_reader(self._stdin, self._lose_input)  # so its other end is seen to close

    async def _release(self, seconds: float) -> None:
        """Kill what is left, and let go of all; a supervisor that cannot do it is killed too."""
        await self._order(b"K", seconds)
        if not self._gone.done():
            self._popen.kill()
        if self.pid and not (self._gone.done() and self.code is not None):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self.close_input()
        for stream in (self._control, self._stdout, self._stderr):
            self._loop.remove_reader(stream)
            stream.close()
        for _ in range(1000):
            if self._popen.poll() is not None:
                break
            await asyncio.sleep(0.001)

    def _flush(self) -> None:
        """Write what the pipe takes, and the rest when it takes more."""
        if self._stdin.closed:
            return
        try:
            written = os.write(self._stdin.fileno(), self._outgoing) if self._outgoing else 0
        except BlockingIOError:
            written = 0
        except OSError:
            self._lose_input()
            return
        self._outgoing = self._outgoing[written:]
        if self._outgoing:
            self._loop.add_writer(self._stdin, self._flush)
        else:
            self._loop.remove_writer(self._stdin)

    def _lose_input(self) -> None:
        self.close_input()
        self._expect_exit("closed its input")

    def _read_control(self) -> None:
        """What the supervisor says; its end is the end of the tree."""
        try:
            data = self._control.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        *messages, self._messages = (self._messages + data).split(b"\n")
        for message in messages:
            word, _, number = message.decode().partition(" ")
            if word == "exited":
                self._exit(int(number))
            elif word == "started":
                self.pid = int(number)
                _resolve(self._started)
            elif not self._started.done():
                self._started.set_exception(OSError(int(number), os.strerror(int(number))))
        if not data:
            self._loop.remove_reader(self._control)
            self._lose()

    def _lose(self) -> None:
        """The supervisor is gone, and without a word on the engine, it was killed itself."""
        if not self._started.done():
            self._started.set_exception(OSError(0, "its supervisor could not run"))
        elif self.pid and self.code is None:
            self._report(Fault.CRASHED, "its supervisor was ended, and the engine with it")
        _resolve(self._exited)
        _resolve(self._gone)

    def _exit(self, code: int) -> None:
        """The engine has ended: what is left in its pipes is read, and no end of them awaited."""
        self.code = code
        for read in (self._read_output, self._read_stderr):
            for _ in range(_LAST_READS):
                if not read():
                    break
        if self._words:
            self._note(self._words)
        half = f" in the middle of the line {_show(self._incoming)}" if self._incoming else ""
        fault = Fault.EXITED if code >= 0 else Fault.CRASHED
        _resolve(self._exited)
        self._report(fault, f"{describe_exit(code)}{half}")

    def _expect_exit(self, trouble: str) -> None:
        """A pipe is closed: by the end of the process, or else that is what the matter is."""
        self._loop.call_later(_EXIT_FOLLOWS, self._miss_exit, trouble)

    def _miss_exit(self, trouble: str) -> None:
        if self.code is None:
            self._report(Fault.CLOSED, f"{trouble}, and lives")

    def _read_output(self) -> bool:
        """Read a chunk of output, and hear the lines in it; whether there was any."""
        data = _read(self._stdout.fileno())
        if not data:
            if data is not None:
                self._loop.remove_reader(self._stdout)
                self._expect_exit("closed its output")
            return False
        if self._is_deaf:
            return True
        self.arrived = perf_counter()
        *lines, rest = (self._incoming + data).split(b"\n")
        self._incoming = rest
        for line in lines:
            self._hear(line)
        if len(rest) > LONGEST:
            self._refuse_overlong()
        return True

    def _hear(self, line: bytes) -> None:
        if self._is_deaf:
            return
        if len(line) > LONGEST + 1:
            self._refuse_overlong()
            return
        try:
            text = line.decode().rstrip("\r")
        except UnicodeDecodeError:
            self._refuse(Fault.ENCODING, f"the line {_show(line)} is not UTF-8")
            return
        if self._log is not None:
            self._log("stdout", text)
        self._heard(text)

    def _refuse_overlong(self) -> None:
        self._refuse(Fault.OVERLONG, f"a line is longer than {LONGEST} bytes")

    def _refuse(self, fault: Fault, reason: str) -> None:
        self._is_deaf = True
        self._incoming = b""
        self._report(fault, reason)

    def _report(self, fault: Fault, reason: str) -> None:
        """Tell of a failure, unless the process is being ended anyway."""
        if not self._is_ending:
            self._failed(fault, reason)

    def _read_stderr(self) -> bool:
        """Read a chunk of what it says on stderr, and keep the last lines."""
        data = _read(self._stderr.fileno())
        if not data:
            if data is not None:
                self._loop.remove_reader(self._stderr)
            return False
        *lines, rest = (self._words + data).split(b"\n")
        self._words = rest[:_STDERR_LONGEST]
        for line in lines if self._log is not None else lines[-_STDERR_LINES:]:
            self._note(line)
        return True

    def _note(self, line: bytes) -> None:
        text = line[:_STDERR_LONGEST].decode(errors="backslashreplace").rstrip("\r")
        self.stderr.append(text)
        if self._log is not None:
            self._log("stderr", text)


def describe_exit(code: int) -> str:
    """How a process ended, by its code as in ``subprocess``.

    >>> describe_exit(-11)
    'was ended by SIGSEGV'
    """
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def _read(fd: int) -> bytes | None:
    """What is there to be read: nothing at the end, None where there is nothing yet."""
    try:
        return os.read(fd, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _show(line: bytes) -> str:
    return quote(line.decode(errors="backslashreplace"))


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


async def _within(future: asyncio.Future[None], seconds: float) -> bool:
    """Whether the future is resolved in time."""
    await asyncio.wait([future], timeout=seconds)
    return future.done()
