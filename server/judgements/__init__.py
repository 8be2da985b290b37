"""The judgement log: what ratings are computed from. Rows are appended when a questionnaire is finished or closes."""
