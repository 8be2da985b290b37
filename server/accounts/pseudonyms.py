"""Names under which research pages show people: easy to read aloud, and telling nothing."""

from __future__ import annotations

import secrets

COLOURS = """
amber azure beige black blue bronze brown copper coral crimson cyan golden green grey indigo ivory jade lilac lime
maroon mauve navy ochre olive orange pink plum purple red ruby rust sable sand scarlet silver teal violet white yellow
"""
ANIMALS = """
badger bear beaver bison boar camel cat cod crane crow deer dog dove duck eagle eel elk falcon ferret finch fox frog
goat goose hare hawk heron horse ibex jay kite lark lion lynx mole moose mouse newt otter owl ox perch pike puma quail
rat raven robin seal sheep shrew snail stork swan tern tiger toad trout vole whale wolf wren yak
"""
NUMBERS = 10_000
SIMULATED = "simulated-"
"""Pseudonyms of simulated persons begin so; no drawn pseudonym does."""


def new_pseudonym() -> str:
    """One of about 26 million names; a collision is refused by the database and drawn again."""
    return f"{secrets.choice(COLOURS.split())}-{secrets.choice(ANIMALS.split())}-{secrets.randbelow(NUMBERS):04}"
