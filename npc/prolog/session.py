"""One engine instance with a script loaded: questions in, answers out, as terms in text form."""

import hashlib
import re
import threading
from bisect import bisect_left
from collections import OrderedDict
from typing import Final

from games.protocol import Game
from npc.prolog.host import EngineError, Host
from npc.prolog.terms import string
from npc.prolog.vocabulary import Vocabulary

LONGEST_SCRIPT: Final = 64 * 1024
SCRIPTS_KEPT: Final = 4
_LINE: Final = re.compile(r",? ?user:\d+$")
_CLAUSE_END: Final = re.compile(r"\.\s*(?:%.*)?$")
_SERVE: Final = "(true ; repeat, (grintu_driver:step -> true ; true))."


class ScriptError(ValueError):
    """A script that cannot be loaded. The message says what the engine complained about, and in which line."""


class Session:
    """The memory of one script in one seat of one match lives in here. Raises EngineError when the instance dies."""

    def __init__(self, host: Host, script: str, game: Game, vocabulary: Vocabulary) -> None:
        digest = _checked(script)
        self._host = host
        self._instance = _with_script(host, script, vocabulary)
        try:
            _alive(host.serve(self._instance, _SERVE))
            self.ask(f"board {digest}", vocabulary.opening(game))
        except Exception:
            self.close()
            raise

    def ask(self, key: str, question: str) -> str:
        """The answer to a question, as a term."""
        return _alive(self._host.ask(self._instance, key, question))

    @property
    def size(self) -> int:
        """Bytes of memory that it has taken."""
        return self._host.size(self._instance)

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


_ready: Final[dict[Vocabulary, tuple[Host, int]]] = {}
"""The prepared instances of the host that was used last. A browser's host cannot be hashed, so it is no key."""
_ready_lock: Final = threading.Lock()


def _prepared(host: Host, vocabulary: Vocabulary) -> int:
    """An instance with everything but the script; loading that takes longer than copying it."""
    with _ready_lock:
        known = _ready.get(vocabulary)
        if known is not None and known[0] is host:
            return known[1]
        instance = host.open()
        for text in (vocabulary.declarations, vocabulary.prelude, vocabulary.driver):
            _load(host, instance, text)
        _ready[vocabulary] = (host, instance)
        return instance


_scripts: Final[OrderedDict[tuple[str, Vocabulary], tuple[Host, int | None]]] = OrderedDict()
"""Scripts that were loaded lately, each with an instance that has loaded it if it was needed more than once."""
_scripts_lock: Final = threading.Lock()


def _with_script(host: Host, script: str, vocabulary: Vocabulary) -> int:
    """An instance that has loaded the script. Copying one is much cheaper than loading; but the first copy is not, so
    that one is kept only of a script that comes again, as in many matches at a time. Raises ScriptError, EngineError.
    """
    key = (script, vocabulary)
    with _scripts_lock:
        known, kept = _scripts.get(key, (None, None))
        if known is host and kept is not None:
            _scripts.move_to_end(key)
            return host.copy(kept)
    instance = _loaded(host, script, vocabulary)
    with _scripts_lock:
        again = known is host
        _keep(key, host, instance if again else None)
        return host.copy(instance) if again else instance


def _loaded(host: Host, script: str, vocabulary: Vocabulary) -> int:
    instance = host.copy(_prepared(host, vocabulary))
    try:
        _load(host, instance, script)
    except ScriptError as error:
        host.close(instance)
        raise ScriptError(f"{error}, {_blamed(host, script, vocabulary)}") from None
    except EngineError:
        host.close(instance)
        raise
    return instance


def _keep(key: tuple[str, Vocabulary], host: Host, instance: int | None) -> None:
    gone = [_scripts.pop(key)] if key in _scripts else []
    _scripts[key] = (host, instance)
    while len(_scripts) > SCRIPTS_KEPT:
        gone.append(_scripts.popitem(last=False)[1])
    for owner, old in gone:
        if old is not None:
            owner.close(old)


def _load(host: Host, instance: int, text: str) -> None:
    said = _alive(host.run(instance, f"'$load_chars'({string(text)})."))
    complaint = next((line for line in said[1:].splitlines() if line.startswith("Error:")), None)
    if complaint is not None:
        raise ScriptError(_LINE.sub("", complaint.removeprefix("Error:").strip()))
    if said[0] != "1":
        raise ScriptError(said[1:].strip() or "the script could not be loaded")


def _blamed(host: Host, script: str, vocabulary: Vocabulary) -> str:
    """The lines of the first clause that cannot be loaded; the engine's own line numbers cannot be trusted."""
    lines = script.splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, start=1) if _CLAUSE_END.search(line)]

    def loads(count: int) -> bool:
        instance = host.copy(_prepared(host, vocabulary))
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


def _alive(reply: str) -> str:
    if not reply.startswith("+"):
        raise EngineError(reply[1:])
    return reply[1:]
