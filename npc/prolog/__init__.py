"""Rule bases in Prolog: players written as scripts, one engine on the server and in the browser."""

from npc.prolog.generate import rule_base
from npc.prolog.host import EngineError, EngineMissingError, Host, use_host
from npc.prolog.rulebase import RuleBase
from npc.prolog.session import ScriptError, Session

__all__ = [
    "EngineError",
    "EngineMissingError",
    "Host",
    "RuleBase",
    "ScriptError",
    "Session",
    "rule_base",
    "use_host",
]
