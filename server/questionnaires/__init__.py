"""Questionnaires as data: their versions, the sheets that people fill in, and the answers, only ever appended to."""
