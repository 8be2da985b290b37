"""What live play keeps of a person: matches and the interaction log. Importing it registers both."""

from server.live.interactions import my_interactions
from server.live.record import my_matches

__all__ = ["my_interactions", "my_matches"]
