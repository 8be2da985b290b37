"""Accounts: registration, log-in, roles, deletion, download of own data, audit log."""
