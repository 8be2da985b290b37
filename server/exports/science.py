"""Tables of what the platform computed: ratings of strategies and persons, and the rounds with all they decided.

`$1` and `$2` are the first and the last moment that is wanted: of ratings when they were computed, of rounds when they
began.
"""

from __future__ import annotations

from typing import Final

from server.exports.columns import GAME, PERSON, Column, ColumnKind, Table

SNAPSHOT = Column("snapshot", ColumnKind.INTEGER, "Number of the snapshot of all ratings.")
STRATEGY = Column("strategy", ColumnKind.TEXT, "The strategy: its elements in their order, or the name of a rule base.")
ROUND = Column("round", ColumnKind.INTEGER, "Number of the round.")
STEP = Column("step", ColumnKind.INTEGER, "Number of the step, 0 for the start; also that of the population it made.")


def _estimate(name: str, meaning: str) -> tuple[Column, ...]:
    return (
        Column(name, ColumnKind.NUMBER, meaning),
        Column(f"{name}_low", ColumnKind.NUMBER, "Lower end of its 95 % interval."),
        Column(f"{name}_high", ColumnKind.NUMBER, "Upper end of its 95 % interval."),
    )


def _smoothed(name: str, meaning: str) -> tuple[Column, ...]:
    """A smoothed value has no interval of its own: what stands beside it is that of the plain mean."""
    return (
        Column(name, ColumnKind.NUMBER, meaning),
        *(
            Column(
                f"{name}_{end}",
                ColumnKind.NUMBER,
                f"{side} end of the 95 % interval of plain_{name}, clustered by judge; {name} may lie outside.",
            )
            for end, side in (("low", "Lower"), ("high", "Upper"))
        ),
    )


def _ends(path: str) -> str:
    """The two ends of an interval in a record."""
    return f"({path} ->> 0)::float8, ({path} ->> 1)::float8"


SCIENCE: Final = (
    Table(
        "rating_snapshots",
        "ratings",
        "Every computation of all ratings of a game that is kept: from which judgements, with which settings.",
        (
            SNAPSHOT,
            GAME,
            Column("computed_at", ColumnKind.TIME, "When it was computed."),
            Column("log_position", ColumnKind.INTEGER, "Up to which position of the judgement log."),
            Column("judgements", ColumnKind.INTEGER, "How many judgements it rests on."),
            Column("software", ColumnKind.TEXT, "Version of the platform that computed it."),
            Column("settings", ColumnKind.JSON, "All settings of the computation."),
            Column("left_out", ColumnKind.JSON, "Pseudonyms of the persons who were left out."),
            *_estimate("humans_judged_human", "Share at which real humans were judged human: the yardstick."),
            Column("judges_brier", ColumnKind.NUMBER, "Brier score of all judges together; 0.25 is a coin."),
            Column("judges_auc", ColumnKind.NUMBER, "Area under the ROC curve of all judges together; 0.5 is a coin."),
        ),
        f"""
        SELECT id, game, computed_at, log_position, judgements, software, settings, left_out,
               (record #>> '{{humans,share}}')::float8, {_ends("record #> '{humans,interval}'")},
               (record #>> '{{judges,brier}}')::float8, (record #>> '{{judges,auc}}')::float8
        FROM rating_snapshots WHERE computed_at BETWEEN $1 AND $2 ORDER BY id
        """,  # noqa: S608 - all of it is ours
    ),
    Table(
        "strategy_ratings",
        "ratings",
        "One row per snapshot and strategy: all its statistics.",
        (
            SNAPSHOT,
            GAME,
            STRATEGY,
            Column("judgements", ColumnKind.INTEGER, "How often it was judged."),
            *_smoothed("detection", "Smoothed share judged artificial, weighted by the judges' weights."),
            *_smoothed("fun", "Smoothed enjoyment on 0 to 1, weighted in the same way."),
            *_smoothed("challenge", "Smoothed challenge on 0 to 1, weighted in the same way."),
            Column("believability", ColumnKind.NUMBER, "1 - detection."),
            *_estimate(
                "judged_human",
                "Share of the tested judgements (first meetings, unless the study takes all) that said human; "
                "interval clustered by judge and by what was judged.",
            ),
            Column("judges", ColumnKind.INTEGER, "How many persons judged it."),
            *_estimate("difference_from_humans", "Share judged human, the strategy's minus that of real humans."),
            Column("equivalence_margin", ColumnKind.NUMBER, "Within which difference it counts as equivalent."),
            Column(
                "equivalence_p", ColumnKind.NUMBER, "Two one-sided tests: small means equivalent within the margin."
            ),
            Column("equivalent", ColumnKind.BOOLEAN, "Whether p is below the level."),
            Column("e_told_apart", ColumnKind.NUMBER, "E-value for being told from humans; 20 or more is strong."),
            Column("e_equivalent", ColumnKind.NUMBER, "E-value for being equivalent; 20 or more is strong."),
            Column(
                "difficulty", ColumnKind.NUMBER, "Rasch difficulty: how hard to detect, in logits, 0 the mean strategy."
            ),
            Column("difficulty_se", ColumnKind.NUMBER, "Its standard error."),
            Column("expert_judgements", ColumnKind.INTEGER, "How often super experts judged it."),
            Column("expert_detections", ColumnKind.INTEGER, "How often super experts judged it artificial."),
            Column("plain_detection", ColumnKind.NUMBER, "Plain share judged artificial, without weights."),
            Column("plain_fun", ColumnKind.NUMBER, "Plain mean of enjoyment on 0 to 1, without weights."),
            Column("plain_challenge", ColumnKind.NUMBER, "Plain mean of challenge on 0 to 1, without weights."),
            *_estimate("mixed_difference", "Difference from humans by the crossed mixed model: the main analysis."),
            Column("mixed_p", ColumnKind.NUMBER, "Equivalence by it; small means equivalent within the margin."),
            *_estimate("within_match", "Difference from humans judged by the same judges after the same matches."),
            Column("within_match_p", ColumnKind.NUMBER, "Equivalence by it."),
            Column("told_apart", ColumnKind.BOOLEAN, "Told from humans, looking at all strategies at once (e-BH)."),
            Column("shown_equivalent", ColumnKind.BOOLEAN, "Shown to be equivalent in the same way."),
        ),
        f"""
        SELECT r.id, r.game, s ->> 'strategy', (s ->> 'judgements')::int8,
               (s ->> 'detection')::float8, {_ends("s #> '{intervals,detection}'")},
               (s ->> 'fun')::float8, {_ends("s #> '{intervals,fun}'")},
               (s ->> 'challenge')::float8, {_ends("s #> '{intervals,challenge}'")},
               (s ->> 'believability')::float8,
               (s #>> '{{judged_human,share}}')::float8, {_ends("s #> '{judged_human,interval}'")},
               (s #>> '{{judged_human,judges}}')::int8,
               (s #>> '{{difference_from_humans,estimate}}')::float8,
               {_ends("s #> '{difference_from_humans,interval}'")},
               (s #>> '{{equivalence,margin}}')::float8, (s #>> '{{equivalence,p}}')::float8,
               (s #>> '{{equivalence,equivalent}}')::bool,
               (s ->> 'e_told_apart')::float8, (s ->> 'e_equivalent')::float8,
               (s ->> 'difficulty')::float8, (s ->> 'difficulty_se')::float8,
               (s ->> 'expert_judgements')::int8, (s ->> 'expert_detections')::int8,
               (s #>> '{{plain,detection}}')::float8, (s #>> '{{plain,fun}}')::float8,
               (s #>> '{{plain,challenge}}')::float8,
               (m ->> 'estimate')::float8, {_ends("m -> 'interval'")}, (m ->> 'p')::float8,
               (s #>> '{{within_match,estimate}}')::float8, {_ends("s #> '{within_match,interval}'")},
               (s #>> '{{within_match,p}}')::float8, (s ->> 'told_apart')::bool, (s ->> 'shown_equivalent')::bool
        FROM rating_snapshots r CROSS JOIN LATERAL jsonb_array_elements(r.record -> 'strategies') AS s
        CROSS JOIN LATERAL (SELECT r.record #> ARRAY['mixed', 'strategies', s ->> 'strategy'] AS m) AS mixed
        WHERE r.computed_at BETWEEN $1 AND $2 ORDER BY r.id, 3
        """,  # noqa: S608 - all of it is ours
    ),
    Table(
        "person_ratings",
        "ratings",
        "One row per snapshot and person: weight, ability, signal detection, and what makes a super expert.",
        (
            SNAPSHOT,
            GAME,
            PERSON,
            Column("judgements", ColumnKind.INTEGER, "How many seats the person has judged."),
            Column(
                "weight", ColumnKind.NUMBER, "Smoothed share of right judgements: how much the person's word counts."
            ),
            Column("ability", ColumnKind.NUMBER, "Rasch ability, in logits."),
            Column("ability_se", ColumnKind.NUMBER, "Its standard error."),
            Column("infit", ColumnKind.NUMBER, "Infit mean square over the posterior; its expectation is exactly 1."),
            Column("outfit", ColumnKind.NUMBER, "Outfit mean square over the posterior; its expectation is exactly 1."),
            Column(
                "infit_at_estimate",
                ColumnKind.NUMBER,
                "Conventional infit, at the estimated ability; the rule of 0.5 to 1.5 is for these.",
            ),
            Column("outfit_at_estimate", ColumnKind.NUMBER, "Conventional outfit, at the estimated ability."),
            Column(
                "d_prime", ColumnKind.NUMBER, "d' of telling programs from humans; empty if only one kind was judged."
            ),
            Column("criterion", ColumnKind.NUMBER, "Caution before saying artificial."),
            Column("hits", ColumnKind.INTEGER, "Programs judged artificial."),
            Column("program_seats", ColumnKind.INTEGER, "Programs judged."),
            Column("false_alarms", ColumnKind.INTEGER, "Humans judged artificial."),
            Column("human_seats", ColumnKind.INTEGER, "Humans judged."),
            Column(
                "super_expert",
                ColumnKind.BOOLEAN,
                "Whether the person meets the criteria of a super expert, or met them when new strategies came, if the "
                "study lets experts stay.",
            ),
            Column(
                "pattern_group", ColumnKind.INTEGER, "Group of persons with a similar pattern of detections, from 0 on."
            ),
        ),
        """
        SELECT r.id, r.game, p ->> 'person', (p ->> 'judgements')::int8, (p ->> 'weight')::float8,
               (p ->> 'ability')::float8, (p ->> 'se')::float8, (p ->> 'infit')::float8, (p ->> 'outfit')::float8,
               (p ->> 'infit_at_estimate')::float8, (p ->> 'outfit_at_estimate')::float8,
               (p ->> 'd_prime')::float8, (p ->> 'criterion')::float8, (p ->> 'hits')::int8,
               (p ->> 'program_seats')::int8, (p ->> 'false_alarms')::int8, (p ->> 'human_seats')::int8,
               (p ->> 'super_expert')::bool, (p ->> 'group')::int8
        FROM rating_snapshots r CROSS JOIN LATERAL jsonb_array_elements(r.record -> 'persons') AS p
        WHERE r.computed_at BETWEEN $1 AND $2 ORDER BY r.id, 3
        """,
    ),
    Table(
        "rounds",
        "rounds",
        "One row per refinement round.",
        (
            ROUND,
            Column("name", ColumnKind.TEXT, "Its name."),
            GAME,
            Column("seed", ColumnKind.INTEGER, "Where all chance of the round comes from."),
            Column("settings", ColumnKind.JSON, "All settings of the refinement."),
            Column("created_at", ColumnKind.TIME, "When it began."),
            Column("ended_at", ColumnKind.TIME, "When it was done or cancelled."),
            Column("status", ColumnKind.TEXT, "How it stands.", "running, paused, cancelled, done"),
            Column("phase", ColumnKind.TEXT, "Which phase it is in.", "rate, evolve, strip, done"),
            Column("steps", ColumnKind.INTEGER, "How many steps were taken."),
            Column(
                "simulation", ColumnKind.JSON, "Who judged instead of people, and the planted truth; null with people."
            ),
            Column("simulated", ColumnKind.BOOLEAN, "Whether programs judged instead of people."),
            Column(
                "final", ColumnKind.JSON, "The final strategies, the minimal one first, each with its believability."
            ),
        ),
        """
        SELECT id, name, game, seed, settings, created_at, ended_at, status, phase, step, simulation,
               simulation IS NOT NULL OR created_by = 'simulated study', state -> 'final'
        FROM rounds WHERE created_at BETWEEN $1 AND $2 ORDER BY id
        """,
    ),
    Table(
        "round_steps",
        "rounds",
        "One row per step that a round took.",
        (
            ROUND,
            GAME,
            STEP,
            Column("kind", ColumnKind.TEXT, "What it did.", "start, evolve, strip, done, give up"),
            Column("at", ColumnKind.TIME, "When it was taken."),
            Column("log_position", ColumnKind.INTEGER, "Up to which position of the judgement log it looked."),
            Column("fingerprint", ColumnKind.TEXT, "With the position: the rating snapshot that it decided on."),
        ),
        """
        SELECT s.round_id, r.game, s.number, s.kind, s.at, s.log_position, s.basis ->> 'fingerprint'
        FROM round_steps s JOIN rounds r ON r.id = s.round_id
        WHERE r.created_at BETWEEN $1 AND $2 ORDER BY s.round_id, s.number
        """,
    ),
    Table(
        "round_decisions",
        "rounds",
        "One row per decision of a step, in the order in which they were taken.",
        (
            ROUND,
            GAME,
            STEP,
            Column("place", ColumnKind.INTEGER, "Which decision of the step, from 1 on."),
            Column("kind", ColumnKind.TEXT, "What was decided, such as believable, keep, child, retire, drop, final."),
            Column("about", ColumnKind.TEXT, "The strategy it is about; empty where it is about the round."),
            Column("reason", ColumnKind.TEXT, "Why, with the numbers it rests on."),
        ),
        """
        SELECT s.round_id, r.game, s.number, d.place, d.one ->> 'kind', d.one ->> 'about', d.one ->> 'reason'
        FROM round_steps s JOIN rounds r ON r.id = s.round_id
        CROSS JOIN LATERAL jsonb_array_elements(s.decisions) WITH ORDINALITY AS d(one, place)
        WHERE r.created_at BETWEEN $1 AND $2 ORDER BY s.round_id, s.number, d.place
        """,
    ),
    Table(
        "round_members",
        "rounds",
        "One row per population and strategy in it: the whole family tree.",
        (
            ROUND,
            GAME,
            STEP,
            Column("place", ColumnKind.INTEGER, "Place in the population."),
            STRATEGY,
            Column("origin", ColumnKind.TEXT, "Where it comes from.", "start, elite, child, stripped"),
            Column("parents", ColumnKind.JSON, "The strategies it was made from."),
            Column("sigma", ColumnKind.NUMBER, "Step size of its mutation."),
        ),
        """
        SELECT m.round_id, r.game, m.step, m.place, m.strategy, m.origin, m.parents, m.sigma
        FROM round_members m JOIN rounds r ON r.id = m.round_id
        WHERE r.created_at BETWEEN $1 AND $2 ORDER BY m.round_id, m.step, m.place
        """,
    ),
)
