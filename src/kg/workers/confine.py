"""Takes rights away from the process that it runs in: no sockets, so much memory, so much processor time."""

from __future__ import annotations

import ctypes
import platform
import resource
import struct
import sys

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _EPERM = 0x7FFF0000, 0x00050001
# Per machine: its audit architecture, and the numbers of socket, socketpair and io_uring_setup.
_CALLS = {"x86_64": (0xC000003E, (41, 53, 425)), "aarch64": (0xC00000B7, (198, 199, 425))}
# The x32 variants of x86_64's calls carry this bit; refused whole.
_X32 = 0x40000000


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _instruction(code: int, if_true: int, if_false: int, value: int) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


def _filter(architecture: int, calls: tuple[int, ...]) -> bytes:
    """A seccomp program (BPF): a foreign architecture or one of the calls gets EPERM, all else goes ahead."""
    refuse = len(calls) + 2
    lines = [
        _instruction(_LOAD, 0, 0, 4),
        _instruction(_JUMP_IF_EQUAL, 0, refuse, architecture),
        _instruction(_LOAD, 0, 0, 0),
        # Jump if greater or equal: numbers with the x32 bit.
        _instruction(0x35, len(calls) + 1, 0, _X32),
    ]
    lines += [_instruction(_JUMP_IF_EQUAL, len(calls) - i, 0, call) for i, call in enumerate(calls)]
    return b"".join([*lines, _instruction(_RETURN, 0, 0, _ALLOW), _instruction(_RETURN, 0, 0, _EPERM)])


def no_network() -> bool:
    """Takes from this thread, and those it starts, the right to make sockets; whether the system obeyed (Linux)."""
    if sys.platform != "linux" or platform.machine() not in _CALLS:
        return False
    code = _filter(*_CALLS[platform.machine()])
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    done: int = libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)
    return done == 0


def _lower(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def address_space() -> int:
    """Bytes of address space that the process has now; 0 where the system doesn't tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def limit_memory(extra: int) -> None:
    """Lets the process take ``extra`` bytes of address space beyond what it has now (Linux)."""
    if now := address_space():
        _lower(resource.RLIMIT_AS, now + extra)


def limit_cpu(seconds: float) -> None:
    """Ends the process after so much more processor time."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(usage.ru_utime + usage.ru_stime + seconds) + 1)


def no_core() -> None:
    """Has the process leave no image of its memory behind when it is killed."""
    _lower(resource.RLIMIT_CORE, 0)
