"""Backup and restore: everything in the database as one file, around Postgres' own pg_dump and pg_restore."""
