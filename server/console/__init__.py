"""The admins' console: study settings with their history, what runs at the moment, and the mails in the outbox."""
