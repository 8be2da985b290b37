"""Rule bases in Prolog: players written as scripts, one engine on the server and in the browser."""

from npc.prolog.host import EngineError, EngineMissingError, Host, use_host
from npc.prolog.kind import rule_base, vocabulary_of
from npc.prolog.rulebase import RuleBase
from npc.prolog.session import ScriptError, Session
from npc.prolog.vocabulary import Vocabulary

__all__ = [
    "EngineError",
    "EngineMissingError",
    "Host",
    "RuleBase",
    "ScriptError",
    "Session",
    "Vocabulary",
    "rule_base",
    "use_host",
    "vocabulary_of",
]
