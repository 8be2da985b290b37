"""How a source becomes a program: what translates it, what runs it, both inside the sandbox.

Translating ends with one file on stdout. A language is offered where the machine has its tools.
"""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from typing import Final

PLACES: Final = "/usr/local/bin:/usr/bin:/bin"
"""Where the sandbox has programs."""


@dataclass(frozen=True, slots=True)
class Language:
    """`translate` is a line for the shell, in which `{source}` is the file of the source; its stdout is the program."""

    file: str
    program: str
    """What the translated file is called."""
    translate: str
    run: tuple[str, ...]
    needs: tuple[str, ...]


LANGUAGES: Final = {
    "python": Language(
        "program.py",
        "main.py",
        "python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], \"exec\")' {source} && cat {source}",
        ("python3", "-u", "{program}"),
        ("python3",),
    ),
    "javascript": Language(
        "program.js",
        "main.js",
        "node --check {source} && cat {source}",
        ("node", "--max-old-space-size=384", "{program}"),
        ("node",),
    ),
    "java": Language(
        "Program.java",
        "program.jar",
        "cp {source} Program.java && javac -J-Xmx512m -J-XX:+UseSerialGC -J-XX:ReservedCodeCacheSize=64m -d classes "
        "Program.java 1>&2 && jar cf program.jar -C classes . 1>&2 && cat program.jar",
        (
            "java",
            "-Xmx320m",
            "-Xss16m",
            "-XX:+UseSerialGC",
            "-XX:ReservedCodeCacheSize=48m",
            "-cp",
            "{program}",
            "Program",
        ),
        ("java", "javac", "jar"),
    ),
    "cpp": Language(
        "program.cpp",
        "program",
        "g++ -std=c++17 -O2 -pipe -o out {source} 1>&2 && cat out",
        ("{program}",),
        ("g++",),
    ),
    "script": Language("program.script", "main", "cat {source}", ("{program}",), ()),
}


def found(tool: str) -> str | None:
    return shutil.which(tool, path=PLACES)


def missing(language: str) -> list[str]:
    """The tools that the machine does not have, so that the language is not offered."""
    return [tool for tool in LANGUAGES[language].needs if found(tool) is None]


def translating(language: Language, source: str) -> list[str]:
    return ["/bin/sh", "-c", language.translate.format(source=shlex.quote(source))]


def running(language: Language, program: str) -> list[str]:
    command = [part.format(program=program) for part in language.run]
    return [found(command[0]) or command[0], *command[1:]]
