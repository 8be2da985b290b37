"""Retention: personal data go when an account was not used for long; what research needs stays, linked to nobody."""
