"""The fixtures of live play, for attacks over sockets."""

from tests.server.live.conftest import live_environment, server

__all__ = ["live_environment", "server"]
