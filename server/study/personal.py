"""What the study keeps of a person: the consents. Importing it registers them."""

from server.study.consent import my_consents

__all__ = ["my_consents"]
