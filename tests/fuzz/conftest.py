"""The quick pace of live play, for fuzzing its sockets."""

from tests.server.live.conftest import live_environment

__all__ = ["live_environment"]
