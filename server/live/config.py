"""How an installation runs live play; what a study may change is in server/study/settings.py."""

from datetime import timedelta

from pydantic import Field, PositiveFloat, PositiveInt
from pydantic_settings import BaseSettings, SettingsConfigDict


class LiveConfig(BaseSettings):
    """Read from GRINTU_LIVE_* variables."""

    model_config = SettingsConfigDict(env_prefix="GRINTU_LIVE_", env_file=".env", extra="ignore", frozen=True)

    pace: PositiveFloat = Field(
        default=1.0, description="All times of play are multiplied by this; less than 1 is for rehearsals and tests."
    )
    departures: bool = Field(
        default=True,
        description="Seat people once in the study's waiting time, all who came meanwhile, so that having waited tells "
        "nothing; otherwise at once when there are enough.",
    )
    ask_time: timedelta = Field(
        default=timedelta(seconds=20), description="Who exceeded the clock and was asked has this much longer."
    )
    start_delay: timedelta = Field(
        default=timedelta(seconds=4), description="From seating to the beginning: time to load the page, for everyone."
    )
    compute_lead: timedelta = Field(
        default=timedelta(milliseconds=400),
        description="If no browser has proposed so long before a program's move is shown, the server computes it.",
    )
    writers: PositiveInt = Field(default=1, description="Database connections of a process that write moves.")
    messages_per_second: PositiveFloat = Field(default=20, description="What a socket may send on the average.")
    message_burst: PositiveInt = Field(default=60, description="What a socket may send at once.")
    sockets_per_seat: PositiveInt = Field(default=4, description="Tabs of one person in one match, per process.")
