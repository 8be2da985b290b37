"""The pages around a questionnaire, asked over HTTP as browsers do."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from games.registry import game
from server.accounts.models import AuditEntry, Person
from server.base.clock import now
from server.base.settings import Settings
from server.falsifiers.models import FalsifierFlag
from server.falsifiers.service import left_out
from server.judgements.models import JudgementRow
from server.live.models import MatchSeat
from server.questionnaires.models import Answer, QuestionnaireVersion
from server.questionnaires.repository import shipped
from server.storage.database import Database
from server.study.settings import change_setting
from tests.downloads import downloaded
from tests.server.played import finished_match
from tests.server.questionnaires.conftest import as_person, played_match
from tests.servers import PageClient

WHOLE_FORM = {
    "verdict.1": "artificial",
    "sureness.1": "75",
    "challenge.1": "somewhat",
    "verdict.2": "human",
    "challenge.2": "unsure",
    "enjoyment": "very",
}


async def seated(client: PageClient, session: AsyncSession, settings: Settings) -> tuple[Person, str]:
    """A logged-in person who has just finished a match, and the address of the questionnaire."""
    person = await as_person(client, session, settings)
    other = Person(pseudonym=f"other of {person.pseudonym}", created_at=now())
    match = await played_match(session, person, other)
    await session.commit()
    return person, f"/matches/{match.id}/questionnaire"


async def test_the_form_alone_is_enough(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    _, url = await seated(client, session, settings)
    page = await client.get(url)
    assert "Who did you play with?" in page.text
    answer = await client.post(url, data=WHOLE_FORM)
    thanks = url.replace("questionnaire", "thanks")
    assert (answer.status_code, answer.headers["location"]) == (303, thanks)
    assert (await client.get(url)).headers["location"] == thanks, "there is nothing left to answer"
    assert "Thank you!" in (await client.get(thanks)).text
    rows = (await session.scalars(select(JudgementRow).order_by(JudgementRow.seat))).all()
    assert [(row.seat, row.verdict, row.sureness, row.enjoyment) for row in rows] == [
        (1, "artificial", 75, 5),
        (2, "human", None, 5),
    ]


async def test_games_of_two_seats_ask_about_one_and_call_it_as_the_game_does(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    tricks = game("tricks")
    match, (person,) = await finished_match(session, tricks, {1: "GREEDY"})
    seat = (await session.scalars(select(MatchSeat).where(MatchSeat.match_id == match, MatchSeat.seat == 0))).one()
    somebody = await as_person(client, session, settings)
    seat.person_id = somebody.id
    await session.commit()
    url = f"/matches/{match}/questionnaire"
    for language in ("en", "de"):
        page = (await client.get(url, headers={"accept-language": language})).text
        mine, other = tricks.texts(language).seats
        assert re.findall(r'<h2 id="seat-(\d)">.*?</svg>\s*(.*?)</h2>', page, re.DOTALL) == [("1", other.capitalize())]
        assert mine != other
    assert json.loads(html.unescape(re.search(r'data-replay="(.*?)"', page)[1]))["game"] == "tricks:standard"  # type: ignore[index]  # else it fails
    form = {"verdict.1": "artificial", "challenge.1": "somewhat", "enjoyment": "very"}
    assert (await client.post(url, data=form)).status_code == 303
    (row,) = await session.scalars(select(JudgementRow))
    assert (row.game, row.seat, row.strategy, row.verdict) == ("tricks:standard", 1, "GREEDY", "artificial")
    assert person != somebody.id


async def test_an_answer_that_looks_like_a_moment_breaks_no_page(
    client: PageClient, session: AsyncSession, settings: Settings, database: Database
) -> None:
    """It made one's own data page answer 500."""
    odd = "aaaa-aaaaaTaaaa+00:00"
    person, url = await seated(client, session, settings)
    await client.get(url)
    assert (await client.post(url, data={**WHOLE_FORM, "challenge_why.1": odd})).status_code == 303
    assert (await client.get("/account/my-data")).status_code == 200
    assert odd in (await downloaded(client, database)).text
    await as_person(client, session, settings, "researcher")
    for page in (
        "/research/coding",
        "/research/answers",
        "/research/free-texts",
        f"/research/persons/{person.pseudonym}",
    ):
        assert (await client.get(page)).status_code == 200, page


async def test_a_questionnaire_that_was_never_opened_is_offered_until_it_is_answered(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    _, url = await seated(client, session, settings)
    assert f'href="{url}"' in (await client.get("/questionnaires")).text
    await client.get(url)
    assert (await client.get("/questionnaires")).text.count(f'href="{url}"') == 1
    await client.post(url, data=WHOLE_FORM)
    assert "Nothing is waiting for you." in (await client.get("/questionnaires")).text


async def test_what_is_missing_is_said_beside_the_field_and_the_rest_is_kept(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    _, url = await seated(client, session, settings)
    await client.get(url)
    answer = await client.post(url, data={"verdict.1": "human", "sureness.1": "a lot"})
    assert answer.status_code == 422
    assert "expected a whole number from 0 to 100" in answer.text
    answer = await client.post(url, data={"verdict.1": "human"})
    assert answer.status_code == 422
    assert answer.text.count("Please choose an answer.") == 4
    assert 'value="human" checked' in answer.text


async def test_answers_are_saved_as_they_are_given(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    _, url = await seated(client, session, settings)
    await client.get(url)
    saved = await client.post(f"{url}/answers", json={"item": "verdict", "seat": 1, "value": "human", "shown_ms": 900})
    assert saved.json() == {"missing": ["verdict.2", "challenge.1", "challenge.2", "enjoyment"]}
    refused = await client.post(f"{url}/answers", json={"item": "verdict", "seat": 0, "value": "human"})
    assert refused.status_code == 422
    assert 'value="human" checked' in (await client.get(url)).text, "a closed tab loses nothing"


async def test_nobody_answers_for_somebody_else(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    _, url = await seated(client, session, settings)
    await client.get(url)
    await as_person(client, session, settings)
    assert (await client.get(url)).status_code == 404
    assert (
        await client.post(f"{url}/answers", json={"item": "verdict", "seat": 1, "value": "human"})
    ).status_code == 404
    assert (await client.post(url, data=WHOLE_FORM)).status_code == 404


async def test_who_was_what_is_told_only_if_the_study_says_so(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    _, url = await seated(client, session, settings)
    await client.get(url)
    await client.post(url, data=WHOLE_FORM)
    thanks = url.replace("questionnaire", "thanks")
    assert "Observing PALS" not in (await client.get(thanks)).text
    await change_setting(session, "reveal_after_answering", True, changed_by="test")
    await session.commit()
    assert "Observing PALS" in (await client.get(thanks)).text


async def test_a_profile_is_optional_and_its_changes_raise_a_flag(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    person = await as_person(client, session, settings)
    assert (await client.post("/account/profile", data={})).status_code == 303
    for age in ("under_18", "from_25", "", "from_25", "from_35"):
        await client.post("/account/profile", data={"age": age, "country": "DE"})
    query = select(func.count()).select_from(FalsifierFlag)
    assert await session.scalar(query) == 0, "two different values after the first, and one clearing"
    await client.post("/account/profile", data={"age": "from_65", "country": "DE"})
    flag = await session.get_one(FalsifierFlag, (person.id, "profile_changes"))
    assert flag.evidence == "changed: age (3 times)"
    kept = await session.scalars(select(Answer.value).where(Answer.item == "age").order_by(Answer.id))
    assert list(kept) == ["under_18", "from_25", None, "from_25", "from_35", "from_65"]


async def test_a_wrong_country_is_refused_beside_its_field(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings)
    answer = await client.post("/account/profile", data={"country": "Atlantis"})
    assert answer.status_code == 422
    assert "expected a country code" in answer.text


async def test_a_researcher_confirms_and_lifts_a_flag(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    person = await as_person(client, session, settings)
    for age in ("under_18", "from_25", "from_35", "from_45"):
        await client.post("/account/profile", data={"age": age})
    await as_person(client, session, settings, "researcher")
    assert person.pseudonym in (await client.get("/research/flags")).text
    url = f"/research/flags/{person.id}/profile_changes"
    assert await left_out(session) == set(), "a flag alone leaves nobody out"
    await client.post(url, data={"decision": "confirmed"})
    assert await left_out(session) == {person.id}
    await change_setting(session, "leave_out_falsifiers", False, changed_by="test")
    assert await left_out(session) == set()
    await session.rollback()
    await client.post(url, data={"decision": "lifted"})
    assert await left_out(session) == set()
    actions = await session.scalars(select(AuditEntry.action).order_by(AuditEntry.id))
    assert list(actions) == ["falsifier.confirmed", "falsifier.lifted"]
    assert (await client.post(url, data={"decision": "burned"})).status_code == 422


async def edited(client: PageClient, version_id: int, **changes: Any) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((await client.get(f"/research/questionnaires/{version_id}/export.json")).text)
    return content | changes


async def test_a_questionnaire_is_copied_edited_published_and_the_next_match_uses_it(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    _, old_url = await seated(client, session, settings)
    await client.get(old_url)
    await as_person(client, session, settings, "researcher")
    assert (await client.get("/research/questionnaires")).status_code == 200
    shipped_id = await session.scalar(
        select(QuestionnaireVersion.id).where(QuestionnaireVersion.purpose == "after_match")
    )
    copied = await client.post(f"/research/questionnaires/{shipped_id}", data={"then": "copy"})
    draft_id = int(copied.headers["location"].split("/")[-2])
    content = await edited(client, draft_id, title={"en": "Who was it?", "de": "Wer war es?"})
    saved = (await client.put(f"/research/questionnaires/{draft_id}", json=content)).json()
    assert (saved["problems"], saved["saved"]) == ([], True)
    assert "Who was it?" in (await client.get(f"/research/questionnaires/{draft_id}")).text
    asked = await client.post(f"/research/questionnaires/{draft_id}", data={"then": "publish"})
    assert asked.headers["location"] == f"/research/questionnaires/{draft_id}/publish", "nothing happens unasked"
    page = (await client.get(asked.headers["location"])).text
    assert "title en" in page
    assert "Who did you play with?" in page, "what was asked so far"
    assert "introduction" not in page, "what stays is not listed"
    publish = {"then": "publish", "instead_of": draft_id}
    outdated = await client.post(f"/research/questionnaires/{draft_id}", data=publish)
    assert outdated.status_code == 409, "another version is in use than the one that was shown"
    await client.post(f"/research/questionnaires/{draft_id}", data=publish | {"instead_of": shipped_id})
    refused = await client.put(f"/research/questionnaires/{draft_id}", json=content)
    assert refused.status_code == 409, "a published version never changes"

    _, new_url = await seated(client, session, settings)
    assert "Who was it?" in (await client.get(new_url)).text
    states = await session.scalars(
        select(QuestionnaireVersion.state)
        .where(QuestionnaireVersion.purpose == "after_match")
        .order_by(QuestionnaireVersion.number)
    )
    assert list(states) == ["retired", "published"]


async def test_a_retired_questionnaire_gives_way_to_the_shipped_one(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    await client.get("/research/questionnaires")
    first = await session.scalar(select(QuestionnaireVersion.id).where(QuestionnaireVersion.purpose == "after_match"))
    assert (await client.post(f"/research/questionnaires/{first}", data={"then": "retire"})).status_code == 303
    assert (await client.post(f"/research/questionnaires/{first}", data={"then": "retire"})).status_code == 409
    _, url = await seated(client, session, settings)
    assert "Who did you play with?" in (await client.get(url)).text


async def test_an_import_is_checked_as_a_whole(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "researcher")
    content = shipped("after_match").model_dump(mode="json")

    async def upload(raw: bytes) -> tuple[int, str]:
        answer = await client.post("/research/questionnaires/import", files={"file": ("q.json", raw)})
        return answer.status_code, answer.text

    assert (await upload(json.dumps(content).encode()))[0] == 303
    content["items"][0]["measures"] = None
    status, text = await upload(json.dumps(content).encode())
    assert status == 422
    assert "needs an item that measures the verdict" in text
    assert (await upload(b"{not json"))[0] == 422
    assert (await upload(b"[" * 100_000))[0] == 422
    assert (await upload(b" " * 600_000))[0] == 422
    content["items"][0]["text"]["en"] = ""
    told = (await client.post("/research/questionnaires/check", json=content)).json()["problems"]
    assert {"at": "items.0.text.en", "says": "a text is missing"} in told, told


async def a_draft(client: PageClient, session: AsyncSession, settings: Settings) -> tuple[str, dict[str, Any]]:
    """The address of a new draft, and what it says."""
    await as_person(client, session, settings, "researcher")
    await client.get("/research/questionnaires")
    shipped_id = await session.scalar(
        select(QuestionnaireVersion.id).where(QuestionnaireVersion.purpose == "after_match")
    )
    copied = await client.post(f"/research/questionnaires/{shipped_id}", data={"then": "copy"})
    address = copied.headers["location"].removesuffix("/edit")
    return address, await edited(client, int(address.split("/")[-1]))


async def test_a_draft_keeps_its_mistakes_but_is_not_published_with_them(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    draft, content = await a_draft(client, session, settings)
    content["title"]["de"] = ""
    content["items"][1]["key"] = "Not a key"
    content["items"][2]["text"] = {"en": "", "de": ""}
    saved = (await client.put(draft, json=content)).json()
    assert saved["saved"]
    places = ["title.de", "items.1.key", "items.2.text.en", "items.2.text.de"]
    assert sorted(problem["at"] for problem in saved["problems"]) == sorted(places)
    assert (await client.get(f"{draft}/export.json")).json() == content, "kept as it was written"
    for page in ("", "/edit", "/preview"):
        assert (await client.get(draft + page)).status_code == 200, page
    assert "Question 2 has mistakes and cannot be shown yet." in (await client.get(f"{draft}/preview")).text
    asked = (await client.get(f"{draft}/publish")).text
    assert f"{draft}/edit#items.2.text.en" in asked, "a link to where the mistake is"
    assert "instead_of" not in asked
    assert (await client.post(draft, data={"then": "publish", "instead_of": 1})).status_code == 409
    copied = await client.post(draft, data={"then": "copy"})
    assert copied.status_code == 303, "a draft with mistakes can be copied"


async def test_every_mistake_of_a_draft_is_told_at_its_place(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    draft, content = await a_draft(client, session, settings)
    items = {item["key"]: index for index, item in enumerate(content["items"])}
    content["items"][items["sureness"]] |= {"show_if": {"item": "verdict", "one_of": ["martian"]}, "high": 10}
    content["items"][items["aim"]]["measures"] = "verdict"
    answer = await client.put(draft, json=content, headers={"accept-language": "de"})
    told = {(problem["at"], problem["says"]) for problem in answer.json()["problems"]}
    place = f"items.{items['sureness']}"
    assert (f"{place}.show_if", "verdict hat keine Option martian.") in told
    assert f"{place}.measures" in {at for at, _ in told}
    assert (f"items.{items['aim']}.measures", "Zwei Fragen messen dasselbe.") in told


@pytest.mark.parametrize(
    "change",
    [
        {"items": [{"type": "song"}]},
        {"items": "none"},
        {"colour": "red"},
        {"title": {"en": "x" * 3000 + "\x00", "de": "y"}},
        {"title": None},
    ],
)
async def test_what_has_not_the_form_of_a_questionnaire_is_not_kept(
    client: PageClient, session: AsyncSession, settings: Settings, change: dict[str, Any]
) -> None:
    draft, content = await a_draft(client, session, settings)
    answer = (await client.put(draft, json=content | change)).json()
    assert not answer["saved"]
    assert answer["problems"]
    assert (await client.get(f"{draft}/export.json")).json() == content


async def test_nobody_overwrites_a_draft_that_was_changed_meanwhile(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    draft, content = await a_draft(client, session, settings)
    first = (await client.put(draft, json=content)).json()["fingerprint"]
    mine, theirs = (content | {"title": {"en": title, "de": title}} for title in ("Mine", "Theirs"))
    assert (await client.put(f"{draft}?base={first}", json=theirs)).json()["saved"]
    assert (await client.put(f"{draft}?base={first}", json=theirs)).json()["saved"], "sent again, the answer was lost"
    refused = await client.put(f"{draft}?base={first}", json=mine, headers={"accept": "application/json"})
    assert (refused.status_code, refused.json()["error"]) == (409, "ChangedElsewhere")
    assert (await client.get(f"{draft}/export.json")).json()["title"]["en"] == "Theirs"
    assert (await client.put(draft, json=mine)).json()["saved"], "whoever was told may do so"


async def test_two_researchers_code_and_kappa_is_shown(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    for why in ("it was quick", "it always took the last piece"):
        _, url = await seated(client, session, settings)
        await client.get(url)
        await client.post(url, data={**WHOLE_FORM, "challenge_why.1": why})
    answers = (await session.scalars(select(Answer.id).where(Answer.item == "challenge_why").order_by(Answer.id))).all()
    for codes in (("right", "wrong"), ("right", "wrong")):
        await as_person(client, session, settings, "researcher")
        page = (await client.get("/research/coding")).text
        assert "it was quick" in page
        for answer, code in zip(answers, codes, strict=True):
            await client.post(f"/research/coding/{answer}", data={"code": code})
        assert "Nothing to code." in (await client.get("/research/coding")).text
    assert "1.00" in (await client.get("/research/coding")).text
    assert (await client.post(f"/research/coding/{answers[0]}", data={"code": "funny"})).status_code == 422


async def test_findings_are_seen_by_all_once_published(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    words = {
        "title_en": "Programs linger",
        "title_de": "Programme zögern",
        "body_en": "One.\r\n\r\nTwo.",
        "body_de": "Eins.",
    }
    assert (await client.post("/research/findings", data=words | {"body_de": " "})).status_code == 422
    await client.post("/research/findings", data=words)
    client.cookies.clear()
    assert "Programs linger" not in (await client.get("/findings")).text
    await as_person(client, session, settings, "researcher")
    await client.post("/research/findings/1/publish", data={"public": "true"})
    client.cookies.clear()
    public = (await client.get("/findings")).text
    assert "Programs linger" in public
    assert "<p>Two.</p>" in public, "browsers end lines with two characters"


async def test_probands_see_no_researchers_page(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings)
    for path in ("questionnaires", "questionnaires/1", "questionnaires/1/edit", "coding", "flags", "findings"):
        assert (await client.get(f"/research/{path}")).status_code == 403, path
    assert (await client.put("/research/questionnaires/1", json={})).status_code == 403
    assert (await client.post("/research/flags/1/too_fast", data={"decision": "lifted"})).status_code == 403
