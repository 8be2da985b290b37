"""Players of Tourality that go for the next leaf: by one of two searches, or by looking around."""
