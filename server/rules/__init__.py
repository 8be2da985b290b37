"""The games of the platform: the library, and sources that researchers have added."""
