"""The one wire format of live play: every message between a browser and the server, in the lobby and in a match.

Two sockets, both JSON text frames, both opened with the session cookie and the site's own origin:

* ``/live/lobby``: the client sends `Join`, then a `Beat` every few seconds, and `Leave` to get out. The server answers
  `Waiting`, and `Seated` once the match exists.
* ``/live/matches/{match}``: the client sends `Hello` (also to resynchronise), `Screen` once the board is drawn, then
  `Play` and `Propose`, and `Log` if its person agreed to that. The server sends `State` after every `Hello`, `Moves`
  after every commit, `Sealed` to a seat that has chosen while others still choose, `Asked` to a seat that exceeds its
  clock, `Ended` at the end.

*Ply* is the number of moves, chance included, played before: a match that begins with a die has it at ply 0 and the
first choice of a seat at ply 1. The server appends what chance does in the same transaction as the move before it, so a
client sees ``moves: ["p3", "5"]``. Where a seat has no choice, the server makes its move after a short pause, for
people and programs alike. Seats that choose at the same time all answer to the same ply; what they chose is told to
nobody else before the last one has chosen, and then comes as one row of moves in the order of the seats.

Everybody gets the view of the own seat: its position, the moves and events as that seat sees them, its legal moves.

The server closes a socket with 1009 for a huge frame, 4400 broken messages, 4401 no (valid) session, 4403 not your
match or not allowed to play, 4404 no such match, 4429 flood. After 1000 (said goodbye) nothing is to do; after any
other code (1001, 1006, 1011, 1012, 1013) the client reconnects and says `Hello`.

Nothing here tells who is a person: there are no fields about roles, presence or thinking, and every seat's messages
look the same.
The TypeScript types in client_web/src/wire.ts are generated from this module (`python -m server.live.wire.typescript`).
"""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from games.protocol import LONGEST_MOVE
from npc.panel import LARGEST_PANEL
from server.storage.texts import storable

MAX_FRAME: Final = 16_384
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
    "sealed",
    "not_offered",
    "not_started",
    "match_over",
    "replaced",
    "not_seated",
    "session_expired",
    "consent_missing",
    "busy",
]

MoveText = Annotated[str, Field(min_length=1, max_length=LONGEST_MOVE)]
Reference = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(storable)]
Ply = Annotated[int, Field(ge=0, le=100_000)]
Milliseconds = Annotated[int, Field(ge=0)]
Seat = Annotated[int, Field(ge=0, le=15)]
Whole = Annotated[int, Field(ge=-100_000, le=100_000_000)]
Language = Literal["en", "de"]
Device = Literal["phone", "tablet", "desktop"]
Input = Literal["mouse", "touch", "none"]
LoggedKind = Literal[
    "pointer", "down", "up", "click", "key", "pause", "focus", "blur", "hidden", "visible", "scroll", "board"
]
Name = Annotated[str, Field(max_length=40), AfterValidator(storable)]


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


# -------------------------------------------------------------------------------------------- lobby, client to server


class Join(Message):
    """I want to play this game. Repeating it changes nothing; after a reload it keeps the time already waited."""

    type: Literal["join"] = "join"
    game: Reference


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
    """My move for exactly this ply. A repeated one changes nothing and is answered with `State` from there, or with
    `Sealed` while others still choose."""

    type: Literal["play"] = "play"
    ply: Ply
    move: MoveText


class Propose(Message):
    """What each member of the panel would do at this ply in another seat, which acts; in the order of the panel.

    Sent for every ply and every other seat that has a real choice, if there is a panel; `None` where the member could
    not be computed. There is no answer.
    """

    type: Literal["propose"] = "propose"
    ply: Ply
    seat: Seat
    choices: Annotated[list[MoveText | None], Field(max_length=LARGEST_PANEL)]


class Screen(Message):
    """What this seat looks at. The first one of a seat is kept with the match; there is no answer."""

    type: Literal["screen"] = "screen"
    board_shape: Name
    """How the board is drawn, in its view's own words; every replay of the match is drawn the same way."""
    language: Language
    device: Device
    viewport_width: Annotated[int, Field(ge=1, le=100_000)]
    viewport_height: Annotated[int, Field(ge=1, le=100_000)]
    input: Input
    """What the device is mainly operated with."""


class LoggedEvent(Message):
    """One thing that happened in the browser; `t` is milliseconds since the page opened."""

    t: Whole
    kind: LoggedKind
    x: Whole | None = None
    y: Whole | None = None
    width: Whole | None = None
    height: Whole | None = None
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
    """A player that may or may not sit at this table, as a text `kind:body`, and the seed of its decisions."""

    player: str
    seed: str


EventText = tuple[str, str, str, str]
"""How, piece, from, to: one thing that happened on the board, in order (games.protocol.Event)."""


class ShownGrid(Message):
    """A square board: pieces as (cell, sign, seat), and what the seat may do as (move, from, to)."""

    columns: int
    rows: int
    pieces: list[tuple[str, str, int]]
    moves: list[tuple[str, str, str]]


class Shown(Message):
    """What the game's board draws besides the position's text (npc.shown)."""

    grid: ShownGrid | None
    facts: list[str]


class State(Message):
    """Everything that this seat may know; the answer to `Hello`."""

    type: Literal["state"] = "state"
    match: str
    game: str
    """The reference of the rules. Those of the library are at hand; others come from `/games/sources/{reference}`."""
    setup: Any
    """What the game's board has to know once, or null."""
    you: Seat
    commitment: str
    """SHA-256 of the dice seed in hexadecimal; the seed is told when the own answers are in."""
    panel: list[PanelMember]
    """Empty where nothing is to be proposed."""
    since: Ply
    """The ply of the first of `moves`: what the client said it knows, or 0 if that was more than there is."""
    moves: list[str]
    """As this seat sees them."""
    ply: Ply
    """Moves played so far: since + len(moves)."""
    position: str
    """Text of this seat's view of the position at `ply`."""
    acting: list[Seat]
    """The seats that choose now; empty before the start and when the match is over."""
    over: bool
    sealed: str | None
    """What this seat has chosen at this ply while others still choose."""
    legal: list[str]
    """Your legal moves; empty if you do not choose now, also where there is no choice and the server moves."""
    shown: Shown
    starts_ms: Milliseconds
    """Time until the match begins; 0 once it has."""
    clock_ms: Milliseconds
    """Time left on the move clock of those who choose; 0 also if it has run out."""
    clock_total_ms: Milliseconds
    """The whole move clock."""
    animation_speed: float
    """How fast moves are shown, the same on every seat: 1 is leisurely."""
    asked_ms: Milliseconds | None
    """If this seat has been asked to move (see `Asked`): how long until a stand-in takes over."""


class Moves(Message):
    """What has just been committed. If `ply` is not the client's own, it says `Hello` with its own ply.

    A match that begins with a choice begins with an empty one.
    """

    type: Literal["moves"] = "moves"
    ply: Ply
    """The ply of the first of `moves`."""
    moves: list[str]
    """As this seat sees them."""
    position: str
    """Text of this seat's view of the position after the moves."""
    acting: list[Seat]
    over: bool
    legal: list[str]
    """Your legal moves, as in `State`."""
    shown: Shown
    clock_ms: Milliseconds
    """The move clock of those who choose, freshly wound."""
    events: list[EventText]
    """What the moves did on the board, in order, as far as this seat sees it; empty for games that do not tell."""


class Sealed(Message):
    """To a seat that has chosen while others still choose, and to nobody else: this counts, and is opened with the
    others'."""

    type: Literal["sealed"] = "sealed"
    ply: Ply
    move: str


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
MatchClientMessage = Annotated[Hello | Screen | Play | Propose | Log, Field(discriminator="type")]
MatchServerMessage = Annotated[State | Moves | Sealed | Asked | Replaced | Ended | Problem, Field(discriminator="type")]

LOBBY_CLIENT: Final[TypeAdapter[LobbyClientMessage]] = TypeAdapter(LobbyClientMessage)
LOBBY_SERVER: Final[TypeAdapter[LobbyServerMessage]] = TypeAdapter(LobbyServerMessage)
MATCH_CLIENT: Final[TypeAdapter[MatchClientMessage]] = TypeAdapter(MatchClientMessage)
MATCH_SERVER: Final[TypeAdapter[MatchServerMessage]] = TypeAdapter(MatchServerMessage)
