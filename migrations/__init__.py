"""Alembic migrations, one linear chain of dated files."""
