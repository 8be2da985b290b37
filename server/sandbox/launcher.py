"""Starts one program in its sandbox, watches over it and tells how it ended: `python -S -m server.sandbox.launcher`.

Three processes: the *watcher* (outside, a child of whoever wants the program) makes the *first* process of new
namespaces, which builds what the program sees, gives up all rights and starts the *program*. When the watcher's line
hangs up, when a limit is passed or when the program ends, the first process is killed or ends, and with it the kernel
ends everything that the program has left behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import Any, Final, NoReturn

from server.sandbox import kernel

INSIDE: Final = 1000
"""The number of its user and group as the program sees it."""
OUTSIDE: Final = 0x5A000000
"""What the kernel calls that user if root starts it: this plus the number of the watcher, so no two share a user."""
SHOWN: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
DEVICES: Final = ("null", "zero", "full", "random", "urandom")
ENVIRONMENT: Final = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/scratch",
    "TMPDIR": "/scratch",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
}
LOOK_EVERY: Final = 0.02
"""Seconds between two looks at what the program uses."""


def main() -> None:
    order = json.loads(sys.argv[1])
    line = socket.socket(fileno=order["line"])
    started, starting = os.pipe()
    hearing, telling = socket.socketpair()
    core = _next_core()
    if os.geteuid() == 0:
        os.setgroups([])  # the program keeps none of root's groups
    try:
        first = kernel.new_process()
    except OSError as error:
        _tell(line, {"refused": str(error)})
        return
    if first == 0:
        line.close()
        os.close(starting)
        hearing.close()
        _first(order, started, telling)
    os.close(started)
    telling.close()
    with open(os.devnull, "r+b", buffering=0) as nothing:  # the program's pipes are its own: they end with it
        for descriptor in range(3):
            os.dup2(nothing.fileno(), descriptor)
    try:
        _make_user(first)
        with contextlib.suppress(OSError):
            os.sched_setaffinity(first, {core})
        os.write(starting, b"+")
        _watch(order, line, first, hearing)
    except OSError as error:
        os.kill(first, signal.SIGKILL)
        os.waitpid(first, 0)
        _tell(line, {"refused": str(error)})


def _next_core() -> int:
    """Programs are spread over the cores by their watchers' numbers."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[os.getpid() % len(cores)]


def _make_user(first: int) -> None:
    root = os.geteuid() == 0
    user, group = (OUTSIDE + os.getpid(),) * 2 if root else (os.geteuid(), os.getegid())
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{INSIDE} {user} 1"),
        ("gid_map", f"{INSIDE} {group} 1"),
    ):
        _write(f"/proc/{first}/{name}", text)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


# ------------------------------------------------------------------------------------------------- the watcher


def _watch(order: dict[str, Any], line: socket.socket, first: int, hearing: socket.socket) -> None:
    words, inside = _heard(hearing)
    if not words and not os.listdir(inside):
        words = "its processes cannot be watched"
    ended = os.pidfd_open(first)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(line, select.POLLIN)  # nothing is said on it, but it ends
    began, most, computed, reason = time.monotonic(), 0, 0.0, ""
    if not words:
        _tell(line, {"running": True})
    while not words:
        events = dict(poll.poll(LOOK_EVERY * 1000))
        if ended in events:
            break
        used = _used(inside)
        most, computed = max(most, used.memory), max(computed, used.seconds)
        if used.memory > order["memory"]:
            reason = "memory"
        elif used.seconds > order["cpu_seconds"]:
            reason = "cpu"
        elif time.monotonic() - began > order["life_seconds"]:
            reason = "life"
        if reason or events:
            os.kill(first, signal.SIGKILL)
            break
    _, status, usage = os.wait4(first, 0)
    if words:
        _tell(line, {"refused": words})
        return
    code = os.waitstatus_to_exitcode(status)
    if code > 128:
        code = 128 - code  # the first process passes signals on like a shell
    seconds = max(computed, usage.ru_utime + usage.ru_stime)  # who was killed was not waited for by its parent
    _tell(line, {"code": code, "reason": reason, "memory": most, "seconds": seconds})


class _Used:
    """What a sandbox takes at a moment: bytes, and seconds of computing so far."""

    __slots__ = ("memory", "seconds")

    def __init__(self) -> None:
        self.memory = 0
        self.seconds = 0.0


_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def _used(inside: int) -> _Used:
    """By all processes together. The /proc of the sandbox lists them all, wherever they have hidden."""
    used = _Used()
    for name in os.listdir(inside):
        if not name.isdecimal():
            continue
        with contextlib.suppress(OSError):  # it has ended meanwhile
            stat = os.open(f"{name}/stat", os.O_RDONLY, dir_fd=inside)
            fields = os.read(stat, 4096).rpartition(b")")[2].split()
            os.close(stat)
            used.seconds += sum(map(int, fields[11:15])) * _TICK
            used.memory += int(fields[21]) * _PAGE if name != "1" else 0
    return used


def _heard(hearing: socket.socket) -> tuple[str, int]:
    """What went wrong while the program was started, and the folder in which the kernel tells of its processes.

    The folder is handed over: only root could find it from outside.
    """
    _, folders, _, _ = socket.recv_fds(hearing, 1, 1)
    text = b"" if folders else b"nothing of it can be seen: "
    while piece := hearing.recv(4096):
        text += piece
    return text.decode(errors="replace").strip(), folders[0] if folders else -1


def _tell(line: socket.socket, what: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):  # nobody is there any more
        line.sendall(json.dumps(what).encode() + b"\n")


# ------------------------------------------------------------------------------------ the first process, the program


def _first(order: dict[str, Any], started: int, telling: socket.socket) -> NoReturn:
    try:
        if os.read(started, 1) != b"+":
            os._exit(1)
        with contextlib.suppress(OSError):
            _write("/proc/self/oom_score_adj", "1000")
        os.setresgid(INSIDE, INSIDE, INSIDE)
        os.setresuid(INSIDE, INSIDE, INSIDE)
        _build(order)
        socket.send_fds(telling, [b"+"], [os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)])
        kernel.give_up_rights()
        kernel.keep_from_being_read()
        kernel.end_with_parent(signal.SIGKILL)
        if select.select([started], [], [], 0)[0]:
            os._exit(1)  # the watcher has gone before it could take us along
        _limit(order)
        for heard in (signal.SIGINT, signal.SIGPIPE):
            signal.signal(heard, signal.SIG_DFL)
        kernel.refuse_system_calls()
        program = os.fork()
        if program == 0:
            os.chdir("/scratch")
            os.execve(order["command"][0], order["command"], ENVIRONMENT)
    except OSError as error:
        telling.sendall(b" " + str(error).encode())  # the first byte is for a folder
        os._exit(1)
    os.closerange(0, 3)
    telling.close()
    while True:
        ended, status = os.wait()
        if ended == program:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _build(order: dict[str, Any]) -> None:
    """What the program sees: the system's programs, its own file, a few devices, itself in /proc, and its folder."""
    root = order["root"]
    kernel.mount("none", "/", flags=kernel.RECURSIVE | kernel.PRIVATE)
    kernel.mount("tmpfs", root, "tmpfs", kernel.NO_SUID, "size=1m,nr_inodes=512,mode=755")
    for shown in (*SHOWN, *order["shown"]):
        _show(shown, root + shown)
    os.mkdir(f"{root}/dev")
    for device in DEVICES:
        _show(f"/dev/{device}", f"{root}/dev/{device}", devices=True)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{root}/dev/{name}")
    os.mkdir(f"{root}/proc")
    kernel.mount(
        "proc",
        f"{root}/proc",
        "proc",
        kernel.NO_SUID | kernel.NO_DEVICES | kernel.NO_EXEC,
        "subset=pid",
    )
    os.mkdir(f"{root}/scratch")
    room = f"size={order['scratch']},nr_inodes={order['scratch_files']},mode=700,uid={INSIDE},gid={INSIDE}"
    kernel.mount("tmpfs", f"{root}/scratch", "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, room)
    os.symlink("/scratch", f"{root}/tmp")
    os.makedirs(f"{root}/etc", exist_ok=True)
    _write(f"{root}/etc/passwd", f"program:x:{INSIDE}:{INSIDE}::/scratch:/bin/sh\n")
    os.mkdir(f"{root}/program")
    for name, file in order["program"].items():
        _show(file, f"{root}/program/{name}")
    kernel.seal(root)
    kernel.move_into(root)


def _show(source: str, target: str, *, devices: bool = False) -> None:
    """Something of the machine, to be read only; a link stays a link. What the machine does not have is left out."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    if not os.path.exists(source):
        return
    if os.path.isdir(source):
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.mount(source, target, flags=kernel.BIND | kernel.RECURSIVE)
    kernel.protect(target, devices=devices)


def _limit(order: dict[str, Any]) -> None:
    seconds = int(order["cpu_seconds"]) + 1
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_DATA, 2 * order["memory"]),
        (resource.RLIMIT_FSIZE, order["scratch"]),
        (resource.RLIMIT_MEMLOCK, 64 * 1024),
        (resource.RLIMIT_NOFILE, order["files"]),
        (resource.RLIMIT_NPROC, order["processes"]),
    ):
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main()
