"""Where other people's programs run: as a user of their own who sees little, reaches nobody and is ended in time."""
