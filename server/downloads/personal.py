"""Files that were built for a person hold copies of everything, so they go whenever anything of it goes."""

from __future__ import annotations

from server.accounts.owndata import erases
from server.downloads.service import forget

erases("account", "play_data", "interaction_log")(forget)
