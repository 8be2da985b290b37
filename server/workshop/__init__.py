"""Where researchers make games: a source is examined apart, seen, tried, kept, and put into the study."""
