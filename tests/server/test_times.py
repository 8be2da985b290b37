"""Moments on pages: exact for browsers, which write them in the reader's time zone, and UTC in words for all others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from server.web.rendering import environment
from server.web.times import moment, shown_moment

AT = datetime(2026, 11, 18, 17, 5, 9, 1234, tzinfo=UTC)


@pytest.mark.parametrize(("language", "words"), [("en", "Nov 18, 2026, 17:05 UTC"), ("de", "18.11.2026, 17:05 UTC")])
def test_a_page_has_the_exact_time_and_says_which_zone_it_names(language: str, words: str) -> None:
    assert shown_moment(AT, language) == f'<time datetime="2026-11-18T17:05:09+00:00" data-local>{words}</time>'
    assert moment(AT, language) == words, "mails and the audit log have no markup"


def test_other_zones_are_told_in_utc() -> None:
    assert shown_moment(AT.astimezone(timezone(timedelta(hours=5))), "en") == shown_moment(AT, "en")


def test_it_stands_in_translated_sentences_as_markup() -> None:
    text = '{{ _("open until %(time)s", time=at | moment) }} {{ _("open until %(time)s", time=bad) }}'
    shown = environment("de").from_string(text).render(at=AT, bad="<b>")
    assert 'offen bis <time datetime="2026-11-18T17:05:09+00:00" data-local>' in shown
    assert "&lt;b&gt;" in shown
