"""What is fuzzed: a check that must hold for every text, and texts to begin with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
CORPUS: Final = HERE / "corpus"


@dataclass(frozen=True)
class Target:
    """`check` gives whether the text was accepted; whatever it raises is a fault."""

    name: str
    check: Callable[[str], bool]
    seeds: Callable[[], list[str]]
    words: tuple[str, ...] = ()
    share: float = 1.0
    """How much of the time it gets."""
    folder: Path = field(default=CORPUS)
    suffix: str = ".txt"

    @property
    def corpus(self) -> Path:
        return self.folder / self.name if self.folder == CORPUS else self.folder

    def kept(self) -> list[str]:
        """The inputs in the repository, in order of their names."""
        return [read(path) for path in sorted(self.corpus.glob(f"*{self.suffix}"))]

    def keep(self, name: str, text: str) -> Path:
        self.corpus.mkdir(parents=True, exist_ok=True)
        path = self.corpus / f"{name}{self.suffix}"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return path


def read(path: Path) -> str:
    """Texts may hold what UTF-8 cannot: half characters, or bytes of something else."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape")
