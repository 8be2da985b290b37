"""Pages that belong to no other domain: home, language, privacy, status, health and metrics."""
