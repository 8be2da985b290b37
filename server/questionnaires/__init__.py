"""Questionnaires as data: their versions, the sheets that people fill in, and the answers, which are only appended to."""
