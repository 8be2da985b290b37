"""Tournaments of programs: challenges, tables with intervals, and the source's evaluation of Tourality again."""
