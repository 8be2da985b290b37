"""What goes wrong with backups, in words that an admin can act on."""

from __future__ import annotations

from server.base.errors import GrintuError


class BackupError(GrintuError):  # a refusal like the others, so every command shows its message and no traceback
    status = 500
    message = "The backup could not be made or read."
