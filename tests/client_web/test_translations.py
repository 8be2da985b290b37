"""Every text that a page, the server or a script shows has a German translation, and no translation is left over."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po

from server.base.settings import ROOT

WEB = ROOT / "client_web"
CATALOGUES = sorted((WEB / "locales" / "de").glob("*.po"))

# In templates gettext is `_`; in Python the request comes first, and N_ marks texts that are translated later.
TEMPLATE_WORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}
PYTHON_WORDS = {"_": None, "N_": None, "gettext": (2,)}
SCRIPT_CALL = re.compile(r"""\b(?:t|tn)\(\s*("(?:[^"\\\n]|\\.)*")(?:\s*,\s*("(?:[^"\\\n]|\\.)*"))?""")
UNREADABLE_CALL = re.compile(r"""\b(?:t|tn)\(\s*(?:[`'])""")
PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def texts_of_templates() -> Iterator[tuple[str, Path]]:
    for path in sorted((WEB / "templates").rglob("*.html")):
        with path.open("rb") as file:
            found = extract(
                "jinja2.ext:babel_extract", file, TEMPLATE_WORDS, options={"silent": "false", "trimmed": "true"}
            )
            for _, message, _, _ in found:
                yield (message if isinstance(message, str) else message[0]), path


def texts_of_the_server() -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / "server").rglob("*.py")):
        with path.open("rb") as file:
            for _, message, _, _ in extract("python", file, PYTHON_WORDS):
                text = message if isinstance(message, str) else message[-1]
                if text:
                    yield text, path


def texts_of_scripts() -> Iterator[tuple[str, Path]]:
    for path in sorted((WEB / "src").rglob("*.ts")):
        for match in SCRIPT_CALL.finditer(path.read_text()):
            yield _unescaped(match.group(1)), path


def _unescaped(literal: str) -> str:
    return literal[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def asked() -> dict[str, Path]:
    return dict([*texts_of_templates(), *texts_of_the_server(), *texts_of_scripts()])


def translated() -> Iterator[tuple[Message, Path]]:
    for path in CATALOGUES:
        with path.open("rb") as file:
            yield from ((message, path) for message in read_po(file, locale="de", abort_invalid=True) if message.id)


def _id(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def test_every_text_has_a_german_translation() -> None:
    have = {_id(message) for message, _ in translated() if all(_strings(message))}
    missing = sorted(f"{path.relative_to(ROOT)}: {text!r}" for text, path in asked().items() if text not in have)
    assert not missing, "\n".join(["without a German translation:", *missing])


def test_no_translation_is_left_over() -> None:
    wanted = asked()
    unused = sorted(f"{path.name}: {_id(message)!r}" for message, path in translated() if _id(message) not in wanted)
    assert not unused, "\n".join(["translated, but nobody asks for it:", *unused])


def test_no_text_is_translated_twice_or_doubtfully() -> None:
    counts = Counter(_id(message) for message, _ in translated())
    assert not [text for text, count in counts.items() if count > 1]
    assert not [_id(message) for message, _ in translated() if message.fuzzy]


def test_translations_keep_the_places_of_values() -> None:
    wrong = [
        (_id(message), text)
        for message, _ in translated()
        for text in _strings(message)
        if set(PLACES.findall(text)) != set(PLACES.findall(_id(message)))
    ]
    assert not wrong


def test_scripts_ask_with_plain_literals_only() -> None:
    """Otherwise neither this test nor the build would find their texts."""
    sources = (WEB / "src").rglob("*.ts")
    assert not [path.name for path in sources if UNREADABLE_CALL.search(path.read_text())]


def _strings(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
