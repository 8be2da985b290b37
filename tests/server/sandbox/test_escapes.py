"""What programs try to do to the machine that runs them. Every attempt is made for real, inside the sandbox."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from npc.decision import FaultKind
from npc.program.host import LostError
from server.sandbox.host import SandboxHost
from server.sandbox.languages import found
from server.sandbox.limits import MB, Limits

WITHIN = 60.0
"""Seconds until a test gives up; limits that are tested are much shorter or not in seconds at all."""
ATTEMPT = """
import errno, json, os, sys
def attempt(what, *arguments):
    try:
        return what(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    except Exception as error:
        return type(error).__name__
sys.stdin.readline()
"""


def told(sandbox: SandboxHost, code: str) -> Any:
    """What a program prints as JSON after an attempt."""
    running = sandbox.start("python", ATTEMPT + code)
    try:
        return json.loads(running.ask("go", WITHIN))
    finally:
        running.close()


def lost(sandbox: SandboxHost, code: str, seconds: float = WITHIN) -> LostError:
    """How a program loses that is asked once."""
    running = sandbox.start("python", ATTEMPT + code)
    try:
        with pytest.raises(LostError) as caught:
            running.ask("go", seconds)
    finally:
        running.close()
    return caught.value


def marked(mark: str) -> list[int]:
    """The processes of the whole machine that carry a mark in their command."""
    return [each.pid for each in psutil.process_iter(["cmdline"]) if mark in " ".join(each.info["cmdline"] or [])]


def test_its_user_is_nobody_and_has_no_rights(sandbox: SandboxHost) -> None:
    status = told(sandbox, "print(json.dumps([os.getresuid(), os.getgroups(), open('/proc/self/status').read()]))")
    assert status[0] == [1000, 1000, 1000]
    rights = dict(
        line.split(":\t", 1) for line in status[2].splitlines() if line.startswith(("Cap", "NoNew", "Seccomp:"))
    )
    assert all(int(rights[name], 16) == 0 for name in rights if name.startswith("Cap"))
    assert (rights["NoNewPrivs"], rights["Seccomp"]) == ("1", "2")


def test_no_two_programs_share_a_user(sandbox: SandboxHost) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a program a user that is not its own")
    code = "import sys\nfor line in sys.stdin: print('here', flush=True)\n# shared-user-mark"
    one, two = sandbox.start("python", code), sandbox.start("python", code)
    assert one.ask("x", WITHIN) == two.ask("x", WITHIN) == "here"
    users = {
        each.uids().real
        for each in psutil.process_iter()
        if each.name().startswith("python") and each.uids().real > 1_000_000
    }
    assert len(users) >= 2
    assert 0 not in users
    one.close()
    two.close()


def test_a_fork_bomb_stays_small_and_ends_with_its_program(sandbox: SandboxHost) -> None:
    code = """
import time
count = 0
while True:
    try:
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(1000)", "fork-bomb-mark"])
        count += 1
    except OSError:
        break
print(count, flush=True)
time.sleep(1000)
"""
    running = sandbox.start("python", ATTEMPT + code)
    assert 1 <= int(running.ask("go", WITHIN)) < sandbox.limits.processes
    running.close()
    assert marked("fork-bomb-mark") == []


def test_processes_that_are_left_behind_end_with_the_program(sandbox: SandboxHost) -> None:
    code = """
import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(1000)", "left-behind-mark"])
    os._exit(0)
os.wait()
"""
    assert lost(sandbox, code).fault.kind == FaultKind.THREW
    assert marked("left-behind-mark") == []


def test_memory_is_limited(sandbox: SandboxHost) -> None:
    fault = lost(sandbox, "held = []\nwhile True: held.append(bytearray(1 << 20))").fault
    assert fault.kind == FaultKind.LIMIT and "128 MB" in fault.message


def test_memory_of_all_processes_counts_together(sandbox: SandboxHost) -> None:
    code = """
import time
for _ in range(6):
    if os.fork() == 0:
        held = bytearray(os.urandom(1 << 20)) * 40
        time.sleep(1000)
time.sleep(1000)
"""
    fault = lost(sandbox, code).fault
    assert fault.kind == FaultKind.LIMIT and "128 MB" in fault.message


def test_there_is_no_memory_that_nobody_counts(sandbox: SandboxHost) -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
made = attempt(os.memfd_create, "hidden")
shared = libc.shmget(0, 1 << 20, 0o1600)
print(json.dumps([made, shared, os.path.exists("/dev/shm")]))
"""
    assert told(sandbox, code) == ["EPERM", -1, False]


def test_computing_is_limited_also_in_children(sandbox: SandboxHost) -> None:
    code = "os.fork()\nos.fork()\nwhile True: pass"
    fault = lost(sandbox, code).fault
    assert fault.kind == FaultKind.LIMIT and "2 s" in fault.message


def test_it_has_one_core(sandbox: SandboxHost) -> None:
    assert told(
        sandbox, "print(json.dumps([len(os.sched_getaffinity(0)), attempt(os.sched_setaffinity, 0, range(64))]))"
    ) == [
        1,
        "EPERM",
    ]


def test_its_folder_has_a_quota(sandbox: SandboxHost) -> None:
    code = """
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def fill():
    for number in range(3):
        with open(f"/scratch/large{number}", "wb", buffering=0) as file:
            for _ in range(32): file.write(bytes(1 << 17))
def crumble():
    for number in range(1000): open(f"/scratch/crumb{number}", "w").close()
full = attempt(fill)
for name in os.listdir("/scratch"): os.unlink(f"/scratch/{name}")
print(json.dumps([full, attempt(crumble)]))
"""
    assert told(sandbox, code) == ["ENOSPC", "ENOSPC"]


def test_it_writes_nowhere_else(sandbox: SandboxHost) -> None:
    code = """
def write(path):
    with open(path, "w") as file: file.write("x")
places = ["/usr/x", "/etc/passwd", "/x", "/program/x", "/dev/x", "/proc/sys/kernel/hostname", "/usr/bin/env"]
places += [sys.argv[0]]
print(json.dumps([attempt(write, place) for place in places]))
"""
    assert set(told(sandbox, code)) <= {"EROFS", "EACCES", "ENOENT"}


def test_it_sees_no_files_of_the_machine(sandbox: SandboxHost, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "secret").chmod(0o444)
    code = f"""
places = ["/home", "/root", "/var", "/etc/shadow", "/etc/hosts", "/sys", {str(tmp_path / "secret")!r}]
print(json.dumps([place for place in places if os.path.exists(place)]))
"""
    assert told(sandbox, code) == []


def test_links_lead_nowhere_else(sandbox: SandboxHost, tmp_path: Path) -> None:
    code = f"""
os.symlink({str(tmp_path)!r}, "/scratch/way")
os.symlink("/proc/1/root", "/scratch/root")
os.symlink("../../../../../../etc/shadow", "/scratch/shadow")
folders = [attempt(os.listdir, f"/scratch/{{name}}") for name in ("way", "root")]
print(json.dumps([*folders, attempt(open, "/scratch/shadow")]))
"""
    assert set(told(sandbox, code)) <= {"ENOENT", "EPERM", "EACCES"}


def test_proc_shows_itself_alone(sandbox: SandboxHost) -> None:
    code = """
numbers = sorted(int(name) for name in os.listdir("/proc") if name.isdecimal())
reading = [attempt(open, f"/proc/1/{name}") for name in ("environ", "mem", "maps")]
mine = set(numbers) <= {1, os.getpid()}
print(json.dumps([mine, reading, os.path.exists("/proc/sys"), attempt(open, "/proc/kcore")]))
"""
    mine, reading, settings, core = told(sandbox, code)
    assert mine and not settings and core == "ENOENT"
    assert set(reading) <= {"EACCES", "ENOENT", "EPERM"}


def test_signals_reach_nobody(sandbox: SandboxHost) -> None:
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    try:
        code = f"""
import signal
numbers = [{bystander.pid}, {os.getpid()}, {os.getppid()}]
answers = [attempt(os.kill, number, signal.SIGKILL) for number in numbers if number > 3]
attempt(os.kill, 1, signal.SIGKILL)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
attempt(os.kill, -1, signal.SIGTERM)
print(json.dumps(answers))
"""
        assert set(told(sandbox, code)) == {"ESRCH"}
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_there_is_no_network(sandbox: SandboxHost) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"""
import socket
families = [socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, socket.AF_PACKET, 40]
kinds = [attempt(socket.socket, family, socket.SOCK_STREAM) for family in families]
print(json.dumps([kinds, attempt(socket.create_connection, ("127.0.0.1", {port}), 1)]))
"""
        kinds, connected = told(sandbox, code)
    assert set(kinds) == {"EPERM"} and connected == "EPERM"


def test_doors_of_the_kernel_are_shut(sandbox: SandboxHost) -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    libc.syscall(number, *arguments)
    return errno.errorcode.get(ctypes.get_errno())
calls = {"ptrace": (101, 0, 0, 0, 0), "mount": (165, 0, 0, 0, 0, 0), "unshare": (272, 0x10000000),
    "bpf": (321, 0, 0, 0),
    "keyctl": (250, 0, 0), "clone": (56, 0x10000011, 0, 0, 0, 0), "setns": (308, 0, 0), "io_uring": (425, 1, 0),
    "perf": (298, 0, 0, 0, 0, 0)}
print(json.dumps({name: call(*arguments) for name, arguments in calls.items()} | {"clone3": call(435, 0, 0)}))
"""
    answers = told(sandbox, code)
    assert answers.pop("clone3") == "ENOSYS"
    assert set(answers.values()) == {"EPERM"}


def test_rights_cannot_be_had_from_programs_of_the_machine(sandbox: SandboxHost) -> None:
    code = """
import subprocess
ran = subprocess.run(["/bin/su", "-c", "id -u"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
print(json.dumps([attempt(os.setuid, 0), ran.returncode != 0, ran.stdout]))
"""
    assert told(sandbox, code) == ["EINVAL", True, ""]


def test_nothing_of_the_server_is_handed_down(sandbox: SandboxHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRINTU_SECRET", "top-secret")
    environment, files = told(
        sandbox, "print(json.dumps([dict(os.environ), sorted(map(int, os.listdir('/proc/self/fd')))[:-1]]))"
    )
    assert "top-secret" not in json.dumps(environment)
    assert files == [0, 1, 2]


def test_a_flood_on_stdout_is_cut_off(sandbox: SandboxHost) -> None:
    fault = lost(sandbox, "while True: sys.stdout.write('x' * 65536)").fault
    assert fault.kind == FaultKind.LIMIT and "longer than" in fault.message


def test_a_flood_on_stderr_is_thrown_away(sandbox: SandboxHost) -> None:
    running = sandbox.start(
        "python", ATTEMPT + "sys.stderr.write('y' * 5_000_000)\nprint('done', flush=True)\nsys.stdin.read()"
    )
    assert running.ask("go", WITHIN) == "done"
    assert len(running.close().errors) == sandbox.limits.errors


def test_a_slow_trickle_is_no_answer(sandbox: SandboxHost) -> None:
    code = "import time\nwhile True:\n  sys.stdout.write('x'); sys.stdout.flush(); time.sleep(0.05)"
    fault = lost(sandbox, code, seconds=0.5).fault
    assert fault.kind == FaultKind.LIMIT and "0.5 s" in fault.message


def test_who_reads_nothing_keeps_nobody_waiting(sandbox: SandboxHost) -> None:
    running = sandbox.start("python", "import time\ntime.sleep(1000)")
    with pytest.raises(LostError, match="no answer"):
        running.ask("x" * 1_000_000, 0.3)
    running.close()


def test_who_closes_its_output_and_lives_on_is_ended(sandbox: SandboxHost) -> None:
    code = "import time\nos.close(1)\nwhile True: time.sleep(1)  # closed-output-mark"
    short = SandboxHost(Limits(memory=64 * MB, life_seconds=1.0))
    assert lost(short, code).fault.kind in (FaultKind.LIMIT, FaultKind.THREW)
    short.close()


def test_a_crash_is_told_with_what_it_wrote(sandbox: SandboxHost) -> None:
    running = sandbox.start("python", "raise ValueError('my own mistake')")
    with pytest.raises(LostError, match="code 1"):
        running.ask("go", WITHIN)
    used = running.close()
    assert "my own mistake" in used.errors


def test_translating_is_done_inside_as_well(sandbox: SandboxHost) -> None:
    with pytest.raises(LostError) as caught:
        sandbox.translated("cpp", '#include "/etc/shadow"\nint main() {}')
    assert "No such file" in caught.value.fault.message


def test_the_sandbox_ends_with_whoever_started_it(sandbox: SandboxHost, tmp_path: Path) -> None:
    """Even after kill -9: nobody is left to close anything."""
    code = """
import sys, time
from server.sandbox.host import SandboxHost
running = SandboxHost().start("python", "import os, sys\\nos.execv(sys.executable, [sys.executable, '-c', \
'print(1, flush=True); import time; time.sleep(1000)', 'orphan-mark'])")
print(running.ask("x", 60), flush=True)
time.sleep(1000)
"""
    root = Path(__file__).parents[3]
    host = subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, env={"TMPDIR": "/tmp", "HOME": "/tmp"}
    )
    assert host.stdout is not None
    assert host.stdout.readline() == b"1\n"
    orphans = [
        psutil.Process(number) for number in marked("orphan-mark") if psutil.Process(number).name().startswith("python")
    ]
    host.kill()
    host.wait()
    _, alive = psutil.wait_procs([each for each in orphans if each.pid != host.pid], timeout=WITHIN)
    assert orphans and alive == []


def test_limits_hold_as_well_where_the_server_is_not_root(sandbox: SandboxHost) -> None:
    """An ordinary user cannot look into a sandbox from outside, but has to see what it takes."""
    if os.geteuid() != 0:
        pytest.skip("all other tests are run by an ordinary user already")
    code = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
from npc.program.host import LostError
from server.sandbox.host import SandboxHost, refusal
from server.sandbox.limits import MB, Limits
print("refused:", refusal(), flush=True)
running = SandboxHost(Limits(memory=64 * MB)).start("python", "held = []\\nwhile True: held.append(bytearray(1 << 20))")
try:
    running.ask("go", 60)
except LostError as lost:
    print(lost.fault)
"""
    python = found("python3")
    if python is None:
        pytest.skip("no Python that everybody may run")
    done = subprocess.run(
        [python, "-c", code],
        user=65534,
        group=65534,
        extra_groups=[],
        capture_output=True,
        text=True,
        env={},
        cwd="/",
        check=False,
    )
    if "refused: \n" not in done.stdout:
        pytest.skip(f"an ordinary user has no sandbox here: {(done.stdout + done.stderr)[-300:]}")
    assert "64 MB" in done.stdout, done.stderr
