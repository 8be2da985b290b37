"""Many strategies at once: which e-values still count when the largest of forty are looked at."""

from __future__ import annotations

from collections.abc import Mapping


def e_bh(e_values: Mapping[str, float], level: float = 0.05) -> frozenset[str]:
    """Those discovered by e-BH: the k largest, for the largest k with the k-th e-value at least n / (level · k).

    At most `level` of the discoveries are false on average, however the e-values depend on each other. It takes the
    e-values of one moment; the largest that each has ever been are no e-values together.
    """
    ranked = sorted(e_values, key=lambda name: -e_values[name])
    enough = [rank for rank, name in enumerate(ranked, 1) if e_values[name] >= len(ranked) / (level * rank)]
    return frozenset(ranked[: max(enough, default=0)])
