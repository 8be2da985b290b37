"""What each falsifier flag is called and what it means, for researchers."""

from __future__ import annotations

from typing import Final, NamedTuple

from server.base.errors import N_


class Meaning(NamedTuple):
    name: str
    text: str


MEANINGS: Final = {
    "profile_changes": Meaning(
        N_("Profile changes"), N_("The same profile attribute was changed to a different value more than twice.")
    ),
    "too_fast": Meaning(
        N_("Too fast"),
        N_("Answers came faster than their questions can be read, in at least half of the answered questions."),
    ),
    "always_same": Meaning(
        N_("Always the same"), N_("The same verdict was given on every player in at least five matches.")
    ),
    "contradiction": Meaning(N_("Contradiction"), N_("A repeated question got contradicting answers.")),
    "before_moving": Meaning(N_("Judged before moving"), N_("A player was judged who had not moved yet.")),
    "right_too_often": Meaning(
        N_("Right too often"), N_("So many verdicts were right that a program may have compared the panel.")
    ),
    "second_account": Meaning(
        N_("Second account"),
        N_("Another account logged in with the same browser, or from the same network with the same kind of it."),
    ),
}
