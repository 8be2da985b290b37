"""The admins' console: study settings with their history, and what runs at the moment."""
