"""One engine instance with a script loaded: questions in, answers out, as terms in text form."""

import hashlib
import re
from bisect import bisect_left
from typing import Final

from games.jostle import Layout
from npc.prolog.driver import DRIVER
from npc.prolog.host import EngineError, Host
from npc.prolog.prelude import DECLARATIONS, PRELUDE

LONGEST_SCRIPT: Final = 64 * 1024
_LINE: Final = re.compile(r",? ?user:\d+$")
_CLAUSE_END: Final = re.compile(r"\.\s*(?:%.*)?$")
_SERVE: Final = "(true ; repeat, (grintu_driver:step -> true ; true))."


class ScriptError(ValueError):
    """A script that cannot be loaded. The message says what the engine complained about, and in which line."""


class Session:
    """The memory of one script in one seat of one match lives in here. Raises EngineError when the instance dies."""

    def __init__(self, host: Host, script: str, layout: Layout) -> None:
        digest = _checked(script)
        self._host = host
        self._instance = host.copy(_prepared(host))
        try:
            try:
                _load(host, self._instance, script)
            except ScriptError as error:
                raise ScriptError(f"{error}, {_blamed(host, script)}") from None
            _alive(host.serve(self._instance, _SERVE))
            self.ask(f"board {digest}", f"board([{', '.join(map(quoted, layout.tiles.values()))}]).")
        except Exception:
            self.close()
            raise

    def ask(self, key: str, question: str) -> str:
        """The answer to a question, as a term."""
        return _alive(self._host.ask(self._instance, key, question))

    def close(self) -> None:
        self._host.close(self._instance)


def _checked(script: str) -> str:
    """The digest of a script that may be loaded. Raises ScriptError."""
    try:
        written = script.encode()
    except UnicodeEncodeError:
        raise ScriptError("a script is text that can be written as UTF-8") from None
    if len(written) > LONGEST_SCRIPT:
        raise ScriptError(f"a script has at most {LONGEST_SCRIPT} bytes, not {len(written)}")
    return hashlib.blake2b(written, digest_size=16).hexdigest()


_latest: tuple[Host, int] | None = None
"""The prepared instance of the host that was used last. A browser's host cannot be hashed, so no dictionary."""


def _prepared(host: Host) -> int:
    """An instance with everything but the script; loading that takes longer than copying it."""
    global _latest
    if _latest is None or _latest[0] is not host:
        instance = host.open()
        for text in (DECLARATIONS, PRELUDE, DRIVER):
            _load(host, instance, text)
        _latest = (host, instance)
    return _latest[1]


def _load(host: Host, instance: int, text: str) -> None:
    said = _alive(host.run(instance, f"'$load_chars'({string(text)})."))
    complaint = next((line for line in said[1:].splitlines() if line.startswith("Error:")), None)
    if complaint is not None:
        raise ScriptError(_LINE.sub("", complaint.removeprefix("Error:").strip()))
    if said[0] != "1":
        raise ScriptError(said[1:].strip() or "the script could not be loaded")


def _blamed(host: Host, script: str) -> str:
    """The lines of the first clause that cannot be loaded; the engine's own line numbers cannot be trusted."""
    lines = script.splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, start=1) if _CLAUSE_END.search(line)]

    def loads(count: int) -> bool:
        instance = host.copy(_prepared(host))
        try:
            _load(host, instance, "".join(lines[:count]))
        except (ScriptError, EngineError):
            return False
        finally:
            host.close(instance)
        return True

    first_bad = bisect_left(ends, True, key=lambda end: not loads(end))
    begin = ends[first_bad - 1] + 1 if first_bad else 1
    while begin < len(lines) and not lines[begin - 1].strip():
        begin += 1
    end = ends[first_bad] if first_bad < len(ends) else len(lines)
    return f"line {begin}" if end <= begin else f"lines {begin} to {end}"


def string(text: str) -> str:
    """A double-quoted Prolog string."""
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\r\n", "\n").replace("\n", "\\n").replace("\t", "\\t")
    )
    return f'"{escaped}"'


def quoted(name: str) -> str:
    """A quoted Prolog atom."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _alive(reply: str) -> str:
    if not reply.startswith("+"):
        raise EngineError(reply[1:])
    return reply[1:]
