"""Where things are kept: the database, its server and its schema, and folders on disk."""
