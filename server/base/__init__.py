"""What everything stands on: settings, errors, the clock, logs and metrics, and how the domains are found."""
