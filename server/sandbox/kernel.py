"""What the launcher asks of Linux and Python does not offer: namespaces, mounts, capabilities, filters of system calls.

Standard library only, because the launcher starts without anything else.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Final

MACHINE: Final = "x86_64"
"""The numbers below are this machine's."""

NEW_MOUNTS, NEW_UTS, NEW_IPC, NEW_USER = 0x00020000, 0x04000000, 0x08000000, 0x10000000
NEW_PIDS, NEW_NETWORK, NEW_CGROUP = 0x20000000, 0x40000000, 0x02000000
EVERYTHING_NEW: Final = NEW_MOUNTS | NEW_UTS | NEW_IPC | NEW_USER | NEW_PIDS | NEW_NETWORK | NEW_CGROUP

READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC = 1, 2, 4, 8
BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
DETACH: Final = 2

_CLONE, _PIVOT_ROOT, _MOUNT_SETATTR, _CAPSET = 56, 155, 442, 126
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_SET_PDEATHSIG, _SET_DUMPABLE, _SET_SECCOMP, _CAPBSET_DROP, _SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
_CAPABILITIES: Final = 64
_SIGCHLD: Final = 17

_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

REFUSED: Final = {
    "socket": 41,  # the network namespace is empty, but vsock does not care about namespaces
    "connect": 42,
    "ptrace": 101,
    "syslog": 103,
    "shmget": 29,  # memory that no process has mapped would be counted nowhere
    "memfd_create": 319,
    "memfd_secret": 447,
    "personality": 135,
    "uselib": 134,
    "vhangup": 153,
    "modify_ldt": 154,
    "pivot_root": 155,
    "adjtimex": 159,
    "chroot": 161,
    "acct": 163,
    "settimeofday": 164,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "sethostname": 170,
    "setdomainname": 171,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "sched_setaffinity": 203,  # it has one core
    "lookup_dcookie": 212,
    "clock_settime": 227,
    "mbind": 237,
    "mq_open": 240,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "migrate_pages": 256,
    "unshare": 272,
    "move_pages": 279,
    "perf_event_open": 298,
    "fanotify_init": 300,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "clock_adjtime": 305,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "finit_module": 313,
    "kexec_file_load": 320,
    "bpf": 321,
    "userfaultfd": 323,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
    "quotactl_fd": 443,
}
"""System calls that no player needs and that have opened sandboxes before, or that reach around a limit."""
_CLONE3: Final = 435


def new_process() -> int:
    """Like os.fork, but the child is the first process of namespaces of its own."""
    return _called(_libc.syscall(_CLONE, EVERYTHING_NEW | _SIGCHLD, 0, 0, 0, 0), "new namespaces")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    arguments = (source.encode(), target.encode(), kind.encode() or None, ctypes.c_ulong(flags), options.encode())
    _called(_libc.mount(*arguments), f"mounting {kind or source} at {target}")


def protect(target: str, *, devices: bool = False) -> None:
    """Nothing below `target` can be written any more, nor give rights to whoever runs it."""
    attributes = READ_ONLY | NO_SUID | (0 if devices else NO_DEVICES)
    wanted = struct.pack("QQQQ", attributes, 0, 0, 0)
    called = _libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, target.encode(), _AT_RECURSIVE, wanted, len(wanted))
    _called(called, f"protecting {target}")


def seal(target: str) -> None:
    """The same for `target` alone, without what is mounted below it."""
    wanted = struct.pack("QQQQ", READ_ONLY, 0, 0, 0)
    _called(_libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, target.encode(), 0, wanted, len(wanted)), f"sealing {target}")


def move_into(root: str) -> None:
    """`root` is all that there is from now on."""
    os.chdir(root)
    _called(_libc.syscall(_PIVOT_ROOT, b".", b"."), "changing the root")
    _called(_libc.umount2(b".", DETACH), "leaving the old root")
    os.chdir("/")


def end_with_parent(signal: int) -> None:
    _control(_SET_PDEATHSIG, signal)


def keep_from_being_read() -> None:
    _control(_SET_DUMPABLE, 0)


def give_up_rights() -> None:
    """No capability, now or by any program that is started later."""
    for capability in range(_CAPABILITIES):
        if _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # the kernel knows no more of them
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)
    _called(_libc.syscall(_CAPSET, header, nothing), "giving up capabilities")
    _control(_SET_NO_NEW_PRIVS, 1)


def refuse_system_calls() -> None:
    """From now on, for this process and all that it starts."""
    code = b"".join(_filter())
    instructions = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(instructions))
    _control(_SET_SECCOMP, 2, ctypes.c_char_p(program))


def _filter() -> list[bytes]:
    """A classic BPF program: another architecture kills, what is refused gives an error, all else is allowed."""
    load, equal, greater, any_bit, answer = 0x20, 0x15, 0x35, 0x45, 0x06
    kill, allowed, error = 0x80000000, 0x7FFF0000, 0x00050000
    not_permitted, not_there = error | 1, error | 38

    def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("HBBI", code, if_true, if_false, value)

    steps = [step(load, 4), step(equal, 0xC000003E, 1, 0), step(answer, kill)]
    steps += [step(load, 0), step(greater, 0x40000000, 0, 1), step(answer, kill)]
    for number in REFUSED.values():
        steps += [step(equal, number, 0, 1), step(answer, not_permitted)]
    # The C library takes clone where clone3, whose flags a filter cannot read, does not exist.
    steps += [step(equal, _CLONE3, 0, 1), step(answer, not_there)]
    steps += [step(equal, _CLONE, 0, 3), step(load, 16), step(any_bit, EVERYTHING_NEW, 0, 1)]
    return [*steps, step(answer, not_permitted), step(answer, allowed)]


def _control(option: int, *values: object) -> None:
    padded = [*values, *([0] * (4 - len(values)))]
    _called(_libc.prctl(option, *[ctypes.c_ulong(each) if isinstance(each, int) else each for each in padded]), "prctl")


def _called(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
