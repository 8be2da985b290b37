"""Exports that were made hold copies of what people may have deleted, so they go whenever anything of it goes."""

from __future__ import annotations

from server.accounts.owndata import erases
from server.exports.orders import forget_all

erases("play_data", "interaction_log")(forget_all)
