"""The study: consent texts and consents, and the settings that researchers may change while it runs."""
