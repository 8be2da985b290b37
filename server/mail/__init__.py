"""Mails: a row in the transaction that causes them, delivered by whichever process is alive, tried until it works."""
