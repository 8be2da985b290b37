"""The one wire format of live play: every message between a browser and the server, in the lobby and in a match.

Two sockets, both JSON text frames, both opened with the session cookie and the site's own origin:

* ``/live/lobby``: the client sends `Join`, then a `Beat` every few seconds, and `Leave` to get out. The server answers
  `Waiting`, and `Seated` once the match exists.
* ``/live/matches/{match}``: the client sends `Hello` (also to resynchronise), then `Play` and `Propose`, and `Log` if
  its person agreed to that. The server sends `State` after every `Hello`, `Moves` after every commit, `Asked` to a seat
  that exceeds its clock, `Ended` at the end.

*Ply* is the number of moves, chance included, played before: the first die of a match is ply 0, the first choice of a
seat is ply 1. The server appends what chance does in the same transaction as the move before it, so a client sees
``moves: ["p3", "5"]``. Whoever has no choice but to pass is passed by the server after a short pause, people and
programs alike.

Nothing here tells who is a person: there are no fields about roles, presence or thinking, and every seat's messages
look the same.
The TypeScript types in client_web/src/wire.ts are generated from this module (`python -m server.live.typescript`).
"""

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from server.texts import storable

MAX_FRAME: Final = 4096
"""Longest frame a client may send, in bytes; a longer one closes the socket with code 1009."""

MOST_LOGGED_EVENTS: Final = 2000
"""Of one batch of the interaction log."""
MOST_LOGS: Final = 400
"""Batches of one person in one match."""

BEAT_SECONDS: Final = 3
"""How often a browser in the lobby says that it is still there."""

ErrorCode = Literal[
    "bad_message",
    "too_fast",
    "wrong_turn",
    "wrong_ply",
    "illegal_move",
    "not_started",
    "match_over",
    "replaced",
    "not_seated",
    "session_expired",
    "consent_missing",
    "busy",
]

CloseCode = Literal[1009, 4400, 4401, 4403, 4404, 4429]
"""Why the server closes a socket: 1009 huge frame, 4400 broken messages, 4401 no (valid) session, 4403 not your match
or not allowed to play, 4404 no such match, 4429 flood. After 1000 (said goodbye) nothing is to do; after any other
code (1001, 1006, 1011, 1012, 1013) the client reconnects and says `Hello`."""

MoveText = Annotated[str, Field(min_length=1, max_length=80)]
Ply = Annotated[int, Field(ge=0, le=100_000)]
Milliseconds = Annotated[int, Field(ge=0)]
Seat = Annotated[int, Field(ge=0, le=15)]
Whole = Annotated[int, Field(ge=-100_000, le=100_000_000)]
Name = Annotated[str, Field(max_length=40), AfterValidator(storable)]


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


# -------------------------------------------------------------------------------------------- lobby, client to server


class Join(Message):
    """I want to play. Repeating it changes nothing; after a reload it keeps the time already waited."""

    type: Literal["join"] = "join"


class Beat(Message):
    """I am still here. Who falls silent is not seated."""

    type: Literal["beat"] = "beat"


class Leave(Message):
    """I do not want to wait any longer; answered with `Left`."""

    type: Literal["leave"] = "leave"


# -------------------------------------------------------------------------------------------- lobby, server to client


class Waiting(Message):
    """You are in the queue; answers `Join` and every `Beat`."""

    type: Literal["waiting"] = "waiting"
    waited_ms: Milliseconds
    at_most_ms: Milliseconds
    """The longest that anybody waits, the same for everyone whatever the outcome."""


class Seated(Message):
    """Your match is ready: open `/matches/{match}` (or its socket). Also answers `Join` if a match of yours is on."""

    type: Literal["seated"] = "seated"
    match: str


class Left(Message):
    """You are out of the queue; the server closes the socket."""

    type: Literal["left"] = "left"


# -------------------------------------------------------------------------------------------- match, client to server


class Hello(Message):
    """Send me the match from this ply on: 0 at first and after a reload, the known ply after a lost connection."""

    type: Literal["hello"] = "hello"
    ply: Ply = 0


class Play(Message):
    """My move for exactly this ply. A repeated one changes nothing and is answered with `State` from there."""

    type: Literal["play"] = "play"
    ply: Ply
    move: MoveText


class Propose(Message):
    """What each member of the panel would do at this ply, where another seat is to act; in the order of the panel.

    Sent for every ply at which another seat has a real choice; `None` where the member could not be computed. There
    is no answer.
    """

    type: Literal["propose"] = "propose"
    ply: Ply
    choices: Annotated[list[MoveText | None], Field(max_length=32)]


class LoggedEvent(Message):
    """One thing that happened in the browser; `t` is milliseconds since the page opened."""

    t: Whole
    kind: Literal["pointer", "down", "up", "click", "key", "pause", "focus", "blur", "hidden", "visible", "scroll"]
    x: Whole | None = None
    y: Whole | None = None
    key: Name | None = None
    target: Name | None = None
    ms: Whole | None = None


class Log(Message):
    """A batch of the interaction log, kept with consent only and without an answer.

    A number that was stored before is not stored again. What is longer than a frame, or has no socket any more, goes
    to the log's own address instead.
    """

    type: Literal["log"] = "log"
    number: Annotated[int, Field(ge=0, lt=MOST_LOGS)]
    events: Annotated[list[LoggedEvent], Field(max_length=MOST_LOGGED_EVENTS)]


# -------------------------------------------------------------------------------------------- match, server to client


class PanelMember(Message):
    """A strategy that may or may not sit at this table, and the seed of its decisions."""

    strategy: str
    seed: str


Step = tuple[int, int, int, str]
"""Piece, from, to, how: one step of what a move did, in order. In Jostle -1 is the stack and `how` is the kind that
games.jostle.effects gives (landing, special effect, jostle)."""


class State(Message):
    """Everything that this seat may know; the answer to `Hello`."""

    type: Literal["state"] = "state"
    match: str
    game: str
    layout: str
    """Name of the layout, "standard" for the standard one."""
    you: Seat
    commitment: str
    """SHA-256 of the dice seed in hexadecimal; the seed itself comes with `Ended`."""
    panel: list[PanelMember]
    since: Ply
    """The ply of the first of `moves`: what the client said it knows, or 0 if that was more than there is."""
    moves: list[str]
    ply: Ply
    """Moves played so far: since + len(moves)."""
    position: str
    """Text of the position at `ply`."""
    to_act: int
    """The seat to act; -1 before the first die, -2 when the match is over."""
    legal: list[str]
    """Legal moves of the seat to act."""
    last_turns: int | None
    """Turns left of the last round, once it has begun."""
    starts_ms: Milliseconds
    """Time until the first die falls; 0 once it has."""
    clock_ms: Milliseconds
    """Time left on the move clock of the seat to act; 0 also if it has run out."""
    clock_total_ms: Milliseconds
    """The whole move clock."""
    asked_ms: Milliseconds | None
    """If this seat has been asked to move (see `Asked`): how long until a stand-in takes over."""


class Moves(Message):
    """What has just been committed. If `ply` is not the client's own, it says `Hello` with its own ply."""

    type: Literal["moves"] = "moves"
    ply: Ply
    """The ply of the first of `moves`."""
    moves: list[str]
    position: str
    """Text of the position after the moves."""
    to_act: int
    legal: list[str]
    last_turns: int | None
    clock_ms: Milliseconds
    """The move clock of the seat to act, freshly wound."""
    steps: list[Step]
    """What the seat's move did, in order, for the animation; empty for games that do not tell."""


class Asked(Message):
    """To a seat that has exceeded its clock, and to nobody else: move now, or a stand-in plays for you to the end."""

    type: Literal["asked"] = "asked"
    ply: Ply
    ms: Milliseconds


class Replaced(Message):
    """To a seat whose grace time or clock is over: a stand-in plays on. Then the socket closes."""

    type: Literal["replaced"] = "replaced"


class Ended(Message):
    """The match is over. Sent after the last `Moves`, and after `State` to whoever comes later."""

    type: Literal["ended"] = "ended"
    ply: Ply
    scores: list[int]
    winners: list[Seat]
    seed: str
    """The dice seed in hexadecimal; games.dice derives every die from it."""
    verify: str
    """Address of the page that checks the dice."""
    next: str
    """Where to go from here: the questionnaire's door."""


class Problem(Message):
    """Your message was refused and changed nothing. `ply` is the server's: a client that is behind can say `Hello`."""

    type: Literal["error"] = "error"
    code: ErrorCode
    message: str
    ply: Ply | None = None


LobbyClientMessage = Annotated[Join | Beat | Leave, Field(discriminator="type")]
LobbyServerMessage = Annotated[Waiting | Seated | Left | Problem, Field(discriminator="type")]
MatchClientMessage = Annotated[Hello | Play | Propose | Log, Field(discriminator="type")]
MatchServerMessage = Annotated[State | Moves | Asked | Replaced | Ended | Problem, Field(discriminator="type")]

LOBBY_CLIENT: Final[TypeAdapter[LobbyClientMessage]] = TypeAdapter(LobbyClientMessage)
LOBBY_SERVER: Final[TypeAdapter[LobbyServerMessage]] = TypeAdapter(LobbyServerMessage)
MATCH_CLIENT: Final[TypeAdapter[MatchClientMessage]] = TypeAdapter(MatchClientMessage)
MATCH_SERVER: Final[TypeAdapter[MatchServerMessage]] = TypeAdapter(MatchServerMessage)
