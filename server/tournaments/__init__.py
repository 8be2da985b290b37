"""Tournaments of programs in any game: made by researchers, played by workers, read by whom they are shown to."""
