"""The audit log in words: what was done to what, and what changed, old → new.

Entries keep names and values as the code knows them, so that old ones stay true; words are found when they are read.
An action without words of its own is shown as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from server.accounts.models import AuditEntry
from server.base.errors import N_
from server.rounds.meanings import nearest_preset
from server.study.settings import NAMES, StudySettings, in_words
from server.web.times import instant, moment

Say = Callable[..., str]
"""A text in the reader's language, with values to be put in."""

ACTIONS: Final[Mapping[str, str]] = {
    "account.create": N_("created an account"),
    "account.delete": N_("deleted an account"),
    "account.invite": N_("invited a person"),
    "account.password": N_("gave an account a new password"),
    "account.role": N_("changed the role of an account"),
    "answer.code": N_("coded an answer"),
    "answer.redact": N_("changed a free text"),
    "account.factor_off": N_("turned the second factor of an account off"),
    "backup.restore": N_("restored a backup"),
    "backup.write": N_("wrote a backup"),
    "consent.publish": N_("published a consent text"),
    "export": N_("exported data"),
    "falsifier.confirmed": N_("confirmed a falsifier flag"),
    "falsifier.lifted": N_("lifted a falsifier flag"),
    "falsifier.raised": N_("raised a falsifier flag again"),
    "finding.hide": N_("took a finding off the public page"),
    "finding.publish": N_("published a finding"),
    "finding.write": N_("wrote a finding"),
    "game.add": N_("added a game"),
    "job.discard": N_("discarded a job"),
    "job.retry": N_("let a job be tried again"),
    "mail.discard": N_("discarded a mail"),
    "mail.retry": N_("let a mail be tried again"),
    "questionnaire.change": N_("changed a draft of a questionnaire"),
    "questionnaire.delete": N_("deleted a draft of a questionnaire"),
    "questionnaire.draft": N_("began a draft of a questionnaire"),
    "questionnaire.publish": N_("published a questionnaire"),
    "questionnaire.retire": N_("retired a questionnaire"),
    "round.cancel": N_("cancelled a round"),
    "round.create": N_("created a round"),
    "round.pause": N_("paused a round"),
    "round.resume": N_("resumed a round"),
    "round.schedule": N_("changed the schedule of a round"),
    "rule_base.discard": N_("discarded a rule base"),
    "rule_base.play": N_("put a rule base into play"),
    "rule_base.rest": N_("took a rule base out of play"),
    "rule_base.upload": N_("uploaded a rule base"),
    "setting.change": N_("changed a setting"),
    "study.fill": N_("filled in a simulated study"),
    "tournament.cancel": N_("cancelled a tournament"),
    "tournament.create": N_("created a tournament"),
    "tournament.hide": N_("showed a tournament to researchers only"),
    "tournament.pause": N_("paused a tournament"),
    "tournament.publish": N_("showed a tournament to everybody"),
    "tournament.resume": N_("resumed a tournament"),
}
WORDS: Final[Mapping[str, str]] = {
    "play_data": N_("play data"),
    "interaction_log": N_("interaction log"),
    "satisfied": N_("As soon as the ratings suffice"),
    "held": N_("Not before I say so"),
    "recommended": N_("recommended"),
    "decided": N_("as decided for the study"),
    "thesis": N_("the thesis taken literally"),
    "proband": N_("proband"),
    "researcher": N_("researcher"),
    "admin": N_("admin"),
}
"""Values that have a word."""


@dataclass(frozen=True)
class Told:
    """An entry in words; `details` are short sentences."""

    action: str
    target: str
    details: list[str]


def told(entry: AuditEntry, say: Say, language: str) -> Told:
    action = ACTIONS.get(entry.action)
    title = StudySettings.model_fields[entry.target].title if _is_setting(entry) else None
    target = say(title) if title else _word(entry.target, say)
    details = DETAILS.get(entry.action, _pairs)(entry, say, language)
    return Told(say(action) if action else entry.action, target, details)


def _is_setting(entry: AuditEntry) -> bool:
    return entry.action == "setting.change" and entry.target in NAMES


def _setting(entry: AuditEntry, say: Say, language: str) -> list[str]:
    if not _is_setting(entry):
        return _pairs(entry, say, language)
    before, after = (in_words(entry.target, entry.details.get(end), say, language) for end in ("from", "to"))
    return [_change(before, after)]


def _round(entry: AuditEntry, say: Say, language: str) -> list[str]:
    """Which set of settings, and what differs from it: all of them stand on the round's page."""
    details = dict(entry.details)
    if not isinstance(details.get("settings"), dict):
        return _pairs(entry, say, language)
    preset, changes = nearest_preset(details["settings"])
    parts = [say(N_("settings: %(preset)s"), preset=say(WORDS[preset]))]
    parts += [f"{name} = {value}" for name, value in changes.items()]
    parts.append(say(N_("seed %(seed)s"), seed=details.get("seed")))
    parts.append(say(N_("%(count)s strategies at the start"), count=len(details.get("population") or ())))
    if details.get("simulation"):
        parts.append(say(N_("%(count)s simulated probands"), count=details["simulation"].get("persons")))
    return parts


def _schedule(entry: AuditEntry, say: Say, language: str) -> list[str]:
    """One step, at a time that was given or at once; or one of the other choices."""
    when, at = str(entry.details.get("when", "")), str(entry.details.get("at", ""))
    if when != "at":
        return [_word(when, say)]
    return [moment(instant(at), language) if at else say(N_("Now"))]


def _pairs(entry: AuditEntry, say: Say, language: str) -> list[str]:  # noqa: ARG001 - the shape of all of them
    details = dict(entry.details)
    parts = []
    if "from" in details and "to" in details:
        parts.append(_change(_word(details.pop("from"), say), _word(details.pop("to"), say)))
    return parts + [f"{name.replace('_', ' ')}: {_word(value, say)}" for name, value in details.items()]


def _change(before: str, after: str) -> str:
    """Old → new. Saving the same value once more used to be written down too; then there is nothing to compare."""
    return f"{before} → {after}" if before != after else after


def _word(value: Any, say: Say) -> str:
    if isinstance(value, bool):
        return say(N_("yes")) if value else say(N_("no"))
    return say(WORDS[value]) if value in WORDS else str(value)


DETAILS: Final[Mapping[str, Callable[[AuditEntry, Say, str], list[str]]]] = {
    "setting.change": _setting,
    "round.create": _round,
    "round.schedule": _schedule,
}
