"""What live play keeps of a person, matches and the interaction log, and how somebody leaves. Importing it registers
all of it."""

from server.accounts.owndata import counts
from server.live.records.interactions import my_interactions
from server.live.records.matches import my_matches, number_of_matches
from server.live.tables.leaving import leave_tables

counts("matches")(number_of_matches)

__all__ = ["leave_tables", "my_interactions", "my_matches"]
